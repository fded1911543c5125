//! The title, and which colour is which.

use super::data::Data;
use super::frame::{LETTER, RIGHT, WIDTH};
use super::palette::class;
use super::scale::place;
use super::xml::Tag;
use crate::cut;

/// Everything above the chart.
pub(crate) fn heading(data: &Data) -> String {
    let title = cut(&data.title, 72);
    let mut out =
        Tag::new("text").set("class", "title").set("x", "24").set("y", "34").holding(&title);
    if let [only] = data.moments.as_slice() {
        let words = only.clone().unwrap_or_default();
        return out
            + &Tag::new("text")
                .set("class", "small")
                .set("x", "24")
                .set("y", "56")
                .holding(&words);
    }
    let (mut x, mut y) = (24.0, 58.0);
    for (at, text) in legend(data).iter().enumerate() {
        let width = legend_width(text);
        if x + width > WIDTH - RIGHT && x > 24.0 {
            (x, y) = (24.0, y + 20.0);
        }
        out += &Tag::new("rect")
            .set("class", &class(at))
            .set("x", &place(x))
            .set("y", &place(y - 10.0))
            .set("width", "11")
            .set("height", "11")
            .set("rx", "2")
            .empty();
        out += &Tag::new("text").set("x", &place(x + 17.0)).set("y", &place(y)).holding(text);
        x += width;
    }
    out
}

fn legend(data: &Data) -> Vec<String> {
    let entry = |(name, moments): (&String, &Option<String>)| match moments {
        Some(moments) => format!("{} ({moments})", cut(name, 40)),
        None => cut(name, 60),
    };
    data.names.iter().zip(&data.moments).map(entry).collect()
}

fn legend_width(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER + 40.0
}

/// How many lines the legend needs.
pub(crate) fn lines(data: &Data) -> f64 {
    let (mut lines, mut x) = (1.0, 24.0);
    for text in legend(data) {
        let width = legend_width(&text);
        if x + width > WIDTH - RIGHT && x > 24.0 {
            (lines, x) = (lines + 1.0, 24.0);
        }
        x += width;
    }
    lines
}
