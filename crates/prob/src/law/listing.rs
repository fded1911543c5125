//! A law written out: every outcome that matters, and the exact chance of the rest.
//!
//! Finite laws are listed whole. An endless law is listed over a window that grows until what lies
//! beyond is small enough, and is then cut back as far as it stays so; a law that runs both ways
//! gives up the less likely end first, so that the window settles around the middle.

use super::{Endless, Law};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Natural, Rational};
use dashu_base::UnsignedAbs;

/// Outcomes in ascending order with their exact chances, and the exact chance of all others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing {
    /// Every listed outcome has a positive chance.
    pub outcomes: Vec<(Rational, Rational)>,
    /// The chance of everything that is not listed.
    pub rest: Rational,
}

impl Law {
    /// Lists outcomes until the rest is below `rest_below` (which must be positive for an endless
    /// law), and at least all those up to `at_least_until` in size.
    pub fn listing(
        &self,
        rest_below: &Rational,
        at_least_until: Option<&Rational>,
        meter: &Meter,
    ) -> Result<Listing, OverBudget> {
        match self {
            Law::Finite(table) => {
                meter.charge_product(table.size(), 16, 0)?;
                Ok(Listing { outcomes: table.chances().collect(), rest: Rational::ZERO })
            }
            Law::Grown(grown) => {
                if *rest_below <= Rational::ZERO {
                    return Err(OverBudget::Steps);
                }
                let (outcomes, rest) = grown.listed(rest_below, at_least_until, meter)?;
                Ok(Listing { outcomes, rest })
            }
            Law::Endless(endless) => {
                let window = Window::find(endless, rest_below, at_least_until, meter)?;
                Ok(window.listing(endless, meter)?)
            }
        }
    }
}

/// Weights of the places `start`, `start + 1`, … over a total, and the weight beyond.
struct Window {
    start: i64,
    weights: Vec<Natural>,
    total: Natural,
    rest: Rational,
}

impl Window {
    fn find(
        endless: &Endless,
        rest_below: &Rational,
        until: Option<&Rational>,
        meter: &Meter,
    ) -> Result<Window, OverBudget> {
        if *rest_below <= Rational::ZERO {
            return Err(OverBudget::Steps);
        }
        let mut needed = until.map_or(Ok((0, 0)), |until| reach(endless, until))?;
        if endless.down().is_zero() {
            needed.0 = i64::MAX;
        }
        if endless.up().is_zero() {
            needed.1 = i64::MAX;
        }
        let mut size: i64 = 64;
        loop {
            let (below, above) = (needed.0.max(size), needed.1.max(size));
            let mut window = Window::of(endless, below, above, meter)?;
            if window.rest < *rest_below {
                window.narrow(rest_below, needed);
                return Ok(window);
            }
            size = size.saturating_mul(2);
        }
    }

    /// The places from `−below` to `above`; a side that is finite is taken whole.
    fn of(endless: &Endless, below: i64, above: i64, meter: &Meter) -> Result<Window, OverBudget> {
        let (up, down) = (endless.up(), endless.down());
        let end = |size: i64, lowest: i64| {
            if size == i64::MAX { lowest } else { lowest.max(0).saturating_add(size) }
        };
        let up = up.coefficients_below(end(above, up.lowest()), meter)?;
        let down = down.coefficients_below(end(below, down.lowest()), meter)?;
        let total = number::lcm(&up.total, &down.total);
        let (for_up, for_down) = (&total / &up.total, &total / &down.total);
        let down_side = down.weights.into_iter().map(|w| number::magnitude(w) * &for_down).rev();
        let up_side = up.weights.into_iter().map(|w| number::magnitude(w) * &for_up);
        // At most one of the two sides starts away from zero: fill the gap between them.
        let start =
            if down_side.len() == 0 { up.start } else { 1 - down.start - down_side.len() as i64 };
        let gap =
            if down_side.len() == 0 || up_side.len() == 0 { 0 } else { up.start + down.start - 1 };
        let mut weights: Vec<Natural> = down_side.collect();
        weights.resize(weights.len() + usize::try_from(gap).unwrap_or(0), Natural::ZERO);
        weights.extend(up_side);
        let sum = weights.iter().fold(Natural::ZERO, |sum, w| sum + w);
        let rest = Rational::ONE - number::ratio(sum, total.clone());
        Ok(Window { start, weights, total, rest })
    }

