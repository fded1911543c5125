//! Values and operators, each as its definition says it: all throws one by one.

use std::collections::BTreeMap;

use astragal_prob::Rational;

use super::tree::COMPARISONS;

#[derive(Clone, PartialEq)]
pub enum Value {
    Number(i128),
    Sequence(Vec<i128>),
    Dice(usize, Faces),
    /// `d{}`
    Empty,
    /// `d{} d 6`: one die without faces.
    Unthrown,
    /// What a call comes to that is given the empty die to cast.
    Lost,
}

use Value::{Dice, Empty, Lost, Number, Sequence, Unthrown};

/// The chances add up to less than 1 where some are lost.
pub type Faces = BTreeMap<i128, Rational>;

/// Why there is no answer.
pub enum Stop {
    /// The program is wrong.
    Error,
    /// The document does not say what it means, or it is too much for this slow way.
    LeftOut,
}

pub type Answer<T> = Result<T, Stop>;

const MOST_DICE: usize = 50;
const MOST_THROWS: usize = 3000;

impl Value {
    pub fn is_die(&self) -> bool {
        matches!(self, Dice(..) | Empty | Unthrown | Lost)
    }

    pub fn is_faceless(&self) -> bool {
        matches!(self, Empty | Unthrown | Lost)
    }

    /// One die.
    pub fn die(chances: impl IntoIterator<Item = (i128, Rational)>) -> Value {
        Dice(1, merged(chances))
    }

    pub fn total(self) -> Answer<Value> {
        Ok(match self {
            Sequence(items) => Number(items.iter().sum()),
            Dice(count, faces) if count > 1 => {
                let sum = |(throw, chance): (Vec<i128>, _)| (throw.iter().sum(), chance);
                Value::die(throws(count, &faces)?.into_iter().map(sum))
            }
            other => other,
        })
    }

    /// The outcomes of the total with their chances.
    pub fn outcomes(self) -> Answer<Faces> {
        Ok(match self.total()? {
            Number(number) => Faces::from([(number, Rational::ONE)]),
            Dice(_, faces) => faces,
            _ => Faces::new(),
        })
    }

    /// A number, or the sum of a sequence, where a die is an error.
    pub fn whole(self) -> Answer<i128> {
        match self.total()? {
            Number(number) => Ok(number),
            _ => Err(Stop::Error),
        }
    }
}

pub fn merged<K: Ord>(chances: impl IntoIterator<Item = (K, Rational)>) -> BTreeMap<K, Rational> {
    let mut map = BTreeMap::new();
    for (key, chance) in chances {
        *map.entry(key).or_insert(Rational::ZERO) += chance;
    }
    map
}

/// Every throw of the dice, in the order in which they are thrown.
pub fn throws(count: usize, faces: &Faces) -> Answer<Vec<(Vec<i128>, Rational)>> {
    let mut throws = vec![(Vec::new(), Rational::ONE)];
    for _ in 0..count {
        if count > MOST_DICE || throws.len() * faces.len() > MOST_THROWS {
            return Err(Stop::LeftOut);
        }
        let longer = |(throw, chance): (Vec<i128>, Rational)| {
            let one_more =
                move |(face, p): (&i128, &Rational)| ([&throw[..], &[*face]].concat(), &chance * p);
            faces.iter().map(one_more)
        };
        throws = throws.into_iter().flat_map(longer).collect();
    }
    Ok(throws)
}

pub fn descending(mut throw: Vec<i128>) -> Vec<i128> {
    throw.sort_by(|a, b| b.cmp(a));
    throw
}

pub fn unary(sign: &str, value: Value) -> Answer<Value> {
    match sign {
        "d" => die_of(value),
        "+" => Ok(value),
        "-" => negated(value),
        "#" => length(value),
        _ => is_zero(value),
    }
}

