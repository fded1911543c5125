//! Where things are on the paper: the two scales and their axes.

use crate::letters::{SMALL, TINY, USUAL, fitted, width};
use crate::paper::MARGIN;
use crate::scale::{Ticks, label, multiples, round_above, ticks};
use crate::sheet::Axes;
use crate::tag::Tag;

/// The room for the name of an axis.
const NAME: f64 = 20.0;
/// The room for labels below their axis.
const LABELS: f64 = 24.0;
/// The longest slanted name.
const LONGEST_NAME: f64 = 120.0;
/// The sine and cosine of the angle at which names are slanted, which is 40 degrees.
const SLANT: (f64, f64) = (0.643, 0.766);
/// What is left free between two labels.
const BETWEEN: f64 = 12.0;

/// Where values stand along the horizontal axis.
#[derive(Clone, Debug)]
pub struct Places {
    labels: Vec<String>,
    /// Their numbers, if they are numbers in order.
    numbers: Vec<f64>,
    /// The distance of neighbours, where they stand on a scale; else they stand side by side.
    gap: Option<f64>,
}

impl Places {
    /// On a scale, if all are numbers, in order, and not too far apart; else side by side.
    pub fn of(labels: Vec<String>, numbers: Option<Vec<f64>>) -> Places {
        let numbers = numbers.unwrap_or_default();
        let gaps = numbers.windows(2).map(|pair| pair[1] - pair[0]);
        let gap = gaps.fold(f64::INFINITY, f64::min);
        let span = numbers.last().zip(numbers.first()).map_or(0.0, |(last, first)| last - first);
        // Few numbers far apart are better drawn side by side.
        let most = f64::max(8.0 * numbers.len() as f64, 60.0);
        let near = numbers.len() > 1 && gap > 0.0 && (span / gap).round() < most;
        Places { labels, numbers, gap: near.then_some(gap) }
    }

    fn count(&self) -> usize {
        self.labels.len()
    }

    /// Whether something lies between two of them.
    pub(crate) fn are_on_scale(&self) -> bool {
        self.gap.is_some()
    }

    fn are_names(&self) -> bool {
        self.numbers.is_empty()
    }

    fn longest(&self) -> f64 {
        self.labels.iter().map(|text| width(text, USUAL)).fold(0.0, f64::max)
    }
}

