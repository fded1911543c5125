//! Terms: numbers, dice, parentheses, functions, groups, each with the labels behind it.
//!
//! ```text
//! term   = ( number | die | "(" expression ")" | function | group | inline ) { "[" text "]" }
//! die    = [ digits | paren | inline ] "d" ( digits | "F" | "%" | "c" | paren ) modifiers
//! group  = "{" expression { "," expression } "}" modifiers
//! inline = "[[" expression "]]"                               Roll20
//! ```
//!
//! What the modifiers mean is each tool's own: `roll20::settle`, `foundry::apply`. Avrae, whose parentheses are
//! groups, and rpg-dice-roller, whose counts are numbers, read their terms themselves.

use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::tree::{Expr, ExprKind, Sides};

use crate::Dialect;
use crate::build::{call, node, paren, whole};
use crate::math::{expression, raised, rounded};
use crate::reader::{Read, Reader};
use crate::{avrae, foundry, roll20};

/// `term`
pub(crate) fn term(reader: &mut Reader) -> Read<Expr> {
    reader.scan.blanks();
    let start = reader.scan.at();
    if reader.dialect == Dialect::Avrae {
        let value = avrae::term(reader, start)?;
        return labelled(reader, value, start);
    }
    let value = match reader.scan.peek() {
        Some('(') => after_count(reader, start)?,
        Some('[') if inline_ahead(reader) => after_count(reader, start)?,
        Some('{') => group(reader, start)?,
        Some('.' | '0'..='9') => number_or_dice(reader, start)?,
        Some(_) if die_ahead(reader) => dice(reader, None, start)?,
        Some('a'..='z' | 'A'..='Z') => function(reader, start)?,
        Some('@' | '?' | '%' | '#' | '$') => return Err(reference(reader)),
        _ => return Err(reader.expected("dice or a number")),
    };
    labelled(reader, value, start)
}

/// A value with the labels behind it.
fn labelled(reader: &mut Reader, mut value: Expr, start: usize) -> Read<Expr> {
    while let Some(label) = label(reader)? {
        if !label.is_empty() {
            let span = reader.scan.since(start);
            value = node(ExprKind::Labelled { value: Box::new(value), label }, span);
        }
    }
    Ok(value)
}

fn inline_ahead(reader: &Reader) -> bool {
    reader.dialect == Dialect::Roll20 && reader.scan.sees("[[")
}

/// Whether a `d` with sides is ahead.
fn die_ahead(reader: &Reader) -> bool {
    let rest = reader.scan.rest();
    let Some(sides) = rest.strip_prefix(['d', 'D']) else { return false };
    let mut letters = sides.chars();
    match letters.next() {
        Some('0'..='9' | '(' | '%') => true,
        Some('f' | 'F') => true,
        Some('c' | 'C') => reader.dialect == Dialect::Foundry,
        Some('[') => reader.dialect == Dialect::Roll20 && sides.starts_with("[["),
        _ => false,
    }
}

/// Parentheses or an inline roll, which may be the count of dice.
fn after_count(reader: &mut Reader, start: usize) -> Read<Expr> {
    let inner = enclosed(reader)?;
    let value = node(ExprKind::Paren(Box::new(inner)), reader.scan.since(start));
    if die_ahead(reader) { dice(reader, Some(value), start) } else { Ok(value) }
}

/// `(…)` or `[[…]]`: what stands inside.
fn enclosed(reader: &mut Reader) -> Read<Expr> {
    let (open, close) = if reader.scan.sees("[[") { ("[[", "]]") } else { ("(", ")") };
    reader.scan.eat(open);
    let inner = expression(reader)?;
    reader.scan.blanks();
    if reader.scan.eat(close) { Ok(inner) } else { Err(reader.expected(&format!("`{close}`"))) }
}

fn number_or_dice(reader: &mut Reader, start: usize) -> Read<Expr> {
    let number = number(reader, start)?;
    if die_ahead(reader) { dice(reader, Some(number), start) } else { Ok(number) }
}

/// `12`, `0.5`, `.5`
pub(crate) fn number(reader: &mut Reader, start: usize) -> Read<Expr> {
    let before = reader.scan.digits().unwrap_or("0").to_owned();
    let mut digits = before;
    if reader.scan.eat(".") {
        let Some(after) = reader.scan.digits() else { return Err(reader.expected("digits")) };
        digits = format!("{digits}.{after}");
    }
    Ok(node(ExprKind::Number(digits.into()), reader.scan.since(start)))
}

/// `die`, from its `d` on.
fn dice(reader: &mut Reader, count: Option<Expr>, start: usize) -> Read<Expr> {
    if let Some(ExprKind::Number(digits)) = count.as_ref().map(|count| &count.kind)
        && digits.contains('.')
    {
        let span = reader.scan.since(start);
        return Err(reader.wrong(span, format!("`{digits}` is no count of dice")));
    }
    reader.scan.skip();
    let sides = sides(reader)?;
    let count = count.map(Box::new);
    let dice = node(ExprKind::Dice { count, sides }, reader.scan.since(start));
    match reader.dialect {
        Dialect::Roll20 => roll20::settle(reader, dice),
        _ => foundry::apply(reader, dice),
    }
}

