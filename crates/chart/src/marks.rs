//! The chances themselves.
//!
//! One to three series are bars side by side; more are lines, since nobody can read so many bars. *At least* and *at most*
//! are stairs. Where outcomes have not even a pixel each, what would be bars is their outline.

use crate::frame::Frame;
use crate::odds::{Bar, Odds};
use crate::palette::{class, dash, is_hollow, shape};
use crate::path::{area, bar, line, steps};
use crate::scale::place;
use crate::tag::Tag;

/// The share of its room that a group of bars fills.
const FILLED: f64 = 0.84;
/// The widest bar.
const WIDEST: f64 = 90.0;
/// More series than this are lines.
const MOST_GROUPED: usize = 3;
/// In less room there is no bar.
const NARROWEST: f64 = 1.2;
/// Bars that are thinner are told apart by colour alone.
const PLAIN: f64 = 5.0;
/// The room of a marker.
const MARKER: f64 = 12.0;

/// How series are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Bars,
    Outline,
    Lines,
    Stairs,
}

impl Kind {
    /// Whether it is drawn as lines, which a legend should know before there is a frame.
    pub(crate) fn of(odds: &Odds) -> Kind {
        match () {
            () if odds.is_cumulative() => Kind::Stairs,
            () if odds.places.are_on_scale() && odds.series.len() > MOST_GROUPED => Kind::Lines,
            () => Kind::Bars,
        }
    }

    pub(crate) fn are_lines(self) -> bool {
        matches!(self, Kind::Lines | Kind::Stairs)
    }
}

/// The bars of one outcome: how wide all are, and each.
#[derive(Clone, Copy)]
struct Group {
    whole: f64,
    each: f64,
}

/// What all series of a drawing have in common.
pub(crate) struct Marks<'a> {
    odds: &'a Odds,
    frame: &'a Frame,
    pub(crate) xs: Vec<f64>,
    kind: Kind,
    group: Group,
}

