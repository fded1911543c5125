//! What a program's odds are shown as: one table a result, or one a field of a record.

use astragal::{Answer, Budget, Diagnostics, Program, Rational, Type};

use crate::View;
use crate::export::grid::Grid;
use crate::export::outcomes::{by_field, outcomes};

/// One answer a result; of a single record, one answer a field. Endless ones are listed at least up to a
/// number.
pub fn answers(
    program: &Program,
    budget: &Budget,
    until: Option<Rational>,
) -> Result<Vec<Answer>, Diagnostics> {
    let results: Vec<_> = program.results().collect();
    let odds = match results.as_slice() {
        [(None, ty)] if has_fields(ty) => program.odds_apart(budget, until)?,
        _ => program.odds_until(budget, until)?,
    };
    Ok(odds.results)
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
    let side_by_side = answers.len() == 1 || are_alike(answers);
    let grid = if side_by_side { outcomes } else { by_field };
    grid(&titled(answers), view)
}
