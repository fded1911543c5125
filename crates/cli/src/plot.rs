//! The chart of a sweep over one input, in a terminal: a line for each number, with its own sign and colour.
//!
//! ```text
//! 20 ┤                 ●
//!    │          ··●··
//! 10 ┤   ··●··
//!    └────────────────────
//!      1    2     3    4
//!              n
//! ```

use anstyle::Style;
use astragal_show::svg::scale::{label, ticks};
use astragal_show::sweep::{Input, Measure};
use unicode_width::UnicodeWidthStr;

use crate::chart::left;
use crate::side::COLOURS;
use crate::terminal::Terminal;

/// How many lines the chart is high.
const HEIGHT: usize = 12;
/// Wider is no clearer.
const WIDEST: usize = 90;
/// Fewer points are read in the table.
const FEWEST: usize = 3;
/// More lines cannot be followed.
const MOST_LINES: usize = 8;

const SIGNS: [char; MOST_LINES] = ['●', '▲', '■', '◆', '○', '△', '□', '◇'];
const ASCII_SIGNS: [char; MOST_LINES] = ['o', 'x', '+', '*', '#', '@', '%', '&'];

/// The charts of means and of chances, which have no scale in common; as lines that begin with a blank one.
pub(crate) fn plot(input: &Input, measures: &[Measure], terminal: &Terminal) -> Vec<String> {
    if input.values.len() < FEWEST {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for chance in [false, true] {
        let alike: Vec<&Measure> = measures.iter().filter(|m| m.chance == chance).collect();
        let shown = &alike[..alike.len().min(MOST_LINES)];
        if !shown.is_empty() {
            lines.push(String::new());
            lines.extend(Plot::of(input, shown, terminal).lines());
        }
    }
    lines
}

struct Plot<'a> {
    input: &'a Input,
    measures: &'a [&'a Measure],
    terminal: &'a Terminal,
    /// The ends of the scale and its round numbers with their texts.
    low: f64,
    high: f64,
    marks: Vec<(f64, String)>,
    margin: usize,
    width: usize,
    /// Where each point stands, in columns.
    places: Vec<usize>,
}

/// What a place shows: a sign, and whose it is.
type Cell = Option<(char, usize)>;

impl<'a> Plot<'a> {
    fn of(input: &'a Input, measures: &'a [&'a Measure], terminal: &'a Terminal) -> Plot<'a> {
        let chance = measures.iter().any(|measure| measure.chance);
        let ranges = measures.iter().filter_map(|measure| measure.range());
        let whole = ranges.reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
        let (low, high) = whole.unwrap_or((0.0, 1.0));
        let near = chance || (low >= 0.0 && low <= high * 0.6);
        let low = if near { low.min(0.0) } else { low };
        let high = if high > low { high } else { low + 1.0 };
        let step = ticks(low, high, 5, 0.0).step;
        let sign = if chance { "%" } else { "" };
        let round = ticks(low, high, 5, step);
        let marks = round.at.iter().map(|at| (*at, format!("{}{sign}", label(*at, round.step))));
        let marks: Vec<(f64, String)> = marks.collect();
        let margin = marks.iter().map(|(_, text)| text.width()).max().unwrap_or(0);
        let width = terminal.width.saturating_sub(margin + 4).clamp(10, WIDEST);
        let places = places(input, width);
        Plot { input, measures, terminal, low, high, marks, margin, width, places }
    }

    fn lines(&self) -> Vec<String> {
        let [cross, side, corner, floor] =
            if self.terminal.unicode { ["┤", "│", "└", "─"] } else { ["+", "|", "+", "-"] };
        let mut lines = Vec::new();
        for (row, cells) in self.canvas().iter().enumerate() {
            let mark = self.marks.iter().find(|(at, _)| self.row(*at) == row);
            let (text, edge) = mark.map_or(("", side), |(_, text)| (text.as_str(), cross));
            let cells: String = cells.iter().map(|cell| self.drawn(*cell)).collect();
            lines
                .push(format!("{} {edge}{}", left(text, self.margin), cells).trim_end().to_owned());
        }
        lines.push(format!("{} {corner}{}", " ".repeat(self.margin), floor.repeat(self.width)));
        lines.push(self.below());
        let middle = self.margin + 2 + (self.width + self.input.name.width()) / 2;
        lines.push(left(&self.input.name, middle));
        lines.extend(self.legend());
        lines
    }

