//! Meaning two: from the states before an expression to the states after it.
//!
//! The evaluator takes all states at one place through an expression at once and leaves the value on
//! top of each state's stack. Where a throw or a question decides something, a state becomes several;
//! where states have become alike, they meet again ([`crate::state`]). What is still needed later is
//! known at each step (`live`), so that everything else is forgotten as early as possible.

mod branch;
mod call;
mod chained;
mod compare;
mod cut;
mod decide;
mod dice;
mod drawn;
mod fold;
mod given;
mod growth;
mod hoisted;
mod operation;
mod plainly;
mod read;
mod record;
mod repeat;
mod sorted;
mod suffix;
mod together;
mod unending;
mod walk;

use std::rc::Rc;

use astragal_prob::pool::{Pool, Reading};
use astragal_prob::{Law, Listing, Meter, Natural, OverBudget, Rational};
use astragal_program::core::LocalId;
use astragal_program::fault::{Costly, FaultKind};
use astragal_syntax::span::{SourceId, Span};
use astragal_value::Value;
use rustc_hash::FxHashMap;

pub(crate) use compare::comparison;
pub(crate) use drawn::bag_of;
pub(crate) use hoisted::Lasting;
pub(crate) use suffix::{act_of, comparison_of, to_end, to_style};

use crate::failure::{Failure, over_budget};
use crate::plan::{Kind, Locals, Node, NodeId, Plan, Repeat, Together};
use crate::state::{Shared, State, States, Sym, merge};
use crate::ways;

/// The stack that must be free to go one form deeper, and how much is added if it is not.
const RED_ZONE: usize = 256 << 10;
const MORE_STACK: usize = 16 << 20;

/// The evaluator: the plan, the budget, and what was computed before.
pub(crate) struct Machine<'p> {
    plan: &'p Plan,
    pub(crate) meter: &'p Meter,
    most_states: usize,
    /// Whether this is tried only in case it is quick.
    pub(crate) attempt: bool,
    depth: usize,
    /// The expressions being run inside each other.
    nesting: usize,
    /// The form that was begun last.
    here: Span,
    /// What a function, a loop or a repeated roll yields for given arguments.
    summaries: FxHashMap<(call::Body, State), Rc<call::Summary>>,
    /// What was read off a pool before. Keys and answers are large, and most programs have only one.
    readings: FxHashMap<Box<(Pool, Reading)>, Box<Read>>,
    /// The parts of laws that were split.
    parts: FxHashMap<compare::PartsKey, Rc<compare::Parts>>,
    /// The values of laws that were decided.
    listings: FxHashMap<Shared<Law>, Rc<Listing>>,
    /// What walks over dice yield, and their steps as code.
    walks: FxHashMap<walk::Key, Rc<walk::Walked>>,
    steps: FxHashMap<NodeId, Option<Rc<walk::Translated>>>,
    /// What was worked out where throws are told apart.
    known: hoisted::Known,
    /// The loop that was last followed in vain together with what follows it.
    in_vain: Option<chained::InVain>,
    /// Calls that are being explored.
    under_way: FxHashMap<(call::Body, State), call::Exploration>,
    /// How many unknowns have stood in for results so far.
    unknowns: u32,
    /// Summaries that hold an unknown, to be forgotten with it.
    tentative: Vec<(call::Body, State)>,
}

/// The law of a reading, and the chance that was given up.
type Read = (Law, Rational);

/// What is still needed after an expression.
#[derive(Clone, Default)]
pub(crate) struct Live(Locals);

impl Live {
    fn and(&self, node: &Node) -> Live {
        Live(self.0.with(&node.free))
    }

    fn without(mut self, locals: &[LocalId]) -> Live {
        locals.iter().for_each(|local| self.0.remove(*local));
        self
    }
}

pub(crate) type Outcome = Result<States, Failure>;

/// What a program comes to.
pub(crate) enum Ends {
    /// Values with their weights over a total.
    Values(Vec<(Value, Natural)>, Natural),
    /// States with the result on their stacks.
    States(Box<States>),
}

