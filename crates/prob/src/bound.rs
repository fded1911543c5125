//! Between which numbers something lies.
//!
//! With `x + y <= 80` and both of them at least 2, `x` is at most 78: what is known of a sum bounds its terms.

use crate::form::Form;
use crate::law::Law;
use crate::meter::{Meter, OverBudget};
use crate::number::Rational;
use crate::weighted::Weighted;

/// The least and the greatest number; none on a side without an end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bound {
    /// The least.
    pub low: Option<Rational>,
    /// The greatest.
    pub high: Option<Rational>,
}

impl Bound {
    /// All that a number with this law may be.
    pub fn of_law(law: &Law) -> Bound {
        Bound { low: law.lowest(), high: law.highest() }
    }

    /// A single number.
    pub fn at(number: &Rational) -> Bound {
        Bound { low: Some(number.clone()), high: Some(number.clone()) }
    }

    /// Whether a number lies within.
    #[inline]
    pub fn holds(&self, value: &Rational) -> bool {
        self.low.as_ref().is_none_or(|low| low <= value)
            && self.high.as_ref().is_none_or(|high| value <= high)
    }

    /// Whether every number lies within.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.low.is_none() && self.high.is_none()
    }

    /// The bound of a multiple.
    #[must_use]
    pub fn times(&self, factor: &Rational) -> Bound {
        let multiple = |end: &Option<Rational>| end.as_ref().map(|end| end * factor);
        let (low, high) = (multiple(&self.low), multiple(&self.high));
        if *factor < Rational::ZERO { Bound { low: high, high: low } } else { Bound { low, high } }
    }

    /// The bound of a sum.
    #[must_use]
    pub fn plus(&self, other: &Bound) -> Bound {
        let sum = |a: &Option<Rational>, b: &Option<Rational>| Some(a.as_ref()? + b.as_ref()?);
        Bound { low: sum(&self.low, &other.low), high: sum(&self.high, &other.high) }
    }

    /// Moves the ends out to those of another one, where that has any.
    pub fn widen(&mut self, other: Bound) {
        let further = |known: &mut Option<Rational>, end: Option<Rational>, down: bool| {
            let Some(end) = end else { return };
            let beyond = |known: &Rational| if down { end < *known } else { end > *known };
            if known.as_ref().is_none_or(beyond) {
                *known = Some(end);
            }
        };
        further(&mut self.low, other.low, true);
        further(&mut self.high, other.high, false);
    }

    /// Draws the ends together; whether that changed anything.
    pub fn narrow(&mut self, other: Bound) -> bool {
        let low = other.low.filter(|end| self.low.as_ref().is_none_or(|known| end > known));
        let high = other.high.filter(|end| self.high.as_ref().is_none_or(|known| end < known));
        let changed = low.is_some() || high.is_some();
        self.low = low.or(self.low.take());
        self.high = high.or(self.high.take());
        changed
    }

    /// Draws the ranges of variables together, while these numbers stay within their bounds. What is learned of one
    /// variable bounds the next: each round goes one variable further.
    pub fn narrow_all(
        ranges: &mut [Bound],
        numbers: &[(&Form, &Bound)],
        rounds: usize,
        meter: &Meter,
    ) -> Result<(), OverBudget> {
        let cost = numbers.iter().map(|(form, _)| (form.terms.len() as u64).saturating_pow(2));
        let cost = cost.fold(0, u64::saturating_add);
        for _ in 0..rounds {
            meter.charge(cost)?;
            let mut changed = false;
            for (form, bound) in numbers {
                for (at, (var, factor)) in form.terms.iter().enumerate() {
                    let others = form.terms.iter().enumerate().filter(|(other, _)| *other != at);
                    let less = bound.plus(&Bound::at(&-&form.constant));
                    let room = others.fold(less, |room, (_, (var, factor))| {
                        room.plus(&ranges[var.0 as usize].times(&-factor))
                    });
                    let room = room.times(&(Rational::ONE / factor));
                    changed |= ranges[var.0 as usize].narrow(room);
                }
            }
            if !changed {
                break;
            }
        }
        Ok(())
    }
}

impl Law {
    /// The values within a range, and the chance of those that had to be given up: on a side that is endless and without
    /// a bound, less than one in a `window`.
    pub fn cut(
        &self,
        range: &Bound,
        window: u64,
        meter: &Meter,
    ) -> Result<(Weighted<Rational>, Rational), OverBudget> {
        let (low, high) = (range.low.as_ref(), range.high.as_ref());
        if !self.is_endless() || (low.is_some() && high.is_some()) {
            return Ok((self.within(low, high, meter)?, Rational::ZERO));
        }
        let sliver = Rational::ONE / Rational::from(window);
        let listing = self.listing(&sliver, None, meter)?;
        let first = listing.outcomes.first().map(|(value, _)| value);
        let last = listing.outcomes.last().map(|(value, _)| value);
        Ok((self.within(low.or(first), high.or(last), meter)?, listing.rest))
    }

    /// How far it is listed on the sides where it is endless, until the rest is small.
    pub fn listed_ends(
        &self,
        rest_below: &Rational,
        until: Option<&Rational>,
        meter: &Meter,
    ) -> Result<Bound, OverBudget> {
        let listing = self.listing(rest_below, until, meter)?;
        let (first, last) = (listing.outcomes.first(), listing.outcomes.last());
        let end = |end: Option<&(Rational, Rational)>| end.map(|(value, _)| value.clone());
        Ok(Bound {
            low: end(first.filter(|_| self.lowest().is_none())),
            high: end(last.filter(|_| self.highest().is_none())),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Var;
    use crate::law::tests::{d, d6_again, fraction, whole};

    #[test]
    fn a_sum_bounds_its_terms() {
        let at_least = |n| Bound { low: Some(whole(n)), high: None };
        let sum = Form::variable(Var(0)).plus(&Form::variable(Var(1)));
        let below = Bound { low: None, high: Some(whole(80)) };
        let mut ranges = [at_least(2), at_least(2)];
        let meter = Meter::unlimited();
        Bound::narrow_all(&mut ranges, &[(&sum, &below)], 4, &meter).unwrap();
        assert_eq!(ranges[0], Bound { low: Some(whole(2)), high: Some(whole(78)) });
        assert_eq!(ranges[1], ranges[0]);
    }

    #[test]
    fn only_what_is_endless_is_given_up() {
        let (meter, sliver) = (Meter::unlimited(), fraction(1, 1000));
        let (values, lost) = d(6).cut(&Bound::at(&whole(3)), 1000, &meter).unwrap();
        assert_eq!((values.outcomes.len(), lost), (1, whole(0)));
        let (_, lost) = d6_again().cut(&Bound::default(), 1000, &meter).unwrap();
        assert!(lost > whole(0) && lost < sliver);
        let ends = d6_again().listed_ends(&sliver, None, &meter).unwrap();
        assert!(ends.low.is_none() && ends.high.is_some());
    }
}
