//! Calls: a function of given arguments is explored once.
//!
//! As long as the arguments share no variable with what the caller still remembers, the result of a
//! call depends on the arguments alone, and its exploration is kept as a [`Summary`]. Otherwise the
//! function runs with the caller's variables set aside in the state, so that both stay tied together.

use std::rc::Rc;
use std::sync::Arc;

use astragal_prob::{Growing, Law, Meter, Natural, OverBudget, Rational};
use astragal_program::fault::{Costly, FaultKind};
use astragal_syntax::span::Span;

use super::decide::{Done, Turn};
use super::dice::with_values;
use super::hoisted::{Atom, Limits, law_of};
use super::record::pop;
use super::{Live, Machine, Outcome, forget};
use crate::failure::{Failure, too_much};
use crate::plan::{Function, Node, NodeId};
use crate::state::{Aside, Drawn, Shared, State, States, Sym, Var, VarLaw, Weight, mixed};
use crate::ways::{self, sliver};

/// How a call that is under way is being explored.
#[derive(Debug)]
pub(super) struct Exploration {
    /// Calls of itself yield this unknown; where there is none, what is known of them so far.
    unknown: Option<u32>,
    /// Whether there was such a call.
    met: bool,
}

/// What a summary is of: a function of the plan, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Body {
    Function(usize),
    Part(NodeId),
}

/// A value that a body yields, on top of a state that knows nothing else, and its chance.
#[derive(Debug)]
pub(super) struct Yield {
    pub(super) value: Sym,
    pub(super) state: State,
    pub(super) chance: Weight,
}

impl Yield {
    pub(super) fn laws(&self) -> &[VarLaw] {
        &self.state.laws
    }

    /// Whether all is known of it: it is no phantom, and no unknown stands behind it.
    pub(super) fn is_known(&self) -> bool {
        !self.state.phantom && self.state.owed == 0
    }

    /// About how many bytes it takes, its laws included.
    fn bytes(&self) -> u64 {
        let size = |law: &VarLaw| match law {
            VarLaw::Number(law) => 200 + 40 * law.support_size().unwrap_or(64),
            VarLaw::Values(values) => 200 + 40 * values.count(),
            VarLaw::Dice(_) => 300,
        };
        let laws = self.laws().iter().map(size).sum::<usize>();
        self.state.bytes() + (2 * size_of::<Yield>() + laws) as u64
    }
}

/// What a body yields for given variables.
#[derive(Debug)]
pub(super) struct Summary {
    pub(super) results: Vec<Yield>,
    pub(super) aside: Aside,
}

impl Summary {
    /// By the states after the body.
    fn of(States { list, aside }: States) -> Summary {
        let results = list.into_iter().map(|(mut state, chance)| {
            let value = state.stack.pop().unwrap_or(Sym::Gone);
            Yield { value, state, chance }
        });
        Summary { results: results.collect(), aside }
    }

    /// The law of a number, where the body yields any; none if it is something else.
    pub(super) fn law(&self, meter: &Meter) -> Result<Option<Law>, OverBudget> {
        let numbers = self.results.iter();
        let numbers = numbers.map(|result| (&result.state, result.value.as_form(), &result.chance));
        mixed(numbers, meter)
    }
}

impl<'p> Machine<'p> {
    #[inline(never)]
    pub(super) fn call(
        &mut self,
        function: usize,
        arguments: &'p [Node],
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let states = self.run_all(arguments, states, live)?;
        let plan = self.plan;
        let Some(callee) = plan.functions.get(function) else { return Ok(states) };
        let mut tied = States::default();
        let mut after = self.each(states, span, |machine, mut state, turn| {
            // A parameter binds its dice as `let` does.
            let arguments = pop(&mut state, arguments.len());
            let mut locals: Vec<Sym> =
                arguments.into_iter().map(|argument| state.sealed(argument)).collect();
            forget(&mut state, live);
            locals.resize(callee.locals, Sym::Gone);
            if let Some(together) = machine.call_one((function, callee), locals, state, turn)? {
                tied.list.push((together, turn.weight.clone()));
                let bytes = tied.bytes() + turn.after.bytes();
                machine.meter.room(bytes).map_err(too_much(span))?;
            }
            Ok(())
        })?;
        let mut rent = self.meter.rent();
        rent.grow(after.bytes(), self.meter).map_err(too_much(span))?;
        let tied = self.run_tied((function, callee), tied, span)?;
        after.list.make_room(tied.list.len(), self.meter).map_err(too_much(span))?;
        after.list.extend(tied.list);
        after.aside.join(tied.aside);
        self.meet(after, span)
    }

