//! The chart itself: bars over outcomes, axes with round ticks, a title, a legend.
//!
//! One to three series are bars side by side; more are lines, since nobody can read so many bars. More
//! than two thousand bars are one path: a page with that many elements is slow.

use super::data::{Data, Places};
use super::palette::{class, style};
use super::scale::{Ticks, label, place, ticks};
use super::xml::{Tag, escaped};
use crate::arguments::View;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 24.0;
const BOTTOM: f64 = 64.0;
/// The width of a usual letter.
const LETTER: f64 = 7.0;
/// The share of its room that a group of bars fills.
const FILLED: f64 = 0.82;
/// Bars beyond this number are drawn as one path.
const MOST_BARS: usize = 2000;
/// More series than this are lines.
const MOST_GROUPED: usize = 3;
/// A bar as wide as this has its value above it, without and with the sign for percent.
const WIDE_ENOUGH: [f64; 2] = [26.0, 38.0];

/// The whole file.
pub(crate) fn chart(data: &Data) -> String {
    let frame = Frame::of(data);
    let mut out = String::new();
    out += &format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\" aria-labelledby=\"title\">\n"
    );
    out += &format!("<title id=\"title\">{}</title>\n", escaped(&data.title));
    out += &format!("<style>{}</style>\n", style());
    out += &format!("<rect class=\"paper\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n");
    out += &heading(data, &frame);
    out += &frame.vertical_axis(data.view);
    out += &marks(data, &frame);
    out += &frame.horizontal_axis(&data.places);
    out += &data.note.as_deref().map_or_else(String::new, note);
    out + "</svg>\n"
}

/// Where things are.
struct Frame {
    top: f64,
    low: f64,
    unit: f64,
    /// How many units stand side by side.
    units: f64,
    vertical: Ticks,
    highest: f64,
}

impl Frame {
    fn of(data: &Data) -> Frame {
        let (low, unit, units) = match &data.places {
            Places::Names(names) => (0.0, 1.0, names.len().max(1) as f64),
            Places::Numbers(numbers, gap) => {
                let (first, last) = (numbers[0], numbers[numbers.len() - 1]);
                (first, *gap, (last - first) / gap + 1.0)
            }
        };
        let most = data.bars.iter().flatten().map(|bar| bar.percent).fold(0.0, f64::max);
        let vertical = ticks(0.0, most.max(0.001), 6, 0.0);
        // The axis ends at a tick.
        let highest = (most / vertical.step - 1e-9).ceil().max(1.0) * vertical.step;
        let vertical = ticks(0.0, highest, 7, vertical.step);
        let lines = if data.names.len() > 1 { legend_lines(data) } else { 1.0 };
        Frame { top: 62.0 + 20.0 * lines, low, unit, units, vertical, highest }
    }

    /// The room for one outcome.
    fn band(&self) -> f64 {
        (WIDTH - LEFT - RIGHT) / self.units
    }

    /// The middle of an outcome's room.
    fn x(&self, value: f64) -> f64 {
        LEFT + ((value - self.low) / self.unit + 0.5) * self.band()
    }

    fn y(&self, percent: f64) -> f64 {
        let bottom = HEIGHT - BOTTOM;
        bottom - percent / self.highest * (bottom - self.top)
    }

    fn vertical_axis(&self, view: View) -> String {
        let mut out = String::new();
        for tick in &self.vertical.at {
            // Lines of one pixel are crisp between two whole numbers.
            let y = self.y(*tick).round() + 0.5;
            let (from, to) = (place(LEFT), place(WIDTH - RIGHT));
            let y_text = place(y + 4.0);
            out += &Tag::new("line")
                .set("class", "grid")
                .set("x1", &from)
                .set("x2", &to)
                .set("y1", &place(y))
                .set("y2", &place(y))
                .empty();
            out += &Tag::new("text")
                .set("x", &place(LEFT - 8.0))
                .set("y", &y_text)
                .set("text-anchor", "end")
                .holding(&format!("{}%", label(*tick, self.vertical.step)));
        }
        let name = match view {
            View::Exactly => "chance",
            View::AtLeast => "chance of this or more",
            View::AtMost => "chance of this or less",
        };
        let middle = place(f64::midpoint(self.top, HEIGHT - BOTTOM));
        out + &Tag::new("text")
            .set("class", "small")
            .set("text-anchor", "middle")
            .set("transform", &format!("translate(16 {middle}) rotate(-90)"))
            .holding(name)
    }

    fn horizontal_axis(&self, places: &Places) -> String {
        let y = (HEIGHT - BOTTOM).round() + 0.5;
        let mut out = Tag::new("line")
            .set("class", "axis")
            .set("x1", &place(LEFT))
            .set("x2", &place(WIDTH - RIGHT))
            .set("y1", &place(y))
            .set("y2", &place(y))
            .empty();
        for (x, text) in self.labels(places) {
            out += &Tag::new("text")
                .set("x", &place(x))
                .set("y", &place(y + 18.0))
                .set("text-anchor", "middle")
                .holding(&text);
        }
        out
    }

    /// The labels below the axis, as many as have room.
    fn labels(&self, places: &Places) -> Vec<(f64, String)> {
        match places {
            Places::Names(names) => {
                let letters = ((self.band() - 6.0) / LETTER).max(1.0) as usize;
                let every = (LETTER * 3.0 / self.band()).ceil().max(1.0) as usize;
                let named = names.iter().enumerate().step_by(every);
                let cut = |name: &str| crate::chart::cut(name, letters.max(2));
                named.map(|(at, name)| (self.x(at as f64), cut(name))).collect()
            }
            Places::Numbers(numbers, gap) => {
                let (first, last) = (numbers[0], numbers[numbers.len() - 1]);
                let longest = label(first, *gap).len().max(label(last, *gap).len()) as f64;
                let most = (WIDTH - LEFT - RIGHT) / (longest * LETTER + 14.0);
                let ticks = ticks(first, last, most as usize, *gap);
                ticks.at.iter().map(|at| (self.x(*at), label(*at, ticks.step))).collect()
            }
        }
    }
}

fn heading(data: &Data, frame: &Frame) -> String {
    let title = crate::chart::cut(&data.title, 72);
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
    debug_assert!(y < frame.top, "the legend ends above the chart");
    out
}

fn legend(data: &Data) -> Vec<String> {
    let entry = |(name, moments): (&String, &Option<String>)| match moments {
        Some(moments) => format!("{} ({moments})", crate::chart::cut(name, 40)),
        None => crate::chart::cut(name, 60),
    };
    data.names.iter().zip(&data.moments).map(entry).collect()
}

fn legend_width(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER + 40.0
}

fn legend_lines(data: &Data) -> f64 {
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

fn marks(data: &Data, frame: &Frame) -> String {
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

fn note(text: &str) -> String {
    Tag::new("text")
        .set("class", "small")
        .set("x", &place(WIDTH - RIGHT))
        .set("y", &place(HEIGHT - 14.0))
        .set("text-anchor", "end")
        .holding(&crate::chart::cut(text, 100))
}
