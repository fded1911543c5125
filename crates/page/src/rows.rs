//! The rows of a result, as text; and `rows`, which asks for those that an answer has held back.
//!
//! A program may show hundreds of results with hundreds of outcomes each, of which a page draws a few. To write all of
//! them costs more than to compute them. So an answer has room for so many rows; a result beyond that says that its
//! rows are held, and they are asked for when somebody wants to see them.

use astragal::{Answer, Odds, Rational, Type, Value};
use astragal_show::decimal::float;
use astragal_show::rows::{Merged, shown};
use astragal_show::weights::Weights;
use serde_json::Value as Json;

use crate::Host;
use crate::chance::{Room, write_float};
use crate::diagnostics::refused;
use crate::kept;
use crate::odds::computed;
use crate::request::Request;

/// The most outcomes of a result that are given.
const MOST_ROWS: usize = 20_000;
/// So many results are drawn together, and all of their rows are given.
const DRAWN_TOGETHER: usize = 12;
/// Where there are more results: the rows that they may have together. The first few are drawn at once.
const MOST_TOGETHER: usize = 1_000;
const DRAWN_FIRST: usize = 3;

/// Which results have their rows in the answer; the others are held.
pub(crate) fn given(results: &[Answer]) -> Vec<bool> {
    let mut room = if results.len() <= DRAWN_TOGETHER { usize::MAX } else { MOST_TOGETHER };
    let given = results.iter().enumerate().map(|(place, answer)| {
        let count = count(answer);
        // Few rows are not worth a question of their own; fields of a record are looked at together.
        let small = count <= 2 || !answer.field.is_empty() || !numbers(answer);
        let given = place < DRAWN_FIRST || count <= room || small;
        room = room.saturating_sub(count);
        given
    });
    given.collect()
}

/// How long fractions may be where these results have their rows.
pub(crate) fn room<'a>(results: impl Iterator<Item = &'a Answer>) -> Room {
    let chances = results.map(|answer| count(answer) * if numbers(answer) { 3 } else { 1 });
    Room::for_each_of(chances.sum())
}

fn count(answer: &Answer) -> usize {
    answer.outcomes.len().min(MOST_ROWS)
}

fn numbers(answer: &Answer) -> bool {
    answer.outcomes.values().iter().all(|value| value.as_number().is_some())
}

/// The rows of one result, written at the end of a text.
pub(crate) fn write(answer: &Answer, merged: &Merged<'_>, room: Room, text: &mut String) {
    let weights = &merged.weights[0];
    let count = merged.values.len().min(MOST_ROWS);
    let numbers = merged.are_numbers();
    text.push('[');
    for number in 0..count {
        // A yes comes first, as in the terminal.
        let place = if answer.ty == Type::Bool { count - 1 - number } else { number };
        text.push_str(if number == 0 { "" } else { "," });
        row(merged.values[place], place, weights, numbers, room, text);
    }
    text.push(']');
}

fn row(
    value: &Value,
    place: usize,
    weights: &Weights,
    numbers: bool,
    room: Room,
    text: &mut String,
) {
    text.push_str("{\"label\":");
    text.push_str(&Json::from(shown(value)).to_string());
    text.push_str(",\"value\":");
    match value.as_number() {
        Some(number) => write_float(float(&number.to_rational()), text),
        None => text.push_str("null"),
    }
    text.push_str(",\"exactly\":");
    room.write(&weights.weight(place, place + 1), weights.total(), text);
    let ends = weights.ends().filter(|_| numbers);
    text.push_str(",\"at_least\":");
    match ends {
        Some((_, above)) => part(weights, place, weights.count(), above, room, text),
        None => text.push_str("null"),
    }
    text.push_str(",\"at_most\":");
    match ends {
        Some((below, _)) => part(weights, 0, place + 1, below, room, text),
        None => text.push_str("null"),
    }
    text.push('}');
}

/// The chance of the places from `start` up to `end`, and of what lies beyond.
fn part(
    weights: &Weights,
    start: usize,
    end: usize,
    beyond: &Rational,
    room: Room,
    text: &mut String,
) {
    if beyond.is_zero() {
        return room.write(&weights.weight(start, end), weights.total(), text);
    }
    let (top, bottom) = (weights.between(start, end) + beyond).into_parts();
    room.write(&top.into_parts().1, &bottom, text);
}

/// The rows of one result that were held.
#[inline(never)]
pub(crate) fn rows(request: &Request, host: &Host) -> Result<String, String> {
    let number = request.optional_number("result")?.ok_or("`result` is missing")?;
    let told = |odds: &Odds| {
        let answer = usize::try_from(number).ok().and_then(|number| odds.results.get(number));
        let answer = answer.ok_or_else(|| format!("there is no result {number}"))?;
        let mut text = String::from("{\"ok\":true,\"rows\":");
        write(answer, &Merged::of(&[answer]), room([answer].into_iter()), &mut text);
        text.push('}');
        Ok(text)
    };
    if let Some(known) = kept::with(&request.question(), told) {
        return known;
    }
    // Another question was asked since, or another worker was asked.
    match computed(request, host)? {
        Ok(odds) => {
            let text = told(&odds);
            kept::keep(request.question(), odds);
            text
        }
        Err(wrong) => Ok(refused(&wrong).to_string()),
    }
}
