//! Nodes of our own tree. Parentheses are nodes too: whoever builds a tree puts them where they are needed.

use astragal_syntax::span::Span;
use astragal_syntax::tree::{
    Argument, BinaryOp, Comparison, Condition, Expr, ExprKind, Face, Sides, Suffix, SuffixKind,
    UnaryOp,
};

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

pub(crate) fn condition(comparison: Comparison, value: i64, span: Span) -> Condition {
    Condition { comparison, value: Box::new(whole(value, span)), span }
}

/// `d{2, 4, 6}`
pub(crate) fn custom(faces: &[i64], span: Span) -> Sides {
    let face = |value: &i64| Face { value: whole(*value, span), weight: None };
    Sides::Faces(faces.iter().map(face).collect())
}
