//! The bars, or what stands for them.
//!
//! One to three series are bars side by side; more are lines, since nobody can read so many bars. More
//! than two thousand bars are one path: a page with that many elements is slow.

use super::data::{Data, Places};
use super::frame::Frame;
use super::palette::class;
use super::scale::place;
use super::xml::{Tag, escaped};

/// The share of its room that a group of bars fills.
const FILLED: f64 = 0.82;
/// Bars beyond this number are drawn as one path.
const MOST_BARS: usize = 2000;
/// More series than this are lines.
const MOST_GROUPED: usize = 3;
/// A bar as wide as this has its value above it, without and with the sign for percent.
const WIDE_ENOUGH: [f64; 2] = [26.0, 38.0];

/// All series.
pub(crate) fn marks(data: &Data, frame: &Frame) -> String {
    let xs: Vec<f64> = match &data.places {
        Places::Names(names) => (0..names.len()).map(|at| frame.x(at as f64)).collect(),
        Places::Numbers(numbers, _) => numbers.iter().map(|number| frame.x(*number)).collect(),
    };
    let count = data.bars.len() * xs.len();
    let numbers = matches!(data.places, Places::Numbers(..));
    let draw = |at: usize| match () {
        () if numbers && data.bars.len() > MOST_GROUPED => line(data, frame, &xs, at),
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
        let (top, bottom) = (frame.y(bar.percent), frame.y(0.0));
        let inside = if data.bars.len() > 1 { width * 0.94 } else { width };
        out += &Tag::new("rect")
            .set("x", &place(left))
            .set("y", &place(top))
            .set("width", &place(inside))
            .set("height", &place(bottom - top))
            .holding_markup(&format!("<title>{}</title>", escaped(&bar.tooltip)));
        if width >= WIDE_ENOUGH[0] {
            let sign = if width >= WIDE_ENOUGH[1] { "%" } else { "" };
            let text = format!("{:.1}{sign}", bar.percent);
            values += &Tag::new("text")
                .set("class", "value")
                .set("x", &place(left + inside / 2.0))
                .set("y", &place(top - 4.0))
                .set("text-anchor", "middle")
                .holding(&text);
        }
    }
    out + "</g>\n" + &values
}

/// One series as the outline of its bars.
fn steps(data: &Data, frame: &Frame, xs: &[f64], series: usize) -> String {
    let half = frame.band() / 2.0;
    let floor = place(frame.y(0.0));
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
fn line(data: &Data, frame: &Frame, xs: &[f64], series: usize) -> String {
    let dots = || xs.iter().zip(&data.bars[series]).map(|(x, bar)| (*x, frame.y(bar.percent), bar));
    let points: Vec<String> =
        dots().map(|(x, y, _)| format!("{} {}", place(x), place(y))).collect();
    let class = class(series);
    let mut out = Tag::new("path")
        .set("class", &format!("line {class}"))
        .set("d", &format!("M{}", points.join("L")))
        .empty();
    if xs.len() * data.bars.len() <= MOST_BARS {
        for (x, y, bar) in dots() {
            out += &Tag::new("circle")
                .set("class", &class)
                .set("cx", &place(x))
                .set("cy", &place(y))
                .set("r", "3")
                .holding_markup(&format!("<title>{}</title>", escaped(&bar.tooltip)));
        }
    }
    out
}
