//! Sums of independent numbers, and affine maps.
//!
//! Two finite laws convolve: as polynomials on a common lattice when both are dense, by pairs when
//! one is scattered. Endless laws multiply their generating functions; where one runs up and the
//! other down, [`cross`] splits the product exactly.

use super::endless::{Endless, Parts, refine};
use super::gathered::Gathered;
use super::grown::sum_of;
use super::{Law, Table};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Natural, Rational};
use crate::series::{Series, cross};
use crate::ways;
use dashu_base::BitTest;

impl Law {
    /// The sum of two independent numbers.
    pub fn sum(&self, other: &Law, meter: &Meter) -> Result<Law, OverBudget> {
        match (self.as_constant(), other.as_constant()) {
            (Some(zero), _) if zero.is_zero() => return Ok(other.clone()),
            (_, Some(zero)) if zero.is_zero() => return Ok(self.clone()),
            (Some(shift), _) => return other.affine(&Rational::ONE, shift, meter),
            (_, Some(shift)) => return self.affine(&Rational::ONE, shift, meter),
            _ => {}
        }
        match (self, other) {
            (Law::Finite(left), Law::Finite(right)) => {
                Ok(Law::Finite(sum_of_tables(left, right, meter)?))
            }
            (Law::Grown(_), _) | (_, Law::Grown(_)) => sum_of(self, other, meter),
            _ => sum_of_series(self.parts(meter)?, other.parts(meter)?, meter),
        }
    }

    /// The negative of the number.
    pub fn negate(&self, meter: &Meter) -> Result<Law, OverBudget> {
        match self {
            Law::Finite(_) | Law::Grown(_) => {
                self.affine(&number::whole(-1), &Rational::ZERO, meter)
            }
            Law::Endless(endless) => {
                let (offset, step, up, down) = endless.parts();
                Endless::assemble((-offset, step, down, up), meter)
            }
        }
    }

    /// `factor · X + shift`.
    pub fn affine(
        &self,
        factor: &Rational,
        shift: &Rational,
        meter: &Meter,
    ) -> Result<Law, OverBudget> {
        if factor.is_zero() {
            return Ok(Law::constant(shift.clone()));
        }
        if factor.is_one() && shift.is_zero() {
            return Ok(self.clone());
        }
        match self {
            Law::Finite(table) => Ok(Law::Finite(affine_table(table, factor, shift, meter)?)),
            Law::Grown(grown) => Ok(grown.affine(factor, shift)),
            Law::Endless(_) if *factor < Rational::ZERO => {
                self.negate(meter)?.affine(&-factor, shift, meter)
            }
            Law::Endless(endless) => {
                let (offset, step, up, down) = endless.parts();
                Endless::assemble((offset * factor + shift, step * factor, up, down), meter)
            }
        }
    }

    /// The sum of `count` independent numbers with this law.
    pub fn times(&self, count: u64, meter: &Meter) -> Result<Law, OverBudget> {
        match self {
            _ if count == 0 => Ok(Law::constant(Rational::ZERO)),
            _ if count == 1 => Ok(self.clone()),
            Law::Grown(grown) => Ok(grown.times(count)),
            Law::Finite(table) if let Some((each, own)) = table.equal_parts() => {
                let count = own.checked_mul(count).ok_or(OverBudget::Steps)?;
                Law::Finite(each.clone()).times(count, meter)
            }
            Law::Finite(table) if table.is_dense() => {
                Ok(Law::Finite(power_of_table(table, count, meter)?.sum_of(table, count)))
            }
            Law::Endless(endless) if endless.down().is_zero() => {
                let up = endless.up().power(count, meter)?;
                let offset = endless.offset() * Rational::from(Natural::from(count));
                Endless::assemble((offset, endless.step().clone(), up, Series::zero()), meter)
            }
            Law::Endless(endless) if endless.up().is_zero() => {
                self.negate(meter)?.times(count, meter)?.negate(meter)
            }
            _ => self.times_by_doubling(count, meter),
        }
    }

