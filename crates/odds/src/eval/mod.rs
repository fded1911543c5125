//! Meaning two: from the states before an expression to the states after it.
//!
//! The evaluator takes all states at one place through an expression at once and leaves the value on
//! top of each state's stack. Where a throw or a question decides something, a state becomes several;
//! where states have become alike, they meet again ([`crate::state`]). What is still needed later is
//! known at each step (`live`), so that everything else is forgotten as early as possible.

mod beyond;
mod branch;
mod call;
mod chained;
mod compare;
mod decide;
mod dice;
mod drawn;
mod fold;
mod given;
mod growth;
mod hoisted;
mod judged;
mod measured;
mod on_values;
mod one_by_one;
mod operation;
mod read;
mod record;
mod repeat;
mod scaled;
mod sorted;
mod suffix;
mod together;
mod unending;
mod walk;

use std::rc::Rc;

use astragal_prob::pool::{Pool, Reading};
use astragal_prob::{Growing, Law, Listing, Meter, OverBudget, Rational};
use astragal_program::core::LocalId;
use astragal_program::fault::{Costly, FaultKind};
use astragal_syntax::span::{SourceId, Span};
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use compare::comparison;
use decide::{Done, Turn};
pub(crate) use dice::die_of;
pub(crate) use drawn::bag_of;
pub(crate) use hoisted::{Lasting, Standing};
pub(crate) use suffix::act_of;
use together::is_thrown;

use crate::failure::{Failure, over_budget, too_much};
use crate::plan::{Kind, Locals, Node, NodeId, Plan};
use crate::state::{Shared, State, States, Sym, merge, undecide};
use crate::ways;

/// The stack that must be free to go one form deeper, and how much is added if it is not.
const RED_ZONE: usize = 256 << 10;
const MORE_STACK: usize = 16 << 20;

/// What it costs to look at a form for a state, in steps of the budget.
const FORM: u64 = 40;

/// A state that has its turn seldom becomes more than so many; there is room for them before it has.
const FEW_CASES: usize = 64;

/// The evaluator: the plan, the budget, and what was computed before.
pub(crate) struct Machine<'p> {
    plan: &'p Plan,
    pub(crate) meter: &'p Meter,
    most_states: usize,
    /// Whether this is tried only in case it is quick.
    pub(crate) attempt: bool,
    depth: usize,
    /// The functions being run together with what their callers remember, inside each other,
    tied: Vec<usize>,
    /// and how many such calls there were of a function inside itself.
    inside_themselves: u32,
    /// The expressions being run inside each other.
    nesting: usize,
    /// The form that was begun last.
    here: Span,
    /// What a function, a loop or a repeated roll yields for given arguments.
    summaries: FxHashMap<(call::Body, State), Rc<call::Summary>>,
    /// What was read off a pool before. Keys and answers are large, and most programs have only one.
    readings: FxHashMap<Box<(Pool, Reading)>, Box<Law>>,
    /// The parts of laws that were split.
    parts: FxHashMap<compare::PartsKey, Rc<compare::Parts>>,
    /// The values of laws that were decided.
    listings: FxHashMap<Shared<Law>, Rc<Listing>>,
    /// The bytes that such parts and values take.
    kept: u64,
    /// What walks over dice yield, and their steps as code.
    walks: FxHashMap<walk::Key, Rc<walk::Walked>>,
    steps: FxHashMap<NodeId, Option<Rc<walk::Translated>>>,
    /// Expressions whose numbers were made known one by one in vain.
    not_one_by_one: FxHashSet<NodeId>,
    /// What is read off dice where they are bound.
    bound: together::Bound,
    /// What was worked out where throws are told apart.
    known: hoisted::Known,
    /// Calls that are being explored.
    under_way: FxHashMap<(call::Body, State), call::Exploration>,
    /// How likely each of them is, inside the one before.
    reached: Vec<Rational>,
    /// What is known so far of calls that are followed into themselves; none where there are no such calls.
    guesses: Option<FxHashMap<(call::Body, State), Rc<call::Summary>>>,
    /// How many unknowns have stood in for results so far.
    unknowns: u32,
    /// Summaries that hold an unknown, to be forgotten with it.
    tentative: Vec<(call::Body, State)>,
    /// The rounds of loops that were followed one by one,
    pub(crate) followed: FxHashSet<NodeId>,
    /// and of those whose ends are to have moments only.
    pub(crate) by_moments: FxHashSet<NodeId>,
}

/// What is still needed after an expression.
#[derive(Clone, Default)]
pub(crate) struct Live(Locals);

impl Live {
    fn and(&self, node: &Node) -> Live {
        Live(self.0.with(&node.free))
    }