impl<'a> Marks<'a> {
    pub(crate) fn of(odds: &'a Odds, frame: &'a Frame) -> Marks<'a> {
        let (slot, count) = (frame.band(), odds.series.len().max(1) as f64);
        let kind = match Kind::of(odds) {
            Kind::Bars if slot < NARROWEST => Kind::Outline,
            kind => kind,
        };
        // Where bars are thin, the air between them would be all that is seen.
        let whole = if slot < 4.0 { slot } else { (slot * FILLED).min(WIDEST * count) };
        let group = Group { whole, each: whole / count };
        Marks { odds, frame, xs: frame.xs(&odds.places), kind, group }
    }

    /// How wide each bar is.
    pub(crate) fn bar(&self) -> f64 {
        self.group.each
    }

    /// All series.
    pub(crate) fn drawn(&self) -> Vec<Tag> {
        let mut tags = Vec::new();
        for (at, series) in self.odds.series.iter().enumerate() {
            let look = self.odds.first + at;
            match self.kind {
                Kind::Bars => tags.extend(self.bars(at, look, series)),
                Kind::Outline => tags.push(self.outline(look, series)),
                Kind::Lines => tags.extend(self.line(at, look, series)),
                Kind::Stairs => tags.extend(self.stairs(look, series)),
            }
        }
        if self.kind == Kind::Stairs {
            tags.extend(self.words());
        }
        tags
    }

    fn tops(&self, series: &[Bar]) -> Vec<f64> {
        series.iter().map(|bar| self.frame.y(bar.percent)).collect()
    }

    /// One series as bars: each by itself where it has words, else all as one.
    fn bars(&self, at: usize, look: usize, series: &[Bar]) -> Vec<Tag> {
        let Group { whole, each } = self.group;
        let air = if self.odds.series.len() > 1 && each > 6.0 { 1.0 } else { 0.0 };
        let told = if each < PLAIN || at == 0 { String::new() } else { format!(" look{at}") };
        let fill = format!("fill {}{told}", class(look));
        let wide = (each - 2.0 * air).max(0.7);
        let (base, way) = (self.frame.y(0.0), Self::way(series, each));
        let (mut paths, mut values) = ([String::new(), String::new()], Vec::new());
        let mut tags = Vec::new();
        for (place, (x, one)) in self.xs.iter().zip(series).enumerate() {
            let left = x - whole / 2.0 + at as f64 * each + air;
            let path = bar(left, wide, self.frame.y(one.percent), base);
            let inside = self.odds.inside.contains(&place);
            match one.tooltip.as_str() {
                _ if path.is_empty() => continue,
                "" => paths[usize::from(!inside)] += &path,
                words => tags.push(Tag::new("path").set("d", path).titled(words)),
            }
            values.extend(way.and_then(|way| self.value(left + wide / 2.0, one, way)));
        }
        let classes = [fill.clone(), format!("{fill} back")];
        let whole = paths.into_iter().zip(classes).filter(|(path, _)| !path.is_empty());
        let mut out: Vec<Tag> = whole
            .map(|(path, class)| Tag::new("path").set("class", class).set("d", path))
            .collect();
        if !tags.is_empty() {
            out.push(Tag::new("g").set("class", fill).tags(tags));
        }
        out.extend(values);
        out
    }

    /// The most exact way in which all bars of a series can say what they are; none if there is no room for any.
    fn way(series: &[Bar], wide: f64) -> Option<usize> {
        let ways = series.iter().map(|bar| bar.written.len()).max().unwrap_or(0);
        let fits = |text: &String| Frame::has_room(text, wide / FILLED);
        (0..ways).find(|way| series.iter().all(|bar| bar.written.get(*way).is_none_or(fits)))
    }

    /// What stands above a bar.
    fn value(&self, x: f64, one: &Bar, way: usize) -> Option<Tag> {
        let text = one.written.get(way)?;
        let tag = Tag::new("text").set("class", "value").at("x", x);
        let tag = tag.at("y", self.frame.y(one.percent) - 4.0).set("text-anchor", "middle");
        Some(tag.text(text))
    }

    /// One series as the outline of its bars.
    fn outline(&self, look: usize, series: &[Bar]) -> Tag {
        let through = if self.odds.series.len() > 1 { " through" } else { "" };
        let path = area(&self.xs, self.frame.band(), &self.tops(series), self.frame.y(0.0));
        Tag::new("path").set("class", format!("fill {}{through}", class(look))).set("d", path)
    }

    /// One series as a line that begins and ends with its own outcomes, with a marker at each, or at some.
    fn line(&self, at: usize, look: usize, series: &[Bar]) -> Vec<Tag> {
        let has = |bar: &Bar| bar.percent > 0.0;
        let first = series.iter().position(has).unwrap_or(0);
        let end = series.iter().rposition(has).map_or(0, |last| last + 1);
        let own = first..end.max(first);
        let points: Vec<Point<'_>> = self.xs[own.clone()]
            .iter()
            .zip(&series[own])
            .map(|(x, one)| Point { x: *x, y: self.frame.y(one.percent), tooltip: &one.tooltip })
            .collect();
        let every = (MARKER / self.frame.band()).ceil().max(1.0) as usize;
        marked_line(&points, look, dash(look), Markers { every, from: at % every })
    }

    /// One series as stairs; one that is alone stands on something.
    fn stairs(&self, look: usize, series: &[Bar]) -> Vec<Tag> {
        let (slot, tops) = (self.frame.band(), self.tops(series));
        let mut tags = Vec::new();
        if self.odds.series.len() == 1 {
            let path = area(&self.xs, slot, &tops, self.frame.y(0.0));
            tags.push(
                Tag::new("path").set("class", format!("fill {} under", class(look))).set("d", path),
            );
        }
        let line = Tag::new("path").set("class", format!("line {}", class(look)));
        tags.push(line.set("d", steps(&self.xs, slot, &tops)).set("stroke-dasharray", dash(look)));
        tags
    }

    /// What stairs say where they are pointed at: of all series together.
    fn words(&self) -> Vec<Tag> {
        let (slot, top) = (self.frame.band(), self.frame.top);
        let word = |place: usize| {
            let told = self.odds.series.iter().map(|series| series[place].tooltip.as_str());
            let told: Vec<&str> = told.filter(|words| !words.is_empty()).collect();
            let rect = Tag::new("rect")
                .at("x", self.xs[place] - slot / 2.0)
                .at("y", top)
                .at("width", slot);
            let rect = rect.at("height", self.frame.y(0.0) - top).set("fill-opacity", "0");
            (!told.is_empty()).then(|| rect.titled(&told.join("; ")))
        };
        (0..self.xs.len()).filter_map(word).collect()
    }
}

/// A point of a line.
pub(crate) struct Point<'a> {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) tooltip: &'a str,
}

/// Which points have markers: one in so many, from the first of them on.
#[derive(Clone, Copy)]
pub(crate) struct Markers {
    pub(crate) every: usize,
    pub(crate) from: usize,
}

/// A line through its points, and their markers.
pub(crate) fn marked_line(
    points: &[Point<'_>],
    look: usize,
    dash: &'static str,
    markers: Markers,
) -> Vec<Tag> {
    if points.is_empty() {
        return Vec::new();
    }
    let places: Vec<(f64, f64)> = points.iter().map(|point| (point.x, point.y)).collect();
    let path =
        Tag::new("path").set("class", format!("line {}", class(look))).set("d", line(&places));
    let mut tags = vec![path.set("stroke-dasharray", dash)];
    tags.extend(marker_tags(points.iter().skip(markers.from).step_by(markers.every), look));
    tags
}

/// Markers: each by itself where it has words, else all as one.
pub(crate) fn marker_tags<'a>(
    points: impl Iterator<Item = &'a Point<'a>>,
    look: usize,
) -> Vec<Tag> {
    let (mut together, mut tags) = (String::new(), Vec::new());
    let hollow = if is_hollow(look) { " hollow" } else { "" };
    let class = format!("fill {}{hollow}", class(look));
    for point in points {
        let path = format!("M{} {}{}", place(point.x), place(point.y), shape(look));
        match point.tooltip {
            "" => together += &path,
            words => {
                tags.push(Tag::new("path").set("class", class.clone()).set("d", path).titled(words))
            }
        }
    }
    if !together.is_empty() {
        tags.push(Tag::new("path").set("class", class).set("d", together));
    }
    tags
}
