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

/// More lines than this cannot be told apart: there are ten colours, and three kinds of line.
pub(crate) const MOST_LINES: usize = 30;

/// The drawing of answers of the same type; none if they are of different ones. Of a great many, the first are drawn, and
/// a note says how many are not.
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

#[cfg(test)]
mod tests {
    use astragal::{Budget, Engine};

    use super::*;
    use crate::tables::titled;

    fn drawn(text: &str) -> String {
        let odds = Engine::new().compile(text).unwrap().odds(&Budget::default()).unwrap();
        drawing("many", &titled(&odds.results), View::Exactly, &Look::default()).unwrap()
    }

    #[test]
    fn of_a_great_many_results_the_first_are_drawn_and_the_others_counted() {
        let results = |count: usize| {
            let line = |at: usize| format!("show \"r{at}\" = {at}d6");
            (1..=count).map(line).collect::<Vec<_>>().join("\n")
        };
        let all = drawn(&results(MOST_LINES));
        assert!(all.contains("r30 (mean 105") && !all.contains("more result"), "{all}");
        let most = drawn(&results(MOST_LINES + 1));
        assert!(most.contains("not drawn: 1 more result;") && !most.contains("r31"), "{most}");
        let fixed: String = (0..72).map(|at| format!("show \"r{at}\" = d6\n")).collect();
        assert!(drawn(&fixed).contains(">not drawn: 42 more results<"));
    }
}
