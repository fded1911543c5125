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
use crate::meter::{Meter, OverBudget, price_of_row};
use crate::number::{self, Integer};
use crate::rows::{Recurrence, Rows, Weights};
use crate::ways;
use dashu_base::BitTest;

/// Up to this exponent, a base of this length is multiplied by itself where machine words do not reach.
const FEW: u64 = 32;
const LONG: usize = 16;

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
        if let Some(weights) = base.weights_of_power(exponent, meter)? {
            // The rows, and beside them all coefficients as numbers of their own.
            meter.room_for_rows(size + size / 2 + places, bits)?;
            meter.charge(places as u64)?;
            let mut numbers = Vec::with_capacity(places + size + 1);
            numbers.resize(places, Integer::ZERO);
            // Each is memory of its own, which is new to the system if it is much in all.
            let (mut words, each) = (Vec::new(), 2 + bits as u64 / 128);
            meter.in_pieces(weights.len(), each, |next| {
                let rows = numbers.len() - places..next;
                numbers.extend(rows.map(|k| Integer::from(weights.number(k, &mut words))));
            })?;
            return Ok(Poly::new(numbers));
        }
        if exponent <= FEW && base.terms().count() >= LONG {
            return Ok(base.squared_up(exponent, meter)?.raised(places));
        }
        let equation = Equation::of(&base, exponent);
        meter.charge_product(size + places, equation.terms() + 1, bits)?;
        Ok(equation.solve(base.first().pow(sized(1, exponent)?), size).raised(places))
    }

    /// The power by squaring: for a long base that is no die, the terms of the recurrence are long themselves.
    fn squared_up(&self, exponent: u64, meter: &Meter) -> Result<Poly, OverBudget> {
        let mut power = self.clone();
        for bit in (0..exponent.ilog2()).rev() {
            power = power.times(&power, meter)?;
            if exponent >> bit & 1 == 1 {
                power = power.times(self, meter)?;
            }
        }
        Ok(power)
    }

    /// The coefficients of a power of at least 2, as rows; `None` if that is not possible or does not pay.
    pub(crate) fn weights_of_power(
        &self,
        exponent: u64,
        meter: &Meter,
    ) -> Result<Option<Weights>, OverBudget> {
        if self.len() < 2 || self.first().is_zero() || !meter.may(ways::ROWS) {
            return Ok(None);
        }
        // Each look at all coefficients is paid for by itself: there may be millions of them.
        let look = self.len() as u64;
        meter.charge(look)?;
        let size = sized(self.degree() as u64, exponent)?;
        let Some(recurrence) = self.recurrence(exponent, size) else { return Ok(None) };
        meter.charge(look)?;
        let known = if self.is_palindrome() { size / 2 } else { size };
        meter.charge(look)?;
        let bits = sized(self.at_one_in_magnitude_bits() as u64, exponent)?;
        meter.room_for_rows(known + 1, bits)?;
        meter.afford((known as u64).saturating_mul(price_of_row(recurrence.terms(), bits)))?;
        let weights = self.solved(&recurrence, sized(1, exponent)?, size, meter)?;
        meter.took(ways::ROWS);
        Ok(Some(weights))
    }

    /// The recurrence in machine words, if nothing is negative and all factors are small.
    fn recurrence(&self, exponent: u64, degree: usize) -> Option<Recurrence> {
        let term = |(k, c): (usize, &Integer)| Some((k, u64::try_from(c).ok()?));
        let terms = self.terms().map(term).collect::<Option<Vec<_>>>()?;
        Recurrence::of(0, &terms, exponent, degree)
    }

    /// The power by a recurrence in machine words.
    fn solved(
        &self,
        recurrence: &Recurrence,
        exponent: usize,
        degree: usize,
        meter: &Meter,
    ) -> Result<Weights, OverBudget> {
        // No coefficient exceeds the sum of all, and the sum is this power.
        let bits = number::magnitude(self.at_one()).pow(exponent).bit_len();
        meter.charge(self.len() as u64)?;
        let known = if self.is_palindrome() { degree / 2 } else { degree };
        let mut q = Rows::with_room(known + 1, bits);
        q.push(&number::magnitude(self.first()).pow(exponent));
        let each = price_of_row(recurrence.terms(), bits);
        meter.in_pieces(known, each, |row| recurrence.extend(&mut q, row))?;
        Ok(Weights::mirrored(q, degree + 1))
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
            prop_assert!(base.recurrence(exponent, size).is_some());
            prop_assert_eq!(base.power(exponent, &Meter::unlimited()).unwrap(), slow);
        }
    }

    #[test]
    fn a_hopeless_power_is_refused_before_any_work() {
        let die = Poly::new(vec![Integer::ONE; 10_000]);
        assert!(die.power(9_999_999, &Meter::new(1_000_000)).is_err());
    }
}
