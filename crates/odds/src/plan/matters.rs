//! What is run although nobody asks for its value.
//!
//! A program that can fail has no odds, so what may fail, or may not count because evidence does not hold, is run in
//! any case. A careful guess decides: every form may fail, but for those of which it is plain that nothing can go
//! wrong.
//!
//! A note never changes a value, so the plan that the odds are worked out from has none: no way through it can lose
//! one or tell a wrong one. Whether a text is certain is a question of its own ([`crate::notices`]), asked of programs
//! that are known not to fail. Its plan takes it for evidence that the text is not said, and runs what may say it.

use astragal_program::core::{Die, Expr, Function, Kind, LocalId, Op, Reading, SuffixKind};
use astragal_value::{Number, Value};

/// Tells what is run in any case.
pub(super) struct Matters<'a> {
    /// The text that is not to be said, if that is the question.
    pub(super) unsaid: Option<&'a str>,
    /// For each function whether a call is run.
    functions: Vec<bool>,
}

impl<'a> Matters<'a> {
    pub(super) fn of(functions: &[Function], unsaid: Option<&'a str>) -> Matters<'a> {
        let own = functions.iter().map(|function| {
            let mut calls = Vec::new();
            let matters = any(&function.body, &mut |part| {
                calls.extend(callee(part));
                matters_itself(part, unsaid)
            });
            (matters, calls)
        });
        let own: Vec<(bool, Vec<usize>)> = own.collect();
        // Calls around a circle may never end, and that is a failure. A text must be said by one of them.
        let mut known = vec![unsaid.is_none(); functions.len()];
        loop {
            let called = |calls: &Vec<usize>| calls.iter().any(|callee| known[*callee]);
            let now = own.iter().map(|(matters, calls)| *matters || called(calls)).collect();
            if now == known {
                return Matters { unsaid, functions: known };
            }
            known = now;
        }
    }

    /// Whether an expression is run even where nobody asks for its value.
    pub(super) fn matters(&self, expr: &Expr) -> bool {
        let called = |part: &Expr| callee(part).is_some_and(|index| self.functions[index]);
        any(expr, &mut |part| called(part) || matters_itself(part, self.unsaid))
    }
}

/// Whether something holds for an expression or for one inside it.
fn any(expr: &Expr, holds: &mut dyn FnMut(&Expr) -> bool) -> bool {
    holds(expr) || expr.children().into_iter().any(|part| any(part, holds))
}

fn callee(expr: &Expr) -> Option<usize> {
    match &expr.kind {
        Kind::Call { function, .. } => Some(function.0 as usize),
        _ => None,
    }
}

/// Whether a form is to be run for its own sake, whatever its parts are.
fn matters_itself(expr: &Expr, unsaid: Option<&str>) -> bool {
    match (unsaid, &expr.kind) {
        (None, _) => !is_harmless(expr),
        (Some(words), Kind::Note { message, .. }) => may_be(message, words),
        (Some(_), kind) => matches!(kind, Kind::Given { .. }),
    }
}

/// Whether a message may come to these words, as far as its stated beginning and end tell.
pub(super) fn may_be(message: &Expr, words: &str) -> bool {
    let parts = match &message.kind {
        Kind::Operation { op: Op::Join, operands } => operands.as_slice(),
        _ => std::slice::from_ref(message),
    };
    match parts {
        [] => words.is_empty(),
        [only] => stated(only).is_none_or(|stated| stated == words),
        [first, .., last] => {
            let (first, last) = (stated(first).unwrap_or(""), stated(last).unwrap_or(""));
            let room = words.len() >= first.len() + last.len();
            room && words.starts_with(first) && words.ends_with(last)
        }
    }
}

fn stated(message: &Expr) -> Option<&str> {
    match &message.kind {
        Kind::Constant(Value::Text(words)) => Some(words),
        _ => None,
    }
}

/// Whether a form cannot fail, unless its parts do, and knows no evidence. A form that is not listed may fail.
fn is_harmless(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Operation { op, operands } => !operation_may_fail(*op, operands),
        // A loop may never end. One whose rounds are all alike, as a roll-off, goes on until it does.
        Kind::Repeat { state, round, .. } => throws(round) && !reads(round, state),
        Kind::Dice { count, die } => is_count(count) && !die_may_fail(die),
        Kind::Times { count, .. } => is_count(count),
        Kind::Suffixed { suffix, .. } => !suffix_may_fail(&suffix.kind),
        Kind::Read { reading, .. } => matches!(reading, Reading::Total),
        Kind::Constant(_) | Kind::Local(_) | Kind::Input { .. } | Kind::Labelled { .. } => true,
        Kind::Let { .. } | Kind::If { .. } | Kind::Note { .. } => true,
        Kind::List(_) | Kind::Record { .. } | Kind::Field { .. } => true,
        Kind::Call { .. } | Kind::Enter { .. } | Kind::Fold { .. } | Kind::Walk { .. } => true,
        Kind::Gather(_) | Kind::Merge(_) => true,
        _ => false,
    }
}

fn operation_may_fail(op: Op, operands: &[Expr]) -> bool {
    match op {
        Op::Divide | Op::FloorDivide | Op::Remainder => {
            operands.get(1).and_then(constant).is_none_or(Number::is_zero)
        }
        Op::Power | Op::At | Op::Range | Op::Word => true,
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
    any(expr, &mut |part| {
        matches!(
            part.kind,
            Kind::Dice { .. } | Kind::Symbols { .. } | Kind::Tally { .. } | Kind::Call { .. }
        )
    })
}

/// Whether an expression reads one of these variables.
pub(super) fn reads(expr: &Expr, locals: &[LocalId]) -> bool {
    any(expr, &mut |part| matches!(&part.kind, Kind::Local(local) if locals.contains(local)))
}
