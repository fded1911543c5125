//! The heat map of a sweep over two inputs: rows and columns of coloured cells with their numbers.

use super::chart::note;
use super::frame::{across, below, upright};
use super::legend::{Heading, heading};
use super::letters::{SMALL, USUAL, fitted, width};
use super::paper::{Look, MARGIN, Paper, USUAL_HEIGHT};
use super::scale::place;
use super::xml::{Tag, escaped};
use crate::decimal::exact;
use crate::heat::{Colour, STOPS, colour, share, wants_black};
use crate::sweep::{Input, Measure, WAYS};

/// The height of a row, if there is no reason for another.
const ROW: f64 = 28.0;
/// The widest cell.
const WIDEST: f64 = 200.0;
/// What stands below the cells: labels and the name of the input.
const BELOW: f64 = 48.0;
/// The room for the scale of colours at the right.
const SCALE: f64 = 92.0;
/// The head of one map among several.
const HEAD: f64 = 24.0;
/// More maps than this make no picture.
const MOST_MAPS: usize = 12;
/// In lower rows no number can be read.
const LOWEST: f64 = 16.0;
/// The longest name of a row.
const LONGEST_NAME: f64 = 140.0;

/// The whole file: a map for each number that was asked for.
pub fn map(
    title: &str,
    rows: &Input,
    columns: &Input,
    measures: &[Measure],
    look: &Look,
) -> String {
    let several = measures.len() > 1;
    let head = if several { HEAD } else { 0.0 };
    let one = rows.values.len() as f64 * ROW + BELOW + head;
    let wanted = measures.len().min(MOST_MAPS);
    let usual = (76.0 + one * wanted as f64 + 30.0).max(USUAL_HEIGHT * 0.6);
    let paper = Paper::of(look, usual);
    let subtitle = match measures {
        [only] => Some(format!("{} for each {} and {}", only.title, rows.name, columns.name)),
        _ => None,
    };
    let (mut out, top) = heading(title, &Heading::Plain(subtitle), &paper);
    let room = paper.height - 26.0 - top - 6.0;
    // A picture of a given size may have no room for all.
    let fitting = (room / (rows.values.len() as f64 * LOWEST + BELOW + head)) as usize;
    let shown = &measures[..wanted.min(fitting.max(1))];
    if shown.len() < measures.len() {
        out += &note(&format!("not drawn: {} more", measures.len() - shown.len()), &paper);
    }
    out += &gradient();
    let height = room / shown.len().max(1) as f64;
    for (at, measure) in shown.iter().enumerate() {
        let map = Map { rows, columns, measure, paper: &paper };
        let top = top + 6.0 + height * at as f64;
        if several {
            out += &Tag::new("text")
                .set("class", "strong")
                .set("x", &place(MARGIN))
                .set("y", &place(top + 14.0))
                .holding(&fitted(&measure.title, USUAL, paper.room()));
        }
        out += &map.drawn(top + head, height - head);
    }
    paper.file(title, &out)
}

struct Map<'a> {
    rows: &'a Input,
    columns: &'a Input,
    measure: &'a Measure,
    paper: &'a Paper,
}

/// Where the cells are.
struct Cells {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Map<'_> {
    fn drawn(&self, top: f64, room: f64) -> String {
        let Some((low, high)) = self.measure.range() else { return String::new() };
        let cells = self.cells(top, room);
        let count = (self.rows.values.len(), self.columns.values.len());
        let way = self.way(&cells);
        let mut out = String::new();
        for row in 0..count.0 {
            out += &self.row_label(row, &cells);
            for column in 0..count.1 {
                let at = row * count.1 + column;
                let value = self.measure.float(at);
                let painted = value.map(|value| colour(share(value, low, high)));
                out += &self.cell(at, (row, column), painted, way, &cells);
            }
        }
        let (end, right) =
            (cells.top + cells.height * count.0 as f64, cells.left + cells.width * count.1 as f64);
        out += &self.column_labels(end, &cells);
        out += &upright(&self.rows.name, cells.top, end);
        out += &across(
            &self.columns.name,
            f64::midpoint(cells.left, right),
            end + 38.0,
            right - cells.left,
        );
        out + &self.scale(right + 20.0, cells.top, end)
    }

    fn cells(&self, top: f64, room: f64) -> Cells {
        let names = self.rows.values.iter().map(|value| width(value, USUAL));
        let left = 46.0 + names.fold(12.0, f64::max).min(LONGEST_NAME) + 8.0;
        let across = self.paper.width - left - MARGIN - SCALE;
        let (rows, columns) = (self.rows.values.len() as f64, self.columns.values.len() as f64);
        let height = ((room - BELOW) / rows).clamp(0.01, 2.0 * ROW);
        Cells { left, top, width: (across / columns).min(WIDEST), height }
    }

    /// The most exact way in which every number has room; none if there is no such way.
    fn way(&self, cells: &Cells) -> Option<usize> {
        let widest = |way| {
            let texts = (0..self.measure.values.len()).map(|at| self.measure.text(at, way));
            texts.map(|text| width(&text, SMALL)).fold(0.0, f64::max)
        };
        let fits = |way: &usize| widest(*way) + 6.0 <= cells.width && cells.height >= SMALL + 2.0;
        (0..WAYS).find(fits)
    }