impl Ends {
    /// Whether it always comes to a result.
    pub(crate) fn is_plain(&self) -> bool {
        match self {
            Ends::Values(..) => true,
            Ends::States(states) => {
                states.aside.is_nothing() && !states.list.iter().any(|(state, _)| state.phantom)
            }
        }
    }
}

impl<'p> Machine<'p> {
    pub(crate) fn new(plan: &'p Plan, meter: &'p Meter, most_states: usize) -> Self {
        Machine {
            plan,
            meter,
            most_states,
            attempt: false,
            depth: 0,
            nesting: 0,
            here: plan.mains.first().map_or(Span::new(SourceId(0), 0, 0), |main| main.body.span),
            summaries: FxHashMap::default(),
            readings: FxHashMap::default(),
            parts: FxHashMap::default(),
            listings: FxHashMap::default(),
            walks: FxHashMap::default(),
            steps: FxHashMap::default(),
            known: hoisted::Known::default(),
            in_vain: None,
            under_way: FxHashMap::default(),
            unknowns: 0,
            tentative: Vec::new(),
        }
    }

    /// The states at the end of the program, for one of the demands on it, each with the result on its stack.
    pub(crate) fn main(&mut self, demand: usize) -> Outcome {
        let Some(function) = self.plan.mains.get(demand) else { return Ok(States::default()) };
        let start = State { locals: vec![Sym::Gone; function.locals], ..State::default() };
        if let Some(states) = self.followed(&function.body, &start)? {
            return Ok(states);
        }
        self.run_open(&function.body, States::one(start), &Live::default())
    }

    /// Runs the program for the first of the demands: path by path, if it is simple enough for that.
    pub(crate) fn main_together(&mut self) -> Result<Ends, Failure> {
        let Some(function) = self.plan.mains.first() else {
            return Ok(Ends::States(Box::default()));
        };
        let unknown = vec![None; function.locals];
        if let Some(atom) = self.hoisted(&function.body, &unknown, hoisted::Limits::FEW) {
            return Ok(Ends::Values(atom.outcomes, atom.total));
        }
        let start = State { locals: vec![Sym::Gone; function.locals], ..State::default() };
        self.run_open(&function.body, States::one(start), &Live::default())
            .map(|states| Ends::States(Box::new(states)))
    }

    /// Runs an expression; its value may stay undecided as a whole.
    fn run_open(&mut self, node: &'p Node, mut states: States, live: &Live) -> Outcome {
        if states.list.is_empty() {
            return Ok(states);
        }
        if states.list.iter().any(|(state, _)| plainly::may_be_plain(state)) {
            let (done, rest) = self.run_on_values(node, states, live)?;
            if !done.list.is_empty() {
                let mut rest = self.run_open(node, rest, live)?;
                rest.list.extend(done.list);
                return Ok(rest);
            }
            states = rest;
        }
        self.pay(states.cost(), node.span)?;
        self.here = node.span;
        self.nesting += 1;
        if self.nesting > ways::DEEPEST_FORMS {
            return Err(Failure::refused(FaultKind::TooDeep("the program".into()), node.span));
        }
        let after = stacker::maybe_grow(RED_ZONE, MORE_STACK, || self.form(node, states, live));
        self.nesting -= 1;
        after
    }

