//! Rounds with carried state: a loop is a graph of states, explored once and then solved.
//!
//! ```text
//! repeat with mine = 0, theirs = 0 next mine = d6, theirs = d6 until mine != theirs
//! ```
//!
//! Each set of carried values is a node; a round leads from a node to others or to an end, each with a
//! chance. If no path returns, the chances are pushed forward; where paths return, the equations of the
//! knot are solved exactly ([`crate::graph`]). A carried value that a round only adds to is not part of
//! the node: what is added travels along the edges as a law, so a loop that can go on for ever still has
//! few nodes and an exact, endless answer.
//!
//! A loop whose nodes never come to an end is followed round by round instead, until the chance that it
//! is still going on is below one in [`WINDOW`]; the answer then says how much was given up.

use astragal_prob::{Law, Rational};
use astragal_program::core::LocalId;
use astragal_program::fault::{FaultKind, NeverStops};
use astragal_syntax::span::Span;
use astragal_value::Number;
use rustc_hash::FxHashMap;

use super::call::{part_of, weigh};
use super::chained::Chained;
use super::fold::set;
use super::record::pop;
use super::{Live, Machine, Outcome, forget};
use crate::chain::{self, Chain, Group, To};
use crate::failure::{Failure, over_budget};
use crate::graph::{Edge, Graph, Measure, Unsolved};
use crate::plan::{Node, Repeat};
use crate::state::{Aside, Form, State, States, Sym, VarLaw, Weight};
use crate::ways::{self, WINDOW};

/// An end of the loop: from which node, with which chance, and the carried values there.
struct End {
    node: usize,
    chance: Weight,
    fields: Vec<Sym>,
    laws: Vec<VarLaw>,
}

/// A loop as a graph: its nodes, its ends, where it fails, and where it does not count.
struct Explored {
    graph: Graph,
    ends: Vec<End>,
    failed: Vec<(usize, Failure)>,
    rejected: Vec<(usize, Failure)>,
    /// Nodes whose round may itself never end, and the chance of that.
    never: Vec<(usize, Weight)>,
}

impl Explored {
    /// Takes away the paths to nodes from which no path leads to an end. These are the edges taken away.
    fn without_traps(&mut self) -> Vec<Edge> {
        let mut ends = vec![false; self.graph.nodes];
        let leave = self.ends.iter().map(|end| end.node);
        let leave = leave.chain(self.failed.iter().map(|(node, _)| *node));
        let leave = leave.chain(self.rejected.iter().map(|(node, _)| *node));
        leave.chain(self.never.iter().map(|(node, _)| *node)).for_each(|node| ends[node] = true);
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); self.graph.nodes];
        self.graph.edges.iter().for_each(|edge| into[edge.to].push(edge.from));
        let mut waiting: Vec<usize> = (0..self.graph.nodes).filter(|node| ends[*node]).collect();
        while let Some(node) = waiting.pop() {
            for from in std::mem::take(&mut into[node]) {
                if !ends[from] {
                    ends[from] = true;
                    waiting.push(from);
                }
            }
        }
        let edges = std::mem::take(&mut self.graph.edges);
        let (kept, traps) = edges.into_iter().partition(|edge| ends[edge.to] && ends[edge.from]);
        self.graph.edges = kept;
        traps
    }
}

/// What a loop yields: carried values at the end with the laws of their variables and their chances.
pub(super) type Ends = Vec<(Vec<Sym>, Vec<VarLaw>, Weight)>;

