//! The JSON shapes of `sweep`, `solve` and `compare`, as `docs/schema` describes them: one for all doors, byte for byte.

use astragal::json::decimal;
use astragal::{Answer, Odds, Rational};
use dashu_base::BitTest;
use serde_json::{Map, Value as Json, json};

use crate::{Axis, Column, Condition, Duel, Refusal, Solution};

/// A whole number as a number, anything else as a text.
pub fn value(text: &str) -> Json {
    text.parse::<i64>().map_or_else(|_| json!(text), |whole| json!(whole))
}

/// What a program says at each point.
pub fn sweep<'a>(
    expression: &str,
    axes: &[Axis],
    points: impl Iterator<Item = (&'a [&'a str], &'a [Column])>,
) -> Json {
    let points: Vec<Json> = points.map(|(place, columns)| point(axes, place, columns)).collect();
    json!({ "format": 1, "expression": expression, "points": points })
}

fn point(axes: &[Axis], place: &[&str], columns: &[Column]) -> Json {
    let inputs: Map<String, Json> =
        axes.iter().zip(place).map(|(axis, at)| (axis.name.clone(), value(at))).collect();
    // A deviation is rounded for reading, and no answer of its own.
    let exact = || columns.iter().filter(|column| !column.rounded);
    let values: Map<String, Json> =
        exact().map(|it| (it.title.clone(), json!(it.value.to_string()))).collect();
    let decimals: Map<String, Json> =
        exact().map(|it| (it.title.clone(), decimal(&it.value))).collect();
    json!({ "inputs": inputs, "values": values, "decimals": decimals })
}

/// The chances of conditions, for each result.
pub fn asked(odds: &Odds, conditions: &[Condition]) -> Result<Json, Refusal> {
    let mut asked = Vec::new();
    for answer in &odds.results {
        for condition in conditions {
            let chance = condition.chance(answer)?;
            asked.push(json!({
                "condition": condition.words(),
                "chance": chance.to_string(),
                "decimal": decimal(&chance),
            }));
        }
    }
    Ok(asked.into())
}

/// About how many digits the chances of an answer have, above and below the line: a table of fifty thousand sums with
/// fifteen thousand digits each is soon known, and long written.
pub fn digits(answer: &Answer) -> u64 {
    let Some(law) = &answer.law else { return 0 };
    let bits = law.as_table().map_or(0, |table| table.total().bit_len() as u64);
    (answer.outcomes.len() as u64).saturating_mul(bits).saturating_mul(6) / 10
}

/// One answer; with a second input, one for each of its values that has any.
pub fn solve(expression: &str, answers: &[Solution<'_>], beside: Option<&Axis>) -> Json {
    let Some(other) = beside else {
        return answers.first().map_or(Json::Null, |answer| solution(answer, expression));
    };
    let known = other.values.iter().zip(answers).filter(|(_, answer)| !answer.points.is_empty());
    let each = known.map(|(at, answer)| {
        let mut told = solution(answer, expression);
        told["given"] = json!({ &other.name: value(at) });
        told
    });
    json!({ "format": 1, "expression": expression, "answers": each.collect::<Vec<_>>() })
}

fn solution(solution: &Solution<'_>, expression: &str) -> Json {
    let (goal, key) = (&solution.goal, solution.goal.key());
    let point = |(at, measured): &(&String, Rational)| json!({ "value": value(at), key: measured.to_string(), "decimal": decimal(measured) });
    json!({
        "format": 1,
        "expression": expression,
        "input": solution.axis.name,
        "goal": if goal.at_most { "at most" } else { "at least" },
        key: goal.target.to_string(),
        "decimal": decimal(&goal.target),
        "direction": solution.direction(),
        "solutions": solution.found().map(|(at, _)| value(at)).collect::<Vec<_>>(),
        "points": solution.points.iter().map(point).collect::<Vec<_>>(),
        "refused": solution.refused.iter().map(|at| value(at)).collect::<Vec<_>>(),
    })
}

/// Programs, each as `odds` tells it, and each pair of their numbers against each other.
pub fn compare(programs: Vec<Json>, duels: &[Duel<'_>]) -> Json {
    let duels: Vec<Json> = duels.iter().map(duel).collect();
    json!({ "format": 1, "programs": programs, "duels": duels })
}

fn duel(duel: &Duel<'_>) -> Json {
    let [first, second] = duel.names;
    let [higher, equal, lower] = duel.chances.each_ref().map(ToString::to_string);
    let decimals = duel.chances.each_ref().map(decimal);
    json!({
        "first": first, "second": second,
        "first_higher": higher, "equal": equal, "second_higher": lower,
        "decimals": {
            "first_higher": decimals[0], "equal": decimals[1], "second_higher": decimals[2],
        },
    })
}
