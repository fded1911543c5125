//! Names at the lines themselves, where each has room: nobody needs to look up a dash in the legend.

use crate::frame::Frame;
use crate::letters::{SMALL, fitted_bold, width_bold};
use crate::odds::{Bar, Odds};
use crate::palette::class;
use crate::tag::Tag;

const LONGEST: f64 = 120.0;
const HEIGHT: f64 = 14.0;
/// On a page names stand in the reader's own font, which may be so much wider than that of pictures.
const WIDER: f64 = 1.15;
/// How far it is above its line.
const ABOVE: f64 = 9.0;

struct Label {
    text: String,
    width: f64,
    x: f64,
    y: f64,
}

impl Label {
    fn is_apart(&self, other: &Label) -> bool {
        (self.x - other.x).abs() > f64::midpoint(self.width, other.width) * WIDER + 6.0
            || (self.y - other.y).abs() > HEIGHT
    }
}

/// The names that have room.
pub(crate) fn names(odds: &Odds, frame: &Frame, xs: &[f64]) -> Vec<Tag> {
    let mut placed: Vec<Label> = Vec::new();
    let mut tags = Vec::new();
    for (at, (name, series)) in odds.names.iter().zip(&odds.series).enumerate() {
        let free = labels(name, series, frame, xs)
            .into_iter()
            .find(|label| label.y >= ABOVE && placed.iter().all(|other| label.is_apart(other)));
        if let Some(label) = free {
            let class = format!("name halo {}", class(odds.first + at));
            let tag = Tag::new("text").set("class", class).at("x", label.x).at("y", label.y);
            tags.push(tag.set("text-anchor", "middle").text(label.text.clone()));
            placed.push(label);
        }
    }
    tags
}

/// At the peak of the line, or beside it where another may stand there already.
fn labels(name: &str, series: &[Bar], frame: &Frame, xs: &[f64]) -> Vec<Label> {
    let text = fitted_bold(name, SMALL, LONGEST);
    let width = width_bold(&text, SMALL);
    let highest = series.iter().map(|bar| bar.percent).fold(0.0, f64::max);
    let Some(top) = series.iter().position(|bar| bar.percent >= highest) else { return Vec::new() };
    let mut near: Vec<usize> =
        (0..series.len()).filter(|at| series[*at].percent > highest * 0.4).collect();
    near.sort_by_key(|at| at.abs_diff(top));
    let label = |at: &usize| Label {
        text: text.clone(),
        width,
        x: frame.inside(xs[*at], width),
        y: frame.y(series[*at].percent) - ABOVE,
    };
    near.iter().map(label).collect()
}
