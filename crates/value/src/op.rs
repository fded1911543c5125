//! The pure operations of the language, each on finished values.
//!
//! The checker has made sure that the operands fit; an operand that does not is reported as
//! [`OpError::Mismatch`], which no checked program meets.

use std::sync::Arc;

use crate::{Number, Value};

/// A pure operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`, exact
    Divide,
    /// `a // b`, rounded down
    FloorDivide,
    /// `a % b`
    Remainder,
    /// `a ^ b`
    Power,
    /// `-a`
    Negate,
    /// `floor(a)`
    Floor,
    /// `ceil(a)`
    Ceil,
    /// `round(a)`
    Round,
    /// `abs(a)`
    Abs,
    /// `min(a, b, …)`
    Min,
    /// `max(a, b, …)`
    Max,
    /// `a = b`, any type
    Equal,
    /// `a != b`, any type
    NotEqual,
    /// `a < b`, numbers or text
    Less,
    /// `a <= b`, numbers or text
    AtMost,
    /// `a > b`, numbers or text
    Greater,
    /// `a >= b`, numbers or text
    AtLeast,
    /// `not a`
    Not,
    /// The pieces of a text joined: `"{a} and {b}"`
    Join,
    /// `length(list)`
    Length,
    /// `at(list, i)`, counted from 1
    At,
    /// `append(list, item)`
    Append,
    /// `a..b`, both included
    Range,
    /// `sort(list)`: numbers or texts, ascending
    Sort,
    /// `reverse(list)`
    Reverse,
    /// `word(text, known)`: the text as a word, one of the known if it is near one
    Word,
}

/// Why an operation has no value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OpError {
    /// `1 / 0`
    DivisionByZero,
    /// `2 ^ 0.5`
    ExponentNotWhole,
    /// `9 ^ 9 ^ 9`: more digits than anyone will read
    TooLarge,
    /// Not decimal digits.
    NotANumber,
    /// `at([1, 2], 3)`: the index and the length
    OutOfRange(Number, usize),
    /// `1..0.5`: a range needs whole ends
    RangeNotWhole,
    /// `1..10^9`
    RangeTooLong,
    /// A text that grows and grows: `"{text}{text}"`, forty times over
    TextTooLong,
    /// `word("armour", ["armor"])`: a word that is none of the known, and near one
    NearMiss(Arc<str>, Arc<str>),
    /// Operands that the checker would have refused.
    Mismatch,
}

/// The longest list that a range may make.
const LONGEST_RANGE: i64 = 100_000;
/// The bytes that a text may have.
const LONGEST_TEXT: usize = 1_000_000;

/// What an operation on two words comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simple {
    /// A whole number.
    Whole(i64),
    /// A yes or no.
    Truth(bool),
}

/// The value of an operation on two whole numbers, where it needs nothing but words: the same as [`apply`],
/// on the short way. None where the result is no word, or the operation has more to say.
#[inline]
pub fn apply_to_words(op: Op, a: i64, b: i64) -> Option<Simple> {
    Some(match op {
        Op::Add => Simple::Whole(a.checked_add(b)?),
        Op::Subtract => Simple::Whole(a.checked_sub(b)?),
        Op::Multiply => Simple::Whole(a.checked_mul(b)?),
        Op::Min => Simple::Whole(a.min(b)),
        Op::Max => Simple::Whole(a.max(b)),
        Op::Equal => Simple::Truth(a == b),
        Op::NotEqual => Simple::Truth(a != b),
        Op::Less => Simple::Truth(a < b),
        Op::AtMost => Simple::Truth(a <= b),
        Op::Greater => Simple::Truth(a > b),
        Op::AtLeast => Simple::Truth(a >= b),
        Op::Divide if a.checked_rem(b)? == 0 => Simple::Whole(a / b),
        Op::FloorDivide => Simple::Whole(floor_divide(a, b)?),
        Op::Remainder => Simple::Whole(a.checked_sub(b.checked_mul(floor_divide(a, b)?)?)?),
        Op::Divide
        | Op::Power
        | Op::Negate
        | Op::Floor
        | Op::Ceil
        | Op::Round
        | Op::Abs
        | Op::Not
        | Op::Join
        | Op::Length
        | Op::At
        | Op::Append
        | Op::Sort
        | Op::Reverse
        | Op::Word
        | Op::Range => return None,
    })
}

