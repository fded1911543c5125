//! `rolls`: the program rolled many times, and how often each outcome came up, to be drawn over its odds.

use std::collections::BTreeMap;

use astragal::faces::Seeded;
use astragal::{Diagnostics, Program, Value};
use astragal_show::decimal::float;
use astragal_show::rows::shown;
use serde_json::{Value as Json, json};

use crate::Host;
use crate::diagnostics::refused;
use crate::parts::parts;
use crate::request::Request;
use crate::source::{Source, budget};

/// The most rolls of one request.
const MOST: u64 = 100_000;
/// Rolls end after so many dice, however many are still to come: nobody waits for minutes.
const MOST_DICE: u64 = 20_000_000;
/// How often the page hears of it.
const TELL_EVERY: u64 = 500;

pub(crate) fn rolls(request: &Request, host: &Host) -> Result<Json, String> {
    let source = Source::of(request)?;
    let count = request.optional_number("count")?.unwrap_or(1000).min(MOST);
    let seed = match request.optional_text("seed")?.map(str::trim) {
        Some(text) => text.parse().map_err(|_| format!("`{text}` is no seed"))?,
        None => (host.seed)().ok_or("this browser gives no random numbers")?,
    };
    let told = source
        .set_program(&budget(request, host)?)
        .and_then(|program| rolled(&program, count, seed, host));
    Ok(told.unwrap_or_else(|wrong| refused(&wrong)))
}

fn rolled(program: &Program, count: u64, seed: u64, host: &Host) -> Result<Json, Diagnostics> {
    let mut counts: Vec<BTreeMap<Value, u64>> = Vec::new();
    let (mut done, mut dice) = (0, 0);
    while done < count && dice < MOST_DICE {
        let roll = program.roll(&mut Seeded::new(seed, done))?;
        let found = parts(program, &roll.value);
        counts.resize_with(found.len().max(counts.len()), BTreeMap::new);
        for (counts, value) in counts.iter_mut().zip(found) {
            match counts.get_mut(value) {
                Some(times) => *times += 1,
                None => drop(counts.insert(value.clone(), 1)),
            }
        }
        done += 1;
        dice += 1 + roll.dice.len() as u64;
        if done.is_multiple_of(TELL_EVERY) {
            (host.progress)(done, count);
        }
    }
    Ok(json!({
        "ok": true,
        "count": done,
        "seed": seed.to_string(),
        "results": counts.iter().map(one).collect::<Vec<_>>(),
    }))
}

/// How often each outcome of one result came up, and their mean if they are numbers.
fn one(counts: &BTreeMap<Value, u64>) -> Json {
    let row = |(value, times): (&Value, &u64)| json!({"label": shown(value), "times": times});
    let number = |(value, times): (&Value, &u64)| {
        Some((float(&value.as_number()?.to_rational()), *times as f64))
    };
    let numbers: Option<Vec<(f64, f64)>> = counts.iter().map(number).collect();
    let mean = numbers.map(|numbers| {
        let sum: f64 = numbers.iter().map(|(value, times)| value * times).sum();
        sum / numbers.iter().map(|(_, times)| times).sum::<f64>()
    });
    json!({"counts": counts.iter().map(row).collect::<Vec<_>>(), "mean": mean})
}
