//! How it is played: what to take when, what that is worth, what mistakes cost.

use astragal_play::{Advice, advice};
use astragal_prob::Rational;
use astragal_program::core::Who;
use serde_json::{Map, Value as Json, json};

use super::{decimal, place};
use crate::program::{Odds, Program};

/// More rules than that are not written out; `rules_left_out` says how many there are.
const MOST_RULES: usize = 1000;

/// An object for each choice.
pub(super) fn policy(program: &Program, odds: &Odds) -> Json {
    advice(&odds.plays).iter().map(|advice| choice(program, advice)).collect()
}

fn choice(program: &Program, advice: &Advice) -> Json {
    let fraction = |value: &Option<Rational>| {
        value.as_ref().map_or(Json::Null, |value| json!(value.to_string()))
    };
    let number = |value: &Option<Rational>| value.as_ref().map_or(Json::Null, decimal);
    let losses = |of: &dyn Fn(&Option<Rational>) -> Json| {
        let each = advice.losses.iter().map(|(label, lost)| (label.to_string(), of(lost)));
        Json::Object(each.collect::<Map<_, _>>())
    };
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
        "value": fraction(&advice.value),
        "loss": losses(&fraction),
        "decimals": {"value": number(&advice.value), "loss": losses(&number)},
    });
    if let Some((time, times)) = advice.time {
        object["time"] = json!(time);
        object["times"] = json!(times);
    }
    if advice.rules.len() > MOST_RULES {
        object["rules_left_out"] = json!(advice.rules.len() - MOST_RULES);
    }
    object
}
