//! Odds within the odds: what is known of a number before it is thrown.
//!
//! `mean(d6 + x)` depends on `x` and on nothing else that is thrown. So `x` is decided, the law of `d6 + x` is worked
//! out as that of a repeated roll is, and what is told of it is a finished number. Where the law is known only within
//! bounds, so is the number, and the request is refused.

use astragal_prob::{Comparison, Law, Rational};
use astragal_program::core::Measure;
use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};

use super::call::weigh;
use super::decide::{Turn, pop_number};
use super::{Live, Machine, Outcome};
use crate::failure::{Failure, over_budget};
use crate::plan::Node;
use crate::state::{States, Sym};

impl<'p> Machine<'p> {
    pub(super) fn measured(
        &mut self,
        measure: Measure,
        percent: Option<&'p Node>,
        of: &'p Node,
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let states = match percent {
            Some(percent) => {
                let states = self.run(percent, states, &live.and(of))?;
                self.decided(states, 1, span)?
            }
            None => states,
        };
        let states = self.with_locals_decided(of, &[], states, span)?;
        self.each(states, span, |machine, mut state, turn| {
            let (law, aside) = machine.law_of_part(of, &state, span)?;
            super::forget(&mut state, live);
            let percent = percent.map(|_| pop_number(&mut state));
            // What can fail has no odds, and so no mean; what never counts has none either.
            let stays = aside.failed.is_empty();
            let nothing_left = |left: &Failure| left.chance == Rational::ONE;
            let never = aside.rejected.iter().filter(|left| nothing_left(left));
            if let Some(failure) = aside.failed.iter().chain(never).next() {
                let chance = if stays { failure.chance.clone() } else { Rational::ONE };
                let failure = Failure { chance, ..failure.clone() };
                return Err(weigh(failure, turn.weight, None));
            }
            let number = machine.told_of(&law, measure, percent, turn)?;
            turn.push(state, Sym::Value(Value::Number(number)));
            Ok(())
        })
    }

    fn told_of(
        &mut self,
        law: &Law,
        measure: Measure,
        percent: Option<Number>,
        turn: &Turn<'_>,
    ) -> Result<Number, Failure> {
        let size = law.support_size().unwrap_or(64) as u64;
        self.pay(size.saturating_mul(4), turn.span)?;
        let number = match (measure, percent) {
            (Measure::Percentile, percent) => {
                return self.percentile(law, &percent.unwrap_or(Number::ZERO), turn);
            }
            (Measure::Mean, _) => law.mean(),
            (Measure::Variance | Measure::Deviation, _) => law.variance(),
        };
        let number = Number::bounded(number).map_err(|error| turn.fails(error.into()))?;
        Ok(if measure == Measure::Deviation { number.root() } else { number })
    }

    /// The least value that is not exceeded with so many percent.
    fn percentile(
        &mut self,
        law: &Law,
        percent: &Number,
        turn: &Turn<'_>,
    ) -> Result<Number, Failure> {
        let none = || turn.fails(FaultKind::BadPercent(percent.clone()));
        let wanted = percent.to_rational() / Rational::from(100u8);
        let beyond = Rational::ONE - &wanted;
        if wanted < Rational::ZERO || beyond < Rational::ZERO {
            return Err(none());
        }
        let both = |law: &Law, chance: &Rational, end: Option<Rational>| match end {
            Some(end) if chance.is_zero() && law.is_endless() => Some(end),
            _ => None,
        };
        if let Some(end) = both(law, &wanted, law.lowest()).or(both(law, &beyond, law.highest())) {
            return Number::bounded(end).map_err(|error| turn.fails(error.into()));
        }
        let least = if wanted < beyond { &wanted } else { &beyond };
        if law.is_endless() && least.is_zero() {
            return Err(none());
        }
        let refuse = |over| Failure::refused(over_budget(over), turn.span);
        let listing =
            law.listing(&(least / Rational::from(2u8)), None, self.meter).map_err(refuse)?;
        let Some((first, _)) = listing.outcomes.first() else { return Err(none()) };
        let mut so_far = law.compare(Comparison::Less, first, self.meter).map_err(refuse)?;
        for (value, chance) in &listing.outcomes {
            self.pay(20, turn.span)?;
            so_far += chance;
            if so_far >= wanted {
                return Number::bounded(value.clone()).map_err(|error| turn.fails(error.into()));
            }
        }
        Err(none())
    }
}
