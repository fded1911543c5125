//! The dice of a roll: stream v2, and a record of what was drawn from it.

use astragal_program::fault::{Costly, FaultKind};
use astragal_roll::{DieFaces, Faces, Seeded};

use crate::drawn::MOST_SIDES;
use crate::line::Dice;

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
