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
    slots: Vec<(u32, Lane)>,
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
        Lanes { store, terms, carried, slots }
    }

    /// The fields of the record that code yields, or the number; none if it is not that simple.
    pub(crate) fn fields(&mut self, code: &Code) -> Option<Vec<Lane>> {
        match code {
            Code::Let(slot, parts) => {
                let value = self.run(&parts.0)?;
                self.slots.push((*slot, value));
                self.fields(&parts.1)
            }
            Code::If(parts) => {
                let condition = self.run(&parts.0)?;
                match condition {
                    Lane::One(0) => self.fields(&parts.2),
                    Lane::One(_) => self.fields(&parts.1),
                    Lane::Many(_) => {
                        let (then, otherwise) = (self.fields(&parts.1)?, self.fields(&parts.2)?);
                        let pairs = then.into_iter().zip(otherwise);
                        pairs.map(|(a, b)| chosen(&condition, a, b)).collect()
                    }
                    Lane::Nothing => None,
                }
            }
            Code::Record(_, fields) => fields.iter().map(|field| self.field(field)).collect(),
            Code::Local(slot) if *slot == self.carried.0 => {
                let count = self.store.record_length(self.carried.1);
                match count {
                    Some(count) => (0..count)
                        .map(|at| self.store.field(self.carried.1, at).and_then(single_or_nothing))
                        .collect(),
                    None => Some(vec![single(self.carried.1)?]),
                }
            }
            code => Some(vec![self.run(code)?]),
        }
    }

    fn field(&mut self, code: &Code) -> Option<Lane> {
        match code {
            Code::Word(word) => single_or_nothing(*word),
            code => self.run(code),
        }
    }

    fn run(&mut self, code: &Code) -> Option<Lane> {
        match code {
            Code::Word(word) => single(*word),
            Code::Term(term) => {
                let known = self.terms.iter().find(|(known, _)| known == term);
                known.map(|(_, lane)| lane.clone())
            }
            Code::Local(slot) if *slot == self.carried.0 => single(self.carried.1),
            Code::Local(slot) => self
                .slots
                .iter()
                .rev()
                .find(|(known, _)| known == slot)
                .map(|(_, lane)| lane.clone()),
            Code::Let(slot, parts) => {
                let value = self.run(&parts.0)?;
                self.slots.push((*slot, value));
                self.run(&parts.1)
            }
            Code::If(parts) => match self.run(&parts.0)? {
                Lane::One(0) => self.run(&parts.2),
                Lane::One(_) => self.run(&parts.1),
                condition @ Lane::Many(_) => {
                    let (then, otherwise) = (self.run(&parts.1)?, self.run(&parts.2)?);
                    chosen(&condition, then, otherwise)
                }
                Lane::Nothing => None,
            },
            Code::Binary(op, parts) => {
                let (a, b) = (self.run(&parts.0)?, self.run(&parts.1)?);
                operation(*op, a, b)
            }
            Code::Operation(Op::Not, operands) => {
                let operand = self.run(operands.first()?)?;
                operation(Op::Equal, operand, Lane::One(0))
            }
            Code::Operation(Op::Negate, operands) => {
                let operand = self.run(operands.first()?)?;
                operation(Op::Subtract, Lane::One(0), operand)
            }
            Code::Operation(op @ (Op::Min | Op::Max), operands) => {
                let mut operands = operands.iter();
                let first = self.run(operands.next()?)?;
                operands.try_fold(first, |all, next| operation(*op, all, self.run(next)?))
            }
            Code::Field(record, at) => match &**record {
                Code::Local(slot) if *slot == self.carried.0 => {
                    self.store.field(self.carried.1, *at as usize).and_then(single)
                }
                _ => None,
            },
            Code::Operation(..)
            | Code::List(_)
            | Code::Record(..)
            | Code::Fold(_)
            | Code::Throw(_)
            | Code::Answer(_)
            | Code::Dice(_)
            | Code::Elsewhere => None,
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
