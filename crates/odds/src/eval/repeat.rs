//! Rounds with carried state: a loop is a graph of states, explored once and then solved.
//!
//! ```text
//! repeat with mine = 0, theirs = 0 next mine = d6, theirs = d6 until mine != theirs
//! ```
//!
//! Each set of carried values is a node; a round leads from a node to others or to an end, each with a
//! chance. If no path returns, the chances are pushed forward; where paths return, the equations of the
//! knot are solved exactly ([`astragal_prob::chain`]). A carried value that a round only adds to is not part of
//! the node: what is added travels along the edges as a law, so a loop that can go on for ever still has
//! few nodes and an exact, endless answer.
//!
//! A loop whose nodes never come to an end is followed round by round instead, until the chance that it
//! is still going on is below one in [`ways::WINDOW`]; the answer then says how much was given up.

use astragal_prob::chain::{Edge, Graph, Measure, Unsolved};
use astragal_prob::{Growing, Law, Numbered, Rational};
use astragal_program::core::LocalId;
use astragal_program::fault::{FaultKind, NeverStops};
use astragal_syntax::span::Span;
use dashu_base::BitTest;

use super::call::{part_of, weigh};
use super::chained::{Finish, Stop};
use super::fold::set;
use super::record::pop;
use super::{FORM, Live, Machine, Outcome, forget};
use crate::failure::{Failure, over_budget, too_much};
use crate::plan::{Node, Repeat};
use crate::state::{Aside, Form, State, States, Sym, Values, VarLaw, Weight};
use crate::ways;

/// How the loop is left from a node.
enum Leaf {
    /// It ends: with which chance, and the carried values there.
    End(Weight, Vec<Sym>, Vec<VarLaw>),
    Failed(Failure),
    Rejected(Failure),
    /// The round itself may never end.
    Never(Weight),
}

/// A loop as a graph: its nodes, and how it is left from them.
struct Explored {
    graph: Graph,
    leaves: Vec<(usize, Leaf)>,
}

/// What a loop yields: carried values at the end with the laws of their variables and their chances.
pub(super) type Ends = Vec<End>;
type End = (Vec<Sym>, Vec<VarLaw>, Weight);

/// What comes of a loop from given variables.
pub(super) enum Came {
    /// Its ends, and what does not get there.
    To(Ends, Box<Aside>),
    /// The same, and an end that stands for all that was not followed ([`super::beyond`]).
    Nearly(Ends, Box<Aside>, End),
    /// The values of what follows it.
    Past(Values),
}

/// What follows a loop: the variable that holds its record, the expression, and what is needed after that.
type Following<'a, 'p> = (LocalId, &'p Node, &'a Live);

impl<'p> Machine<'p> {
    /// The states after a loop; first those for which what follows it is done too.
    #[inline(never)]
    pub(super) fn repeat(
        &mut self,
        repeat: &'p Repeat,
        following: Option<Following<'_, 'p>>,
        span: Span,
        states: States,
        live: &Live,
    ) -> Result<(Vec<(State, Weight)>, States), Failure> {
        let around = live.and(&repeat.round).without(&repeat.state);
        let states = self.run_all(&repeat.first, states, &around)?;
        let counter = self.lifted(repeat);
        let states = self.with_carried_decided(repeat, counter, states, span)?;
        let size = repeat.state.len();
        let counts = counter.is_some() || repeat.count.is_some();
        let following = following.filter(|_| !counts && self.meter.may(ways::LOOP_AND_REST));
        let mut done = Vec::new();
        let states = self.each(states, span, |machine, mut state, turn| {
            let first = pop(&mut state, size);
            let mut locals = state.locals.clone();
            keep_only(&mut locals, &repeat.round);
            for (at, (local, value)) in repeat.state.iter().zip(&first).enumerate() {
                let value = if Some(at) == counter { zero() } else { value.clone() };
                set(&mut locals, *local, value);
            }
            let start = State { locals, laws: state.laws.clone(), ..State::default() };
            let finish =
                following.and_then(|(last, body, _)| Finish::of(last, body, &state.locals));
            let came = machine.ends(repeat, counter, finish.as_ref(), start, span);
            let came = came.map_err(|failure| weigh(failure, turn.weight, None))?;
            let (ends, aside, beyond) = match came {
                Came::To(ends, aside) => (ends, aside, None),
                Came::Nearly(ends, aside, beyond) => (ends, aside, Some(beyond)),
                Came::Past(values) => {
                    forget(&mut state, following.map_or(live, |(_, _, live)| live));
                    let value = state.draw(values.into());
                    state.stack.push(value);
                    done.push((state, turn.weight.clone()));
                    return Ok(());
                }
            };
            forget(&mut state, live);
            turn.after.aside.join(part_of(&aside, turn.weight, None));
            let beyond = beyond.map(|end| (end, true));
            let ends = ends.into_iter().map(|end| (end, false)).chain(beyond);
            for ((mut fields, laws, chance), phantom) in ends {
                machine.pay_for_case(turn)?;
                let mut state = state.clone();
                state.phantom |= phantom;
                state.adopt(&mut fields, laws);
                if let Some(at) = counter {
                    fields[at] = sum(&fields[at], &first[at]);
                }
                state.stack.push(Sym::Record(std::sync::Arc::clone(&repeat.shape), fields));
                turn.after.list.push((state, turn.weight * chance));
            }
            Ok(())
        })?;
        Ok((done, self.meet(states, span)?))
    }

