//! Which carried values of a `repeat` are mere counters.
//!
//! `repeat with total = 0 … next total = total + hit until hit < 6`: a round adds to `total` and never
//! looks at it. Such a value need not be part of the state: its growth is carried in the exponent of a
//! generating function, and a loop that can go on for ever has finitely many states.

use std::collections::HashSet;

use astragal_program::core::{Expr, Kind, LocalId, Op};

/// Whether a round only adds to the carried value `local`, the field `index` of the round's record.
pub(crate) fn is_counter(round: &Expr, local: LocalId, index: usize) -> bool {
    in_round(round, &mut HashSet::from([local]), index)
}

/// `sums` are the variables that hold the counter, perhaps with something added.
fn in_round(expr: &Expr, sums: &mut HashSet<LocalId>, index: usize) -> bool {
    match &expr.kind {
        Kind::Let { local, value, body } => match role(value, sums) {
            Role::Sum => {
                sums.insert(*local);
                in_round(body, sums, index)
            }
            Role::Free => in_round(body, sums, index),
            Role::Other => false,
        },
        Kind::Record { fields, .. } => fields.iter().enumerate().all(|(i, field)| {
            let wanted = if i == index { Role::Sum } else { Role::Free };
            role(field, sums) == wanted
        }),
        Kind::Note { message, body } => !mentions(message, sums) && in_round(body, sums, index),
        Kind::Require { condition, message, body } => {
            !mentions(condition, sums) && !mentions(message, sums) && in_round(body, sums, index)
        }
        Kind::Given { condition, body } => {
            !mentions(condition, sums) && in_round(body, sums, index)
        }
        Kind::Enter { body, .. } => in_round(body, sums, index),
        _ => false,
    }
}

/// How an expression uses the counter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It is the counter plus something that does not depend on it.
    Sum,
    /// It does not mention the counter.
    Free,
    /// It uses the counter in another way.
    Other,
}

fn role(expr: &Expr, sums: &HashSet<LocalId>) -> Role {
    match &expr.kind {
        Kind::Local(local) if sums.contains(local) => Role::Sum,
        Kind::Operation { op: Op::Add, operands } => match roles(operands, sums).as_slice() {
            [Role::Sum, Role::Free] | [Role::Free, Role::Sum] => Role::Sum,
            [Role::Free, Role::Free] => Role::Free,
            _ => Role::Other,
        },
        Kind::Operation { op: Op::Subtract, operands } => match roles(operands, sums).as_slice() {
            [Role::Sum, Role::Free] => Role::Sum,
            [Role::Free, Role::Free] => Role::Free,
            _ => Role::Other,
        },
        Kind::If { condition, then, otherwise, .. } if !mentions(condition, sums) => {
            let (then, otherwise) = (role(then, sums), role(otherwise, sums));
            if then == otherwise { then } else { Role::Other }
        }
        Kind::Labelled { value, .. } => role(value, sums),
        _ if mentions(expr, sums) => Role::Other,
        _ => Role::Free,
    }
}

fn roles(operands: &[Expr], sums: &HashSet<LocalId>) -> Vec<Role> {
    operands.iter().map(|operand| role(operand, sums)).collect()
}

fn mentions(expr: &Expr, sums: &HashSet<LocalId>) -> bool {
    matches!(&expr.kind, Kind::Local(local) if sums.contains(local))
        || expr.children().into_iter().any(|child| mentions(child, sums))
}