fn sides(reader: &mut Reader) -> Read<Sides> {
    if reader.scan.sees("(") || reader.scan.sees("[[") {
        return Ok(Sides::Computed(Box::new(enclosed(reader)?)));
    }
    if let Some(digits) = reader.scan.digits() {
        return Ok(Sides::Number(digits.into()));
    }
    let at = reader.scan.at();
    let letter = reader.scan.peek();
    reader.scan.skip();
    Ok(match letter {
        Some('%') => Sides::Percent,
        Some('c' | 'C') => crate::build::custom(&[0, 1], reader.scan.since(at)),
        _ => Sides::Fate,
    })
}

/// `group`
fn group(reader: &mut Reader, start: usize) -> Read<Expr> {
    reader.scan.eat("{");
    let members = listed(reader, "}")?;
    let span = reader.scan.since(start);
    match reader.dialect {
        Dialect::Roll20 => roll20::settle_group(reader, members, span),
        _ => foundry::apply_to_group(reader, members, span),
    }
}

/// Expressions with commas between them, up to a bracket.
pub(crate) fn listed(reader: &mut Reader, close: &str) -> Read<Vec<Expr>> {
    let mut members = vec![expression(reader)?];
    reader.scan.blanks();
    while reader.scan.eat(",") {
        members.push(expression(reader)?);
        reader.scan.blanks();
    }
    if reader.scan.eat(close) {
        Ok(members)
    } else {
        Err(reader.expected(&format!("`,` or `{close}`")))
    }
}

/// `floor(…)` and the like.
fn function(reader: &mut Reader, start: usize) -> Read<Expr> {
    let name = reader.scan.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
    let place = reader.scan.since(start);
    if !reader.scan.eat("(") {
        let message = format!("{} expects dice or a number here, not `{name}`", reader.dialect);
        return Err(reader.wrong(place, message));
    }
    let mut arguments = listed(reader, ")")?;
    let span = reader.scan.since(start);
    let foundry = reader.dialect == Dialect::Foundry;
    match (name, arguments.len()) {
        ("floor" | "ceil" | "abs", 1) => Ok(call(name, arguments, span)),
        ("round", 1) => Ok(rounded(arguments.remove(0), span)),
        ("min" | "max", 2..) if foundry => Ok(call(name, arguments, span)),
        ("min" | "max", 1) if foundry => Ok(paren(arguments.remove(0))),
        ("pow", 2) if foundry => {
            let exponent = arguments.remove(1);
            Ok(raised(arguments.remove(0), exponent))
        }
        ("floor" | "ceil" | "abs" | "round" | "pow", _) => {
            Err(reader.wrong(span, format!("`{name}` takes another number of arguments")))
        }
        _ if foundry => Err(reader.unsaid(
            place,
            "a function of JavaScript's Math",
            "the functions here are `floor ceil round abs min max`, and `^` for powers",
        )),
        _ => Err(reader.wrong(
            place,
            format!("Roll20 has no function `{name}`: it knows floor, ceil, round and abs"),
        )),
    }
}

/// `@{strength}`, `?{Bonus|0}`, `%{macro}`, `@abilities.str.mod`
fn reference(reader: &mut Reader) -> Box<Diagnostic> {
    let start = reader.scan.at();
    let sign = reader.scan.peek();
    reader.scan.skip();
    if reader.scan.eat("{") {
        reader.scan.take_while(|c| c != '}');
        reader.scan.eat("}");
    } else {
        reader.scan.take_while(|c| c.is_alphanumeric() || c == '.' || c == '_');
    }
    let span = reader.scan.since(start);
    let meaning = match sign {
        Some('?') => "asks the player for a value",
        Some('@') => "a value of a character's sheet",
        _ => "a macro or an ability of the game",
    };
    reader.unsaid(
        span,
        meaning,
        "put a number in its place, or declare an input: `param bonus = 3`",
    )
}

/// `[fire]`; `None` if there is no label.
pub(crate) fn label(reader: &mut Reader) -> Read<Option<String>> {
    let before = reader.scan.at();
    reader.scan.blanks();
    if !reader.scan.sees("[") || inline_ahead(reader) {
        reader.scan.back_to(before);
        return Ok(None);
    }
    let start = reader.scan.at();
    reader.scan.skip();
    let text = reader.scan.take_while(|c| c != ']');
    if !reader.scan.eat("]") {
        return Err(reader.wrong(reader.scan.since(start), "the label has no end: `]` is missing"));
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    Ok(Some(words.join(" ")))
}

/// A pool of one die that shows the total of an expression.
pub(crate) fn one_total(value: Expr) -> Expr {
    let span = value.span;
    call("times", vec![whole(1, span), value], span)
}
