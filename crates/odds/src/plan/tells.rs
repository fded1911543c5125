//! Whether evaluating an expression may note something, or may not count: all that matters where the notes of a
//! program are asked for.

use astragal_program::core::{Expr, Function, Kind, Program};

/// For each function whether it, or one that it calls, tells anything.
pub(super) fn functions(functions: &[Function]) -> Vec<bool> {
    let mut known = vec![false; functions.len()];
    loop {
        let now = functions.iter().map(|function| tells(&function.body, &known));
        let now: Vec<bool> = now.collect();
        if now == known {
            return known;
        }
        known = now;
    }
}

/// Whether there is a note or a `given` in it, given the functions that tell anything.
pub(super) fn tells(expr: &Expr, functions: &[bool]) -> bool {
    match &expr.kind {
        Kind::Given { .. } | Kind::Note { .. } => true,
        Kind::Call { function, .. } if functions.get(function.0 as usize) == Some(&true) => true,
        _ => expr.children().into_iter().any(|child| tells(child, functions)),
    }
}

/// Whether a program may note anything.
pub(crate) fn has_notes(program: &Program) -> bool {
    fn notes(expr: &Expr) -> bool {
        matches!(expr.kind, Kind::Note { .. }) || expr.children().into_iter().any(notes)
    }
    program.functions.iter().chain([&program.main]).any(|function| notes(&function.body))
}
