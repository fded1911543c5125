//! `odds`: the exact chance of every outcome of every result.

use astragal::{Budget, Diagnostics, Program, Rational};
use serde_json::{Value as Json, json};

use crate::Host;
use crate::diagnostics::{list, refused};
use crate::inputs::inputs;
use crate::request::Request;
use crate::result::result;
use crate::source::{Source, budget};

pub(crate) fn odds(request: &Request, host: &Host) -> Result<Json, String> {
    let source = Source::of(request)?;
    let budget = budget(request, host)?;
    let until = until(request)?;
    let language = if source.is_anydice() { "anydice" } else { "astragal" };
    let mut program = match source.program(&budget) {
        Ok(program) => program,
        Err(wrong) => return Ok(with_inputs(refused(&wrong), Vec::new(), language)),
    };
    let set = source.set_inputs(&mut program);
    let inputs = inputs(&program, &source);
    let told = set.and_then(|()| answered(&program, &budget, until));
    Ok(with_inputs(told.unwrap_or_else(|wrong| refused(&wrong)), inputs, language))
}

/// An AnyDice program in our language, if it can be said there.
pub(crate) fn convert(request: &Request, host: &Host) -> Result<Json, String> {
    let source = Source::of(request)?;
    let budget = budget(request, host)?;
    let ours = source.engine.convert_anydice(&source.text, "program", &budget);
    Ok(ours.map_or_else(|wrong| refused(&wrong), |text| json!({"ok": true, "text": text})))
}

/// List endless results at least up to this number.
pub(crate) fn until(request: &Request) -> Result<Option<Rational>, String> {
    let text = request.optional_text("until")?.map(str::trim).filter(|text| !text.is_empty());
    let number = |text: &str| text.parse::<i64>().map(Rational::from);
    text.map(|text| number(text).map_err(|_| format!("`{text}` is no whole number"))).transpose()
}

fn answered(
    program: &Program,
    budget: &Budget,
    until: Option<Rational>,
) -> Result<Json, Diagnostics> {
    let odds = program.odds_apart(budget, until)?;
    let text = program.text().trim().lines().next_back().unwrap_or_default().trim();
    let results: Vec<Json> = odds.results.iter().map(|answer| result(answer, text)).collect();
    Ok(json!({
        "ok": true,
        "results": results,
        "hints": list(program.hints()),
        "used": odds.used,
        "allowed": budget.steps,
    }))
}

/// With the inputs, and the language that the program is written in.
fn with_inputs(mut answer: Json, inputs: Vec<Json>, language: &str) -> Json {
    answer["inputs"] = inputs.into();
    answer["language"] = language.into();
    answer
}
