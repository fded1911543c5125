//! `compare` as data: several programs, and how often one beats another.

use astragal::{Answer, Meter, json as shapes};
use astragal_vary::{TooCostly, alike, data, duels, name_of};
use serde_json::Value as Json;

use super::Refused;
use super::prepared::{check_length, field};
use crate::Host;
use crate::odds::until;
use crate::request::Request;
use crate::source::{Source, budget};

/// The programs are `texts`; they share files and inputs.
pub(super) fn compare(request: &Request, host: &Host) -> Result<Json, Refused> {
    let (budget, until, field) = (budget(request, host)?, until(request)?, field(request)?);
    let path: Vec<&str> = field.iter().map(String::as_str).collect();
    let mut answers: Vec<(String, Answer)> = Vec::new();
    let mut programs = Vec::new();
    for text in request.list("texts")? {
        let program = Source::named(request, text)?.set_program(&budget)?;
        let odds = program.odds_of_until(&path, &budget, until.clone())?;
        check_length(&odds.results)?;
        programs.push(shapes::odds(&program, &odds));
        answers.extend(odds.results.into_iter().map(|answer| (name_of(&program, &answer), answer)));
    }
    alike(&answers)?;
    let duels = duels(&answers, &Meter::new(budget.steps));
    let duels = duels
        .map_err(|TooCostly(what)| Refused::Costly(format!("{what}: `steps` allows more work")))?;
    Ok(data::compare(programs, &duels))
}
