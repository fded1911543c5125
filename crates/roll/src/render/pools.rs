//! The pools of a glance as data, for whoever draws the dice.
//!
//! The lines of a glance tell which dice were thrown together, which came from which, and what was done
//! to them; the flat list of dice in `roll --json` does not. So this says what the lines say, in their
//! order, with a die for a die: `7d10 reroll once <= 7, explode` and its dice with their fates. Where somebody decided, what
//! was taken stands between what was thrown before and after.

use std::collections::HashMap;

use astragal_program::core::Who;
use astragal_value::Number;
use serde_json::{Value as Json, json};

use super::View;
use super::json::value_to_json;
use super::lines::{Links, group_depth, words};
use crate::explanation::{DieId, Roll};
use crate::steps::{PoolDie, StepKind};

/// The pools and the choices that the lines of a glance show, as a JSON array; a choice has the field `choice`.
pub fn pools(roll: &Roll, view: &View<'_>) -> Json {
    let links = Links::of(roll);
    let shown = (0..roll.steps.len()).filter(|&index| links.worth_a_glance(roll, index));
    Json::Array(shown.filter_map(|index| pool(roll, view, &links, index)).collect())
}

fn pool(roll: &Roll, view: &View<'_>, links: &Links<'_>, index: usize) -> Option<Json> {
    let step = &roll.steps[index];
    let (dice, total) = match &step.kind {
        StepKind::Pool { dice, total, .. } => (dice, total),
        StepKind::Chosen { .. } => return Some(choice(&step.kind)),
        _ => return None,
    };
    let dice = roll.dice_of(dice);
    let places: HashMap<DieId, usize> =
        dice.iter().enumerate().filter_map(|(place, die)| Some((die.die?, place))).collect();
    Some(json!({
        "name": links.names[index].map(ToString::to_string),
        "words": words(roll, view, step),
        "depth": group_depth(roll, index),
        "total": value_to_json(&total.value()),
        "dice": dice.iter().map(|die| one(roll, &places, die)).collect::<Vec<_>>(),
    }))
}

/// What was taken, of what, and what each is worth where that is known.
fn choice(kind: &StepKind) -> Json {
    let StepKind::Chosen { who, taken, options, worth, is_chance, best } = kind else {
        return Json::Null;
    };
    let worth = |at: usize| Some(Number::worth(worth.as_ref()?.get(at)?, *is_chance));
    let options = options.iter().enumerate();
    let options = options.map(|(at, label)| json!({"label": &**label, "worth": worth(at)}));
    json!({"choice": {
        "opponent": *who == Who::Opponent,
        "taken": taken,
        "best": best,
        "options": options.collect::<Vec<_>>(),
    }})
}

/// A die as its pool sees it. A member that stands for a total has no die of its own.
fn one(roll: &Roll, places: &HashMap<DieId, usize>, die: &PoolDie) -> Json {
    let record = die.die.and_then(|id| roll.dice.get(id));
    let record = record.as_ref();
    let from = record.and_then(|record| places.get(&record.from?));
    json!({
        "die": record.map_or(String::new(), |record| record.kind.name().to_string()),
        "sides": record.map(|record| record.kind.total()),
        "face": record.map(|record| value_to_json(&record.face)),
        "shows": value_to_json(&die.shows),
        "throws": record.map_or(&[][..], |record| record.throws).iter().map(value_to_json).collect::<Vec<_>>(),
        "dropped": die.fates.dropped,
        "rerolled": die.fates.rerolled,
        "exploded": die.fates.exploded,
        "clamped": die.fates.clamped,
        "for": die.fates.counted_for,
        "against": die.fates.counted_against,
        "from": from,
        "label": record.and_then(|record| Some(&**record.label?)),
    })
}
