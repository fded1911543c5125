//! What one roll may cost.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use astragal_program::fault::{Costly, FaultKind};

/// The budget of one roll.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The most dice that may be thrown.
    pub dice: u64,
    /// The most steps that may be taken; a step is one form of the core language, or one item copied.
    pub steps: u64,
    /// The most times a program is thrown until its evidence holds.
    pub attempts: u64,
    /// Stops the roll when another thread sets it.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { dice: 100_000, steps: 5_000_000, attempts: 100_000, cancel: None }
    }
}

/// How often the wish to cancel is looked at, in steps and in dice.
const LOOK_EVERY: u64 = 1 << 12;

/// Counts what a roll has cost so far.
pub(crate) struct Meter<'a> {
    limits: &'a Limits,
    dice: u64,
    steps: u64,
    /// When the wish to cancel is looked at next, in steps and in dice.
    look_at: u64,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(limits: &'a Limits) -> Self {
        Meter { limits, dice: 0, steps: 0, look_at: 0 }
    }

    /// Whether a program whose evidence has failed so often may be thrown again.
    pub(crate) fn may_try_again(&self, attempts: u64) -> bool {
        attempts < self.limits.attempts
    }

    /// One more step.
    pub(crate) fn step(&mut self) -> Result<(), FaultKind> {
        self.steps += 1;
        if self.steps > self.limits.steps {
            return Err(FaultKind::OverBudget(Costly::Work));
        }
        self.look()
    }

    /// So many steps at once: items copied, digits computed.
    pub(crate) fn items(&mut self, count: usize) -> Result<(), FaultKind> {
        self.steps = self.steps.saturating_add(count as u64);
        self.step()
    }

    /// So many more dice.
    pub(crate) fn dice(&mut self, count: u64) -> Result<(), FaultKind> {
        self.dice = self.dice.saturating_add(count);
        if self.dice > self.limits.dice {
            return Err(FaultKind::OverBudget(Costly::Dice));
        }
        self.look()
    }

    /// Refuses a pool that would not fit before its first die is thrown.
    pub(crate) fn expect_dice(&self, count: u64) -> Result<(), FaultKind> {
        if count > self.limits.dice.saturating_sub(self.dice) {
            return Err(FaultKind::OverBudget(Costly::Dice));
        }
        Ok(())
    }

    fn look(&mut self) -> Result<(), FaultKind> {
        if self.steps.saturating_add(self.dice) < self.look_at {
            return Ok(());
        }
        self.look_at = self.steps.saturating_add(self.dice).saturating_add(LOOK_EVERY);
        match &self.limits.cancel {
            Some(flag) if flag.load(Ordering::Relaxed) => Err(FaultKind::Cancelled),
            _ => Ok(()),
        }
    }
}
