//! The chart of odds: bars, lines or stairs over outcomes; as a file with a title, a legend and axes that say what they are,
//! or as the marks of a page.

use std::ops::Range;

use crate::View;
use crate::frame::{Frame, Places, Upwards};
use crate::legend::{Heading, Mark, Named, heading, lines};
use crate::letters::{SMALL, USUAL, fitted};
use crate::marks::{Kind, Marks};
use crate::names::names;
use crate::paper::{Look, MARGIN, Paper, USUAL_HEIGHT, USUAL_WIDTH};
use crate::sheet::{Drawing, Sheet};
use crate::tag::Tag;

/// What is drawn.
#[derive(Clone, Debug)]
pub struct Odds {
    /// What series are called.
    pub names: Vec<String>,
    /// Where outcomes stand.
    pub places: Places,
    /// For each series, for each outcome.
    pub series: Vec<Vec<Bar>>,
    /// Which chances they are.
    pub view: View,
    /// The outcomes that are meant; others step back.
    pub inside: Range<usize>,
    /// The look of the first series.
    pub first: usize,
    /// The axis reaches at least so many percent.
    pub least: f64,
    /// A number that is marked across, such as the mean.
    pub mean: Option<f64>,
}

/// One chance.
#[derive(Clone, Debug, Default)]
pub struct Bar {
    /// As a float, for the eyes.
    pub percent: f64,
    /// What stands above its bar, the most exact way first: all bars of a series in the first way that has room.
    pub written: Vec<String>,
    /// What is said where it is pointed at.
    pub tooltip: String,
}

/// What a file tells besides its drawing.
#[derive(Clone, Debug)]
pub struct Told {
    /// Its title.
    pub title: String,
    /// Mean and deviation of each series, where it has them.
    pub moments: Vec<Option<String>>,
    /// What the outcomes are.
    pub across: String,
    /// What is not drawn.
    pub note: Option<String>,
}

/// The longest name that stands before its moments.
const LONGEST_NAME: f64 = 400.0;
/// Ends with a smaller chance, summed from the end, are not worth a place on the axis.
const NEGLIGIBLE: f64 = 5e-6;
/// And then only if there are so many of them.
const FEWEST: usize = 5;
/// Or this part of all.
const PART: usize = 10;

/// The outcomes that are worth drawing; `chances` are, for each outcome in order, those of all series.
pub fn likely(chances: &[Vec<f64>]) -> Range<usize> {
    let weight = |at: usize| chances[at].iter().copied().fold(0.0, f64::max);
    let (mut first, mut end) = (0, chances.len());
    let (mut low, mut high) = (0.0, 0.0);
    while first + 1 < end && low + weight(first) < NEGLIGIBLE {
        low += weight(first);
        first += 1;
    }
    while end > first + 1 && high + weight(end - 1) < NEGLIGIBLE {
        end -= 1;
        high += weight(end);
    }
    let left_out = chances.len() - (end - first);
    let few = left_out < FEWEST || left_out * PART < chances.len();
    if few { 0..chances.len() } else { first..end }
}

impl Odds {
    /// Whether chances are those of an outcome and all beyond it.
    pub(crate) fn is_cumulative(&self) -> bool {
        self.view != View::Exactly
    }

    fn upwards(&self) -> Upwards {
        let chances = self.series.iter().flatten().map(|bar| bar.percent);
        let high = chances.fold(self.least, f64::max);
        let high = if self.is_cumulative() || high <= 0.0 { 100.0 } else { high };
        Upwards { low: 0.0, high, sign: "%", name: name(self.view).into() }
    }

    /// The marks alone.
    pub fn drawing(&self, sheet: &Sheet) -> Drawing {
        let frame = Frame::of(sheet.room(), &self.places, &self.upwards());
        let (tags, marks) = self.drawn(&frame, "");
        let (xs, bar) = (marks.xs.clone(), marks.bar());
        Drawing::of(&frame, tags, xs, bar)
    }

    /// A whole picture.
    pub fn file(&self, told: &Told, look: &Look) -> String {
        let above = self.above(&told.moments);
        let usual = higher(USUAL_HEIGHT, lines(&above, USUAL_WIDTH));
        let paper = Paper::of(look, usual);
        let (mut tags, top) = heading(&told.title, &above, &paper);
        let room = paper.room_below(top + 20.0, told.note.is_some());
        let frame = Frame::of(room, &self.places, &self.upwards());
        tags.extend(self.drawn(&frame, &told.across).0);
        tags.extend(told.note.as_deref().map(|text| note(text, &paper)));
        paper.file(&told.title, &tags)
    }

