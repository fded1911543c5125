//! The heat map of a sweep over two inputs, in a terminal: numbers in rows and columns, on colours or beside shades.
//!
//! ```text
//! a \ b     2     4
//!     1  1.5░  2.5▒
//!     2    3▒    5█
//! ```
//!
//! Where columns have no room, numbers are rounded first; then the columns are cut into tables one below the other.

use anstyle::{Ansi256Color, Color, RgbColor, Style};
use astragal_show::cut;
use astragal_show::export::grid::Grid;
use astragal_show::heat::{Colour, colour, share, wants_black};
use astragal_show::sweep::{Input, Measure, WAYS};
use unicode_width::UnicodeWidthStr;

use crate::chart::{left, right};
use crate::report::heading;
use crate::terminal::Terminal;

/// From low to high.
const SHADES: [&str; 4] = ["░", "▒", "▓", "█"];
/// After a blank: a dot at the end of a number is no shade.
const ASCII_SHADES: [&str; 4] = [" .", " :", " *", " #"];
/// The way in which numbers are written where nothing has room.
const SHORT: usize = 2;
/// The longest name of a column where there are several.
const LONGEST_NAME: usize = 12;

/// A table for each number that was asked for.
pub(crate) fn heat_map(
    rows: &Input,
    columns: &Input,
    measures: &[Measure],
    terminal: &Terminal,
) -> String {
    let maps = measures.iter().map(|measure| {
        let mut lines = vec![heading(&measure.title, terminal)];
        let map = Map { rows, columns, measure, terminal };
        if terminal.markdown {
            lines.extend(map.grid().markdown());
        } else {
            lines.extend(map.lines());
        }
        lines.join("\n")
    });
    maps.collect::<Vec<_>>().join("\n\n")
}

struct Map<'a> {
    rows: &'a Input,
    columns: &'a Input,
    measure: &'a Measure,
    terminal: &'a Terminal,
}

/// How wide things are.
struct Widths {
    label: usize,
    /// A number, or the name of its column.
    cell: usize,
    way: usize,
    /// How many columns stand side by side.
    columns: usize,
    /// The names of the inputs have no room beside the columns, and stand above them.
    above: bool,
}

