//! Polynomials with integer coefficients, lowest degree first.
//!
//! A table of weights is a polynomial (`3 + 2x + x²`: weight 3 at 0, 2 at 1, 1 at 2), adding
//! independent numbers multiplies polynomials, and an exploding die is a quotient of two of them.
//! The last coefficient is never zero, so equal polynomials are equal vectors.

mod power;
mod product;

use crate::growing::lengthen;
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Integer, Natural};

/// A polynomial in one variable. The zero polynomial has no coefficients.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct Poly(Vec<Integer>);

impl Poly {
    pub(crate) fn new(mut coefficients: Vec<Integer>) -> Self {
        while coefficients.last().is_some_and(Integer::is_zero) {
            coefficients.pop();
        }
        Poly(coefficients)
    }

    pub(crate) fn zero() -> Self {
        Poly(Vec::new())
    }

    pub(crate) fn one() -> Self {
        Poly(vec![Integer::ONE])
    }

    pub(crate) fn constant(value: impl Into<Integer>) -> Self {
        Poly::new(vec![value.into()])
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn is_one(&self) -> bool {
        self.0.len() == 1 && self.0[0].is_one()
    }

    /// The number of coefficients: degree + 1, or 0 for the zero polynomial.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The degree; 0 for the zero polynomial too.
    pub(crate) fn degree(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    pub(crate) fn coefficients(&self) -> &[Integer] {
        &self.0
    }

    pub(crate) fn into_coefficients(self) -> Vec<Integer> {
        self.0
    }

    /// The coefficients of a polynomial without negative ones.
    pub(crate) fn into_weights(self) -> Vec<Natural> {
        self.0.into_iter().map(number::magnitude).collect()
    }

    /// The coefficients that are not zero, with their degrees.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (usize, &Integer)> {
        self.0.iter().enumerate().filter(|(_, c)| !c.is_zero())
    }

    pub(crate) fn first(&self) -> Integer {
        self.0.first().cloned().unwrap_or(Integer::ZERO)
    }

    pub(crate) fn last(&self) -> Integer {
        self.0.last().cloned().unwrap_or(Integer::ZERO)
    }

    /// The size in bits of the largest coefficient.
    pub(crate) fn bits(&self) -> usize {
        self.0.iter().map(number::bits).max().unwrap_or(0)
    }

    /// What the coefficients take, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let digits = self.0.iter().map(|c| number::bits(c) as u64 / 8 + 16).sum::<u64>();
        digits + (self.0.capacity() * size_of::<Integer>()) as u64
    }