    fn row(&self, value: f64) -> usize {
        let share = (value - self.low) / (self.high - self.low);
        HEIGHT - 1 - (share * (HEIGHT - 1) as f64).round() as usize
    }

    /// The signs of points, and dots between them.
    fn canvas(&self) -> Vec<Vec<Cell>> {
        let mut canvas: Vec<Vec<Cell>> = vec![vec![None; self.width]; HEIGHT];
        let dot = if self.terminal.unicode { '·' } else { '.' };
        for (series, measure) in self.measures.iter().enumerate() {
            for at in 1..self.places.len() {
                let (Some(from), Some(to)) = (measure.float(at - 1), measure.float(at)) else {
                    continue;
                };
                let (start, end) = (self.places[at - 1], self.places[at]);
                let between = (start + 1..end).map(|column| {
                    let part = (column - start) as f64 / (end - start) as f64;
                    (self.row(from + (to - from) * part), column)
                });
                for (row, column) in between {
                    canvas[row][column].get_or_insert((dot, series));
                }
            }
        }
        for (series, measure) in self.measures.iter().enumerate() {
            for (at, column) in self.places.iter().enumerate() {
                if let Some(value) = measure.float(at) {
                    canvas[self.row(value)][*column] = Some((self.sign(series), series));
                }
            }
        }
        canvas
    }

    fn sign(&self, series: usize) -> char {
        if self.terminal.unicode { SIGNS[series] } else { ASCII_SIGNS[series] }
    }

    fn drawn(&self, cell: Cell) -> String {
        match cell {
            None => " ".into(),
            Some((sign, series)) if self.terminal.colour => {
                let style: Style = COLOURS[series % COLOURS.len()].on_default();
                format!("{style}{sign}{style:#}")
            }
            Some((sign, _)) => sign.to_string(),
        }
    }

    /// The values of the input, as many as have room.
    fn below(&self) -> String {
        let mut line = String::new();
        let mut end = 0;
        for (value, column) in self.input.values.iter().zip(&self.places) {
            let middle = self.margin + 2 + column;
            let start = middle.saturating_sub(value.width() / 2);
            if (line.is_empty() || start > end) && start >= end {
                line += &" ".repeat(start - end);
                line += value;
                end = start + value.width();
            }
        }
        line
    }

    fn legend(&self) -> Vec<String> {
        let entry = |(series, measure): (usize, &&Measure)| {
            (format!("{} {}", self.sign(series), measure.title), series)
        };
        let (mut lines, mut width) = (vec![String::new()], 0);
        for (text, series) in self.measures.iter().enumerate().map(entry) {
            if width > 0 && width + 3 + text.width() > self.terminal.width {
                lines.push(String::new());
                width = 0;
            }
            let last = lines.len() - 1;
            let gap = if width > 0 { "   " } else { "" };
            width += gap.len() + text.width();
            let style: Style = COLOURS[series % COLOURS.len()].on_default();
            let shown = if self.terminal.colour { format!("{style}{text}{style:#}") } else { text };
            lines[last] += &format!("{gap}{shown}");
        }
        lines
    }
}

/// Numbers in order stand where they are on a scale, everything else side by side.
fn places(input: &Input, width: usize) -> Vec<usize> {
    let count = input.values.len();
    let numbers: Option<Vec<f64>> = input.values.iter().map(|value| value.parse().ok()).collect();
    let shares: Vec<f64> = match numbers.filter(|numbers| numbers.is_sorted()) {
        Some(numbers) if numbers[count - 1] > numbers[0] => {
            numbers.iter().map(|n| (n - numbers[0]) / (numbers[count - 1] - numbers[0])).collect()
        }
        _ => (0..count).map(|at| at as f64 / (count - 1).max(1) as f64).collect(),
    };
    shares.iter().map(|share| 1 + (share * (width - 3) as f64).round() as usize).collect()
}
