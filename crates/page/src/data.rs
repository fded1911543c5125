//! `data`: what the command line prints with `--json`, byte for byte, for those who ask from a program.
//!
//! | `of` | what comes back | where |
//! |---|---|---|
//! | `odds`, `roll` | of one program, which may be prepared once and asked often | `prepared.rs` |
//! | `check` | what is wrong with it, or hints | `prepared.rs` |
//! | `sweep`, `solve` | one program at many values of its inputs | `points.rs` |
//! | `compare` | several programs against each other | `compare.rs` |
//! | `convert`, `systems` | another tool's notation in ours; the rule systems | `words.rs` |
//!
//! A refusal is `{"refused": …, "over_budget": …, "diagnostics": […]}`: first what the command line would print, then
//! the same with places that a browser counts and with words to show.

mod compare;
mod points;
mod prepared;
mod words;

use astragal::Diagnostics;
use astragal::json as shapes;
use astragal_vary::Refusal;
use serde_json::{Value as Json, json};

use crate::Host;
use crate::diagnostics::{list, plain};
use crate::request::Request;

pub use prepared::Prepared;

/// Why there is no answer.
pub(crate) enum Refused {
    /// The program is wrong, or costs too much.
    Program(Box<Diagnostics>),
    /// The question is wrong, in words.
    Asked(String),
    /// The answer costs too much beside the program itself, in words.
    Costly(String),
}

impl From<Diagnostics> for Refused {
    fn from(wrong: Diagnostics) -> Refused {
        Refused::Program(Box::new(wrong))
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Refused {
        match refusal {
            Refusal::Program(wrong) => Refused::Program(wrong),
            Refusal::Asked(wrong) => Refused::Asked(wrong),
        }
    }
}

impl From<String> for Refused {
    fn from(wrong: String) -> Refused {
        Refused::Asked(wrong)
    }
}

impl Refused {
    fn told(&self) -> Json {
        let (message, over_budget) = match self {
            Refused::Program(wrong) => {
                return json!({
                    "refused": shapes::diagnostics(wrong),
                    "over_budget": wrong.is_over_budget(),
                    "diagnostics": list(wrong),
                });
            }
            Refused::Asked(message) => (message, false),
            Refused::Costly(message) => (message, true),
        };
        let as_printed = json!({
            "severity": "error", "code": "usage", "message": message,
            "labels": [], "help": [], "edits": [],
        });
        json!({
            "refused": {"format": 1, "diagnostics": [as_printed]},
            "over_budget": over_budget,
            "diagnostics": [plain("usage", message)],
        })
    }
}

/// `check`: what is wrong with a program, or may not be what was meant, with places that a browser counts.
pub(crate) fn check(request: &Request, host: &Host) -> Json {
    let checked = Prepared::of(request, host).and_then(|prepared| prepared.checked());
    match checked {
        Ok(hints) => json!({"ok": true, "over_budget": false, "diagnostics": list(&hints)}),
        Err(refused) => {
            let mut told = refused.told();
            let (over_budget, diagnostics) =
                (told["over_budget"].take(), told["diagnostics"].take());
            json!({"ok": false, "over_budget": over_budget, "diagnostics": diagnostics})
        }
    }
}

pub(crate) fn data(request: &Request, host: &Host) -> Result<Json, String> {
    let told = match request.text("of")? {
        "odds" | "roll" | "check" => {
            Prepared::of(request, host).and_then(|prepared| prepared.told(request, host))
        }
        "sweep" => points::sweep(request, host),
        "solve" => points::solve(request, host),
        "compare" => compare::compare(request, host),
        "convert" => words::convert(request, host),
        "systems" => words::systems(),
        other => return Err(format!("there is no data of `{other}`")),
    };
    Ok(told.unwrap_or_else(|refused| refused.told()))
}
