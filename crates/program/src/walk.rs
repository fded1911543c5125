//! The children of a core expression, in the order of evaluation.

use crate::core::{Expr, Face, Kind};

/// Calls `visit` with each direct child.
#[inline]
pub(crate) fn children(expr: &mut Expr, visit: &mut impl FnMut(&mut Expr)) {
    match &mut expr.kind {
        Kind::Constant(_) | Kind::Local(_) => {}
        Kind::Let { value, body, .. } => [value, body].into_iter().for_each(|e| visit(e)),
        Kind::If { condition, then, otherwise, .. } => {
            [condition, then, otherwise].into_iter().for_each(|e| visit(e));
        }
        Kind::Operation { operands, .. } => operands.iter_mut().for_each(visit),
        Kind::List(items) | Kind::Gather(items) | Kind::Merge(items) => {
            items.iter_mut().for_each(visit)
        }
        Kind::Record { fields, .. } => fields.iter_mut().for_each(visit),
        Kind::Field { record, .. } => visit(record),
        Kind::Call { arguments, .. } => arguments.iter_mut().for_each(visit),
        Kind::Enter { body, .. } => visit(body),
        Kind::Fold { list, first, body, .. } => {
            [list, first, body].into_iter().for_each(|e| visit(e));
        }
        Kind::Walk { pools, first, body, .. } => {
            pools.iter_mut().for_each(&mut *visit);
            [first, body].into_iter().for_each(|e| visit(e));
        }
        Kind::Repeat { first, round, .. } => {
            first.iter_mut().for_each(&mut *visit);
            visit(round);
        }
        Kind::Require { condition, message, body } => {
            [condition, message, body].into_iter().for_each(|e| visit(e));
        }
        Kind::Given { condition, body } => [condition, body].into_iter().for_each(|e| visit(e)),
        Kind::Note { message, body } => [message, body].into_iter().for_each(|e| visit(e)),
        Kind::Labelled { value, .. } => visit(value),
        Kind::Input { default, .. } => visit(default),
        Kind::Dice { count, die } => {
            visit(count);
            die.parts_mut().into_iter().for_each(visit);
        }
        Kind::Symbols { count, faces } => {
            count.iter_mut().for_each(|count| visit(count));
            faces.iter_mut().flat_map(Face::parts_mut).for_each(visit);
        }
        Kind::Tally { count, faces, .. } => {
            visit(count);
            faces.iter_mut().flat_map(Face::parts_mut).for_each(visit);
        }
        Kind::Drawn { dice, without, .. } => {
            visit(dice);
            without.iter_mut().for_each(visit);
        }
        Kind::Times { count, each } => [count, each].into_iter().for_each(|e| visit(e)),
        Kind::Measure { percent, of, .. } => {
            percent.iter_mut().chain([of]).for_each(|e| visit(e));
        }
        Kind::Best(best) => {
            visit(&mut best.value);
            best.aim.iter_mut().for_each(|aim| visit(&mut aim.number));
        }
        Kind::Choose { arms, .. } => arms.iter_mut().for_each(|arm| {
            arm.open.iter_mut().for_each(&mut *visit);
            visit(&mut arm.value);
        }),
        Kind::Pick { list, .. } => visit(list),
        Kind::Suffixed { pool, suffix } => {
            visit(pool);
            suffix.kind.numbers_mut().into_iter().for_each(visit);
        }
        Kind::Read { pool, reading } => {
            visit(pool);
            reading.number_mut().into_iter().for_each(visit);
        }
    }
}
