//! Where things are on the paper: the two scales and their axes.

use super::letters::{SMALL, TINY, USUAL, fitted, width};
use super::paper::{MARGIN, Paper};
use super::scale::{Ticks, label, place, ticks};
use super::xml::Tag;

/// The room for the name of an axis.
const NAME: f64 = 20.0;
/// The room for labels below their axis.
const LABELS: f64 = 24.0;
/// The longest slanted name.
const LONGEST_NAME: f64 = 120.0;
/// The sine and cosine of the angle at which names are slanted, which is 40 degrees.
const SLANT: (f64, f64) = (0.643, 0.766);

/// Where values stand along the horizontal axis.
pub(crate) enum Places {
    /// On a scale of numbers, and the distance of neighbours.
    Numbers(Vec<f64>, f64),
    /// Side by side, with a name each.
    Names(Vec<String>),
}

impl Places {
    /// On a scale, if they are numbers in order and not too far apart; else side by side.
    pub(crate) fn of(numbers: Option<Vec<f64>>, names: impl FnOnce() -> Vec<String>) -> Places {
        if let Some(numbers) = numbers.filter(|numbers| numbers.len() > 1) {
            let gaps = numbers.windows(2).map(|pair| pair[1] - pair[0]);
            let gap = gaps.fold(f64::INFINITY, f64::min);
            let span = numbers[numbers.len() - 1] - numbers[0];
            // Few numbers far apart are better drawn side by side.
            if gap > 0.0 && span / gap <= 20.0 * numbers.len() as f64 {
                return Places::Numbers(numbers, gap);
            }
        }
        Places::Names(names())
    }
}

/// The part of a sheet that one drawing has.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    pub(crate) top: f64,
    /// Where its last axis ends, with its labels and its name.
    pub(crate) end: f64,
    pub(crate) width: f64,
}

impl Room {
    pub(crate) fn below(paper: &Paper, top: f64, noted: bool) -> Room {
        let end = paper.height - if noted { 28.0 } else { 10.0 };
        Room { top, end, width: paper.width }
    }
}

/// What is drawn upwards.
pub(crate) struct Upwards {
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// What stands after a number.
    pub(crate) sign: &'static str,
    pub(crate) name: String,
}

/// Where things are.
pub(crate) struct Frame {
    pub(crate) top: f64,
    pub(crate) bottom: f64,
    pub(crate) left: f64,
    right: f64,
    low: f64,
    unit: f64,
    /// How many units stand side by side.
    units: f64,
    vertical: Ticks,
    sign: &'static str,
    lowest: f64,
    highest: f64,
    slanted: bool,
}

impl Frame {
    /// The axes of a room.
    pub(crate) fn of(room: Room, places: &Places, upwards: &Upwards) -> Frame {
        let (low, unit, units) = match places {
            Places::Names(names) => (0.0, 1.0, names.len().max(1) as f64),
            Places::Numbers(numbers, gap) => {
                let (first, last) = (numbers[0], numbers[numbers.len() - 1]);
                (first, *gap, (last - first) / gap + 1.0)
            }
        };
        let span = (upwards.high - upwards.low).max(0.001);
        let step = ticks(upwards.low, upwards.low + span, 6, 0.0).step;
        // The axis begins and ends at a tick.
        let lowest = (upwards.low / step + 1e-9).floor() * step;
        let highest = ((upwards.high / step - 1e-9).ceil() * step).max(lowest + step);
        let vertical = ticks(lowest, highest, 7, step);
        let sign = upwards.sign;
        let texts = vertical.at.iter().map(|at| label(*at, vertical.step) + sign);
        let widest = texts.map(|text| width(&text, USUAL)).fold(24.0, f64::max);
        let (left, right) = (18.0 + NAME + widest + 8.0, room.width - MARGIN);
        let mut frame = Frame {
            top: room.top,
            bottom: room.end - NAME - LABELS,
            left,
            right,
            low,
            unit,
            units,
            vertical,
            sign,
            lowest,
            highest,
            slanted: false,
        };
        if let Places::Names(names) = places {
            let longest = names.iter().map(|name| width(name, USUAL)).fold(0.0, f64::max);
            frame.slanted = longest + 8.0 > frame.band();
            if frame.slanted {
                frame.bottom -= longest.min(LONGEST_NAME) * SLANT.0;
            }
        }
        frame
    }

    /// The room for one value.
    pub(crate) fn band(&self) -> f64 {
        (self.right - self.left) / self.units
    }

    /// The middle of a value's room.
    pub(crate) fn x(&self, value: f64) -> f64 {
        self.left + ((value - self.low) / self.unit + 0.5) * self.band()
    }

    pub(crate) fn y(&self, value: f64) -> f64 {
        let share = (value - self.lowest) / (self.highest - self.lowest);
        self.bottom - share * (self.bottom - self.top)
    }