    fn times_by_doubling(&self, count: u64, meter: &Meter) -> Result<Law, OverBudget> {
        let mut sum = Law::constant(Rational::ZERO);
        for bit in (0..u64::BITS - count.leading_zeros()).rev() {
            sum = sum.sum(&sum, meter)?;
            if count >> bit & 1 == 1 {
                sum = sum.sum(self, meter)?;
            }
        }
        Ok(sum)
    }
}

/// The sum of so many numbers with a dense table.
fn power_of_table(table: &Table, count: u64, meter: &Meter) -> Result<Table, OverBudget> {
    if let Some(power) = meter.by(ways::WORDS, || table.power_of_words(count, meter))? {
        return Ok(power);
    }
    if let Some(power) = meter.by(ways::RATIO, || table.power_by_ratio(count, meter))? {
        return Ok(power);
    }
    let (offset, step, poly) = table.lattice(meter)?;
    let offset = offset * Rational::from(Natural::from(count));
    let exponent = usize::try_from(count).map_err(|_| OverBudget::Steps)?;
    if let Some(weights) = poly.weights_of_power(count, meter)? {
        let total = table.total().pow(exponent);
        return Ok(Table::of_power(offset, step, weights, total));
    }
    let power = poly.power(count, meter)?;
    let total = table.total().pow(exponent);
    let sum = Table::with_total(offset.clone(), step, power.into_weights(), total);
    Ok(sum.unwrap_or_else(|| Table::constant(offset)))
}

fn sum_of_tables(left: &Table, right: &Table, meter: &Meter) -> Result<Table, OverBudget> {
    if let Some(sum) = meter.by(ways::WORDS, || left.sum_of_words(right, meter))? {
        return Ok(sum);
    }
    if let Some(sum) = meter.by(ways::KINDS, || left.sum_of_kinds(right, meter))? {
        return Ok(sum);
    }
    let lowest = left.lowest() + right.lowest();
    meter.charge((left.places() + right.places()) as u64)?;
    if let (Some((_, step, some)), Some((_, other, more))) = (left.dense(), right.dense()) {
        let common = number::common_step(step, other);
        let (by, with) = (refine(step, &common)?, refine(other, &common)?);
        let pairs = some.len() as u128 * more.len() as u128;
        let places = (some.len() as u128 * by as u128) + (more.len() as u128 * with as u128);
        if places <= 4 * pairs + 64 {
            // Both factors, stretched too, their product, and the table that is made of it.
            let bits = left.total().bit_len() + right.total().bit_len();
            meter.room_for_rows(places as usize, 8 * 5 * size_of::<Natural>() + 2 * bits)?;
            let (_, _, first) = left.lattice(meter)?;
            let (_, _, second) = right.lattice(meter)?;
            meter.charge(4 * places as u64)?;
            let first = first.stretched_far(by as usize, meter)?;
            let second = second.stretched_far(with as usize, meter)?;
            let product = first.times(&second, meter)?;
            meter.charge(4 * places as u64)?;
            let table = Table::from_poly(lowest.clone(), common, product);
            return Ok(table.unwrap_or_else(|| Table::constant(lowest)));
        }
    }
    let bits = left.total().bit_len() + right.total().bit_len();
    let mut sums = Gathered::new(bits, meter);
    sums.afford(left.count().saturating_mul(right.count()))?;
    for (value, weight) in left.outcomes() {
        let sum = |(other, factor)| (&value + other, weight * factor);
        sums.add(right.count(), right.outcomes().map(sum))?;
    }
    Ok(sums.table()?.unwrap_or_else(|| Table::constant(lowest)))
}

