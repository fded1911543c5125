//! A law written out: every outcome that matters, and the exact chance of the rest.
//!
//! Finite laws are listed whole. An endless law is listed over a window that grows until what lies
//! beyond is small enough, and is then cut back as far as it stays so; a law that runs both ways
//! gives up the less likely end first, so that the window settles around the middle.

use super::endless::place_at_least;
use super::{Endless, Law};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Comparison, Natural, Rational};
use crate::series::Series;
use crate::weighted::Weighted;
use dashu_base::{BitTest, UnsignedAbs};

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
                let bits = table.total().bit_len();
                meter.room_for_rows(table.count(), 8 * size_of::<(Rational, Rational)>() + bits)?;
                let mut outcomes = Vec::with_capacity(table.count());
                for (value, weight) in table.outcomes() {
                    meter.charge_fractions(1, bits)?;
                    outcomes.push((value, table.chance_of(weight)));
                }
                Ok(Listing { outcomes, rest: Rational::ZERO })
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

impl Law {
    /// All values between two bounds, in ascending order, over the weight of all values there are. On a side that is
    /// endless there must be a bound.
    pub fn within(
        &self,
        low: Option<&Rational>,
        high: Option<&Rational>,
        meter: &Meter,
    ) -> Result<Weighted<Rational>, OverBudget> {
        let inside = |value: &Rational| {
            low.is_none_or(|low| low <= value) && high.is_none_or(|high| value <= high)
        };
        match self {
            Law::Finite(table) => {
                meter.charge_product(table.size(), 2, 0)?;
                let outcomes = table.outcomes().filter(|(value, _)| inside(value));
                let outcomes = outcomes.map(|(value, weight)| (value, weight.clone())).collect();
                Ok(Weighted { outcomes, total: table.total().clone() })
            }
            Law::Grown(_) => {
                let farthest = low.into_iter().chain(high).map(size).max();
                let everything = Rational::from(2u8);
                let listing = self.listing(&everything, farthest.as_ref(), meter)?;
                let outcomes = listing.outcomes.into_iter().filter(|(value, _)| inside(value));
                Weighted::of_chances(outcomes.collect()).ok_or(OverBudget::Steps)
            }
            Law::Endless(endless) => {
                let first = low.map(|low| place_at_least(low, endless)).transpose()?;
                let after = |high: &Rational| -> Result<i64, OverBudget> {
                    let place = place_at_least(high, endless)?;
                    Ok(if endless.value(place) == *high { place.saturating_add(1) } else { place })
                };
                let end = high.map(after).transpose()?;
                let window = Window::between(endless, first, end, meter)?;
                let mut weighted = window.weighted(endless, meter)?;
                weighted.outcomes.retain(|(value, _)| inside(value));
                Ok(weighted)
            }
        }
    }
}

impl Law {
    /// What lies beyond a list, on each side of it: its chance, and the law there.
    pub fn tails(
        &self,
        listing: &Listing,
        meter: &Meter,
    ) -> Result<Vec<(Rational, Law)>, OverBudget> {
        let listed = &listing.outcomes;
        let ends = [(Comparison::Less, listed.first()), (Comparison::Greater, listed.last())];
        let mut tails = Vec::new();
        for (beyond, end) in ends {
            let Some((end, _)) = end else { continue };
            let [(chance, tail), _] = self.split(beyond, end, meter)?;
            tails.extend(tail.map(|tail| (chance, tail)));
        }
        Ok(tails)
    }
}

fn size(value: &Rational) -> Rational {
    if *value < Rational::ZERO { -value } else { value.clone() }
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
        let end = |size: i64, lowest: i64| lowest.max(0).saturating_add(size);
        let (up, down) = (endless.up(), endless.down());
        let first = (below < i64::MAX).then(|| 1i64.saturating_sub(end(below, down.lowest())));
        let last = (above < i64::MAX).then(|| end(above, up.lowest()));
        Window::between(endless, first, last, meter)
    }

    /// The places from `first` to before `end`. A side that is finite is taken whole; on one that is not there must
    /// be an end.
    fn between(
        endless: &Endless,
        first: Option<i64>,
        end: Option<i64>,
        meter: &Meter,
    ) -> Result<Window, OverBudget> {
        let (up, down) = (endless.up(), endless.down());
        let before = |end: Option<i64>, series: &Series| match end {
            Some(end) => Ok(end),
            None if series.is_zero() => Ok(series.lowest()),
            None => Err(OverBudget::Steps),
        };
        let up = up.coefficients_below(before(end, up)?, meter)?;
        let down_end = first.map(|first| 1i64.saturating_sub(first));
        let down = down.coefficients_below(before(down_end, down)?, meter)?;
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
        let rest = self.rest.clone();
        let Weighted { outcomes, total } = self.weighted(endless, meter)?;
        let chance = |weight| number::ratio(weight, total.clone());
        let outcomes = outcomes.into_iter().map(|(value, weight)| (value, chance(weight)));
        Ok(Listing { outcomes: outcomes.collect(), rest })
    }

    fn weighted(self, endless: &Endless, meter: &Meter) -> Result<Weighted<Rational>, OverBudget> {
        meter.charge(self.weights.len() as u64)?;
        let places = (0..).map(|k| self.start.saturating_add(k));
        let outcomes = places.zip(self.weights).filter(|(_, weight)| !weight.is_zero());
        let outcomes = outcomes.map(|(place, weight)| (endless.value(place), weight)).collect();
        Ok(Weighted { outcomes, total: self.total })
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

    #[test]
    fn within_bounds_everything_is_listed_over_one_total() {
        let meter = Meter::unlimited();
        let both_ways = d6_again().sum(&d6_again().negate(&meter).unwrap(), &meter).unwrap();
        let half = both_ways.affine(&fraction(1, 2), &fraction(1, 3), &meter).unwrap();
        for law in [d6_again(), d6_again().negate(&meter).unwrap(), both_ways, half, d(6)] {
            for (low, high) in [(-5, 9), (2, 2), (3, 40), (-40, -3), (5, 4)] {
                let (low, high) = (whole(low), whole(high));
                let weighted = law.within(Some(&low), Some(&high), &meter).unwrap();
                let far = Some(&whole(50));
                let whole_law = law.listing(&fraction(1, 1_000), far, &meter).unwrap();
                let inside =
                    whole_law.outcomes.into_iter().filter(|(v, _)| low <= *v && *v <= high);
                let chance = |weight: Natural| number::ratio(weight, weighted.total.clone());
                let listed = weighted.outcomes.iter().map(|(v, w)| (v.clone(), chance(w.clone())));
                assert_eq!(listed.collect::<Vec<_>>(), inside.collect::<Vec<_>>());
            }
        }
        assert_eq!(d6_again().within(None, None, &meter), Err(OverBudget::Steps));
        assert_eq!(d6_again().within(None, Some(&whole(4)), &meter).unwrap().outcomes.len(), 4);
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
