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

use super::Poly;
use crate::meter::{Meter, OverBudget};
use crate::number::Integer;

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
        Ok(equation.solve(base.first().pow(sized(1, exponent)?), size).raised(places))
    }

    /// Bits of the sum of the absolute coefficients: the growth of a power, per factor.
    fn at_one_in_magnitude_bits(&self) -> usize {
        let sum = self.0.iter().cloned().map(crate::number::magnitude);
        crate::number::bits(&sum.fold(Integer::ZERO, |sum, c| sum + Integer::from(c)))
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

    #[test]
    fn a_hopeless_power_is_refused_before_any_work() {
        let die = Poly::new(vec![Integer::ONE; 10_000]);
        assert!(die.power(9_999_999, &Meter::new(1_000_000)).is_err());
    }
}
