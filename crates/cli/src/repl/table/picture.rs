//! The table for the eyes.
//!
//! ```text
//! round 2
//!    init  who       hp
//! ▶    18  Anna   17/24  ███████     prone
//!      12  Bert   30/30  ██████████
//! notes
//!   1  the bridge is out
//! ```
//!
//! Where there is no room for bars, the numbers remain, and what follows goes to a line of its own.

use anstyle::{AnsiColor, Style};
use astragal::Rational;
use astragal_show::cut;
use astragal_show::export::grid::Grid;
use unicode_width::UnicodeWidthStr;

use super::{Character, Table};
use crate::chart::{BAR, SHORTEST_BAR, drawn, left, right};
use crate::repl::wrap::wrapped;
use crate::terminal::Terminal;

/// The longest bar; more is no clearer.
const LONGEST_BAR: usize = 20;
/// The shortest room for conditions beside a name.
const SHORTEST_STATE: usize = 12;
const LOW: Style = AnsiColor::Red.on_default();
const TURN: Style = Style::new().bold();

/// The table as lines.
pub(super) fn picture(table: &Table, terminal: &Terminal) -> String {
    if table.is_empty() {
        let add = "`:table add Anna hp 24 init d20+3` puts somebody there";
        return format!("(nobody is at the table: {add}, `:table help` tells the rest)");
    }
    let mut lines = Vec::new();
    if table.round > 0 {
        lines.push(format!("round {}", table.round));
    }
    lines.extend(if terminal.markdown { markdown(table, terminal) } else { rows(table, terminal) });
    if !table.notes.is_empty() {
        lines.push("notes".into());
        let number = table.notes.len().to_string().len();
        for (at, note) in table.notes.iter().enumerate() {
            let head = format!("  {:>number$}  ", at + 1);
            lines.extend(wrapped(note, &head, terminal.width));
        }
    }
    lines.join("\n")
}

/// How wide the columns are.
struct Widths {
    init: usize,
    name: usize,
    hp: usize,
    bar: usize,
    /// Room for the conditions beside the rest; none if they go below.
    state: usize,
}

impl Widths {
    fn of(rows: &[&Character], terminal: &Terminal) -> Widths {
        let widest = |text: fn(&Character) -> String| {
            rows.iter().map(|row| text(row).width()).max().unwrap_or(0)
        };
        let init = widest(initiative).max("init".len());
        let name = widest(|row| row.name.clone()).max("who".len()).min(terminal.width / 3);
        let hp = widest(Character::hit_points).max("hp".len());
        let room = terminal.width.saturating_sub(2 + init + 2 + name + 2 + hp + 2);
        let state = widest(Character::state).clamp(SHORTEST_STATE, terminal.width / 3);
        let bar = match room.saturating_sub(state + 2).min(LONGEST_BAR) {
            _ if terminal.plain || rows.iter().all(|row| row.max.is_none()) => 0,
            short if short < SHORTEST_BAR => 0,
            room => room,
        };
        let left = room.saturating_sub(if bar > 0 { bar + 2 } else { 0 });
        let state = if left >= state { left } else { 0 };
        Widths { init, name, hp, bar, state }
    }
}

fn rows(table: &Table, terminal: &Terminal) -> Vec<String> {
    let rows = table.in_order();
    let widths = Widths::of(&rows, terminal);
    let Widths { init, name, hp, .. } = widths;
    let head = format!("  {}  {}  {}", left("init", init), right("who", name), left("hp", hp));
    let mut lines = if rows.is_empty() { Vec::new() } else { vec![head] };
    for row in rows {
        let is_turn = table.turn.as_ref() == Some(&row.name);
        lines.extend(one(row, is_turn, &widths, terminal));
    }
    lines
}

fn one(row: &Character, is_turn: bool, widths: &Widths, terminal: &Terminal) -> Vec<String> {
    let mark = if is_turn { mark(terminal) } else { " " };
    let name = right(&cut(&row.name, widths.name), widths.name);
    let name = if is_turn && terminal.colour { format!("{TURN}{name}{TURN:#}") } else { name };
    let init = left(&initiative(row), widths.init);
    let mut line = format!("{mark} {init}  {name}  {}", left(&row.hit_points(), widths.hp));
    if widths.bar > 0 {
        line += &format!("  {}", bar(row, widths.bar, terminal));
    }
    let state = row.state();
    if state.is_empty() {
        return vec![line.trim_end().to_owned()];
    }
    if widths.state > 0 && state.width() <= widths.state {
        return vec![format!("{line}  {state}")];
    }
    let below = " ".repeat(2 + widths.init + 2);
    let mut lines = vec![line.trim_end().to_owned()];
    lines.extend(wrapped(&state, &below, terminal.width));
    lines
}

/// Whose turn it is.
fn mark(terminal: &Terminal) -> &'static str {
    if terminal.unicode { "▶" } else { "*" }
}

/// `18`, or a dash for who takes no turns.
fn initiative(row: &Character) -> String {
    row.init.map_or_else(|| "–".into(), |init| init.to_string())
}

/// How much is left; red when it is a quarter or less.
fn bar(row: &Character, width: usize, terminal: &Terminal) -> String {
    let (Some(hp), Some(max)) = (row.hp, row.max.filter(|max| *max > 0)) else {
        return " ".repeat(width);
    };
    let style = if hp <= max / 4 { LOW } else { BAR };
    drawn(&Rational::from(hp.clamp(0, max)), &Rational::from(max), width, style, terminal)
}

fn markdown(table: &Table, terminal: &Terminal) -> Vec<String> {
    let mut grid = Grid::default();
    grid.texts("");
    grid.numbers("init");
    grid.texts("who");
    grid.numbers("hp");
    grid.texts("conditions");
    for row in table.in_order() {
        let mark = if table.turn.as_ref() == Some(&row.name) { mark(terminal) } else { "" };
        let cells = [mark.into(), initiative(row), row.name.clone(), row.hit_points(), row.state()];
        grid.row(cells.to_vec());
    }
    grid.markdown()
}
