//! Numbers that are known between two sums of letters, none of which is negative.

use astragal_prob::Rational;
use astragal_value::Op;

use super::affine::{Affine, Letter};

/// Between which sums of letters a number lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) low: Affine,
    pub(crate) high: Affine,
}

/// On which sides of 0 a number may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sides {
    pub(crate) below: bool,
    pub(crate) at: bool,
    pub(crate) above: bool,
}

impl Range {
    /// Exactly this.
    pub(crate) fn exactly(form: Affine) -> Range {
        Range { low: form.clone(), high: form }
    }

    pub(crate) fn constant(number: Rational) -> Range {
        Range::exactly(Affine::constant(number))
    }

    pub(crate) fn between(low: Rational, high: Rational) -> Range {
        Range { low: Affine::constant(low), high: Affine::constant(high) }
    }

    /// What it is, if that is known exactly.
    pub(crate) fn exact(&self) -> Option<&Affine> {
        (self.low == self.high).then_some(&self.low)
    }

    /// If it is known exactly and there is no letter in it: the number.
    pub(crate) fn as_constant(&self) -> Option<&Rational> {
        self.exact().and_then(Affine::as_constant)
    }

    pub(crate) fn plus(&self, other: &Range) -> Range {
        Range { low: self.low.plus(&other.low), high: self.high.plus(&other.high) }
    }

    pub(crate) fn minus(&self, other: &Range) -> Range {
        Range { low: self.low.minus(&other.high), high: self.high.minus(&other.low) }
    }

    pub(crate) fn times(&self, factor: &Rational) -> Range {
        let (low, high) = (self.low.times(factor), self.high.times(factor));
        if *factor < Rational::ZERO { Range { low: high, high: low } } else { Range { low, high } }
    }

    /// One of both.
    pub(crate) fn or(&self, other: &Range) -> Range {
        Range { low: self.low.lower(&other.low), high: self.high.upper(&other.high) }
    }

    /// The greater of both.
    pub(crate) fn max(&self, other: &Range, of_difference: Sides) -> Range {
        match of_difference {
            Sides { below: false, .. } => self.clone(),
            Sides { above: false, .. } => other.clone(),
            _ => {
                let first = self.low.at_zero() >= other.low.at_zero();
                let low = if first { &self.low } else { &other.low };
                Range { low: low.clone(), high: self.high.upper(&other.high) }
            }
        }
    }

    /// The lesser of both.
    pub(crate) fn min(&self, other: &Range, of_difference: Sides) -> Range {
        let turned =
            Sides { below: of_difference.above, above: of_difference.below, ..of_difference };
        let minus = -Rational::ONE;
        self.times(&minus).max(&other.times(&minus), turned).times(&minus)
    }

    /// The same with what a letter is in the mean in its place.
    pub(crate) fn with(&self, letter: Letter, mean: &Affine) -> Range {
        Range { low: self.low.with(letter, mean), high: self.high.with(letter, mean) }
    }

    /// What is rounded is near to what it was.
    pub(crate) fn rounded(&self, op: Op) -> Option<Range> {
        let (down, up) = match op {
            Op::Floor => (1, 0),
            Op::Ceil => (0, 1),
            Op::Round => (1, 1),
            _ => return None,
        };
        let by = |number: i64| Affine::constant(Rational::from(number));
        Some(Range { low: self.low.minus(&by(down)), high: self.high.plus(&by(up)) })
    }

    /// On which sides of 0 it may be wherever no letter is negative.
    pub(crate) fn sides(&self) -> Sides {
        let minus = -Rational::ONE;
        let is_zero = self.as_constant().is_some_and(Rational::is_zero);
        Sides {
            below: !self.low.is_never_negative(),
            at: is_zero || !(self.low.is_positive() || self.high.times(&minus).is_positive()),
            above: !self.high.times(&minus).is_never_negative(),
        }
    }
}
