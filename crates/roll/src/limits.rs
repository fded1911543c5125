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
    /// Stops the roll when another thread sets it.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { dice: 100_000, steps: 5_000_000, cancel: None }
    }
}

/// How often the wish to cancel is looked at, in steps. A power of two.
const CANCEL_EVERY: u64 = 1 << 12;

/// Counts what a roll has cost so far.
pub(crate) struct Meter<'a> {
    limits: &'a Limits,
    dice: u64,
    steps: u64,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(limits: &'a Limits) -> Self {
        Meter { limits, dice: 0, steps: 0 }
    }

    /// One more step.
    pub(crate) fn step(&mut self) -> Result<(), FaultKind> {
        self.steps += 1;
        if self.steps > self.limits.steps {
            return Err(FaultKind::OverBudget(Costly::Work));
        }
        if self.steps & (CANCEL_EVERY - 1) == 0 {
            return self.cancelled();
        }
        Ok(())
    }

    /// As many steps at once as items are copied.
    pub(crate) fn items(&mut self, count: usize) -> Result<(), FaultKind> {
        self.steps = self.steps.saturating_add(count as u64);
        self.step()
    }

    /// One more die.
    pub(crate) fn die(&mut self) -> Result<(), FaultKind> {
        self.dice += 1;
        if self.dice > self.limits.dice {
            return Err(FaultKind::OverBudget(Costly::Dice));
        }
        if self.dice & (CANCEL_EVERY - 1) == 0 {
            return self.cancelled();
        }
        Ok(())
    }

    /// Refuses a pool that would not fit before its first die is thrown.
    pub(crate) fn expect_dice(&self, count: u64) -> Result<(), FaultKind> {
        if count > self.limits.dice.saturating_sub(self.dice) {
            return Err(FaultKind::OverBudget(Costly::Dice));
        }
        Ok(())
    }

    fn cancelled(&self) -> Result<(), FaultKind> {
        match &self.limits.cancel {
            Some(flag) if flag.load(Ordering::Relaxed) => Err(FaultKind::Cancelled),
            _ => Ok(()),
        }
    }
}
