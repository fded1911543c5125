//! An answer in words: the table, then what is known of the whole.

use astragal::{Answer, Rational, Value};

use crate::chart::chart;
use crate::decimal::{exact, readable, readable_chance, root, scientific};
use crate::rows::table;
use crate::terminal::Terminal;

/// Everything about one answer, as lines under an optional title.
pub(crate) fn report(
    answer: &Answer,
    title: Option<&str>,
    rolled: Option<&Value>,
    full: bool,
    terminal: &Terminal,
) -> String {
    let table = table(answer, full, rolled);
    let mut lines = Vec::new();
    lines.extend(title.map(|title| heading(title, terminal)));
    match table.rows.as_slice() {
        [only] if only.chance == Rational::ONE => lines.push(format!("always {}", only.label)),
        _ => lines.extend(chart(&table, terminal)),
    }
    if terminal.markdown {
        lines.push(String::new());
    }
    if table.left_out > 0 {
        lines
            .push(format!("… and {} less likely outcomes (--full lists them all)", table.left_out));
    }
    lines.extend(beyond(answer));
    lines.extend(lost(answer));
    lines.extend(moments(answer));
    lines.join("\n")
}

fn heading(title: &str, terminal: &Terminal) -> String {
    match (terminal.markdown, terminal.colour) {
        (true, _) => format!("**{title}**\n"),
        (false, true) => format!("\x1b[1m{title}\x1b[0m"),
        (false, false) => title.to_owned(),
    }
}

/// What an endless answer does not list: `beyond 61: 1.7e-8 = 1/60466176`.
fn beyond(answer: &Answer) -> Option<String> {
    if answer.rest.is_zero() || answer.rest == answer.lost {
        return None;
    }
    let ends = answer.law.as_ref().map(|law| (law.lowest().is_some(), law.highest().is_some()));
    let place = match (ends, answer.outcomes.first(), answer.outcomes.last()) {
        (Some((true, false)), _, Some((last, _))) => format!("beyond {last}"),
        (Some((false, true)), Some((first, _)), _) => format!("below {first}"),
        _ => "everything else".into(),
    };
    Some(format!("{place}: {}", readable_chance(&answer.rest)))
}

/// What could not be computed exactly.
fn lost(answer: &Answer) -> Option<String> {
    if answer.lost.is_zero() {
        return None;
    }
    let lost = exact(&answer.lost).unwrap_or_else(|| scientific(&answer.lost));
    Some(format!(
        "known only within bounds: together the chances may be higher by {lost},\n\
         because an endless roll is used in a way for which no exact answer is known"
    ))
}

fn moments(answer: &Answer) -> Option<String> {
    let (mean, variance) = (answer.mean()?, answer.variance()?);
    if variance == Rational::ZERO {
        return None;
    }
    Some(format!("mean {}, standard deviation {}", readable(&mean), readable(&root(&variance, 4))))
}
