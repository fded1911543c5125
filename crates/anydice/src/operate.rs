//! Operators.
//!
//! Operands are totalled, but for the few cases in which a sequence or several dice stay what they are. The empty die
//! is neutral for `+`, `-` and `|` and swallows everything else.

use std::cell::Cell;
use std::rc::Rc;

use astragal_prob::{Comparison, Integer, Law, Meter, Rational};
use astragal_syntax::span::Span;
use dashu_base::{BitTest, Sign, Signed, UnsignedAbs};

use crate::fault::{Fault, Ran, wrong};
use crate::tree::{Binary, Unary};
use crate::value::{Throw, Total, Value, sum};

/// Numbers have no more bits than that.
pub(crate) const MOST_BITS: usize = 1 << 20;

pub(crate) fn unary(operator: Unary, value: Value, meter: &Meter) -> Ran<Value> {
    Ok(match (operator, value) {
        (Unary::Plus, value) => value,
        (Unary::Die, value) => Value::Die(crate::make::die(&value, meter)?),
        (Unary::Minus, Value::Die(die)) => Value::Die(die.negate(meter)?),
        (Unary::Minus, Value::Number(number)) => Value::Number(-number),
        (Unary::Minus, Value::Sequence(items)) => Value::Number(-sum(&items)),
        (Unary::Not, value) if value.is_empty_die() => value,
        (Unary::Not, value) => match value.total(meter)? {
            Total::Number(number) => Value::of_truth(number.is_zero()),
            Total::Throw(throw) => {
                let zero = Throw::constant(Integer::ZERO);
                Value::one_die(compared(Comparison::Equal, &throw, &zero, meter)?)
            }
        },
        (Unary::Size, value) => Value::Number(size(&value)),
    })
}

/// `#`: the digits of a number, the items of a sequence, the dice of a die.
pub(crate) fn size(value: &Value) -> Integer {
    match value {
        Value::Number(number) => number.unsigned_abs().to_string().len().into(),
        Value::Sequence(items) => items.len().into(),
        Value::Die(die) => die.count().into(),
    }
}

pub(crate) fn binary(
    operator: Binary,
    left: Value,
    right: Value,
    meter: &Meter,
    span: Span,
) -> Ran<Value> {
    if let (Value::Number(left), Value::Number(right)) = (&left, &right) {
        return numbers(operator, left, right, span).map(Value::Number);
    }
    if let Some(value) = with_empty(operator, &left, &right, meter)? {
        return Ok(value);
    }
    if let Binary::Compare(comparison) = operator
        && let Some(value) = sequences(comparison, &left, &right)
    {
        return Ok(value);
    }
    match (left.total(meter)?, right.total(meter)?) {
        (Total::Number(left), Total::Number(right)) => {
            numbers(operator, &left, &right, span).map(Value::Number)
        }
        (left, right) => {
            let throw = throws(operator, &left.throw(), &right.throw(), meter, span)?;
            Ok(Value::one_die(throw))
        }
    }
}

/// Where one side is a die without faces. What is lost stays lost: of two such dice, the one that was lost is the result.
fn with_empty(operator: Binary, left: &Value, right: &Value, meter: &Meter) -> Ran<Option<Value>> {
    let other = match (left.is_empty_die(), right.is_empty_die()) {
        (false, false) => return Ok(None),
        (true, true) => return Ok(Some(if left.is_lost() { left } else { right }.clone())),
        // A sequence on the left is summed, one on the right stays.
        (false, true) => match left {
            Value::Sequence(items) => Value::Number(sum(items)),
            left => left.clone(),
        },
        (true, false) => right.clone(),
    };
    Ok(Some(match operator {
        Binary::Subtract if left.is_empty_die() => match other {
            Value::Die(die) => Value::Die(die.negate(meter)?),
            Value::Number(number) => Value::Number(-number),
            Value::Sequence(items) => Value::Number(-sum(&items)),
        },
        Binary::Add | Binary::Subtract | Binary::Either => other,
        _ if left.is_empty_die() => left.clone(),
        _ => right.clone(),
    }))
}

/// Comparisons that look at the items of a sequence. None if one side is a die, or both are numbers.
fn sequences(comparison: Comparison, left: &Value, right: &Value) -> Option<Value> {
    let count = |holds: &dyn Fn(&Integer) -> bool, items: &[Integer]| {
        Value::Number(items.iter().filter(|item| holds(item)).count().into())
    };
    match (left, right) {
        (Value::Sequence(left), Value::Sequence(right)) => {
            Some(Value::of_truth(comparison.holds(left, right)))
        }
        (Value::Sequence(items), Value::Number(number)) => {
            Some(count(&|item| comparison.holds(item, number), items))
        }
        (Value::Number(number), Value::Sequence(items)) => {
            Some(count(&|item| comparison.holds(number, item), items))
        }
        _ => None,
    }
}

/// Whether `left <= right` is one of a die with a sequence, which AnyDice computes as `>`.
pub(crate) fn is_at_most_sequence(operator: Binary, left: &Value, right: &Value) -> bool {
    operator == Binary::Compare(Comparison::AtMost)
        && matches!(left, Value::Die(die) if !die.is_empty())
        && matches!(right, Value::Sequence(_))
}

