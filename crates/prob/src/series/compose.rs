//! A random number of independent copies: the count's series with the copy's in place of `x`.
//!
//! Helpers' successes become bonus dice: a count with generating function `N = A/B` and a die with
//! `G = p/q` give `N(G)`. Each polynomial of degree `m` is made homogeneous,
//! `f(p/q) = F(p, q) / q^m` with `F = Σ f_i pⁱ q^(m−i)`, so that
//!
//! ```text
//! N(G) = F_A · q^(deg B − deg A) / (scale · Π F_f^e)
//! ```
//!
//! `q` stays factored, and a factor of `N` becomes one factor of the result.

use super::{Factors, Series, primitive};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Integer, Natural};
use crate::poly::Poly;

impl Series {
    /// `self(inner(x))`, for two series without negative powers; `None` if it has no value.
    pub(crate) fn compose(
        &self,
        inner: &Series,
        meter: &Meter,
    ) -> Result<Option<Series>, OverBudget> {
        if self.shift < 0 || inner.shift < 0 {
            return Ok(None);
        }
        let homogeneous = Homogeneous::new(inner, meter)?;
        let mut result = homogeneous.substitute(&self.num, meter)?;
        for (factor, power) in &self.factors {
            let Some(below) = homogeneous.substitute(factor, meter)?.inverse(meter)? else {
                return Ok(None);
            };
            result = result.times(&below.power(u64::from(*power), meter)?, meter)?;
        }
        let shift = inner.power(self.shift.unsigned_abs(), meter)?;
        let scale = number::ratio(1, self.scale.clone());
        Ok(Some(result.times(&shift, meter)?.scaled(&scale)))
    }
}

/// `p` and `q` of the inner series, `q` both multiplied out and as factors.
struct Homogeneous {
    top: Poly,
    bottom: Poly,
    scale: Natural,
    factors: Factors,
}

impl Homogeneous {
    fn new(inner: &Series, meter: &Meter) -> Result<Self, OverBudget> {
        let places = usize::try_from(inner.shift).map_err(|_| OverBudget::Steps)?;
        meter.charge_product(places, 1, 0)?;
        let bottom = inner.denominator(meter)?.scaled(&Integer::from(inner.scale.clone()));
        let (scale, factors) = (inner.scale.clone(), inner.factors.clone());
        Ok(Homogeneous { top: inner.num.raised(places), bottom, scale, factors })
    }

    /// `f(p/q)`.
    fn substitute(&self, outer: &Poly, meter: &Meter) -> Result<Series, OverBudget> {
        let mut sum = Poly::zero();
        let mut bottom_power = Poly::one();
        for coefficient in outer.coefficients().iter().rev() {
            sum = sum.times(&self.top, meter)?.plus(&bottom_power.scaled(coefficient));
            bottom_power = bottom_power.times(&self.bottom, meter)?;
        }
        let degree = outer.degree();
        let times = u32::try_from(degree).map_err(|_| OverBudget::Steps)?;
        let raise = |(f, power): &(Poly, u32)| (f.clone(), power.saturating_mul(times));
        let factors: Factors = self.factors.iter().map(raise).filter(|(_, p)| *p > 0).collect();
        debug_assert!(factors.iter().all(|(f, _)| primitive(f.clone()).0.is_one()));
        Ok(Series::assemble(0, sum, self.scale.pow(degree), factors))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::*;
    use super::*;

    #[test]
    fn helpers_successes_become_dice() {
        // Four helper dice, 10-again with successes on 8 and more; each success is one more die.
        let meter = Meter::unlimited();
        let die = series(&[7, 2], &[10, -1]);
        let helpers = die.power(4, &meter).unwrap();
        let bonus = helpers.compose(&die, &meter).unwrap().unwrap();
        assert_eq!(bonus, series(&[28, -1], &[31, -4]).power(4, &meter).unwrap());
    }
}
