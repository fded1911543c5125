//! Steps and their count.

use std::fmt;
use std::ops::AddAssign;

use crate::say;

/// One step of a chore.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) run: fn() -> Outcome,
}

/// How a step went.
#[allow(dead_code, reason = "the first step that can be skipped comes with the page")]
pub(crate) enum Outcome {
    /// It ran.
    Ran(Tally),
    /// It cannot run here: why, and how to get what is missing.
    Skipped { why: &'static str, cure: &'static str },
}

/// How many tests went how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
}

impl Step {
    /// Runs the step; says so if it was skipped.
    pub(crate) fn take(&self) -> Tally {
        match (self.run)() {
            Outcome::Ran(tally) => tally,
            Outcome::Skipped { why, cure } => {
                say(&format!("SKIPPED: {} ({why}: {cure})", self.name));
                Tally { skipped: 1, ..Tally::default() }
            }
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { passed, failed, skipped } = self;
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skipped_step_counts_once() {
        let step = Step { name: "x", run: || Outcome::Skipped { why: "no node", cure: "install it" } };
        assert_eq!(step.take().to_string(), "0 passed, 0 failed, 1 skipped");
    }
}
