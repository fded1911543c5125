//! Terms.
//!
//! ```text
//! term     = function | dice | number | "(" expression ")" | group
//! dice     = [ count ] "d" ( count | "%" | "F" [ ".1" | ".2" ] ) modifiers comments
//! count    = digits | "(" number { operator number } ")"          at least one operator, no dice
//! group    = "{" expression { "," expression } "}" modifiers comments
//! number   = [ "-" ] digits [ "." digits ]
//! comments = { "[" text "]" | "/*" text "*/" | ( "//" | "#" ) text }
//! ```

use astragal_syntax::span::Span;
use astragal_syntax::tree::{BinaryOp, Expr, ExprKind, Sides};

use super::modifiers::Modifiers;
use super::settling::{settle, settle_group};
use crate::build::{binary, call, count_of, face, negate, node, paren};
use crate::faces::known;
use crate::math::{chain, expression, raised};
use crate::reader::{Read, Reader};
use crate::term::{label, listed, number};

/// So many dice are thrown at once.
const MOST_DICE: i64 = 999;

/// `term`
pub(super) fn term(reader: &mut Reader) -> Read<Expr> {
    reader.scan.blanks();
    let start = reader.scan.at();
    match reader.scan.peek() {
        Some('d') if die_ahead(reader) => dice(reader, None, start),
        Some('0'..='9') => number_or_dice(reader, start),
        Some('-') => signed_number(reader, start),
        Some('(') => computed_count(reader, start),
        Some('{') => group(reader, start),
        Some('a'..='z') => function(reader, start),
        _ => Err(reader.expected("dice or a number")),
    }
}

fn die_ahead(reader: &Reader) -> bool {
    let Some(sides) = reader.scan.rest().strip_prefix('d') else { return false };
    sides.starts_with(['1', '2', '3', '4', '5', '6', '7', '8', '9', '(', '%', 'F'])
}

fn number_or_dice(reader: &mut Reader, start: usize) -> Read<Expr> {
    let number = number(reader, start)?;
    let whole = reader.at(number.span);
    if !die_ahead(reader) {
        return Ok(number);
    }
    if whole.starts_with('0') || whole.contains('.') {
        return Err(reader.wrong(number.span, format!("`{whole}` is no count of dice")));
    }
    dice(reader, Some(number), start)
}

fn signed_number(reader: &mut Reader, start: usize) -> Read<Expr> {
    reader.scan.skip();
    if !reader.scan.peek().is_some_and(|c| c.is_ascii_digit()) {
        let message = "a sign stands before numbers only in rpg-dice-roller";
        let help = "write `0 - d6`, or `-1 * d6`";
        return Err(Box::new(reader.wrong(reader.scan.since(start), message).help(help)));
    }
    let at = reader.scan.at();
    let number = number(reader, at)?;
    Ok(Expr { span: reader.scan.since(start), ..negate(number) })
}

/// `(4*6)d6`, or parentheses.
fn computed_count(reader: &mut Reader, start: usize) -> Read<Expr> {
    if let Some(count) = computed(reader)
        && die_ahead(reader)
    {
        return dice(reader, Some(count), start);
    }
    reader.scan.back_to(start);
    reader.scan.skip();
    let inner = expression(reader)?;
    reader.scan.blanks();
    if !reader.scan.eat(")") {
        return Err(reader.expected("`)`"));
    }
    Ok(node(ExprKind::Paren(Box::new(inner)), reader.scan.since(start)))
}

/// Numbers in parentheses with operators between them, without dice. What is none is not an error yet.
fn computed(reader: &mut Reader) -> Option<Expr> {
    let start = reader.scan.at();
    reader.scan.eat("(").then_some(())?;
    let operand = |reader: &mut Reader| {
        reader.scan.blanks();
        let at = reader.scan.at();
        if reader.scan.sees("-") { signed_number(reader, at) } else { number(reader, at) }
    };
    let products = |reader: &mut Reader| {
        let times = |reader: &mut Reader| {
            (!reader.scan.sees("**") && reader.scan.eat("*")).then_some(BinaryOp::Multiply)
        };
        chain(reader, times, operand, |_, op, left, right| Ok(binary(op, left, right)))
    };
    let plus = |reader: &mut Reader| match reader.scan.eat_longest(&["+", "-"])? {
        "+" => Some(BinaryOp::Add),
        _ => Some(BinaryOp::Subtract),
    };
    let sum =
        chain(reader, plus, products, |_, op, left, right| Ok(binary(op, left, right))).ok()?;
    let operated = matches!(sum.kind, ExprKind::Binary(..));
    let count = node(ExprKind::Paren(Box::new(sum)), reader.scan.since(start));
    (reader.scan.eat(")") && operated).then_some(count)
}

