//! `odds`: the exact chance of every outcome of every result.

use astragal::{Budget, Diagnostic, Diagnostics, Odds, Program, Rational};
use serde_json::{Value as Json, json};

use crate::Host;
use crate::diagnostics::{list, refused};
use crate::inputs::inputs;
use crate::kept;
use crate::policy::policy;
use crate::request::Request;
use crate::result::result;
use crate::rows;
use crate::source::{MOST_STEPS, Source, budget};

/// The answer as text: most of it is rows, which are written one after the other and never held together.
pub(crate) fn odds(request: &Request, host: &Host) -> Result<String, String> {
    let source = Source::of(request)?;
    let budget = budget(request, host)?;
    let until = until(request)?;
    let language = if source.is_anydice() { "anydice" } else { "astragal" };
    let mut program = match source.program(&budget) {
        Ok(program) => program,
        Err(wrong) => {
            return Ok(with_inputs(refused(&wrong), Vec::new(), language).to_string());
        }
    };
    let set = source.set_inputs(&mut program);
    let inputs = inputs(&program, &source);
    let known = set.and_then(|()| program.odds_apart(&budget, until));
    let mut told = match &known {
        Ok(odds) => summary(&program, odds, &budget),
        Err(wrong) => {
            let mut refused = refused(wrong);
            refused["more"] = more(wrong, &budget).into();
            refused
        }
    };
    // Also where its odds cost too much, a person can play it.
    told["decides"] = program.decides().into();
    let mut text = with_inputs(told, inputs, language).to_string();
    if let Ok(odds) = known {
        text.pop();
        text.push_str(",\"results\":[");
        write_results(&program, &odds, &mut text);
        text.push_str("]}");
        kept::keep(request.question(), odds);
    }
    Ok(text)
}

/// How many steps to allow next; none if no budget would help, or more than this should not be done in a browser.
fn more(wrong: &Diagnostics, budget: &Budget) -> Option<u64> {
    let costs = |diagnostic: &Diagnostic| diagnostic.code == "over-budget";
    let helps = wrong.is_over_budget() && wrong.list().iter().any(costs);
    (helps && budget.steps < MOST_STEPS).then(|| (budget.steps.saturating_mul(10)).min(MOST_STEPS))
}

/// The odds that a request asks for; the outer error is the page's own.
pub(crate) fn computed(
    request: &Request,
    host: &Host,
) -> Result<Result<Odds, Diagnostics>, String> {
    let budget = budget(request, host)?;
    let until = until(request)?;
    let program = Source::of(request)?.set_program(&budget);
    Ok(program.and_then(|program| program.odds_apart(&budget, until)))
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

fn summary(program: &Program, odds: &Odds, budget: &Budget) -> Json {
    json!({
        "ok": true,
        "policy": policy(program, odds),
        "hints": list(program.hints()),
        "used": odds.used,
        "allowed": budget.steps,
    })
}

fn write_results(program: &Program, odds: &Odds, text: &mut String) {
    let title = program.text().trim().lines().next_back().unwrap_or_default().trim();
    let given = rows::given(&odds.results);
    let written = odds.results.iter().zip(&given).filter(|(_, given)| **given);
    let room = rows::room(written.map(|(answer, _)| answer));
    for (number, (answer, given)) in odds.results.iter().zip(&given).enumerate() {
        text.push_str(if number == 0 { "" } else { "," });
        text.push_str(&result(answer, title, *given, room));
    }
}

/// With the inputs, and the language that the program is written in.
fn with_inputs(mut answer: Json, inputs: Vec<Json>, language: &str) -> Json {
    answer["inputs"] = inputs.into();
    answer["language"] = language.into();
    answer
}
