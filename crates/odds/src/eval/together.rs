//! Dice that are bound and only read: what they answer to all that is asked is one variable.
//!
//! Its values are records with an answer each ([`crate::state::Values`]). What follows is done to all of them at once
//! where nothing else is undecided ([`super::on_values`]); elsewhere a reading decides its own answer, and leaves the
//! others to what they are given that. A single answer is a number like any other.
//!
//! A reading inside a branch is so made although the branch may not be taken. Where it may fail, or it is not known how
//! to ask everything at once, the dice are left as they are, and each reading is made where it stands.

use std::rc::Rc;
use std::sync::Arc;

use astragal_prob::pool::{Joint, Numbers, Part, PoolError, read_together};
use astragal_prob::{Natural, Rational};
use astragal_program::core::LocalId;
use astragal_syntax::span::Span;
use astragal_value::{Number, RecordShape, Value};
use rustc_hash::FxHashMap;

use super::compare::comparison;
use super::fold::set;
use super::{Live, Machine, Outcome};
use crate::asked::Readings;
use crate::code::{Answered, Store, Word, is_pool};
use crate::failure::{Failure, too_much};
use crate::plan::{Kind, Node, NodeId};
use crate::state::{State, States, Sym, Values};
use crate::ways;

/// What is read off dice that are bound, as far as anybody looked.
#[derive(Default)]
pub(super) struct Bound {
    /// By where their variable is known.
    readings: FxHashMap<(NodeId, LocalId), Option<Rc<Readings>>>,
    /// Where a node that reads finds its answer.
    pub(super) answered: FxHashMap<NodeId, Answered>,
}

impl<'p> Machine<'p> {
    /// What is asked of the dice in a variable, if they are only read.
    fn readings(&mut self, local: LocalId, body: &Node) -> Option<Rc<Readings>> {
        if !self.meter.may(ways::JOINT_READINGS) {
            return None;
        }
        let Bound { readings, answered } = &mut self.bound;
        let known = readings.entry((body.id, local)).or_insert_with(|| {
            let found = Readings::of(body, local)?;
            let single = found.sums.len() == 1;
            answered.extend(found.places.iter().map(|(node, at)| {
                (*node, Answered { local, field: (!single).then_some(*at as u32) })
            }));
            Some(Rc::new(found))
        });
        known.clone()
    }

    /// Whether a node binds dice that are only read.
    pub(super) fn binds_for_readings(&mut self, node: &Node) -> bool {
        let Kind::Let { local, value, body } = &node.kind else { return false };
        is_thrown(value) && self.readings(*local, body).is_some()
    }

    /// Asks the dice that are given to a function everything that it will ask of them.
    pub(super) fn parameters_together(&mut self, body: &'p Node, mut states: States) -> Outcome {
        for local in body.free.iter() {
            states = self.together(local, body, body.span, states)?;
        }
        Ok(states)
    }

    /// Asks the dice in a variable everything that will be asked of them, where that is known how.
    pub(super) fn together(
        &mut self,
        local: LocalId,
        body: &'p Node,
        span: Span,
        states: States,
    ) -> Outcome {
        let Some(readings) = self.readings(local, body) else { return Ok(states) };
        let mut after = Vec::with_capacity(states.list.len());
        for (state, weight) in &states.list {
            let asked = || self.with_answers(local, &readings, state, span);
            match self.meter.by(ways::JOINT_READINGS, asked)? {
                Some(asked) => {
                    after.extend(asked.into_iter().map(|(state, chance)| (state, weight * chance)));
                }
                // Either all answers are known afterwards, or none.
                None => return Ok(states),
            }
        }
        Ok(States { list: after, aside: states.aside })
    }

