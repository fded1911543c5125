//! The chance of success, beside a roll of a rule system.
//!
//! A check that failed reads differently at 5% and at 55%. So where a result is a record that says
//! `success`, or has an `outcome`, a roll is followed by the chance of it. It is a kindness, not an answer: where
//! it would take long, it is left out.

use astragal::{Budget, Comparison, Number, Program, Rational, Type, Value};
use astragal_show::decimal::percent;
use astragal_show::rows::shown;
use astragal_show::said::said;

use crate::terminal::Terminal;

/// What came up in the game's words, and how likely it is to do so well: `Success, 4 successes: 42.19% to do this or
/// better`. For a result that says `success`, or has an `outcome`, and a number to go by.
pub(crate) fn verdict(program: &Program, rolled: &Value, terminal: &Terminal) -> Option<String> {
    let Value::Record(shape, fields) = rolled else { return None };
    let field = |name: &str| {
        let at = shape.fields.iter().position(|known| &**known == name)?;
        fields.get(at)
    };
    let outcome = match (field("success"), field("outcome")) {
        (Some(Value::Bool(success)), _) => if *success { "success" } else { "failure" }.to_owned(),
        (_, Some(outcome @ Value::Variant(_))) => shown(outcome).replace('_', " "),
        _ => return None,
    };
    let mut words = vec![capitalised(&outcome)];
    let measure = MEASURES.into_iter().find_map(|name| Some((name, field(name)?.as_number()?)));
    words.extend(measure.map(|(name, number)| match name {
        "successes" if *number == Number::ONE => "1 success".into(),
        "successes" => format!("{number} successes"),
        name => format!("{name} {number}"),
    }));
    let also = shape
        .fields
        .iter()
        .zip(fields.iter())
        .filter(|(name, value)| &***name != "success" && **value == Value::Bool(true));
    words.extend(also.map(|(name, _)| name.replace('_', " ")));
    let chance = measure.and_then(|(name, number)| at_least(program, name, number));
    let better = chance.map(|chance| format!(": {} to do this or better", percent(&chance).trim()));
    let line = format!("{}{}", words.join(", "), better.unwrap_or_default());
    Some(match (terminal.markdown, terminal.colour) {
        (true, _) => format!("**{line}**\n"),
        (false, true) => format!("\x1b[1m{line}\x1b[0m"),
        (false, false) => line,
    })
}

/// The fields by which a result is measured, the first that there is.
const MEASURES: [&str; 4] = ["successes", "degree", "margin", "total"];

fn at_least(program: &Program, name: &str, number: &Number) -> Option<Rational> {
    let odds = program.odds_of(&[name], &small_budget()).ok()?;
    let answer = odds.only();
    let law = answer.law.as_ref().filter(|_| answer.lost.is_zero() && answer.never.is_zero())?;
    law.compare(Comparison::AtLeast, &number.to_rational(), &small_budget().meter()).ok()
}

fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

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