    /// Calls a function from one state. If it has to run together with what the caller remembers, that state.
    fn call_one(
        &mut self,
        (function, callee): (usize, &'p Function),
        locals: Vec<Sym>,
        mut state: State,
        turn: &mut Turn<'_>,
    ) -> Result<Option<State>, Failure> {
        let span = turn.span;
        if self.depth >= ways::DEEPEST_CALLS {
            let reached = self.reached.iter().fold(turn.weight.clone(), |all, one| all * one);
            if reached >= sliver() {
                return Err(Failure::refused(FaultKind::TooDeep(Arc::clone(&callee.name)), span));
            }
            turn.after.aside.lost += turn.weight;
            return Ok(None);
        }
        let tied_up = state.mentions(&variables(&locals));
        let place = place(Body::Function(function), locals.clone(), &state.laws);
        // Whether this very call is being explored: the function calls itself.
        let unknown = self.under_way.get_mut(&place).map(|explored| {
            explored.met = true;
            explored.unknown
        });
        match unknown {
            Some(Some(_)) if state.owed >= ways::MOST_UNKNOWNS => {
                return Err(Failure::refused(FaultKind::OverBudget(Costly::Work), span));
            }
            _ if tied_up => {
                let caller = std::mem::replace(&mut state.locals, locals);
                state.frames.push(caller);
                return Ok(Some(state));
            }
            Some(Some(id)) => {
                let result = state.number(Law::unknown(id));
                state.owed += 1;
                turn.push(state, result)?;
            }
            Some(None) => match self.guesses.as_ref().and_then(|known| known.get(&place)) {
                Some(guess) => self.attach(&Rc::clone(guess), &state, turn)?,
                None => turn.after.aside.lost += turn.weight,
            },
            None => {
                self.reached.push(turn.weight.clone());
                let summary = self.summary(place, &callee.body);
                self.reached.pop();
                let summary = summary.map_err(|failure| weigh(failure, turn.weight, Some(span)))?;
                self.attach(&summary, &state, turn)?;
            }
        }
        Ok(None)
    }

    /// Continues a state with each result of a summary.
    fn attach(&self, summary: &Summary, state: &State, turn: &mut Turn<'_>) -> Done {
        for result in &summary.results {
            self.pay_for_case(turn)?;
            self.pay(8 * result.laws().len() as u64, turn.span)?;
            let mut state = state.clone();
            let mut value = result.value.clone();
            state.adopt([&mut value], result.laws().iter().cloned());
            state.phantom |= result.state.phantom;
            state.loose |= result.state.loose;
            state.owed += result.state.owed;
            turn.with(&(turn.weight * &result.chance)).push(state, value)?;
        }
        turn.after.aside.join(part_of(&summary.aside, turn.weight, Some(turn.span)));
        Ok(())
    }

    #[inline(never)]
    pub(super) fn enter(
        &mut self,
        body: &'p Node,
        span: Span,
        mut states: States,
        live: &Live,
    ) -> Outcome {
        let before = std::mem::take(&mut states.aside);
        let mut states = called(self.run_open(body, states, live), span)?;
        states.aside.join(before);
        Ok(states)
    }

    /// Runs a function on states whose callers' variables are set aside. One that is called inside itself very often may
    /// have no end: then what has become too unlikely is given up. No other call loses anything.
    fn run_tied(
        &mut self,
        (function, callee): (usize, &'p Function),
        mut tied: States,
        span: Span,
    ) -> Outcome {
        self.inside_themselves += u32::from(self.tied.contains(&function));
        if self.inside_themselves > ways::FOLLOWED_HOWEVER_UNLIKELY {
            let least = sliver();
            for (_, weight) in tied.list.extract_if(.., |(_, weight)| *weight < least) {
                tied.aside.lost += weight;
            }
        }
        self.depth += 1;
        self.tied.push(function);
        let result = self.parameters_together(&callee.body, tied);
        let result = result.and_then(|tied| self.run(&callee.body, tied, &Live::default()));
        self.tied.pop();
        self.depth -= 1;
        let mut states = called(result, span)?;
        for (state, _) in &mut states.list {
            state.locals = state.frames.pop().unwrap_or_default();
        }
        Ok(states)
    }

    /// Explores a body. Where it calls itself, an unknown stands in for the result; if all that becomes
    /// of unknowns is that they are added up, the results are an equation for them, and it is solved.
    /// Otherwise it is explored again and again, with what is known of these calls so far.
    fn explored(&mut self, place: &(Body, State), body: &'p Node) -> Outcome {
        // A part is what following paths leaves to the states.
        if let Body::Function(function) = place.0
            && !self.known.under_way.contains(&function)
        {
            self.known.under_way.push(function);
            let followed = self.followed(body, &place.1);
            self.known.under_way.pop();
            if let Some(states) = followed? {
                return Ok(states);
            }
        }
        self.unknowns += 1;
        let (id, mark) = (self.unknowns, self.tentative.len());
        if self.guesses.is_some() || !self.meter.may(ways::EQUATIONS) {
            return self.guessed(place, body);
        }
        let (first, met) = self.body(place, body, Some(id));
        if !met {
            return first;
        }
        self.forget_tentative(mark);
        let solved = first.and_then(|states| {
            let early = self.leaves_early(&states.aside, place, body);
            self.solved(states, early, id, body.span)
        });
        match solved {
            Ok(Some(states)) => {
                self.meter.took(ways::EQUATIONS);
                return Ok(states);
            }
            Err(failure) if !matches!(failure.fault.kind, FaultKind::NotKnown) => {
                return Err(failure);
            }
            Ok(None) | Err(_) => {}
        }
        self.guessed(place, body)
    }

    /// Explores a body whose calls of itself yield what was found before: at first nothing, then more each time, until
    /// hardly anything is added. Other calls that it meets meanwhile go on with it, one step at a time.
    fn guessed(&mut self, place: &(Body, State), body: &'p Node) -> Outcome {
        let (outermost, mark) = (self.guesses.is_none(), self.tentative.len());
        self.guesses.get_or_insert_default();
        let mut lost = Weight::ONE;
        let mut turns = 0;
        let found = loop {
            let (states, met) = self.body(place, body, None);
            if !met {
                break states;
            }
            let states = match states.and_then(|states| self.shortened(states, body.span)) {
                Ok(states) => states,
                refused => break refused,
            };
            turns += 1;
            let gained = std::mem::replace(&mut lost, states.aside.lost.clone()) - &lost;
            if outermost && lost.is_one() {
                break Err(Failure::refused(self.never_returns(place.0), body.span));
            }
            if outermost && (gained < sliver() || turns >= ways::MOST_GUESSES) {
                break Ok(states);
            }
            let guess = Rc::new(Summary::of(states.clone()));
            self.guesses.get_or_insert_default().insert(place.clone(), guess);
            if !outermost {
                break Ok(states);
            }
            self.forget_tentative(mark);
        };
        if outermost {
            self.guesses = None;
            self.forget_tentative(mark);
        }
        found
    }

    /// Nothing at all is known of a body but that it calls itself.
    fn never_returns(&self, body: Body) -> FaultKind {
        let Body::Function(function) = body else { return FaultKind::NotKnown };
        let name = self.plan.functions.get(function).map(|function| Arc::clone(&function.name));
        name.map_or(FaultKind::NotKnown, FaultKind::TooDeep)
    }

    /// The same states with chances that are not too long: they are rounded down, and the rest is given up.
    fn shortened(&mut self, states: States, span: Span) -> Outcome {
        let is_open =
            |(state, _): &(State, _)| state.owed > 0 || state.laws.iter().any(has_unknown);
        if states.list.iter().any(is_open) {
            return Err(Failure::refused(FaultKind::NotKnown, span));
        }
        let mut states = self.decided(states, 1, span)?;
        let unit = Weight::from(Natural::ONE << ways::BITS_OF_A_GUESS);
        let aside = &mut states.aside;
        let failed = aside.failed.iter_mut().chain(&mut aside.rejected).map(|way| &mut way.chance);
        for weight in states.list.iter_mut().map(|(_, weight)| weight).chain(failed) {
            let short = Weight::from((&*weight * &unit).floor()) / &unit;
            aside.lost += std::mem::replace(weight, short.clone()) - short;
        }
        states.list.retain(|(_, weight)| !weight.is_zero());
        self.meet(states, span)
    }

    /// Forgets what was summed up since while unknowns stood in for results.
    fn forget_tentative(&mut self, mark: usize) {
        for tentative in self.tentative.split_off(mark) {
            self.summaries.remove(&tentative);
        }
    }

    /// Whether all that fails or does not count does so before the body calls itself.
    fn leaves_early(&mut self, aside: &Aside, place: &(Body, State), body: &'p Node) -> bool {
        if aside.failed.is_empty() && aside.rejected.is_none() {
            return true;
        }
        // Nothing is known so far of calls of itself.
        let mark = self.tentative.len();
        let (before, _) = self.body(place, body, None);
        self.forget_tentative(mark);
        before.is_ok_and(|before| {
            before.aside.failed == aside.failed && before.aside.rejected == aside.rejected
        })
    }

    /// The states after a body that is worth following path by path.
    pub(super) fn followed(
        &mut self,
        body: &'p Node,
        start: &State,
    ) -> Result<Option<States>, Failure> {
        if !start.laws.is_empty() {
            return Ok(None);
        }
        let Some(variables) = self.variables_of(body, &start.locals) else { return Ok(None) };
        let atom = self.hoisted(body, &variables, Limits::FEW);
        atom.map(|atom| self.states_of(atom, body.span)).transpose()
    }

    /// The states with one of these values each, or with an undecided one.
    pub(super) fn states_of(&mut self, atom: Atom, span: Span) -> Outcome {
        if let Some(law) = law_of(&atom) {
            let mut state = State::default();
            let number = state.draw(Drawn::Number(Shared::new(law)));
            state.stack.push(number);
            return Ok(States::one(state));
        }
        let list = with_values(&State::default(), &Rational::ONE, atom, ways::FEW_RESULTS);
        // Long lists are written out, each item a value of its own.
        let parts = list.iter().map(|(state, _)| state.parts().saturating_sub(8));
        self.pay(parts.fold(0, u64::saturating_add).saturating_mul(16), span)?;
        self.meet(States { list, ..States::default() }, span)
    }

    /// Runs a body, and says whether it calls itself. Of the states only the result counts.
    fn body(
        &mut self,
        place: &(Body, State),
        body: &'p Node,
        unknown: Option<u32>,
    ) -> (Outcome, bool) {
        self.under_way.insert(place.clone(), Exploration { unknown, met: false });
        self.depth += 1;
        let start = States::one(place.1.clone());
        let result = match place.0 {
            Body::Function(_) => self
                .parameters_together(body, start)
                .and_then(|start| self.run_open(body, start, &Live::default())),
            Body::Part(_) => self.run(body, start, &Live::default()),
        };
        self.depth -= 1;
        let result = result.and_then(|mut states| {
            states.list.iter_mut().for_each(|(state, _)| state.locals.clear());
            self.meet(states, body.span)
        });
        (result, self.under_way.remove(place).is_some_and(|explored| explored.met))
    }

    /// What a body yields for these variables.
    pub(super) fn summary(
        &mut self,
        place: (Body, State),
        body: &'p Node,
    ) -> Result<Rc<Summary>, Failure> {
        if let Some(known) = self.summaries.get(&place) {
            return Ok(Rc::clone(known));
        }
        let summary = Rc::new(Summary::of(self.explored(&place, body)?));
        if self.depth == 0 {
            self.forget_tentative(0);
        }
        // The arguments stand in the table of summaries, and twice where they are known tentatively.
        let bytes = 2 * place.1.bytes() + summary.results.iter().map(Yield::bytes).sum::<u64>();
        self.meter.hold(bytes).map_err(|refusal| self.refuse(refusal, body.span))?;
        let owes = |result: &Yield| result.state.owed > 0 || result.laws().iter().any(has_unknown);
        // What was given up may be too much for who calls it from elsewhere.
        let given_up = self.depth > 0 && !summary.aside.lost.is_zero();
        if given_up || summary.results.iter().any(owes) {
            self.tentative.push(place.clone());
        }
        self.summaries.insert(place, Rc::clone(&summary));
        Ok(summary)
    }
}

/// A body, and what its variables are where it begins.
pub(super) fn place(key: Body, locals: Vec<Sym>, laws: &[VarLaw]) -> (Body, State) {
    let mut start = State { locals, laws: laws.to_vec(), ..State::default() };
    start.tidy();
    (key, start)
}

fn has_unknown(law: &VarLaw) -> bool {
    matches!(law, VarLaw::Number(law) if law.has_unknown())
}

/// What comes of a body that is called from this place.
fn called(result: Outcome, span: Span) -> Outcome {
    let mut states = result.map_err(|failure| weigh(failure, &Weight::ONE, Some(span)))?;
    states.aside = part_of(&states.aside, &Weight::ONE, Some(span));
    Ok(states)
}

pub(super) fn variables(syms: &[Sym]) -> Vec<Var> {
    let mut vars = Vec::new();
    syms.iter().for_each(|sym| sym.visit(&mut |var| vars.push(var)));
    vars
}

/// What did not get through something that happens with this chance.
pub(super) fn part_of(aside: &Aside, weight: &Weight, call: Option<Span>) -> Aside {
    let failed = aside.failed.iter().map(|failure| weigh(failure.clone(), weight, call));
    let rejected = aside.rejected.as_ref().map(|rejected| weigh(rejected.clone(), weight, call));
    let (lost, never) = (weight * &aside.lost, weight * &aside.never);
    Aside { lost, never, rejected, failed: failed.collect() }
}

/// A failure inside something that happens with this chance, called from this place.
pub(super) fn weigh(mut failure: Failure, weight: &Weight, call: Option<Span>) -> Failure {
    if !failure.is_final() {
        failure.chance *= weight;
    }
    if let Some(span) = call {
        failure.fault = failure.fault.called_from(span);
    }
    failure
}
