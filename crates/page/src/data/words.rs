//! `convert` and `systems` as data.

use astragal::{Diagnostics, Engine, SYSTEMS, is_anydice};
use astragal_assist::catalogue;
use astragal_dialect::{Dialect, convert_noted};
use serde_json::{Value as Json, json};

use super::Refused;
use crate::Host;
use crate::request::Request;
use crate::source::budget;

/// `from` names a tool; without it AnyDice is known by its words, and everything else is taken as ours and laid out.
pub(super) fn convert(request: &Request, host: &Host) -> Result<Json, Refused> {
    let text = request.text("text")?;
    let named = request.optional_text("from")?;
    let from = named.unwrap_or(if is_anydice(text) { "anydice" } else { "astragal" });
    let ours = match (from, Dialect::from_name(from)) {
        ("anydice", _) => {
            Engine::new().convert_anydice(text, "program", &budget(request, host)?)?
        }
        ("astragal", _) => {
            let program = Engine::new().compile(text)?;
            Engine::new().layout(program.text(), "program")?.trim_end().to_owned()
        }
        (_, Some(dialect)) => match convert_noted(text, dialect) {
            Ok(converted) => converted.astragal,
            Err(errors) => return Err(Diagnostics::of_text(errors, "program", text).into()),
        },
        (other, None) => {
            let known = Dialect::ALL.map(Dialect::name).join(", ");
            return Err(Refused::Asked(format!(
                "`{other}` is no notation: there are anydice, {known}"
            )));
        }
    };
    Ok(json!({ "format": 1, "from": from, "text": text, "astragal": ours }))
}

pub(super) fn systems() -> Result<Json, Refused> {
    let engine = Engine::new();
    let pages = SYSTEMS.iter().filter_map(|(name, _)| engine.documentation(name));
    Ok(catalogue::data(pages.map(|page| catalogue::system(&page)).collect()))
}
