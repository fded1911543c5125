//! Steps and their count.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::ops::AddAssign;
use std::process::{Command, Stdio};

use crate::say;
use crate::tools::{Missing, Trouble};

/// One step of a chore.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) run: fn() -> Outcome,
}

/// How a step went.
pub(crate) enum Outcome {
    /// It ran.
    Ran(Tally),
    /// It cannot run here: why, and how to get what is missing.
    Skipped(Missing),
}

/// How many tests went how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
}

impl Tally {
    pub(crate) const PASSED: Tally = Tally { passed: 1, failed: 0, skipped: 0 };
    pub(crate) const FAILED: Tally = Tally { passed: 0, failed: 1, skipped: 0 };

    /// Runs tests, shows what they print, and counts it line by line.
    pub(crate) fn of(
        command: &mut Command,
        mut counted: impl FnMut(&str) -> Option<Tally>,
    ) -> Tally {
        let name = command.get_program().to_string_lossy().into_owned();
        let mut child = match command.stdout(Stdio::piped()).spawn() {
            Ok(child) => child,
            Err(error) => {
                say(&format!("{name} does not start: {error}"));
                return Tally::FAILED;
            }
        };
        let mut tally = Tally::default();
        if let Some(output) = child.stdout.take() {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                tally += counted(&line).unwrap_or_default();
                say(&line);
            }
        }
        let went_well = child.wait().is_ok_and(|status| status.success());
        if !went_well && tally.failed == 0 {
            // Something did not even start, or died on the way.
            tally += Tally::FAILED;
        }
        tally
    }
}

impl Step {
    /// Runs the step; says so if it was skipped.
    pub(crate) fn take(&self) -> Tally {
        match (self.run)() {
            Outcome::Ran(tally) => tally,
            Outcome::Skipped(missing) => {
                say(&self.skipped(&missing));
                Tally { skipped: 1, ..Tally::default() }
            }
        }
    }

    fn skipped(&self, missing: &Missing) -> String {
        skipped(self.name, missing)
    }
}

fn skipped(name: &str, Missing { why, cure }: &Missing) -> String {
    format!("SKIPPED: {name} ({why}: {cure})")
}

/// How a part of a chore went, said and counted.
pub(crate) fn told(name: &str, went: Result<(), Trouble>) -> Tally {
    match went {
        Ok(()) => {
            say(&format!("ok: {name}"));
            Tally::PASSED
        }
        Err(Trouble::Missing(missing)) => {
            say(&skipped(name, &missing));
            Tally { skipped: 1, ..Tally::default() }
        }
        Err(Trouble::Failed(why)) => {
            say(&format!("FAILED: {name}: {why}"));
            Tally::FAILED
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
    fn a_skipped_step_says_what_why_and_how_to_cure_it() {
        let step = Step { name: "page", run: || Outcome::Ran(Tally::default()) };
        let missing = Missing { why: "no chromium", cure: "apt-get install chromium" };
        let said = step.skipped(&missing);
        assert_eq!(said, "SKIPPED: page (no chromium: apt-get install chromium)");
    }

    #[test]
    fn tallies_add_up() {
        let mut tally = Tally { passed: 1, failed: 2, skipped: 3 };
        tally += tally;
        assert_eq!(tally.to_string(), "2 passed, 4 failed, 6 skipped");
    }
}
