//! What a program's odds are shown as: one table a result, or one a field of a record.

use std::collections::BTreeSet;

use astragal::{Answer, Budget, Diagnostics, Odds, Program, Rational, Type, Value};

use crate::View;
use crate::export::grid::Grid;
use crate::export::outcomes::{one_by_one, outcomes};

/// One answer a result; of a single record, one answer a field. Endless ones are listed at least up to a
/// number.
pub fn answers(
    program: &Program,
    budget: &Budget,
    until: Option<Rational>,
) -> Result<Vec<Answer>, Diagnostics> {
    Ok(odds(program, budget, until)?.results)
}

/// The same, with how it is played where somebody decides.
pub fn odds(
    program: &Program,
    budget: &Budget,
    until: Option<Rational>,
) -> Result<Odds, Diagnostics> {
    let results: Vec<_> = program.results().collect();
    match results.as_slice() {
        [(None, ty)] if has_fields(ty) => program.odds_apart(budget, until),
        _ => program.odds_until(budget, until),
    }
}

/// Whether it is a record with several parts.
fn has_fields(ty: &Type) -> bool {
    match ty {
        Type::Record(record) => match record.fields.as_slice() {
            [(_, only)] => has_fields(only),
            fields => !fields.is_empty(),
        },
        _ => false,
    }
}

/// What an answer is called: the name after `show`, then the field. Empty for the only result.
pub fn title(answer: &Answer) -> String {
    let parts = answer.name.iter().chain(&answer.field);
    parts.map(|part| &**part).collect::<Vec<_>>().join(".")
}

/// Whether these are results of their own and of the same type, to be shown side by side.
pub fn are_alike(answers: &[Answer]) -> bool {
    answers.iter().all(|answer| answer.name.is_some() && answer.ty == answers[0].ty)
}

/// Answers with their titles.
pub fn titled(answers: &[Answer]) -> Vec<(String, &Answer)> {
    answers.iter().map(|answer| (title(answer), answer)).collect()
}

/// Every outcome for a spreadsheet: side by side if they have something in common, else one below the
/// other.
pub fn spreadsheet(answers: &[Answer], view: View) -> Grid {
    let side_by_side = answers.len() == 1 || (are_alike(answers) && overlap(answers));
    let grid = if side_by_side { outcomes } else { one_by_one };
    grid(&titled(answers), view)
}

/// A table of so many cells is small, however many of them are empty.
const SMALL: usize = 100_000;
/// In a larger one, at least one cell in so many has a chance.
const SPARSE: usize = 8;

/// Whether outcomes of many answers are outcomes of others too, so that one table can hold them all. A thousand results with a dozen outcomes each that have
/// none in common are a table of millions of zeros.
pub fn overlap(answers: &[Answer]) -> bool {
    let listed: usize = answers.iter().map(|answer| answer.outcomes.len()).sum();
    if listed.saturating_mul(answers.len()) <= SMALL {
        return true;
    }
    let all: BTreeSet<&Value> =
        answers.iter().flat_map(|answer| answer.outcomes.values()).collect();
    let cells = all.len().saturating_mul(answers.len());
    cells <= SMALL || cells / SPARSE <= listed
}

#[cfg(test)]
mod tests {
    use astragal::Engine;

    use super::*;

    /// The spreadsheet of so many results.
    fn sheet(count: usize, result: impl Fn(usize) -> String) -> Vec<String> {
        let lines: Vec<String> =
            (0..count).map(|at| format!("show \"r{at}\" = {}", result(at))).collect();
        let program = Engine::new().compile(&lines.join("\n")).unwrap();
        let answers = answers(&program, &Budget::default(), None).unwrap();
        spreadsheet(&answers, View::Exactly).csv().lines().map(str::to_owned).collect()
    }

    #[test]
    fn many_results_stand_side_by_side_only_if_they_share_outcomes() {
        let alike = sheet(400, |_| "d3".into());
        assert_eq!(alike.len(), 4);
        assert!(alike[0].starts_with("outcome,r0,r0 exactly,r1"), "{}", alike[0]);
        let apart = sheet(400, |at| format!("d3 + {}", 10 * at));
        assert_eq!(apart.len(), 1 + 3 * 400);
        assert_eq!(apart[..2], ["result,outcome,chance,exactly", "r0,1,0.333333333333333,1/3"]);
        // A few that have nothing in common still make a small table.
        assert!(sheet(3, |at| format!("d3 + {}", 10 * at))[0].starts_with("outcome,r0"));
    }

    #[test]
    fn what_is_not_listed_has_a_row() {
        let program = Engine::new().compile("show \"a\" = d4!; show \"b\" = d6").unwrap();
        let answers = answers(&program, &Budget::default(), None).unwrap();
        let csv = one_by_one(&titled(&answers), View::AtLeast).csv();
        let rest = csv.lines().find(|line| line.contains("everything else")).unwrap();
        assert!(rest.starts_with("a,everything else,exactly,"), "{rest}");
    }
}
