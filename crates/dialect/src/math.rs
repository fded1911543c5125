//! The arithmetic that the tools share, and where theirs is not ours.
//!
//! ```text
//! expression = sum { comparing sum }                     Avrae; elsewhere a sum
//! sum        = product { ( "+" | "-" ) product }
//! product    = signed { ( "*" | "/" | "%" | "//" ) signed }          "//" in Avrae
//! signed     = ( "-" | "+" ) signed | power               no signs in rpg-dice-roller
//! power      = term [ "**" signed ]                      Roll20
//!            | term [ ( "**" | "^" ) power ]             rpg-dice-roller
//! ```
//!
//! Roll20 and Foundry reckon as JavaScript does. A remainder takes the sign of its dividend (`-7 % 3` is −1;
//! ours is 2, as in Avrae and rpg-dice-roller), and `round` sends halves up (`round(-2.5)` is −2; ours is −3, as
//! in rpg-dice-roller). Where no negative number can occur the plain spelling says the same; elsewhere it is
//! spelt out. Dice Maiden reckons from left to right, which is a chain of its own.

use astragal_syntax::span::Span;
use astragal_syntax::tree::{
    BinaryOp, Block, Comparison, Expr, ExprKind, Name, Sides, Statement, StatementKind, SuffixKind,
    UnaryOp,
};

use crate::Dialect;
use crate::build::{as_factor, as_term, binary, call, choice, name, negate, node, paren, whole};
use crate::reader::{Read, Reader};
use crate::term::term;
use crate::{avrae, rpg_dice_roller};

/// Operators in one chain; more is no dice notation.
const LONGEST_CHAIN: usize = 500;

/// `expression`
pub(crate) fn expression(reader: &mut Reader) -> Read<Expr> {
    reader.nested(|reader| match reader.dialect {
        Dialect::Avrae => avrae::comparisons(reader),
        _ => sum(reader),
    })
}

/// `sum`
pub(crate) fn sum(reader: &mut Reader) -> Read<Expr> {
    let plus_or_minus = |reader: &mut Reader| match reader.scan.eat_longest(&["+", "-"])? {
        "+" => Some(BinaryOp::Add),
        _ => Some(BinaryOp::Subtract),
    };
    chain(reader, plus_or_minus, product, |_, op, left, right| Ok(binary(op, left, right)))
}

/// `product`
fn product(reader: &mut Reader) -> Read<Expr> {
    chain(reader, times_or_over, signed, |reader, op, left, right| match op {
        BinaryOp::Remainder => remainder(reader, left, right),
        _ => Ok(binary(op, left, right)),
    })
}

fn times_or_over(reader: &mut Reader) -> Option<BinaryOp> {
    if reader.scan.sees("%{") {
        return None;
    }
    if reader.dialect == Dialect::Avrae && reader.scan.eat("//") {
        return Some(BinaryOp::FloorDivide);
    }
    match reader.scan.eat_longest(&["*", "/", "%"])? {
        "*" => Some(BinaryOp::Multiply),
        "/" => Some(BinaryOp::Divide),
        _ => Some(BinaryOp::Remainder),
    }
}

/// Operands with operators of one level between them, from left to right.
pub(crate) fn chain<Op>(
    reader: &mut Reader,
    operator: impl Fn(&mut Reader) -> Option<Op>,
    operand: impl Fn(&mut Reader) -> Read<Expr>,
    join: impl Fn(&mut Reader, Op, Expr, Expr) -> Read<Expr>,
) -> Read<Expr> {
    let mut result = operand(reader)?;
    for _ in 0..LONGEST_CHAIN {
        reader.scan.blanks();
        let Some(op) = operator(reader) else { return Ok(result) };
        let right = operand(reader)?;
        result = join(reader, op, result, right)?;
    }
    Err(reader.wrong(reader.scan.here(), format!("more than {LONGEST_CHAIN} operators in a row")))
}

/// `signed`
fn signed(reader: &mut Reader) -> Read<Expr> {
    reader.scan.blanks();
    if reader.dialect == Dialect::RpgDiceRoller {
        return rpg_dice_roller::power(reader);
    }
    let start = reader.scan.at();
    if reader.scan.eat("+") {
        return reader.nested(signed);
    }
    if !reader.scan.eat("-") {
        return power(reader);
    }
    let inner = reader.nested(signed)?;
    let span = reader.scan.since(start);
    // Two signs in a row would read as one.
    let inner = if matches!(inner.kind, ExprKind::Unary(..)) { paren(inner) } else { inner };
    let inner = if matches!(inner.kind, ExprKind::Binary(..)) { as_factor(inner) } else { inner };
    Ok(node(ExprKind::Unary(UnaryOp::Negate, Box::new(inner)), span))
}