fn numbers(operator: Binary, left: &Integer, right: &Integer, span: Span) -> Ran<Integer> {
    let truth = |truth: bool| Integer::from(u8::from(truth));
    Ok(match operator {
        Binary::Both => truth(!left.is_zero() && !right.is_zero()),
        Binary::Either => truth(!left.is_zero() || !right.is_zero()),
        Binary::Compare(comparison) => truth(comparison.holds(left, right)),
        Binary::Add => left + right,
        Binary::Subtract => left - right,
        Binary::Multiply => {
            if left.bit_len() + right.bit_len() > MOST_BITS {
                return Err(too_large(span));
            }
            left * right
        }
        Binary::Divide => quotient(left, right),
        Binary::Power if left.is_zero() && right.is_negative() => {
            let error = wrong("zero-to-negative", span, "0 has no negative powers");
            return Err(error.help("let the exponent be at least 0").into());
        }
        Binary::Power => power(left, right).ok_or_else(|| too_large(span))?,
        // These two are worked out elsewhere.
        Binary::At | Binary::Dice => Integer::ZERO,
    })
}

pub(crate) fn too_large(span: Span) -> Fault {
    wrong("number-too-large", span, "this number is too large").help("use smaller numbers").into()
}

/// The quotient without its fraction; 0 where it is divided by 0.
fn quotient(left: &Integer, right: &Integer) -> Integer {
    if right.is_zero() { Integer::ZERO } else { left / right }
}

/// The power without its fraction, if it is not too large. The powers of 0 are known.
fn power(base: &Integer, exponent: &Integer) -> Option<Integer> {
    let odd = exponent.bit(0);
    if *base == Integer::ONE
        || (base.is_zero() && exponent.sign() == Sign::Positive && !exponent.is_zero())
    {
        return Some(base.clone());
    }
    if *base == Integer::NEG_ONE {
        return Some(if odd { Integer::NEG_ONE } else { Integer::ONE });
    }
    if exponent.is_negative() {
        return Some(Integer::ZERO);
    }
    let exponent = usize::try_from(exponent).ok()?;
    let fits = base.bit_len().checked_mul(exponent)? <= MOST_BITS;
    fits.then(|| base.pow(exponent))
}

/// Every outcome of the left with every outcome of the right.
fn throws(operator: Binary, left: &Throw, right: &Throw, meter: &Meter, span: Span) -> Ran<Throw> {
    if let Binary::Compare(comparison) = operator {
        return compared(comparison, left, right, meter);
    }
    let (Some(one), Some(other)) = (&left.law, &right.law) else { return Ok(Throw::nothing()) };
    let failed = Cell::new(false);
    let whole = |x: &Rational, y: &Rational| {
        let (x, y) = (x.numerator(), y.numerator());
        // What a program cannot compute by itself stands for the least number of 64 bits there.
        if operator == Binary::Power && x.is_zero() && y.is_negative() {
            return Rational::from(Integer::from(i64::MIN));
        }
        let number = numbers(operator, x, y, span);
        failed.set(failed.get() || number.is_err());
        Rational::from(number.unwrap_or_default())
    };
    // The sum of laws is a product of polynomials, which large numbers have no places for.
    let fits = |law: &Law| {
        let small = |end: Option<Rational>| end.is_some_and(|end| end.numerator().bit_len() < 62);
        small(law.lowest()) && small(law.highest())
    };
    let small = fits(one) && fits(other);
    let law = match operator {
        Binary::Add | Binary::Subtract if !small => one.combine(other, whole, meter)?,
        // Doubling is a power, which is known better than a sum.
        Binary::Add if one == other => one.times(2, meter)?,
        Binary::Add => one.sum(other, meter)?,
        Binary::Subtract => one.sum(&other.negate(meter)?, meter)?,
        _ => one.combine(other, whole, meter)?,
    };
    if failed.get() {
        return Err(too_large(span));
    }
    Ok(Throw { law: Some(law), mass: &left.mass * &right.mass })
}

/// 1 where the outcomes compare so, else 0.
pub(crate) fn compared(
    comparison: Comparison,
    left: &Throw,
    right: &Throw,
    meter: &Meter,
) -> Ran<Throw> {
    let (Some(one), Some(other)) = (&left.law, &right.law) else { return Ok(Throw::nothing()) };
    let holds = Law::independent_compare(comparison, one, other, meter)?;
    let law =
        Law::from_chances(vec![(Rational::ZERO, Rational::ONE - &holds), (Rational::ONE, holds)]);
    Ok(Throw { law, mass: &left.mass * &right.mass })
}

/// `positions @ value`, where the value is a number or a sequence.
pub(crate) fn items_at(positions: &[Integer], items: &[Integer]) -> Integer {
    let at = |position: &Integer| {
        let place = usize::try_from(position).ok()?.checked_sub(1)?;
        items.get(place).cloned()
    };
    positions.iter().filter_map(at).fold(Integer::ZERO, |sum, item| sum + item)
}

/// The digits of a number from the left, each with its sign.
pub(crate) fn digits(number: &Integer) -> Vec<Integer> {
    let text = number.unsigned_abs().to_string();
    let sign = if number.is_negative() { Integer::NEG_ONE } else { Integer::ONE };
    text.bytes().map(|digit| Integer::from(digit - b'0') * &sign).collect()
}

/// The positions before `@`.
pub(crate) fn positions(value: &Value, span: Span) -> Ran<Rc<[Integer]>> {
    match value {
        Value::Number(number) => Ok(Rc::from([number.clone()])),
        Value::Sequence(items) => Ok(Rc::clone(items)),
        Value::Die(_) => {
            let error = wrong("random-position", span, "a position cannot be a die");
            let help = "hand the die to a parameter with `:n`, and use that: \
                        `function: pick P:n of D:s { result: P@D }`";
            Err(error.label("this is a die").help(help).into())
        }
    }
}
