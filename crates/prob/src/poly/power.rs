//! Powers of a polynomial by a recurrence.
//!
//! `1000d6` is the thousandth power of `1 + x + … + x⁵`. Squaring repeatedly would multiply huge
//! polynomials; instead `Q = (A/B)ⁿ` obeys the differential equation `A·B·Q' = n·(A'B − AB')·Q`.
//! Comparing coefficients of `x^k`, with `D = A·B` and `E = n·(A'B − AB')`:
//!
//! ```text
//! D₀ (k+1) q[k+1] = Σ E_i q[k−i] − Σ_{i≥1} D_i (k+1−i) q[k+1−i]
//! ```
//!
//! one exact division and a few small products for each coefficient. The number of terms is what
//! counts, so `B` is chosen between 1 and `1 − x`: a fair die is `(1 − x^s)/(1 − x)`, three terms
//! each whatever its size and number; any die with few runs of equal weights is nearly as cheap.

//!
//! Weights are never negative, and neither are those of a power: their recurrence runs on [`Rows`]. It
//! is the same recurrence; with signs, or with weights beyond a machine word, it runs on big integers.

use super::Poly;
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Integer, Natural};
use crate::rows::{Rows, Term, Weights};
use dashu_base::{BitTest, Sign};

impl Poly {
    pub(crate) fn power(&self, exponent: u64, meter: &Meter) -> Result<Poly, OverBudget> {
        match exponent {
            0 => return Ok(Poly::one()),
            1 => return Ok(self.clone()),
            _ if self.is_zero() => return Ok(Poly::zero()),
            _ => {}
        }
        let zeros = self.leading_zeros();
        let base = self.clone().lowered(zeros);
        let size = sized(base.degree() as u64, exponent)?;
        let places = sized(zeros as u64, exponent)?;
        let growth = base.at_one_in_magnitude_bits() as u64;
        let bits = sized(growth, exponent)?;
        if base.len() == 1 {
            meter.charge_product(1 + places, 1, bits)?;
            return Ok(Poly(vec![base.first().pow(sized(1, exponent)?)]).raised(places));
        }
        let equation = Equation::of(&base, exponent);
        meter.charge_product(size + places, equation.terms() + 1, bits)?;
        let start = base.first().pow(sized(1, exponent)?);
        let power = match equation.small(&base, size) {
            Some(small) => {
                let weights = small.solve(number::magnitude(start), &base, exponent, size);
                Poly::new(weights.iter().cloned().map(Integer::from).collect())
            }
            None => equation.solve(start, size),
        };
        Ok(if places == 0 { power } else { power.raised(places) })
    }

    /// The coefficients of a power of at least 2, as rows; `None` if that is not possible or does not pay.
    pub(crate) fn weights_of_power(
        &self,
        exponent: u64,
        meter: &Meter,
    ) -> Result<Option<Weights>, OverBudget> {
        if self.len() < 2 || self.first().is_zero() {
            return Ok(None);
        }
        let size = sized(self.degree() as u64, exponent)?;
        let equation = Equation::of(self, exponent);
        let Some(small) = equation.small(self, size) else { return Ok(None) };
        let bits = sized(self.at_one_in_magnitude_bits() as u64, exponent)?;
        meter.charge_product(size, equation.terms() + 1, bits)?;
        let start = number::magnitude(self.first()).pow(sized(1, exponent)?);
        Ok(Some(small.solve(start, self, exponent, size)))
    }

    /// `factor · self^exponent` up to a degree, on rows of `bits` bits, for a polynomial with small, natural
    /// coefficients whose first is not zero.
    pub(crate) fn power_rows(
        &self,
        exponent: u64,
        factor: &Natural,
        degree: usize,
        bits: usize,
    ) -> Rows {
        let degree = degree.min(self.degree() * exponent as usize);
        let mut rows = Rows::with_room(degree + 1, bits);
        rows.push(&(number::magnitude(self.first()).pow(exponent as usize) * factor));
        let small = Equation::of(self, exponent).small(self, degree);
        debug_assert!(small.is_some(), "the caller checks the size of the coefficients");
        if let Some(equation) = small {
            equation.extend(&mut rows, degree);
        }
        rows
    }

    /// Whether the coefficients read the same from both ends.
    fn is_palindrome(&self) -> bool {
        self.0.iter().eq(self.0.iter().rev())
    }

    /// Bits of the sum of the absolute coefficients: the growth of a power, per factor.
    fn at_one_in_magnitude_bits(&self) -> usize {
        let sum = self.0.iter().cloned().map(number::magnitude);
        number::bits(&sum.fold(Integer::ZERO, |sum, c| sum + Integer::from(c)))
    }
}

fn sized(each: u64, count: u64) -> Result<usize, OverBudget> {
    let product = each.checked_mul(count).ok_or(OverBudget::Steps)?;
    if product >= 1 << 40 {
        return Err(OverBudget::Steps);
    }
    usize::try_from(product).map_err(|_| OverBudget::Steps)
}

/// `D·Q' = E·Q`, as the terms of its recurrence.
struct Equation {
    first: Integer,
    derivative_terms: Vec<(usize, Integer)>,
    value_terms: Vec<(usize, Integer)>,
}

impl Equation {
    fn of(base: &Poly, exponent: u64) -> Equation {
        let direct = Equation::with_denominator(base, &Poly::one(), exponent);
        let one_minus_x = Poly(vec![Integer::ONE, -Integer::ONE]);
        let differences = base.clone().minus(&base.raised(1));
        let run_lengths = Equation::with_denominator(&differences, &one_minus_x, exponent);
        if run_lengths.terms() < direct.terms() { run_lengths } else { direct }
    }

