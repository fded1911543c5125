//! One answer of the odds against a table of what was seen.

use std::fmt::Write as _;
use std::sync::Arc;

use astragal::{Answer, Meter, Rational, Value};

use super::Table;

/// Odds against a table; so much was cut.
pub(super) fn compare(answer: &Answer, table: &Table, cut: &Rational) -> Result<(), String> {
    sane(answer)?;
    let mut broken = String::new();
    for (value, seen) in table {
        let (from, to) = chance(answer, value);
        if *seen > to || from > seen + cut {
            let _ = writeln!(broken, "  {value}: rolls {seen} (cut {cut}), odds {from} to {to}");
        }
    }
    for (value, chance) in &answer.outcomes {
        if !table.contains_key(value) && chance > cut {
            let _ = writeln!(broken, "  {value}: rolls never (cut {cut}), odds {chance}");
        }
    }
    if answer.never > *cut {
        let _ = writeln!(broken, "  never ends: odds {}, cut {cut}", answer.never);
    }
    if !broken.is_empty() {
        return Err(format!("the chances differ:\n{broken}"));
    }
    if cut.is_zero() { ended(answer, table) } else { Ok(()) }
}

/// The chance of a value, as the ends of an interval.
fn chance(answer: &Answer, value: &Value) -> (Rational, Rational) {
    let listed = answer.outcomes.binary_search_by(|(known, _)| known.cmp(value));
    if let Ok(at) = listed {
        let chance = answer.outcomes[at].1.clone();
        let to = &chance + &answer.lost;
        return (chance, to);
    }
    if let (Some(law), Some(number)) = (answer.exact_law(), value.as_number())
        && let Ok(chance) = law.chance(&number.to_rational(), &Meter::unlimited())
    {
        return (chance.clone(), chance);
    }
    (Rational::ZERO, answer.rest.clone())
}

/// What every answer promises.
fn sane(answer: &Answer) -> Result<(), String> {
    let sum = answer.outcomes.iter().fold(answer.rest.clone(), |sum, (_, chance)| sum + chance);
    if sum != Rational::ONE {
        return Err(format!("the chances and the rest sum to {sum}"));
    }
    let parts = &answer.lost + &answer.never;
    if answer.lost < Rational::ZERO || answer.never < Rational::ZERO || answer.rest < parts {
        let (lost, never) = (&answer.lost, &answer.never);
        return Err(format!("the rest {} does not hold lost {lost}, never {never}", answer.rest));
    }
    if answer.outcomes.windows(2).any(|two| two[0].0 >= two[1].0) {
        return Err("the outcomes are not in ascending order".into());
    }
    if answer.outcomes.iter().any(|(_, chance)| *chance <= Rational::ZERO) {
        return Err("an outcome is listed that never happens".into());
    }
    Ok(())
}

/// Where all sequences end there is no rest, and the moments are those of the table.
fn ended(answer: &Answer, table: &Table) -> Result<(), String> {
    if !answer.rest.is_zero() {
        return Err(format!("all sequences end, but the rest is {}", answer.rest));
    }
    if let (Some(mean), Some(variance)) = (answer.mean(), answer.variance()) {
        let first = expected(table, number);
        let second = expected(table, |value| number(value).map(|n| n.sqr()));
        let (Some(first), Some(second)) = (first, second) else {
            return Err("the odds have a mean, but rolls yield other values than numbers".into());
        };
        let spread = second - first.sqr();
        if mean != first || variance != spread {
            return Err(format!(
                "mean {mean} and variance {variance}, the rolls say {first} and {spread}"
            ));
        }
    }
    together(answer, table)
}

/// How the numbers of a record move together.
fn together(answer: &Answer, table: &Table) -> Result<(), String> {
    let Some(moments) = &answer.moments else { return Ok(()) };
    for (a, path) in moments.fields.iter().enumerate() {
        let mean = expected(table, |value| number(field(value, path)?));
        if mean.as_ref() != Some(&moments.means[a]) {
            return Err(format!("the mean of {path:?} is {}, not {mean:?}", moments.means[a]));
        }
        for (b, other) in moments.fields.iter().enumerate() {
            let both = expected(table, |value| {
                Some(number(field(value, path)?)? * number(field(value, other)?)?)
            });
            let covariance = both.map(|both| both - &moments.means[a] * &moments.means[b]);
            if covariance.as_ref() != Some(&moments.covariances[a][b]) {
                let told = &moments.covariances[a][b];
                return Err(format!("{path:?} and {other:?} have {told}, not {covariance:?}"));
            }
        }
    }
    Ok(())
}

/// The mean of what is made of each value; none if a value does not fit.
fn expected(table: &Table, of: impl Fn(&Value) -> Option<Rational>) -> Option<Rational> {
    table.iter().try_fold(Rational::ZERO, |sum, (value, chance)| Some(sum + of(value)? * chance))
}

/// A number, or a truth as 1 or 0.
fn number(value: &Value) -> Option<Rational> {
    match value {
        Value::Number(number) => Some(number.to_rational()),
        Value::Bool(truth) => Some(Rational::from(u8::from(*truth))),
        _ => None,
    }
}

/// The part of a record that lies on this path.
fn field<'v>(value: &'v Value, path: &[Arc<str>]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, name| match value {
        Value::Record(shape, fields) => {
            fields.get(shape.fields.iter().position(|known| known == name)?)
        }
        _ => None,
    })
}
