//! AnyDice, where it is one expression: `output [highest 3 of 4d6] named "a score"`.
//!
//! The parser of the syntax crate recognises AnyDice and proposes our spelling as an edit; here that edit is
//! taken and said as AnyDice means it: `[explode d6]` stops after two extra dice unless it is told otherwise,
//! and explodes the total of several dice, not each of them; `/` drops what is left over.

use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::span::SourceId;
use astragal_syntax::tree::{
    BinaryOp, ExplodeLimit, Expr, ExprKind, Sides, StatementKind, SuffixKind, UnaryOp,
};
use astragal_syntax::{Limits, parse};

use crate::build::whole as number;
use crate::math::never_negative;
use crate::reader::{Read, Reader};

/// The calls by which AnyDice is known, each with the word that must follow inside.
const CALLS: &[(&str, &str)] = &[
    ("[highest ", " of "),
    ("[lowest ", " of "),
    ("[middle ", " of "),
    ("[count ", " in "),
    ("[explode ", ""),
];

/// How often AnyDice's `explode` throws again by default.
const DEPTH: i64 = 2;

/// Whether a text is plainly AnyDice's.
pub(crate) fn is_plain(text: &str) -> bool {
    let text = text.trim();
    let output = text.strip_prefix("output").is_some_and(|rest| rest.starts_with([' ', '\t']));
    let call = CALLS.iter().any(|(open, word)| {
        text.split_once(open).is_some_and(|(_, rest)| {
            rest.split(']').next().is_some_and(|inside| inside.contains(word))
        })
    });
    let position = text.split_once('@').is_some_and(|(before, dice)| {
        let digits = before.trim_end().ends_with(|c: char| c.is_ascii_digit());
        digits && dice.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == 'd')
    });
    output || call || position
}

/// The whole text.
pub(crate) fn whole(reader: &mut Reader) -> Read<Expr> {
    let text = reader.scan.text().trim();
    let place = reader.scan.span(0, reader.scan.text().len());
    let body = text.strip_prefix("output").unwrap_or(text).trim();
    let several = body.contains('\n') || body.contains("output ");
    let ours = if several { None } else { ours(body) };
    let Some(mut expr) = ours else { return Err(foreign(reader)) };
    as_meant(reader, &mut expr)?;
    expr.span = place;
    Ok(expr)
}

/// More than one expression, or one that has no equivalent.
fn foreign(reader: &Reader) -> Box<Diagnostic> {
    reader.unsaid(
        reader.scan.span(0, reader.scan.text().len()),
        "a program, or something that is not one expression here",
        "`[highest 3 of 4d6]` is `4d6kh3`, `[explode d6]` is `d6! up to 2`, `[count 6 in 4d6]` is \
         `4d6cs=6`, `2@4d6` is `nth_highest(4d6, 2)`; several outputs are `show \"name\" = …`",
    )
}

/// Our spelling, as the parser proposes it.
fn ours(body: &str) -> Option<Expr> {
    let limits = Limits::default();
    let found = parse(&format!("output {body}"), SourceId(0), &limits);
    let foreign = found.diagnostics.iter().find(|d| d.code == "anydice")?;
    let spelling = &foreign.edits.first()?.replacement;
    let mut parsed = parse(spelling, SourceId(0), &limits);
    if !parsed.diagnostics.is_empty() || parsed.file.block.statements.len() != 1 {
        return None;
    }
    match parsed.file.block.statements.pop()?.kind {
        StatementKind::Expression(expr) => Some(expr),
        _ => None,
    }
}

/// What the words mean there, where our reading of them is another: division drops what is left over,
/// explosions have a limit. What AnyDice does not write is refused.
fn as_meant(reader: &mut Reader, expr: &mut Expr) -> Read<()> {
    let place = expr.span;
    match &mut expr.kind {
        ExprKind::Number(_) => Ok(()),
        ExprKind::Dice { count, sides } => {
            if let Some(count) = count {
                as_meant(reader, count)?;
            }
            match sides {
                Sides::Computed(inner) => as_meant(reader, inner),
                Sides::Number(_) | Sides::Faces(_) => Ok(()),
                Sides::Percent | Sides::Fate => Err(foreign(reader)),
            }
        }
        ExprKind::Suffixed { pool, suffix } if reader.scan.text().contains('[') => {
            if let SuffixKind::Explode { limit, .. } = &mut suffix.kind {
                one_die(reader, pool)?;
                *limit = ExplodeLimit::UpTo(Box::new(number(DEPTH, place)));
                let whole = reader.scan.span(0, reader.scan.text().len());
                let message = "AnyDice throws an exploding die twice more at most; without `up to 2` \
                               it has no end";
                reader.notice(whole, message);
            }
            as_meant(reader, pool)
        }
        ExprKind::Paren(inner) | ExprKind::Unary(UnaryOp::Negate, inner) => as_meant(reader, inner),
        ExprKind::Binary(op, left, right) => {
            if *op == BinaryOp::Divide && never_negative(left) && never_negative(right) {
                *op = BinaryOp::FloorDivide;
            }
            match op {
                BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::FloorDivide => {
                    as_meant(reader, left)?;
                    as_meant(reader, right)
                }
                _ => Err(foreign(reader)),
            }
        }
        ExprKind::Call { arguments, .. } if reader.scan.text().contains('@') => {
            arguments.iter_mut().try_for_each(|argument| as_meant(reader, &mut argument.value))
        }
        _ => Err(foreign(reader)),
    }
}

/// Several dice explode on their total there.
fn one_die(reader: &Reader, pool: &Expr) -> Read<()> {
    let single = match &pool.kind {
        ExprKind::Dice { count: None, .. } => true,
        ExprKind::Dice { count: Some(count), .. } => {
            matches!(&count.kind, ExprKind::Number(digits) if **digits == *"1")
        }
        _ => false,
    };
    if single {
        return Ok(());
    }
    Err(reader.unsaid(
        reader.scan.span(0, reader.scan.text().len()),
        "explodes when the total is the highest possible",
        "`4d6! up to 2` explodes each die by itself",
    ))
}
