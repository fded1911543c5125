//! What pictures show of answers and sweeps: exact numbers as floats for the eyes, with their words. How it is drawn is in
//! the crate `chart`, for files and for pages.

mod data;
mod survey;

use astragal::Answer;

use crate::View;
pub use astragal_chart::{Look, Theme, scale};
pub use survey::{lines, map};

/// More lines than this cannot be told apart: there are twelve colours, and three kinds of line for each.
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
    let drawn = || {
        let (odds, told) = data::of(title, answers, view);
        odds.file(&told, look)
    };
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
