//! Avrae and its library d20: `!r 4d6ro<3kh3 [fire] + 2 Fireball`.
//!
//! An operator behind dice is always followed by a selector: `h3` and `l3` the highest and lowest, `3` the dice
//! that show 3, `<3` and `>3` what they say. Operators act from left to right on the dice that are still kept, as
//! ours do; the same operator several times in a row is one, for all that its selectors find (`rr1rr2`).
//! Parentheses are sets: `(2d6, d8)kh1`. A comparison looks at the total and is worth 1 or 0, a quotient keeps its
//! fraction until the whole is cut to a whole number, and `d%` shows 0, 10, … 90.
//!
//! Text behind a blank is a comment; `adv` and `dis` among it turn a `1d20` at the front into two. `operators`
//! reads what stands behind dice, `acting` says what it does.

mod acting;
mod operators;

use std::borrow::Cow;

use astragal_syntax::span::{SourceId, Span};
use astragal_syntax::tree::{BinaryOp, Comparison, End, Expr, ExprKind, Sides};

use crate::build::{binary, choice, custom, dice, keep, node, paren, whole as number_node};
use crate::loose::without_label;
use crate::math::{chain, expression, sum, truncated, unwrapped};
use crate::reader::{Read, Reader};
use crate::term::{number, one_total};

use operators::Operation;

/// The commands that may stand before a roll.
const COMMANDS: &[&str] = &["!roll ", "!r "];

/// So many dice are thrown for one roll.
const MOST_DICE: i64 = 1000;

/// The whole text.
pub(crate) fn whole(reader: &mut Reader) -> Read<Expr> {
    reader.scan.blanks();
    reader.scan.eat_longest(COMMANDS);
    let read = expression(reader)?;
    comment(reader)?;
    Ok(unwrapped(if has_fraction(&read) { truncated(read) } else { read }))
}

/// The text with `adv` or `dis` blanked out, wherever it stands as a word.
pub(crate) fn advantage(text: &str) -> (Cow<'_, str>, Option<(End, Span)>) {
    for (word, end) in [("adv", End::Highest), ("dis", End::Lowest)] {
        let alone = |at: &usize| {
            let (before, after) = (&text[..*at], &text[at + word.len()..]);
            (before.is_empty() || before.ends_with(char::is_whitespace))
                && (after.is_empty() || after.starts_with(char::is_whitespace))
        };
        if let Some(at) = text.match_indices(word).map(|(at, _)| at).find(alone) {
            let rest = &text[at + word.len()..];
            let span = Span::new(SourceId(0), at, at + word.len());
            return (format!("{}   {rest}", &text[..at]).into(), Some((end, span)));
        }
    }
    (text.into(), None)
}

/// What stands behind the expression.
fn comment(reader: &mut Reader) -> Read<()> {
    reader.scan.blanks();
    let start = reader.scan.at();
    let glued = !reader.scan.text()[..start].ends_with(char::is_whitespace);
    let rest = reader.scan.rest().trim_end();
    if rest.is_empty() {
        return Ok(());
    }
    if glued || rest.starts_with([')', ']', ',']) {
        return Err(reader.expected("an operator with its selector, as `kh3`, or the end"));
    }
    let span = reader.scan.span(start, start + rest.len());
    reader.notice(span, format!("`{rest}` is a comment in Avrae and was left out"));
    Ok(())
}

/// `sum { comparing sum }`: each comparison is 1 or 0.
pub(crate) fn comparisons(reader: &mut Reader) -> Read<Expr> {
    let comparing = |reader: &mut Reader| {
        let sign = reader.scan.eat_longest(&["==", ">=", "<=", "!=", "<", ">"])?;
        Some(match sign {
            "==" => Comparison::Equal,
            "!=" => Comparison::NotEqual,
            "<" => Comparison::Less,
            "<=" => Comparison::AtMost,
            ">" => Comparison::Greater,
            _ => Comparison::AtLeast,
        })
    };
    chain(reader, comparing, sum, |_, comparison, left, right| {
        let left = if matches!(left.kind, ExprKind::If { .. }) { paren(left) } else { left };
        let span = left.span.to(right.span);
        let holds = binary(BinaryOp::Compare(comparison), left, right);
        Ok(choice(holds, number_node(1, span), number_node(0, span)))
    })
}

