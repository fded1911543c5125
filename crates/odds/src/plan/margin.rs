//! Two numbers that are only ever compared with each other are one number: their margin.
//!
//! ```text
//! if mine > theirs then a else if mine < theirs then b else tie
//! ```
//!
//! Asked one after the other, the first question would have to keep both numbers apart for the second.
//! With the margin in their place, both questions are about one number, and both numbers may be endless.

use astragal_program::core::{LocalId, Op};
use astragal_value::{Number, Value};

use super::lower::node;
use super::parts::{parts, parts_mut};
use super::{Kind, Node};

/// If in this body a variable meets one other variable and nothing else, in comparisons and
/// differences, and the other one meets only it: the body with `margin` in their place, and the other.
/// `margin` is the first variable minus the other.
pub(super) fn pair_up(body: &mut Node, local: LocalId, margin: LocalId) -> Option<LocalId> {
    let mut met = Vec::new();
    if !meets(body, local, false, &mut met) || met.len() < 2 {
        return None;
    }
    let other = met[0];
    let mut back = Vec::new();
    let only = |met: &[LocalId], one: LocalId| met.iter().all(|met| *met == one);
    if !only(&met, other) || !meets(body, other, true, &mut back) || !only(&back, local) {
        return None;
    }
    replace(body, (local, other), margin);
    Some(other)
}

/// Gathers the variables that a variable meets; false if it is used in another way. It may be bound somewhere inside,
/// where only a part of the whole reads it.
fn meets(node: &Node, local: LocalId, bound_inside: bool, met: &mut Vec<LocalId>) -> bool {
    let inside = node.free.contains(local);
    if !inside && !bound_inside {
        return true;
    }
    if let Some((a, b)) = meeting(node)
        && (a == local) != (b == local)
    {
        met.push(if a == local { b } else { a });
        return true;
    }
    // Inside a loop or a repeated roll the numbers would have to be kept for the next time.
    let other_use = match node.kind {
        Kind::Local(found) => found == local,
        Kind::Fold { .. }
        | Kind::Walk(_)
        | Kind::Repeat(_)
        | Kind::Times { .. }
        | Kind::Measure { .. } => inside,
        _ => false,
    };
    !other_use && parts(&node.kind).into_iter().all(|part| meets(part, local, bound_inside, met))
}

/// The two variables of a comparison or difference.
fn meeting(node: &Node) -> Option<(LocalId, LocalId)> {
    let Kind::Operation { op, operands } = &node.kind else { return None };
    let numeric = matches!(op, Op::Less | Op::AtMost | Op::Greater | Op::AtLeast | Op::Subtract);
    match operands.as_slice() {
        [Node { kind: Kind::Local(a), .. }, Node { kind: Kind::Local(b), .. }] if numeric => {
            Some((*a, *b))
        }
        _ => None,
    }
}

fn replace(body: &mut Node, (local, other): (LocalId, LocalId), margin: LocalId) {
    let span = body.span;
    let is = |pair| meeting(body) == Some(pair);
    let forward = is((local, other));
    if forward || is((other, local)) {
        let Kind::Operation { op, .. } = body.kind else { return };
        let margin = node(Kind::Local(margin), span);
        let zero = node(Kind::Constant(Value::Number(Number::ZERO)), span);
        *body = match (op, forward) {
            (Op::Subtract, true) => margin,
            (Op::Subtract, false) => {
                node(Kind::Operation { op: Op::Negate, operands: vec![margin] }, span)
            }
            (op, true) => node(Kind::Operation { op, operands: vec![margin, zero] }, span),
            (op, false) => node(Kind::Operation { op, operands: vec![zero, margin] }, span),
        };
        return;
    }
    if body.free.contains(local) {
        parts_mut(&mut body.kind)
            .into_iter()
            .for_each(|part| replace(part, (local, other), margin));
        let kind = std::mem::replace(&mut body.kind, Kind::Nothing);
        *body = node(kind, span);
    }
}