    fn form(&mut self, node: &'p Node, states: States, live: &Live) -> Outcome {
        if let Some(Together::Known(local)) = node.together.as_deref()
            && states.list.iter().all(|(state, _)| state.knows(*local))
        {
            return Ok(self.local(*local, states, live));
        }
        match &node.kind {
            Kind::Nothing => Ok(push(states, &Sym::Gone)),
            Kind::Constant(value) => Ok(push(states, &Sym::from_value(value))),
            Kind::Local(local) => Ok(self.local(*local, states, live)),
            Kind::Let { .. } => self.bind(node, states, live),
            Kind::If { condition, then, otherwise } => {
                self.branch(condition, then, otherwise, states, live)
            }
            Kind::Operation { op, operands } => self.operation(node, (*op, operands), states, live),
            Kind::List(items) => self.list(items, states, live),
            Kind::Record { shape, fields } => self.record(shape, fields, states, live),
            Kind::Field { record, index } => self.field(record, *index, node.span, states, live),
            Kind::Call { function, arguments } => {
                self.call(*function, arguments, node.span, states, live)
            }
            Kind::Enter { body } => self.enter(body, node.span, states, live),
            Kind::Fold { list, first, carry, item, body } => {
                self.fold(list, first, (*carry, *item), body, states, live)
            }
            Kind::Walk(walk) => self.walk(walk, node.span, states, live),
            Kind::Repeat(repeat) => self.repeat(repeat, node.span, states, live),
            Kind::Require { condition, message, body } => {
                self.require(condition, message, body, node.span, states, live)
            }
            Kind::Given { condition, body } => self.given(condition, body, states, live),
            Kind::Dice { count, die } => self.dice(count, die, node.span, states, live),
            Kind::Symbols { count, faces } => {
                self.symbols(count.as_deref(), faces, node.span, states, live)
            }
            Kind::Tally { count, shape, fields, faces } => {
                self.tally(count, (shape, fields), faces, node.span, states, live)
            }
            Kind::Drawn { dice, without } => self.drawn(dice, without, node.span, states, live),
            Kind::Gather(members) => self.gather(members, node.span, states, live),
            Kind::Merge(members) => self.merge_pools(members, node.span, states, live),
            Kind::Times { count, each } => self.times(count, each, node.span, states, live),
            Kind::Suffixed { pool, suffix } => self.suffixed(pool, suffix, states, live),
            Kind::Read { pool, reading } => self.read(pool, reading, node.span, states, live),
        }
    }

    /// Runs several expressions from left to right.
    fn run_all(&mut self, nodes: &'p [Node], mut states: States, live: &Live) -> Outcome {
        for (at, node) in nodes.iter().enumerate() {
            let later = nodes[at + 1..].iter().fold(live.clone(), |live, node| live.and(node));
            states = self.run(node, states, &later)?;
        }
        Ok(states)
    }

    fn local(&mut self, local: LocalId, mut states: States, live: &Live) -> States {
        let keep = live.0.contains(local);
        for (state, _) in &mut states.list {
            let Some(slot) = state.locals.get_mut(local.0 as usize) else { continue };
            let value = if keep { slot.clone() } else { std::mem::replace(slot, Sym::Gone) };
            state.stack.push(value);
        }
        states
    }

    /// A chain of `Let`s, without recursion along the chain.
    fn bind(&mut self, node: &'p Node, mut states: States, live: &Live) -> Outcome {
        let mut node = node;
        let mut finished = Vec::new();
        while let Kind::Let { local, value, body } = &node.kind {
            if let Kind::Repeat(repeat) = &value.kind {
                let finish = chained::Finish { last: *local, body };
                finished.extend(self.loops_and_rest(
                    repeat,
                    finish,
                    value.span,
                    &mut states,
                    live,
                )?);
            }
            let later = live.and(body).without(&[*local]);
            states = self.run_open(value, states, &later)?;
            let needed = live.and(body);
            for (state, _) in &mut states.list {
                let value = state.stack.pop().unwrap_or(Sym::Gone);
                let value = state.sealed(value);
                if let Some(slot) = state.locals.get_mut(local.0 as usize) {
                    *slot = value;
                }
                forget(state, &needed);
            }
            states = self.meet(states, node.span)?;
            match node.together.as_deref() {
                Some(Together::Bound(list)) => {
                    let bound = together::Bound { local: *local, list, body };
                    let (done, rest) = self.together(bound, value.span, states, live)?;
                    finished.extend(done);
                    states = rest;
                }
                Some(Together::Counted(list)) => {
                    states = self.counted(*local, list, value.span, states)?;
                }
                Some(Together::Known(_)) | None => {}
            }
            node = body;
            if matches!(node.kind, Kind::Let { .. })
                && states.list.iter().any(|(state, _)| plainly::may_be_plain(state))
            {
                let (done, rest) = self.run_on_values(node, states, live)?;
                finished.extend(done.list);
                states = rest;
            }
        }
        states = self.run_open(node, states, live)?;
        states.list.extend(finished);
        Ok(states)
    }