    /// The line at the foot of the drawing.
    pub(crate) fn floor(&self) -> f64 {
        self.bottom
    }

    /// Where each value stands.
    pub(crate) fn xs(&self, places: &Places) -> Vec<f64> {
        match places {
            Places::Names(names) => (0..names.len()).map(|at| self.x(at as f64)).collect(),
            Places::Numbers(numbers, _) => numbers.iter().map(|number| self.x(*number)).collect(),
        }
    }

    pub(crate) fn vertical_axis(&self, name: &str) -> String {
        let mut out = String::new();
        for tick in &self.vertical.at {
            // Lines of one pixel are crisp between two whole numbers.
            let y = self.y(*tick).round() + 0.5;
            out += &self.level("grid", y);
            out += &Tag::new("text")
                .set("x", &place(self.left - 8.0))
                .set("y", &place(y + 4.0))
                .set("text-anchor", "end")
                .holding(&format!("{}{}", label(*tick, self.vertical.step), self.sign));
        }
        out + &upright(name, self.top, self.bottom)
    }

    fn level(&self, class: &str, y: f64) -> String {
        Tag::new("line")
            .set("class", class)
            .set("x1", &place(self.left))
            .set("x2", &place(self.right))
            .set("y1", &place(y))
            .set("y2", &place(y))
            .empty()
    }

    pub(crate) fn horizontal_axis(&self, places: &Places, name: &str) -> String {
        let y = self.bottom.round() + 0.5;
        let mut out = self.level("axis", y);
        for (x, text) in self.labels(places) {
            out += &below(x, y, &text, self.slanted);
        }
        let deepest =
            self.labels(places).iter().map(|(_, text)| width(text, USUAL)).fold(0.0, f64::max);
        let labels = if self.slanted { LABELS + deepest * SLANT.0 } else { LABELS };
        out + &across(
            name,
            f64::midpoint(self.left, self.right),
            y + labels + 12.0,
            self.right - self.left,
        )
    }

    /// The labels below the axis, as many as have room.
    fn labels(&self, places: &Places) -> Vec<(f64, String)> {
        match places {
            Places::Names(names) => {
                // A slanted line of letters is as wide as its height over the sine.
                let line = if self.slanted { (USUAL + 3.0) / SLANT.0 } else { USUAL + 2.0 };
                let every = (line / self.band()).ceil().max(1.0) as usize;
                let named = names.iter().enumerate().step_by(every);
                let shown = named.map(|(at, name)| {
                    let x = self.x(at as f64);
                    // A slanted name that would leave the paper at the left is shorter.
                    let room = ((x - 6.0) / SLANT.1).min(LONGEST_NAME);
                    let most = if self.slanted { room } else { f64::INFINITY };
                    (x, fitted(name, USUAL, most))
                });
                shown.collect()
            }
            Places::Numbers(numbers, gap) => {
                let (first, last) = (numbers[0], numbers[numbers.len() - 1]);
                let text = |at| width(&label(at, *gap), USUAL);
                let most = (self.right - self.left) / (f64::max(text(first), text(last)) + 14.0);
                let ticks = ticks(first, last, most as usize, *gap);
                ticks.at.iter().map(|at| (self.x(*at), label(*at, ticks.step))).collect()
            }
        }
    }

    /// The width of a value above a bar.
    pub(crate) fn has_room(&self, text: &str, width_of_bar: f64) -> bool {
        width(text, TINY) + 2.0 <= width_of_bar
    }
}

/// A label below its place.
pub(crate) fn below(x: f64, y: f64, text: &str, slanted: bool) -> String {
    let label = if slanted {
        let turned = format!("translate({} {}) rotate(-40)", place(x + 4.0), place(y + 14.0));
        Tag::new("text").set("text-anchor", "end").set("transform", &turned)
    } else {
        let (x, y) = (place(x), place(y + 18.0));
        Tag::new("text").set("x", &x).set("y", &y).set("text-anchor", "middle")
    };
    label.holding(text)
}

/// The name of an axis that goes up, at the left edge.
pub(crate) fn upright(name: &str, top: f64, bottom: f64) -> String {
    let middle = place(f64::midpoint(top, bottom));
    Tag::new("text")
        .set("class", "small")
        .set("text-anchor", "middle")
        .set("transform", &format!("translate(22 {middle}) rotate(-90)"))
        .holding(&fitted(name, SMALL, (bottom - top + 40.0).max(60.0)))
}

/// The name of an axis that goes across, below its labels.
pub(crate) fn across(name: &str, x: f64, y: f64, room: f64) -> String {
    Tag::new("text")
        .set("class", "small")
        .set("text-anchor", "middle")
        .set("x", &place(x))
        .set("y", &place(y))
        .holding(&fitted(name, SMALL, room))
}
