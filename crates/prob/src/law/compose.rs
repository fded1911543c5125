//! A random number of independent copies.
//!
//! `(d4)d6` mixes the powers of one die by the law of the count: `N(D(x))`, for the generating functions `N`
//! of the count and `D` of the die. Where the count is itself a sum of equal dice, it is enough to do that for
//! one of them. Otherwise, a count of nine hundred values has nine hundred powers of thousands of terms; so the
//! composition is halved, `N = N₁ + y^m·N₂` gives `N₁(D) + D^m·N₂(D)`, and most of the work is in one product of
//! long polynomials. An endless count composes quotients, see [`Series::compose`].

use super::endless::{Endless, refine};
use super::{Law, LawError, Table};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Integer, Natural, Rational};
use crate::poly::Poly;
use crate::series::Series;

impl Law {
    /// The sum of `count` independent copies of `each`. The count must be whole and not negative;
    /// if it is endless, `each` must keep to one side of zero.
    pub fn compose(count: &Law, each: &Law, meter: &Meter) -> Result<Law, LawError> {
        count.check_count()?;
        match count {
            Law::Finite(table) => {
                if let Some(law) = by_root(table, each, meter)? {
                    return Ok(law);
                }
                match halved(table, each, meter)? {
                    Some(law) => Ok(law),
                    None => mixed_powers(count, each, meter),
                }
            }
            Law::Endless(_) => composed(count, each, meter),
            Law::Grown(_) => Err(LawError::NoClosedForm),
        }
    }
}

/// `(100d10)d10` is a hundred times `(d10)d10`: dice that say how many dice are thrown are thrown one by one.
fn by_root(count: &Table, each: &Law, meter: &Meter) -> Result<Option<Law>, LawError> {
    let Some(root) = count.root() else { return Ok(None) };
    let Some(more) = number::to_i64(&root.shift).and_then(|more| u64::try_from(more).ok()) else {
        return Ok(None);
    };
    let parts: Vec<(Law, u64)> =
        root.parts.iter().map(|(one, count)| (Law::Finite(one.clone()), *count)).collect();
    if parts.iter().any(|(one, _)| one.check_count().is_err()) {
        return Ok(None);
    }
    let mut all = each.times(more, meter)?;
    for (one, count) in parts {
        all = all.sum(&Law::compose(&one, each, meter)?.times(count, meter)?, meter)?;
    }
    Ok(Some(all))
}

/// The composition by halves, if both are dense and the values of `each` are multiples of its step.
fn halved(count: &Table, each: &Law, meter: &Meter) -> Result<Option<Law>, OverBudget> {
    let Some((least, stride, weights)) = count.dense() else { return Ok(None) };
    let copies = |value: &Rational| u64::try_from(value.numerator()).map_err(|_| OverBudget::Steps);
    // N(y) = y^least · M(y^stride), and M is composed with the law of `stride` copies.
    let many = each.times(copies(stride)?, meter)?;
    let Some(table) = many.as_table().filter(|table| table.dense().is_some()) else {
        return Ok(None);
    };
    let (offset, step, base) = table.lattice(meter)?;
    if step.is_zero() {
        return Ok(None);
    }
    let Some(first) = number::steps_in(&offset, &step) else { return Ok(None) };
    let places = |value: i64| usize::try_from(value).map_err(|_| OverBudget::Steps);
    let (up, down) = (places(first.max(0))?, places((-first).max(0))?);
    meter.charge_product(up.saturating_add(down), weights.len(), 0)?;
    let total = table.total().clone();
    let sum = Composition { base: base.raised(up), total, down, meter }.of(weights)?;
    let lowest = -(&step * number::whole((down * (weights.len() - 1)) as i64));
    let Some(table) = Table::from_poly(lowest, step, sum) else { return Ok(None) };
    Ok(Some(Law::Finite(table).sum(&each.times(copies(least)?, meter)?, meter)?))
}

/// `Σ_i weights[i]·base^i·(total·x^down)^{len−1−i}` for lists of weights.
struct Composition<'a> {
    base: Poly,
    total: Natural,
    down: usize,
    meter: &'a Meter,
}

impl Composition<'_> {
    fn of(&self, weights: &[Natural]) -> Result<Poly, OverBudget> {
        if let [only] = weights {
            return Ok(Poly::constant(Integer::from(only.clone())));
        }
        let (low, high) = weights.split_at(weights.len() / 2);
        let factor = self.total.pow(high.len());
        let power = self.base.power(low.len() as u64, self.meter)?;
        let mut rent = self.meter.rent();
        rent.grow(power.bytes(), self.meter)?;
        let product = power.times(&self.of(high)?, self.meter)?;
        drop(power);
        rent.grow(product.bytes(), self.meter)?;
        let low = self.of(low)?;
        let (words, factor) = (factor.as_words().len() as u64, Integer::from(factor));
        self.meter.charge_product(self.down, high.len(), 0)?;
        self.meter.room_for_rows(2 * product.len(), product.bits())?;
        // Row by row, so that it can be stopped.
        let (mut done, mut low) = (0, low.into_coefficients());
        let longest = low.iter().map(number::bits).max().unwrap_or(0) as u64;
        let each = 2 + words * (1 + longest / 512);
        self.meter.in_pieces(low.len(), each, |next| {
            low[done..next].iter_mut().for_each(|weight| *weight *= &factor);
            done = next;
        })?;
        Ok(product.plus(&Poly::new(low).raised(self.down * high.len())))
    }
}

