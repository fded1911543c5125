//! Names of outputs, with the values of variables in them.

use std::fmt::Write;

use astragal_prob::Law;

use crate::fault::Ran;
use crate::run::Machine;
use crate::tree::{Piece, Text};
use crate::value::{Die, Value, faces};

pub(crate) fn written(text: &Text, machine: &mut Machine<'_>) -> Ran<String> {
    let mut name = String::new();
    for piece in text {
        match piece {
            Piece::Plain(plain) => name.push_str(plain),
            Piece::Variable(variable, span) => name += &told(&machine.read(*variable, *span)?),
        }
    }
    Ok(name)
}

/// A value in a name: `7`, `{?}`, `3d6`.
fn told(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Sequence(_) => "{?}".into(),
        Value::Die(die) => told_die(die),
    }
}

fn told_die(die: &Die) -> String {
    let mut text = String::new();
    if die.count() > 1 {
        let _ = write!(text, "{}", die.count());
    }
    text + &die.each().law.as_ref().and_then(sides).unwrap_or_else(|| "d{?}".into())
}

/// `d6`, or `d{0..9}`, where the faces follow each other with equal weights.
fn sides(law: &Law) -> Option<String> {
    let (low, high) = (law.lowest()?, law.highest()?);
    let (low, high) = (low.numerator(), high.numerator());
    let equal = faces(law).all(|(_, weight)| weight.is_one());
    let count = i64::try_from(high - low).ok()?.checked_add(1)?;
    if !equal || law.support_size() != usize::try_from(count).ok() {
        return None;
    }
    Some(if low.is_one() { format!("d{high}") } else { format!("d{{{low}..{high}}}") })
}
