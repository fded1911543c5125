//! Calls: a function of given arguments is explored once.
//!
//! As long as the arguments share no variable with what the caller still remembers, the result of a
//! call depends on the arguments alone, and its exploration is kept as a [`Summary`]. Otherwise the
//! function runs with the caller's variables set aside in the state, so that both stay tied together.

use std::rc::Rc;
use std::sync::Arc;

use astragal_prob::{Law, Rational};
use astragal_program::fault::{Costly, FaultKind};
use astragal_syntax::span::Span;

use super::dice::with_values;
use super::hoisted::{Atom, Limits, law_of};
use super::record::pop;
use super::{Live, Machine, Outcome, forget};
use crate::failure::{Failure, too_much};
use crate::plan::{Node, NodeId};
use crate::state::{Aside, Drawn, Shared, State, States, Sym, Var, VarLaw, Weight};
use crate::ways::{self, WINDOW};

/// How a call that is under way is being explored.
#[derive(Clone, Copy, Debug)]
pub(super) enum Exploration {
    /// Calls of itself are followed one into the other.
    Plainly,
    /// Calls of itself yield an unknown.
    WithUnknown { id: u32, met: bool },
    /// Calls of itself are not followed.
    UpToCalls,
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
}

impl Yield {
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

impl<'p> Machine<'p> {
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
        if self.depth >= ways::DEEPEST_CALLS {
            return Err(Failure::refused(FaultKind::TooDeep(Arc::clone(&callee.name)), span));
        }
        let mut tied = States::default();
        let mut after = self.each(states, span, |machine, mut state, turn| {
            // A parameter binds its dice as `let` does.
            let arguments = pop(&mut state, arguments.len());
            let mut locals: Vec<Sym> =
                arguments.into_iter().map(|argument| state.sealed(argument)).collect();
            forget(&mut state, live);
            locals.resize(callee.locals, Sym::Gone);
            let under_way = machine.is_under_way(Body::Function(function), &locals, &state.laws);
            let tied_up = state.mentions(&variables(&locals));
            match under_way {
                Some(Exploration::UpToCalls) => {
                    turn.after.aside.again += turn.weight;
                    return Ok(());
                }
                Some(Exploration::WithUnknown { .. }) if state.owed >= ways::MOST_UNKNOWNS => {
                    return Err(Failure::refused(FaultKind::OverBudget(Costly::Work), span));
                }
                Some(Exploration::WithUnknown { id, .. }) if !tied_up => {
                    let result = state.number(Law::unknown(id));
                    state.owed += 1;
                    turn.push(state, result);
                    return Ok(());
                }
                Some(Exploration::WithUnknown { .. } | Exploration::Plainly) | None => {}
            }
            if under_way.is_some() || tied_up {
                let caller = std::mem::replace(&mut state.locals, locals);
                state.frames.push(caller);
                tied.list.push((state, turn.weight.clone()));
                let bytes = tied.bytes() + turn.after.bytes();
                return machine.meter.room(bytes).map_err(too_much(span));
            }
            let key = Body::Function(function);
            let summary = machine.summary(key, &callee.body, locals, &state.laws);
            let summary = summary.map_err(|failure| weigh(failure, turn.weight, Some(span)))?;
            attach(&summary, &state, turn.weight, Some(span), turn.after);
            Ok(())
        })?;
        let mut rent = self.meter.rent();
        rent.grow(after.bytes(), self.meter).map_err(too_much(span))?;
        let tied = self.run_tied(&callee.body, tied, span)?;
        after.list.extend(tied.list);
        after.aside.join(tied.aside);
        self.meet(after, span)
    }

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

    /// How this very call is being explored, if it is: the function calls itself.
    fn is_under_way(&mut self, key: Body, locals: &[Sym], laws: &[VarLaw]) -> Option<Exploration> {
        if self.under_way.is_empty() {
            return None;
        }
        let mut start = State { locals: locals.to_vec(), laws: laws.to_vec(), ..State::default() };
        start.tidy();
        let under_way = self.under_way.get_mut(&(key, start))?;
        if let Exploration::WithUnknown { met, .. } = under_way {
            *met = true;
        }
        Some(*under_way)
    }

    /// Runs a body on states whose callers' variables are set aside. What has become too unlikely is
    /// given up, so that a function that calls itself with a chance comes to an end.
    fn run_tied(&mut self, body: &'p Node, mut tied: States, span: Span) -> Outcome {
        let sliver = Weight::ONE / Weight::from(WINDOW);
        let (kept, unlikely) = tied.list.into_iter().partition(|(_, weight)| *weight >= sliver);
        tied.list = unlikely;
        let lost = tied.mass();
        tied.list = kept;
        tied.aside.lost += lost;
        self.depth += 1;
        let result = self.run(body, tied, &Live::default());
        self.depth -= 1;
        let mut states = called(result, span)?;
        for (state, _) in &mut states.list {
            state.locals = state.frames.pop().unwrap_or_default();
        }
        Ok(states)
    }

