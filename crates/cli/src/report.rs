//! An answer in words: the table, then what is known of the whole.

use astragal::{Answer, Rational, Value};
use astragal_show::View;
use astragal_show::beside::{evidence, never};
use astragal_show::decimal::{exact, readable_chance, scientific};
use astragal_show::rows::{Table, table};
use astragal_show::said::said;
use astragal_show::summary;
use astragal_vary::Condition;

use crate::chart::chart;
use crate::side::side_by_side;
use crate::stop::Stop;
use crate::terminal::Terminal;

/// How answers are told.
#[derive(Clone, Debug, Default)]
pub(crate) struct Telling {
    pub(crate) view: View,
    /// Questions to be answered below.
    pub(crate) conditions: Vec<Condition>,
    /// Every outcome has its row.
    pub(crate) full: bool,
    /// Whether somebody plays, and the play was only solved within bounds.
    pub(crate) bounded_play: bool,
}

/// Everything about one answer, as lines under an optional title.
pub(crate) fn report(
    answer: &Answer,
    title: Option<&str>,
    rolled: Option<&Value>,
    telling: &Telling,
    terminal: &Terminal,
) -> Result<String, Stop> {
    let table = table(&[answer], telling.view, telling.full, rolled);
    let mut lines = Vec::new();
    lines.extend(title.map(|title| heading(title, terminal)));
    match table.rows.as_slice() {
        [only] if only.chances == [Rational::ONE] => lines.push(format!("always {}", only.label)),
        [] => lines.push(nothing(answer).into()),
        _ => lines.extend(chart(&table, terminal)),
    }
    blank_in_markdown(&mut lines, terminal);
    let mut words = Vec::new();
    words.extend(left_out(&table));
    words.extend(beyond(answer));
    words.extend(never(answer));
    words.extend(lost(answer, telling));
    words.extend(evidence(answer));
    words.extend(summary::lines(answer));
    for condition in &telling.conditions {
        words.push(format!(
            "chance of {}: {}",
            condition.words(),
            said(&condition.chance(answer)?)
        ));
    }
    lines.extend(words.iter().flat_map(|line| terminal.wrapped(line)));
    Ok(lines.join("\n"))
}

/// Only AnyDice's programs have results without outcomes.
fn nothing(answer: &Answer) -> &'static str {
    match answer.missing.as_ref().is_some_and(Rational::is_one) {
        true => "no outcomes: all of its chance is lost",
        false => "no outcomes: this is the empty die",
    }
}

/// More columns are no table to look at.
const MOST_COLUMNS: usize = 40;

/// Several answers in one table.
pub(crate) fn report_together(
    answers: &[(String, &Answer)],
    rolled: Option<&Value>,
    telling: &Telling,
    terminal: &Terminal,
) -> Result<String, Stop> {
    let list: Vec<&Answer> = answers.iter().map(|(_, answer)| *answer).collect();
    let names: Vec<&str> = answers.iter().map(|(name, _)| name.as_str()).collect();
    let mut lines = Vec::new();
    if answers.len() > MOST_COLUMNS && !telling.full {
        let count = answers.len();
        lines.push(format!(
            "{count} results: --full lists every outcome, --csv and --json write them"
        ));
    } else {
        let table = table(&list, telling.view, telling.full, rolled);
        lines.extend(side_by_side(&table, &names, terminal));
        blank_in_markdown(&mut lines, terminal);
        lines.extend(left_out(&table));
    }
    let mut words = Vec::new();
    for (name, answer) in answers {
        words.extend(beyond(answer).map(|text| format!("{name}: {text}")));
        words.extend(never(answer).map(|text| format!("{name}: {text}")));
        words.extend(lost(answer, telling).map(|text| format!("{name}: {text}")));
    }
    words.extend(answers.first().and_then(|(_, answer)| evidence(answer)));
    lines.extend(words.iter().flat_map(|line| terminal.wrapped(line)));
    if let Some(grid) = summary::grid(answers) {
        if !terminal.markdown {
            lines.push(String::new());
        }
        lines.extend(terminal.table(&grid));
    }
    for condition in &telling.conditions {
        for (name, answer) in answers {
            let chance = said(&condition.chance(answer)?);
            let line = format!("{name}: chance of {}: {chance}", condition.words());
            lines.extend(terminal.wrapped(&line));
        }
    }
    Ok(lines.join("\n"))
}

fn blank_in_markdown(lines: &mut Vec<String>, terminal: &Terminal) {
    if terminal.markdown {
        lines.push(String::new());
    }
}

fn left_out(table: &Table) -> Option<String> {
    let count = table.left_out;
    (count > 0).then(|| format!("… and {count} less likely outcomes (--full lists them all)"))
}

pub(crate) fn heading(title: &str, terminal: &Terminal) -> String {
    match (terminal.markdown, terminal.colour) {
        (true, _) => format!("**{title}**\n"),
        (false, true) => format!("\x1b[1m{title}\x1b[0m"),
        (false, false) => title.to_owned(),
    }
}

/// What an endless answer does not list: `beyond 61: 1.7e-8 = 1/60466176`.
fn beyond(answer: &Answer) -> Option<String> {
    let rest = &answer.rest - &answer.never;
    if let Some(missing) = answer.missing.as_ref().filter(|missing| !missing.is_zero()) {
        return Some(format!("lost on the way, as in AnyDice: {}", said(missing)));
    }
    if rest.is_zero() || rest == answer.lost {
        return None;
    }
    let ends = answer.law.as_ref().map(|law| (law.lowest().is_some(), law.highest().is_some()));
    let values = answer.outcomes.values();
    let place = match (ends, values.first(), values.last()) {
        (Some((true, false)), _, Some(last)) => format!("beyond {last}"),
        (Some((false, true)), Some(first), _) => format!("below {first}"),
        _ => "everything else".into(),
    };
    Some(format!("{place}: {}", readable_chance(&rest)))
}

/// What could not be computed exactly.
fn lost(answer: &Answer, telling: &Telling) -> Option<String> {
    if answer.lost.is_zero() {
        return None;
    }
    if telling.bounded_play {
        let lost = scientific(&answer.lost);
        return Some(format!(
            "known only within bounds: together the chances may be higher by {lost},\n\
             because the play is too large to be solved exactly"
        ));
    }
    let lost = exact(&answer.lost).unwrap_or_else(|| scientific(&answer.lost));
    Some(format!(
        "known only within bounds: together the chances may be higher by {lost},\n\
         because an endless roll is used in a way for which no exact answer is known"
    ))
}