impl<'p> Machine<'p> {
    pub(super) fn repeat(
        &mut self,
        repeat: &'p Repeat,
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let around = live.and(&repeat.round).without(&repeat.state);
        let states = self.run_all(&repeat.first, states, &around)?;
        let counter = self.lifted(repeat);
        let states = self.with_carried_decided(repeat, counter, states, span)?;
        let size = repeat.state.len();
        let states = self.each(states, |machine, mut state, weight, after| {
            let first = pop(&mut state, size);
            let mut locals = state.locals.clone();
            keep_only(&mut locals, &repeat.round);
            for (at, (local, value)) in repeat.state.iter().zip(&first).enumerate() {
                let value = if Some(at) == counter { zero() } else { value.clone() };
                set(&mut locals, *local, value);
            }
            let (ends, aside) = machine
                .ends(repeat, counter, locals, &state.laws, span)
                .map_err(|failure| weigh(failure, weight, None))?;
            forget(&mut state, live);
            after.aside.join(part_of(&aside, weight, None));
            for (mut fields, laws, chance) in ends {
                let mut state = state.clone();
                state.adopt(&mut fields, laws);
                if let Some(at) = counter {
                    fields[at] = sum(&fields[at], &first[at]);
                }
                state.stack.push(Sym::Record(std::sync::Arc::clone(&repeat.shape), fields));
                after.list.push((state, weight * chance));
            }
            Ok(())
        })?;
        self.meet(states, span)
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
        self.each(states, |machine, mut state, weight, after| {
            let first = pop(&mut state, size);
            let open: Vec<Sym> = first
                .iter()
                .enumerate()
                .map(|(at, value)| if Some(at) == counter { Sym::Gone } else { value.clone() })
                .collect();
            state.stack.extend(first);
            state.stack.extend(open);
            let decided = machine.decided(States::weighted(state, weight.clone()), size, span)?;
            after.aside.join(decided.aside);
            for (mut state, weight) in decided.list {
                pop(&mut state, size);
                after.list.push((state, weight));
            }
            Ok(())
        })
    }

