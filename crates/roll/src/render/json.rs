//! JSON for machines: the shape of `astragal roll --json`.

use astragal_value::{Number, Value};
use serde_json::{Map, Value as Json, json};

use super::View;
use super::lines::{again, words};
use crate::explanation::{DieRecord, Roll};
use crate::steps::{Step, StepKind};

/// The roll as a JSON object, with its type and the seed it was rolled from.
pub fn json(roll: &Roll, view: &View<'_>, ty: &str, seed: Option<u64>) -> Json {
    let labels: Map<String, Json> =
        roll.labels().iter().map(|(label, n)| (label.to_string(), number(n))).collect();
    json!({
        "format": 1,
        "expression": view.expression,
        "type": ty,
        "value": value_to_json(&roll.value),
        "seed": seed,
        "dice": roll.dice.iter().map(die).collect::<Vec<_>>(),
        "steps": roll.steps.iter().map(|s| step(roll, view, s)).collect::<Vec<_>>(),
        "labels": labels,
        "notices": again(roll, view).into_iter().chain(roll.notices().iter().cloned()).collect::<Vec<_>>(),
    })
}

fn die(die: DieRecord<'_>) -> Json {
    json!({
        "id": die.id,
        "sides": die.kind.total(),
        "face": value_to_json(&die.face),
        "value": value_to_json(&die.value),
        "fate": die.fates.words(),
        "from": die.from,
        "label": die.label.map(|label| &**label),
    })
}

fn step(roll: &Roll, view: &View<'_>, step: &Step) -> Json {
    let value = match &step.kind {
        StepKind::Pool { total, .. } => value_to_json(&total.value()),
        StepKind::Named { value, .. }
        | StepKind::Call { result: value, .. }
        | StepKind::Measured { value } => value_to_json(value),
        StepKind::Branch { held, .. } => Json::Bool(*held),
        StepKind::Chosen { taken, options, worth, best, .. } => {
            let label = |at: usize| Json::String(options[at].to_string());
            let option = |at: usize| {
                let worth = worth.as_ref().map(|worth| number(&worth[at]));
                json!({ "take": label(at), "value": worth })
            };
            let all: Vec<Json> = (0..options.len()).map(option).collect();
            let text = words(roll, view, step);
            return json!({
                "text": text, "value": label(*taken), "options": all, "best": best.map(label),
            });
        }
        StepKind::Round { .. } | StepKind::Note { .. } => Json::Null,
    };
    json!({ "text": words(roll, view, step), "value": value })
}

/// A value as JSON: numbers when whole and fractions as text, booleans, texts and variants as text,
/// lists as arrays, records as objects, the absence of a value as null.
pub fn value_to_json(value: &Value) -> Json {
    match value {
        Value::Number(n) => number(n),
        Value::Bool(truth) => Json::Bool(*truth),
        Value::Text(text) => Json::String(text.to_string()),
        Value::Variant(variant) => Json::String(variant.name().to_owned()),
        Value::List(items) => Json::Array(items.iter().map(value_to_json).collect()),
        Value::Record(shape, fields) => Json::Object(
            shape
                .fields
                .iter()
                .zip(fields.iter())
                .map(|(name, field)| (name.to_string(), value_to_json(field)))
                .collect(),
        ),
        Value::None => Json::Null,
        other => Json::String(other.to_string()),
    }
}

/// A whole number of any size is a JSON number, a fraction is text.
fn number(n: &Number) -> Json {
    let text = n.to_string();
    match text.parse::<serde_json::Number>() {
        Ok(whole) if n.is_whole() => Json::Number(whole),
        _ => Json::String(text),
    }
}