    /// The counter that is lifted out of the state: the first that is asked for.
    pub(super) fn lifted(&self, repeat: &Repeat) -> Option<usize> {
        let asked = |at: &usize| !matches!(repeat.first[*at].kind, crate::plan::Kind::Nothing);
        let mut counters = (0..repeat.counters.len()).filter(asked);
        let counter = counters.find(|at| repeat.counters[*at] && self.meter.may(ways::COUNTERS))?;
        self.meter.took(ways::COUNTERS);
        Some(counter)
    }

    /// Everything that a round looks at must be decided; the counter need not.
    fn with_carried_decided(
        &mut self,
        repeat: &'p Repeat,
        counter: Option<usize>,
        states: States,
        span: Span,
    ) -> Outcome {
        let states = self.with_locals_decided(&repeat.round, &repeat.state, states, span)?;
        let size = repeat.state.len();
        self.each(states, span, |machine, mut state, turn| {
            let first = pop(&mut state, size);
            let weight = turn.weight.clone();
            let decided = machine.decided_but(counter.as_slice(), state, first, weight, span)?;
            turn.after.aside.join(decided.aside);
            turn.after.list.extend(decided.list);
            Ok(())
        })
    }

    /// The states with these values on their stacks, decided but for some of them.
    fn decided_but(
        &mut self,
        undecided: &[usize],
        mut state: State,
        values: Vec<Sym>,
        weight: Weight,
        span: Span,
    ) -> Outcome {
        let size = values.len();
        let mut open = values.clone();
        undecided.iter().for_each(|at| open[*at] = Sym::Gone);
        state.stack.extend(values);
        state.stack.extend(open);
        let mut decided = self.decided(States::weighted(state, weight), size, span)?;
        for (state, _) in &mut decided.list {
            pop(state, size);
        }
        Ok(decided)
    }

    /// The ends of a loop from given variables.
    fn ends(
        &mut self,
        repeat: &'p Repeat,
        counter: Option<usize>,
        finish: Option<&Finish<'p>>,
        mut start: State,
        span: Span,
    ) -> Result<Came, Failure> {
        start.tidy();
        if self.by_moments.contains(&repeat.round.id) {
            return Ok(Came::To(self.scaled(repeat, &start, span)?, Box::default()));
        }
        let meter = self.meter;
        let used_up = || self.used_up(repeat, counter, &start, span);
        if let Some((ends, aside)) = meter.by(ways::USED_UP, used_up)? {
            return Ok(Came::To(ends, Box::new(aside)));
        }
        let explored = match self.chained(repeat, counter, finish, &start, span) {
            Ok(came) => return Ok(came),
            // What runs both up and down has no generating function that is known, and is followed within bounds.
            Err(Stop::Failed(failure)) if failure.fault.kind == FaultKind::NotKnown => None,
            Err(Stop::Failed(failure)) => return Err(*failure),
            Err(Stop::Endless) => None,
            Err(Stop::Not) => self.explore(repeat, counter, start.clone(), span)?,
        };
        match explored.map(|explored| self.solve(explored, counter, span)) {
            Some(Ok((ends, aside))) => Ok(Came::To(ends, Box::new(aside))),
            Some(Err(failure)) if failure.fault.kind != FaultKind::NotKnown => Err(failure),
            Some(Err(_)) | None => {
                self.followed.insert(repeat.round.id);
                self.follow(repeat, start, span)
            }
        }
    }

