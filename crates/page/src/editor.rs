//! Help for the editor: colours, completion, layout.

use std::collections::BTreeMap;

use astragal::{Documentation, Engine, module_name};
use astragal_assist::complete::offers;
use astragal_assist::definitions::Line;
use astragal_assist::names::Catalogue;
use astragal_syntax::span::SourceId;
use astragal_syntax::tree::StatementKind;
use astragal_syntax::{Class, Classified, Limits, parse};
use serde_json::{Value as Json, json};

use crate::diagnostics::list;
use crate::request::Request;
use crate::units::Units;

pub(crate) fn tokens(request: &Request) -> Result<Json, String> {
    let text = request.text("text")?;
    let units = Units::of(text);
    let found = astragal_syntax::tokens(text);
    let told = found.iter().map(|token| {
        let (start, end) = (units.at(token.start), units.at(token.end));
        json!({"start": start, "end": end, "kind": kind(token, text)})
    });
    Ok(json!({"tokens": told.collect::<Vec<_>>()}))
}

fn kind(token: &Classified, text: &str) -> &'static str {
    match token.class {
        Class::Keyword => "keyword",
        Class::Number => "number",
        Class::Dice => "dice",
        Class::Suffix => "suffix",
        Class::Name if text[token.end..].starts_with('(') => "function",
        Class::Name => "name",
        Class::Text => "text",
        Class::Label => "label",
        Class::Comment => "comment",
        _ => "operator",
    }
}

pub(crate) fn complete(request: &Request) -> Result<Json, String> {
    let text = request.text("text")?;
    let units = Units::of(text);
    let at = request.optional_number("at")?.ok_or("`at` is missing")?;
    let before = &text[..units.byte(u32::try_from(at).unwrap_or(u32::MAX))];
    let (start, offers) = offers(before, &names(text, &request.texts("files")?));
    let options = offers.iter().map(|offer| json!({"label": offer.text, "detail": offer.about}));
    Ok(json!({"from": units.at(start), "options": options.collect::<Vec<_>>()}))
}

/// The names that a program may use: the library's, its own, and those of the files it uses.
fn names(text: &str, files: &BTreeMap<String, String>) -> Catalogue {
    let mut names = Catalogue::new(&Engine::new());
    names.set(None, &Line::read(text).definitions);
    let parsed = parse(text, SourceId(0), &Limits::default());
    for statement in &parsed.file.block.statements {
        let StatementKind::Use { path, alias, .. } = &statement.kind else { continue };
        let name = alias.as_ref().map_or_else(|| module_name(path), |alias| alias.text.clone());
        if let Some(file) = files.get(path) {
            names.add(Documentation::of(&name, file));
        }
    }
    names
}

pub(crate) fn format(request: &Request) -> Result<Json, String> {
    let laid_out = Engine::new().layout(request.text("text")?, "program");
    Ok(match laid_out {
        Ok(text) => json!({"ok": true, "text": text}),
        Err(wrong) => json!({"ok": false, "diagnostics": list(&wrong)}),
    })
}