    fn drawn<'a>(&'a self, frame: &'a Frame, across: &str) -> (Vec<Tag>, Marks<'a>) {
        let marks = Marks::of(self, frame);
        let mut tags = frame.vertical_axis(name(self.view));
        tags.extend(marks.drawn());
        tags.extend(self.mean(frame));
        tags.extend(frame.horizontal_axis(&self.places, across));
        tags.extend(frame.heights_upon());
        if self.series.len() > 3 {
            tags.extend(names(self, frame, &marks.xs));
        }
        (tags, marks)
    }

    fn mean(&self, frame: &Frame) -> Option<Tag> {
        let x = frame.between(&self.places, self.mean?)?;
        let line = Tag::new("line").set("class", "mean").at("x1", x).at("x2", x);
        Some(line.at("y1", frame.top).at("y2", frame.y(0.0)))
    }

    fn above(&self, moments: &[Option<String>]) -> Heading {
        if let [only] = moments {
            return Heading::Plain(only.clone());
        }
        let entry = |(name, moments): (&String, &Option<String>)| match moments {
            Some(moments) => format!("{} ({moments})", fitted(name, USUAL, LONGEST_NAME)),
            None => name.clone(),
        };
        let mark = match Kind::of(self) {
            Kind::Lines => Mark::Marked,
            kind if kind.are_lines() => Mark::Line,
            _ => Mark::Square,
        };
        Heading::Legend(Named::all(self.names.iter().zip(moments).map(entry)), mark)
    }
}

/// A long legend makes a picture higher, not its drawing lower.
pub(crate) fn higher(usual: f64, lines: usize) -> f64 {
    usual + 20.0 * lines.saturating_sub(2) as f64
}

fn name(view: View) -> &'static str {
    match view {
        View::Exactly => "chance",
        View::AtLeast => "chance of this or more",
        View::AtMost => "chance of this or less",
    }
}

/// What is said at the foot of the paper.
pub(crate) fn note(text: &str, paper: &Paper) -> Tag {
    let tag = Tag::new("text").set("class", "small").at("x", paper.width - MARGIN);
    let tag = tag.at("y", paper.height - 12.0).set("text-anchor", "end");
    tag.text(fitted(text, SMALL, paper.room()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::Axes;
    use crate::tag::json;

    fn bars(percents: &[f64]) -> Vec<Bar> {
        let bar = |percent: &f64| Bar { percent: *percent, ..Bar::default() };
        percents.iter().map(bar).collect()
    }

    fn odds(series: &[&[f64]], view: View) -> Odds {
        let count = series[0].len();
        let numbers = (1..=count).map(|at| at as f64).collect();
        let labels = (1..=count).map(|at| at.to_string()).collect();
        Odds {
            names: (0..series.len()).map(|at| format!("r{at}")).collect(),
            places: Places::of(labels, Some(numbers)),
            series: series.iter().map(|percents| bars(percents)).collect(),
            view,
            inside: 0..count,
            first: 0,
            least: 0.0,
            mean: None,
        }
    }

    const PAGE: Sheet = Sheet { width: 600.0, height: 300.0, axes: Axes::Ticks };

    #[test]
    fn a_page_knows_where_outcomes_and_chances_are() {
        let drawing = odds(&[&[25.0, 50.0, 25.0]], View::Exactly).drawing(&PAGE);
        assert_eq!(drawing.middles.len(), 3);
        assert!((drawing.middles[1] - drawing.middles[0] - drawing.slot).abs() < 1e-9);
        assert!((drawing.foot - 50.0 * drawing.unit - drawing.top).abs() < 1e-9, "{drawing:?}");
    }

    #[test]
    fn what_is_not_meant_steps_back() {
        let mut odds = odds(&[&[25.0, 50.0, 25.0]], View::Exactly);
        assert!(!json(&odds.drawing(&PAGE).marks).contains("back"));
        odds.inside = 1..3;
        assert!(json(&odds.drawing(&PAGE).marks).contains("\"fill s0 back\""));
    }

    #[test]
    fn more_than_three_are_lines_and_cumulative_chances_are_stairs() {
        let two: &[&[f64]] = &[&[50.0, 50.0], &[50.0, 50.0]];
        let four: &[&[f64]] = &[two[0], two[0], two[0], two[0]];
        let drawn = |odds: Odds| json(&odds.drawing(&PAGE).marks);
        let bars = drawn(odds(two, View::Exactly));
        assert!(bars.contains("fill s1 look1") && !bars.contains("line s"), "{bars}");
        let lines = drawn(odds(four, View::Exactly));
        assert!(lines.contains("line s3") && lines.contains("\"r1\""), "{lines}");
        let stairs = drawn(odds(&two[..1], View::AtLeast));
        assert!(stairs.contains("fill s0 under") && stairs.contains("line s0"), "{stairs}");
    }

    #[test]
    fn far_ends_are_not_drawn() {
        let outcome = |chance: f64| vec![chance];
        let mut chances: Vec<Vec<f64>> = vec![outcome(1e-7); 10];
        chances.extend(vec![outcome(0.1); 10]);
        assert_eq!(likely(&chances), 10..20);
        assert_eq!(likely(&chances[6..]), 0..14, "four are not many");
        assert_eq!(likely(&[]), 0..0);
    }
}
