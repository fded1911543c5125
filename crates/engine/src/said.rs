//! What a few rolls say.
//!
//! The odds carry the notes that every roll says. Whether one is certain is a question to the odds, which may take as
//! long as the answer itself. A roll takes no time. What it says before the first throw is certain, what it does not
//! say is not: a handful of rolls leave nothing to ask of most programs.

use std::sync::Arc;

use astragal_program::core::{Expr, Kind, Program};
use astragal_roll::{Limits, Player, Seeded, roll};
use astragal_value::Value;

use crate::measured::known;

/// So many rolls are tried,
const MOST: u64 = 12;
/// or fewer, if what they have in common has stayed the same so often.
const ENOUGH: u32 = 3;
/// They are the first of this seed; notices stand in the order in which the first of them says them.
const SEED: u64 = 4;
/// Longer rolls are not waited for.
const LIMITS: Limits =
    Limits::USUAL.with_dice(10_000).with_steps(100_000).with_attempts(1_000).with_odds(known);

/// How it is played takes longer to find than a roll.
const STEPS_OF_PLAYS: u64 = 500_000;

/// The texts that every roll says.
#[derive(Default)]
pub(crate) struct Said {
    /// They are certain.
    pub(crate) foreseen: Vec<Arc<str>>,
    /// If there are more, they are among these.
    pub(crate) perhaps: Vec<Arc<str>>,
}

impl Said {
    pub(crate) fn by(program: &Program, inputs: &[Option<Value>], player: Arc<dyn Player>) -> Said {
        let has_notes = |expr: &Expr| any(expr, &mut |part| matches!(part.kind, Kind::Note { .. }));
        if !bodies(program).any(has_notes) {
            return Said::default();
        }
        let limits = match program.plays {
            Some(_) => LIMITS.with_steps(STEPS_OF_PLAYS).with_player(player),
            None => LIMITS,
        };
        let mut said: Option<Said> = None;
        let mut same = 0;
        for number in 0..MOST {
            let roll = roll(program, inputs, &mut Seeded::new(SEED, number), &limits);
            let roll = match roll {
                Ok(roll) => roll,
                // What takes too long in one roll does so in all.
                Err(fault) if fault.kind.is_over_budget() && program.plays.is_some() => break,
                Err(_) => continue,
            };
            let known = said.get_or_insert_with(|| {
                let foreseen = texts(roll.foreseen(), &[]);
                Said { perhaps: texts(roll.notices(), &foreseen), foreseen }
            });
            let before = known.perhaps.len();
            known.perhaps.retain(|text| roll.notices().iter().any(|said| **said == **text));
            same = if known.perhaps.len() == before { same + 1 } else { 0 };
            if known.perhaps.is_empty() || same > ENOUGH {
                break;
            }
        }
        // Where no roll gets through, notes without holes are left to be asked about.
        said.unwrap_or_else(|| {
            let mut perhaps = Vec::new();
            bodies(program).for_each(|body| {
                any(body, &mut |part| {
                    perhaps.extend(stated(part));
                    false
                });
            });
            Said { perhaps, ..Said::default() }
        })
    }
}

/// Lines without repetition, and without those that are known.
fn texts(lines: &[String], known: &[Arc<str>]) -> Vec<Arc<str>> {
    let mut texts: Vec<Arc<str>> = Vec::new();
    for line in lines {
        if !texts.iter().chain(known).any(|text| **text == **line) {
            texts.push(line.as_str().into());
        }
    }
    texts
}

fn bodies(program: &Program) -> impl Iterator<Item = &Expr> {
    program.functions.iter().chain([&program.main]).map(|function| &function.body)
}

/// Whether something holds for an expression or for one inside it.
fn any<'a>(expr: &'a Expr, holds: &mut dyn FnMut(&'a Expr) -> bool) -> bool {
    holds(expr) || expr.children().into_iter().any(|part| any(part, holds))
}

/// The words of a note without holes.
fn stated(note: &Expr) -> Option<Arc<str>> {
    let Kind::Note { message, .. } = &note.kind else { return None };
    let words = match &message.kind {
        Kind::Operation { operands, .. } if operands.len() == 1 => &operands[0].kind,
        words => words,
    };
    match words {
        Kind::Constant(Value::Text(words)) => Some(Arc::clone(words)),
        _ => None,
    }
}