    /// Gives up places at the ends while the rest stays small and nothing needed is lost.
    fn narrow(&mut self, rest_below: &Rational, needed: (i64, i64)) {
        // rest < rest_below, as integers over the total: spare = rest_below·total − rest·total.
        let total = Rational::from(self.total.clone());
        let room = (rest_below - &self.rest) * &total;
        let (mut first, mut last) = (0, self.weights.len());
        let mut given_up = Natural::ZERO;
        let place = |k: usize| self.start.saturating_add(k as i64);
        while first < last {
            let may_first = place(first) < -needed.0;
            let may_last = place(last - 1) > needed.1;
            let lower_end = match (may_first, may_last) {
                (true, true) => self.weights[first] <= self.weights[last - 1],
                (lower, upper) if lower || upper => lower,
                _ => break,
            };
            let k = if lower_end { first } else { last - 1 };
            let next = &given_up + &self.weights[k];
            if Rational::from(next.clone()) >= room {
                break;
            }
            given_up = next;
            if lower_end { first += 1 } else { last -= 1 }
        }
        self.rest += number::ratio(given_up, self.total.clone());
        self.start = place(first);
        self.weights.truncate(last);
        self.weights.drain(..first);
    }

    fn listing(self, endless: &Endless, meter: &Meter) -> Result<Listing, OverBudget> {
        let bits = number::bits(&self.total.clone().into());
        meter.charge_product(self.weights.len(), 16, bits)?;
        let outcomes = self
            .weights
            .into_iter()
            .enumerate()
            .filter(|(_, weight)| !weight.is_zero())
            .map(|(k, weight)| {
                let value = endless.value(self.start.saturating_add(k as i64));
                (value, number::ratio(weight, self.total.clone()))
            })
            .collect();
        Ok(Listing { outcomes, rest: self.rest })
    }
}

/// The places that must be listed, below and above zero.
fn reach(endless: &Endless, until: &Rational) -> Result<(i64, i64), OverBudget> {
    let place = |value: &Rational| {
        let steps = number::quotient(&(value - endless.offset()), endless.step()).floor();
        i64::try_from(&steps.unsigned_abs()).map_err(|_| OverBudget::Steps)
    };
    Ok((place(&-until)?, place(until)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::tests::*;

    #[test]
    fn an_exploding_die_is_listed_until_the_rest_is_small() {
        let meter = Meter::unlimited();
        let listing = d6_again().listing(&fraction(1, 36), None, &meter).unwrap();
        assert_eq!(listing.rest, fraction(1, 36) - fraction(1, 216));
        assert_eq!(listing.outcomes.len(), 11);
        assert_eq!(listing.outcomes[5], (whole(7), fraction(1, 36)));
        let longer = d6_again().listing(&fraction(1, 36), Some(&whole(99)), &meter).unwrap();
        assert_eq!(longer.outcomes.last().unwrap().0, whole(99));
    }

    #[test]
    fn a_listing_that_runs_both_ways_is_complete_up_to_its_rest() {
        let meter = Meter::unlimited();
        let law = d6_again().sum(&d6_again().negate(&meter).unwrap(), &meter).unwrap();
        let listing = law.listing(&fraction(1, 1_000_000), None, &meter).unwrap();
        let sum = listing.outcomes.iter().fold(Rational::ZERO, |sum, (_, c)| sum + c);
        assert_eq!(sum + &listing.rest, Rational::ONE);
        assert!(listing.rest < fraction(1, 1_000_000));
        let (low, high) = (&listing.outcomes[0].0, &listing.outcomes.last().unwrap().0);
        assert!((low + high).abs_at_most(6));
        for (value, chance) in &listing.outcomes {
            assert_eq!(law.chance(value, &meter).unwrap(), *chance);
        }
        let down =
            d6_again().negate(&meter).unwrap().listing(&fraction(1, 100), None, &meter).unwrap();
        assert_eq!(down.outcomes.last().unwrap().0, whole(-1));
    }

    trait Near {
        fn abs_at_most(&self, bound: i64) -> bool;
    }

    impl Near for Rational {
        fn abs_at_most(&self, bound: i64) -> bool {
            *self <= whole(bound) && *self >= whole(-bound)
        }
    }
}
