//! Running code for many steps at once.
//!
//! The steps of a walk from one carried value are asked for every number of dice, and for two pools for every
//! pair of numbers. On whole numbers and truths that is the same code on a row of numbers: each operation is
//! one loop, and what does not depend on the numbers of dice is worked out once.
//!
//! Both sides of an `if` are worked out and then chosen from; so whatever could go wrong on one side only (a
//! number that is too large, a division by 0) yields nothing, and the steps are run one by one.

use std::rc::Rc;

use astragal_value::Op;

use super::code::Code;
use super::fold::{Choice, Domain};
use super::store::{Store, Word};

/// A number or truth in each lane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Lane {
    /// The same in all of them.
    One(i64),
    Many(Rc<Vec<i64>>),
    /// No value, in all of them: a field that nobody needs.
    Nothing,
}

impl Lane {
    /// Words, each in so many lanes; none if they are not all numbers, or all truths.
    pub(crate) fn of(words: &[Word], times: usize) -> Option<Lane> {
        let [first, rest @ ..] = words else { return None };
        if rest.iter().all(|word| word == first) {
            return single(*first);
        }
        let truths = first.as_bool().is_some();
        let mut numbers = Vec::with_capacity(words.len() * times);
        for word in words {
            let number = match truths {
                true => i64::from(word.as_bool()?),
                false => word.as_number()?,
            };
            numbers.resize(numbers.len() + times, number);
        }
        Some(Lane::many(numbers))
    }

    pub(crate) fn many(numbers: Vec<i64>) -> Lane {
        Lane::Many(Rc::new(numbers))
    }

    pub(crate) fn at(&self, lane: usize) -> i64 {
        match self {
            Lane::One(number) => *number,
            Lane::Many(numbers) => numbers[lane],
            Lane::Nothing => 0,
        }
    }

    /// The least and the greatest.
    pub(crate) fn bounds(&self) -> (i64, i64) {
        match self {
            Lane::One(number) => (*number, *number),
            Lane::Many(numbers) => numbers
                .iter()
                .fold((i64::MAX, i64::MIN), |(low, high), n| (low.min(*n), high.max(*n))),
            Lane::Nothing => (0, 0),
        }
    }
}

/// What the variables are while code is run in lanes.
pub(crate) struct Lanes<'a> {
    store: &'a Store,
    /// The terms that the code uses.
    terms: &'a [(u32, Lane)],
    /// The carried value, and its slot.
    carried: (u32, Word),
    /// What else has a value.
    slots: Vec<(u32, Laned)>,
}

/// Numbers beyond this might not fit after an operation.
const LARGE: i64 = 1 << 31;

impl<'a> Lanes<'a> {
    pub(crate) fn new(
        store: &'a Store,
        terms: &'a [(u32, Lane)],
        carried: (u32, Word),
        slots: Vec<(u32, Lane)>,
    ) -> Self {
        let slots = slots.into_iter().map(|(slot, lane)| (slot, Laned::Row(lane))).collect();
        Lanes { store, terms, carried, slots }
    }

    /// The fields of the record that code yields, or the number; none if it is not that simple.
    pub(crate) fn fields(&mut self, code: &Code) -> Option<Vec<Lane>> {
        self.of(code, &mut ()).map(|laned| match laned {
            Laned::Row(lane) => vec![lane],
            Laned::Record(fields) => fields,
        })
    }

    /// A value that is the same in all lanes.
    fn same(&self, word: Word) -> Option<Laned> {
        let Some(count) = self.store.record_length(word) else {
            return single_or_nothing(word).map(Laned::Row);
        };
        let field = |at| self.store.field(word, at).and_then(single_or_nothing);
        (0..count).map(field).collect::<Option<_>>().map(Laned::Record)
    }

    fn row(&mut self, code: &Code) -> Option<Lane> {
        match self.of(code, &mut ())? {
            Laned::Row(Lane::Nothing) | Laned::Record(_) => None,
            Laned::Row(lane) => Some(lane),
        }
    }
}

/// What code comes to in all lanes.
#[derive(Clone)]
pub(super) enum Laned {
    Row(Lane),
    /// A record, by its fields.
    Record(Vec<Lane>),
}

impl Laned {
    /// One or the other, as it is said in each lane.
    fn chosen(condition: &Lane, then: Laned, otherwise: Laned) -> Option<Laned> {
        match (then, otherwise) {
            (Laned::Row(a), Laned::Row(b)) => chosen(condition, a, b).map(Laned::Row),
            (Laned::Record(a), Laned::Record(b)) => {
                let fields = a.into_iter().zip(b).map(|(a, b)| chosen(condition, a, b));
                fields.collect::<Option<_>>().map(Laned::Record)
            }
            (Laned::Row(_), Laned::Record(_)) | (Laned::Record(_), Laned::Row(_)) => None,
        }
    }
}

