//! Whether evaluating an expression may fail, or may not count because evidence does not hold.
//!
//! A careful guess: `true` unless it is plain that nothing can go wrong. It decides only whether a
//! value that nobody asks for is worth evaluating.

use astragal_program::core::{Die, Expr, Function, Kind, LocalId, Op, Reading, SuffixKind};
use astragal_value::{Number, Value};

/// For each function whether a call may fail; calls around a circle may (they may not end).
pub(crate) fn functions(functions: &[Function]) -> Vec<bool> {
    let mut fails = vec![None; functions.len()];
    for index in 0..functions.len() {
        function(index, functions, &mut fails);
    }
    fails.into_iter().map(|fails| fails.unwrap_or(true)).collect()
}

fn function(index: usize, all: &[Function], fails: &mut Vec<Option<bool>>) -> bool {
    let (Some(known), Some(function_)) = (fails.get(index).copied(), all.get(index)) else {
        return true;
    };
    if let Some(known) = known {
        return known;
    }
    // While it is being looked at, it counts as failing: a circle of calls may never end.
    fails[index] = Some(true);
    let mut callee = |index: usize| function(index, all, fails);
    let result = may_fail(&function_.body, &mut callee);
    fails[index] = Some(result);
    result
}

/// Whether evaluating it may fail, given which functions may.
pub(crate) fn may_fail(expr: &Expr, callee: &mut dyn FnMut(usize) -> bool) -> bool {
    let mut any = |parts: &[&Expr]| parts.iter().any(|part| may_fail(part, callee));
    match &expr.kind {
        Kind::Constant(_) | Kind::Local(_) => false,
        Kind::Let { value, body, .. } => any(&[value, body]),
        Kind::If { condition, then, otherwise, .. } => any(&[condition, then, otherwise]),
        Kind::Operation { op, operands } => {
            operation_may_fail(*op, operands) || operands.iter().any(|part| any(&[part]))
        }
        Kind::List(parts) | Kind::Gather(parts) | Kind::Merge(parts) => {
            parts.iter().any(|part| any(&[part]))
        }
        Kind::Record { fields, .. } => fields.iter().any(|part| any(&[part])),
        Kind::Field { record, .. } => any(&[record]),
        Kind::Call { function, arguments } => {
            arguments.iter().any(|part| any(&[part])) || callee(function.0 as usize)
        }
        Kind::Enter { body, .. } => any(&[body]),
        Kind::Fold { list, first, body, .. } => any(&[list, first, body]),
        Kind::Walk { pools, first, body, .. } => {
            pools.iter().any(|part| any(&[part])) || any(&[first, body])
        }
        // A loop may never end. One whose rounds are all alike, as a roll-off, goes on until it does.
        Kind::Repeat { first, state, round, .. } => {
            let alike = throws(round) && !reads(round, state);
            first.iter().any(|part| any(&[part])) || any(&[round]) || !alike
        }
        Kind::Require { .. } | Kind::Given { .. } => true,
        Kind::Note { message, body } => any(&[message, body]),
        Kind::Labelled { value, .. } => any(&[value]),
        Kind::Input { default, .. } => any(&[default]),
        Kind::Dice { count, die } => !is_count(count) || die_may_fail(die),
        Kind::Symbols { .. } | Kind::Tally { .. } | Kind::Drawn { .. } => true,
        Kind::Times { count, each } => !is_count(count) || any(&[each]),
        Kind::Suffixed { pool, suffix } => suffix_may_fail(&suffix.kind) || any(&[pool]),
        Kind::Read { pool, reading } => !matches!(reading, Reading::Total) || any(&[pool]),
    }
}

fn operation_may_fail(op: Op, operands: &[Expr]) -> bool {
    match op {
        Op::Divide | Op::FloorDivide | Op::Remainder => {
            operands.get(1).and_then(constant).is_none_or(Number::is_zero)
        }
        Op::Power | Op::At | Op::Range => true,
        Op::Add | Op::Subtract | Op::Multiply | Op::Negate => false,
        Op::Floor | Op::Ceil | Op::Round | Op::Abs | Op::Min | Op::Max => false,
        Op::Equal | Op::NotEqual | Op::Less | Op::AtMost | Op::Greater | Op::AtLeast => false,
        Op::Not | Op::Join | Op::Length | Op::Append | Op::Sort | Op::Reverse => false,
    }
}

fn constant(expr: &Expr) -> Option<&Number> {
    match &expr.kind {
        Kind::Constant(Value::Number(n)) => Some(n),
        _ => None,
    }
}

fn is_count(expr: &Expr) -> bool {
    constant(expr).is_some_and(|n| n.is_whole() && !n.is_negative())
}

fn die_may_fail(die: &Die) -> bool {
    match die {
        Die::Sides(sides) => constant(sides).and_then(Number::to_i64).is_none_or(|n| n < 1),
        Die::Percent | Die::Fate => false,
        Die::Faces(_) => true,
    }
}

/// Explosions and rerolls may never stop, counts may be bad.
fn suffix_may_fail(kind: &SuffixKind) -> bool {
    match kind {
        SuffixKind::Keep(_, count) | SuffixKind::Drop(_, count) => !is_count(count),
        SuffixKind::AtLeast(value) | SuffixKind::AtMost(value) => constant(value).is_none(),
        SuffixKind::CountFor(condition) | SuffixKind::CountAgainst(condition) => {
            constant(&condition.value).is_none()
        }
        SuffixKind::Ascending | SuffixKind::Descending => false,
        SuffixKind::Explode { .. }
        | SuffixKind::Reroll { .. }
        | SuffixKind::InAll { .. }
        | SuffixKind::Unique => true,
    }
}

/// Whether an expression throws dice, or may do so in a call.
fn throws(expr: &Expr) -> bool {
    let thrown = matches!(
        expr.kind,
        Kind::Dice { .. } | Kind::Symbols { .. } | Kind::Tally { .. } | Kind::Call { .. }
    );
    thrown || expr.children().into_iter().any(throws)
}

/// Whether an expression reads one of these variables.
fn reads(expr: &Expr, locals: &[LocalId]) -> bool {
    matches!(&expr.kind, Kind::Local(local) if locals.contains(local))
        || expr.children().into_iter().any(|part| reads(part, locals))
}
