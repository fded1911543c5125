//! The numbers of the crate, and the few questions that dice ask of them.
//!
//! Everything is exact: naturals for weights, integers inside algorithms, rationals at the edge.
//! The helpers exist because the big-number library panics where we must not (the greatest common
//! divisor of two zeros, a zero denominator).

use dashu_base::{BitTest, Gcd, UnsignedAbs};

/// A non-negative integer of any size.
pub type Natural = dashu_int::UBig;
/// An integer of any size.
pub type Integer = dashu_int::IBig;
/// An exact fraction, always reduced.
pub type Rational = dashu_ratio::RBig;

/// `numerator / denominator`; a zero denominator gives 0 and is the caller's mistake.
pub(crate) fn ratio(numerator: impl Into<Integer>, denominator: Natural) -> Rational {
    debug_assert!(!denominator.is_zero(), "a fraction has a denominator");
    if denominator.is_zero() {
        return Rational::ZERO;
    }
    Rational::from_parts(numerator.into(), denominator)
}

/// `dividend / divisor` of rationals; division by zero gives 0 and is the caller's mistake.
pub(crate) fn quotient(dividend: &Rational, divisor: &Rational) -> Rational {
    debug_assert!(!divisor.is_zero(), "a quotient has a divisor");
    if divisor.is_zero() { Rational::ZERO } else { dividend / divisor }
}

/// The greatest common divisor, with gcd(0, n) = n also for n = 0.
pub(crate) fn gcd(left: &Natural, right: &Natural) -> Natural {
    match (left.is_zero(), right.is_zero()) {
        (true, _) => right.clone(),
        (_, true) => left.clone(),
        _ => left.gcd(right),
    }
}

/// The least common multiple of two positive numbers.
pub(crate) fn lcm(left: &Natural, right: &Natural) -> Natural {
    let common = gcd(left, right);
    if common.is_zero() { Natural::ZERO } else { left / common * right }
}

/// The largest rational of which both arguments are whole multiples (0 if both are 0).
pub(crate) fn common_step(left: &Rational, right: &Rational) -> Rational {
    let (n, d) = (left.numerator(), Integer::from(left.denominator().clone()));
    let (m, e) = (right.numerator(), Integer::from(right.denominator().clone()));
    let top = gcd(&(n * &e).unsigned_abs(), &(m * &d).unsigned_abs());
    ratio(top, left.denominator() * right.denominator())
}

/// How many steps lead from 0 to `distance`, if it is a whole number that fits.
pub(crate) fn steps_in(distance: &Rational, step: &Rational) -> Option<i64> {
    let steps = quotient(distance, step);
    if steps.is_int() { i64::try_from(steps.numerator()).ok() } else { None }
}

/// A rational from a machine integer.
pub(crate) fn whole(value: i64) -> Rational {
    Rational::from(Integer::from(value))
}

/// A whole number of ordinary size: sums and products with a number of dice stay in a machine word.
pub(crate) fn to_i64(value: &Rational) -> Option<i64> {
    let whole = value.is_int().then(|| i32::try_from(value.numerator()).ok())?;
    whole.map(i64::from)
}

/// The size of a number in bits, for estimates.
pub(crate) fn bits(value: &Integer) -> usize {
    value.bit_len()
}

/// The absolute value as a natural number, consuming its argument.
pub(crate) fn magnitude(value: Integer) -> Natural {
    value.into_parts().1
}

/// A comparison between two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// Whether `left` compares so with `right`.
    pub fn holds<T: Ord>(self, left: &T, right: &T) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::Greater => left > right,
            Comparison::AtLeast => left >= right,
        }
    }

    /// The comparison that holds exactly where this one fails.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Comparison::Equal => Comparison::NotEqual,
            Comparison::NotEqual => Comparison::Equal,
            Comparison::Less => Comparison::AtLeast,
            Comparison::AtMost => Comparison::Greater,
            Comparison::Greater => Comparison::AtMost,
            Comparison::AtLeast => Comparison::Less,
        }
    }

    /// The comparison of the negated numbers: `a < b` is `-a > -b`.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::AtMost => Comparison::AtLeast,
            Comparison::Greater => Comparison::Less,
            Comparison::AtLeast => Comparison::AtMost,
            same @ (Comparison::Equal | Comparison::NotEqual) => same,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_step_of_a_half_and_a_third_is_a_sixth() {
        let half = ratio(1, 2u8.into());
        let third = ratio(1, 3u8.into());
        assert_eq!(common_step(&half, &third), ratio(1, 6u8.into()));
        assert_eq!(common_step(&Rational::ZERO, &third), third);
        assert_eq!(steps_in(&half, &ratio(1, 6u8.into())), Some(3));
        assert_eq!(steps_in(&half, &third), None);
    }
}
