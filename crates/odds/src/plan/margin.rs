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
use super::parts::parts_mut;
use super::{Kind, Node};

/// If in this body a variable meets one other variable and nothing else, in comparisons and
/// differences, and the other one meets only it: the body with `margin` in their place, and the other.
/// `margin` is the first variable minus the other.
pub(super) fn pair_up(body: &mut Node, local: LocalId, margin: LocalId) -> Option<LocalId> {
    let mut meetings = Meetings { local, bound_inside: false, other: None, pairs: 0, fine: true };
    meetings.look(body);
    let other = meetings.other.filter(|_| meetings.fine && meetings.pairs > 1)?;
    let mut back =
        Meetings { local: other, bound_inside: true, other: Some(local), pairs: 0, fine: true };
    back.look(body);
    if !back.fine {
        return None;
    }
    replace(body, (local, other), margin);
    Some(other)
}

/// Looks for whom a variable meets.
struct Meetings {
    local: LocalId,
    /// Whether it may be bound somewhere inside, where only a part of the whole reads it.
    bound_inside: bool,
    other: Option<LocalId>,
    pairs: usize,
    fine: bool,
}

impl Meetings {
    fn look(&mut self, body: &mut Node) {
        let inside = body.free.contains(self.local);
        if !self.fine || !(inside || self.bound_inside) {
            return;
        }
        if let Some((a, b)) = meeting(body)
            && (a == self.local || b == self.local)
        {
            let other = if a == self.local { b } else { a };
            self.fine &= other != self.local && self.other.is_none_or(|known| known == other);
            self.other = Some(other);
            self.pairs += 1;
            return;
        }
        if matches!(body.kind, Kind::Local(local) if local == self.local) {
            self.fine = false;
        }
        // Inside a loop or a repeated roll the numbers would have to be kept for the next time.
        let repeated = matches!(
            body.kind,
            Kind::Fold { .. } | Kind::Walk(_) | Kind::Repeat(_) | Kind::Times { .. }
        );
        if repeated && body.free.contains(self.local) {
            self.fine = false;
        }
        parts_mut(&mut body.kind).into_iter().for_each(|part| self.look(part));
    }
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