    pub(crate) fn plus(mut self, other: &Poly) -> Poly {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), Integer::ZERO);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine += theirs;
        }
        Poly::new(self.0)
    }

    pub(crate) fn minus(self, other: &Poly) -> Poly {
        other.clone().negated().plus(&self)
    }

    pub(crate) fn negated(self) -> Poly {
        Poly(self.0.into_iter().map(|c| -c).collect())
    }

    pub(crate) fn scaled(&self, factor: &Integer) -> Poly {
        if factor.is_one() {
            return self.clone();
        }
        Poly::new(self.0.iter().map(|c| c * factor).collect())
    }

    /// Multiplied by `x^places`.
    pub(crate) fn raised(&self, places: usize) -> Poly {
        if places == 0 || self.is_zero() {
            return self.clone();
        }
        let mut coefficients = vec![Integer::ZERO; places];
        coefficients.extend_from_slice(&self.0);
        Poly(coefficients)
    }

    /// `x` replaced by `x^by`, for a positive `by`.
    pub(crate) fn stretched(&self, by: usize) -> Poly {
        if by <= 1 || self.len() <= 1 {
            return self.clone();
        }
        self.spread(by, vec![Integer::ZERO; self.degree() * by + 1])
    }

    /// The coefficients, each so many places from the next, in a list of zeros.
    fn spread(&self, by: usize, mut zeros: Vec<Integer>) -> Poly {
        for (degree, coefficient) in self.terms() {
            zeros[degree * by] = coefficient.clone();
        }
        Poly(zeros)
    }

    /// The same of a polynomial that may become long.
    pub(crate) fn stretched_far(&self, by: usize, meter: &Meter) -> Result<Poly, OverBudget> {
        if by <= 1 || self.len() <= 1 {
            return Ok(self.clone());
        }
        let mut zeros = Vec::new();
        lengthen(&mut zeros, self.degree() * by + 1, &Integer::ZERO, meter)?;
        Ok(self.spread(by, zeros))
    }

    /// The inverse of [`Poly::stretched`]: every `by`-th coefficient from `start` on.
    pub(crate) fn thinned(&self, start: usize, by: usize) -> Poly {
        Poly::new(self.0.iter().skip(start).step_by(by.max(1)).cloned().collect())
    }

    /// The coefficients in the opposite order: `x^degree · p(1/x)`.
    pub(crate) fn reversed(&self) -> Poly {
        Poly::new(self.0.iter().rev().cloned().collect())
    }

    pub(crate) fn derivative(&self) -> Poly {
        let term = |(k, c): (usize, &Integer)| c * Integer::from(k);
        Poly::new(self.0.iter().enumerate().skip(1).map(term).collect())
    }

    /// The value at 1: the sum of the coefficients.
    pub(crate) fn at_one(&self) -> Integer {
        self.0.iter().fold(Integer::ZERO, |sum, c| sum + c)
    }

    /// The value at −1.
    fn at_minus_one(&self) -> Integer {
        let signed =
            |sum: Integer, (k, c): (usize, &Integer)| if k % 2 == 0 { sum + c } else { sum - c };
        self.0.iter().enumerate().fold(Integer::ZERO, signed)
    }

    /// How many of the lowest coefficients are zero.
    pub(crate) fn leading_zeros(&self) -> usize {
        self.0.iter().take_while(|c| c.is_zero()).count()
    }

    /// Divided by `x^places`; the lowest coefficients are lost.
    pub(crate) fn lowered(mut self, places: usize) -> Poly {
        self.0.drain(..places.min(self.0.len()));
        self
    }

    /// The greatest common divisor of `start` and all coefficients.
    pub(crate) fn content(&self, start: &Natural) -> Natural {
        let mut common = start.clone();
        for coefficient in &self.0 {
            if common.is_one() {
                break;
            }
            common = number::gcd(&common, &number::magnitude(coefficient.clone()));
        }
        common
    }

    /// Every coefficient divided by `divisor`, which must divide them all.
    pub(crate) fn divided_by_integer(self, divisor: &Integer) -> Poly {
        if divisor.is_one() || divisor.is_zero() {
            return self;
        }
        Poly(self.0.into_iter().map(|c| c / divisor).collect())
    }

    /// The quotient by a primitive polynomial with non-zero constant term, if it is exact.
    pub(crate) fn divided_by(&self, divisor: &Poly) -> Option<Poly> {
        if divisor.is_zero() || self.len() < divisor.len() || !self.may_be_multiple_of(divisor) {
            return None;
        }
        let first = divisor.first();
        let size = self.len() - divisor.len() + 1;
        let mut quotient: Vec<Integer> = Vec::with_capacity(size);
        for k in 0..self.len() {
            let mut rest = self.0[k].clone();
            for (j, coefficient) in divisor.terms().skip(1).take_while(|(j, _)| *j <= k) {
                if let Some(q) = quotient.get(k - j) {
                    rest -= coefficient * q;
                }
            }
            if k < size {
                let whole = &rest / &first;
                if &whole * &first != rest {
                    return None;
                }
                quotient.push(whole);
            } else if !rest.is_zero() {
                return None;
            }
        }
        Some(Poly::new(quotient))
    }

    /// Cheap necessary conditions for divisibility: at 0, at 1 and at −1.
    fn may_be_multiple_of(&self, divisor: &Poly) -> bool {
        let divides =
            |d: Integer, n: Integer| if d.is_zero() { n.is_zero() } else { (n % d).is_zero() };
        !divisor.first().is_zero()
            && divides(divisor.first(), self.first())
            && divides(divisor.last(), self.last())
            && divides(divisor.at_one(), self.at_one())
            && divides(divisor.at_minus_one(), self.at_minus_one())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meter::Meter;

    fn poly(coefficients: &[i64]) -> Poly {
        Poly::new(coefficients.iter().map(|&c| Integer::from(c)).collect())
    }

    #[test]
    fn a_product_divides_by_its_factors_and_by_nothing_near_them() {
        let meter = Meter::unlimited();
        let (a, b) = (poly(&[6, 0, -1]), poly(&[1, 2, 0, -5]));
        let product = a.times(&b, &meter).unwrap();
        assert_eq!(product.divided_by(&a), Some(b.clone()));
        assert_eq!(product.divided_by(&b), Some(a));
        assert_eq!(product.plus(&poly(&[0, 1])).divided_by(&b), None);
    }

    #[test]
    fn stretching_and_thinning_are_inverse() {
        let p = poly(&[1, -2, 3]);
        assert_eq!(p.stretched(3).coefficients().len(), 7);
        assert_eq!(p.stretched(3).thinned(0, 3), p);
    }
}
