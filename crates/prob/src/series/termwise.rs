//! The product of two series term by term: `Σ a_k b_k x^k`.
//!
//! Coefficients of `1/f^e` are sums of terms `k^i α^k` with `i < e` and `1/α` a root of `f`. So the products of two such
//! sequences are sums of terms `k^i (αβ)^k` with `i < e + d − 1`, and the series is a quotient again: over
//! `h^(e+d−1)`, where `h` has the roots `1/(αβ)`. How many coefficients decide its numerator is known, and these are
//! multiplied one by one.
//!
//! Where both factors have two terms, `q − p·x^m` and `s − r·x^n`, so has `h`: along every `m`-th coefficient one
//! sequence is multiplied by `p/q`, along every `n`-th the other by `r/s`, hence both along every `lcm(m, n)`-th.
//! Otherwise `h` follows from its power sums, which are the products of those of both factors.

use super::{Factors, Series, merged, primitive};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Integer, Natural};
use crate::poly::Poly;
use dashu_base::Gcd;

/// Beyond this degree a common factor is not looked for.
const HIGHEST_DEGREE: usize = 400;

impl Series {
    /// The series of the products of coefficients.
    pub(crate) fn termwise(&self, other: &Series, meter: &Meter) -> Result<Series, OverBudget> {
        if self.is_zero() || other.is_zero() {
            return Ok(Series::zero());
        }
        let mut factors = Factors::new();
        for (f, e) in &self.factors {
            for (g, d) in &other.factors {
                let power = e.checked_add(d - 1).ok_or(OverBudget::Steps)?;
                factors = merged(&factors, &vec![(composed(f, g, meter)?, power)], u32::max);
            }
        }
        let mut denominator = Poly::one();
        for (factor, power) in &factors {
            denominator = denominator.times(&factor.power(u64::from(*power), meter)?, meter)?;
        }
        let start = self.shift.max(other.shift);
        let regular = self.regular_from()?.max(other.regular_from()?).max(start);
        let end = regular.checked_add(denominator.degree() as i64).ok_or(OverBudget::Steps)?;
        let (mine, theirs) =
            (self.coefficients_below(end, meter)?, other.coefficients_below(end, meter)?);
        let count = usize::try_from(end - start).map_err(|_| OverBudget::Steps)?;
        let bits = |weights: &[Integer]| weights.iter().map(number::bits).max().unwrap_or(0);
        meter.charge_product(count, 1, bits(&mine.weights) + bits(&theirs.weights))?;
        let from = |at: i64| usize::try_from(start - at).unwrap_or(usize::MAX);
        let pairs = mine.weights.iter().skip(from(mine.start));
        let pairs = pairs.zip(theirs.weights.iter().skip(from(theirs.start)));
        let products = Poly::new(pairs.map(|(a, b)| a * b).collect());
        let mut num = products.times(&denominator, meter)?.into_coefficients();
        num.truncate(count);
        Ok(Series::assemble(start, Poly::new(num), mine.total * theirs.total, factors))
    }

    /// The power from which on the coefficients follow from those before them.
    pub(super) fn regular_from(&self) -> Result<i64, OverBudget> {
        let degree: usize = self.factors.iter().map(|(f, e)| f.degree() * *e as usize).sum();
        let before = self.num.len().saturating_sub(degree);
        self.shift.checked_add(before as i64).ok_or(OverBudget::Steps)
    }
}

/// The polynomial whose roots are the products of roots of both.
fn composed(f: &Poly, g: &Poly, meter: &Meter) -> Result<Poly, OverBudget> {
    if let (Some(f), Some(g)) = (two_terms(f), two_terms(g)) {
        return binomial(f, g, meter);
    }
    let degree = f.degree().saturating_mul(g.degree());
    if degree > HIGHEST_DEGREE {
        return Err(OverBudget::NotKnown);
    }
    let base = f.first() * g.first();
    meter.charge_product(degree, degree, degree * number::bits(&base))?;
    let sums = power_sums(f, degree).into_iter().zip(power_sums(g, degree));
    let sums: Vec<Integer> = sums.map(|(p, q)| p * q).collect();
    Ok(from_power_sums(&sums, &base))
}

