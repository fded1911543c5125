//! What the page asks, and what it is told: JSON text in, JSON text out.
//!
//! | `ask` | what comes back | where |
//! |---|---|---|
//! | `odds` | exact odds, ready to be drawn, and how to decide | `odds.rs`, `result.rs`, `policy.rs` |
//! | `rows` | the rows of a result that the odds have held back | `rows.rs`, `kept.rs` |
//! | `convert` | an AnyDice program in our language | `odds.rs` |
//! | `roll` | one roll, explained | `roll.rs` |
//! | `decide` | one roll as far as a person has decided, and what there is to take | `decide.rs`, `person.rs` |
//! | `rolls` | how often each outcome came up in many rolls | `rolls.rs` |
//! | `joint` | how the fields of a record go together | `joint.rs` |
//! | `export` | a file for another program | `export.rs` |
//! | `sweep`, `solve` | how numbers change with an input; which value of it is enough | `sweep.rs`, `solve.rs`, `survey.rs` |
//! | `check` | what is wrong with a program, or hints | `data.rs` |
//! | `data` | what the command line prints as JSON, for programs | `data.rs` |
//! | `picture`, `copy` | a drawn chart, and text for a chat | `picture.rs`, `copy.rs` |
//! | `tokens`, `complete`, `format` | help for the editor | `editor.rs` |
//! | `systems`, `source` | the rule systems and their forms | `systems.rs` |
//! | `thrown` | what a roll at a table comes to, by its key | `thrown.rs` |
//! | `luck` | how lucky rolls at a table were, by seat and all together | `luck.rs` |
//!
//! All places are UTF-16 units of the text they speak of, as browsers count. A wrong program is an
//! ordinary answer, `{"ok": false, "diagnostics": […]}`; nothing here throws.

mod chance;
mod copy;
mod data;
mod decide;
mod diagnostics;
mod editor;
mod export;
mod inputs;
mod joint;
mod kept;
mod luck;
mod odds;
mod parts;
mod person;
mod picture;
mod policy;
mod request;
mod result;
mod roll;
mod rolls;
mod rows;
mod solve;
mod source;
mod survey;
mod sweep;
mod systems;
mod thrown;
mod units;

use serde_json::{Value as Json, json};

use request::Request;

pub use data::Prepared;

/// What only the page's surroundings can do.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// A fresh seed, of 53 bits at most.
    pub seed: fn() -> Option<u64>,
    /// Is told during long work how many steps are used, and how many are allowed.
    pub progress: fn(used: u64, allowed: u64),
}

/// Answers a request.
pub fn answer(request: &str, host: &Host) -> String {
    let told = Request::read(request).and_then(|request| write(&request, host));
    told.unwrap_or_else(|wrong| not_understood(&wrong).to_string())
}

/// What may be long is written as it is made.
fn write(request: &Request, host: &Host) -> Result<String, String> {
    match request.text("ask")? {
        "odds" => odds::odds(request, host),
        "rows" => rows::rows(request, host),
        _ => tell(request, host).map(|told| told.to_string()),
    }
}

/// Apart from the odds, so that what draws the first answer is small.
#[inline(never)]
fn tell(request: &Request, host: &Host) -> Result<Json, String> {
    match request.text("ask")? {
        "roll" => roll::roll(request, host),
        "decide" => decide::decide(request, host),
        "rolls" => rolls::rolls(request, host),
        "joint" => joint::joint(request, host),
        "data" => data::data(request, host),
        "check" => Ok(data::check(request, host)),
        "copy" => copy::copy(request, host),
        "picture" => picture::picture(request, host),
        "convert" => odds::convert(request, host),
        "export" => export::export(request, host),
        "sweep" => sweep::sweep(request, host),
        "solve" => solve::solve(request, host),
        "tokens" => editor::tokens(request),
        "complete" => editor::complete(request),
        "format" => editor::format(request),
        "systems" => systems::systems(request),
        "source" => systems::source(request),
        "thrown" => thrown::thrown(request),
        "luck" => luck::luck(request, host),
        other => Err(format!("nobody can ask for `{other}`")),
    }
}

/// A request that is no request: the page itself is wrong.
fn not_understood(wrong: &str) -> Json {
    let diagnostic = diagnostics::plain("bad-request", wrong);
    json!({"ok": false, "over_budget": false, "inputs": [], "diagnostics": [diagnostic]})
}