fn die_of(value: Value) -> Answer<Value> {
    let faces: Vec<i128> = match value {
        Number(number) if number.abs() > 1000 => return Err(Stop::LeftOut),
        Number(0) => vec![0],
        Number(number) if number > 0 => (1..=number).collect(),
        Number(number) => (number..=-1).collect(),
        Sequence(items) if items.is_empty() => return Ok(Empty),
        Sequence(items) => items,
        die => return Ok(die),
    };
    let chance = Rational::ONE / Rational::from(faces.len());
    Ok(Value::die(faces.into_iter().map(|face| (face, chance.clone()))))
}

fn negated(value: Value) -> Answer<Value> {
    match value {
        Number(number) => Ok(Number(-number)),
        Sequence(items) => Ok(Number(-items.iter().sum::<i128>())),
        Dice(count, faces) => Ok(Dice(count, faces.into_iter().map(|(x, p)| (-x, p)).collect())),
        Empty => Ok(Empty),
        Unthrown | Lost => Err(Stop::LeftOut),
    }
}

fn length(value: Value) -> Answer<Value> {
    let length = match value {
        Number(number) => number.unsigned_abs().to_string().len(),
        Sequence(items) => items.len(),
        Dice(count, _) => count,
        Empty => 0,
        Unthrown => 1,
        Lost => return Err(Stop::LeftOut),
    };
    Ok(Number(length as i128))
}

fn is_zero(value: Value) -> Answer<Value> {
    let is_zero = |number: i128| i128::from(number == 0);
    match value.total()? {
        Number(number) => Ok(Number(is_zero(number))),
        Dice(_, faces) => Ok(Value::die(faces.into_iter().map(|(x, p)| (is_zero(x), p)))),
        Empty => Ok(Empty),
        _ => Err(Stop::LeftOut),
    }
}

/// All binary operators but `@`.
pub fn binary(sign: &str, left: Value, right: Value) -> Answer<Value> {
    if sign == "d" {
        return thrown(left.total()?, right);
    }
    if left.is_faceless() || right.is_faceless() {
        return with_faceless(sign, left, right);
    }
    let mut sign = sign;
    if COMPARISONS.contains(&sign) {
        let holds = |a: &i128, b: &i128| compare(sign, a, b);
        match (&left, &right) {
            (Sequence(a), Sequence(b)) => return Ok(Number(compare(sign, a, b).into())),
            (Sequence(a), Number(b)) => return Ok(count(a, |item| holds(item, b))),
            (Number(a), Sequence(b)) => return Ok(count(b, |item| holds(a, item))),
            (Dice(..), Sequence(_)) if sign == "<=" => sign = ">",
            _ => {}
        }
    }
    match (left.total()?, right.total()?) {
        (Number(a), Number(b)) => Ok(Number(of_numbers(sign, a, b, Err(Stop::Error))?)),
        (left, right) => of_dice(sign, left, right),
    }
}

fn of_dice(sign: &str, left: Value, right: Value) -> Answer<Value> {
    let (left, right) = (left.outcomes()?, right.outcomes()?);
    if left.len() * right.len() > MOST_THROWS {
        return Err(Stop::LeftOut);
    }
    let mut faces = Vec::new();
    for (a, p) in &left {
        for (b, q) in &right {
            faces.push((of_numbers(sign, *a, *b, Ok(i64::MIN.into()))?, p * q));
        }
    }
    Ok(Value::die(faces))
}

fn count(items: &[i128], holds: impl Fn(&i128) -> bool) -> Value {
    Number(items.iter().filter(|item| holds(item)).count() as i128)
}

fn compare<T: Ord>(sign: &str, a: T, b: T) -> bool {
    match sign {
        "<" => a < b,
        ">" => a > b,
        "<=" => a <= b,
        ">=" => a >= b,
        "=" => a == b,
        _ => a != b,
    }
}

