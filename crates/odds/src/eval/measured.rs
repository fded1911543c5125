//! Odds within the odds: what is known of a number before it is thrown.
//!
//! `mean(d6 + x)` depends on `x` and on nothing else that is thrown. So `x` is decided, the law of `d6 + x` is worked
//! out as that of a repeated roll is, and what is told of it is a finished number. Where the law is known only within
//! bounds, so is the number, and the request is refused.

use astragal_prob::{Law, Rational};
use astragal_program::core::Measure;
use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};

use super::call::weigh;
use super::decide::{Turn, pop_number};
use super::judged::Must;
use super::{Live, Machine, Outcome};
use crate::failure::{Failure, too_much};
use crate::plan::Node;
use crate::state::{States, Sym};

impl<'p> Machine<'p> {
    #[inline(never)]
    pub(super) fn measured(
        &mut self,
        measure: Measure,
        percent: Option<&'p Node>,
        of: &'p Node,
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let parts = percent.map(|percent| (percent, Must::Anything));
        let states = self.run_parts(parts.as_slice(), states, &live.and(of))?;
        let states = self.decided(states, parts.as_slice().len(), span)?;
        let states = self.with_locals_decided(of, &[], states, span)?;
        self.each(states, span, |machine, mut state, turn| {
            let (law, aside) = machine.law_of_part(of, &state, span)?;
            super::forget(&mut state, live);
            let percent = percent.map(|_| pop_number(&mut state));
            // What can fail has no odds, and so no mean; what never counts has none either.
            let never = aside.rejected.iter().filter(|left| left.chance == Rational::ONE);
            if let Some(failure) = aside.failed.iter().chain(never).next().cloned() {
                let failure = Failure { chance: Rational::ONE, ..failure };
                return Err(weigh(failure, turn.weight, None));
            }
            let number = machine.told_of(&law, measure, percent, turn)?;
            turn.push(state, Sym::Value(Value::Number(number)))
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
        let number = match measure {
            Measure::Mean => law.mean(),
            Measure::Variance | Measure::Deviation => law.variance(),
            Measure::Percentile => {
                let percent = percent.unwrap_or(Number::ZERO);
                let chance = percent.to_rational() / Rational::from(100u8);
                let found = law.percentile(&chance, self.meter).map_err(too_much(turn.span))?;
                found.ok_or_else(|| turn.fails(FaultKind::BadPercent(percent)))?
            }
        };
        let number = Number::bounded(number).map_err(|error| turn.fails(error.into()))?;
        Ok(if measure == Measure::Deviation { number.root() } else { number })
    }
}