/// `power`
fn power(reader: &mut Reader) -> Read<Expr> {
    let base = term(reader)?;
    if reader.dialect == Dialect::Roll20 && reader.scan.eat("**") {
        let exponent = reader.nested(signed)?;
        return Ok(raised(base, exponent));
    }
    Ok(base)
}

/// `base^exponent`, with the parentheses it needs.
pub(crate) fn raised(base: Expr, exponent: Expr) -> Expr {
    binary(BinaryOp::Power, as_term(base), as_term(exponent))
}

fn remainder(reader: &Reader, dividend: Expr, divisor: Expr) -> Read<Expr> {
    match reader.dialect {
        Dialect::Avrae => Ok(binary(BinaryOp::Remainder, as_chain(dividend), as_term(divisor))),
        Dialect::RpgDiceRoller => rpg_dice_roller::remainder(reader, as_chain(dividend), divisor),
        _ => Ok(like_its_dividend(dividend, divisor)),
    }
}

/// A remainder with the sign of the dividend.
fn like_its_dividend(dividend: Expr, divisor: Expr) -> Expr {
    let span = dividend.span.to(divisor.span);
    let divisor =
        if never_negative(&divisor) { as_term(divisor) } else { call("abs", vec![divisor], span) };
    let plain = |dividend| binary(BinaryOp::Remainder, dividend, divisor.clone());
    if never_negative(&dividend) {
        return plain(as_chain(dividend));
    }
    if let ExprKind::Unary(UnaryOp::Negate, inner) = &dividend.kind
        && never_negative(inner)
    {
        return negate(paren(plain((**inner).clone())));
    }
    by_sign("dividend", dividend, |it| negate(paren(plain(negate(it)))), plain)
}

/// Without what is behind the point, towards zero.
pub(crate) fn truncated(value: Expr) -> Expr {
    let span = value.span;
    if never_negative(&value) {
        return call("floor", vec![unwrapped(value)], span);
    }
    by_sign("total", value, |it| call("ceil", vec![it], span), |it| call("floor", vec![it], span))
}

/// A value that is thrown once and looked at twice: one way below zero, another elsewhere.
fn by_sign(
    called: &str,
    value: Expr,
    below: impl Fn(Expr) -> Expr,
    elsewhere: impl Fn(Expr) -> Expr,
) -> Expr {
    let span = value.span;
    let it = || name(called, span);
    let condition = binary(BinaryOp::Compare(Comparison::Less), it(), whole(0, span));
    let choice = choice(condition, below(it()), elsewhere(it()));
    let name = Name { text: called.into(), span };
    let value = StatementKind::Let { name, value: unwrapped(value) };
    let statements =
        vec![statement(value, span), statement(StatementKind::Expression(choice), span)];
    paren(node(ExprKind::Block(Block { statements, trailing: Vec::new() }), span))
}

/// What parentheses hold.
pub(crate) fn unwrapped(expr: Expr) -> Expr {
    match expr.kind {
        ExprKind::Paren(inner) => *inner,
        _ => expr,
    }
}

/// The left side of `%`: products stay, they are of the same level.
fn as_chain(expr: Expr) -> Expr {
    match expr.kind {
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract, ..) => paren(expr),
        _ => expr,
    }
}

fn statement(kind: StatementKind, span: Span) -> Statement {
    Statement { kind, doc: None, leading: Vec::new(), side: None, after_blank: false, span }
}

/// `round`, which sends halves up.
pub(crate) fn rounded(value: Expr, span: Span) -> Expr {
    if never_negative(&value) {
        return call("round", vec![value], span);
    }
    let half = binary(BinaryOp::Divide, whole(1, span), whole(2, span));
    call("floor", vec![binary(BinaryOp::Add, value, half)], span)
}

/// Whether an expression plainly has no negative values.
pub(crate) fn never_negative(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Number(_) => true,
        ExprKind::Dice { sides, .. } => match sides {
            Sides::Fate => false,
            Sides::Faces(faces) => faces.iter().all(|face| never_negative(&face.value)),
            Sides::Number(_) | Sides::Percent | Sides::Computed(_) => true,
        },
        ExprKind::Suffixed { pool, suffix } => {
            never_negative(pool) && !matches!(suffix.kind, SuffixKind::CountAgainst(_))
        }
        ExprKind::Paren(inner) | ExprKind::Labelled { value: inner, .. } => never_negative(inner),
        ExprKind::Group(members) => members.iter().all(never_negative),
        ExprKind::If { then, otherwise, .. } => never_negative(then) && never_negative(otherwise),
        ExprKind::Binary(
            BinaryOp::Add
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::FloorDivide
            | BinaryOp::Remainder
            | BinaryOp::Power,
            left,
            right,
        ) => never_negative(left) && never_negative(right),
        ExprKind::Call { function, arguments } => match &function.kind {
            ExprKind::Name(name) if name == "abs" => true,
            _ => arguments.iter().all(|argument| never_negative(&argument.value)),
        },
        _ => false,
    }
}