impl Map<'_> {
    fn corner(&self) -> String {
        format!("{} \\ {}", self.rows.name, self.columns.name)
    }

    fn place(&self, row: usize, column: usize) -> usize {
        row * self.columns.values.len() + column
    }

    fn grid(&self) -> Grid {
        let mut grid = Grid::default();
        grid.numbers(self.corner());
        self.columns.values.iter().for_each(|value| grid.numbers(value));
        for (row, value) in self.rows.values.iter().enumerate() {
            let cells = (0..self.columns.values.len())
                .map(|column| self.measure.text(self.place(row, column), 0));
            grid.row([value.clone()].into_iter().chain(cells).collect());
        }
        grid
    }

    fn lines(&self) -> Vec<String> {
        let widths = self.widths();
        let all: Vec<usize> = (0..self.columns.values.len()).collect();
        let blocks = all.chunks(widths.columns).map(|columns| self.block(columns, &widths));
        let mut lines = blocks.collect::<Vec<_>>().join(&String::new());
        if widths.above {
            lines.insert(0, cut(&self.corner(), self.terminal.width));
        }
        lines.extend(self.legend());
        lines
    }

    /// What a cell takes beside its number: a blank on each side, or a gap and a shade.
    fn beside(&self) -> usize {
        match self.terminal.colour || self.terminal.plain {
            true => 2,
            false if self.terminal.unicode => 3,
            false => 4,
        }
    }

    fn widths(&self) -> Widths {
        let width = self.terminal.width;
        let labels = self.rows.values.iter().map(|value| value.width());
        let label = labels.max().unwrap_or(0).min(width / 3);
        let corner = label.max(self.corner().width());
        let beside = self.widths_beside(corner.min(width / 3));
        match beside.way == 0 && beside.columns >= self.columns.values.len() {
            true => beside,
            false => Widths { above: true, ..self.widths_beside(label) },
        }
    }

    /// With labels so wide.
    fn widths_beside(&self, label: usize) -> Widths {
        // Colours begin a blank after the labels.
        let room = self.terminal.width - label - usize::from(self.terminal.colour);
        let cell = |way: usize| {
            let texts = (0..self.measure.values.len()).map(|at| self.measure.text(at, way).width());
            let heads = self.columns.values.iter().map(|value| value.width().min(LONGEST_NAME));
            texts.chain(heads).max().unwrap_or(0)
        };
        let fitting = |way: usize| room / (cell(way) + self.beside());
        let count = self.columns.values.len().max(1);
        let way = (0..WAYS).find(|way| fitting(*way) >= count).unwrap_or(SHORT);
        // Tables one below the other are about as wide as each other.
        let columns = count.div_ceil(count.div_ceil(fitting(way).clamp(1, count)));
        Widths { label, cell: cell(way), way, columns, above: false }
    }

    fn block(&self, columns: &[usize], widths: &Widths) -> Vec<String> {
        let Widths { label, cell, way, above, .. } = *widths;
        let corner = if above { String::new() } else { cut(&self.corner(), label) };
        let gap = if self.terminal.colour { " " } else { "" };
        let mut head = left(&corner, label) + gap;
        for column in columns {
            let name = left(&cut(&self.columns.values[*column], cell), cell);
            head += &match self.beside() {
                2 if self.terminal.colour => format!(" {name} "),
                2 => format!("  {name}"),
                other => right(&format!("  {name}"), cell + other),
            };
        }
        let mut lines = vec![head.trim_end().to_owned()];
        for (row, value) in self.rows.values.iter().enumerate() {
            let mut line = left(&cut(value, label), label) + gap;
            for column in columns {
                let at = self.place(row, *column);
                line += &self.cell(at, &left(&self.measure.text(at, way), cell));
            }
            lines.push(line.trim_end().to_owned());
        }
        lines
    }

    fn cell(&self, at: usize, text: &str) -> String {
        let (low, high) = self.measure.range().unwrap_or_default();
        let share = self.measure.float(at).map(|value| share(value, low, high));
        match share {
            _ if self.terminal.plain => format!("  {text}"),
            Some(share) if self.terminal.colour => {
                let style = painted(share, self.terminal.all_colours);
                format!("{style} {text} {style:#}")
            }
            None if self.terminal.colour => format!(" {text} "),
            Some(share) => format!("  {text}{}", self.shade(share)),
            None => right(&format!("  {text}"), text.width() + self.beside()),
        }
    }

    fn shade(&self, share: f64) -> &'static str {
        let shades = if self.terminal.unicode { SHADES } else { ASCII_SHADES };
        shades[((share * shades.len() as f64) as usize).min(shades.len() - 1)]
    }

    /// Which colour or shade is which number.
    fn legend(&self) -> Vec<String> {
        let known = (0..self.measure.values.len()).filter(|at| self.measure.values[*at].is_some());
        let least = known.clone().min_by_key(|at| &self.measure.values[*at]);
        let most = known.max_by_key(|at| &self.measure.values[*at]);
        let (Some(least), Some(most), false) = (least, most, self.terminal.plain) else {
            return Vec::new();
        };
        let (low, high) = (self.measure.text(least, 1), self.measure.text(most, 1));
        if low == high {
            return Vec::new();
        }
        let ramp: String = (0..16)
            .map(|step| f64::from(step) / 15.0)
            .map(|share| match self.terminal.colour {
                true => {
                    let style = painted(share, self.terminal.all_colours);
                    format!("{style} {style:#}")
                }
                false => self.shade(share).trim().to_owned(),
            })
            .collect();
        vec![String::new(), format!("{low} {ramp} {high}")]
    }
}

/// Those of the 256 colours that every terminal knows which go from low to high as the picture's do.
const RAMP: [(u8, Colour); 11] = [
    (53, [95, 0, 95]),
    (54, [95, 0, 135]),
    (24, [0, 95, 135]),
    (30, [0, 135, 135]),
    (29, [0, 135, 95]),
    (35, [0, 175, 95]),
    (77, [95, 215, 95]),
    (113, [135, 215, 95]),
    (149, [175, 215, 95]),
    (184, [215, 215, 0]),
    (220, [255, 215, 0]),
];

/// Letters on the colour of a share.
fn painted(share: f64, all_colours: bool) -> Style {
    let (paper, shown): (Color, Colour) = if all_colours {
        let [red, green, blue] = colour(share);
        (RgbColor(red, green, blue).into(), colour(share))
    } else {
        let step = (share.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64).round() as usize;
        let (number, shown) = RAMP[step.min(RAMP.len() - 1)];
        (Ansi256Color(number).into(), shown)
    };
    let (black, white) = (Ansi256Color(16), Ansi256Color(231));
    let letters = if wants_black(shown) { black } else { white };
    Style::new().bg_color(Some(paper)).fg_color(Some(letters.into()))
}
