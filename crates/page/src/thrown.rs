//! `thrown`: what a program throws and comes to by the key of a roll at a table, for a device that has checked all but that.
//!
//! The rules of tables hold, which `spec/fair.md` tells: limits that are counted, no odds, no choices, no files but the house rules.

use std::sync::Arc;

use astragal_fair::line::Limits;
use astragal_fair::{Bytes, Programs, Wanted, library};
use serde_json::{Value as Json, json};

use crate::request::Request;

pub(crate) fn thrown(request: &Request) -> Result<Json, String> {
    let key = key(request)?;
    let inputs = inputs(request)?;
    let rules = request.optional_text("rules")?.map(Arc::from);
    let limits = limits(request)?;
    let text = request.text("text")?;
    let wanted = Wanted { text, inputs: &inputs, rules: rules.as_ref(), limits: &limits };
    let (dice, outcome) = Programs::default().roll(&wanted, key.0);
    Ok(json!({"dice": dice, "outcome": outcome, "library": library()}))
}

/// The key of a roll's dice.
pub(crate) fn key(request: &Request) -> Result<Bytes<32>, String> {
    Bytes::read(request.text("key")?).ok_or_else(|| "`key` has 64 digits".to_owned())
}

/// Names and values of a roll's inputs.
pub(crate) fn inputs(request: &Request) -> Result<Vec<(String, String)>, String> {
    pairs(request.list("names")?, request.list("values")?)
}

/// What rolls may cost at a table.
pub(crate) fn limits(request: &Request) -> Result<Limits, String> {
    let number = |name: &str, most: u64| -> Result<u64, String> {
        let wanted = request.optional_number(name)?.ok_or(format!("`{name}` is missing"))?;
        if wanted <= most { Ok(wanted) } else { Err(format!("`{name}` is more than {most}")) }
    };
    let most = Limits::MOST;
    let (throws, steps) = (number("throws", most.throws)?, number("steps", most.steps)?);
    Ok(Limits { throws, steps, ..most })
}

fn pairs(names: Vec<String>, values: Vec<String>) -> Result<Vec<(String, String)>, String> {
    if names.len() == values.len() {
        Ok(names.into_iter().zip(values).collect())
    } else {
        Err("each of `names` has one of `values`".into())
    }
}