fn affine_table(
    table: &Table,
    factor: &Rational,
    shift: &Rational,
    meter: &Meter,
) -> Result<Table, OverBudget> {
    /// The price of a value that is not on a lattice: a fraction is multiplied, and another one added.
    const SCATTERED: u64 = 25;
    meter.charge(table.places() as u64)?;
    if let Some(moved) = table.moved(factor, shift) {
        return Ok(moved);
    }
    let bits = table.total().bit_len();
    meter.room_for_rows(table.count(), 8 * size_of::<(Rational, Natural)>() + bits)?;
    let mut mapped = Vec::with_capacity(table.count());
    for (value, weight) in table.outcomes() {
        meter.charge(SCATTERED)?;
        mapped.push((value * factor + shift, weight.clone()));
    }
    if *factor < Rational::ZERO {
        mapped.reverse();
    }
    Ok(Table::from_sorted(mapped).unwrap_or_else(|| Table::constant(shift.clone())))
}

fn sum_of_series(left: Parts, right: Parts, meter: &Meter) -> Result<Law, OverBudget> {
    let step = number::common_step(&left.1, &right.1);
    let (by, with) = (refine(&left.1, &step)?, refine(&right.1, &step)?);
    let (up, down) = (left.2.stretched(by, meter)?, left.3.stretched(by, meter)?);
    let (above, below) = (right.2.stretched(with, meter)?, right.3.stretched(with, meter)?);
    let (first_up, first_down) = cross(&up, &below, meter)?;
    let (second_up, second_down) = cross(&above, &down, meter)?;
    let up = Series::sum(&[&up.times(&above, meter)?, &first_up, &second_up], meter)?;
    let down = Series::sum(&[&down.times(&below, meter)?, &first_down, &second_down], meter)?;
    Endless::assemble((left.0 + right.0, step, up, down), meter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::tests::*;
    use proptest::prelude::*;

    fn meter() -> Meter {
        Meter::unlimited()
    }

    #[test]
    fn two_dice_make_a_triangle() {
        let two = d(6).sum(&d(6), &meter()).unwrap();
        assert_eq!(two, d(6).times(2, &meter()).unwrap());
        assert_eq!(two.chance(&whole(7), &meter()), Ok(fraction(1, 6)));
        assert_eq!(two.sum(&two.negate(&meter()).unwrap(), &meter()).unwrap().mean(), whole(0));
    }

    #[test]
    fn the_difference_of_exploding_dice_is_known_exactly() {
        let meter = meter();
        let difference = d6_again().sum(&d6_again().negate(&meter).unwrap(), &meter).unwrap();
        assert_eq!(difference.mean(), whole(0));
        let twice = d6_again().variance() * whole(2);
        assert_eq!(difference.variance(), twice);
        let four = difference.times(2, &meter).unwrap();
        assert_eq!(four.variance(), twice * whole(2));
        let pairs = d6_again().times(2, &meter).unwrap();
        assert_eq!(four, pairs.sum(&pairs.negate(&meter).unwrap(), &meter).unwrap());
    }

    proptest! {
        #[test]
        fn dense_and_scattered_sums_agree_with_all_pairs(
            a in prop::collection::btree_map(-9i64..2000, 1u64..5, 1..6),
            b in prop::collection::btree_map(-3i64..9, 1u64..5, 1..6),
            scale in 1u64..4,
        ) {
            let meter = meter();
            let law = |m: &std::collections::BTreeMap<i64, u64>, s| Law::from_weights(
                m.iter().map(|(&v, &w)| (fraction(v, s), Natural::from(w)))).unwrap();
            let (x, y) = (law(&a, scale), law(&b, 2));
            let slow = Law::from_weights(a.iter().flat_map(|(&v, &w)| b.iter().map(move |(&u, &z)|
                (fraction(v, scale) + fraction(u, 2), Natural::from(w * z))))).unwrap();
            prop_assert_eq!(x.sum(&y, &meter).unwrap(), slow);
            let three = x.times(3, &meter).unwrap();
            prop_assert_eq!(&three, &x.sum(&x, &meter).unwrap().sum(&x, &meter).unwrap());
            prop_assert_eq!(three.negate(&meter).unwrap().negate(&meter).unwrap(), three);
        }
    }
}