    /// The ends of a loop from given variables, and the chance given up.
    fn ends(
        &mut self,
        repeat: &'p Repeat,
        counter: Option<usize>,
        locals: Vec<Sym>,
        laws: &[VarLaw],
        span: Span,
    ) -> Result<(Ends, Aside), Failure> {
        let mut start = State { locals, laws: laws.to_vec(), ..State::default() };
        start.tidy();
        let meter = self.meter;
        let used_up = || self.used_up(repeat, counter, &start, span);
        if let Some(ends) = meter.by(ways::USED_UP, used_up)? {
            return Ok(ends);
        }
        match self.chained(repeat, counter, &start, span)? {
            Chained::Solved(ends) => return Ok((ends, Aside::default())),
            Chained::Endless => return self.follow(repeat, start, span),
            Chained::Not => {}
        }
        match self.explore(repeat, counter, start.clone(), span)? {
            Some(explored) => self.solve(explored, counter, span),
            None => self.follow(repeat, start, span),
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
        let mut known: FxHashMap<State, usize> = FxHashMap::default();
        let mut nodes = vec![start.clone()];
        known.insert(start, 0);
        let mut graph = Graph::default();
        let (mut ends, mut at) = (Vec::new(), 0);
        let (mut failed, mut rejected, mut never) = (Vec::new(), Vec::new(), Vec::new());
        let mut rent = self.meter.rent();
        while at < nodes.len() {
            if nodes.len() > ways::MOST_NODES_OF_STATES {
                return Ok(None);
            }
            // A node is kept twice, with its number and by it.
            let own = nodes[at].bytes().saturating_mul(2 * nodes.len() as u64);
            let edges = graph.edges.capacity() * (size_of::<Edge>() + 64);
            let paid = rent.grow(own.saturating_add(edges as u64), self.meter);
            paid.map_err(|refusal| self.refuse(refusal, span))?;
            let states = self.round(repeat, States::one(nodes[at].clone()))?;
            if !states.aside.lost.is_zero() {
                return Ok(None);
            }
            rejected.extend(states.aside.rejected.map(|rejected| (at, rejected)));
            failed.extend(states.aside.failed.into_iter().map(|failure| (at, failure)));
            if !states.aside.never.is_zero() {
                never.push((at, states.aside.never));
            }
            for (mut state, chance) in states.list {
                if state.phantom {
                    return Ok(None);
                }
                let mut fields = take_record(&mut state);
                if fields.pop() == Some(Sym::truth(true)) {
                    let (fields, laws) = asked_at_end(repeat, fields, state.laws);
                    ends.push(End { node: at, chance, fields, laws });
                    continue;
                }
                for (fields, laws, chance) in
                    self.next_nodes(fields, counter, state, chance, span)?
                {
                    let Some(fields) = fields else { return Ok(None) };
                    let (node, tick) =
                        self.node_of(repeat, counter, &nodes[0], fields, laws, span)?;
                    let to = *known.entry(node.clone()).or_insert_with(|| {
                        nodes.push(node);
                        nodes.len() - 1
                    });
                    graph.edges.push(Edge {
                        from: at,
                        to,
                        measure: Measure { mass: chance, law: tick },
                    });
                }
            }
            at += 1;
        }
        graph.nodes = nodes.len();
        Ok(Some(Explored { graph, ends, failed, rejected, never }))
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

    /// Decides what the next node depends on. No fields: something endless would have to be cut.
    #[expect(clippy::type_complexity, reason = "the parts of a state, taken apart once")]
    pub(super) fn next_nodes(
        &mut self,
        fields: Vec<Sym>,
        counter: Option<usize>,
        mut state: State,
        chance: Weight,
        span: Span,
    ) -> Result<Vec<(Option<Vec<Sym>>, Vec<VarLaw>, Weight)>, Failure> {
        let size = fields.len();
        let open: Vec<Sym> = fields
            .iter()
            .enumerate()
            .map(|(at, field)| if Some(at) == counter { Sym::Gone } else { field.clone() })
            .collect();
        state.locals.clear();
        state.stack = fields;
        state.stack.extend(open);
        let decided = self.decided(States::weighted(state, chance), size, span)?;
        if !decided.aside.lost.is_zero() {
            return Ok(vec![(None, Vec::new(), decided.aside.lost)]);
        }
        let next = decided.list.into_iter().map(|(mut state, chance)| {
            pop(&mut state, size);
            (Some(pop(&mut state, size)), state.laws, chance)
        });
        Ok(next.collect())
    }

    /// The node with these carried values, and what was added to the counter.
    pub(super) fn node_of(
        &mut self,
        repeat: &Repeat,
        counter: Option<usize>,
        first: &State,
        mut fields: Vec<Sym>,
        laws: Vec<VarLaw>,
        span: Span,
    ) -> Result<(State, Law), Failure> {
        let mut node = first.clone();
        node.adopt(&mut fields, laws);
        let mut tick = Law::constant(Rational::ZERO);
        for (at, (local, field)) in repeat.state.iter().zip(fields).enumerate() {
            let field = if Some(at) == counter {
                if let Some(form) = field.as_form() {
                    let refuse = |refusal| Failure::refused(over_budget(refusal), span);
                    tick = node.law_of(&form, self.meter).map_err(refuse)?;
                }
                zero()
            } else {
                field
            };
            set(&mut node.locals, *local, field);
        }
        node.tidy();
        Ok((node, tick))
    }

    fn solve(
        &mut self,
        mut explored: Explored,
        counter: Option<usize>,
        span: Span,
    ) -> Result<(Ends, Aside), Failure> {
        let traps = explored.without_traps();
        let Explored { graph, ends, failed, rejected, never } = explored;
        let leaves = !(ends.is_empty() && failed.is_empty() && rejected.is_empty());
        if !leaves && never.is_empty() {
            let kind = FaultKind::NeverStops(NeverStops::Repeat);
            return Err(Failure::new(kind, span, Weight::ONE));
        }
        let plain =
            traps.is_empty() && failed.is_empty() && rejected.is_empty() && never.is_empty();
        let meter = self.meter;
        let chain = || self.solve_chain(&graph, &ends, counter, span);
        if plain && let Some(ends) = meter.by(ways::CHAIN, chain)? {
            return Ok((ends, Aside::default()));
        }
        let visits = graph.visits(self.meter).map_err(|unsolved| match unsolved {
            Unsolved::OverBudget(refusal) => Failure::refused(over_budget(refusal), span),
            Unsolved::NotKnown => Failure::refused(FaultKind::NotKnown, span),
        })?;
        let chance_of = |node: usize, chance: &Weight| match visits.get(node) {
            Some(Some(visit)) => &visit.mass * chance,
            _ => Weight::ZERO,
        };
        let mut aside = Aside::default();
        for edge in &traps {
            aside.never += chance_of(edge.from, &edge.measure.mass);
        }
        for (node, chance) in &never {
            aside.never += chance_of(*node, chance);
        }
        let ends = ends.into_iter().filter_map(|end| {
            let visit = visits.get(end.node)?.as_ref()?;
            let mut state = State { laws: end.laws, ..State::default() };
            let mut fields = end.fields;
            if let Some(at) = counter {
                let before = state.number(visit.law.clone());
                fields[at] = sum(&fields[at], &before);
            }
            Some((fields, state.laws, &visit.mass * end.chance))
        });
        for (node, failure) in failed {
            if let Some(Some(visit)) = visits.get(node) {
                aside.fail(weigh(failure, &visit.mass, None));
            }
        }
        for (node, rejected) in rejected {
            if let Some(Some(visit)) = visits.get(node) {
                aside.reject(weigh(rejected, &visit.mass, None));
            }
        }
        Ok((ends.collect(), aside))
    }

    /// The ends of a loop whose rounds count whole numbers, if anything.
    fn solve_chain(
        &mut self,
        graph: &Graph,
        ends: &[End],
        counter: Option<usize>,
        span: Span,
    ) -> Result<Option<Ends>, Failure> {
        let refuse = |refusal| Failure::refused(over_budget(refusal), span);
        let mut steps: Vec<Vec<(To, i64, &Weight)>> = vec![Vec::new(); graph.nodes];
        for edge in &graph.edges {
            let tick =
                edge.measure.law.as_constant().and_then(|tick| Number::from(tick.clone()).to_i64());
            let Some(tick) = tick.filter(|tick| tick.abs() < 1 << 14) else { return Ok(None) };
            steps[edge.from].push((To::Node(edge.to), tick, &edge.measure.mass));
        }
        for (place, end) in ends.iter().enumerate() {
            steps[end.node].push((To::End(place), 0, &end.chance));
        }
        let nodes = steps.into_iter().map(|steps| chain::Node::of_chances(&steps));
        let Some(nodes) = nodes.collect::<Option<Vec<_>>>() else { return Ok(None) };
        let chain = Chain { nodes, ends: ends.len() };
        let Some(solved) = chain.solve(self.meter).map_err(refuse)? else { return Ok(None) };
        let groups: Vec<Group> = (0..ends.len()).map(|place| vec![(place, 0)]).collect();
        let Some(laws) = solved.laws(&groups, self.meter).map_err(refuse)? else { return Ok(None) };
        let mut list = Ends::new();
        for (end, law) in ends.iter().zip(laws) {
            let Some((law, chance)) = law else { continue };
            let mut state = State { laws: end.laws.clone(), ..State::default() };
            let mut fields = end.fields.clone();
            if let Some(at) = counter {
                let before = state.number(law);
                fields[at] = sum(&fields[at], &before);
            }
            list.push((fields, state.laws, chance));
        }
        Ok(Some(list))
    }

    /// Follows an endless loop round by round.
    fn follow(
        &mut self,
        repeat: &'p Repeat,
        start: State,
        span: Span,
    ) -> Result<(Ends, Aside), Failure> {
        let sliver = Rational::ONE / Rational::from(WINDOW);
        let mut going = States::one(start.clone());
        let mut ends = Ends::new();
        let mut rent = self.meter.rent();
        while going.mass() > sliver {
            let each = start.bytes() + 3 * size_of::<Weight>() as u64;
            let paid = rent.grow(each.saturating_mul(ends.len() as u64), self.meter);
            paid.map_err(|refusal| self.refuse(refusal, span))?;
            let mut after = self.round(repeat, going)?;
            going = States { list: Vec::new(), aside: std::mem::take(&mut after.aside) };
            for (mut state, weight) in after.list {
                if state.phantom {
                    continue;
                }
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
        Ok((ends, aside))
    }
}

/// What is asked for of an end.
fn asked_at_end(
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
