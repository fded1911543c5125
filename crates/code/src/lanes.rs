//! Numbers in many lanes.
//!
//! The steps of a walk over two pools from one carried value are asked for every pair of numbers of dice. On whole
//! numbers and truths that is the same code on rows of numbers ([`Reach::Row`]): each operation is one loop, and what
//! does not depend on the numbers of dice is worked out once.
//!
//! Both sides of an `if` are worked out and then chosen from; so whatever could go wrong on one side only (a
//! number that is too large, a division by 0) yields nothing, and the steps are run one by one.

use std::rc::Rc;

use astragal_value::Op;

use crate::reach::Reach;
use astragal_value::Store;

/// A number or truth in each lane.
#[derive(Clone, Copy)]
enum Lanes<'a> {
    /// The same in all of them.
    One(i64),
    Many(&'a [i64]),
}

/// Numbers beyond this might not fit after an operation.
const LARGE: i64 = 1 << 31;

impl<'a> Lanes<'a> {
    fn of(reach: &'a Reach) -> Option<Lanes<'a>> {
        match reach {
            Reach::Word(word) => {
                word.as_number().or_else(|| word.as_bool().map(i64::from)).map(Lanes::One)
            }
            Reach::Row(row) => Some(Lanes::Many(row)),
            Reach::Range(..) | Reach::Moved(..) | Reach::Either | Reach::Record(_) => None,
        }
    }

    fn at(self, lane: usize) -> i64 {
        match self {
            Lanes::One(number) => number,
            Lanes::Many(numbers) => numbers[lane],
        }
    }

    fn all(self, holds: impl Fn(i64) -> bool) -> bool {
        match self {
            Lanes::One(number) => holds(number),
            Lanes::Many(numbers) => numbers.iter().all(|number| holds(*number)),
        }
    }

    fn are_small(self) -> bool {
        self.all(|number| -LARGE < number && number < LARGE)
    }
}

impl Reach {
    /// A number in each lane.
    pub fn row(numbers: Vec<i64>) -> Reach {
        Reach::Row(Rc::new(numbers))
    }

    /// What differs from lane to lane.
    pub fn as_row(&self) -> Option<&[i64]> {
        if let Reach::Row(row) = self { Some(row) } else { None }
    }

    /// The number or truth in a lane.
    pub fn in_lane(&self, lane: usize) -> Option<i64> {
        Lanes::of(self).map(|lanes| lanes.at(lane))
    }

    /// What is known of the fields of a record.
    pub fn fields(&self, store: &Store) -> Option<Vec<Reach>> {
        match self {
            Reach::Record(fields) => Some(fields.clone()),
            Reach::Word(word) => {
                store.fields(*word).map(|fields| fields.iter().copied().map(Reach::Word).collect())
            }
            Reach::Row(_) | Reach::Range(..) | Reach::Moved(..) | Reach::Either => None,
        }
    }
}

/// One or the other, as it is said in each lane.
pub fn chosen(truths: &[i64], then: Reach, other: Reach, store: &Store) -> Option<Reach> {
    if then == other {
        return Some(then);
    }
    if let (Some(a), Some(b)) = (then.fields(store), other.fields(store)) {
        let fields = a.into_iter().zip(b).map(|(a, b)| chosen(truths, a, b, store));
        return fields.collect::<Option<_>>().map(Reach::Record);
    }
    let (then, other) = (Lanes::of(&then)?, Lanes::of(&other)?);
    let choose = |(lane, truth): (usize, &i64)| match truth {
        0 => other.at(lane),
        _ => then.at(lane),
    };
    Some(Reach::row(truths.iter().enumerate().map(choose).collect()))
}

/// An operation on what is not the same in all lanes.
pub fn on_lanes(op: Op, a: &Reach, b: &Reach) -> Option<Reach> {
    let (a, b) = (Lanes::of(a)?, Lanes::of(b)?);
    match op {
        // Neither sums nor differences of smaller numbers are too large; no others are worked out here.
        Op::Add | Op::Subtract | Op::Multiply if !(a.are_small() && b.are_small()) => None,
        Op::Add => each(a, b, |a, b| a + b),
        Op::Subtract => each(a, b, |a, b| a - b),
        Op::Multiply => each(a, b, |a, b| a * b),
        Op::FloorDivide if b.all(|b| b > 0) => each(a, b, |a, b| a.div_euclid(b)),
        Op::Remainder if b.all(|b| b > 0) => each(a, b, |a, b| a.rem_euclid(b)),
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

fn each(a: Lanes<'_>, b: Lanes<'_>, act: impl Fn(i64, i64) -> i64) -> Option<Reach> {
    Some(Reach::row(match (a, b) {
        (Lanes::One(_), Lanes::One(_)) => return None,
        (Lanes::Many(a), Lanes::One(b)) => a.iter().map(|a| act(*a, b)).collect(),
        (Lanes::One(a), Lanes::Many(b)) => b.iter().map(|b| act(a, *b)).collect(),
        (Lanes::Many(a), Lanes::Many(b)) => a.iter().zip(b).map(|(a, b)| act(*a, *b)).collect(),
    }))
}
