//! What the page asks, and what it is told: JSON text in, JSON text out.
//!
//! | `ask` | what comes back | where |
//! |---|---|---|
//! | `odds` | exact odds, ready to be drawn | `odds.rs`, `result.rs` |
//! | `convert` | an AnyDice program in our language | `odds.rs` |
//! | `roll` | one roll, explained | `roll.rs` |
//! | `export` | a file for another program | `export.rs` |
//! | `tokens`, `complete`, `format` | help for the editor | `editor.rs` |
//! | `systems`, `source` | the rule systems and their forms | `systems.rs` |
//!
//! All places are UTF-16 units of the text they speak of, as browsers count. A wrong program is an
//! ordinary answer, `{"ok": false, "diagnostics": […]}`; nothing here throws.

mod chance;
mod diagnostics;
mod editor;
mod export;
mod inputs;
mod odds;
mod request;
mod result;
mod roll;
mod source;
mod systems;
mod units;

use serde_json::{Value as Json, json};

use request::Request;

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
    let told = Request::read(request).and_then(|request| tell(&request, host));
    told.unwrap_or_else(|wrong| not_understood(&wrong)).to_string()
}

fn tell(request: &Request, host: &Host) -> Result<Json, String> {
    match request.text("ask")? {
        "odds" => odds::odds(request, host),
        "roll" => roll::roll(request, host),
        "convert" => odds::convert(request, host),
        "export" => export::export(request, host),
        "tokens" => editor::tokens(request),
        "complete" => editor::complete(request),
        "format" => editor::format(request),
        "systems" => systems::systems(request),
        "source" => systems::source(request),
        other => Err(format!("nobody can ask for `{other}`")),
    }
}

/// A request that is no request: the page itself is wrong.
fn not_understood(wrong: &str) -> Json {
    let diagnostic = diagnostics::plain("bad-request", wrong);
    json!({"ok": false, "over_budget": false, "inputs": [], "diagnostics": [diagnostic]})
}
