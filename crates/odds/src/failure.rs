//! A fault and how likely it is.

use astragal_prob::pool::{Endlessness, PoolError};
use astragal_prob::{Meter, OverBudget, Rational};
use astragal_program::fault::{Costly, Fault, FaultKind, NeverStops};
use astragal_syntax::span::Span;

use crate::Budget;

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
    /// If it costs too much: how much was allowed.
    pub bill: Option<Box<Bill>>,
}

/// What was allowed, and what it would have taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bill {
    /// Steps of work, bytes, states or outcomes, as the fault says.
    pub allowed: u64,
    /// So many would be needed at least; none if it was used up bit by bit, with no end in sight.
    pub needed: Option<u64>,
    /// Of a play: how many places of it were found.
    pub places: Option<u64>,
    /// Of a play: how many of its calls wait for each other, if these are so many that there may be no end.
    pub waiting: Option<u64>,
}

impl Failure {
    /// What goes wrong somewhere, with its chance.
    pub fn new(kind: FaultKind, span: Span, chance: Rational) -> Failure {
        Failure { fault: kind.at(span), chance, lost: Rational::ZERO, bill: None }
    }

    /// The request itself is refused; no path of the program is to blame.
    pub fn refused(kind: FaultKind, span: Span) -> Failure {
        Failure::new(kind, span, Rational::ONE)
    }

    /// The same with what the budget allowed.
    pub fn billed(mut self, budget: &Budget, meter: &Meter) -> Failure {
        let FaultKind::OverBudget(part) = self.fault.kind else { return self };
        let allowed = match part {
            Costly::Work | Costly::Time => budget.steps,
            Costly::Memory => budget.memory,
            Costly::States => budget.states as u64,
            Costly::Outcomes => budget.outcomes as u64,
            // Dice are the budget of rolls.
            _ => return self,
        };
        // A small step beyond the end says nothing about how far it would have gone.
        let telling = |needed: &u64| *needed - allowed.min(*needed) > allowed / 8;
        let measured = matches!(part, Costly::Work | Costly::Memory);
        let needed = meter.refused().filter(|_| measured).filter(telling);
        let places = self.bill.as_ref().and_then(|bill| bill.places);
        let waiting = self.bill.as_ref().and_then(|bill| bill.waiting);
        self.bill = Some(Box::new(Bill { allowed, needed, places, waiting }));
        self
    }

    /// The same of a play of which so many places were found; and so many calls that wait for each other, if there may be no
    /// end of them.
    pub fn among_places(mut self, places: usize, waiting: Option<usize>) -> Failure {
        if self.fault.kind.is_over_budget() {
            let (places, waiting) = (Some(places as u64), waiting.map(|calls| calls as u64));
            let bill = Bill { allowed: 0, needed: None, places, waiting };
            self.bill = Some(Box::new(bill));
        }
        self
    }

    /// Whether going on to add up chances makes no sense.
    pub fn is_final(&self) -> bool {
        self.fault.kind.is_over_budget() || matches!(self.fault.kind, FaultKind::NotKnown)
    }

    /// Whether it is the same thing at the same place. A function that calls itself may get there by any number
    /// of calls.
    pub(crate) fn is_same(&self, other: &Failure) -> bool {
        self.fault.span == other.fault.span && self.fault.kind.code() == other.fault.kind.code()
    }
}

/// Says where something costs too much.
pub(crate) fn too_much(span: Span) -> impl Fn(OverBudget) -> Failure + Copy {
    move |refusal| Failure::refused(over_budget(refusal), span)
}

/// What the budget says, as a fault.
pub fn over_budget(refusal: OverBudget) -> FaultKind {
    match refusal {
        OverBudget::Steps => FaultKind::OverBudget(Costly::Work),
        OverBudget::Memory => FaultKind::OverBudget(Costly::Memory),
        OverBudget::Time => FaultKind::OverBudget(Costly::Time),
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
