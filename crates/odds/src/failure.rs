//! A fault and how likely it is.

use astragal_prob::pool::{Endlessness, PoolError};
use astragal_prob::{OverBudget, Rational};
use astragal_program::fault::{Costly, Fault, FaultKind, NeverStops};
use astragal_syntax::span::Span;

/// Some path of positive chance fails, so the program has no odds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// What goes wrong, and where.
    pub fault: Fault,
    /// The chance that it goes wrong there, by whatever calls.
    pub chance: Rational,
    /// That chance may be higher by so much, because some of what comes before had to be given up.
    pub lost: Rational,
}

impl Failure {
    pub(crate) fn new(kind: FaultKind, span: Span, chance: Rational) -> Failure {
        Failure { fault: kind.at(span), chance, lost: Rational::ZERO }
    }

    /// The request itself is refused; no path of the program is to blame.
    pub(crate) fn refused(kind: FaultKind, span: Span) -> Failure {
        Failure::new(kind, span, Rational::ONE)
    }

    /// Whether going on to add up chances makes no sense.
    pub(crate) fn is_final(&self) -> bool {
        self.fault.kind.is_over_budget() || matches!(self.fault.kind, FaultKind::NotKnown)
    }

    /// Whether it is the same thing at the same place. A function that calls itself may get there by any number
    /// of calls.
    pub(crate) fn is_same(&self, other: &Failure) -> bool {
        self.fault.span == other.fault.span && self.fault.kind.code() == other.fault.kind.code()
    }
}

/// What the budget says, as a fault.
pub(crate) fn over_budget(refusal: OverBudget) -> FaultKind {
    match refusal {
        OverBudget::Steps => FaultKind::OverBudget(Costly::Work),
        OverBudget::Cancelled => FaultKind::Cancelled,
        OverBudget::NotKnown => FaultKind::NotKnown,
    }
}

/// What a pool says, as a fault.
pub(crate) fn pool_fault(error: PoolError) -> FaultKind {
    match error {
        PoolError::OverBudget(refusal) => over_budget(refusal),
        PoolError::NeverStops(reason) => FaultKind::NeverStops(never_stops(reason)),
        PoolError::NoClosedForm => FaultKind::NotKnown,
        PoolError::TooFewDice => FaultKind::NoDice,
        // The checker refuses to throw again what cannot be thrown, and a bag is looked into before.
        PoolError::CannotThrow | PoolError::EmptyBag => FaultKind::NotKnown,
    }
}

pub(crate) fn never_stops(reason: Endlessness) -> NeverStops {
    match reason {
        Endlessness::EveryFaceExplodes => NeverStops::Explode,
        Endlessness::EveryFaceRerolls => NeverStops::Reroll,
        Endlessness::MoreDiceThanFaces => NeverStops::Unique,
    }
}