    /// The graph of the loop; none if it seems to be endless.
    fn explore(
        &mut self,
        repeat: &'p Repeat,
        counter: Option<usize>,
        start: State,
        span: Span,
    ) -> Result<Option<Explored>, Failure> {
        let mut nodes = Numbered::default();
        let refuse = too_much(span);
        nodes.number(start);
        let mut graph = Graph::default();
        let (mut leaves, mut at, mut chances) = (Vec::new(), 0, 0);
        let mut rent = self.meter.rent();
        while at < nodes.list.len() {
            if nodes.list.len() > ways::MOST_NODES_OF_STATES {
                return Ok(None);
            }
            // A node is kept twice, with its number and by it.
            let own = nodes.list[at].bytes().saturating_mul(2 * nodes.list.len() as u64);
            let edges = graph.edges.capacity() * (size_of::<Edge>() + 64);
            rent.grow(own.saturating_add(edges as u64 + chances), self.meter).map_err(refuse)?;
            let states = self.round(repeat, States::one(nodes.list[at].clone()))?;
            if !states.aside.lost.is_zero() {
                return Ok(None);
            }
            let Aside { failed, rejected, never, .. } = states.aside;
            leaves.extend(failed.into_iter().map(|failure| (at, Leaf::Failed(failure))));
            leaves.extend(rejected.map(|rejected| (at, Leaf::Rejected(rejected))));
            if !never.is_zero() {
                leaves.push((at, Leaf::Never(never)));
            }
            for (mut state, chance) in states.list {
                if state.phantom {
                    return Ok(None);
                }
                let mut fields = take_record(&mut state);
                if fields.pop() == Some(Sym::truth(true)) {
                    let (fields, laws) = asked_at_end(repeat, fields, state.laws);
                    leaves.push((at, Leaf::End(chance, fields, laws)));
                    continue;
                }
                let next = self.next_nodes(fields, counter.as_slice(), state, chance, span)?;
                let Some(next) = next else { return Ok(None) };
                for (next, mass) in next {
                    let (node, law) = self.node_of(repeat, counter, &nodes.list[0], next, span)?;
                    nodes.make_room(self.meter).map_err(refuse)?;
                    let to = nodes.number(node);
                    chances += mass.denominator().bit_len() as u64 / 4;
                    graph.edges.make_room(1, self.meter).map_err(refuse)?;
                    graph.edges.push(Edge { from: at, to, measure: Measure { mass, law } });
                }
            }
            at += 1;
        }
        graph.nodes = nodes.list.len();
        Ok(Some(Explored { graph, leaves }))
    }

    pub(super) fn round(&mut self, repeat: &'p Repeat, states: States) -> Outcome {
        self.depth += 1;
        let result = self.run(&repeat.round, states, &Live::default());
        self.depth -= 1;
        match result {
            // How often a loop meets an unknown is not told.
            Ok(states) if states.list.iter().any(|(state, _)| state.owed > 0) => {
                Err(Failure::refused(FaultKind::NotKnown, repeat.round.span))
            }
            result => result,
        }
    }

    /// Decides what the next nodes depend on: states with the carried values on their stacks. None if something endless
    /// would have to be cut.
    pub(super) fn next_nodes(
        &mut self,
        fields: Vec<Sym>,
        undecided: &[usize],
        mut state: State,
        chance: Weight,
        span: Span,
    ) -> Result<Option<Vec<(State, Weight)>>, Failure> {
        state.locals.clear();
        state.stack.clear();
        let decided = self.decided_but(undecided, state, fields, chance, span)?;
        Ok(decided.aside.lost.is_zero().then_some(decided.list))
    }

    /// The node with the carried values on this stack, and what was added to the counter.
    pub(super) fn node_of(
        &mut self,
        repeat: &Repeat,
        counter: Option<usize>,
        first: &State,
        next: State,
        span: Span,
    ) -> Result<(State, Law), Failure> {
        let State { stack: mut fields, laws, .. } = next;
        let mut node = first.clone();
        node.adopt(&mut fields, laws);
        let mut tick = Law::constant(Rational::ZERO);
        if let Some(field) = counter.and_then(|at| fields.get_mut(at))
            && let Some(form) = std::mem::replace(field, zero()).as_form()
        {
            let refuse = |refusal| Failure::refused(over_budget(refusal), span);
            tick = node.law_of(&form, self.meter).map_err(refuse)?;
        }
        for (local, field) in repeat.state.iter().zip(fields) {
            set(&mut node.locals, *local, field);
        }
        node.tidy();
        Ok((node, tick))
    }

