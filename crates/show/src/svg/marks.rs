//! The bars, or what stands for them.
//!
//! One to three series are bars side by side; more are lines, since nobody can read so many bars. More
//! than two thousand bars are one path: a page with that many elements is slow.

use super::data::{Bar, Data};
use super::frame::{Frame, Places};
use super::palette::class;
use super::scale::place;
use super::xml::{Tag, escaped};

/// The share of its room that a group of bars fills.
const FILLED: f64 = 0.82;
/// Bars beyond this number are drawn as one path, which has no tooltips.
pub(crate) const MOST_BARS: usize = 2000;
/// More series than this are lines.
const MOST_GROUPED: usize = 3;

/// Whether series are lines.
pub(crate) fn are_lines(data: &Data) -> bool {
    matches!(data.places, Places::Numbers(..)) && data.bars.len() > MOST_GROUPED
}

/// All series.
pub(crate) fn marks(data: &Data, frame: &Frame) -> String {
    let xs = frame.xs(&data.places);
    let count = data.bars.len() * xs.len();
    let draw = |at: usize| match () {
        () if are_lines(data) => odds_line(data, frame, &xs, at, count),
        () if count > MOST_BARS => steps(data, frame, &xs, at),
        () => bars(data, frame, &xs, at),
    };
    (0..data.bars.len()).map(draw).collect()
}

/// One series as bars, each with its tooltip.
fn bars(data: &Data, frame: &Frame, xs: &[f64], series: usize) -> String {
    let group = (frame.band() * FILLED).min(90.0 * data.bars.len() as f64);
    let width = group / data.bars.len() as f64;
    let mut out = format!("<g class=\"{}\">\n", class(series));
    let mut values = String::new();
    for (x, bar) in xs.iter().zip(&data.bars[series]).filter(|(_, bar)| bar.percent > 0.0) {
        let left = x - group / 2.0 + width * series as f64;
        let (top, bottom) = (frame.y(bar.percent), frame.floor());
        let inside = if data.bars.len() > 1 { width * 0.94 } else { width };
        out += &Tag::new("rect")
            .set("x", &place(left))
            .set("y", &place(top))
            .set("width", &place(inside))
            .set("height", &place(bottom - top))
            .holding_markup(&format!("<title>{}</title>", escaped(&bar.tooltip)));
        let written = [format!("{:.1}%", bar.percent), format!("{:.1}", bar.percent)];
        if let Some(text) = written.iter().find(|text| frame.has_room(text, width)) {
            values += &Tag::new("text")
                .set("class", "value")
                .set("x", &place(left + inside / 2.0))
                .set("y", &place(top - 4.0))
                .set("text-anchor", "middle")
                .holding(text);
        }
    }
    out + "</g>\n" + &values
}

/// One series as the outline of its bars.
fn steps(data: &Data, frame: &Frame, xs: &[f64], series: usize) -> String {
    let half = frame.band() / 2.0;
    let floor = place(frame.floor());
    let mut path = format!("M{} {floor}", place(xs[0] - half));
    for (x, bar) in xs.iter().zip(&data.bars[series]) {
        path += &format!("V{}H{}", place(frame.y(bar.percent)), place(x + half));
    }
    path += &format!("V{floor}Z");
    Tag::new("path")
        .set("class", &class(series))
        .set("d", &path)
        .set("fill-opacity", "0.75")
        .empty()
}

/// One series as a line with a dot at each outcome.
fn odds_line(data: &Data, frame: &Frame, xs: &[f64], series: usize, count: usize) -> String {
    // A line begins and ends at the floor beside its first and last outcome, and says nothing beyond.
    let bars = &data.bars[series];
    let is_any = |bar: &Bar| bar.percent > 0.0;
    let first = bars.iter().position(is_any).unwrap_or(0).saturating_sub(1);
    let end = bars.iter().rposition(is_any).map_or(0, |last| (last + 2).min(bars.len()));
    let drawn = first..end.max(first);
    let dots = xs[drawn.clone()].iter().zip(&bars[drawn]);
    let dots: Vec<Dot<'_>> = dots
        .map(|(x, bar)| Dot { x: *x, y: frame.y(bar.percent), tooltip: &bar.tooltip })
        .collect();
    line(&dots, &class(series), count <= MOST_BARS)
}

/// A point of a line.
pub(crate) struct Dot<'a> {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) tooltip: &'a str,
}

/// A line through its points, with or without their dots.
pub(crate) fn line(dots: &[Dot<'_>], class: &str, dotted: bool) -> String {
    if dots.is_empty() {
        return String::new();
    }
    let points: Vec<String> =
        dots.iter().map(|dot| format!("{} {}", place(dot.x), place(dot.y))).collect();
    let mut out = Tag::new("path")
        .set("class", &format!("line {class}"))
        .set("d", &format!("M{}", points.join("L")))
        .empty();
    for dot in dots.iter().filter(|_| dotted) {
        out += &Tag::new("circle")
            .set("class", class)
            .set("cx", &place(dot.x))
            .set("cy", &place(dot.y))
            .set("r", "3")
            .holding_markup(&format!("<title>{}</title>", escaped(dot.tooltip)));
    }
    out
}