    fn cell(
        &self,
        at: usize,
        (row, column): (usize, usize),
        painted: Option<Colour>,
        way: Option<usize>,
        cells: &Cells,
    ) -> String {
        let (x, y) =
            (cells.left + cells.width * column as f64, cells.top + cells.height * row as f64);
        let rect = Tag::new("rect")
            .set("x", &place(x))
            .set("y", &place(y))
            .set("width", &place(cells.width))
            .set("height", &place(cells.height))
            // Without it the paper shines through between neighbours.
            .set("shape-rendering", "crispEdges");
        let rect = match painted {
            Some(colour) => rect.set("fill", &hex(colour)),
            None => rect.set("class", "axis").set("fill", "none"),
        };
        let mut out = rect.holding_markup(&format!(
            "<title>{}</title>",
            escaped(&self.tooltip(at, (row, column)))
        ));
        if let Some(way) = way {
            let text = Tag::new("text")
                .set("class", "cell")
                .set("x", &place(x + cells.width / 2.0))
                .set("y", &place(y + cells.height / 2.0 + 4.0))
                .set("text-anchor", "middle");
            let text = match painted {
                Some(colour) if wants_black(colour) => text.set("style", "fill:#000"),
                Some(_) => text.set("style", "fill:#fff"),
                None => text,
            };
            out += &text.holding(&self.measure.text(at, way));
        }
        out
    }

    fn tooltip(&self, at: usize, (row, column): (usize, usize)) -> String {
        let fraction =
            self.measure.values[at].as_ref().and_then(exact).filter(|text| text.contains('/'));
        let fraction = fraction.map_or_else(String::new, |text| format!(" = {text}"));
        let (row, column) = (&self.rows.values[row], &self.columns.values[column]);
        let inputs = format!("{} = {row}, {} = {column}", self.rows.name, self.columns.name);
        format!("{inputs}: {} {}{fraction}", self.measure.title, self.measure.text(at, 0))
    }

    fn row_label(&self, row: usize, cells: &Cells) -> String {
        // Low rows have a label each few rows.
        let every = ((USUAL + 1.0) / cells.height).ceil().max(1.0) as usize;
        if !row.is_multiple_of(every) {
            return String::new();
        }
        Tag::new("text")
            .set("x", &place(cells.left - 8.0))
            .set("y", &place(cells.top + cells.height * (row as f64 + 0.5) + 4.5))
            .set("text-anchor", "end")
            .holding(&fitted(&self.rows.values[row], USUAL, LONGEST_NAME))
    }

    fn column_labels(&self, end: f64, cells: &Cells) -> String {
        let widest =
            self.columns.values.iter().map(|value| width(value, USUAL)).fold(0.0, f64::max);
        let numbers = self.columns.values.iter().all(|value| value.parse::<f64>().is_ok());
        // Numbers can be left out between others; a name is cut instead.
        let every =
            if numbers { ((widest + 8.0) / cells.width).ceil().max(1.0) as usize } else { 1 };
        let shown = self.columns.values.iter().enumerate().step_by(every);
        let label = |(at, value): (usize, &String)| {
            let x = cells.left + cells.width * (at as f64 + 0.5);
            let room = if numbers { f64::INFINITY } else { cells.width - 4.0 };
            below(x, end, &fitted(value, USUAL, room), false)
        };
        shown.map(label).collect()
    }

    /// Which colour is which number.
    fn scale(&self, x: f64, top: f64, end: f64) -> String {
        let (highest, lowest) = self.ends();
        if self.measure.range().is_none_or(|(low, high)| low == high) {
            return String::new();
        }
        let bar = Tag::new("rect")
            .set("x", &place(x))
            .set("y", &place(top))
            .set("width", "12")
            .set("height", &place(end - top))
            .set("fill", "url(#heat)")
            .empty();
        let label = |y: f64, text: &str| {
            let text = fitted(text, SMALL, self.paper.width - x - 22.0);
            let tag = Tag::new("text").set("class", "small").set("x", &place(x + 18.0));
            tag.set("y", &place(y)).holding(&text)
        };
        bar + &label(top + 9.0, &highest) + &label(end, &lowest)
    }

    /// The highest and the lowest number in words.
    fn ends(&self) -> (String, String) {
        let known = (0..self.measure.values.len()).filter(|at| self.measure.values[*at].is_some());
        let most = known.clone().max_by_key(|at| &self.measure.values[*at]);
        let least = known.min_by_key(|at| &self.measure.values[*at]);
        let text = |at: Option<usize>| at.map_or_else(String::new, |at| self.measure.text(at, 1));
        (text(most), text(least))
    }
}

fn hex([red, green, blue]: Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// From the highest at the top to the lowest.
fn gradient() -> String {
    let last = (STOPS.len() - 1) as f64;
    let stops = STOPS.iter().rev().enumerate().map(|(at, colour)| {
        Tag::new("stop")
            .set("offset", &place(at as f64 / last))
            .set("stop-color", &hex(*colour))
            .empty()
    });
    let stops: String = stops.collect();
    format!(
        "<defs>\n<linearGradient id=\"heat\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">\n{stops}</linearGradient>\n</defs>\n"
    )
}
