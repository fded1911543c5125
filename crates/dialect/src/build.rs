//! Nodes of our own tree. Parentheses are nodes too: whoever builds a tree puts them where they are needed.

use astragal_syntax::span::Span;
use astragal_syntax::tree::{
    Argument, BinaryOp, Comparison, Condition, End, Expr, ExprKind, Face, Sides, Suffix,
    SuffixKind, UnaryOp,
};

use crate::faces::Test;

pub(crate) fn node(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

/// A whole number, negative ones with their sign before them.
pub(crate) fn whole(value: i64, span: Span) -> Expr {
    let digits = node(ExprKind::Number(value.unsigned_abs().to_string().into()), span);
    if value < 0 { negate(digits) } else { digits }
}

pub(crate) fn negate(expr: Expr) -> Expr {
    let span = expr.span;
    node(ExprKind::Unary(UnaryOp::Negate, Box::new(expr)), span)
}

pub(crate) fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    node(ExprKind::Binary(op, Box::new(left), Box::new(right)), span)
}

pub(crate) fn paren(expr: Expr) -> Expr {
    let span = expr.span;
    node(ExprKind::Paren(Box::new(expr)), span)
}

/// The expression where only a term may stand: in parentheses unless it is one already.
pub(crate) fn as_term(expr: Expr) -> Expr {
    match expr.kind {
        ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::If { .. } => paren(expr),
        _ => expr,
    }
}

/// The expression where a factor may stand: sums go into parentheses.
pub(crate) fn as_factor(expr: Expr) -> Expr {
    match expr.kind {
        ExprKind::Binary(BinaryOp::Power, ..) => expr,
        ExprKind::Binary(..) | ExprKind::If { .. } => paren(expr),
        _ => expr,
    }
}

/// `if condition then one else other`
pub(crate) fn choice(condition: Expr, one: Expr, other: Expr) -> Expr {
    let span = condition.span.to(other.span);
    let (then, otherwise) = (Box::new(one), Box::new(other));
    node(ExprKind::If { condition: Box::new(condition), then, otherwise }, span)
}

pub(crate) fn name(text: &str, span: Span) -> Expr {
    node(ExprKind::Name(text.to_owned()), span)
}

pub(crate) fn call(function: &str, arguments: Vec<Expr>, span: Span) -> Expr {
    let arguments = arguments.into_iter().map(|value| Argument { name: None, value }).collect();
    node(ExprKind::Call { function: Box::new(name(function, span)), arguments }, span)
}

pub(crate) fn suffixed(pool: Expr, kind: SuffixKind, place: Span) -> Expr {
    let span = pool.span.to(place);
    let suffix = Suffix { kind, words: false, span: place };
    node(ExprKind::Suffixed { pool: Box::new(pool), suffix }, span)
}

/// `4d6`; one die without its count.
pub(crate) fn dice(count: i64, sides: Sides, span: Span) -> Expr {
    let count = (count != 1).then(|| Box::new(whole(count, span)));
    node(ExprKind::Dice { count, sides }, span)
}

/// How many dice an expression throws, if that is a plain number.
pub(crate) fn count_of(dice: &Expr) -> Option<i64> {
    match &dice.kind {
        ExprKind::Dice { count: None, .. } => Some(1),
        ExprKind::Dice { count: Some(count), .. } => match &count.kind {
            ExprKind::Number(digits) => digits.parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// `kh3`, `kl1`
pub(crate) fn keep(pool: Expr, end: End, count: i64, place: Span) -> Expr {
    suffixed(pool, SuffixKind::Keep(end, Some(Box::new(whole(count, place)))), place)
}

/// `dl1`, `dh1`
pub(crate) fn drop(pool: Expr, end: End, count: i64, place: Span) -> Expr {
    suffixed(pool, SuffixKind::Drop(end, Some(Box::new(whole(count, place)))), place)
}

/// `cs>=5`
pub(crate) fn count_for(pool: Expr, test: Test, place: Span) -> Expr {
    suffixed(pool, SuffixKind::CountFor(condition(test.comparison, test.value, place)), place)
}

/// `cf=1`
pub(crate) fn count_against(pool: Expr, test: Test, place: Span) -> Expr {
    suffixed(pool, SuffixKind::CountAgainst(condition(test.comparison, test.value, place)), place)
}

pub(crate) fn condition(comparison: Comparison, value: i64, span: Span) -> Condition {
    Condition { comparison, value: Box::new(whole(value, span)), span }
}

/// `d{2, 4, 6}`
pub(crate) fn custom(faces: &[i64], span: Span) -> Sides {
    Sides::Faces(faces.iter().map(|value| face(*value, None, span)).collect())
}

/// `2`, or `0: 4` where there are several such faces.
pub(crate) fn face(value: i64, weight: Option<i64>, span: Span) -> Face {
    Face { value: whole(value, span), weight: weight.map(|weight| whole(weight, span)) }
}
