//! The title, and which colour is which.

use super::letters::{SMALL, TITLE, USUAL, fitted, fitted_bold, width};
use super::palette::class;
use super::paper::{MARGIN, Paper};
use super::scale::place;
use super::xml::Tag;

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
    /// Which series is which; as lines or as squares.
    Legend(Vec<Named>, Mark),
}

/// A series and its classes.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) class: String,
}

impl Named {
    /// Series in their usual colours.
    pub(crate) fn all(names: impl Iterator<Item = String>) -> Vec<Named> {
        names.enumerate().map(|(at, name)| Named { name, class: class(at) }).collect()
    }
}

/// What a series looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Square,
    Line,
}

impl Mark {
    /// How far the text is from where the mark begins.
    fn width(self) -> f64 {
        match self {
            Mark::Square => 17.0,
            Mark::Line => 24.0,
        }
    }
}

/// An entry of the legend where it stands.
struct Entry<'a> {
    class: &'a str,
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
    for Named { name, class } in names {
        let text = fitted(name, USUAL, room - mark.width());
        let wide = width(&text, USUAL) + mark.width();
        if x + wide > MARGIN + room && x > MARGIN {
            (x, line) = (MARGIN, line + 1);
        }
        entries.push(Entry { class, x, line, text });
        x += wide + 18.0;
    }
    entries
}

/// Everything above the drawing, and where it ends.
pub(crate) fn heading(title: &str, heading: &Heading, paper: &Paper) -> (String, f64) {
    let title = fitted_bold(title, TITLE, paper.room());
    let mut out = Tag::new("text")
        .set("class", "title")
        .set("x", &place(MARGIN))
        .set("y", &place(FIRST.0))
        .holding(&title);
    let most = ((paper.height * SHARE / LINE) as usize).max(1);
    let taken = lines(heading, paper.width).min(most);
    match heading {
        Heading::Plain(None) => {}
        Heading::Plain(Some(words)) => {
            out += &Tag::new("text")
                .set("class", "small")
                .set("x", &place(MARGIN))
                .set("y", &place(FIRST.1 - 2.0))
                .holding(&fitted(words, SMALL, paper.room()));
        }
        Heading::Legend(names, mark) => {
            let mut entries = entries(names, *mark, paper.width);
            let last = entries.iter().rposition(|entry| entry.line < most).unwrap_or(0);
            if last + 1 < entries.len() {
                let more = entries.len() - last;
                entries[last].text = format!("… and {more} more");
                entries.truncate(last + 1);
            }
            for entry in &entries {
                out += &drawn(entry, *mark);
            }
        }
    }
    (out, FIRST.1 + 4.0 + LINE * taken as f64)
}

fn drawn(entry: &Entry<'_>, mark: Mark) -> String {
    let y = FIRST.1 + LINE * entry.line as f64;
    let sign = match mark {
        Mark::Square => Tag::new("rect")
            .set("class", entry.class)
            .set("x", &place(entry.x))
            .set("y", &place(y - 10.0))
            .set("width", "11")
            .set("height", "11")
            .set("rx", "2")
            .empty(),
        Mark::Line => {
            let (from, to, middle) = (place(entry.x), place(entry.x + 18.0), place(y - 4.5));
            Tag::new("path")
                .set("class", &format!("line {}", entry.class))
                .set("d", &format!("M{from} {middle}H{to}"))
                .empty()
        }
    };
    sign + &Tag::new("text")
        .set("x", &place(entry.x + mark.width()))
        .set("y", &place(y))
        .holding(&entry.text)
}
