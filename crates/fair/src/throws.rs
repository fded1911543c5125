//! The dice of a roll: stream v2, and a record of what was drawn from it.

use astragal::faces::{DieFaces, Faces, Seeded};
use astragal::{Costly, FaultKind};

use crate::line::Dice;

/// Dice with more sides are not thrown at a table: their numbers would not survive every reader of JSON.
const MOST_SIDES: u64 = (1 << 53) - 1;

/// Faces from a roll key, written down.
#[derive(Debug)]
pub struct Throws {
    stream: Seeded,
    dice: Dice,
    left: u64,
    /// A die had too many sides.
    too_large: bool,
}

impl Throws {
    /// At most so many throws.
    pub fn new(key: [u8; 32], most: u64) -> Throws {
        Throws { stream: Seeded::from_key(key), dice: Vec::new(), left: most, too_large: false }
    }

    /// What was thrown.
    pub fn into_dice(self) -> Dice {
        self.dice
    }

    /// Whether the roll ended because a die had too many sides.
    pub(crate) fn is_too_large(&self) -> bool {
        self.too_large
    }
}

impl Faces for Throws {
    fn throw(&mut self, die: &DieFaces) -> Result<u64, FaultKind> {
        let sides = die.total();
        if sides > MOST_SIDES {
            self.too_large = true;
            return Err(FaultKind::OverBudget(Costly::Dice));
        }
        self.left = self.left.checked_sub(1).ok_or(FaultKind::OverBudget(Costly::Dice))?;
        let ticket = self.stream.ticket(sides);
        match self.dice.last_mut() {
            Some(run) if run[0] == sides => run.push(ticket + 1),
            _ => self.dice.push(vec![sides, ticket + 1]),
        }
        Ok(die.face_of(ticket))
    }
}

/// Whether these are the first throws of a stream, written as they should be: for programs that only another engine can run.
pub(crate) fn are_drawn(dice: &Dice, key: [u8; 32], most: u64) -> bool {
    let mut stream = Seeded::from_key(key);
    let count: usize = dice.iter().map(|run| run.len().saturating_sub(1)).sum();
    let apart = dice.windows(2).all(|pair| pair[0].first() != pair[1].first());
    let drawn = dice.iter().all(|run| match run.split_first() {
        Some((sides @ 1..=MOST_SIDES, shown)) if !shown.is_empty() => {
            shown.iter().all(|side| stream.ticket(*sides) + 1 == *side)
        }
        _ => false,
    });
    apart && drawn && count as u64 <= most
}
