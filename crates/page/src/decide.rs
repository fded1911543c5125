//! `decide`: one roll, in which a person decides.

use std::sync::Arc;

use astragal::render::{Detail, View, pools};
use astragal::{Met, RollLimits, Span};
use serde_json::{Value as Json, json};

use crate::Host;
use crate::chance::quantity;
use crate::diagnostics::refused;
use crate::person::Person;
use crate::request::Request;
use crate::roll::{roll, rolled, thrower};
use crate::source::{Source, budget};

/// The roll with `choices` taken in order. Without `judge` it is not worked out what is best, which may take a while.
pub(crate) fn decide(request: &Request, host: &Host) -> Result<Json, String> {
    let source = Source::of(request)?;
    let person = Arc::new(Person::new(request.list("choices")?, request.is("judge"), &source));
    let program = match source.set_program(&budget(request, host)?) {
        Ok(program) => program,
        Err(wrong) => return Ok(refused(&wrong)),
    };
    if !program.decides() {
        return roll(request, host);
    }
    let (mut faces, seed) = thrower(request, host)?;
    let limits = RollLimits::USUAL.with_player(Arc::clone(&person) as _);
    let (so_far, stopped) = program.roll_so_far(&mut *faces, &limits);
    Ok(match (stopped, person.met()) {
        (None, _) => rolled(&program, &so_far, seed),
        (Some(_), Some(met)) => {
            let sources = program.hints().sources();
            let text_at = |span: Span| Some(sources.slice(span).to_owned());
            let view =
                View { expression: program.text(), source: &text_at, detail: Detail::Glance };
            json!({
                "ok": true,
                "question": question(&met),
                "pools": pools(&so_far, &view),
                "seed": seed.map(|seed| seed.to_string()),
            })
        }
        (Some(wrong), None) => refused(&wrong),
    })
}

fn question(met: &Met) -> Json {
    let worth = |at: usize| {
        let worth = met.worth.as_ref()?.get(at)?;
        let mut told = quantity(&worth.to_rational());
        told["text"] = worth.worth(met.is_chance).into();
        Some(told)
    };
    let options = met.options.iter().enumerate();
    let options = options.map(|(at, label)| json!({"label": &**label, "worth": worth(at)}));
    let known = met.known.iter();
    let known = known.map(|(name, value)| json!({"name": &**name, "value": value.to_string()}));
    json!({
        "opponent": met.opponent,
        "known": known.collect::<Vec<_>>(),
        "options": options.collect::<Vec<_>>(),
        "best": met.best,
    })
}
