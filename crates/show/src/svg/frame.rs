//! Where things are on the paper: the two scales and their axes.

use super::data::{Data, Places};
use super::legend::lines;
use super::scale::{Ticks, label, place, ticks};
use super::xml::Tag;
use crate::View;
use crate::cut;

pub(crate) const WIDTH: f64 = 760.0;
pub(crate) const HEIGHT: f64 = 440.0;
const LEFT: f64 = 76.0;
pub(crate) const RIGHT: f64 = 24.0;
/// The room below the axis: for numbers, and for names that must be slanted.
const BOTTOM: f64 = 64.0;
const SLANTED_BOTTOM: f64 = 128.0;
/// The longest slanted name.
const LONGEST_NAME: usize = 16;
/// The width of a usual letter.
pub(crate) const LETTER: f64 = 7.0;

/// Where things are.
pub(crate) struct Frame {
    pub(crate) top: f64,
    bottom: f64,
    low: f64,
    unit: f64,
    /// How many units stand side by side.
    units: f64,
    vertical: Ticks,
    highest: f64,
}

impl Frame {
    pub(crate) fn of(data: &Data) -> Frame {
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
        let lines = if data.names.len() > 1 { lines(data) } else { 1.0 };
        let bottom = HEIGHT - if slanted(&data.places) { SLANTED_BOTTOM } else { BOTTOM };
        Frame { top: 62.0 + 20.0 * lines, bottom, low, unit, units, vertical, highest }
    }

    /// The room for one outcome.
    pub(crate) fn band(&self) -> f64 {
        (WIDTH - LEFT - RIGHT) / self.units
    }

    /// The middle of an outcome's room.
    pub(crate) fn x(&self, value: f64) -> f64 {
        LEFT + ((value - self.low) / self.unit + 0.5) * self.band()
    }

    pub(crate) fn y(&self, percent: f64) -> f64 {
        self.bottom - percent / self.highest * (self.bottom - self.top)
    }

    pub(crate) fn vertical_axis(&self, view: View) -> String {
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
        let middle = place(f64::midpoint(self.top, self.bottom));
        out + &Tag::new("text")
            .set("class", "small")
            .set("text-anchor", "middle")
            .set("transform", &format!("translate(18 {middle}) rotate(-90)"))
            .holding(name)
    }

    pub(crate) fn horizontal_axis(&self, places: &Places) -> String {
        let y = self.bottom.round() + 0.5;
        let mut out = Tag::new("line")
            .set("class", "axis")
            .set("x1", &place(LEFT))
            .set("x2", &place(WIDTH - RIGHT))
            .set("y1", &place(y))
            .set("y2", &place(y))
            .empty();
        for (x, text) in self.labels(places) {
            let label = if slanted(places) {
                let turned =
                    format!("translate({} {}) rotate(-40)", place(x + 4.0), place(y + 14.0));
                Tag::new("text").set("text-anchor", "end").set("transform", &turned)
            } else {
                let (x, y) = (place(x), place(y + 18.0));
                Tag::new("text").set("x", &x).set("y", &y).set("text-anchor", "middle")
            };
            out += &label.holding(&text);
        }
        out
    }

    /// The labels below the axis, as many as have room.
    fn labels(&self, places: &Places) -> Vec<(f64, String)> {
        match places {
            Places::Names(names) => {
                let every = (LETTER * 2.0 / self.band()).ceil().max(1.0) as usize;
                let named = names.iter().enumerate().step_by(every);
                let most = if slanted(places) { LONGEST_NAME } else { usize::MAX };
                named.map(|(at, name)| (self.x(at as f64), cut(name, most))).collect()
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

/// Whether names are too long to stand below their bars.
fn slanted(places: &Places) -> bool {
    let Places::Names(names) = places else { return false };
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    longest as f64 * LETTER + 8.0 > (WIDTH - LEFT - RIGHT) / names.len() as f64
}
