//! The chart of a sweep: a line for each number that was asked for, over the values of an input.
//!
//! Chances and means have no scale in common: where there are both, they are two drawings, one above the other, over the
//! same axis.

use crate::frame::{Frame, Places, Room, Upwards};
use crate::legend::{Heading, Mark, Named, heading, lines as lines_of};
use crate::marks::{Markers, Point, marked_line};
use crate::odds::{higher, note};
use crate::palette::dash;
use crate::paper::{Look, Paper, USUAL_HEIGHT, USUAL_WIDTH};
use crate::sheet::{Drawing, Sheet};
use crate::tag::Tag;

/// More markers than this are no markers but a line.
const MOST_MARKERS: usize = 600;
/// The dashes of a line that lies upon another.
const UPON: &str = "7 3";

/// What is drawn.
#[derive(Clone, Debug)]
pub struct Lines {
    /// What the input is called.
    pub across: String,
    /// Its values: on a scale if they are plain numbers in order, else side by side.
    pub places: Places,
    /// The lines.
    pub lines: Vec<Line>,
}

/// One number at all values of the input.
#[derive(Clone, Debug)]
pub struct Line {
    /// What it is.
    pub title: String,
    /// A chance in percent, not a mean.
    pub chance: bool,
    /// None where there is no such number.
    pub values: Vec<Option<f64>>,
    /// What is said at each point, if anything is.
    pub tooltips: Vec<String>,
}

impl Lines {
    /// The marks alone, of lines that are all chances or all none.
    pub fn drawing(&self, sheet: &Sheet) -> Drawing {
        let all: Vec<usize> = (0..self.lines.len()).collect();
        let upwards = self.upwards(&all);
        let frame = Frame::of(sheet.room(), &self.places, &upwards);
        let tags = self.panel(&frame, &upwards, &all);
        Drawing::of(&frame, tags, frame.xs(&self.places), frame.band())
    }

    /// A whole picture; `left_out` is how many more there are.
    pub fn file(&self, title: &str, left_out: usize, look: &Look) -> String {
        let above = match self.lines.as_slice() {
            [_] => Heading::Plain(None),
            several => Heading::Legend(self.named(several), Mark::Marked),
        };
        let panels: Vec<Vec<usize>> = [false, true].map(|chance| self.like(chance)).into();
        let panels: Vec<_> = panels.into_iter().filter(|panel| !panel.is_empty()).collect();
        let tall = USUAL_HEIGHT * if panels.len() > 1 { 1.5 } else { 1.0 };
        let paper = Paper::of(look, higher(tall, lines_of(&above, USUAL_WIDTH)));
        let (mut tags, top) = heading(title, &above, &paper);
        let room = paper.room_below(top + 20.0, left_out > 0);
        for (frame, upwards, panel) in self.frames(room, &panels) {
            tags.extend(self.panel(&frame, &upwards, panel));
        }
        if left_out > 0 {
            tags.push(note(&format!("not drawn: {left_out} more"), &paper));
        }
        paper.file(title, &tags)
    }

    fn like(&self, chance: bool) -> Vec<usize> {
        (0..self.lines.len()).filter(|at| self.lines[*at].chance == chance).collect()
    }

    /// Drawings above each other, which begin at the same place.
    fn frames<'a>(
        &self,
        room: Room,
        panels: &'a [Vec<usize>],
    ) -> Vec<(Frame, Upwards, &'a [usize])> {
        let height = (room.end - room.top) / panels.len().max(1) as f64;
        let mut frames = Vec::new();
        for (at, panel) in panels.iter().enumerate() {
            let top = room.top + height * at as f64;
            let gap = if at + 1 < panels.len() { 16.0 } else { 0.0 };
            let part = Room { top, end: top + height - gap, ..room };
            let upwards = self.upwards(panel);
            frames.push((Frame::of(part, &self.places, &upwards), upwards, panel.as_slice()));
        }
        let left = frames.iter().map(|(frame, ..)| frame.left).fold(0.0, f64::max);
        for (frame, ..) in &mut frames {
            frame.left = left;
        }
        frames
    }

    fn named(&self, lines: &[Line]) -> Vec<Named> {
        let named = lines.iter().enumerate().map(|(at, line)| Named {
            name: line.title.clone(),
            look: at,
            dash: self.dash(at),
        });
        named.collect()
    }

    /// The first is whole, and so are others unless they lie upon one before, so that both are seen; where there are many, each
    /// has its own.
    fn dash(&self, at: usize) -> &'static str {
        let own = &self.lines[at];
        let upon = |one: &Line| one.chance == own.chance && one.values == own.values;
        match () {
            () if self.lines.len() > 3 => dash(at),
            () if self.lines[..at].iter().any(upon) => UPON,
            () => "none",
        }
    }

    /// The lines of one scale, and its axes.
    fn panel(&self, frame: &Frame, upwards: &Upwards, panel: &[usize]) -> Vec<Tag> {
        let xs = frame.xs(&self.places);
        let mut tags = frame.vertical_axis(&upwards.name);
        tags.extend(frame.horizontal_axis(&self.places, &self.across));
        let dotted = xs.len() * panel.len() <= MOST_MARKERS;
        let markers =
            Markers { every: if dotted { 1 } else { usize::MAX }, from: usize::from(!dotted) };
        for at in panel {
            for run in self.runs(&self.lines[*at], frame, &xs) {
                tags.extend(marked_line(&run, *at, self.dash(*at), markers));
            }
        }
        tags
    }

    /// The parts of a line: one without a number breaks it, and between two names there is nothing.
    fn runs<'a>(&self, line: &'a Line, frame: &Frame, xs: &[f64]) -> Vec<Vec<Point<'a>>> {
        let mut runs = vec![Vec::new()];
        for (at, x) in xs.iter().enumerate() {
            let Some(value) = line.values.get(at).copied().flatten() else {
                runs.push(Vec::new());
                continue;
            };
            if !self.places.are_on_scale() {
                runs.push(Vec::new());
            }
            let tooltip = line.tooltips.get(at).map_or("", String::as_str);
            if let Some(run) = runs.last_mut() {
                run.push(Point { x: *x, y: frame.y(value), tooltip });
            }
        }
        runs
    }

    /// From where to where: chances from nothing, means too unless they are far from it.
    fn upwards(&self, panel: &[usize]) -> Upwards {
        let lines: Vec<&Line> = panel.iter().map(|at| &self.lines[*at]).collect();
        let known = || lines.iter().flat_map(|line| line.values.iter().flatten().copied());
        let (low, high) = match known().next() {
            Some(first) => (known().fold(first, f64::min), known().fold(first, f64::max)),
            None => (0.0, 1.0),
        };
        let chance = lines.iter().any(|line| line.chance);
        let near = low >= 0.0 && low <= high * 0.6;
        let name = match lines.as_slice() {
            [only] if chance && only.title != "chance" => format!("chance of {}", only.title),
            [only] => only.title.clone(),
            _ if chance => "chance".into(),
            several if several.iter().all(|line| line.title.ends_with("mean")) => "mean".into(),
            _ => String::new(),
        };
        Upwards {
            low: if chance || near { low.min(0.0) } else { low },
            high: if low == high && !chance { high + 1.0 } else { high.max(low) },
            sign: if chance { "%" } else { "" },
            name,
        }
    }
}
