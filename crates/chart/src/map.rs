//! The heat map of a sweep over two inputs: rows and columns of coloured cells with their numbers.

use crate::frame::{across, below, upright};
use crate::heat::{Colour, STOPS, colour, hex, wants_black};
use crate::legend::{Heading, heading};
use crate::letters::{SMALL, USUAL, fitted, width};
use crate::odds::note;
use crate::paper::{Look, MARGIN, Paper, USUAL_HEIGHT};
use crate::scale::place;
use crate::tag::Tag;

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

/// What is drawn.
#[derive(Clone, Debug)]
pub struct Map {
    /// The input that goes down.
    pub rows: Side,
    /// The input that goes across.
    pub columns: Side,
    /// A map for each number that was asked for.
    pub measures: Vec<Measure>,
}

/// An input and its values.
#[derive(Clone, Debug)]
pub struct Side {
    /// Its name.
    pub name: String,
    /// As they are written.
    pub values: Vec<String>,
}

/// One number for all pairs of values.
#[derive(Clone, Debug)]
pub struct Measure {
    /// What it is.
    pub title: String,
    /// Row by row.
    pub cells: Vec<Cell>,
    /// The highest and the lowest number in words; none if there is no number, or but one.
    pub ends: Option<(String, String)>,
}

/// One number of a map.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Where it is between the lowest and the highest; none if there is no number.
    pub share: Option<f64>,
    /// How it can be written, the most exact way first; all cells have as many ways.
    pub written: Vec<String>,
    /// What is said where it is pointed at.
    pub tooltip: String,
}

impl Map {
    /// The whole file.
    pub fn file(&self, title: &str, look: &Look) -> String {
        let several = self.measures.len() > 1;
        let head = if several { HEAD } else { 0.0 };
        let rows = self.rows.values.len() as f64;
        let wanted = self.measures.len().min(MOST_MAPS);
        let usual = 76.0 + (rows * ROW + BELOW + head) * wanted as f64 + 30.0;
        let paper = Paper::of(look, usual.max(USUAL_HEIGHT * 0.6));
        let (mut tags, top) = heading(title, &Heading::Plain(self.subtitle()), &paper);
        let room = paper.height - 26.0 - top - 6.0;
        // A picture of a given size may have no room for all.
        let fitting = (room / (rows * LOWEST + BELOW + head)) as usize;
        let shown = &self.measures[..wanted.min(fitting.max(1))];
        if shown.len() < self.measures.len() {
            let more = self.measures.len() - shown.len();
            tags.push(note(&format!("not drawn: {more} more"), &paper));
        }
        tags.push(gradient());
        let height = room / shown.len().max(1) as f64;
        for (at, measure) in shown.iter().enumerate() {
            let top = top + 6.0 + height * at as f64;
            if several {
                let tag =
                    Tag::new("text").set("class", "strong").at("x", MARGIN).at("y", top + 14.0);
                tags.push(tag.text(fitted(&measure.title, USUAL, paper.room())));
            }
            let cells = self.cells(top + head, height - head, &paper);
            tags.extend(self.one(measure, &cells, &paper));
        }
        paper.file(title, &tags)
    }

    fn subtitle(&self) -> Option<String> {
        match self.measures.as_slice() {
            [only] => Some(format!(
                "{} for each {} and {}",
                only.title, self.rows.name, self.columns.name
            )),
            _ => None,
        }
    }

    fn cells(&self, top: f64, room: f64, paper: &Paper) -> Cells {
        let names = self.rows.values.iter().map(|value| width(value, USUAL));
        let left = 46.0 + names.fold(12.0, f64::max).min(LONGEST_NAME) + 8.0;
        let across = paper.width - left - MARGIN - SCALE;
        let (rows, columns) = (self.rows.values.len() as f64, self.columns.values.len() as f64);
        let height = ((room - BELOW) / rows).clamp(0.01, 2.0 * ROW);
        Cells { left, top, width: (across / columns).min(WIDEST), height }
    }

    fn one(&self, measure: &Measure, cells: &Cells, paper: &Paper) -> Vec<Tag> {
        if measure.cells.iter().all(|cell| cell.share.is_none()) {
            return Vec::new();
        }
        let (rows, columns) = (self.rows.values.len(), self.columns.values.len());
        let way = way(measure, cells);
        let mut tags: Vec<Tag> = (0..rows).filter_map(|row| self.row_label(row, cells)).collect();
        for (at, cell) in measure.cells.iter().enumerate() {
            tags.extend(drawn(cell, cells.place(at / columns, at % columns), way, cells));
        }
        let end = cells.top + cells.height * rows as f64;
        let right = cells.left + cells.width * columns as f64;
        tags.extend(self.column_labels(end, cells));
        tags.push(upright(&self.rows.name, cells.top, end));
        let middle = f64::midpoint(cells.left, right);
        tags.push(across(&self.columns.name, middle, end + 38.0, right - cells.left));
        if let Some(ends) = &measure.ends {
            tags.extend(scale(ends, right + 20.0, (cells.top, end), paper));
        }
        tags
    }

