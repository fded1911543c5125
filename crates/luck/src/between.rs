//! A number that is known, or between what it lies.

use std::ops::{Add, AddAssign};

use astragal::Rational;

/// From one number to another, both included; equal where it is known exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Between {
    /// It is at least this.
    pub from: Rational,
    /// It is at most this.
    pub to: Rational,
}

impl Between {
    /// Known exactly.
    pub fn exactly(number: Rational) -> Between {
        Between { from: number.clone(), to: number }
    }

    /// From a number to as much more.
    pub(crate) fn and_up_to(from: Rational, more: &Rational) -> Between {
        Between { to: &from + more, from }
    }

    /// Nothing.
    pub fn zero() -> Between {
        Between::exactly(Rational::ZERO)
    }

    /// The number, if it is known exactly.
    pub fn exact(&self) -> Option<&Rational> {
        (self.from == self.to).then_some(&self.from)
    }

    /// The number in the middle: what to show where both ends look alike.
    pub fn middle(&self) -> Rational {
        (&self.from + &self.to) / Rational::from(2u8)
    }
}

impl Add<&Between> for Between {
    type Output = Between;

    fn add(self, other: &Between) -> Between {
        Between { from: self.from + &other.from, to: self.to + &other.to }
    }
}

impl AddAssign<&Between> for Between {
    fn add_assign(&mut self, other: &Between) {
        self.from += &other.from;
        self.to += &other.to;
    }
}