fn of_numbers(sign: &str, a: i128, b: i128, zero_to_negative: Answer<i128>) -> Answer<i128> {
    let value = match sign {
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" => Some(a.checked_div(b).unwrap_or(0)),
        "^" if b >= 0 => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
        "^" if a == 0 => return zero_to_negative,
        "^" if a.abs() > 1 => Some(0),
        "^" => Some(if b % 2 == 0 { 1 } else { a }),
        "&" => Some((a != 0 && b != 0).into()),
        "|" => Some((a != 0 || b != 0).into()),
        _ => Some(compare(sign, a, b).into()),
    };
    value.filter(|value| value.abs() < 1 << 80).ok_or(Stop::LeftOut)
}

fn with_faceless(sign: &str, left: Value, right: Value) -> Answer<Value> {
    match (sign, left, right) {
        (_, Empty, Empty) => Ok(Empty),
        (_, left, right) if left.is_faceless() && right.is_faceless() => Err(Stop::LeftOut),
        ("+" | "-" | "|", left @ Sequence(_), _) => left.total(),
        ("-", left, right) if left.is_faceless() => negated(right),
        ("+" | "-" | "|", left, right) => Ok(if left.is_faceless() { right } else { left }),
        (_, Empty, _) | (_, _, Empty) => Ok(Empty),
        _ => Err(Stop::LeftOut),
    }
}

/// `left d right`
fn thrown(left: Value, right: Value) -> Answer<Value> {
    let Dice(_, counts) = &left else { return thrown_by_number(left, right) };
    match die_of(right)? {
        Empty => Ok(Unthrown),
        Unthrown | Lost => Err(Stop::LeftOut),
        die => {
            let mut faces = Vec::new();
            for (count, chance) in counts {
                let outcomes = thrown(Number(*count), die.clone())?.outcomes()?;
                faces.extend(outcomes.into_iter().map(|(x, p)| (x, p * chance)));
            }
            Ok(Value::die(faces))
        }
    }
}

fn thrown_by_number(left: Value, right: Value) -> Answer<Value> {
    let Number(count) = left else {
        let known = left == Empty && !matches!(right, Unthrown | Lost);
        return if known { Ok(Unthrown) } else { Err(Stop::LeftOut) };
    };
    if count == 1 && right.is_die() {
        return Ok(right);
    }
    match (count, die_of(right)?.total()?) {
        (_, Empty) => Ok(Empty),
        (0, Dice(..)) => Ok(Value::die([(0, Rational::ONE)])),
        (1.., Dice(_, faces)) => Ok(Dice(count as usize, faces)),
        (..0, die @ Dice(..)) => thrown(Number(-count), negated(die)?),
        _ => Err(Stop::LeftOut),
    }
}

/// `positions @ value`
pub fn at(positions: Value, value: Value, lowest_first: bool) -> Answer<Value> {
    let positions = match positions {
        Number(position) => vec![position],
        Sequence(positions) => positions,
        _ => return Err(Stop::Error),
    };
    let picked = |items: &[i128]| -> i128 {
        let item =
            |position: &i128| usize::try_from(position - 1).ok().and_then(|at| items.get(at));
        positions.iter().filter_map(item).sum()
    };
    let ordered = |mut items: Vec<i128>| {
        if lowest_first {
            items.reverse();
        }
        items
    };
    Ok(match value {
        Number(number) => Number(picked(&ordered(digits(number)))),
        Sequence(items) => Number(picked(&items)),
        Dice(count, faces) => {
            let all = throws(count, &faces)?.into_iter();
            Value::die(all.map(|(throw, p)| (picked(&ordered(descending(throw))), p)))
        }
        Empty => Value::die([(0, Rational::ONE)]),
        Unthrown | Lost => return Err(Stop::LeftOut),
    })
}

/// From the left, each with the number's sign.
fn digits(number: i128) -> Vec<i128> {
    let digit = |c: char| c.to_digit(10).map(|digit| number.signum() * i128::from(digit));
    number.unsigned_abs().to_string().chars().filter_map(digit).collect()
}
