//! A drawing without a file around it: its marks, and where outcomes and chances are in it, for those who draw it themselves
//! and put more upon it.

use crate::frame::{Frame, Room};
use crate::tag::Tag;

/// What is told at the edges of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// Ticks, and what they are the ticks of.
    Named,
    /// Ticks alone, for a page that says elsewhere what they are.
    Ticks,
    /// The two ends, for small drawings beside each other.
    Ends,
    /// Nothing, for a drawing of a line's height.
    Nothing,
}

impl Axes {
    /// By the name that a page has for it.
    pub fn named(name: &str) -> Axes {
        match name {
            "ends" => Axes::Ends,
            "nothing" => Axes::Nothing,
            _ => Axes::Ticks,
        }
    }
}

/// The paper of a page: how large it is, and what stands at its edges.
#[derive(Clone, Copy, Debug)]
pub struct Sheet {
    /// In pixels.
    pub width: f64,
    /// In pixels.
    pub height: f64,
    /// What is told at the edges.
    pub axes: Axes,
}

impl Sheet {
    pub(crate) fn room(&self) -> Room {
        let (top, below, right) = match self.axes {
            Axes::Named => (12.0, 4.0, 8.0),
            Axes::Ticks => (20.0, 4.0, 8.0),
            Axes::Ends => (6.0, 0.0, 2.0),
            Axes::Nothing => (1.0, 0.0, 0.0),
        };
        Room { top, end: self.height - below, right: self.width - right, axes: self.axes }
    }
}

/// A drawing and where things are in it, in pixels.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// What is drawn.
    pub marks: Vec<Tag>,
    /// The middle of each outcome's room, from the left.
    pub middles: Vec<f64>,
    /// How wide the room of an outcome is.
    pub slot: f64,
    /// How wide each of its bars is; they stand side by side round its middle.
    pub bar: f64,
    /// From the top to the highest place.
    pub top: f64,
    /// From the top to where 0 is.
    pub foot: f64,
    /// How high one percent is, or a unit of what else is drawn.
    pub unit: f64,
}

impl Drawing {
    pub(crate) fn of(frame: &Frame, marks: Vec<Tag>, middles: Vec<f64>, bar: f64) -> Drawing {
        let (top, foot) = (frame.top, frame.y(0.0));
        Drawing { marks, middles, slot: frame.band(), bar, top, foot, unit: foot - frame.y(1.0) }
    }
}
