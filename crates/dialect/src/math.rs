//! The arithmetic that the tools share, and where theirs is not ours.
//!
//! ```text
//! expression = product { ( "+" | "-" ) product }
//! product    = signed { ( "*" | "/" | "%" ) signed }
//! signed     = ( "-" | "+" ) signed | power
//! power      = term [ "**" signed ]                      Roll20
//! ```
//!
//! Both tools reckon as JavaScript does. A remainder takes the sign of its dividend (`-7 % 3` is −1; ours
//! is 2), and `round` sends halves up (`round(-2.5)` is −2; ours is −3). Where no negative number can
//! occur the plain spelling says the same; elsewhere it is spelt out.

use astragal_syntax::span::Span;
use astragal_syntax::tree::{
    BinaryOp, Block, Comparison, Expr, ExprKind, Name, Sides, Statement, StatementKind, SuffixKind,
    UnaryOp,
};

use crate::Dialect;
use crate::build::{as_factor, as_term, binary, call, name, negate, node, paren, whole};
use crate::reader::{Read, Reader};
use crate::term::term;

/// Operators in one chain; more is no dice notation.
const LONGEST_CHAIN: usize = 500;

/// `expression`
pub(crate) fn expression(reader: &mut Reader) -> Read<Expr> {
    reader.nested(|reader| {
        let mut sum = product(reader)?;
        for _ in 0..LONGEST_CHAIN {
            reader.scan.blanks();
            let op = match reader.scan.peek() {
                Some('+') => BinaryOp::Add,
                Some('-') => BinaryOp::Subtract,
                _ => return Ok(sum),
            };
            reader.scan.eat(if op == BinaryOp::Add { "+" } else { "-" });
            sum = binary(op, sum, product(reader)?);
        }
        Err(too_long(reader))
    })
}

/// `product`
fn product(reader: &mut Reader) -> Read<Expr> {
    let mut result = signed(reader)?;
    for _ in 0..LONGEST_CHAIN {
        reader.scan.blanks();
        let op = match reader.scan.peek() {
            Some('*') => BinaryOp::Multiply,
            Some('/') => BinaryOp::Divide,
            Some('%') if !reader.scan.sees("%{") => BinaryOp::Remainder,
            _ => return Ok(result),
        };
        reader.scan.skip();
        let right = signed(reader)?;
        result = match op {
            BinaryOp::Remainder => remainder(result, right),
            _ => binary(op, result, right),
        };
    }
    Err(too_long(reader))
}

/// `signed`
fn signed(reader: &mut Reader) -> Read<Expr> {
    reader.scan.blanks();
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

fn too_long(reader: &Reader) -> Box<astragal_syntax::diagnostic::Diagnostic> {
    reader.wrong(reader.scan.here(), format!("more than {LONGEST_CHAIN} operators in a row"))
}

/// A remainder with the sign of the dividend.
fn remainder(dividend: Expr, divisor: Expr) -> Expr {
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
    // The dividend is thrown once and looked at twice.
    let dividend = match dividend.kind {
        ExprKind::Paren(inner) => *inner,
        _ => dividend,
    };
    let it = || name("dividend", span);
    let below = binary(BinaryOp::Compare(Comparison::Less), it(), whole(0, span));
    let choice = ExprKind::If {
        condition: Box::new(below),
        then: Box::new(negate(paren(plain(negate(it()))))),
        otherwise: Box::new(plain(it())),
    };
    let value =
        StatementKind::Let { name: Name { text: "dividend".into(), span }, value: dividend };
    let statements = vec![
        statement(value, span),
        statement(StatementKind::Expression(node(choice, span)), span),
    ];
    paren(node(ExprKind::Block(Block { statements, trailing: Vec::new() }), span))
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
        ExprKind::Binary(
            BinaryOp::Add | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder,
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
