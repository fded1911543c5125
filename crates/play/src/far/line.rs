//! Straight lines in a number `t` that has no end.

use astragal_prob::Rational;

/// `slope · t + at_zero`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) slope: Rational,
    pub(crate) at_zero: Rational,
}

impl Line {
    /// `t`
    pub(crate) fn t() -> Line {
        Line { slope: Rational::ONE, at_zero: Rational::ZERO }
    }

    pub(crate) fn constant(number: Rational) -> Line {
        Line { slope: Rational::ZERO, at_zero: number }
    }

    pub(crate) fn plus(&self, other: &Line) -> Line {
        Line { slope: &self.slope + &other.slope, at_zero: &self.at_zero + &other.at_zero }
    }

    pub(crate) fn minus(&self, other: &Line) -> Line {
        Line { slope: &self.slope - &other.slope, at_zero: &self.at_zero - &other.at_zero }
    }

    pub(crate) fn times(&self, factor: &Rational) -> Line {
        Line { slope: &self.slope * factor, at_zero: &self.at_zero * factor }
    }

    /// If it is the same for all `t`: that.
    pub(crate) fn as_constant(&self) -> Option<&Rational> {
        self.slope.is_zero().then_some(&self.at_zero)
    }

    /// The same line with another one in the place of `t`.
    pub(crate) fn at(&self, other: &Line) -> Line {
        let constant = Line::constant(self.at_zero.clone());
        other.times(&self.slope).plus(&constant)
    }

    /// Where it is 0, unless it is the same for all `t`.
    pub(crate) fn crosses(&self) -> Rational {
        -(&self.at_zero / &self.slope)
    }
}
