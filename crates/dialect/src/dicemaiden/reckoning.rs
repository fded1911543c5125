//! What is reckoned with the dice: from left to right, in whole numbers.
//!
//! Numbers before a count are added to each die (`4d6 + 2 t5` counts threes), those behind it to the count. Dice that
//! are added to counted dice are counted with them, and other dice are never counted by themselves.

use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::span::Span;
use astragal_syntax::tree::{BinaryOp, Expr};

use super::line::{Line, Operand, Step, Thrown};
use super::modifiers::Count;
use super::stages::stage;
use crate::build::{as_term, binary, count_against, count_for, paren, whole};
use crate::faces::Test;
use crate::math::{never_negative, truncated};
use crate::reader::{Read, Reader};

pub(super) fn reckon(reader: &mut Reader, line: Line) -> Read<Expr> {
    let Line { dice, steps } = line;
    let counts = &dice.modifiers.counts;
    let botches = counts.iter().all(|(count, _)| matches!(count, Count::Botches));
    for step in &steps {
        sayable(reader, step, &dice)?;
    }
    let mut total = stage(reader, &dice, !botches)?;
    if let (true, Some((_, place))) = (botches, counts.first()) {
        if let Some(step) = steps.iter().find(|step| step.after_counts < counts.len()) {
            return Err(on_each_die(reader, step.span));
        }
        left_out(reader, *place);
    }
    let mut rest = steps.as_slice();
    if !botches {
        let before = steps.iter().take_while(|step| step.after_counts == 0).count();
        let (shifts, behind) = steps.split_at(before);
        total = counted(reader, total, &dice, shifts, behind)?;
        rest = behind;
    }
    for step in rest {
        let operand = match &step.operand {
            Operand::Number(number) => whole(*number, step.span),
            Operand::Dice(dice) => stage(reader, dice, false)?,
        };
        total = match step.before {
            true => joined(step.op, operand, total),
            false => joined(step.op, total, operand),
        };
    }
    Ok(total)
}

/// Steps that the tool gets wrong, or that no one can mean.
fn sayable(reader: &Reader, step: &Step, dice: &Thrown) -> Read<()> {
    let plain = matches!(step.op, BinaryOp::Add | BinaryOp::Subtract);
    let number = match &step.operand {
        Operand::Number(number) => Some(*number),
        Operand::Dice(_) => None,
    };
    if number == Some(0) && step.op == BinaryOp::Divide && !step.before {
        return Err(reader.wrong(step.span, "this divides by zero"));
    }
    if number == Some(0) && step.op == BinaryOp::Multiply {
        let meaning = "is passed over: the total stays as it is";
        return Err(reader.unsaid(step.span, meaning, "leave it out"));
    }
    if dice.sides.is_none() && !(plain && number.is_some()) {
        let meaning = "is reckoned with dice from 1 to 3, which become Fate dice afterwards";
        return Err(reader.unsaid(step.span, meaning, "numbers can be added: `4dF + 2`"));
    }
    let Operand::Dice(other) = &step.operand else { return Ok(()) };
    if let Some((_, place)) = other.modifiers.counts.first() {
        let meaning = "dice that are added to others are never counted by themselves";
        return Err(reader.unsaid(*place, meaning, "here two counts add up: `4d6cs>=5 + d6cs>=4`"));
    }
    if other.sides.is_none() {
        let message = "Fate dice stand only at the front in Dice Maiden";
        return Err(reader.wrong(step.span, message));
    }
    if let Some((_, place)) = dice.modifiers.counts.first() {
        let meaning = "counts the other dice of the roll as well";
        return Err(reader.unsaid(*place, meaning, "count one pool: `{4d6 + 2d6}cs>=5`"));
    }
    Ok(())
}

/// The count, with what is reckoned before it in its thresholds.
fn counted(
    reader: &mut Reader,
    mut pool: Expr,
    dice: &Thrown,
    shifts: &[Step],
    behind: &[Step],
) -> Read<Expr> {
    let counts = &dice.modifiers.counts;
    let mut shift = 0;
    for step in shifts {
        shift += match (step.op, &step.operand, step.before) {
            (BinaryOp::Add, Operand::Number(number), false) => *number,
            (BinaryOp::Subtract, Operand::Number(number), false) => -*number,
            _ => return Err(on_each_die(reader, step.span)),
        };
    }
    let successes =
        counts.iter().any(|(count, _)| matches!(count, Count::For(_) | Count::Twice(..)));
    for step in behind {
        if step.after_counts < counts.len() || !successes {
            return Err(reader.unsaid(
                step.span,
                "is not reckoned with: neither with the dice nor with the count",
                "write it behind all counts",
            ));
        }
        if step.before && step.op == BinaryOp::Divide {
            let meaning = "a number over a count, which Dice Maiden does not reckon";
            return Err(reader.unsaid(step.span, meaning, "write the count first"));
        }
    }
    let moved = |test: &Test| Test { value: test.value - shift, ..*test };
    for (count, place) in counts {
        pool = match count {
            Count::For(test) => count_for(pool, moved(test), *place),
            Count::Against(test) => count_against(pool, moved(test), *place),
            Count::Twice(once, twice) => {
                count_for(count_for(pool, moved(once), *place), moved(twice), *place)
            }
            Count::Botches => {
                left_out(reader, *place);
                pool
            }
        };
    }
    Ok(pool)
}

fn left_out(reader: &mut Reader, place: Span) {
    reader.notice(place, "botches are told beside the result: this was left out");
}

fn on_each_die(reader: &Reader, place: Span) -> Box<Diagnostic> {
    reader.unsaid(
        place,
        "stands before a count, so it changes each die",
        "change the threshold instead, or write it behind the count",
    )
}

/// One step; a quotient loses what is behind the point.
fn joined(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let product = matches!(op, BinaryOp::Multiply | BinaryOp::Divide);
    let sum = |expr: &Expr| {
        use astragal_syntax::tree::ExprKind::Binary;
        matches!(expr.kind, Binary(BinaryOp::Add | BinaryOp::Subtract, ..))
    };
    let left = if product && sum(&left) { paren(left) } else { left };
    let right = as_term(right);
    match op {
        BinaryOp::Divide if never_negative(&left) && never_negative(&right) => {
            binary(BinaryOp::FloorDivide, left, right)
        }
        BinaryOp::Divide => truncated(binary(op, left, right)),
        _ => binary(op, left, right),
    }
}