/// The polynomial whose inverse roots have these sums of powers, the k-th times the k-th power of the base.
pub(super) fn from_power_sums(sums: &[Integer], base: &Integer) -> Poly {
    // k·c_k = −Σ r_j·c_(k−j), with c_k times the k-th power of the base a whole number.
    let mut coefficients = vec![Integer::ONE];
    for k in 1..=sums.len() {
        let sum = (1..=k).fold(Integer::ZERO, |sum, j| sum - &sums[j - 1] * &coefficients[k - j]);
        coefficients.push(sum / Integer::from(k));
    }
    let mut scale = Integer::ONE;
    for coefficient in coefficients.iter_mut().rev() {
        *coefficient *= &scale;
        scale *= base;
    }
    primitive(Poly::new(coefficients)).1
}

/// `f₀^k` times the sum of the k-th powers of the inverse roots of `f`, for k from 1 on, by Newton's identities.
pub(super) fn power_sums(f: &Poly, count: usize) -> Vec<Integer> {
    let first = f.first();
    let coefficient = |k: usize| f.coefficients().get(k).cloned().unwrap_or(Integer::ZERO);
    let mut sums: Vec<Integer> = Vec::with_capacity(count);
    for k in 1..=count {
        let mut sum = Integer::ZERO;
        let mut scale = Integer::ONE;
        for j in 1..k.min(f.degree() + 1) {
            sum -= coefficient(j) * &scale * &sums[k - j - 1];
            scale *= &first;
        }
        if k <= f.degree() {
            sum -= coefficient(k) * Integer::from(k) * first.pow(k - 1);
        }
        sums.push(sum);
    }
    sums
}

/// `q − p·x^m` as `(m, p, q)`.
pub(super) fn two_terms(f: &Poly) -> Option<(usize, Integer, Integer)> {
    let mut terms = f.terms();
    match (terms.next()?, terms.next()?, terms.next()) {
        ((0, first), (gap, next), None) => Some((gap, -next, first.clone())),
        _ => None,
    }
}

fn binomial(
    (m, p, q): (usize, Integer, Integer),
    (n, r, s): (usize, Integer, Integer),
    meter: &Meter,
) -> Result<Poly, OverBudget> {
    let together = m / m.gcd(n) * n;
    let (times, others) = (together / m, together / n);
    let bits = |value: &Integer| number::bits(value).max(1);
    meter.charge_product(1, times, bits(&p) + bits(&q))?;
    meter.charge_product(1, others, bits(&r) + bits(&s))?;
    meter.charge(together as u64)?;
    let (falls, stays) = (p.pow(times) * r.pow(others), q.pow(times) * s.pow(others));
    let common = Integer::from(number::gcd(&size(&falls), &size(&stays)));
    let mut coefficients = vec![Integer::ZERO; together + 1];
    coefficients[0] = stays / &common;
    coefficients[together] = -falls / common;
    Ok(Poly::new(coefficients))
}

fn size(value: &Integer) -> Natural {
    number::magnitude(value.clone())
}

#[cfg(test)]
mod tests {
    use super::super::tests::*;
    use super::*;
    use proptest::prelude::*;

    fn check(a: &Series, b: &Series) {
        let meter = Meter::unlimited();
        let both = a.termwise(b, &meter).unwrap();
        for power in -3..60 {
            let [a, b, both] = [a, b, &both].map(|one| one.coefficient(power, &meter).unwrap());
            assert_eq!(a * b, both, "at {power}");
        }
    }

    #[test]
    fn exploding_dice_of_two_sizes_have_one_factor() {
        let meter = Meter::unlimited();
        let d8 = series(&[0, 1, 1, 1, 1, 1, 1, 1], &[8, 0, 0, 0, 0, 0, 0, 0, -1]);
        let both = exploding_d6().termwise(&d8, &meter).unwrap();
        let [(factor, 1)] = both.factors.as_slice() else { panic!("one factor") };
        assert_eq!(factor.degree(), 24);
        check(&exploding_d6(), &d8);
        check(&exploding_d6().power(3, &meter).unwrap(), &d8.power(2, &meter).unwrap());
        check(&exploding_d6().shifted(-2), &series(&[1, 2, 3], &[1]));
    }

    proptest! {
        #[test]
        fn products_are_those_of_the_coefficients(
            a in prop::collection::vec(-3i64..4, 1..6),
            f in prop::collection::vec(-2i64..3, 1..4),
            b in prop::collection::vec(-3i64..4, 1..4),
            g in prop::collection::vec(-2i64..3, 1..4),
            power in 1u64..3,
        ) {
            let meter = Meter::unlimited();
            let over = |rest: Vec<i64>, first| -> Vec<i64> { [first].into_iter().chain(rest).collect() };
            let a = series(&a, &over(f, 3)).power(power, &meter).unwrap();
            check(&a, &series(&b, &over(g, 5)));
        }
    }
}
