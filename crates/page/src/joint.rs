//! `joint`: how the fields of a record go together: which are always the same, how they correlate, and the chance of each
//! pair of outcomes of two of them.
//!
//! The fields of a result are told apart by `odds`, which is cheap; together they may cost much more, so that this is a
//! question of its own, and a page that gets no answer has lost little.

use std::collections::BTreeMap;

use astragal::{Answer, Moments, Rational, Value};
use astragal_show::correlation::{always_equal, correlation};
use astragal_show::decimal::{float, short};
use astragal_show::rows::{label, shown};
use serde_json::{Value as Json, json};

use crate::Host;
use crate::chance::Room;
use crate::diagnostics::refused;
use crate::request::Request;
use crate::source::{Source, budget};

/// A side of a map has at most so many places; neighbouring numbers share one.
const MOST_PLACES: usize = 24;
/// More combinations than this are not gone through for a picture.
const MOST_OUTCOMES: usize = 50_000;

pub(crate) fn joint(request: &Request, host: &Host) -> Result<Json, String> {
    let source = Source::of(request)?;
    let budget = budget(request, host)?;
    let name = request.optional_text("result")?;
    let pair = request.optional_text("across")?.zip(request.optional_text("down")?);
    let odds = source.set_program(&budget).and_then(|program| program.odds(&budget));
    let odds = match odds {
        Ok(odds) => odds,
        Err(wrong) => return Ok(refused(&wrong)),
    };
    let answer = odds.results.iter().find(|answer| answer.name.as_deref() == name);
    let answer = answer.ok_or("there is no result of this name")?;
    let mut told = json!({"ok": true, "moments": answer.moments.as_ref().map(moments)});
    if let Some((across, down)) = pair {
        told["map"] = map(answer, across, down).unwrap_or(Json::Null);
    }
    Ok(told)
}

/// Each field with the first one that is always the same, and the correlations of each with each.
fn moments(moments: &Moments) -> Json {
    let names: Vec<String> = moments.fields.iter().map(|path| path.join(".")).collect();
    let varies = |at: usize| !moments.covariances[at][at].is_zero();
    let same = |at: usize| (0..at).find(|first| always_equal(moments, *first, at));
    let cell = |a: usize, b: usize| {
        let known = varies(a) && varies(b);
        known
            .then(|| correlation(moments, a, b))
            .map(|number| json!({"text": short(&number, 2), "value": float(&number)}))
    };
    let count = names.len();
    let row = |a: usize| (0..count).map(|b| cell(a, b)).collect::<Vec<_>>();
    json!({
        "fields": names,
        "same": (0..count).map(same).collect::<Vec<_>>(),
        "correlations": (0..count).map(row).collect::<Vec<_>>(),
    })
}

/// The chances of the pairs; none if there are too many outcomes or no such fields.
fn map(answer: &Answer, across: &str, down: &str) -> Option<Json> {
    if answer.outcomes.len() > MOST_OUTCOMES {
        return None;
    }
    let mut pairs: BTreeMap<(&Value, &Value), Rational> = BTreeMap::new();
    for (value, chance) in answer.outcomes.iter() {
        let pair = (field(value, across)?, field(value, down)?);
        *pairs.entry(pair).or_insert(Rational::ZERO) += chance;
    }
    let across = Side::of(pairs.keys().map(|(across, _)| *across));
    let down = Side::of(pairs.keys().map(|(_, down)| *down));
    let mut cells = vec![vec![Rational::ZERO; across.labels.len()]; down.labels.len()];
    for ((x, y), chance) in &pairs {
        cells[down.place(y)][across.place(x)] += chance;
    }
    let room = Room::for_each_of(across.labels.len() * down.labels.len());
    let cell = |chance: &Rational| (!chance.is_zero()).then(|| room.chance(chance));
    let row = |row: &Vec<Rational>| row.iter().map(cell).collect::<Vec<_>>();
    Some(json!({
        "across": across.labels,
        "down": down.labels,
        "cells": cells.iter().map(row).collect::<Vec<_>>(),
        "rest": (!answer.rest.is_zero()).then(|| room.chance(&answer.rest)),
    }))
}

/// A field of a record by its names from the outside in: `attacker.total`.
fn field<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(value, |value, name| match value {
        Value::Record(shape, fields) => {
            fields.get(shape.fields.iter().position(|field| **field == *name)?)
        }
        _ => None,
    })
}

/// One side of a map: its outcomes in order, or ranges of them where there are many.
struct Side {
    labels: Vec<String>,
    /// The place of each outcome.
    places: BTreeMap<Value, usize>,
}

impl Side {
    fn of<'v>(outcomes: impl Iterator<Item = &'v Value>) -> Side {
        let mut values: Vec<&Value> = outcomes.collect();
        values.sort_unstable();
        values.dedup();
        let numbers = values.iter().all(|value| value.as_number().is_some());
        let size = match numbers {
            true => values.len().div_ceil(MOST_PLACES).max(1),
            // Names have no neighbours.
            false => 1,
        };
        let labels = values.chunks(size).map(|chunk| match chunk {
            [only] => shown(only),
            several => label(several),
        });
        let labels = labels.collect();
        let places = values.iter().enumerate().map(|(at, value)| ((*value).clone(), at / size));
        Side { labels, places: places.collect() }
    }

    fn place(&self, value: &Value) -> usize {
        self.places.get(value).copied().unwrap_or(0)
    }
}