/// A number, dice or a set, without the labels behind it.
pub(crate) fn term(reader: &mut Reader, start: usize) -> Read<Expr> {
    if reader.scan.eat("(") {
        return set(reader, start);
    }
    let before = match reader.scan.peek() {
        Some('.' | '0'..='9') => Some(number(reader, start)?),
        Some('d') => None,
        _ => return Err(reader.expected("dice or a number")),
    };
    let mut die = reader.scan.rest().strip_prefix('d').unwrap_or("").chars();
    if matches!(die.next(), Some('0'..='9' | '%')) {
        return thrown(reader, before, start);
    }
    if let Some((_, span)) = reader.advantage.take() {
        ignored(reader, span);
    }
    before.ok_or_else(|| reader.expected("sides, as in `d20`,"))
}

/// Dice, from their `d` on.
fn thrown(reader: &mut Reader, before: Option<Expr>, start: usize) -> Read<Expr> {
    reader.scan.skip();
    let count = match before.map(|before| before.kind) {
        None => 1,
        Some(ExprKind::Number(digits)) if !digits.contains('.') => {
            digits.parse().unwrap_or(i64::MAX)
        }
        Some(_) => return Err(reader.wrong(reader.scan.since(start), "this is no count of dice")),
    };
    let at = reader.scan.at();
    let sides = match reader.scan.digits() {
        Some(digits) if digits.bytes().all(|digit| digit == b'0') => {
            return Err(reader.wrong(reader.scan.since(at), "Avrae rolls no die without sides"));
        }
        Some(digits) => Sides::Number(digits.trim_start_matches('0').into()),
        None => {
            reader.scan.skip();
            let tens: Vec<i64> = (0..10).map(|ten| ten * 10).collect();
            custom(&tens, reader.scan.since(at))
        }
    };
    let span = reader.scan.since(start);
    if count > MOST_DICE {
        return Err(reader.wrong(span, format!("Avrae rolls at most {MOST_DICE} dice")));
    }
    let one = count == 1 && matches!(&sides, Sides::Number(digits) if **digits == *"20");
    let pool = match reader.advantage.take() {
        Some((end, place)) if one => keep(dice(2, sides, span), end, 1, place),
        Some((_, place)) => {
            ignored(reader, place);
            dice(count, sides, span)
        }
        None => dice(count, sides, span),
    };
    let operations = Operation::read_all(reader, operators::ON_DICE)?;
    acting::act(reader, pool, operations)
}

fn ignored(reader: &mut Reader, span: Span) {
    reader.notice(span, "this turns only a `1d20` at the front into two dice, and was left out");
}

/// `(2d6 + 1)`, `(2d6, d8)kh1`, `(4d6)kh3`
fn set(reader: &mut Reader, start: usize) -> Read<Expr> {
    let mut members = Vec::new();
    let mut comma = false;
    reader.scan.blanks();
    while !reader.scan.eat(")") {
        if !members.is_empty() && !comma {
            return Err(reader.expected("`,` or `)`"));
        }
        members.push(expression(reader)?);
        reader.scan.blanks();
        comma = reader.scan.eat(",");
        reader.scan.blanks();
    }
    let span = reader.scan.since(start);
    let operations = Operation::read_all(reader, operators::ON_SETS)?;
    let pool = match <[Expr; 1]>::try_from(members) {
        Ok([member]) if operations.is_empty() => return Ok(paren(member)),
        Ok([member]) if comma => one_total(member),
        Ok([member]) => inside(reader, member),
        Err(members) if members.is_empty() => return Ok(number_node(0, span)),
        Err(members) => node(ExprKind::Group(members), span),
    };
    acting::act(reader, pool, operations)
}

/// What operators behind parentheses act on: the dice or the set inside, or the one total.
fn inside(reader: &mut Reader, member: Expr) -> Expr {
    let member = without_label(reader, unwrapped(member));
    match member.kind {
        ExprKind::Paren(_) => inside(reader, member),
        ExprKind::Dice { .. } | ExprKind::Suffixed { .. } | ExprKind::Group(_) => member,
        _ => one_total(member),
    }
}

/// Whether a value may have something behind the point.
fn has_fraction(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Number(digits) => digits.contains('.'),
        ExprKind::Binary(BinaryOp::Divide, ..) => true,
        ExprKind::Binary(BinaryOp::FloorDivide, ..) => false,
        ExprKind::Binary(_, left, right) => has_fraction(left) || has_fraction(right),
        ExprKind::Unary(_, inner)
        | ExprKind::Paren(inner)
        | ExprKind::Labelled { value: inner, .. }
        | ExprKind::Suffixed { pool: inner, .. } => has_fraction(inner),
        ExprKind::Group(members) => members.iter().any(has_fraction),
        ExprKind::Call { arguments, .. } => arguments.iter().any(|a| has_fraction(&a.value)),
        _ => false,
    }
}
