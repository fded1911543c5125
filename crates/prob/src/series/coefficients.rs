//! The first coefficients of a series, as integers over one total.
//!
//! For a factor `f = q₀ + q_m x^m + …` (no powers between 0 and m) the coefficient of `x^k` in
//! `1/f^e = q₀^−e (1 − h)^−e`, with `h = −(q_m x^m + …)/q₀`, takes at most `⌊k/m⌋` powers of `h`,
//! so its denominator divides `q₀^(e + ⌊k/m⌋)`. Where `q₀` is itself a power, as in `36 − x − x²`, less will do:
//! if `c^⌊j/m⌋·h` is whole at each `x^j`, the denominator divides `q₀^e·c^⌊k/m⌋`. Multiplying the numerator by that number for every
//! factor, with `k` the last coefficient wanted, makes *every* intermediate result of dividing by
//! one factor after another an integer: the loop below divides exactly and takes no gcd.
//! For `10d6!` up to 210 the total is 6⁴⁵, where the plain recurrence would reach 6²¹⁰⁰.

use super::Series;
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Integer, Natural, Rational};
use crate::poly::Poly;
use dashu_base::BitTest;

/// From this power on, one product by the reciprocal is cheaper than dividing again and again.
const MANY: u32 = 8;

/// The coefficients of `x^start`, `x^(start+1)`, … over a common total.
pub(crate) struct Coefficients {
    pub(crate) start: i64,
    pub(crate) weights: Vec<Integer>,
    pub(crate) total: Natural,
}

impl Coefficients {
    pub(crate) fn sum(&self) -> Rational {
        let sum = self.weights.iter().fold(Integer::ZERO, |sum, w| sum + w);
        number::ratio(sum, self.total.clone())
    }
}

impl Series {
    /// All coefficients of powers below `end`.
    pub(crate) fn coefficients_below(
        &self,
        end: i64,
        meter: &Meter,
    ) -> Result<Coefficients, OverBudget> {
        let count = end.saturating_sub(self.shift).max(0);
        let mut count = usize::try_from(count).map_err(|_| OverBudget::Steps)?;
        if self.is_polynomial() {
            count = count.min(self.num.len());
        }
        meter.charge_product(count, 1, self.num.bits())?;
        let mut weights: Vec<Integer> =
            self.num.coefficients().iter().take(count).cloned().collect();
        weights.resize(count, Integer::ZERO);
        let mut total = self.scale.clone();
        for (factor, power) in &self.factors {
            let own = own_total(factor, *power, count, meter)?;
            weights = if *power < MANY {
                one_by_one(weights, factor, *power, &own, meter)?
            } else {
                all_at_once(weights, factor, *power, &own, meter)?
            };
            total *= own;
        }
        Ok(Coefficients { start: self.shift, weights, total })
    }

    /// The coefficient of one power.
    pub(crate) fn coefficient(&self, power: i64, meter: &Meter) -> Result<Rational, OverBudget> {
        if power < self.shift {
            return Ok(Rational::ZERO);
        }
        let mut below = self.coefficients_below(power.saturating_add(1), meter)?;
        let place = usize::try_from(power.saturating_sub(self.shift)).ok();
        match place.filter(|&p| p < below.weights.len()) {
            Some(place) => Ok(number::ratio(below.weights.swap_remove(place), below.total)),
            None => Ok(Rational::ZERO),
        }
    }

    /// The series cut before `x^end`: the polynomial below, and the series from there on.
    pub(crate) fn cut(&self, end: i64, meter: &Meter) -> Result<(Series, Series), OverBudget> {
        let below = self.coefficients_below(end, meter)?;
        let low = Series::polynomial(below.start, Poly::new(below.weights), below.total);
        let high = self.minus(&low, meter)?;
        Ok((low, high))
    }
}

/// A number over which the first `count` coefficients of `1/factor^power` are integers.
fn own_total(
    factor: &Poly,
    power: u32,
    count: usize,
    meter: &Meter,
) -> Result<Natural, OverBudget> {
    let first = number::magnitude(factor.first());
    let gap = factor.terms().nth(1).map_or(1, |(degree, _)| degree.max(1));
    let each = for_each_gap(factor, &first, gap);
    let times = count.saturating_sub(1) / gap;
    meter.charge_product(first.bit_len(), power as usize, 0)?;
    meter.charge_product(each.bit_len(), times, 0)?;
    Ok(first.pow(power as usize) * each.pow(times))
}

/// A number of which the power `⌊j/gap⌋` makes the coefficient of `x^j`, over the first, whole: the first itself, or
/// less.
fn for_each_gap(factor: &Poly, first: &Natural, gap: usize) -> Natural {
    let mut each = Natural::ONE;
    for (degree, coefficient) in factor.terms().skip(1) {
        let under = first / number::gcd(first, &number::magnitude(coefficient.clone()));
        let rest = &under / number::gcd(&under, &each.pow(degree / gap));
        each *= rest;
        if each >= *first {
            return first.clone();
        }
    }
    each
}

