//! How a program is played in which somebody decides, in the words of the terminal.

use astragal::{Odds, Program};
use astragal_show::policy::{brief, told};
use serde_json::{Value as Json, json};

/// The most rules of a choice that are given. Who can remember more?
const MOST_RULES: usize = 1000;

/// An object for each choice: what to take when, what that comes to, what mistakes cost.
pub(crate) fn policy(program: &Program, odds: &Odds) -> Vec<Json> {
    let choices = told(program, odds).into_iter().map(|choice| {
        let rules = choice.rules.iter().take(MOST_RULES);
        let rules = rules.map(|rule| json!({"when": brief(&rule.when), "take": rule.take}));
        let losses = choice.losses.iter();
        let losses = losses.map(|(label, lost)| json!({"always": label, "loses": lost}));
        json!({
            "title": choice.value.as_ref().map(|(title, _)| title),
            "value": choice.value.as_ref().map(|(_, value)| value),
            "choice": choice.head,
            "rules": rules.collect::<Vec<_>>(),
            "rules_of": choice.rules.len(),
            "losses": losses.collect::<Vec<_>>(),
        })
    });
    choices.collect()
}
