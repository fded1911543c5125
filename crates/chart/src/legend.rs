//! The title, and which colour is which.

use crate::letters::{SMALL, TITLE, USUAL, fitted, fitted_bold, width};
use crate::marks::{Point, marker_tags};
use crate::palette::{class, dash};
use crate::paper::{MARGIN, Paper};
use crate::scale::place;
use crate::tag::Tag;

/// The height of a line.
const LINE: f64 = 20.0;
/// Where the title stands, and the first line below it.
const FIRST: (f64, f64) = (34.0, 58.0);
/// The part of the paper that a legend may take.
const SHARE: f64 = 0.4;

/// What stands above a drawing.
pub(crate) enum Heading {
    /// Only the title, and a line that says more.
    Plain(Option<String>),
    /// Which series is which.
    Legend(Vec<Named>, Mark),
}

/// A series and how it looks.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) look: usize,
    pub(crate) dash: &'static str,
}

impl Named {
    /// Series in their usual looks.
    pub(crate) fn all(names: impl Iterator<Item = String>) -> Vec<Named> {
        names.enumerate().map(|(at, name)| Named { name, look: at, dash: dash(at) }).collect()
    }
}

/// What series are drawn as.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Square,
    Line,
    /// A line with markers.
    Marked,
}

impl Mark {
    /// How far the text is from where the mark begins.
    fn width(self) -> f64 {
        match self {
            Mark::Square => 17.0,
            Mark::Line | Mark::Marked => 32.0,
        }
    }
}

/// The sign of a series in a legend that a page makes itself, 26 wide and 14 high: `square`, `line` or `marked`.
pub fn swatch(at: usize, mark: &str) -> Vec<Tag> {
    let mark = match mark {
        "square" => Mark::Square,
        "line" => Mark::Line,
        _ => Mark::Marked,
    };
    sign(at, dash(at), mark, if mark == Mark::Square { 7.0 } else { 0.0 }, 7.0)
}

/// The sign of a series, its middle at a height.
fn sign(look: usize, dash: &'static str, mark: Mark, x: f64, y: f64) -> Vec<Tag> {
    if mark == Mark::Square {
        let told = if matches!(look, 1 | 2) { format!(" look{look}") } else { String::new() };
        let rect = Tag::new("rect").set("class", format!("fill {}{told}", class(look)));
        let rect = rect.at("x", x).at("y", y - 5.5).at("width", 11.0).at("height", 11.0);
        return vec![rect.at("rx", 2.0)];
    }
    let path = format!("M{} {}H{}", place(x), place(y), place(x + 26.0));
    let line = Tag::new("path").set("class", format!("line {}", class(look))).set("d", path);
    let mut tags = vec![line.set("stroke-dasharray", dash)];
    if mark == Mark::Marked {
        tags.extend(marker_tags([Point { x: x + 13.0, y, tooltip: "" }].iter(), look));
    }
    tags
}

/// An entry of the legend where it stands.
struct Entry<'a> {
    named: &'a Named,
    x: f64,
    line: usize,
    text: String,
}

/// How many lines a heading needs on paper of this width.
pub(crate) fn lines(heading: &Heading, paper_width: f64) -> usize {
    match heading {
        Heading::Plain(None) => 0,
        Heading::Plain(Some(_)) => 1,
        Heading::Legend(names, mark) => {
            entries(names, *mark, paper_width).last().map_or(0, |last| last.line + 1)
        }
    }
}

fn entries(names: &[Named], mark: Mark, paper_width: f64) -> Vec<Entry<'_>> {
    let room = paper_width - 2.0 * MARGIN;
    let (mut x, mut line) = (MARGIN, 0);
    let mut entries = Vec::new();
    for named in names {
        let text = fitted(&named.name, USUAL, room - mark.width());
        let wide = width(&text, USUAL) + mark.width();
        if x + wide > MARGIN + room && x > MARGIN {
            (x, line) = (MARGIN, line + 1);
        }
        entries.push(Entry { named, x, line, text });
        x += wide + 18.0;
    }
    entries
}

/// Everything above the drawing, and where it ends.
pub(crate) fn heading(title: &str, heading: &Heading, paper: &Paper) -> (Vec<Tag>, f64) {
    let title = fitted_bold(title, TITLE, paper.room());
    let tag = Tag::new("text").set("class", "title");
    let mut tags = vec![tag.at("x", MARGIN).at("y", FIRST.0).text(title)];
    let most = ((paper.height * SHARE / LINE) as usize).max(1);
    let taken = lines(heading, paper.width).min(most);
    match heading {
        Heading::Plain(None) => {}
        Heading::Plain(Some(words)) => {
            let tag = Tag::new("text").set("class", "small").at("x", MARGIN).at("y", FIRST.1 - 2.0);
            tags.push(tag.text(fitted(words, SMALL, paper.room())));
        }
        Heading::Legend(names, mark) => {
            let mut entries = entries(names, *mark, paper.width);
            let last = entries.iter().rposition(|entry| entry.line < most).unwrap_or(0);
            if last + 1 < entries.len() {
                let more = entries.len() - last;
                entries[last].text = format!("… and {more} more");
                entries.truncate(last + 1);
            }
            tags.extend(entries.iter().flat_map(|entry| drawn(entry, *mark)));
        }
    }
    (tags, FIRST.1 + 4.0 + LINE * taken as f64)
}

fn drawn(entry: &Entry<'_>, mark: Mark) -> Vec<Tag> {
    let y = FIRST.1 + LINE * entry.line as f64;
    let mut tags = sign(entry.named.look, entry.named.dash, mark, entry.x, y - 4.5);
    let text = Tag::new("text").at("x", entry.x + mark.width()).at("y", y);
    tags.push(text.text(entry.text.clone()));
    tags
}