    /// Takes the states for which a loop and what follows it could be done at once, and does it.
    fn loops_and_rest(
        &mut self,
        repeat: &'p Repeat,
        finish: chained::Finish<'p>,
        span: Span,
        states: &mut States,
        live: &Live,
    ) -> Result<Vec<(State, Rational)>, Failure> {
        let mut done = Vec::new();
        let mut rest = Vec::new();
        for (mut state, weight) in std::mem::take(&mut states.list) {
            match self.loop_and_rest(repeat, finish, &state.locals, span)? {
                Some(drawn) => {
                    forget(&mut state, live);
                    let value = state.draw(drawn);
                    state.stack.push(value);
                    done.push((state, weight));
                }
                None => rest.push((state, weight)),
            }
        }
        states.list = rest;
        Ok(done)
    }

    /// Joins states that have become alike, and refuses too many.
    fn meet(&mut self, states: States, span: Span) -> Outcome {
        let refuse = |refusal| self.refuse(refusal, span);
        self.meter.room(states.bytes()).map_err(refuse)?;
        let states = merge(states, self.meter).map_err(refuse)?;
        if states.list.len() > self.most_states {
            return Err(Failure::refused(FaultKind::OverBudget(Costly::States), span));
        }
        Ok(states)
    }

    fn pay(&self, steps: u64, span: Span) -> Result<(), Failure> {
        self.meter.charge(steps).map_err(|refusal| self.refuse(refusal, span))
    }

    fn refuse(&self, refusal: OverBudget, span: Span) -> Failure {
        Failure::refused(over_budget(refusal), span)
    }

    /// Takes each state through a step. States on which the step fails are put aside.
    fn each(
        &mut self,
        states: States,
        mut step: impl FnMut(&mut Self, State, &Rational, &mut States) -> Result<(), Failure>,
    ) -> Outcome {
        let list = Vec::with_capacity(states.list.len());
        let mut after = States { list, aside: states.aside };
        let mut looked_at = states.list.len();
        for (state, weight) in states.list {
            // Where one state becomes many, they are looked at before there are too many of them.
            if after.list.len() > looked_at + looked_at / 4 + 64 {
                looked_at = after.list.len();
                let spared = self.meter.room(after.bytes());
                spared.map_err(|refusal| self.refuse(refusal, self.here))?;
            }
            if state.phantom {
                let mut apart = States::default();
                let result = step(self, state, &weight, &mut apart);
                put_aside(result, &mut apart)?;
                join_phantoms(apart, &weight, &mut after);
                continue;
            }
            let result = step(self, state, &weight, &mut after);
            put_aside(result, &mut after)?;
        }
        Ok(after)
    }
}

/// Goes on with what became of a phantom. Its variables hang together in a way that their laws do not tell: if
/// anything was decided, nobody knows how likely each case is, nor whether what fails can happen at all.
fn join_phantoms(mut apart: States, weight: &Rational, after: &mut States) {
    let whole = matches!(apart.list.as_slice(), [(_, own)] if own == weight);
    if !whole {
        apart.list.iter_mut().for_each(|(state, _)| state.loose = true);
    }
    let aside = std::mem::take(&mut apart.aside);
    let unsure = aside.failed.iter().chain(&aside.rejected).map(|failure| &failure.chance);
    let unsure = unsure.chain([&aside.never, &aside.lost]);
    after.aside.lost += unsure.fold(Rational::ZERO, |sum, chance| sum + chance);
    after.aside.again += aside.again;
    after.list.extend(apart.list);
}

/// Puts a failure aside, unless the request itself is refused.
fn put_aside(result: Result<(), Failure>, after: &mut States) -> Result<(), Failure> {
    match result {
        Err(failure) if !failure.is_final() => {
            after.aside.fail(failure);
            Ok(())
        }
        other => other,
    }
}

fn push(mut states: States, value: &Sym) -> States {
    states.list.iter_mut().for_each(|(state, _)| state.stack.push(value.clone()));
    states
}

/// Forgets the variables that are no longer needed.
fn forget(state: &mut State, live: &Live) {
    for (index, slot) in state.locals.iter_mut().enumerate() {
        if !live.0.contains(LocalId(index as u32)) {
            *slot = Sym::Gone;
        }
    }
}
