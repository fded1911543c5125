//! How it is played: what to take when, what that is worth, what mistakes cost.

use astragal_play::{Advice, Loss, advice};
use astragal_program::core::Who;
use serde_json::{Map, Value as Json, json};

use super::{between, decimal, decimals_between, place};
use crate::program::{Odds, Program};

/// More rules than that are not written out; `rules_left_out` says how many there are.
const MOST_RULES: usize = 1000;

/// An object for each choice.
pub(super) fn policy(program: &Program, odds: &Odds) -> Json {
    advice(&odds.plays).iter().map(|advice| choice(program, advice)).collect()
}

fn choice(program: &Program, advice: &Advice) -> Json {
    let (value, of_value) = match (&advice.value, &advice.within) {
        (Some(value), _) => (json!(value.to_string()), decimal(value)),
        (None, Some(ends)) => (between(ends), decimals_between(ends)),
        (None, None) => (Json::Null, Json::Null),
    };
    let losses = |of: &dyn Fn(&Loss) -> Json| {
        let each = advice.losses.iter().map(|(label, lost)| (label.to_string(), of(lost)));
        Json::Object(each.collect::<Map<_, _>>())
    };
    let lost = |lost: &Loss| match lost {
        Loss::Exactly(lost) => json!(lost.to_string()),
        Loss::Infinite => json!("infinite"),
        Loss::Endless => json!("endless"),
        _ => Json::Null,
    };
    let as_number = |lost: &Loss| lost.exactly().map_or(Json::Null, decimal);
    let rules = advice.rules.iter().take(MOST_RULES).map(|rule| {
        json!({
            "when": rule.when,
            "take": rule.take,
            "chance": rule.chance.to_string(),
            "decimal": decimal(&rule.chance),
        })
    });
    let mut object = json!({
        "choice": program.choice_in_words(advice),
        "who": match advice.who { Who::Player => "player", Who::Opponent => "opponent" },
        "place": place(program.hints(), advice.span),
        "rules": rules.collect::<Vec<_>>(),
        "value": value,
        "loss": losses(&lost),
        "decimals": {"value": of_value, "loss": losses(&as_number)},
    });
    if advice.value.is_none() && advice.within.is_none() {
        object["unknown"] = json!(match advice.about {
            Some(_) =>
                "an endless roll is used in a way that is not followed beyond what is listed",
            None => "something goes wrong, or nothing counts, whatever is taken",
        });
    }
    if let Some((time, times)) = advice.time {
        object["time"] = json!(time);
        object["times"] = json!(times);
    }
    if advice.rules.len() > MOST_RULES {
        object["rules_left_out"] = json!(advice.rules.len() - MOST_RULES);
    }
    object
}