    fn solve(
        &mut self,
        Explored { mut graph, leaves }: Explored,
        counter: Option<usize>,
        span: Span,
    ) -> Result<(Ends, Aside), Failure> {
        let traps = graph.without_traps(leaves.iter().map(|(node, _)| *node));
        if leaves.is_empty() {
            let kind = FaultKind::NeverStops(NeverStops::Repeat);
            return Err(Failure::new(kind, span, Weight::ONE));
        }
        let visits = graph.visits(self.meter).map_err(|unsolved| match unsolved {
            Unsolved::OverBudget(refusal) => Failure::refused(over_budget(refusal), span),
            Unsolved::NotKnown => Failure::refused(FaultKind::NotKnown, span),
        })?;
        let visit = |node: usize| visits.get(node).and_then(Option::as_ref);
        let mut aside = Aside::default();
        for edge in &traps {
            aside.never += visit(edge.from).map_or(Weight::ZERO, |v| &v.mass * &edge.measure.mass);
        }
        let mut ends = Ends::new();
        for (node, leaf) in leaves {
            let Some(visit) = visit(node) else { continue };
            match leaf {
                Leaf::End(chance, mut fields, laws) => {
                    let mut state = State { laws, ..State::default() };
                    if let Some(at) = counter {
                        let before = state.number(visit.law.clone());
                        fields[at] = sum(&fields[at], &before);
                    }
                    ends.push((fields, state.laws, &visit.mass * chance));
                }
                Leaf::Failed(failure) => aside.fail(weigh(failure, &visit.mass, None)),
                Leaf::Rejected(rejected) => aside.reject(weigh(rejected, &visit.mass, None)),
                Leaf::Never(chance) => aside.never += &visit.mass * chance,
            }
        }
        Ok((ends, aside))
    }

    /// Follows an endless loop round by round.
    fn follow(&mut self, repeat: &'p Repeat, start: State, span: Span) -> Result<Came, Failure> {
        let sliver = ways::sliver();
        let mut going = States::one(start.clone());
        let mut ends = Ends::new();
        let mut rent = self.meter.rent();
        while going.mass() > sliver {
            let each = start.bytes() + 3 * size_of::<Weight>() as u64;
            let held = each.saturating_mul(ends.len() as u64);
            rent.grow(held, self.meter).map_err(|refusal| self.refuse(refusal, span))?;
            let mut after = self.round(repeat, going)?;
            going = States { list: Vec::new(), aside: std::mem::take(&mut after.aside) };
            for (mut state, weight) in after.list {
                if state.phantom {
                    continue;
                }
                self.pay(FORM, span)?;
                let mut fields = take_record(&mut state);
                if fields.pop() == Some(Sym::truth(true)) {
                    ends.push((fields, state.laws, weight));
                    continue;
                }
                let mut next = start.clone();
                next.adopt(&mut fields, state.laws);
                for (local, field) in repeat.state.iter().zip(fields) {
                    set(&mut next.locals, *local, field);
                }
                going.list.push((next, weight));
            }
            going = self.meet(going, span)?;
        }
        // Whatever has neither ended nor failed, and counts, is given up.
        let mut aside = std::mem::take(&mut going.aside);
        let ended = ends.iter().fold(Weight::ZERO, |sum, (_, _, weight)| sum + weight);
        let failed = aside.failed.iter().fold(Weight::ZERO, |sum, failure| sum + &failure.chance);
        aside.lost = Weight::ONE - ended - failed - aside.rejected_chance() - &aside.never;
        if aside.lost == going.mass()
            && let Some((fields, laws)) = self.beyond(repeat, &start, &going)
        {
            let end = (fields, laws, std::mem::take(&mut aside.lost));
            return Ok(Came::Nearly(ends, Box::new(aside), end));
        }
        Ok(Came::To(ends, Box::new(aside)))
    }
}

/// What is asked for of an end.
pub(super) fn asked_at_end(
    repeat: &Repeat,
    mut fields: Vec<Sym>,
    laws: Vec<VarLaw>,
) -> (Vec<Sym>, Vec<VarLaw>) {
    for (field, asked) in fields.iter_mut().zip(&repeat.asked) {
        if !asked {
            *field = Sym::Gone;
        }
    }
    let mut state = State { stack: fields, laws, ..State::default() };
    state.tidy();
    (state.stack, state.laws)
}

pub(super) fn zero() -> Sym {
    Sym::number(Form::constant(Rational::ZERO))
}

fn sum(a: &Sym, b: &Sym) -> Sym {
    match (a.as_form(), b.as_form()) {
        (Some(a), Some(b)) => Sym::number(a.plus(&b)),
        _ => Sym::Gone,
    }
}

pub(super) fn take_record(state: &mut State) -> Vec<Sym> {
    match state.stack.pop() {
        Some(Sym::Record(_, fields)) => fields,
        _ => Vec::new(),
    }
}

/// Blots out the variables that a part does not read.
pub(super) fn keep_only(locals: &mut [Sym], part: &Node) {
    for (index, slot) in locals.iter_mut().enumerate() {
        if !part.free.contains(LocalId(index as u32)) {
            *slot = Sym::Gone;
        }
    }
}