impl Domain<Laned, ()> for Lanes<'_> {
    fn word(&mut self, word: Word) -> Option<Laned> {
        self.same(word)
    }

    fn term(&mut self, term: u32) -> Option<Laned> {
        let known = self.terms.iter().find(|(known, _)| *known == term);
        known.map(|(_, lane)| Laned::Row(lane.clone()))
    }

    fn local(&mut self, slot: u32, (): &mut ()) -> Option<Laned> {
        if slot == self.carried.0 {
            return self.same(self.carried.1);
        }
        let known = self.slots.iter().rev().find(|(known, _)| *known == slot);
        known.map(|(_, value)| value.clone())
    }

    fn bind(&mut self, slot: u32, value: Laned) {
        self.slots.push((slot, value));
    }

    fn choice(&mut self, parts: &Choice, (): &mut ()) -> Option<Laned> {
        match self.row(&parts.0)? {
            Lane::One(0) => self.of(&parts.2, &mut ()),
            Lane::One(_) => self.of(&parts.1, &mut ()),
            condition @ (Lane::Many(_) | Lane::Nothing) => {
                let then = self.of(&parts.1, &mut ())?;
                Laned::chosen(&condition, then, self.of(&parts.2, &mut ())?)
            }
        }
    }

    fn binary(&mut self, op: Op, a: Laned, b: Laned, (): &mut ()) -> Option<Laned> {
        let (Laned::Row(a), Laned::Row(b)) = (a, b) else { return None };
        operation(op, a, b).map(Laned::Row)
    }

    fn operation(&mut self, op: Op, operands: &[Code], (): &mut ()) -> Option<Laned> {
        let (first, others) = operands.split_first()?;
        let row = match op {
            Op::Not => operation(Op::Equal, self.row(first)?, Lane::One(0)),
            Op::Negate => operation(Op::Subtract, Lane::One(0), self.row(first)?),
            Op::Min | Op::Max => {
                let first = self.row(first)?;
                others.iter().try_fold(first, |all, next| operation(op, all, self.row(next)?))
            }
            _ => None,
        };
        row.map(Laned::Row)
    }

    fn record(&mut self, _: u32, fields: &[Code], (): &mut ()) -> Option<Laned> {
        let field = |field: &Code| match self.of(field, &mut ())? {
            Laned::Row(lane) => Some(lane),
            Laned::Record(_) => None,
        };
        fields.iter().map(field).collect::<Option<_>>().map(Laned::Record)
    }

    fn field(&mut self, record: &Code, index: u32, (): &mut ()) -> Option<Laned> {
        // The carried record is not taken apart for one of its fields.
        if matches!(record, Code::Local(slot) if *slot == self.carried.0) {
            let word = self.store.field(self.carried.1, index as usize)?;
            return single(word).map(Laned::Row);
        }
        match self.of(record, &mut ())? {
            Laned::Record(fields) => fields.into_iter().nth(index as usize).map(Laned::Row),
            Laned::Row(_) => None,
        }
    }
}

fn single(word: Word) -> Option<Lane> {
    word.as_number().or_else(|| word.as_bool().map(i64::from)).map(Lane::One)
}

fn single_or_nothing(word: Word) -> Option<Lane> {
    if word == Word::NONE { Some(Lane::Nothing) } else { single(word) }
}

fn chosen(condition: &Lane, then: Lane, otherwise: Lane) -> Option<Lane> {
    if then == otherwise {
        return Some(then);
    }
    let Lane::Many(condition) = condition else { return None };
    if then == Lane::Nothing || otherwise == Lane::Nothing {
        return None;
    }
    let lanes = condition.iter().enumerate();
    let choose = |(at, truth): (usize, &i64)| {
        if *truth != 0 { then.at(at) } else { otherwise.at(at) }
    };
    Some(Lane::many(lanes.map(choose).collect()))
}

fn operation(op: Op, a: Lane, b: Lane) -> Option<Lane> {
    match op {
        // Neither sums nor differences of smaller numbers are too large; no others are worked out here.
        Op::Add => each(small(a)?, small(b)?, |a, b| a + b),
        Op::Subtract => each(small(a)?, small(b)?, |a, b| a - b),
        Op::Multiply => each(small(a)?, small(b)?, |a, b| a * b),
        Op::FloorDivide if positive(&b) => each(a, b, |a, b| a.div_euclid(b)),
        Op::Remainder if positive(&b) => each(a, b, |a, b| a.rem_euclid(b)),
        Op::Min => each(a, b, |a, b| a.min(b)),
        Op::Max => each(a, b, |a, b| a.max(b)),
        Op::Equal => each(a, b, |a, b| i64::from(a == b)),
        Op::NotEqual => each(a, b, |a, b| i64::from(a != b)),
        Op::Less => each(a, b, |a, b| i64::from(a < b)),
        Op::AtMost => each(a, b, |a, b| i64::from(a <= b)),
        Op::Greater => each(a, b, |a, b| i64::from(a > b)),
        Op::AtLeast => each(a, b, |a, b| i64::from(a >= b)),
        _ => None,
    }
}

fn small(lane: Lane) -> Option<Lane> {
    let (low, high) = lane.bounds();
    (-LARGE < low && high < LARGE).then_some(lane)
}

fn positive(lane: &Lane) -> bool {
    lane.bounds().0 > 0
}

fn each(a: Lane, b: Lane, act: impl Fn(i64, i64) -> i64) -> Option<Lane> {
    Some(match (a, b) {
        (Lane::One(a), Lane::One(b)) => Lane::One(act(a, b)),
        (Lane::Many(a), Lane::One(b)) => Lane::many(a.iter().map(|a| act(*a, b)).collect()),
        (Lane::One(a), Lane::Many(b)) => Lane::many(b.iter().map(|b| act(a, *b)).collect()),
        (Lane::Many(a), Lane::Many(b)) => {
            Lane::many(a.iter().zip(b.iter()).map(|(a, b)| act(*a, *b)).collect())
        }
        (Lane::Nothing, _) | (_, Lane::Nothing) => return None,
    })
}
