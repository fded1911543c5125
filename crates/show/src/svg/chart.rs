//! The chart of odds: a title, a legend, axes with round ticks, bars over outcomes.

use super::data::Data;
use super::frame::{Frame, Room, Upwards};
use super::legend::{Heading, Mark, Named, heading, lines};
use super::letters::{SMALL, fitted};
use super::marks::{are_lines, marks};
use super::paper::{Look, MARGIN, Paper, USUAL_HEIGHT, USUAL_WIDTH};
use super::scale::place;
use super::xml::Tag;
use crate::View;

/// The whole file.
pub(crate) fn chart(data: &Data, look: &Look) -> String {
    let above = above(data);
    let usual = higher(USUAL_HEIGHT, lines(&above, USUAL_WIDTH));
    let paper = Paper::of(look, usual);
    let (mut out, top) = heading(&data.title, &above, &paper);
    let room = Room::below(&paper, top + 20.0, data.note.is_some());
    let high = data.bars.iter().flatten().map(|bar| bar.percent).fold(0.0, f64::max);
    let upwards = Upwards { low: 0.0, high, sign: "%", name: name(data.view).into() };
    let frame = Frame::of(room, &data.places, &upwards);
    out += &frame.vertical_axis(&upwards.name);
    out += &marks(data, &frame);
    out += &frame.horizontal_axis(&data.places, &data.across);
    out += &data.note.as_deref().map_or_else(String::new, |text| note(text, &paper));
    paper.file(&data.title, &out)
}

/// A long legend makes a picture higher, not its drawing lower.
pub(crate) fn higher(usual: f64, lines: usize) -> f64 {
    usual + 20.0 * lines.saturating_sub(2) as f64
}

fn above(data: &Data) -> Heading {
    if let [only] = data.moments.as_slice() {
        return Heading::Plain(only.clone());
    }
    let entry = |(name, moments): (&String, &Option<String>)| match moments {
        Some(moments) => format!("{} ({moments})", crate::cut(name, 60)),
        None => name.clone(),
    };
    let names = Named::all(data.names.iter().zip(&data.moments).map(entry));
    Heading::Legend(names, if are_lines(data) { Mark::Line } else { Mark::Square })
}

fn name(view: View) -> &'static str {
    match view {
        View::Exactly => "chance",
        View::AtLeast => "chance of this or more",
        View::AtMost => "chance of this or less",
    }
}

/// What is said at the foot of the paper.
pub(crate) fn note(text: &str, paper: &Paper) -> String {
    Tag::new("text")
        .set("class", "small")
        .set("x", &place(paper.width - MARGIN))
        .set("y", &place(paper.height - 12.0))
        .set("text-anchor", "end")
        .holding(&fitted(text, SMALL, paper.room()))
}
