//! Which dice are thrown together, since a walk goes over them side by side.
//!
//! ```text
//! let a = 10d6; let b = 10d6
//! [versus(a, b).wins, a cs=6]
//! ```
//!
//! Each of the two is bound before it is known that a walk looks at both. So dice are counted as they are laid on the
//! table, in the order of translation, which is always the same; where a walk is met that looks at dice of two throws,
//! these numbers are noted, and the translation begins anew with this knowledge.

/// Which dice belong together, by their numbers.
#[derive(Default)]
pub(super) struct Groups {
    /// Each with an earlier one that leads it.
    led: Vec<(usize, usize)>,
    /// How many were laid so far.
    laid: usize,
    /// By their numbers, in which throw dice are.
    throws: Vec<usize>,
    /// What was found out on the way.
    found: Vec<(usize, usize)>,
}

impl Groups {
    /// Dice are laid; the throw of those that lead them, if they are led.
    pub(super) fn lay(&mut self) -> Option<usize> {
        self.laid += 1;
        let number = self.laid - 1;
        let (_, leader) = self.led.iter().find(|(led, _)| *led == number)?;
        self.throws.get(*leader).copied()
    }

    /// The dice laid last are in this throw.
    pub(super) fn is_in(&mut self, throw: usize) {
        self.throws.resize(self.laid, throw);
    }

    /// Two throws should be one.
    pub(super) fn belong(&mut self, one: usize, other: usize) {
        let number = |throw| self.throws.iter().position(|known| *known == throw);
        if let (Some(one), Some(other)) = (number(one), number(other)) {
            self.found.push((one.max(other), one.min(other)));
        }
    }

    /// The same with what was found out; none if that is nothing.
    pub(super) fn joined(mut self) -> Option<Groups> {
        if self.found.is_empty() {
            return None;
        }
        for (led, leader) in std::mem::take(&mut self.found) {
            // Those that were led follow the new leader.
            for (_, known) in &mut self.led {
                if *known == led {
                    *known = leader;
                }
            }
            self.led.push((led, leader));
        }
        Some(Groups { led: self.led, ..Groups::default() })
    }
}
