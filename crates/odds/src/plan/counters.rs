//! Which carried values of a `repeat` are mere counters.
//!
//! `repeat with total = 0 … next total = total + hit until hit < 6`: a round adds to `total` and never
//! looks at it. Such a value need not be part of the state: its growth is carried in the exponent of a
//! generating function, and a loop that can go on for ever has finitely many states.

use astragal_program::core::{Expr, Kind, LocalId, Op, Value};
use astragal_value::Number;

use super::matters::reads;

/// Whether a round only adds to the carried value `local`, the field `index` of the round's record.
pub(crate) fn is_counter(round: &Expr, local: LocalId, index: usize) -> bool {
    in_round(round, &mut vec![local], &|fields, sums| only_adds(fields, index, sums))
}

/// Whether a round only adds to the carried value `local` and the loop ends where it reaches 0. Each
/// unit of such a count is on its own: how long it takes to use up five dice, when a die may add dice,
/// is five times how long it takes to use up one.
pub(crate) fn is_count(round: &Expr, local: LocalId, index: usize) -> bool {
    in_round(round, &mut vec![local], &|fields, sums| {
        let Some((until, fields)) = fields.split_last() else { return false };
        let ends = fields.get(index).and_then(local_of).is_some_and(|new| ends_at_zero(until, new));
        ends && only_adds(fields, index, sums)
    })
}

/// Whether one field is the counter and something more, and no other field mentions it.
fn only_adds(fields: &[Expr], index: usize, sums: &[LocalId]) -> bool {
    let wanted = |at| if at == index { Role::Sum } else { Role::Free };
    fields.iter().enumerate().all(|(at, field)| role(field, sums) == wanted(at))
}

fn local_of(expr: &Expr) -> Option<LocalId> {
    match &expr.kind {
        Kind::Local(local) => Some(*local),
        _ => None,
    }
}

/// `n == 0`, `n <= 0`, `n < 1`
fn ends_at_zero(until: &Expr, count: LocalId) -> bool {
    let Kind::Operation { op, operands } = &until.kind else { return false };
    let [left, Expr { kind: Kind::Constant(Value::Number(end)), .. }] = operands.as_slice() else {
        return false;
    };
    local_of(left) == Some(count)
        && match op {
            Op::Equal | Op::AtMost => end.is_zero(),
            Op::Less => *end == Number::ONE,
            _ => false,
        }
}

/// What the fields of the round's record must be, given the variables that hold the counter.
type Fits<'a> = dyn Fn(&[Expr], &[LocalId]) -> bool + 'a;

/// `sums` are the variables that hold the counter, perhaps with something added.
fn in_round(expr: &Expr, sums: &mut Vec<LocalId>, fits: &Fits<'_>) -> bool {
    match &expr.kind {
        Kind::Let { local, value, body } => match role(value, sums) {
            Role::Sum => {
                sums.push(*local);
                in_round(body, sums, fits)
            }
            Role::Free => in_round(body, sums, fits),
            Role::Other => false,
        },
        Kind::Record { fields, .. } => fits(fields, sums),
        Kind::Note { message, body } => !reads(message, sums) && in_round(body, sums, fits),
        Kind::Require { condition, message, body } => {
            !reads(condition, sums) && !reads(message, sums) && in_round(body, sums, fits)
        }
        Kind::Given { condition, body } => !reads(condition, sums) && in_round(body, sums, fits),
        Kind::Enter { body, .. } => in_round(body, sums, fits),
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

fn role(expr: &Expr, sums: &[LocalId]) -> Role {
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
        Kind::If { condition, then, otherwise, .. } if !reads(condition, sums) => {
            let (then, otherwise) = (role(then, sums), role(otherwise, sums));
            if then == otherwise { then } else { Role::Other }
        }
        Kind::Labelled { value, .. } => role(value, sums),
        _ if reads(expr, sums) => Role::Other,
        _ => Role::Free,
    }
}

fn roles(operands: &[Expr], sums: &[LocalId]) -> Vec<Role> {
    operands.iter().map(|operand| role(operand, sums)).collect()
}
