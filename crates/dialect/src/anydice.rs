//! AnyDice, where it is one expression: `output [highest 3 of 4d6] named "a score"`.
//!
//! The parser of the syntax crate recognises AnyDice and proposes our spelling as an edit; here that edit is
//! taken. One thing is added: `[explode d6]` stops after two extra dice in AnyDice unless it is told
//! otherwise, and explodes the total of several dice, not each of them.

use astragal_syntax::span::SourceId;
use astragal_syntax::tree::{ExplodeLimit, Expr, ExprKind, Sides, StatementKind, SuffixKind};
use astragal_syntax::{Limits, parse};

use crate::build::whole as number;
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
    let Some(expr) = ours else {
        return Err(reader.unsaid(
            place,
            "a program, or something that is not one expression here",
            "`[highest 3 of 4d6]` is `4d6kh3`, `[explode d6]` is `d6! up to 2`, `[count 6 in 4d6]` is \
             `4d6cs=6`, `2@4d6` is `nth_highest(4d6, 2)`; several outputs are `show \"name\" = …`",
        ));
    };
    let mut expr = expr;
    limited(reader, &mut expr)?;
    expr.span = place;
    Ok(expr)
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

/// Each explosion with AnyDice's limit.
fn limited(reader: &mut Reader, expr: &mut Expr) -> Read<()> {
    match &mut expr.kind {
        ExprKind::Suffixed { pool, suffix } => {
            if let SuffixKind::Explode { limit, .. } = &mut suffix.kind {
                one_die(reader, pool)?;
                *limit = ExplodeLimit::UpTo(Box::new(number(DEPTH, expr.span)));
                let whole = reader.scan.span(0, reader.scan.text().len());
                reader.notice(
                    whole,
                    "AnyDice throws an exploding die twice more at most; without `up to 2` it has no end",
                );
            }
            limited(reader, pool)
        }
        ExprKind::Paren(inner) | ExprKind::Unary(_, inner) => limited(reader, inner),
        ExprKind::Binary(_, left, right) => {
            limited(reader, left)?;
            limited(reader, right)
        }
        ExprKind::Call { arguments, .. } => {
            arguments.iter_mut().try_for_each(|argument| limited(reader, &mut argument.value))
        }
        ExprKind::Dice { sides: Sides::Computed(inner), .. } => limited(reader, inner),
        _ => Ok(()),
    }
}

/// Several dice explode on their total there.
fn one_die(reader: &Reader, pool: &Expr) -> Read<()> {
    let single = match &pool.kind {
        ExprKind::Dice { count: None, .. } => true,
        ExprKind::Dice { count: Some(count), .. } => {
            matches!(&count.kind, ExprKind::Number(digits) if digits == "1")
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