    /// Explores a body. Where it calls itself, an unknown stands in for the result; if all that becomes
    /// of unknowns is that they are added up, the results are an equation for them, and it is solved.
    /// Otherwise the calls are followed one into the other, as far as they are likely.
    fn explored(&mut self, key: Body, body: &'p Node, start: &State) -> Outcome {
        // A part is what following paths leaves to the states.
        if let Body::Function(function) = key
            && !self.known.under_way.contains(&function)
        {
            self.known.under_way.push(function);
            let followed = self.followed(body, start);
            self.known.under_way.pop();
            if let Some(states) = followed? {
                return Ok(states);
            }
        }
        self.unknowns += 1;
        let (id, mark) = (self.unknowns, self.tentative.len());
        let place = (key, start.clone());
        let exploration = match self.meter.may(ways::EQUATIONS) {
            true => Exploration::WithUnknown { id, met: false },
            false => Exploration::Plainly,
        };
        let (first, exploration) = self.body(&place, body, exploration);
        if !matches!(exploration, Some(Exploration::WithUnknown { met: true, .. })) {
            return first;
        }
        self.forget_tentative(mark);
        let solved = first.and_then(|states| {
            let early = self.leaves_early(&states.aside, &place, body);
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
        self.body(&place, body, Exploration::Plainly).0
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
        let mark = self.tentative.len();
        let (before, _) = self.body(place, body, Exploration::UpToCalls);
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
        self.meet(States { list, ..States::default() }, span)
    }

    /// Runs a body, and says what has become of its exploration. Of the states only the result counts.
    fn body(
        &mut self,
        place: &(Body, State),
        body: &'p Node,
        exploration: Exploration,
    ) -> (Outcome, Option<Exploration>) {
        self.under_way.insert(place.clone(), exploration);
        self.depth += 1;
        let start = States::one(place.1.clone());
        let result = match place.0 {
            Body::Function(_) => self.run_open(body, start, &Live::default()),
            Body::Part(_) => self.run(body, start, &Live::default()),
        };
        self.depth -= 1;
        let result = result.and_then(|mut states| {
            states.list.iter_mut().for_each(|(state, _)| state.locals.clear());
            self.meet(states, body.span)
        });
        (result, self.under_way.remove(place))
    }

    /// What a body yields for these variables.
    pub(super) fn summary(
        &mut self,
        key: Body,
        body: &'p Node,
        locals: Vec<Sym>,
        laws: &[VarLaw],
    ) -> Result<Rc<Summary>, Failure> {
        let mut start = State { locals, laws: laws.to_vec(), ..State::default() };
        start.tidy();
        if let Some(known) = self.summaries.get(&(key, start.clone())) {
            return Ok(Rc::clone(known));
        }
        let states = self.explored(key, body, &start)?;
        let aside = states.aside.clone();
        let results = states.list.into_iter().map(|(mut state, chance)| {
            let value = state.stack.pop().unwrap_or(Sym::Gone);
            Yield { value, state, chance }
        });
        let summary = Rc::new(Summary { results: results.collect(), aside });
        // The arguments stand in the table of summaries, and twice where they are known tentatively.
        let bytes = 2 * start.bytes() + summary.results.iter().map(Yield::bytes).sum::<u64>();
        self.meter.hold(bytes).map_err(|refusal| self.refuse(refusal, body.span))?;
        let owes = |result: &Yield| result.state.owed > 0 || result.laws().iter().any(has_unknown);
        if !summary.aside.again.is_zero() || summary.results.iter().any(owes) {
            self.tentative.push((key, start.clone()));
        }
        self.summaries.insert((key, start), Rc::clone(&summary));
        Ok(summary)
    }
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

/// Continues a state with each result of a summary.
pub(super) fn attach(
    summary: &Summary,
    state: &State,
    weight: &Weight,
    call: Option<Span>,
    after: &mut States,
) {
    for result in &summary.results {
        let mut state = state.clone();
        let mut value = result.value.clone();
        state.adopt([&mut value], result.laws().iter().cloned());
        state.stack.push(value);
        state.phantom |= result.state.phantom;
        state.loose |= result.state.loose;
        state.owed += result.state.owed;
        after.list.push((state, weight * &result.chance));
    }
    after.aside.join(part_of(&summary.aside, weight, call));
}

/// What did not get through something that happens with this chance.
pub(super) fn part_of(aside: &Aside, weight: &Weight, call: Option<Span>) -> Aside {
    let failed = aside.failed.iter().map(|failure| weigh(failure.clone(), weight, call));
    let rejected = aside.rejected.as_ref().map(|rejected| weigh(rejected.clone(), weight, call));
    let (lost, never) = (weight * &aside.lost, weight * &aside.never);
    let again = weight * &aside.again;
    Aside { lost, never, again, rejected, failed: failed.collect() }
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