    fn row_label(&self, row: usize, cells: &Cells) -> Option<Tag> {
        // Low rows have a label each few rows.
        let every = ((USUAL + 1.0) / cells.height).ceil().max(1.0) as usize;
        let y = cells.top + cells.height * (row as f64 + 0.5) + 4.5;
        let tag = Tag::new("text").at("x", cells.left - 8.0).at("y", y).set("text-anchor", "end");
        let text = fitted(&self.rows.values[row], USUAL, LONGEST_NAME);
        row.is_multiple_of(every).then(|| tag.text(text))
    }

    fn column_labels(&self, end: f64, cells: &Cells) -> Vec<Tag> {
        let values = &self.columns.values;
        let widest = values.iter().map(|value| width(value, USUAL)).fold(0.0, f64::max);
        let numbers = values.iter().all(|value| value.parse::<f64>().is_ok());
        // Numbers can be left out between others; a name is cut instead.
        let every =
            if numbers { ((widest + 8.0) / cells.width).ceil().max(1.0) as usize } else { 1 };
        let label = |(at, value): (usize, &String)| {
            let x = cells.left + cells.width * (at as f64 + 0.5);
            let room = if numbers { f64::INFINITY } else { cells.width - 4.0 };
            below(x, end, &fitted(value, USUAL, room), false)
        };
        values.iter().enumerate().step_by(every).map(label).collect()
    }
}

/// Where the cells are.
struct Cells {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Cells {
    fn place(&self, row: usize, column: usize) -> (f64, f64) {
        (self.left + self.width * column as f64, self.top + self.height * row as f64)
    }
}

/// The most exact way in which every number has room; none if there is no such way.
fn way(measure: &Measure, cells: &Cells) -> Option<usize> {
    let ways = measure.cells.iter().map(|cell| cell.written.len()).max().unwrap_or(0);
    let widest = |way| {
        let texts = measure.cells.iter().map(|cell| in_way(cell, way));
        texts.map(|text| width(text, SMALL)).fold(0.0, f64::max)
    };
    let fits = |way: &usize| widest(*way) + 6.0 <= cells.width && cells.height >= SMALL + 2.0;
    (0..ways).find(fits)
}

/// In a way, or in the last that there is.
fn in_way(cell: &Cell, way: usize) -> &str {
    cell.written.get(way).or(cell.written.last()).map_or("", String::as_str)
}

fn drawn(cell: &Cell, (x, y): (f64, f64), way: Option<usize>, cells: &Cells) -> Vec<Tag> {
    let painted = cell.share.map(colour);
    let rect = Tag::new("rect").at("x", x).at("y", y).at("width", cells.width);
    // Without it the paper shines through between neighbours.
    let rect = rect.at("height", cells.height).set("shape-rendering", "crispEdges");
    let rect = match painted {
        Some(colour) => rect.set("fill", hex(colour)),
        None => rect.set("class", "axis").set("fill", "none"),
    };
    let text = Tag::new("text").set("class", "cell").at("x", x + cells.width / 2.0);
    let text = text.at("y", y + cells.height / 2.0 + 4.0).set("text-anchor", "middle");
    let text = match painted {
        Some(colour) => text.set("style", format!("fill:{}", letters(colour))),
        None => text,
    };
    let text = way.map(|way| text.text(in_way(cell, way)));
    [Some(rect.titled(&cell.tooltip)), text].into_iter().flatten().collect()
}

fn letters(colour: Colour) -> &'static str {
    if wants_black(colour) { "#000" } else { "#fff" }
}

/// Which colour is which number.
fn scale(
    (highest, lowest): &(String, String),
    x: f64,
    (top, end): (f64, f64),
    paper: &Paper,
) -> [Tag; 3] {
    let bar = Tag::new("rect").at("x", x).at("y", top).at("width", 12.0);
    let label = |y: f64, text: &str| {
        let text = fitted(text, SMALL, paper.width - x - 22.0);
        Tag::new("text").set("class", "small").at("x", x + 18.0).at("y", y).text(text)
    };
    let bar = bar.at("height", end - top).set("fill", "url(#heat)");
    [bar, label(top + 9.0, highest), label(end, lowest)]
}

/// From the highest at the top to the lowest.
fn gradient() -> Tag {
    let last = (STOPS.len() - 1) as f64;
    let stops = STOPS.iter().rev().enumerate().map(|(at, colour)| {
        Tag::new("stop").set("offset", place(at as f64 / last)).set("stop-color", hex(*colour))
    });
    let gradient = Tag::new("linearGradient").set("id", "heat").set("x1", "0").set("y1", "0");
    let gradient = gradient.set("x2", "0").set("y2", "1").tags(stops.collect());
    Tag::new("defs").tags(vec![gradient])
}
