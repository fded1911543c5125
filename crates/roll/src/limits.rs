//! What one roll may cost.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use astragal_program::core::{Expr, Function, LocalId, Measure, Program};
use astragal_program::fault::{Costly, Fault, FaultKind};
use astragal_program::points::GraphId;
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};

use crate::player::Player;

/// The budget of one roll.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// The most dice that may be thrown.
    pub dice: u64,
    /// The most steps that may be taken; a step is one form of the core language, or one item copied.
    pub steps: u64,
    /// The most times a program is thrown until its evidence holds.
    pub attempts: u64,
    /// Stops the roll when another thread sets it.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Who knows the odds, for programs that ask for some; without, they cannot be rolled.
    pub odds: Option<Odds>,
    /// Who decides, for programs in which somebody does; without, they cannot be rolled.
    pub player: Option<Arc<dyn Player>>,
}

/// Works out what is known of a number before it is thrown.
pub type Odds = fn(Asked<'_>) -> Result<Told, Fault>;

/// A measure of a number, where it is met in a roll.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// The program.
    pub program: &'a Program,
    /// The host's values.
    pub inputs: &'a [Option<Value>],
    /// The function in which the measure stands.
    pub function: &'a Function,
    /// The measure.
    pub what: Measured<'a>,
    /// Where it is written.
    pub span: Span,
    /// Which percentile.
    pub percent: Option<Number>,
    /// What is known by now.
    pub known: Vec<(LocalId, Known)>,
    /// The steps that it may take.
    pub steps: u64,
    /// Stops the work when another thread sets it.
    pub cancel: Option<Arc<AtomicBool>>,
}

/// What a variable holds.
#[derive(Clone, Debug)]
pub enum Known {
    /// A value.
    Value(Value),
    /// What the dice on the table show.
    Dice(Vec<Number>),
}

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub enum Measured<'a> {
    /// A form of the language that measures something.
    Form(&'a Expr),
    /// Something that is played, by its graph.
    Played(Measure, GraphId),
}

/// What is known of a number, and the steps that it took to know it.
#[derive(Clone, Debug)]
pub struct Told {
    /// What was asked for.
    pub number: Number,
    /// Steps, as a roll counts them.
    pub steps: u64,
}

impl Limits {
    /// What a roll may cost if nobody says otherwise.
    pub const USUAL: Limits = Limits {
        dice: 100_000,
        steps: 5_000_000,
        attempts: 100_000,
        cancel: None,
        odds: None,
        player: None,
    };

    /// The same limits with so many dice.
    #[must_use]
    pub const fn with_dice(mut self, dice: u64) -> Limits {
        self.dice = dice;
        self
    }

    /// The same limits with so many steps.
    #[must_use]
    pub const fn with_steps(mut self, steps: u64) -> Limits {
        self.steps = steps;
        self
    }

    /// The same limits with so many attempts.
    #[must_use]
    pub const fn with_attempts(mut self, attempts: u64) -> Limits {
        self.attempts = attempts;
        self
    }

    /// The same limits; programs that ask for odds are told them by this.
    #[must_use]
    pub const fn with_odds(mut self, odds: Odds) -> Limits {
        self.odds = Some(odds);
        self
    }

    /// The same limits; this is who decides.
    #[must_use]
    pub fn with_player(mut self, player: Arc<dyn Player>) -> Limits {
        self.player = Some(player);
        self
    }

    /// The same limits; the roll stops when another thread sets the flag.
    #[must_use]
    pub fn with_cancel(mut self, flag: Arc<AtomicBool>) -> Limits {
        self.cancel = Some(flag);
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::USUAL
    }
}

/// How often the wish to cancel is looked at, in steps and in dice.
const LOOK_EVERY: u64 = 1 << 12;

/// Counts what a roll has cost so far.
pub(crate) struct Meter<'a> {
    limits: &'a Limits,
    dice: u64,
    steps: u64,
    /// When steps and dice are next looked at in earnest: at the limit, or to see whether to cancel.
    stop_steps: u64,
    stop_dice: u64,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(limits: &'a Limits) -> Self {
        // Who cannot cancel need not be asked on the way.
        let (stop_steps, stop_dice) = match limits.cancel {
            Some(_) => (0, 0),
            None => (limits.steps, limits.dice),
        };
        Meter { limits, dice: 0, steps: 0, stop_steps, stop_dice }
    }

    /// Whether a program whose evidence has failed so often may be thrown again.
    pub(crate) fn may_try_again(&self, attempts: u64) -> bool {
        attempts < self.limits.attempts
    }

    /// How many dice have been thrown.
    pub(crate) fn dice_so_far(&self) -> u64 {
        self.dice
    }

    pub(crate) fn odds(&self) -> Option<Odds> {
        self.limits.odds
    }

    pub(crate) fn player(&self) -> Option<Arc<dyn Player>> {
        self.limits.player.clone()
    }

    pub(crate) fn cancel(&self) -> Option<Arc<AtomicBool>> {
        self.limits.cancel.clone()
    }

    pub(crate) fn steps_left(&self) -> u64 {
        self.limits.steps.saturating_sub(self.steps)
    }

    pub(crate) fn most_steps(&self) -> usize {
        usize::try_from(self.limits.steps).unwrap_or(usize::MAX)
    }

    pub(crate) fn most_dice(&self) -> u64 {
        self.limits.dice
    }

    /// One more step at this place.
    #[inline]
    pub(crate) fn step(&mut self, span: Span) -> Result<(), Box<Fault>> {
        self.items(0, span)
    }

    /// One more step, and so many more: items copied, digits computed.
    #[inline]
    pub(crate) fn items(&mut self, count: usize, span: Span) -> Result<(), Box<Fault>> {
        self.steps = self.steps.saturating_add(count as u64).saturating_add(1);
        if self.steps <= self.stop_steps { Ok(()) } else { self.look(span) }
    }

    /// So many more dice.
    #[inline]
    pub(crate) fn dice(&mut self, count: u64, span: Span) -> Result<(), Box<Fault>> {
        self.dice = self.dice.saturating_add(count);
        if self.dice <= self.stop_dice { Ok(()) } else { self.look(span) }
    }

    /// Refuses a pool that would not fit before its first die is thrown.
    #[inline]
    pub(crate) fn expect_dice(&self, count: u64, span: Span) -> Result<(), Box<Fault>> {
        if count > self.limits.dice.saturating_sub(self.dice) {
            return Err(Box::new(FaultKind::OverBudget(Costly::Dice).at(span)));
        }
        Ok(())
    }

    #[cold]
    fn look(&mut self, span: Span) -> Result<(), Box<Fault>> {
        let fault = |kind: FaultKind| Err(Box::new(kind.at(span)));
        if self.steps > self.limits.steps {
            return fault(FaultKind::OverBudget(Costly::Work));
        }
        if self.dice > self.limits.dice {
            return fault(FaultKind::OverBudget(Costly::Dice));
        }
        self.stop_steps = self.steps.saturating_add(LOOK_EVERY).min(self.limits.steps);
        self.stop_dice = self.dice.saturating_add(LOOK_EVERY).min(self.limits.dice);
        match &self.limits.cancel {
            Some(flag) if flag.load(Ordering::Relaxed) => fault(FaultKind::Cancelled),
            _ => Ok(()),
        }
    }
}
