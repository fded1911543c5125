//! The systems as data: `astragal systems --json`.

use astragal::{Documentation, Engine, EnumerationDoc, FunctionDoc, ParameterDoc, SYSTEMS};
use astragal_assist::prose::opening;
use serde_json::{Value as Json, json};

use super::systems::{function, signature};
use crate::input::no_such_system;
use crate::stop::Stop;

/// All systems, one of them, or one function of one.
pub(crate) fn catalogue(name: Option<&str>) -> Result<Json, Stop> {
    let engine = Engine::new();
    let page = |name: &str| engine.documentation(name).ok_or_else(|| no_such_system(&engine, name));
    let systems = match name.map(|name| name.split_once('.').unwrap_or((name, ""))) {
        None => SYSTEMS
            .iter()
            .map(|(name, _)| page(name).map(|page| system(&page)))
            .collect::<Result<Vec<_>, _>>()?,
        Some((name, "")) => vec![system(&page(name)?)],
        Some((name, wanted)) => {
            let mut page = page(name)?;
            page.functions = vec![function(&page, wanted)?.clone()];
            page.enumerations.clear();
            vec![system(&page)]
        }
    };
    Ok(json!({ "format": 1, "systems": systems }))
}

fn system(page: &Documentation) -> Json {
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
