//! The greater and the lesser of two independent numbers that are both endless.
//!
//! The lesser one is above `k` iff both are, so its tail is the product of two tails, term by term
//! ([`Series::termwise`]). With `T(k)` the chance to be above `k`, which is 1 at some `k₀`, the generating functions
//! of a number and of its tail tell each other: `P = x^k₀ − (1 − x)·T`. The greater one has what the lesser leaves of
//! both: `max = X + Y − min`, chance by chance.

use super::endless::{Endless, refine};
use super::{Law, LawError};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Comparison, Integer, Natural, Rational};
use crate::poly::Poly;
use crate::series::Series;

/// The greater of two endless numbers.
pub(super) fn greater(x: &Endless, y: &Endless, meter: &Meter) -> Result<Law, LawError> {
    match (runs_up(x), runs_up(y)) {
        (Some(true), Some(true)) => Ok(of_rising(x, y, true, meter)?),
        (Some(false), Some(false)) => Ok(mirrored(x, y, true, meter)?),
        (Some(true), Some(false)) => above(x, y, meter),
        (Some(false), Some(true)) => above(y, x, meter),
        _ => Err(LawError::NoClosedForm),
    }
}

/// The lesser of two endless numbers.
pub(super) fn lesser(x: &Endless, y: &Endless, meter: &Meter) -> Result<Law, LawError> {
    match (runs_up(x), runs_up(y)) {
        (Some(true), Some(true)) => Ok(of_rising(x, y, false, meter)?),
        (Some(false), Some(false)) => Ok(mirrored(x, y, false, meter)?),
        (Some(_), Some(_)) => {
            let negative = |one: &Endless| Law::Endless(one.clone()).negate(meter);
            Ok(negative(x)?.max(&negative(y)?, meter)?.negate(meter)?)
        }
        _ => Err(LawError::NoClosedForm),
    }
}

/// Whether it is endless upwards or downwards; none if both.
fn runs_up(endless: &Endless) -> Option<bool> {
    match (endless.up().is_zero(), endless.down().is_zero()) {
        (false, true) => Some(true),
        (true, false) => Some(false),
        _ => None,
    }
}

/// Two numbers that run down are the negatives of two that run up.
fn mirrored(x: &Endless, y: &Endless, greater: bool, meter: &Meter) -> Result<Law, OverBudget> {
    let negative = |one: &Endless| Law::Endless(one.clone()).negate(meter);
    match (negative(x)?, negative(y)?) {
        (Law::Endless(x), Law::Endless(y)) => of_rising(&x, &y, !greater, meter)?.negate(meter),
        _ => Err(OverBudget::NotKnown),
    }
}

/// The greater of a number that runs up and one that runs down: the latter counts only from the least value of the
/// former on, where it has few values.
fn above(rising: &Endless, falling: &Endless, meter: &Meter) -> Result<Law, LawError> {
    let rising_law = Law::Endless(rising.clone());
    let Some(least) = rising.lowest() else { return Err(LawError::NoClosedForm) };
    let [(below, _), (reaches, high)] =
        Law::Endless(falling.clone()).split(Comparison::Less, &least, meter)?;
    let mut parts = vec![(below, rising_law.clone())];
    if let Some(high) = high {
        parts.push((reaches, rising_law.max(&high, meter)?));
    }
    parts.retain(|(chance, _)| !chance.is_zero());
    Ok(Law::mixture(&parts, meter)?)
}

/// Of two numbers that both run up.
fn of_rising(x: &Endless, y: &Endless, greater: bool, meter: &Meter) -> Result<Law, OverBudget> {
    let (offset, step, x, y) = on_one_lattice(x, y, meter)?;
    let before = x.lowest().min(y.lowest()).checked_sub(1).ok_or(OverBudget::Steps)?;
    let both = tail(&x, before, meter)?.termwise(&tail(&y, before, meter)?, meter)?;
    let falls = Series::polynomial(0, Poly::new(vec![-Integer::ONE, Integer::ONE]), Natural::ONE);
    let start = Series::monomial(&Rational::ONE, before);
    let lesser = both.times(&falls, meter)?.plus(&start, meter)?;
    let up = match greater {
        true => x.plus(&y, meter)?.minus(&lesser, meter)?,
        false => lesser,
    };
    Endless::assemble((offset, step, up, Series::zero()), meter)
}

/// The chances to be above each place, from `before` on, where it is certain.
fn tail(series: &Series, before: i64, meter: &Meter) -> Result<Series, OverBudget> {
    let start = Series::monomial(&Rational::ONE, before);
    let one_less = Series::monomial(&Rational::ONE, 1);
    let adding = one_less.geometric(meter)?.ok_or(OverBudget::NotKnown)?;
    start.minus(series, meter)?.times(&adding, meter)
}

/// Both as series in places of one lattice, with its offset and step.
fn on_one_lattice(
    x: &Endless,
    y: &Endless,
    meter: &Meter,
) -> Result<(Rational, Rational, Series, Series), OverBudget> {
    let mut step = number::common_step(x.step(), y.step());
    let apart = y.offset() - x.offset();
    if !apart.is_zero() {
        step = number::common_step(&step, &apart);
    }
    let places = number::steps_in(&apart, &step).ok_or(OverBudget::Steps)?;
    let first = x.up().stretched(refine(x.step(), &step)?, meter)?;
    let second = y.up().stretched(refine(y.step(), &step)?, meter)?.shifted(places);
    Ok((x.offset().clone(), step, first, second))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::tests::*;

    /// Compares each chance with that of the pairs of values.
    fn check(x: &Law, y: &Law) {
        let meter = Meter::unlimited();
        let (most, least) = (x.max(y, &meter).unwrap(), x.min(y, &meter).unwrap());
        let at_most =
            |law: &Law, value: &Rational| law.compare(Comparison::AtMost, value, &meter).unwrap();
        for halves in -80..80 {
            let value = &fraction(halves, 2);
            let (x, y) = (at_most(x, value), at_most(y, value));
            assert_eq!(at_most(&most, value), &x * &y, "max at {value}");
            assert_eq!(at_most(&least, value), &x + &y - &x * &y, "min at {value}");
        }
        assert_eq!(most.mean() + least.mean(), x.mean() + y.mean());
    }

    #[test]
    fn the_better_of_exploding_dice_is_exact() {
        let meter = Meter::unlimited();
        let d6 = d6_again();
        let both_sizes = d6.affine(&fraction(1, 2), &fraction(-7, 2), &meter).unwrap();
        let three = d6.times(3, &meter).unwrap();
        for other in [d6.clone(), both_sizes, three] {
            check(&d6, &other);
            check(&d6.negate(&meter).unwrap(), &other.negate(&meter).unwrap());
            check(&d6, &other.negate(&meter).unwrap());
        }
        check(&d6.max(&d6, &meter).unwrap(), &d6);
    }

    #[test]
    fn a_number_that_runs_both_ways_has_none() {
        let meter = Meter::unlimited();
        let both_ways = d6_again().sum(&d6_again().negate(&meter).unwrap(), &meter).unwrap();
        assert!(matches!(both_ways.max(&d6_again(), &meter), Err(LawError::NoClosedForm)));
    }
}