    /// The states with the answers in place of the dice; none if something else needs these.
    fn with_answers(
        &self,
        local: LocalId,
        readings: &Readings,
        state: &State,
        span: Span,
    ) -> Result<Option<Vec<(State, Rational)>>, Failure> {
        let mut state = state.clone();
        let Some(slot) = state.locals.get_mut(local.0 as usize) else { return Ok(None) };
        let Sym::Pool(pool) = std::mem::replace(slot, Sym::Gone) else { return Ok(None) };
        let Some(table) = state.table(pool.var).cloned() else { return Ok(None) };
        let is_simple = pool.marks.is_empty() && table.random.is_none() && !table.is_fixed();
        if !is_simple || state.mentions(&[pool.var]) {
            return Ok(None);
        }
        let value = match read_together(&table.with(&pool.later), &readings.sums, self.meter) {
            Ok(Some(Numbers::One(law))) => state.number(law),
            Ok(Some(Numbers::Joint(joint))) => {
                self.pay(8 * joint.values.len() as u64, span)?;
                state.draw(records_of(joint).into())
            }
            Ok(Some(Numbers::Endless(place, parts))) => {
                let shape = shape_of(1 + parts.first().map_or(0, |part| part.others.len()));
                let with = |part: Part| with_part(&state, local, &shape, place, part);
                return Ok(Some(parts.into_iter().map(with).collect()));
            }
            Err(PoolError::OverBudget(refusal)) => return Err(too_much(span)(refusal)),
            Ok(None) | Err(_) => return Ok(None),
        };
        set(&mut state.locals, local, value);
        Ok(Some(vec![(state, Rational::ONE)]))
    }

    /// A reading of dice whose answers are known; none if they are not.
    #[inline(never)]
    pub(super) fn answered(&self, node: &Node, states: &States) -> Option<Answered> {
        let answered = *self.bound.answered.get(&node.id)?;
        let at = answered.local.0 as usize;
        let is_dice = |(state, _): &(State, _)| matches!(state.locals.get(at), Some(Sym::Pool(_)));
        (!states.list.iter().any(is_dice)).then_some(answered)
    }

    /// The answer to a reading, or how it compares with 0.
    #[inline(never)]
    pub(super) fn answer_of(
        &mut self,
        node: &'p Node,
        Answered { local, field }: Answered,
        states: States,
        live: &Live,
    ) -> Outcome {
        let mut states = self.local(local, states, live)?;
        if let Some(field) = field {
            states = self.field(field as usize, states, node.span)?;
        }
        let Kind::Operation { op, .. } = node.kind else { return Ok(states) };
        if comparison(op).is_none() {
            return Ok(states);
        }
        let zero = Sym::Value(Value::Number(Number::ZERO));
        self.each(states, node.span, |machine, mut state, turn| {
            let number = state.stack.pop().unwrap_or(Sym::Gone);
            machine.apply(op, vec![number, zero.clone()], state, turn)
        })
    }
}

/// Whether an expression throws dice, or draws them from a whole bag.
pub(super) fn is_thrown(node: &Node) -> bool {
    is_pool(node) && !matches!(&node.kind, Kind::Drawn { without, .. } if !without.is_empty())
}

/// A record without names, of so many numbers.
fn shape_of(numbers: usize) -> Arc<RecordShape> {
    Arc::new(RecordShape { fields: vec!["".into(); numbers] })
}

/// The state with these answers, one of which is undecided, and how likely they are.
fn with_part(
    state: &State,
    local: LocalId,
    shape: &Arc<RecordShape>,
    place: usize,
    part: Part,
) -> (State, Rational) {
    let mut state = state.clone();
    let others = part.others.into_iter().map(|n| Sym::Value(Value::whole(n)));
    let mut fields: Vec<Sym> = others.collect();
    let endless = state.number(part.last);
    fields.insert(place, endless);
    set(&mut state.locals, local, Sym::Record(Arc::clone(shape), fields));
    (state, part.chance)
}

/// What several numbers may be: records, or just numbers if it is only one.
fn records_of(joint: Joint) -> Values {
    let mut store = Store::new();
    let shape = store.shape(&shape_of(joint.shares.len()));
    let mut total = Natural::ZERO;
    let mut words = Vec::with_capacity(joint.shares.len());
    let records = joint.values.into_iter().map(|(numbers, weight)| {
        total += &weight;
        words.clear();
        words.extend(numbers.into_iter().zip(&joint.shares).map(|(number, share)| {
            let share = share.as_ref().map(|share| Number::from(Rational::from(number) * share));
            match (share, Word::number(number)) {
                (None, Some(word)) => word,
                (share, _) => store.word(&Value::Number(share.unwrap_or(Number::from(number)))),
            }
        }));
        let record: Word = match words.as_slice() {
            [only] => *only,
            words => store.record(shape, words),
        };
        (record, weight)
    });
    let records: Vec<_> = records.collect();
    Values::new(Arc::new(store), records, total)
}
