//! Roll20: `/roll 4d6r<2kh3 + 5 [fire] Fireball`.
//!
//! A compare point `<2` means 2 or less and `>5` means 5 or more, everywhere. Modifiers act in two phases
//! whatever their order: dice are rolled (rerolls, explosions), then they are settled (keep, drop, count,
//! sort). Text behind the expression is a comment.
//!
//! Our suffixes act from left to right, so the phases become an order: `4d6kh3!` is `4d6!kh3`. `modifiers`
//! reads what is written, `rolling` says the first phase and `settling` the second.

mod modifiers;
mod rolling;
mod settling;

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Expr, ExprKind};

use crate::build::{node, paren};
use crate::loose::loose;
use crate::math::expression;
use crate::reader::{Read, Reader};

use modifiers::Modifiers;

/// The commands that may stand before a roll.
const COMMANDS: &[&str] = &["/roll", "/r", "/gmroll", "/gr"];

/// The whole text.
pub(crate) fn whole(reader: &mut Reader) -> Read<Expr> {
    reader.scan.blanks();
    reader.scan.eat_longest(COMMANDS);
    let read = expression(reader)?;
    comment(reader)?;
    Ok(match read.kind {
        // `[[2d6 + 3]]` alone needs no parentheses.
        ExprKind::Paren(inner) => *inner,
        _ => read,
    })
}

/// What stands behind the expression.
fn comment(reader: &mut Reader) -> Read<()> {
    reader.scan.blanks();
    let start = reader.scan.at();
    let glued = !reader.scan.text()[..start].ends_with(char::is_whitespace);
    let rest = reader.scan.rest().trim_end();
    let span = reader.scan.span(start, start + rest.len());
    if rest.is_empty() {
        return Ok(());
    }
    if rest.starts_with(">=") || rest.starts_with("<=") {
        let sign = &rest[..1];
        let message = format!(
            "`{rest}` is a comment in Roll20, the dice are added up: it counts dice with `{sign}`, \
             which takes the number in"
        );
        reader.notice(span, message);
        return Ok(());
    }
    if glued && rest.starts_with("t[") {
        return Err(reader.unsaid(
            span,
            "draws from a table of the game",
            "write the table as a die, `d{1, 1, 2}`, or as a `match`",
        ));
    }
    if glued || rest.starts_with([')', '}', ']', ',', '*', '/']) {
        return Err(reader.expected("an operator, a modifier or the end"));
    }
    if rest.contains("[[") {
        return Err(reader.unsaid(
            span,
            "text with several inline rolls",
            "convert what stands between `[[` and `]]` one by one",
        ));
    }
    reader.notice(span, format!("`{rest}` is a comment in Roll20 and was left out"));
    Ok(())
}

/// Dice with the modifiers behind them.
pub(crate) fn settle(reader: &mut Reader, dice: Expr) -> Read<Expr> {
    let modifiers = Modifiers::read(reader)?;
    let rolled = rolling::roll(reader, dice, &modifiers)?;
    settling::settle(reader, rolled, modifiers)
}

/// A group with the modifiers behind it: several totals, or the loose dice of one member.
pub(crate) fn settle_group(reader: &mut Reader, members: Vec<Expr>, span: Span) -> Read<Expr> {
    let modifiers = Modifiers::read(reader)?;
    if let Some(place) = modifiers.throws() {
        return Err(reader.unsaid(
            place,
            "a modifier for dice, behind a group",
            "write it behind the dice inside the group",
        ));
    }
    let pool = match <[Expr; 1]>::try_from(members) {
        Ok([member]) if modifiers.is_empty() => return Ok(paren(member)),
        Ok([member]) => loose(reader, member, span)?,
        Err(members) => node(ExprKind::Group(members), span),
    };
    settling::settle(reader, pool, modifiers)
}
