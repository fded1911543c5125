//! One answer, ready to be drawn, read and spoken.

use astragal::{Answer, Rational, Type, Value};
use astragal_show::beside;
use astragal_show::brief::{line, range};
use astragal_show::decimal::{float, percent_of, root, short};
use astragal_show::rows::{Merged, shown};
use astragal_show::summary::percentiles;
use astragal_show::weights::Weights;
use serde_json::{Value as Json, json};

use crate::chance::{Room, quantity};

/// The most outcomes that are given.
const MOST_ROWS: usize = 20_000;

/// An answer; `text` is what the only result is called.
pub(crate) fn result(answer: &Answer, text: &str) -> Json {
    let merged = Merged::of(&[answer]);
    let weights = &merged.weights[0];
    let numbers = merged.are_numbers();
    let count = merged.values.len().min(MOST_ROWS);
    let room = Room::for_each_of(if numbers { 3 * count } else { count });
    let row = |place: usize| row(merged.values[place], place, weights, numbers, room);
    let mut rows: Vec<Json> = (0..count).map(row).collect();
    if answer.ty == Type::Bool {
        // A yes comes first, as in the terminal.
        rows.reverse();
    }
    let told = |chance: &Rational| match chance.is_zero() {
        true => Json::Null,
        false => room.chance(chance),
    };
    let percentiles = percentiles(answer).into_iter();
    let variance = answer.variance();
    let notices = answer.notices.iter().map(|notice| notice.to_string());
    let notices = notices.chain(beside::never(answer)).chain(beside::evidence(answer));
    json!({
        "name": answer.name.as_deref(),
        "field": (!answer.field.is_empty()).then(|| answer.field.join(".")),
        "type": answer.ty.to_string(),
        "kind": kind(&answer.ty),
        "rows": rows,
        "shown_of": merged.values.len(),
        "rest": told(&(&answer.rest - &answer.never - &answer.lost).max(Rational::ZERO)),
        "lost": told(&answer.lost),
        "mean": answer.mean().as_ref().map(quantity),
        "variance": variance.as_ref().map(quantity),
        "deviation": variance.map(|variance| short(&root(&variance, 4), 4)),
        "percentiles": percentiles
            .map(|(percent, label)| json!({"percent": percent, "label": label}))
            .collect::<Vec<_>>(),
        "notices": notices.collect::<Vec<_>>(),
        "sentence": sentence(answer, &merged, text),
    })
}

fn kind(ty: &Type) -> &'static str {
    match ty {
        Type::Number | Type::Pool(_) => "number",
        Type::Bool => "truth",
        Type::Enum(_) | Type::Text => "name",
        _ => "other",
    }
}

fn row(value: &Value, place: usize, weights: &Weights, numbers: bool, room: Room) -> Json {
    let last = weights.count();
    let ends = weights.ends().filter(|_| numbers);
    let at_least = ends.map(|(_, above)| part(weights, place, last, above, room));
    let at_most = ends.map(|(below, _)| part(weights, 0, place + 1, below, room));
    json!({
        "label": shown(value),
        "value": value.as_number().map(|number| float(&number.to_rational())),
        "exactly": room.share(&weights.weight(place, place + 1), weights.total()),
        "at_least": at_least,
        "at_most": at_most,
    })
}

/// The chance of the places from `start` up to `end`, and of what lies beyond.
fn part(weights: &Weights, start: usize, end: usize, beyond: &Rational, room: Room) -> Json {
    if beyond.is_zero() {
        return room.share(&weights.weight(start, end), weights.total());
    }
    room.chance(&(weights.between(start, end) + beyond))
}

/// For those who listen: `4d6kh3: from 3 to 18, most likely 13 (13.27%), mean 12.24`.
fn sentence(answer: &Answer, merged: &Merged<'_>, text: &str) -> String {
    let parts = answer.name.iter().chain(&answer.field).map(|part| &**part);
    let title = parts.collect::<Vec<_>>().join(", ");
    let title = if title.is_empty() { text } else { &title };
    let several = merged.values.len() > 1 && merged.are_numbers();
    let weight = |place: usize| merged.weights[0].weight(place, place + 1);
    // Of equally likely ones the first.
    let likeliest = (0..merged.values.len()).rev().max_by_key(|place| weight(*place));
    match likeliest.filter(|_| several) {
        Some(place) => {
            let mean = answer.mean().map(|mean| format!(", mean {}", short(&mean, 2)));
            let (range, mean) = (range(answer), mean.unwrap_or_default());
            let percent = percent_of(&weight(place), merged.weights[0].total());
            let value = shown(merged.values[place]);
            format!("{title}: {range}, most likely {value} ({percent}){mean}")
        }
        None => format!("{title}: {}", line(answer)),
    }
}