    fn with_denominator(top: &Poly, bottom: &Poly, exponent: u64) -> Equation {
        let free = Meter::unlimited();
        let times = |a: &Poly, b: &Poly| a.times(b, &free).unwrap_or_else(|_| Poly::zero());
        let d = times(top, bottom);
        let slope = times(&top.derivative(), bottom).minus(&times(top, &bottom.derivative()));
        let e = slope.scaled(&Integer::from(exponent));
        let owned = |(k, c): (usize, &Integer)| (k, c.clone());
        Equation {
            first: d.first(),
            derivative_terms: d.terms().skip(1).map(owned).collect(),
            value_terms: e.terms().map(owned).collect(),
        }
    }

    fn terms(&self) -> usize {
        self.derivative_terms.len() + self.value_terms.len()
    }

    fn solve(&self, start: Integer, degree: usize) -> Poly {
        let mut q = Vec::with_capacity(degree + 1);
        q.push(start);
        for k in 0..degree {
            let mut sum = Integer::ZERO;
            for (i, e) in self.value_terms.iter().take_while(|(i, _)| *i <= k) {
                sum += e * &q[k - i];
            }
            for (i, d) in self.derivative_terms.iter().take_while(|(i, _)| *i <= k) {
                sum -= d * Integer::from(k + 1 - i) * &q[k + 1 - i];
            }
            q.push(sum / (&self.first * Integer::from(k + 1)));
        }
        Poly::new(q)
    }
}

impl Equation {
    /// The same for machine words, if nothing is negative and all factors are small.
    fn small(&self, base: &Poly, degree: usize) -> Option<SmallEquation> {
        if base.0.iter().any(|c| c.sign() == Sign::Negative) {
            return None;
        }
        let first = u64::try_from(&self.first).ok()?;
        let mut terms: Vec<(usize, i64, i64)> = Vec::new();
        for (i, d) in &self.derivative_terms {
            terms.push((*i, i64::try_from(d).ok()?, 0));
        }
        for (i, e) in &self.value_terms {
            let e = i64::try_from(e).ok()?;
            match terms.iter_mut().find(|(place, ..)| *place == i + 1) {
                Some(term) => term.2 = e,
                None => terms.push((i + 1, 0, e)),
            }
        }
        terms.sort_unstable();
        let size = degree as i128 + 1;
        let factors = terms
            .iter()
            .map(|(_, d, e)| i128::from(d.unsigned_abs()) * size + i128::from(e.unsigned_abs()));
        let fits =
            factors.sum::<i128>() < Term::LARGEST && i128::from(first) * size < Term::LARGEST;
        fits.then_some(SmallEquation { first, terms })
    }
}

/// An [`Equation`] in machine words. A term `(i, d, e)` multiplies `q[k−i]` by `e − d·(k−i)` on the way to
/// `q[k]`.
struct SmallEquation {
    first: u64,
    terms: Vec<(usize, i64, i64)>,
}

impl SmallEquation {
    fn solve(&self, start: Natural, base: &Poly, exponent: u64, degree: usize) -> Weights {
        // No coefficient exceeds the sum of all, and the sum is this power.
        let bits = number::magnitude(base.at_one()).pow(exponent as usize).bit_len();
        let mirrored = base.is_palindrome();
        let known = if mirrored { degree / 2 } else { degree };
        let mut q = Rows::with_room(known + 1, bits);
        q.push(&start);
        self.extend(&mut q, known);
        Weights::mirrored(q, degree + 1)
    }

    /// Adds the coefficients up to this degree.
    fn extend(&self, q: &mut Rows, degree: usize) {
        let mut terms = Vec::with_capacity(self.terms.len());
        for k in q.len()..=degree {
            terms.clear();
            for (i, d, e) in self.terms.iter().take_while(|(i, ..)| *i <= k) {
                terms.push(Term::own(k - i, e - d * (k - i) as i64));
            }
            q.push_combination(&[], &terms, self.first * k as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_recurrence_agrees_with_repeated_products(
            base in prop::collection::vec(-4i64..5, 1..8),
            exponent in 0u64..7,
        ) {
            let meter = Meter::unlimited();
            let base = Poly::new(base.into_iter().map(Integer::from).collect());
            let mut slow = Poly::one();
            for _ in 0..exponent {
                slow = slow.times(&base, &meter).unwrap();
            }
            prop_assert_eq!(base.power(exponent, &meter).unwrap(), slow);
        }
    }

    proptest! {
        #[test]
        fn rows_agree_with_big_integers(
            base in prop::collection::vec(0u64..9, 1..9),
            first in 1u64..9,
            even in any::<bool>(),
            exponent in 2u64..60,
        ) {
            let mut base: Vec<Integer> = base.into_iter().map(Integer::from).collect();
            base.insert(0, Integer::from(first));
            if even {
                base.extend(base.clone().into_iter().rev());
            }
            let base = Poly::new(base);
            let size = base.degree() * exponent as usize;
            let equation = Equation::of(&base, exponent);
            let slow = equation.solve(base.first().pow(exponent as usize), size);
            prop_assume!(size > 0);
            prop_assert!(equation.small(&base, size).is_some());
            prop_assert_eq!(base.power(exponent, &Meter::unlimited()).unwrap(), slow);
        }
    }

    #[test]
    fn a_hopeless_power_is_refused_before_any_work() {
        let die = Poly::new(vec![Integer::ONE; 10_000]);
        assert!(die.power(9_999_999, &Meter::new(1_000_000)).is_err());
    }
}
