//! `{4d6 + 3d8}`: modifiers behind a group with one member act on all dice in it, as one pool.

use astragal_syntax::span::Span;
use astragal_syntax::tree::{BinaryOp, Expr, ExprKind};

use crate::build::{binary, node};
use crate::reader::{Read, Reader};

/// The dice of all terms as one pool.
pub(crate) fn loose(reader: &mut Reader, member: Expr, span: Span) -> Read<Expr> {
    let mut terms = Vec::new();
    summands(member, &mut terms);
    let mut dice = Vec::new();
    for term in terms {
        let place = term.span;
        let term = without_label(reader, term);
        if !is_pool(&term) {
            return Err(reader.unsaid(
                place,
                "in a group with one member, modifiers act on its dice",
                "leave only dice inside the braces, joined by `+`, and add the rest behind them",
            ));
        }
        dice.push(term);
    }
    let joined = dice.into_iter().reduce(|sum, term| binary(BinaryOp::Add, sum, term));
    match joined {
        Some(alone) if is_pool(&alone) => Ok(alone),
        Some(sum) => Ok(node(ExprKind::Group(vec![sum]), span)),
        None => Err(reader.expected("dice")),
    }
}

fn summands(expr: Expr, terms: &mut Vec<Expr>) {
    match expr.kind {
        ExprKind::Binary(BinaryOp::Add, left, right) => {
            summands(*left, terms);
            summands(*right, terms);
        }
        _ => terms.push(expr),
    }
}

/// Labels cannot stand on the dice of a mixed pool.
pub(crate) fn without_label(reader: &mut Reader, term: Expr) -> Expr {
    match term.kind {
        ExprKind::Labelled { value, label } => {
            reader.notice(term.span, format!("the label `{label}` inside a pool was left out"));
            without_label(reader, *value)
        }
        _ => term,
    }
}

/// Dice that still are dice: not yet counted.
pub(crate) fn is_pool(expr: &Expr) -> bool {
    use astragal_syntax::tree::SuffixKind::{CountAgainst, CountFor};
    match &expr.kind {
        ExprKind::Dice { .. } => true,
        ExprKind::Suffixed { pool, suffix } => {
            is_pool(pool) && !matches!(suffix.kind, CountFor(_) | CountAgainst(_))
        }
        _ => false,
    }
}
