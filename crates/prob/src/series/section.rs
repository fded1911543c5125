//! Every so-manieth coefficient: `Σ c_(b·k + r) x^k`.
//!
//! A quotient by a number, rounded down, puts `b` places in a row together, so its generating function adds each
//! place to those before it and takes every `b`-th sum. The coefficients of `1/f^e` are sums of terms `k^i α^k` with
//! `i < e` and `1/α` a root of `f`; every `b`-th of them is such a sum with `α^b`. So the section is a quotient again,
//! over `h^e`, where `h` has the roots `1/α^b`. How many coefficients decide its numerator is known.
//!
//! Where the factor has two terms, `q − p·x^m`, so has `h`: with `g` the common divisor of `m` and `b`, every
//! `m/g`-th coefficient of the section is the one before times `(p/q)^(b/g)`. Otherwise `h` follows from its power
//! sums, which are every `b`-th of those of `f`.

use super::termwise::{from_power_sums, power_sums, two_terms};
use super::{Factors, Series, merged};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Integer};
use crate::poly::Poly;
use dashu_base::Gcd;

impl Series {
    /// The coefficients of `x^first`, `x^(first+by)`, … in both directions, as those of `x^0`, `x^1`, …
    pub(crate) fn section(&self, by: u64, first: i64, meter: &Meter) -> Result<Series, OverBudget> {
        if self.is_zero() {
            return Ok(Series::zero());
        }
        let mut factors = Factors::new();
        for (f, power) in &self.factors {
            factors = merged(&factors, &vec![(powered(f, by, meter)?, *power)], u32::max);
        }
        let mut denominator = Poly::one();
        for (factor, power) in &factors {
            denominator = denominator.times(&factor.power(u64::from(*power), meter)?, meter)?;
        }
        let by_places = i64::try_from(by).map_err(|_| OverBudget::Steps)?;
        let place = |power: i64| {
            let far = power.checked_sub(first).ok_or(OverBudget::Steps)?;
            Ok::<i64, OverBudget>(far.div_euclid(by_places) + i64::from(far % by_places != 0))
        };
        let (start, regular) = (place(self.shift)?, place(self.regular_from()?)?);
        let end = regular.max(start).checked_add(denominator.degree() as i64);
        let end = end.ok_or(OverBudget::Steps)?;
        let far = end.checked_mul(by_places).and_then(|far| far.checked_add(first));
        let found = self.coefficients_below(far.ok_or(OverBudget::Steps)?, meter)?;
        let count = usize::try_from(end - start).map_err(|_| OverBudget::Steps)?;
        let at = |k: usize| {
            let power = (start + k as i64) * by_places + first;
            let place = usize::try_from(power - found.start).ok();
            place.and_then(|place| found.weights.get(place)).cloned().unwrap_or(Integer::ZERO)
        };
        let kept = Poly::new((0..count).map(at).collect());
        let mut num = kept.times(&denominator, meter)?.into_coefficients();
        num.truncate(count);
        Ok(Series::assemble(start, Poly::new(num), found.total, factors))
    }

    /// The sums of `by` coefficients in a row: of those from `x^first` on as the coefficient of `x^0`, and so on in
    /// both directions.
    pub(crate) fn in_rows(&self, by: u64, first: i64, meter: &Meter) -> Result<Series, OverBudget> {
        let size = usize::try_from(by).map_err(|_| OverBudget::Steps)?;
        meter.charge(by)?;
        let row = Poly::new(vec![Integer::ONE; size]);
        let last = first.checked_add(size as i64 - 1).ok_or(OverBudget::Steps)?;
        let row = Series::polynomial(0, row, number::Natural::ONE);
        self.times(&row, meter)?.section(by, last, meter)
    }
}

/// The polynomial whose roots are the powers of the roots.
fn powered(f: &Poly, by: u64, meter: &Meter) -> Result<Poly, OverBudget> {
    let by = usize::try_from(by).map_err(|_| OverBudget::Steps)?;
    if let Some((m, p, q)) = two_terms(f) {
        let common = m.gcd(by);
        let (places, times) = (m / common, by / common);
        let bits = number::bits(&p).max(number::bits(&q)).max(1);
        meter.charge_product(1, times, bits)?;
        meter.charge(places as u64)?;
        let mut coefficients = vec![Integer::ZERO; places + 1];
        coefficients[0] = q.pow(times);
        coefficients[places] = -p.pow(times);
        return Ok(Poly::new(coefficients));
    }
    let degree = f.degree();
    let count = degree.checked_mul(by).ok_or(OverBudget::Steps)?;
    meter.charge_product(count, degree, count.saturating_mul(number::bits(&f.first())))?;
    let sums = power_sums(f, count).into_iter().skip(by - 1).step_by(by).collect::<Vec<_>>();
    Ok(from_power_sums(&sums, &f.first().pow(by)))
}

#[cfg(test)]
mod tests {
    use super::super::tests::*;
    use super::*;

    fn check(series: &Series, by: u64, first: i64) {
        let meter = Meter::unlimited();
        let section = series.section(by, first, &meter).unwrap();
        let rows = series.in_rows(by, first, &meter).unwrap();
        for k in -8..30 {
            let from = k * by as i64 + first;
            let of = |power| series.coefficient(power, &meter).unwrap();
            assert_eq!(section.coefficient(k, &meter).unwrap(), of(from), "{by} {first} {k}");
            let sum = (from..from + by as i64).fold(number::Rational::ZERO, |sum, p| sum + of(p));
            assert_eq!(rows.coefficient(k, &meter).unwrap(), sum, "row {by} {first} {k}");
        }
    }

    #[test]
    fn every_so_manieth_chance_of_endless_dice() {
        let meter = Meter::unlimited();
        let three = exploding_d6().power(3, &meter).unwrap();
        let fibonacci = series(&[1, 2, -1], &[1, -1, -1]);
        let mixed = fibonacci.power(2, &meter).unwrap().shifted(-7);
        for series in [exploding_d6(), three, fibonacci, mixed, series(&[3, 1, 4, 1, 5], &[2])] {
            for by in [1, 2, 3, 4, 6, 7] {
                for first in [-5, -1, 0, 1, 2, 9] {
                    check(&series, by, first);
                }
            }
        }
    }
}
