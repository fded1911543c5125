//! Charts as SVG, written by hand: one geometry, our own colours, nothing that a page must load.

mod chart;
mod data;
mod frame;
mod legend;
mod marks;
mod palette;
mod scale;
mod xml;

use astragal::Answer;

use crate::View;

/// The drawing of answers of the same type; none if they are of different ones.
pub fn drawing(title: &str, answers: &[(String, &Answer)], view: View) -> Option<String> {
    let alike = answers.iter().all(|(_, answer)| answer.ty == answers[0].1.ty);
    (alike && !answers.is_empty()).then(|| chart::chart(&data::Data::of(title, answers, view)))
}
