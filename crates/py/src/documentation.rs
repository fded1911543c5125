//! What the built-in systems offer, from their own files.

use astragal::{Documentation, Engine, FunctionDoc};
use pyo3::prelude::*;
use serde_json::{Map, Value as Json, json};

/// All systems as JSON: their words, their functions with parameters, their enumerations.
#[pyfunction]
pub(crate) fn documentation() -> String {
    let engine = Engine::new();
    let pages = engine.systems().filter_map(|name| {
        let page = engine.documentation(name)?;
        Some((name.to_owned(), self::page(&page)))
    });
    Json::Object(pages.collect::<Map<_, _>>()).to_string()
}

/// One system, or one file of house rules.
pub(crate) fn page(page: &Documentation) -> Json {
    let enumerations = page
        .enumerations
        .iter()
        .map(|one| json!({"name": one.name, "variants": one.variants, "doc": one.doc}));
    json!({
        "name": page.name,
        "doc": astragal::SYSTEMS.iter().find(|(name, _)| *name == page.name).map(|(_, text)| opening(text)),
        "functions": page.functions.iter().map(function).collect::<Vec<_>>(),
        "enumerations": enumerations.collect::<Vec<_>>(),
    })
}

fn function(function: &FunctionDoc) -> Json {
    let parameters = function.parameters.iter().map(
        |one| json!({"name": one.name, "roll": one.roll, "type": one.ty, "default": one.default}),
    );
    json!({
        "name": function.name,
        "doc": function.doc,
        "parameters": parameters.collect::<Vec<_>>(),
    })
}

/// The first paragraph of a file's comment.
fn opening(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
    lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}
