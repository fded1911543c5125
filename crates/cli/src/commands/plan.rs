//! `astragal plan`: what is computed, by which ways, and what it costs.
//!
//! Most answers are there at once, so that the plan of a program is best told by trying: within a small part of what is
//! allowed. What is not known by then says at which part, and how much more it takes as far as that can be told.

use std::time::Duration;

use astragal::{Budget, Odds, Program, every_way};
use serde_json::json;

use super::odds::budget;
use crate::arguments::Plan;
use crate::input;
use crate::stop::Stop;
use crate::terminal::Terminal;

/// What a look may cost: about a fifth of a second.
const LOOK: u64 = 20_000_000;
/// What a step takes.
const STEP: Duration = Duration::from_nanos(10);

pub(crate) fn run(arguments: &Plan, terminal: &Terminal) -> Result<(), Stop> {
    let program = input::program_within(&arguments.source, arguments.steps, terminal)?;
    let allowed = budget(arguments.steps).steps;
    let look = Budget::default().with_steps(LOOK.min(allowed)).with_guard(astragal::guard());
    let field = arguments.field.as_deref().unwrap_or_default();
    let path: Vec<&str> = field.split('.').filter(|name| !name.is_empty()).collect();
    let found = match path.as_slice() {
        [] => program.odds_apart(&look, None),
        path => program.odds_of(path, &look),
    };
    match found {
        Ok(odds) if terminal.json => terminal.say_json(&as_data(&program, &odds, allowed)),
        Ok(odds) => terminal.say_folded(&in_words(&program, &odds, allowed)),
        Err(wrong) if wrong.is_over_budget() && allowed > LOOK => {
            if terminal.json {
                terminal.say_json(
                    &json!({ "format": 1, "known": false, "looked": LOOK, "allowed": allowed }),
                );
            } else {
                terminal.say_folded(&types(&program));
                terminal.say(&format!(
                    "cost     not known after a look of {} steps ({}), of {} that are allowed\n",
                    spaced(LOOK),
                    time(LOOK),
                    spaced(allowed)
                ));
            }
            terminal.diagnostics(&wrong);
        }
        Err(wrong) => return Err(wrong.into()),
    }
    Ok(())
}

/// `result   Outcome`, one a line.
fn types(program: &Program) -> String {
    let lines = program.results().map(|(name, ty)| match name {
        Some(name) => format!("result   {name}: {ty}"),
        None => format!("result   {ty}"),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn in_words(program: &Program, odds: &Odds, allowed: u64) -> String {
    let taken: Vec<_> = every_way().filter(|way| odds.ways.has(*way)).collect();
    let widest = taken.iter().map(|way| way.name.len()).max().unwrap_or(0);
    let mut lines = vec![types(program)];
    lines.extend(taken.iter().enumerate().map(|(at, way)| {
        let head = if at == 0 { "by" } else { "" };
        format!("{head:7}  {:widest$}  {}", way.name, way.what_for)
    }));
    if program.decides() {
        let cases = odds.plays.iter().flat_map(|policy| &policy.choices);
        let cases: usize = cases.map(|choice| choice.cases.len()).sum();
        let (cases, plural) = (spaced(cases as u64), if cases == 1 { "" } else { "s" });
        let head = if taken.is_empty() { "by" } else { "" };
        lines.push(format!("{head:7}  best play: {cases} case{plural} of choices"));
    } else if taken.is_empty() {
        lines.push("by       states alone: no shortcut is taken".into());
    }
    let (used, share) = (odds.used, time(odds.used));
    lines.push(format!("cost     {} steps of {} ({share})", spaced(used), spaced(allowed)));
    let outcomes: usize = odds.results.iter().map(|answer| answer.outcomes.len()).sum();
    let plural = if outcomes == 1 { "" } else { "s" };
    let tables = match odds.results.len() {
        1 => String::new(),
        tables => format!(" in {tables} tables"),
    };
    lines.push(format!("answer   {} outcome{plural}{tables}", spaced(outcomes as u64)));
    lines.join("\n")
}

fn as_data(program: &Program, odds: &Odds, allowed: u64) -> serde_json::Value {
    let results =
        program.results().map(|(name, ty)| json!({ "name": name, "type": ty.to_string() }));
    let taken = every_way().filter(|way| odds.ways.has(*way));
    let ways = taken.map(|way| json!({ "name": way.name, "what_for": way.what_for }));
    json!({
        "format": 1, "known": true, "steps": odds.used, "allowed": allowed,
        "results": results.collect::<Vec<_>>(), "ways": ways.collect::<Vec<_>>(),
    })
}

/// `1 234 567`
fn spaced(n: u64) -> String {
    let digits = n.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).unwrap_or_default())
        .collect();
    groups.join(" ")
}

/// How long so many steps take, more or less.
fn time(steps: u64) -> String {
    let taken = STEP.saturating_mul(u32::try_from(steps).unwrap_or(u32::MAX));
    match taken.as_millis() {
        0 => "less than a millisecond".into(),
        ms @ 1..1000 => format!("about {ms} ms"),
        ms => format!("about {}.{} s", ms / 1000, ms % 1000 / 100),
    }
}
