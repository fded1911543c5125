//! Mass, mean and variance of a series, by derivatives at 1.
//!
//! With `G = num / (scale · Π f^e)` the logarithmic derivative is a sum over the parts,
//! `G'/G = num'/num − Σ e f'/f`, so powers of a factor cost nothing. For `d6!` at 1:
//! `15/5 + 6/5 = 21/5`, its mean.

use super::Series;
use crate::number::{self, Integer, Rational};
use crate::poly::Poly;

/// `Σ k·c_k` and `Σ k²·c_k`.
#[derive(Clone, Default)]
pub(crate) struct Moments {
    pub(crate) first: Rational,
    pub(crate) second: Rational,
}

impl Series {
    /// The sum of all coefficients: the value at 1.
    pub(crate) fn mass(&self) -> Rational {
        let mut bottom = Integer::from(self.scale.clone());
        for (factor, power) in &self.factors {
            bottom *= factor.at_one().pow(*power as usize);
        }
        number::quotient(&Rational::from(self.num.at_one()), &Rational::from(bottom))
    }

    /// The first moments of a series with non-negative coefficients.
    pub(crate) fn moments(&self) -> Moments {
        if self.is_zero() {
            return Moments::default();
        }
        let mass = self.mass();
        let (mut slope, mut bend) = logarithmic_derivatives(&self.num);
        for (factor, power) in &self.factors {
            let (factor_slope, factor_bend) = logarithmic_derivatives(factor);
            let power = Rational::from(Integer::from(*power));
            slope -= factor_slope * &power;
            bend -= factor_bend * power;
        }
        slope += number::whole(self.shift);
        bend -= number::whole(self.shift);
        let factorial = &mass * (&slope * &slope + bend);
        let first = &mass * slope;
        Moments { second: factorial + &first, first }
    }
}

/// `p'/p` and its derivative `p''/p − (p'/p)²`, at 1.
fn logarithmic_derivatives(poly: &Poly) -> (Rational, Rational) {
    let value = Rational::from(poly.at_one());
    let derivative = poly.derivative();
    let slope = number::quotient(&Rational::from(derivative.at_one()), &value);
    let second = number::quotient(&Rational::from(derivative.derivative().at_one()), &value);
    let bend = second - &slope * &slope;
    (slope, bend)
}

#[cfg(test)]
mod tests {
    use super::super::tests::*;
    use super::*;

    #[test]
    fn an_exploding_d6_has_mean_21_fifths() {
        let moments = exploding_d6().shifted(2).moments();
        assert_eq!(exploding_d6().mass(), Rational::ONE);
        assert_eq!(moments.first, number::ratio(31, 5u8.into()));
        // Variance of d6!: E[X²] − (21/5)² with E[X²] = (55/6 + 36/6 + 2·6·(21/5)/6) / (5/6).
        let square =
            number::ratio(707, 25u8.into()) + number::ratio(4 * 21, 5u8.into()) + number::whole(4);
        assert_eq!(moments.second, square);
    }
}