fn floor_divide(a: i64, b: i64) -> Option<i64> {
    let (quotient, rest) = (a.checked_div(b)?, a.checked_rem(b)?);
    Some(quotient - i64::from(rest != 0 && (rest < 0) != (b < 0)))
}

/// The value of an operation.
pub fn apply(op: Op, operands: &[Value]) -> Result<Value, OpError> {
    use Value::{Bool, List, Number as Num, Text};
    Ok(match (op, operands) {
        (Op::Add, [Num(a), Num(b)]) => Num(a.add(b)?),
        (Op::Subtract, [Num(a), Num(b)]) => Num(a.subtract(b)?),
        (Op::Multiply, [Num(a), Num(b)]) => Num(a.multiply(b)?),
        (Op::Divide, [Num(a), Num(b)]) => Num(a.divide(b)?),
        (Op::FloorDivide, [Num(a), Num(b)]) => Num(a.floor_divide(b)?),
        (Op::Remainder, [Num(a), Num(b)]) => Num(a.remainder(b)?),
        (Op::Power, [Num(a), Num(b)]) => Num(a.power(b)?),
        (Op::Negate, [Num(a)]) => Num(a.negate()),
        (Op::Floor, [Num(a)]) => Num(a.floor()),
        (Op::Ceil, [Num(a)]) => Num(a.ceil()),
        (Op::Round, [Num(a)]) => Num(a.round()),
        (Op::Abs, [Num(a)]) => Num(a.abs()),
        (Op::Min, _) => Num(numbers(operands)?.into_iter().min().ok_or(OpError::Mismatch)?.clone()),
        (Op::Max, _) => Num(numbers(operands)?.into_iter().max().ok_or(OpError::Mismatch)?.clone()),
        (Op::Equal, [a, b]) => Bool(a == b),
        (Op::NotEqual, [a, b]) => Bool(a != b),
        (Op::Less, [a, b]) => Bool(ordered(a, b)?.is_lt()),
        (Op::AtMost, [a, b]) => Bool(ordered(a, b)?.is_le()),
        (Op::Greater, [a, b]) => Bool(ordered(a, b)?.is_gt()),
        (Op::AtLeast, [a, b]) => Bool(ordered(a, b)?.is_ge()),
        (Op::Not, [Bool(a)]) => Bool(!a),
        (Op::Join, _) => Text(join(operands)?),
        (Op::Length, [List(items)]) => Value::whole(items.len() as i64),
        (Op::At, [List(items), Num(i)]) => at(items, i)?,
        (Op::Append, [List(items), item]) => {
            List(items.iter().cloned().chain([item.clone()]).collect())
        }
        (Op::Range, [Num(a), Num(b)]) => List(range(a, b)?),
        (Op::Sort, [List(items)]) => List(sort(items)?),
        (Op::Reverse, [List(items)]) => List(items.iter().rev().cloned().collect()),
        (Op::Word, [Text(text), List(known)]) => Text(word(text, known)?),
        _ => return Err(OpError::Mismatch),
    })
}

fn numbers(operands: &[Value]) -> Result<Vec<&Number>, OpError> {
    operands.iter().map(|v| v.as_number().ok_or(OpError::Mismatch)).collect()
}

fn ordered(a: &Value, b: &Value) -> Result<std::cmp::Ordering, OpError> {
    match (a, b) {
        (Value::Number(_), Value::Number(_)) | (Value::Text(_), Value::Text(_)) => Ok(a.cmp(b)),
        _ => Err(OpError::Mismatch),
    }
}

fn join(pieces: &[Value]) -> Result<Arc<str>, OpError> {
    let mut joined = String::new();
    for piece in pieces {
        joined.push_str(&piece.to_string());
        if joined.len() > LONGEST_TEXT {
            return Err(OpError::TextTooLong);
        }
    }
    Ok(joined.into())
}

