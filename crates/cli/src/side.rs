//! Several answers in one chart: a column of bars each, on one scale.
//!
//! ```text
//!     d20 + 5                   2d6 + 8
//!  6    5.00%  ██████▊            0.00%
//! 10    5.00%  ██████▊            2.78%  ███▊
//! ```
//!
//! Where there is no room for bars, the percentages remain.

use anstyle::{AnsiColor, Style};
use astragal::Rational;
use astragal_show::cut;
use astragal_show::decimal::percent;
use astragal_show::export::grid::Grid;
use astragal_show::rows::Table;
use unicode_width::UnicodeWidthStr;

use crate::chart::{drawn, head, highest, left, marked, right};
use crate::terminal::Terminal;

/// Room for `100.00%` and `>99.99%`.
const PERCENT: usize = 7;
/// The longest bar in a column; more is no clearer.
const LONGEST_BAR: usize = 36;

/// A bar in a column may be short: it stands beside others.
const SHORTEST_BAR: usize = 5;

pub(crate) const COLOURS: [AnsiColor; 6] = [
    AnsiColor::Cyan,
    AnsiColor::Yellow,
    AnsiColor::Magenta,
    AnsiColor::Green,
    AnsiColor::Blue,
    AnsiColor::Red,
];

/// The table as lines; the names head its columns.
pub(crate) fn side_by_side(table: &Table, names: &[&str], terminal: &Terminal) -> Vec<String> {
    if terminal.markdown {
        return grid(table, names).markdown();
    }
    let labels = table.rows.iter().map(|row| row.label.width());
    let label = labels.max().unwrap_or(0).max("outcome".len()).min(terminal.width / 3);
    let fitting = |width: usize| (terminal.wrapping.saturating_sub(label) / (width + 2)).max(1);
    // Where columns must stand below each other, there is room for bars.
    let most = match fitting(PERCENT) {
        all if all >= names.len() || terminal.plain => all,
        _ => fitting(PERCENT + 2 + SHORTEST_BAR),
    };
    let places: Vec<usize> = (0..names.len()).collect();
    let blocks = places.chunks(most).map(|places| block(table, names, places, label, terminal));
    blocks.collect::<Vec<_>>().join(&String::new())
}

/// As many answers as have room beside each other.
fn block(
    table: &Table,
    names: &[&str],
    places: &[usize],
    label: usize,
    terminal: &Terminal,
) -> Vec<String> {
    let names: Vec<&str> = places.iter().map(|at| names[*at]).collect();
    let room = terminal.width.saturating_sub(label) / names.len().max(1);
    let bar = match room.saturating_sub(PERCENT + 4).min(LONGEST_BAR) {
        _ if terminal.plain => 0,
        room if room < SHORTEST_BAR => 0,
        room => room,
    };
    let fixed = if bar > 0 { PERCENT + 2 + bar } else { PERCENT };
    let widths: Vec<usize> = names.iter().map(|name| column(name, bar, fixed, room)).collect();
    let mut lines = vec![heads(&names, &widths, label, bar > 0, table)];
    let most = highest(table);
    for row in &table.rows {
        let text = cut(&row.label, label);
        let mut line = if table.numbers { left(&text, label) } else { right(&text, label) };
        for (at, width) in places.iter().zip(&widths) {
            line += "  ";
            line += &cell(&row.chances[*at], &most, bar, *width, *at, terminal);
        }
        lines.push(marked(line.trim_end(), row, terminal));
    }
    lines
}

/// Without bars a column is as wide as its name, if there is room.
fn column(name: &str, bar: usize, fixed: usize, room: usize) -> usize {
    if bar > 0 { fixed } else { name.width().clamp(fixed, room.saturating_sub(2).max(fixed)) }
}

fn heads(names: &[&str], widths: &[usize], label: usize, bars: bool, table: &Table) -> String {
    let corner = if table.numbers { left("outcome", label) } else { right("outcome", label) };
    let mut line =
        if head(table.view) == "chance" { corner } else { left(head(table.view), label) };
    for (name, width) in names.iter().zip(widths) {
        let name = cut(name, *width);
        line += "  ";
        line += &if bars { right(&name, *width) } else { left(&name, *width) };
    }
    line.trim_end().to_owned()
}

fn cell(
    chance: &Rational,
    most: &Rational,
    bar: usize,
    width: usize,
    at: usize,
    terminal: &Terminal,
) -> String {
    let text = if chance.is_zero() { "–".into() } else { percent(chance) };
    if bar == 0 {
        return left(&text, width);
    }
    let style: Style = COLOURS[at % COLOURS.len()].on_default();
    format!("{}  {}", left(&text, PERCENT), drawn(chance, most, bar, style, terminal))
}

/// The same without bars.
fn grid(table: &Table, names: &[&str]) -> Grid {
    let mut grid = Grid::default();
    if table.numbers {
        grid.numbers("outcome")
    } else {
        grid.texts("outcome")
    }
    for name in names {
        grid.numbers(*name);
    }
    for row in &table.rows {
        let label = if row.rolled { format!("**{}**", row.label) } else { row.label.clone() };
        grid.row([label].into_iter().chain(row.chances.iter().map(percent)).collect());
    }
    grid
}
