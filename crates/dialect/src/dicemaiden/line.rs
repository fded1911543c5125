//! One roll: dice, and what is reckoned with them.
//!
//! ```text
//! line     = ( [ number operator ] dice | ( "+" | "-" ) "d" sides ) { modifier | operator operand | number }
//! operand  = number | dice { modifier }
//! dice     = [ digits ] "d" ( digits | "%" ) { modifier } | digits "df"
//! operator = "+" | "-" | "*" | "/"
//! ```

use astragal_syntax::span::Span;
use astragal_syntax::tree::{BinaryOp, End};

use super::modifiers::{Modifiers, refuse_word};
use crate::reader::{Read, Reader};

/// So many dice are thrown at once.
pub(super) const MOST_DICE: i64 = 500;
const MOST_SIDES: i64 = 1000;

/// Dice with their modifiers.
pub(super) struct Thrown {
    pub(super) count: i64,
    /// `None` for Fate dice.
    pub(super) sides: Option<i64>,
    pub(super) modifiers: Modifiers,
    pub(super) span: Span,
}

/// What is reckoned with.
pub(super) enum Operand {
    Number(i64),
    Dice(Thrown),
}

/// One step of the reckoning.
pub(super) struct Step {
    pub(super) op: BinaryOp,
    pub(super) operand: Operand,
    /// Whether the operand stands to the left.
    pub(super) before: bool,
    /// How many counts were written before it.
    pub(super) after_counts: usize,
    pub(super) span: Span,
}

/// A whole roll.
pub(super) struct Line {
    pub(super) dice: Thrown,
    pub(super) steps: Vec<Step>,
}

impl Line {
    pub(super) fn read(reader: &mut Reader) -> Read<Line> {
        reader.scan.blanks();
        let start = reader.scan.at();
        if let Some(line) = with_advantage(reader)? {
            return line.rest(reader, true);
        }
        let number = reader.scan.digits();
        reader.scan.blanks();
        let Some((op, number)) = operator(reader).zip(number) else {
            reader.scan.back_to(start);
            let line = Line { dice: thrown(reader)?, steps: Vec::new() };
            return line.rest(reader, true);
        };
        let number = parsed(reader, number, start)?;
        reader.scan.blanks();
        let dice = thrown(reader)?;
        let after_counts = dice.modifiers.counts.len();
        let span = reader.scan.since(start);
        let step = Step { op, operand: Operand::Number(number), before: true, after_counts, span };
        Line { dice, steps: vec![step] }.rest(reader, false)
    }

    /// What follows the first dice; `loose` if modifiers may stand behind blanks.
    fn rest(mut self, reader: &mut Reader, loose: bool) -> Read<Line> {
        loop {
            let before = reader.scan.at();
            reader.scan.blanks();
            let start = reader.scan.at();
            let spaced = start > before;
            match reader.scan.peek() {
                None | Some('!') => return Ok(self),
                Some('+' | '-' | '*' | '/') => self.step(reader, start)?,
                Some('0'..='9' | 'd' | 'D') if spaced && is_operand(reader) => {
                    let operand = operand(reader)?;
                    if !adds(&operand) {
                        return Err(reader.wrong(reader.scan.since(start), "`+` is missing"));
                    }
                    self.push(reader, BinaryOp::Add, operand, start);
                }
                Some(c) if c.is_ascii_alphabetic() && (loose || !spaced) => {
                    self.dice.modifiers.one(reader, spaced)?;
                }
                _ => return Err(reader.expected("an operator, a modifier or the end")),
            }
        }
    }

    fn step(&mut self, reader: &mut Reader, start: usize) -> Read<()> {
        let Some(op) = operator(reader) else { return Err(reader.expected("an operator")) };
        reader.scan.blanks();
        let mut operand = operand(reader)?;
        if let Operand::Dice(dice) = &mut operand {
            behind(reader, op, dice)?;
        }
        self.push(reader, op, operand, start);
        Ok(())
    }

    fn push(&mut self, reader: &Reader, op: BinaryOp, operand: Operand, start: usize) {
        let after_counts = self.dice.modifiers.counts.len();
        let span = reader.scan.since(start);
        self.steps.push(Step { op, operand, before: false, after_counts, span });
    }
}

/// Modifiers behind a blank belong to dice that are added, and else to the first dice.
fn behind(reader: &mut Reader, op: BinaryOp, dice: &mut Thrown) -> Read<()> {
    loop {
        let before = reader.scan.at();
        reader.scan.blanks();
        let here = reader.scan.here();
        let word = reader.at(here);
        if !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            reader.scan.back_to(before);
            return Ok(());
        }
        let alone = word.len() == 1 && !matches!(word, "c" | "i");
        if op != BinaryOp::Add || alone {
            return Err(reader.unsaid(
                here,
                "behind a blank, this acts on the first dice of the roll",
                "write it behind the first dice, or without a blank behind its own",
            ));
        }
        dice.modifiers.one(reader, true)?;
        dice.span = dice.span.to(reader.scan.since(before));
    }
}

