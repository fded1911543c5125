//! `copy`: the odds as text for Reddit, Discord or anything that reads Markdown.

use astragal_show::chat::{About, Place, text};
use astragal_show::tables::answers;
use serde_json::{Value as Json, json};

use crate::Host;
use crate::diagnostics::refused;
use crate::export::view;
use crate::odds::until;
use crate::request::Request;
use crate::source::{Source, budget};

pub(crate) fn copy(request: &Request, host: &Host) -> Result<Json, String> {
    let source = Source::of(request)?;
    let (budget, until) = (budget(request, host)?, until(request)?);
    let place = match request.text("for")? {
        "markdown" => Place::Markdown,
        "reddit" => Place::Reddit,
        "discord" => Place::Discord,
        other => return Err(format!("nobody pastes into `{other}`")),
    };
    let view = view(request.optional_text("view")?.unwrap_or("exactly"))?;
    let link = request.optional_text("link")?.unwrap_or_default();
    let answers = source.set_program(&budget).and_then(|it| answers(&it, &budget, until));
    let about = About { program: &source.text, link, view };
    Ok(match answers {
        Ok(answers) => json!({"ok": true, "text": text(&answers, &about, place)}),
        Err(wrong) => refused(&wrong),
    })
}