/// `weights · total / factor^power`, dividing `power` times.
fn one_by_one(
    weights: Vec<Integer>,
    factor: &Poly,
    power: u32,
    total: &Natural,
    meter: &Meter,
) -> Result<Vec<Integer>, OverBudget> {
    let bits = total.bit_len() + weights.iter().map(number::bits).max().unwrap_or(0);
    let terms = factor.terms().count();
    // A step is worth a few words of a product.
    let each = (terms as u64).saturating_mul(1 + bits as u64 / 256);
    meter.afford(each.saturating_mul(weights.len() as u64).saturating_mul(power.into()))?;
    let total = Integer::from(total.clone());
    let mut weights: Vec<Integer> = weights.into_iter().map(|weight| weight * &total).collect();
    let first = factor.first();
    for _ in 0..power {
        divide_in_place(&mut weights, factor, &first, || meter.charge(each))?;
    }
    Ok(weights)
}

fn divide_in_place(
    weights: &mut [Integer],
    factor: &Poly,
    first: &Integer,
    pay: impl Fn() -> Result<(), OverBudget>,
) -> Result<(), OverBudget> {
    for k in 0..weights.len() {
        pay()?;
        let mut rest = std::mem::take(&mut weights[k]);
        for (j, coefficient) in factor.terms().skip(1).take_while(|(j, _)| *j <= k) {
            if !weights[k - j].is_zero() {
                rest -= coefficient * &weights[k - j];
            }
        }
        weights[k] = rest / first;
    }
    Ok(())
}

/// The same by one product with `u = total / factor^power`, which obeys `f·u' = −e·f'·u`:
/// `k f₀ u[k] = −Σ_{j≥1} f_j (k + (e−1)j) u[k−j]`.
fn all_at_once(
    weights: Vec<Integer>,
    factor: &Poly,
    power: u32,
    total: &Natural,
    meter: &Meter,
) -> Result<Vec<Integer>, OverBudget> {
    let count = weights.len();
    let each = (2 * factor.terms().count() as u64).saturating_mul(1 + total.bit_len() as u64 / 64);
    meter.afford(each.saturating_mul(count as u64))?;
    let first = factor.first();
    let mut reciprocal: Vec<Integer> = Vec::with_capacity(count);
    for k in 0..count {
        meter.charge(each)?;
        if k == 0 {
            reciprocal.push(Integer::from(total.clone()) / first.pow(power as usize));
            continue;
        }
        let mut sum = Integer::ZERO;
        for (j, coefficient) in factor.terms().skip(1).take_while(|(j, _)| *j <= k) {
            if !reciprocal[k - j].is_zero() {
                let times = Integer::from(k) + Integer::from(power - 1) * Integer::from(j);
                sum -= coefficient * times * &reciprocal[k - j];
            }
        }
        reciprocal.push(sum / (&first * Integer::from(k)));
    }
    let product = Poly::new(weights).times(&Poly::new(reciprocal), meter)?;
    let mut weights = product.into_coefficients();
    weights.resize(count, Integer::ZERO);
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::super::tests::*;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_exploding_d6_shows_each_face_of_its_second_die_once_in_36() {
        let meter = Meter::unlimited();
        let die = exploding_d6();
        assert_eq!(die.coefficient(4, &meter), Ok(number::ratio(1, 6u8.into())));
        assert_eq!(die.coefficient(6, &meter), Ok(Rational::ZERO));
        assert_eq!(die.coefficient(11, &meter), Ok(number::ratio(1, 36u8.into())));
        let (low, high) = die.cut(12, &meter).unwrap();
        assert_eq!(high.mass(), number::ratio(1, 36u8.into()));
        assert_eq!(low.plus(&high, &meter).unwrap(), die);
    }

    proptest! {
        #[test]
        fn dividing_at_once_agrees_with_dividing_one_by_one(
            num in prop::collection::vec(-3i64..4, 1..12),
            rest in prop::collection::vec(-2i64..3, 1..4),
            power in 1u32..6,
        ) {
            let meter = Meter::unlimited();
            let den: Vec<i64> = [5].into_iter().chain(rest).collect();
            let (factor, weights) = (poly(&den), num.into_iter().map(Integer::from).collect::<Vec<_>>());
            let own = own_total(&factor, power, weights.len(), &meter).unwrap();
            let slow = one_by_one(weights.clone(), &factor, power, &own, &meter);
            prop_assert_eq!(all_at_once(weights, &factor, power, &own, &meter), slow);
        }

        #[test]
        fn coefficients_times_the_denominator_give_the_numerator(
            num in prop::collection::vec(-3i64..4, 1..5),
            first in 1i64..5,
            rest in prop::collection::vec(-2i64..3, 0..4),
            power in 1u64..4,
        ) {
            let meter = Meter::unlimited();
            let den: Vec<i64> = [first].into_iter().chain(rest).collect();
            let one_over = series(&[1], &den).power(power, &meter).unwrap();
            let quotient = series(&num, &[1]).times(&one_over, &meter).unwrap();
            let (low, _) = quotient.cut(9, &meter).unwrap();
            let back = low.times(&series(&den, &[1]).power(power, &meter).unwrap(), &meter).unwrap();
            for k in 0..9 {
                let expected = num.get(k as usize).copied().unwrap_or(0);
                prop_assert_eq!(back.coefficient(k, &meter), Ok(number::whole(expected)));
            }
        }
    }
}