fn at(items: &[Value], index: &Number) -> Result<Value, OpError> {
    let place = index.to_i64().and_then(|i| usize::try_from(i.checked_sub(1)?).ok());
    place
        .and_then(|i| items.get(i))
        .cloned()
        .ok_or_else(|| OpError::OutOfRange(index.clone(), items.len()))
}

/// A text as a word: case, blanks and hyphens tell no words apart. A near miss of a known word is none of its own.
fn word(text: &Arc<str>, known: &[Value]) -> Result<Arc<str>, OpError> {
    let parts = text.split(|c: char| c.is_whitespace() || c == '-' || c == '_');
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).map(str::to_lowercase).collect();
    let word: Arc<str> = parts.join("_").into();
    let known = || {
        known.iter().filter_map(|value| match value {
            Value::Text(text) => Some(&**text),
            _ => None,
        })
    };
    match astragal_syntax::suggest(&word, known()) {
        Some(meant) if !known().any(|known| *known == *word) => {
            Err(OpError::NearMiss(text.clone(), meant.into()))
        }
        _ => Ok(word),
    }
}

fn sort(items: &[Value]) -> Result<Arc<[Value]>, OpError> {
    for pair in items.windows(2) {
        ordered(&pair[0], &pair[1])?;
    }
    let mut sorted = items.to_vec();
    sorted.sort();
    Ok(sorted.into())
}

fn range(from: &Number, to: &Number) -> Result<Arc<[Value]>, OpError> {
    if !from.is_whole() || !to.is_whole() {
        return Err(OpError::RangeNotWhole);
    }
    if from > to {
        return Ok(Arc::new([]));
    }
    let (Some(from), Some(to)) = (from.to_i64(), to.to_i64()) else {
        return Err(OpError::RangeTooLong);
    };
    if to.checked_sub(from).is_none_or(|length| length >= LONGEST_RANGE) {
        return Err(OpError::RangeTooLong);
    }
    Ok((from..=to).map(Value::whole).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_apart_by_their_letters() {
        let known = Value::List(["armor", "natural_armor"].map(|w| Value::Text(w.into())).into());
        let word = |text: &str| apply(Op::Word, &[Value::Text(text.into()), known.clone()]);
        let is = |text: &str| Ok(Value::Text(text.into()));
        assert_eq!(word("Natural  Armor"), is("natural_armor"));
        assert_eq!(word("natural-armor "), is("natural_armor"));
        assert_eq!(word("Deep Fear"), is("deep_fear"));
        assert_eq!(word(""), is(""));
        let near = OpError::NearMiss("Armour".into(), "armor".into());
        assert_eq!(word("Armour"), Err(near));
    }

    #[test]
    fn words_come_to_what_values_come_to() {
        let ops = [
            Op::Add,
            Op::Subtract,
            Op::Multiply,
            Op::Divide,
            Op::FloorDivide,
            Op::Remainder,
            Op::Min,
            Op::Max,
            Op::Equal,
            Op::NotEqual,
            Op::Less,
            Op::AtMost,
            Op::Greater,
            Op::AtLeast,
        ];
        let words = [0, 1, -1, 6, 20, i64::MAX, i64::MIN];
        for (op, a, b) in ops.into_iter().flat_map(|op| {
            words.into_iter().flat_map(move |a| words.into_iter().map(move |b| (op, a, b)))
        }) {
            let Ok(value) = apply(op, &[Value::whole(a), Value::whole(b)]) else {
                assert_eq!((b, apply_to_words(op, a, b)), (0, None), "{a} {op:?} {b}");
                continue;
            };
            match apply_to_words(op, a, b) {
                Some(Simple::Whole(n)) => assert_eq!(value, Value::whole(n), "{a} {op:?} {b}"),
                Some(Simple::Truth(truth)) => {
                    assert_eq!(value, Value::Bool(truth), "{a} {op:?} {b}")
                }
                None if op == Op::Remainder => assert!(a == i64::MIN || b == i64::MIN),
                None => assert_eq!(value.as_number().and_then(Number::to_i64), None),
            }
        }
    }
}
