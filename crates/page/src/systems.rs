//! `systems`: what the rule systems offer, as forms; `source`: their texts, to make a house rule from.

use astragal::{Diagnostics, Documentation, SYSTEMS, module_name};
use astragal_assist::form::words::{Named, Tone, Words};
use astragal_assist::form::{Field, Form, Kind, Question, Variant, forms};
use astragal_assist::prose::opening;
use serde_json::{Map, Value as Json, json};

use crate::diagnostics::list;
use crate::request::Request;
use crate::source::engine;

pub(crate) fn systems(request: &Request) -> Result<Json, String> {
    let files = request.texts("files")?;
    let engine = engine(files.clone());
    let built_in = SYSTEMS.iter().filter_map(|(name, text)| {
        let page = engine.documentation(name)?;
        Some(system(&page, text, true))
    });
    let mut systems: Vec<Json> = built_in.collect();
    let mut diagnostics = Vec::new();
    for (path, text) in &files {
        systems.push(system(&Documentation::of(&module_name(path), text), text, false));
        diagnostics.extend(wrong(&engine, path).iter().flat_map(list));
    }
    Ok(json!({"systems": systems, "diagnostics": diagnostics}))
}

/// What is wrong with a file.
fn wrong(engine: &astragal::Engine, path: &str) -> Option<Diagnostics> {
    engine.compile(&format!("use \"{path}\" as house\n0")).err()
}

fn system(page: &Documentation, text: &str, built_in: bool) -> Json {
    let opening = opening(text);
    let (title, about) = opening.split_once(':').unwrap_or((opening, ""));
    let title = if title.is_empty() { &page.name } else { title };
    let functions: Vec<Json> = forms(page).iter().map(function).collect();
    json!({
        "name": page.name,
        "title": title.trim(),
        "about": about.trim(),
        "built_in": built_in,
        "functions": functions,
    })
}

fn function(form: &Form) -> Json {
    let parameters: Vec<Json> = form.questions.iter().map(parameter).collect();
    json!({
        "name": form.name,
        "title": form.words.title,
        "doc": form.doc,
        "about": form.about,
        "example": form.example,
        "parameters": parameters,
        "first": form.first,
        "parts": titles(&form.words.parts),
        "outcomes": titles(&form.words.outcomes),
        "main": form.main,
    })
}

fn parameter(question: &Question) -> Json {
    let fields: Vec<Json> = question.fields.iter().map(field).collect();
    json!({
        "name": question.name,
        "type": question.ty,
        "kind": kind(question.kind),
        "default": question.default,
        "variants": variants(&question.variants),
        "help": question.help,
        "fields": fields,
        "words": words(&question.words),
    })
}

fn field(field: &Field) -> Json {
    json!({
        "name": field.name,
        "kind": kind(field.kind),
        "type": field.ty,
        "optional": field.optional,
        "default": field.default,
        "variants": variants(&field.variants),
        "help": field.words.help.as_deref().unwrap_or_default(),
        "words": words(&field.words),
    })
}

/// What players call something, and how it is asked.
fn words(words: &Words) -> Json {
    let choices = words.choices.iter().map(|one| json!({"value": one.name, "title": one.title}));
    json!({
        "title": words.title,
        "min": words.range.map(|(low, _)| low),
        "max": words.range.map(|(_, high)| high),
        "start": words.start,
        "choices": choices.collect::<Vec<_>>(),
        "tone": words.tone.map(|tone| match tone {
            Tone::Good => "good",
            Tone::Bad => "bad",
        }),
        "from": words.from,
        "judged": words.judged,
        "suggestions": words.suggestions,
    })
}

fn variants(list: &[Variant]) -> Vec<Json> {
    list.iter().map(|one| json!({"name": one.name, "title": one.title})).collect()
}

/// Names and what players say for them.
fn titles(list: &[Named]) -> Json {
    list.iter()
        .map(|one| (one.name.clone(), json!(one.title)))
        .collect::<Map<String, Json>>()
        .into()
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Number => "number",
        Kind::Truth => "truth",
        Kind::Variant => "variant",
        Kind::Numbers => "numbers",
        Kind::Texts => "texts",
        Kind::Text => "text",
        Kind::Roll => "roll",
        Kind::Records => "records",
        Kind::Record => "record",
        Kind::Other => "other",
    }
}

pub(crate) fn source(request: &Request) -> Result<Json, String> {
    let wanted = request.text("system")?;
    let found = SYSTEMS.iter().find(|(name, _)| *name == wanted);
    let (_, text) = found.ok_or_else(|| format!("there is no system `{wanted}`"))?;
    Ok(json!({"text": text}))
}
