//! The systems as data, as `docs/schema/systems.json` describes them.

use astragal::{Documentation, EnumerationDoc, FunctionDoc, ParameterDoc, SYSTEMS};
use serde_json::{Value as Json, json};

use crate::prose::opening;

/// The catalogue of these systems.
pub fn data(systems: Vec<Json>) -> Json {
    json!({ "format": 1, "systems": systems })
}

/// One system.
pub fn system(page: &Documentation) -> Json {
    let text = SYSTEMS.iter().find(|(name, _)| *name == page.name).map(|(_, text)| opening(text));
    // What has no words is for the system's own use.
    let functions = page.functions.iter().filter(|function| function.doc.is_some());
    json!({
        "name": page.name,
        "doc": text,
        "functions": functions.map(|function| one(page, function)).collect::<Vec<_>>(),
        "enumerations": page.enumerations.iter().map(enumeration).collect::<Vec<_>>(),
    })
}

fn one(page: &Documentation, function: &FunctionDoc) -> Json {
    json!({
        "name": function.name,
        "signature": format!("{}.{}", page.name, signature(function)),
        "parameters": function.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "doc": function.doc,
    })
}

fn parameter(parameter: &ParameterDoc) -> Json {
    json!({
        "name": parameter.name,
        "roll": parameter.roll,
        "type": parameter.ty,
        "default": parameter.default,
    })
}

fn enumeration(enumeration: &EnumerationDoc) -> Json {
    json!({
        "name": enumeration.name,
        "variants": enumeration.variants,
        "doc": enumeration.doc,
    })
}

/// How a function is called: `action(pool, again: number = 10)`.
pub fn signature(function: &FunctionDoc) -> String {
    let parameters: Vec<String> = function.parameters.iter().map(written).collect();
    format!("{}({})", function.name, parameters.join(", "))
}

fn written(parameter: &ParameterDoc) -> String {
    let mut text =
        if parameter.roll { format!("roll {}", parameter.name) } else { parameter.name.clone() };
    if let Some(ty) = &parameter.ty {
        text += &format!(": {ty}");
    }
    if let Some(default) = &parameter.default {
        text += &format!(" = {default}");
    }
    text
}