fn mixed_powers(count: &Law, each: &Law, meter: &Meter) -> Result<Law, LawError> {
    let Some(table) = count.as_table() else { return Err(LawError::NoClosedForm) };
    let mut parts = Vec::new();
    let (mut sum, mut copies) = (Law::constant(Rational::ZERO), 0);
    for (value, weight) in table.outcomes() {
        let wanted = u64::try_from(value.numerator()).map_err(|_| OverBudget::Steps)?;
        sum = sum.sum(&each.times(wanted - copies, meter)?, meter)?;
        copies = wanted;
        meter.charge(sum.size() as u64)?;
        parts.push((table.chance_of(weight), sum.clone()));
    }
    Ok(Law::mixture(&parts, meter)?)
}

fn composed(count: &Law, each: &Law, meter: &Meter) -> Result<Law, LawError> {
    let zero = Rational::ZERO;
    match (each.lowest(), each.highest()) {
        (Some(least), _) if least >= zero => {}
        (_, Some(most)) if most <= zero => {
            let mirrored = composed(count, &each.negate(meter)?, meter)?;
            return Ok(mirrored.negate(meter)?);
        }
        _ => return Err(LawError::NoClosedForm),
    }
    let outer = from_zero(count, &Rational::ONE, meter)?;
    let (offset, step, ..) = each.parts(meter)?;
    let step = number::common_step(&offset, &step);
    if step.is_zero() {
        return Ok(Law::constant(zero));
    }
    let inner = from_zero(each, &step, meter)?;
    let series = outer.compose(&inner, meter)?.ok_or(LawError::NoClosedForm)?;
    Ok(Endless::assemble((zero, step, series, Series::zero()), meter)?)
}

/// The generating function on the lattice of whole multiples of `step`.
fn from_zero(law: &Law, step: &Rational, meter: &Meter) -> Result<Series, LawError> {
    let (offset, own, up, _) = law.parts(meter)?;
    let places = number::steps_in(&offset, step).ok_or(LawError::NoClosedForm)?;
    Ok(up.stretched(refine(&own, step)?, meter)?.shifted(places))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Comparison::AtLeast;
    use crate::law::tests::*;
    use crate::series::tests::series;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn ten_again() -> Law {
        let parts = (whole(0), whole(1), series(&[7, 2], &[10, -1]), Series::zero());
        Endless::assemble(parts, &Meter::unlimited()).unwrap()
    }

    #[test]
    fn a_random_number_of_dice() {
        let meter = Meter::unlimited();
        let dice = Law::compose(&d(4), &d(6), &meter).unwrap();
        assert_eq!(dice.mean(), fraction(35, 4));
        assert_eq!(dice.chance(&whole(1), &meter), Ok(fraction(1, 24)));
        assert_eq!(dice.chance(&whole(24), &meter), Ok(fraction(1, 4 * 1296)));
        let negative = d(2).affine(&whole(1), &whole(-2), &meter).unwrap();
        assert_eq!(Law::compose(&negative, &d(6), &meter), Err(LawError::NotACount(whole(-1))));
    }

    proptest! {
        #[test]
        fn halving_agrees_with_mixing_the_powers(
            counts in prop::collection::btree_map(0i64..9, 1u64..5, 1..6),
            stride in 1i64..4,
            faces in prop::collection::btree_map(-3i64..6, 1u64..5, 1..5),
            step in 1i64..3,
            halves in any::<bool>(),
        ) {
            let meter = Meter::unlimited();
            let law = |map: &BTreeMap<i64, u64>, by: i64, below: u64| Law::from_weights(
                map.iter().map(|(&v, &w)| (fraction(v * by, below), Natural::from(w)))).unwrap();
            let (count, die) = (law(&counts, stride, 1), law(&faces, step, 1 + u64::from(halves)));
            let slow = mixed_powers(&count, &die, &meter);
            prop_assert_eq!(Law::compose(&count, &die, &meter), slow);
        }
    }

    #[test]
    fn helpers_successes_become_dice() {
        let meter = Meter::unlimited();
        let helpers = ten_again().times(4, &meter).unwrap();
        let bonus = Law::compose(&helpers, &ten_again(), &meter).unwrap();
        let all = ten_again().times(5, &meter).unwrap().sum(&bonus, &meter).unwrap();
        let expected = fraction(623_410_406_779_810_437, 10_661_137_968_012_500_000);
        assert_eq!(all.compare(AtLeast, &whole(5), &meter), Ok(expected));
    }

    #[test]
    fn an_endless_number_of_dice_has_the_mean_of_the_product() {
        let meter = Meter::unlimited();
        let dice = Law::compose(&d6_again(), &d6_again(), &meter).unwrap();
        assert_eq!(dice.mean(), fraction(21 * 21, 25));
        let owed = Law::compose(&d6_again(), &d(6).negate(&meter).unwrap(), &meter).unwrap();
        assert_eq!(owed.mean(), fraction(-21 * 7, 10));
    }
}
