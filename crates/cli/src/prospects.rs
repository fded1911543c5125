//! The chance of success, beside a roll of a rule system.
//!
//! A check that failed reads differently at 5% and at 55%. So where a result is a record that says
//! `success`, or has an `outcome`, a roll is followed by the chance of it. It is a kindness, not an answer: where
//! it would take long, it is left out.

use astragal::{Budget, Program, Rational, Type, Value};
use astragal_show::rows::shown;
use astragal_show::said::said;

use crate::terminal::Terminal;

/// What a kindness may cost.
fn small_budget() -> Budget {
    Budget::default().with_steps(16_000_000).with_states(20_000).with_outcomes(2_000)
}

/// The line below a roll, if there is anything to say; below several, no single one is told.
pub(crate) fn prospect(
    program: &Program,
    rolled: Option<&Value>,
    terminal: &Terminal,
) -> Option<String> {
    let results: Vec<_> = program.results().collect();
    let [(None, Type::Record(record))] = results.as_slice() else { return None };
    let field = |name: &str| record.fields.iter().find(|(known, _)| &**known == name);
    let chances = match (field("success"), field("outcome")) {
        (Some((_, Type::Bool)), _) => of_success(program)?,
        (_, Some((_, Type::Enum(_)))) => of_outcome(program, rolled)?,
        _ => return None,
    };
    if chances.is_empty() {
        return None;
    }
    let told: Vec<String> =
        chances.iter().map(|(what, chance)| format!("{what}: {}", said(chance))).collect();
    let line = terminal.wrapped(&format!("chance of {}", told.join("; of "))).join("\n");
    Some(match (terminal.markdown, terminal.colour) {
        (true, _) => format!("\n_{line}_"),
        (false, true) => format!("\x1b[2m{line}\x1b[0m"),
        (false, false) => line,
    })
}

fn of_success(program: &Program) -> Option<Vec<(String, Rational)>> {
    let odds = program.odds_of(&["success"], &small_budget()).ok()?;
    let answer = odds.only();
    answer.lost.is_zero().then(|| vec![("success".into(), answer.chance(&Value::Bool(true)))])
}

/// The chance of what came up, and of all successes together where that is something else.
fn of_outcome(program: &Program, rolled: Option<&Value>) -> Option<Vec<(String, Rational)>> {
    let rolled = rolled.and_then(outcome);
    let odds = program.odds_of(&["outcome"], &small_budget()).ok()?;
    let answer = odds.only();
    if !answer.lost.is_zero() {
        return None;
    }
    let mut chances: Vec<(String, Rational)> =
        rolled.iter().map(|value| (shown(value), answer.chance(value))).collect();
    let good = |value: &Value| {
        let name = shown(value);
        name == "success" || name.ends_with("_success")
    };
    let successes: Vec<_> = answer.outcomes.iter().filter(|(value, _)| good(value)).collect();
    let alone = matches!(successes.as_slice(), [(only, _)] if Some(only) == rolled);
    if !successes.is_empty() && !alone {
        let sum = successes.iter().fold(Rational::ZERO, |sum, (_, chance)| sum + chance);
        chances.push(("any success".into(), sum));
    }
    Some(chances)
}

/// The field of that name.
fn outcome(value: &Value) -> Option<&Value> {
    let Value::Record(shape, fields) = value else { return None };
    fields.get(shape.fields.iter().position(|name| &**name == "outcome")?)
}