    fn and_all<'n>(&self, nodes: impl IntoIterator<Item = &'n Node>) -> Live {
        nodes.into_iter().fold(self.clone(), |live, node| live.and(node))
    }

    fn without(mut self, locals: &[LocalId]) -> Live {
        locals.iter().for_each(|local| self.0.remove(*local));
        self
    }
}

pub(crate) type Outcome = Result<States, Failure>;

impl<'p> Machine<'p> {
    pub(crate) fn new(plan: &'p Plan, meter: &'p Meter, most_states: usize) -> Self {
        Machine {
            plan,
            meter,
            most_states,
            attempt: false,
            depth: 0,
            tied: Vec::new(),
            inside_themselves: 0,
            nesting: 0,
            here: plan.mains.first().map_or(Span::new(SourceId(0), 0, 0), |main| main.body.span),
            summaries: FxHashMap::default(),
            readings: FxHashMap::default(),
            parts: FxHashMap::default(),
            listings: FxHashMap::default(),
            kept: 0,
            walks: FxHashMap::default(),
            steps: FxHashMap::default(),
            not_one_by_one: FxHashSet::default(),
            bound: together::Bound::default(),
            known: hoisted::Known::default(),
            under_way: FxHashMap::default(),
            reached: Vec::new(),
            guesses: None,
            unknowns: 0,
            tentative: Vec::new(),
            followed: FxHashSet::default(),
            by_moments: FxHashSet::default(),
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

    /// What it takes at most to run the program as code for all that its throws may show, where lists of them make
    /// that worth while.
    pub(crate) fn price_as_code(&mut self, demand: usize) -> Option<u64> {
        let function = self.plan.mains.get(demand).filter(|main| main.body.folds())?;
        self.price_of(&function.body, function.locals)
    }

    /// The same states as [`Machine::main`] has, by such code.
    pub(crate) fn main_as_code(&mut self, demand: usize) -> Option<States> {
        let function = self.plan.mains.get(demand)?;
        let atom = self.as_code(&function.body, function.locals)?;
        self.states_of(atom, function.body.span).ok()
    }

    /// Runs an expression; its value may stay undecided as a whole.
    fn run_open(&mut self, node: &'p Node, mut states: States, live: &Live) -> Outcome {
        if states.list.is_empty() {
            return Ok(states);
        }
        let done = self.run_on_values(node, &mut states, live)?;
        if !done.is_empty() {
            let mut rest = self.run_open(node, states, live)?;
            rest.list.extend(done);
            return Ok(rest);
        }
        self.pay(FORM * states.list.len() as u64, node.span)?;
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
        if let Some(answered) = self.answered(node, &states) {
            return self.answer_of(node, answered, states, live);
        }
        match &node.kind {
            Kind::Nothing => Ok(push(states, &Sym::Gone)),
            Kind::Constant(value) => Ok(push(states, &Sym::from_value(value))),
            Kind::Local(local) => self.local(*local, states, live),
            Kind::Let { .. } => self.bind(node, states, live),
            Kind::If { condition, then, otherwise } => {
                self.branch(condition, then, otherwise, states, live)
            }
            Kind::Operation { op, operands } => {
                self.operation(*op, operands, node.span, states, live)
            }
            Kind::List(items) => self.list(items, states, live),
            Kind::Record { shape, fields } => self.record(shape, fields, states, live),
            Kind::Field { record, index } => {
                let states = self.run_open(record, states, live)?;
                self.field(*index, states, node.span)
            }
            Kind::Call { function, arguments } => {
                self.call(*function, arguments, node.span, states, live)
            }
            Kind::Enter { body } => self.enter(body, node.span, states, live),
            Kind::Fold { list, first, carry, item, body } => {
                self.fold(list, first, (*carry, *item), body, states, live)
            }
            Kind::Walk(walk) => self.walk(walk, node.span, states, live),
            Kind::Repeat(repeat) => Ok(self.repeat(repeat, None, node.span, states, live)?.1),
            Kind::Require { condition, message, body } => {
                self.require(condition, message, body, node.span, states, live)
            }
            Kind::Given { condition, body } => self.given(condition, body, states, live),
            Kind::Dice { count, die } => self.dice(count, die, false, node.span, states, live),
            Kind::Symbols { count, faces } => {
                self.symbols(count.as_deref(), faces, None, node.span, states, live)
            }
            Kind::Tally { count, shape, fields, faces } => {
                self.tally(count, (shape, fields), faces, false, node.span, states, live)
            }
            Kind::Drawn { dice, without } => self.drawn(dice, without, node.span, states, live),
            Kind::Gather(members) => {
                let states = self.run_all(members, states, live)?;
                let count = members.len();
                self.each(states, node.span, |own, state, turn| own.gather_one(count, state, turn))
            }
            Kind::Merge(members) => {
                let states = self.run_all(members, states, live)?;
                let count = members.len();
                self.each(states, node.span, |own, state, turn| own.merge_one(count, state, turn))
            }
            Kind::Times { count, each } => self.times(count, each, node.span, states, live),
            Kind::Measure { measure, percent, of } => {
                self.measured(*measure, percent.as_deref(), of, node.span, states, live)
            }
            Kind::Suffixed { pool, suffix } => self.suffixed(pool, suffix, states, live),
            Kind::Read { pool, reading } => self.read(pool, reading, node.span, states, live),
        }
    }

    /// Runs several expressions from left to right.
    fn run_all<N>(&mut self, nodes: N, mut states: States, live: &Live) -> Outcome
    where
        N: IntoIterator<Item = &'p Node, IntoIter: Clone>,
    {
        let mut nodes = nodes.into_iter();
        while let Some(node) = nodes.next() {
            states = match &node.kind {
                Kind::Constant(value) => push(states, &Sym::from_value(value)),
                _ => self.run(node, states, &live.and_all(nodes.clone()))?,
            };
        }
        Ok(states)
    }

    #[inline(never)]
    fn local(&mut self, local: LocalId, mut states: States, live: &Live) -> Outcome {
        let keep = live.0.contains(local);
        for (state, _) in &mut states.list {
            let Some(slot) = state.locals.get_mut(local.0 as usize) else { continue };
            if keep {
                // A list of lists of lists may be large, and is copied.
                slot.pay_for_copy(self.meter).map_err(too_much(self.here))?;
            }
            let value = if keep { slot.clone() } else { std::mem::replace(slot, Sym::Gone) };
            state.stack.push(value);
        }
        Ok(states)
    }

    /// A chain of `Let`s, without recursion along the chain.
    #[inline(never)]
    fn bind(&mut self, node: &'p Node, mut states: States, live: &Live) -> Outcome {
        let mut node = node;
        let mut finished = Vec::new();
        while let Kind::Let { local, value, body } = &node.kind {
            let later = live.and(body).without(&[*local]);
            states = match &value.kind {
                Kind::Repeat(repeat) => {
                    let rest = Some((*local, &**body, live));
                    let (done, rest) = self.repeat(repeat, rest, value.span, states, &later)?;
                    finished.extend(done);
                    rest
                }
                _ => self.run_open(value, states, &later)?,
            };
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
            if states.list.len() > ways::FEW_STATES && self.meter.may(ways::MEETING) {
                let undecided = undecide(states, *local, self.meter);
                states = undecided.map_err(|refusal| self.refuse(refusal, node.span))?;
            }
            if is_thrown(value) {
                states = self.together(*local, body, value.span, states)?;
            }
            node = body;
            if matches!(node.kind, Kind::Let { .. }) {
                finished.extend(self.run_on_values(node, &mut states, live)?);
            }
        }
        states = self.run_open(node, states, live)?;
        states.list.extend(finished);
        Ok(states)
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

    /// Whether something so large may be kept, in case it is asked for again.
    fn keeps(&mut self, bytes: u64) -> bool {
        let all = self.kept.saturating_add(bytes);
        let keeps = all <= ways::MOST_KEPT && self.meter.hold(bytes).is_ok();
        if keeps {
            self.kept = all;
        }
        keeps
    }

    pub(crate) fn pay(&self, steps: u64, span: Span) -> Result<(), Failure> {
        self.meter.charge(steps).map_err(|refusal| self.refuse(refusal, span))
    }

    fn refuse(&self, refusal: OverBudget, span: Span) -> Failure {
        Failure::refused(over_budget(refusal), span)
    }

    /// Gives each state its turn. States that fail are put aside.
    fn each(
        &mut self,
        states: States,
        span: Span,
        mut take: impl FnMut(&mut Self, State, &mut Turn<'_>) -> Done,
    ) -> Outcome {
        // They go as the others come.
        let mut rent = self.meter.rent();
        rent.grow(states.bytes() / 2, self.meter).map_err(too_much(self.here))?;
        let list = Vec::with_capacity(states.list.len());
        let mut after = States { list, aside: states.aside };
        let mut looked_at = states.list.len();
        for (state, weight) in states.list {
            // Where one state becomes many, they are looked at before there are too many of them.
            if after.list.len() > looked_at + looked_at / 4 + 64 {
                looked_at = after.list.len();
                self.meter.room(after.bytes()).map_err(too_much(self.here))?;
            }
            self.pay(state.cost(&weight), span)?;
            after.list.make_room(FEW_CASES, self.meter).map_err(too_much(self.here))?;
            if state.phantom {
                let mut apart = States::default();
                let turn = &mut Turn { weight: &weight, span, after: &mut apart };
                put_aside(take(self, state, turn), &mut apart)?;
                join_phantoms(apart, &weight, &mut after);
                continue;
            }
            let turn = &mut Turn { weight: &weight, span, after: &mut after };
            put_aside(take(self, state, turn), &mut after)?;
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
