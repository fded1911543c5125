//! A table of odds for the eyes: bars, a plain table, Markdown.
//!
//! ```text
//!     chance                                        or more
//!  3   0.46%  █                                     100.00%  1/216
//!  4   1.39%  ███                                    99.54%  1/72
//! ```

use anstyle::{AnsiColor, Style};
use astragal::Rational;
use astragal_show::decimal::{exact, percent, scientific};
use astragal_show::rows::{Row, Table};
use astragal_show::{View, cut};
use unicode_width::UnicodeWidthStr;

use crate::terminal::Terminal;

/// A bar shorter than this says nothing.
pub(crate) const SHORTEST_BAR: usize = 8;
/// The longest bar; more is no clearer.
const LONGEST_BAR: usize = 60;
/// A terminal with fewer columns has little room.
const NARROW: usize = 60;
/// The longest fraction beside a bar.
const LONGEST_FRACTION: usize = 18;

pub(crate) const BAR: Style = AnsiColor::Cyan.on_default();
const ROLLED: Style = AnsiColor::Yellow.on_default().bold();

/// The table as lines.
pub(crate) fn chart(table: &Table, terminal: &Terminal) -> Vec<String> {
    if terminal.markdown { markdown(table) } else { columns(table, terminal) }
}

/// The texts of one row, before they are aligned.
struct Cells {
    label: String,
    percent: String,
    aside: String,
    fraction: String,
}

impl Cells {
    fn of(table: &Table, row: &Row, widest: usize) -> Cells {
        let chance = &row.chances[0];
        let percent = percent(chance);
        let fraction = match exact(chance).filter(|text| text.len() <= LONGEST_FRACTION) {
            _ if table.bounds => String::new(),
            Some(text) => text,
            None if percent.starts_with('<') => format!("≈ {}", scientific(chance)),
            None => String::new(),
        };
        Cells { label: cut(&row.label, widest), percent, aside: row.aside.clone(), fraction }
    }
}

fn columns(table: &Table, terminal: &Terminal) -> Vec<String> {
    let longest = if terminal.width < NARROW { terminal.width * 2 / 5 } else { terminal.width / 2 };
    let cells: Vec<Cells> = table.rows.iter().map(|row| Cells::of(table, row, longest)).collect();
    let widest =
        |text: fn(&Cells) -> &str| cells.iter().map(|c| text(c).width()).max().unwrap_or(0);
    let label = widest(|cells| &cells.label);
    let head = head(table.view);
    let percent = widest(|cells| &cells.percent).max(head.len());
    let mut fraction = widest(|cells| &cells.fraction);
    let mut aside = match table.aside {
        "" => 0,
        title => widest(|cells| &cells.aside).max(title.width()),
    };
    let most = highest(table);
    let mut bar = bar_width(terminal, label + percent + aside + fraction + 10);
    // Where there is little room, bars say more than fractions, and than what can be summed up.
    if bar == 0 && !terminal.plain {
        (fraction, bar) = (0, bar_width(terminal, label + percent + aside + 8));
    }
    if bar == 0 && !terminal.plain {
        (aside, bar) = (0, bar_width(terminal, label + percent + 6));
    }
    let mut lines = Vec::new();
    if aside == 0 && !table.aside.is_empty() && table.view != View::Exactly {
        lines.push(format!("{:label$}  {:>percent$}", "", head));
    }
    if aside > 0 {
        let gap = if bar > 0 { bar + 2 } else { 0 };
        lines
            .push(format!("{:label$}  {:>percent$}{:gap$}  {:>aside$}", "", head, "", table.aside));
    }
    for (row, cells) in table.rows.iter().zip(&cells) {
        let mut line =
            if table.numbers { left(&cells.label, label) } else { right(&cells.label, label) };
        line += &format!("  {:>percent$}", cells.percent);
        if bar > 0 {
            line += &format!("  {}", drawn(&row.chances[0], &most, bar, BAR, terminal));
        }
        if aside > 0 {
            line += &format!("  {:>aside$}", cells.aside);
        }
        if fraction > 0 {
            line += &format!("  {}", cells.fraction);
        }
        lines.push(marked(line.trim_end(), row, terminal));
    }
    lines
}

/// How long the longest bar is; none if bars are unwanted or there is no room.
fn bar_width(terminal: &Terminal, others: usize) -> usize {
    let room = terminal.width.saturating_sub(others).min(LONGEST_BAR);
    if terminal.plain || room < SHORTEST_BAR { 0 } else { room }
}

/// What the column of chances is called.
pub(crate) fn head(view: View) -> &'static str {
    match view {
        View::Exactly => "chance",
        View::AtLeast => "at least",
        View::AtMost => "at most",
    }
}

/// The chance that has the longest bar.
pub(crate) fn highest(table: &Table) -> Rational {
    let chances = table.rows.iter().flat_map(|row| &row.chances);
    chances.max().cloned().filter(|most| !most.is_zero()).unwrap_or(Rational::ONE)
}

pub(crate) fn marked(line: &str, row: &Row, terminal: &Terminal) -> String {
    match (row.rolled, terminal.colour) {
        (false, _) => line.to_owned(),
        (true, true) => format!("{line} {ROLLED}◀{ROLLED:#}"),
        (true, false) => format!("{line} ◀"),
    }
}

/// A bar, filled up with blanks.
pub(crate) fn drawn(
    chance: &Rational,
    most: &Rational,
    width: usize,
    style: Style,
    terminal: &Terminal,
) -> String {
    let parts = if terminal.unicode { 8 } else { 1 };
    let eighths = (chance / most * Rational::from(width * parts)).round();
    let filled = usize::try_from(eighths).unwrap_or(0);
    let mut bar = if terminal.unicode {
        let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][filled % 8];
        format!("{}{rest}", "█".repeat(filled / 8))
    } else {
        "#".repeat(filled)
    };
    bar += &" ".repeat(width - filled.div_ceil(parts).min(width));
    if terminal.colour { format!("{style}{bar}{style:#}") } else { bar }
}

fn markdown(table: &Table) -> Vec<String> {
    let (title, rule) = match table.aside {
        "" => (String::new(), ""),
        aside => (format!(" {aside} |"), " ---: |"),
    };
    let side = if table.numbers { "---:" } else { "---" };
    let head = head(table.view);
    let mut lines = vec![format!("| outcome | {head} |{title} fraction |")];
    lines.push(format!("| {side} | ---: |{rule} ---: |"));
    for row in &table.rows {
        let Cells { label, percent, aside, fraction } = Cells::of(table, row, usize::MAX);
        let label = label.replace('|', "\\|");
        let label = if row.rolled { format!("**{label}**") } else { label };
        let aside = if table.aside.is_empty() { String::new() } else { format!(" {aside} |") };
        lines.push(format!("| {label} | {percent} |{aside} {fraction} |"));
    }
    lines
}

pub(crate) fn left(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(text.width())) + text
}

pub(crate) fn right(text: &str, width: usize) -> String {
    text.to_owned() + &" ".repeat(width.saturating_sub(text.width()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_aligned_by_columns() {
        assert_eq!(left("7", 3), "  7");
        assert_eq!(right("🎲", 3), "🎲 ");
    }
}