/// The part of a sheet that one drawing has.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    pub(crate) top: f64,
    /// Where its last axis ends, with its labels and its name.
    pub(crate) end: f64,
    /// Where it ends at the right.
    pub(crate) right: f64,
    pub(crate) axes: Axes,
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
    axes: Axes,
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
        let (low, unit, units) = match (places.gap, places.numbers.as_slice()) {
            (Some(gap), [first, .., last]) => (*first, gap, ((last - first) / gap).round() + 1.0),
            _ => (0.0, 1.0, places.count().max(1) as f64),
        };
        let (lowest, highest, vertical) = heights(room, upwards);
        let sign = upwards.sign;
        let texts = vertical.at.iter().map(|at| label(*at, vertical.step) + sign);
        let widest = texts.map(|text| width(&text, USUAL)).fold(24.0, f64::max);
        let (left, below) = match room.axes {
            Axes::Named => (18.0 + NAME + widest + 8.0, NAME + LABELS),
            Axes::Ticks => (widest + 12.0, LABELS),
            Axes::Ends => (2.0, 18.0),
            Axes::Nothing => (0.0, 0.0),
        };
        let mut frame = Frame {
            top: room.top,
            bottom: room.end - below,
            left,
            right: room.right,
            axes: room.axes,
            low,
            unit,
            units,
            vertical,
            sign,
            lowest,
            highest,
            slanted: false,
        };
        if places.are_names() && matches!(room.axes, Axes::Named | Axes::Ticks) {
            let longest = places.longest();
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

    /// The middle of the room of a number, or of a place where they stand side by side.
    fn x(&self, value: f64) -> f64 {
        self.left + ((value - self.low) / self.unit + 0.5) * self.band()
    }

    pub(crate) fn y(&self, value: f64) -> f64 {
        let share = (value - self.lowest) / (self.highest - self.lowest);
        self.bottom - share * (self.bottom - self.top)
    }

    /// Where each value stands.
    pub(crate) fn xs(&self, places: &Places) -> Vec<f64> {
        match places.gap {
            Some(_) => places.numbers.iter().map(|number| self.x(*number)).collect(),
            None => (0..places.count()).map(|at| self.x(at as f64)).collect(),
        }
    }

    /// Where a number stands that need not be one of the values; nowhere where they stand side by side.
    pub(crate) fn between(&self, places: &Places, number: f64) -> Option<f64> {
        places.gap.map(|_| self.x(number))
    }

    /// Where a text of this width can stand with its middle at a place, or as near to it as the paper lets it.
    pub(crate) fn inside(&self, x: f64, width: f64) -> f64 {
        x.min(self.right - width / 2.0).max(self.left + width / 2.0)
    }

    pub(crate) fn vertical_axis(&self, name: &str) -> Vec<Tag> {
        let mut tags = Vec::new();
        if self.axes == Axes::Nothing {
            return tags;
        }
        for tick in &self.vertical.at {
            let y = crisp(self.y(*tick));
            tags.push(self.level("grid", y));
            if self.axes != Axes::Ends {
                let text = Tag::new("text").at("x", self.left - 8.0).at("y", y + 4.0);
                tags.push(text.set("text-anchor", "end").text(self.told(*tick)));
            }
        }
        if self.axes == Axes::Named {
            tags.push(upright(name, self.top, self.bottom));
        }
        tags
    }

    /// Where there is no room beside a drawing, its heights are told upon it; that of the foot is known.
    pub(crate) fn heights_upon(&self) -> Vec<Tag> {
        let ticks =
            self.vertical.at.iter().filter(|tick| self.axes == Axes::Ends && **tick > self.lowest);
        let text = |tick: &f64| {
            let text = Tag::new("text").set("class", "value halo").at("x", 0.0);
            text.at("y", crisp(self.y(*tick)) - 2.0).text(self.told(*tick))
        };
        ticks.map(text).collect()
    }

    fn told(&self, tick: f64) -> String {
        label(tick, self.vertical.step) + self.sign
    }

    fn level(&self, class: &'static str, y: f64) -> Tag {
        let line = Tag::new("line").set("class", class);
        line.at("x1", self.left).at("x2", self.right).at("y1", y).at("y2", y)
    }

    pub(crate) fn horizontal_axis(&self, places: &Places, name: &str) -> Vec<Tag> {
        if self.axes == Axes::Nothing {
            return Vec::new();
        }
        let y = crisp(self.bottom);
        let mut tags = vec![self.level("axis", y)];
        if self.axes == Axes::Ends {
            tags.extend(self.ends(places, y));
            return tags;
        }
        let labels = self.labels(places);
        tags.extend(labels.iter().map(|(x, text)| below(*x, y, text, self.slanted)));
        if self.axes == Axes::Named {
            let deepest = labels.iter().map(|(_, text)| width(text, USUAL)).fold(0.0, f64::max);
            let labels = if self.slanted { LABELS + deepest * SLANT.0 } else { LABELS };
            let middle = f64::midpoint(self.left, self.right);
            tags.push(across(name, middle, y + labels + 12.0, self.right - self.left));
        }
        tags
    }

    /// The first and the last value, at the edges.
    fn ends(&self, places: &Places, y: f64) -> Vec<Tag> {
        let end = |text: &String, x: f64, anchor| {
            let tag = Tag::new("text").set("class", "value").at("x", x).at("y", y + 13.0);
            tag.set("text-anchor", anchor).text(text)
        };
        match places.labels.as_slice() {
            [] => Vec::new(),
            [only] => vec![end(only, f64::midpoint(self.left, self.right), "middle")],
            [first, .., last] => {
                vec![end(first, self.left, "start"), end(last, self.right, "end")]
            }
        }
    }

    /// The labels below the axis, as many as have room.
    fn labels(&self, places: &Places) -> Vec<(f64, String)> {
        if places.are_names() {
            return self.names(&places.labels);
        }
        let wide = places.longest() + BETWEEN;
        match places.gap {
            Some(gap) if self.band() < wide => self.round_labels(places, gap, wide),
            _ => self.own_labels(places),
        }
    }

    /// At round numbers that are values, or could be.
    fn round_labels(&self, places: &Places, gap: f64, wide: f64) -> Vec<(f64, String)> {
        let (first, last) = (places.numbers[0], places.numbers[places.numbers.len() - 1]);
        let step = round_above(wide / self.band()).max(1.0).round() * gap;
        let whole = |number: f64| (number / gap - (number / gap).round()).abs() < 1e-6;
        // Where values are no multiples of their distance, as 1, 4, 7 are not, labels begin at the first.
        let from = if whole(first) { 0.0 } else { first };
        let at = multiples(step, first - from, last - from);
        at.iter().map(|at| (self.x(at + from), label(at + from, gap))).collect()
    }

    /// At the values themselves, leaving out those that have no room.
    fn own_labels(&self, places: &Places) -> Vec<(f64, String)> {
        let mut free = 0.0;
        let mut labels = Vec::new();
        for (x, text) in self.xs(places).into_iter().zip(&places.labels) {
            let half = width(text, USUAL) / 2.0;
            if x - half >= free && x + half <= self.right + MARGIN / 2.0 {
                free = x + half + BETWEEN;
                labels.push((x, text.clone()));
            }
        }
        labels
    }

    fn names(&self, names: &[String]) -> Vec<(f64, String)> {
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

    /// Whether a value has room above its bar, also in letters that are a little wider than ours.
    pub(crate) fn has_room(text: &str, room: f64) -> bool {
        1.15 * width(text, TINY) + 3.0 <= room
    }
}

/// From where to where, and the ticks between: the axis of a whole chart begins and ends at a tick.
fn heights(room: Room, upwards: &Upwards) -> (f64, f64, Ticks) {
    let span = (upwards.high - upwards.low).max(0.001);
    if matches!(room.axes, Axes::Ends | Axes::Nothing) {
        let high = upwards.low + span;
        return (upwards.low, high, ticks(upwards.low, high, 2, 0.0));
    }
    let most = ((room.end - room.top) / 40.0).clamp(2.0, 6.0) as usize;
    let step = ticks(upwards.low, upwards.low + span, most, 0.0).step;
    let lowest = (upwards.low / step + 1e-9).floor() * step;
    let highest = ((upwards.high / step - 1e-9).ceil() * step).max(lowest + step);
    (lowest, highest, ticks(lowest, highest, most + 1, step))
}

/// Lines of one pixel are crisp between two whole numbers.
fn crisp(y: f64) -> f64 {
    y.round() + 0.5
}

/// A label below its place.
pub(crate) fn below(x: f64, y: f64, text: &str, slanted: bool) -> Tag {
    let tag = Tag::new("text");
    let tag = if slanted {
        tag.set("text-anchor", "end").set("transform", turned(x + 4.0, y + 14.0, -40))
    } else {
        tag.at("x", x).at("y", y + 18.0).set("text-anchor", "middle")
    };
    tag.text(text)
}

/// The name of an axis that goes up, at the left edge.
pub(crate) fn upright(name: &str, top: f64, bottom: f64) -> Tag {
    let tag = Tag::new("text").set("class", "small").set("text-anchor", "middle");
    let tag = tag.set("transform", turned(22.0, f64::midpoint(top, bottom), -90));
    tag.text(fitted(name, SMALL, (bottom - top + 40.0).max(60.0)))
}

fn turned(x: f64, y: f64, degrees: i32) -> String {
    format!("translate({} {}) rotate({degrees})", crate::scale::place(x), crate::scale::place(y))
}

/// The name of an axis that goes across, below its labels.
pub(crate) fn across(name: &str, x: f64, y: f64, room: f64) -> Tag {
    let tag = Tag::new("text").set("class", "small").set("text-anchor", "middle");
    tag.at("x", x).at("y", y).text(fitted(name, SMALL, room))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(numbers: &[f64], width: f64) -> String {
        let labels = numbers.iter().map(|number| label(*number, 1.0)).collect();
        let places = Places::of(labels, Some(numbers.to_vec()));
        let upwards = Upwards { low: 0.0, high: 20.0, sign: "%", name: String::new() };
        let room = Room { top: 20.0, end: 300.0, right: width, axes: Axes::Ticks };
        let frame = Frame::of(room, &places, &upwards);
        let labels = frame.labels(&places).into_iter().map(|(_, text)| text);
        labels.collect::<Vec<_>>().join(" ")
    }

    fn range(from: i32, to: i32, by: usize) -> Vec<f64> {
        (from..=to).step_by(by).map(f64::from).collect()
    }

    #[test]
    fn labels_stand_at_round_values_where_there_is_no_room_for_all() {
        assert_eq!(labels(&range(3, 18, 1), 600.0), "3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18");
        assert_eq!(labels(&range(3, 18, 1), 300.0), "4 6 8 10 12 14 16 18");
        assert_eq!(labels(&range(1, 100, 1), 600.0), "10 20 30 40 50 60 70 80 90 100");
        assert_eq!(labels(&range(3, 90, 3), 300.0), "15 30 45 60 75 90");
        assert_eq!(labels(&range(1, 31, 3), 200.0), "1 7 13 19 25 31");
        assert_eq!(labels(&[1.0, 2.0, 1000.0, 1_000_000.0], 300.0), "1 2 1000 1000000");
    }

    #[test]
    fn the_axis_of_a_chart_ends_at_a_tick() {
        let places = Places::of(vec!["a".into()], None);
        let upwards = Upwards { low: 0.0, high: 13.27, sign: "%", name: String::new() };
        let room = Room { top: 20.0, end: 300.0, right: 600.0, axes: Axes::Ticks };
        let frame = Frame::of(room, &places, &upwards);
        assert_eq!((frame.lowest, frame.highest, frame.y(15.0)), (0.0, 15.0, 20.0));
    }
}
