//! The library rpg-dice-roller: `{4d6r<=2kh3, d20}k1 + 5`.
//!
//! Comparisons mean what they say, and without one there is no number (`!=5`, never `!5`). Whatever the order in
//! which modifiers are typed, they act as bounds, explosion, reroll, unique, keep, drop, count, sort; of two of the
//! same kind the last holds; and every keep and drop looks at all dice, also at those that another has dropped. The
//! total is reckoned from a text in which dice have become numbers, which shows where they are negative.
//!
//! `modifiers` reads what is written, `settling` says it in that order, `ends` is keep and drop.

mod ends;
mod modifiers;
mod settling;
mod terms;

use astragal_syntax::span::Span;
use astragal_syntax::tree::{BinaryOp, Expr, ExprKind, UnaryOp};

use crate::build::{as_term, binary, negate};
use crate::math::{expression, never_negative, raised, unwrapped};
use crate::reader::{Read, Reader};

/// The whole text.
pub(crate) fn whole(reader: &mut Reader) -> Read<Expr> {
    let read = expression(reader)?;
    reader.scan.blanks();
    if !reader.scan.rest().is_empty() {
        return Err(reader.expected("an operator, a modifier or the end"));
    }
    if let Some(place) = quotient(&read) {
        let message = "rpg-dice-roller rounds the total to two decimals; here it is exact";
        reader.notice(place, message);
    }
    Ok(unwrapped(read))
}

/// `term [ ( "**" | "^" ) power ]`
pub(crate) fn power(reader: &mut Reader) -> Read<Expr> {
    let base = terms::term(reader)?;
    reader.scan.blanks();
    if reader.scan.eat_longest(&["**", "^"]).is_none() {
        return Ok(base);
    }
    reader.scan.blanks();
    let exponent = reader.nested(power)?;
    let kept_apart = matches!(base.kind, ExprKind::Paren(_) | ExprKind::Call { .. });
    match base.kind {
        // The sign is read last: `-2^2` is -4.
        ExprKind::Unary(UnaryOp::Negate, inner) => Ok(negate(raised(*inner, exponent))),
        _ if kept_apart || never_negative(&base) => Ok(raised(base, exponent)),
        _ => Err(reader.unsaid(
            base.span,
            "a negative result keeps its sign through the power: -2 to the 2 is -4",
            "put it in parentheses: `(4dF)^2`",
        )),
    }
}

/// A remainder takes the sign of its divisor, as ours; a sign behind `%` makes it a percentage.
pub(crate) fn remainder(reader: &Reader, dividend: Expr, divisor: Expr) -> Read<Expr> {
    if !never_negative(&divisor) && !matches!(divisor.kind, ExprKind::Paren(_)) {
        return Err(reader.unsaid(
            divisor.span,
            "`%` before a negative number is a percentage there, and the number is added",
            "put the divisor in parentheses",
        ));
    }
    Ok(binary(BinaryOp::Remainder, dividend, as_term(divisor)))
}

/// The first quotient.
fn quotient(expr: &Expr) -> Option<Span> {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Divide, ..) => Some(expr.span),
        ExprKind::Binary(_, left, right) => quotient(left).or_else(|| quotient(right)),
        ExprKind::Unary(_, inner)
        | ExprKind::Paren(inner)
        | ExprKind::Labelled { value: inner, .. } => quotient(inner),
        ExprKind::Group(members) => members.iter().find_map(quotient),
        _ => None,
    }
}
