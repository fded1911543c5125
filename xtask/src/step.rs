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
                say(&self.skipped(why, cure));
                Tally { skipped: 1, ..Tally::default() }
            }
        }
    }

    fn skipped(&self, why: &str, cure: &str) -> String {
        format!("SKIPPED: {} ({why}: {cure})", self.name)
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
    fn a_skipped_step_says_what_why_and_how_to_cure_it() {
        let step = Step { name: "page", run: || Outcome::Ran(Tally::default()) };
        let said = step.skipped("no Node", "apt-get install nodejs");
        assert_eq!(said, "SKIPPED: page (no Node: apt-get install nodejs)");
    }

    #[test]
    fn tallies_add_up() {
        let mut tally = Tally { passed: 1, failed: 2, skipped: 3 };
        tally += tally;
        assert_eq!(tally.to_string(), "2 passed, 4 failed, 6 skipped");
    }
}
