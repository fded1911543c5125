//! Pictures as SVG, written by hand: one geometry, our own colours, nothing that a page must load.

mod advances;
mod chart;
mod data;
mod frame;
mod legend;
mod letters;
mod lines;
mod map;
mod marks;
mod palette;
mod paper;
pub mod scale;
mod xml;

use astragal::Answer;

use crate::View;
pub use lines::lines;
pub use map::map;
pub use paper::{Look, Theme};

/// The drawing of answers of the same type; none if they are of different ones.
pub fn drawing(
    title: &str,
    answers: &[(String, &Answer)],
    view: View,
    look: &Look,
) -> Option<String> {
    let alike = answers.iter().all(|(_, answer)| answer.ty == answers[0].1.ty);
    let drawn = || chart::chart(&data::Data::of(title, answers, view), look);
    (alike && !answers.is_empty()).then(drawn)
}