/// `dice`, from their `d` on.
fn dice(reader: &mut Reader, count: Option<Expr>, start: usize) -> Read<Expr> {
    reader.scan.skip();
    let at = reader.scan.at();
    let sides = if reader.scan.eat("%") {
        Sides::Percent
    } else if reader.scan.eat("F.1") {
        let span = reader.scan.since(at);
        Sides::Faces(vec![face(-1, None, span), face(0, Some(4), span), face(1, None, span)])
    } else if reader.scan.eat("F.2") || reader.scan.eat("F") {
        Sides::Fate
    } else if let Some(digits) = reader.scan.digits() {
        Sides::Number(digits.into())
    } else {
        let Some(sides) = computed(reader) else {
            return Err(reader.expected("sides that are reckoned from numbers"));
        };
        Sides::Computed(Box::new(crate::math::unwrapped(sides)))
    };
    let count = count.map(Box::new);
    let thrown = node(ExprKind::Dice { count, sides }, reader.scan.since(start));
    if how_many(&thrown).is_some_and(|count| !(1..=MOST_DICE).contains(&count)) {
        let message = format!("rpg-dice-roller throws 1 to {MOST_DICE} dice at once");
        return Err(reader.wrong(thrown.span, message));
    }
    let modifiers = Modifiers::read(reader, false)?;
    let settled = settle(reader, thrown, modifiers)?;
    described(reader, settled, start)
}

/// `group`
fn group(reader: &mut Reader, start: usize) -> Read<Expr> {
    reader.scan.skip();
    let members = listed(reader, "}")?;
    let span = reader.scan.since(start);
    let inner = span.start as usize + 1..span.end as usize;
    if reader.scan.text().get(inner).is_some_and(|inner| inner.contains('{')) {
        let message = "rpg-dice-roller has no groups within groups";
        return Err(reader.wrong(span, message));
    }
    let modifiers = Modifiers::read(reader, true)?;
    let settled = settle_group(reader, members, modifiers, span)?;
    described(reader, settled, start)
}

/// The comments behind dice or a group; the first is a label if it stands in brackets.
fn described(reader: &mut Reader, mut value: Expr, start: usize) -> Read<Expr> {
    for nth in 0.. {
        reader.scan.blanks();
        let at = reader.scan.at();
        if reader.scan.sees("[") {
            let label = label(reader)?.unwrap_or_default();
            if nth == 0 && !label.is_empty() {
                let kind = ExprKind::Labelled { value: Box::new(value), label };
                value = node(kind, reader.scan.since(start));
            }
        } else if reader.scan.eat("/*") {
            let Some(length) = reader.scan.rest().find("*/") else {
                return Err(reader.wrong(reader.scan.since(at), "the comment has no end"));
            };
            reader.scan.back_to(reader.scan.at() + length + 2);
            left_out(reader, reader.scan.since(at));
        } else if reader.scan.eat("//") || reader.scan.eat("#") {
            reader.scan.take_while(|c| !matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}'));
            left_out(reader, reader.scan.since(at));
        } else {
            break;
        }
    }
    Ok(value)
}

fn left_out(reader: &mut Reader, span: Span) {
    let text = reader.at(span).trim_end();
    reader.notice(span, format!("`{text}` is a comment in rpg-dice-roller and was left out"));
}

/// `floor(…)` and the like.
fn function(reader: &mut Reader, start: usize) -> Read<Expr> {
    let name = reader.scan.take_while(|c| c.is_ascii_lowercase());
    let place = reader.scan.since(start);
    let wanted = match name {
        "abs" | "ceil" | "cos" | "exp" | "floor" | "log" | "round" | "sign" | "sin" | "sqrt"
        | "tan" => 1,
        "pow" | "max" | "min" => 2,
        _ => 0,
    };
    if wanted == 0 || !reader.scan.eat("(") {
        let message = format!("rpg-dice-roller expects dice or a number here, not `{name}`");
        return Err(reader.wrong(place, message));
    }
    let arguments = listed(reader, ")")?;
    if arguments.len() != wanted {
        let message = format!("`{name}` takes another number of arguments");
        return Err(reader.wrong(reader.scan.since(start), message));
    }
    let span = reader.scan.since(start);
    match (name, <[Expr; 2]>::try_from(arguments)) {
        ("abs" | "ceil" | "floor" | "round", Err(arguments)) => Ok(call(name, arguments, span)),
        ("max" | "min", Ok(arguments)) => Ok(call(name, arguments.into(), span)),
        ("pow", Ok([base, exponent])) => Ok(paren(raised(base, exponent))),
        _ => Err(reader.unsaid(
            place,
            "a function of mathematics whose values are no exact fractions, or a sign",
            "the functions here are `floor ceil round abs min max`, and `^` for powers",
        )),
    }
}

/// How many dice there are, if that can be told.
pub(super) fn how_many(dice: &Expr) -> Option<i64> {
    let ExprKind::Dice { count: Some(count), .. } = &dice.kind else { return count_of(dice) };
    reckoned(count)
}

fn reckoned(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Paren(inner) => reckoned(inner),
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (reckoned(left)?, reckoned(right)?);
            match op {
                BinaryOp::Add => left.checked_add(right),
                BinaryOp::Subtract => left.checked_sub(right),
                BinaryOp::Multiply => left.checked_mul(right),
                _ => None,
            }
        }
        _ => known(expr),
    }
}