fn operator(reader: &mut Reader) -> Option<BinaryOp> {
    Some(match reader.scan.eat_longest(&["+", "-", "*", "/"])? {
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Subtract,
        "*" => BinaryOp::Multiply,
        _ => BinaryOp::Divide,
    })
}

/// Whether a number or dice stand behind a blank: `2d6 5`, `2d6 1d8`. (`d8` there drops eight dice.)
fn is_operand(reader: &Reader) -> bool {
    let rest = reader.scan.rest();
    rest.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with("d%")
}

/// Whether it is added without a `+`: a number, or dice that are clearly no modifier.
fn adds(operand: &Operand) -> bool {
    let Operand::Dice(dice) = operand else { return true };
    let usual = matches!(dice.sides, Some(4 | 6 | 8 | 10..));
    (usual || dice.count >= 10) && dice.modifiers.is_empty()
}

fn operand(reader: &mut Reader) -> Read<Operand> {
    let start = reader.scan.at();
    let digits = reader.scan.digits();
    match digits {
        Some(digits) if !matches!(reader.scan.peek(), Some('d' | 'D')) => {
            Ok(Operand::Number(parsed(reader, digits, start)?))
        }
        _ => {
            reader.scan.back_to(start);
            Ok(Operand::Dice(thrown(reader)?))
        }
    }
}

/// Dice with the modifiers glued to them.
fn thrown(reader: &mut Reader) -> Read<Thrown> {
    let start = reader.scan.at();
    let digits = reader.scan.digits();
    let count = digits.map_or(Ok(1), |digits| parsed(reader, digits, start))?;
    if !reader.scan.eat("d") {
        reader.scan.back_to(start);
        return Err(refuse_word(reader, "a die"));
    }
    let at = reader.scan.at();
    let sides = if reader.scan.eat("%") {
        Some(100)
    } else if let Some(digits) = reader.scan.digits() {
        Some(parsed(reader, digits, at)?)
    } else if digits.is_some() && reader.scan.eat("f") {
        None
    } else {
        reader.scan.back_to(start);
        return Err(refuse_word(reader, "a die"));
    };
    let span = reader.scan.since(start);
    if !(1..=MOST_DICE).contains(&count) || !(1..=MOST_SIDES).contains(&sides.unwrap_or(3)) {
        let message =
            format!("Dice Maiden rolls 1 to {MOST_DICE} dice with 1 to {MOST_SIDES} sides");
        return Err(reader.wrong(span, message));
    }
    let mut modifiers = Modifiers::default();
    while reader.scan.peek().is_some_and(|c| c.is_ascii_alphabetic()) {
        modifiers.one(reader, false)?;
    }
    Ok(Thrown { count, sides, modifiers, span: reader.scan.since(start) })
}

/// `+d20` is the better of two, `-d20` the worse; of `d%` the tens are thrown twice.
fn with_advantage(reader: &mut Reader) -> Read<Option<Line>> {
    let start = reader.scan.at();
    let better = reader.scan.sees("+");
    if !reader.scan.sees("+d") && !reader.scan.sees("-d") {
        return Ok(None);
    }
    reader.scan.skip();
    let mut dice = thrown(reader)?;
    let span = reader.scan.since(start);
    let written = reader.at(span);
    dice.span = span;
    dice.count = 2;
    let end = |highest: bool| if highest { End::Highest } else { End::Lowest };
    if !written.ends_with('%') {
        dice.modifiers.ends.push((super::modifiers::Ends::Keep(end(better), 1), span));
        return Ok(Some(Line { dice, steps: Vec::new() }));
    }
    // Low is good on percentile dice.
    dice.modifiers.ends.push((super::modifiers::Ends::Keep(end(!better), 1), span));
    dice.sides = Some(10);
    let ones = Thrown { count: 1, sides: Some(10), modifiers: Modifiers::default(), span };
    let step = |op, operand| Step { op, operand, before: false, after_counts: 0, span };
    let steps = vec![
        step(BinaryOp::Multiply, Operand::Number(10)),
        step(BinaryOp::Add, Operand::Dice(ones)),
        step(BinaryOp::Subtract, Operand::Number(10)),
    ];
    Ok(Some(Line { dice, steps }))
}

fn parsed(reader: &Reader, digits: &str, start: usize) -> Read<i64> {
    let number = digits.parse::<i32>().map(i64::from);
    number.map_err(|_| reader.wrong(reader.scan.since(start), "the number is too large"))
}
