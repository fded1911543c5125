//! Generating functions of endless numbers: quotients of polynomials, kept exact.
//!
//! A d6 that explodes on 6 shows 1 to 5, or 6 and another such die. Its generating function
//! `G = (x + … + x⁵)/6 + x⁶/6 · G` is solved by `G = (x + … + x⁵)/(6 − x⁶)`: a finite object that
//! holds every chance, the mean, and the mass of any tail. [`Series`] is such a quotient
//!
//! ```text
//! x^shift · num(x) / (scale · f₁(x)^e₁ · f₂(x)^e₂ · …)
//! ```
//!
//! read as a power series, which may start at a negative power. The denominator stays *factored*
//! because pools give powers of the same few factors: mixing `3d6!` with `5d6!` then needs the
//! denominator `(6 − x⁶)⁵`, not the product `(6 − x⁶)⁸`, and the recurrence for coefficients keeps
//! small numbers (see [`coefficients`]).
//!
//! Kept in order: `num` has a non-zero constant term, `scale` shares no factor with it, every
//! factor is primitive with a positive constant term, factors are sorted, and none divides `num`.
//! Coefficients may be negative while an algorithm works (inclusion and exclusion); the laws built
//! from series are not.

mod coefficients;
mod compose;
mod cross;
mod modular;
mod moments;
mod recurrence;
mod section;
mod termwise;

use dashu_base::BitTest;

use crate::meter::{Meter, OverBudget};
use crate::number::{self, Integer, Natural, Rational};
use crate::poly::Poly;

pub(crate) use cross::{cross, join, turned};
pub use recurrence::Terms;

/// A rational generating function; see the module's header.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Series {
    shift: i64,
    num: Poly,
    scale: Natural,
    factors: Vec<(Poly, u32)>,
}

type Factors = Vec<(Poly, u32)>;

impl Series {
    pub(crate) fn zero() -> Self {
        Series { shift: 0, num: Poly::zero(), scale: Natural::ONE, factors: Vec::new() }
    }

    pub(crate) fn one() -> Self {
        Series { num: Poly::one(), ..Series::zero() }
    }

    /// The constant series.
    pub(crate) fn constant(value: &Rational) -> Self {
        Series::monomial(value, 0)
    }

    /// `value · x^power`.
    pub(crate) fn monomial(value: &Rational, power: i64) -> Self {
        let num = Poly::constant(value.numerator().clone());
        Series::assemble(power, num, value.denominator().clone(), Vec::new())
    }

    /// `x^shift · num / scale`.
    pub(crate) fn polynomial(shift: i64, num: Poly, scale: Natural) -> Self {
        Series::assemble(shift, num, scale, Vec::new())
    }

    /// Puts the parts in order. Factors must be primitive with positive constant terms.
    fn assemble(shift: i64, num: Poly, scale: Natural, factors: Factors) -> Self {
        let mut series = Series { shift, num, scale, factors };
        series.tidy();
        series
    }

    fn tidy(&mut self) {
        if self.num.is_zero() {
            *self = Series::zero();
            return;
        }
        let zeros = self.num.leading_zeros();
        if zeros > 0 {
            self.num = std::mem::replace(&mut self.num, Poly::zero()).lowered(zeros);
            self.shift = self.shift.saturating_add(zeros as i64);
        }
        for (factor, power) in &mut self.factors {
            while *power > 0
                && let Some(quotient) = self.num.divided_by(factor)
            {
                self.num = quotient;
                *power -= 1;
            }
        }
        self.factors.retain(|(_, power)| *power > 0);
        let common = self.num.content(&self.scale);
        if !common.is_one() {
            let num = std::mem::replace(&mut self.num, Poly::zero());
            self.scale = &self.scale / &common;
            self.num = num.divided_by_integer(&Integer::from(common));
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.num.is_zero()
    }

    /// About how much memory it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let factors = self.factors.iter().map(|(factor, _)| factor.bytes()).sum::<u64>();
        self.num.bytes() + self.scale.bit_len() as u64 / 8 + factors
    }

    /// Whether only finitely many coefficients are not zero.
    pub(crate) fn is_polynomial(&self) -> bool {
        self.factors.is_empty()
    }

    /// The lowest power with a non-zero coefficient (0 for the zero series).
    pub(crate) fn lowest(&self) -> i64 {
        self.shift
    }

    /// Numerator and scale of a series that [is a polynomial](Series::is_polynomial).
    pub(crate) fn as_polynomial(&self) -> (i64, &Poly, &Natural) {
        (self.shift, &self.num, &self.scale)
    }

    /// From where on, after how many places, and by which factor the coefficients repeat, if the
    /// denominator is a single `q − p·x^m`.
    pub(crate) fn period(&self) -> Option<(i64, i64, Rational)> {
        let [(factor, 1)] = self.factors.as_slice() else { return None };
        let mut terms = factor.terms();
        let (Some((_, first)), Some((period, next)), None) =
            (terms.next(), terms.next(), terms.next())
        else {
            return None;
        };
        let ratio = number::quotient(&Rational::from(-next), &Rational::from(first.clone()));
        let start = self.num.len().saturating_sub(period);
        Some((self.shift.checked_add(start as i64)?, period as i64, ratio))
    }

    /// A rough size in machine words, for estimates.
    pub(crate) fn size(&self) -> usize {
        let denominator: usize =
            self.factors.iter().map(|(f, power)| f.degree().saturating_mul(*power as usize)).sum();
        (self.num.len() + denominator) * (1 + self.num.bits() / 64)
    }

    /// Multiplied by `x^places`.
    pub(crate) fn shifted(mut self, places: i64) -> Self {
        if !self.is_zero() {
            self.shift = self.shift.saturating_add(places);
        }
        self
    }

    /// `x` replaced by `x^by`, for a positive `by`.
    pub(crate) fn stretched(&self, by: i64, meter: &Meter) -> Result<Self, OverBudget> {
        if by == 1 {
            return Ok(self.clone());
        }
        let by_size = usize::try_from(by).map_err(|_| OverBudget::Steps)?;
        let factor_sizes = self.factors.iter().map(|(f, _)| f.len());
        let longest = factor_sizes.chain([self.num.len()]).max().unwrap_or(0);
        // Most of it are zeros, which are written here and again where it is scaled.
        meter.charge_product(longest, by_size.saturating_mul(4), 0)?;
        let stretch = |(f, power): &(Poly, u32)| (f.stretched(by_size), *power);
        Ok(Series {
            shift: self.shift.checked_mul(by).ok_or(OverBudget::Steps)?,
            num: self.num.stretched(by_size),
            scale: self.scale.clone(),
            factors: self.factors.iter().map(stretch).collect(),
        })
    }

    /// Multiplied by a number.
    pub(crate) fn scaled(&self, by: &Rational) -> Self {
        let num = self.num.scaled(by.numerator());
        let scale = &self.scale * by.denominator();
        if num.is_zero() {
            return Series::zero();
        }
        let common = num.content(&scale);
        Series {
            shift: self.shift,
            scale: scale / &common,
            num: num.divided_by_integer(&Integer::from(common)),
            factors: self.factors.clone(),
        }
    }

    pub(crate) fn times(&self, other: &Series, meter: &Meter) -> Result<Series, OverBudget> {
        if self.is_zero() || other.is_zero() {
            return Ok(Series::zero());
        }
        let num = self.num.times(&other.num, meter)?;
        let factors = merged(&self.factors, &other.factors, |a, b| a.saturating_add(b));
        let shift = self.shift.checked_add(other.shift).ok_or(OverBudget::Steps)?;
        Ok(Series::assemble(shift, num, &self.scale * &other.scale, factors))
    }

    /// The `exponent`-th power: the sum of that many independent numbers.
    pub(crate) fn power(&self, exponent: u64, meter: &Meter) -> Result<Series, OverBudget> {
        if exponent == 0 {
            return Ok(Series::one());
        }
        let small = u32::try_from(exponent).map_err(|_| OverBudget::Steps)?;
        meter.charge_product(1, 1 + number::bits(&self.scale.clone().into()), small as usize)?;
        let raise = |(f, power): &(Poly, u32)| Some((f.clone(), power.checked_mul(small)?));
        let factors: Option<Factors> = self.factors.iter().map(raise).collect();
        let signed = i64::try_from(exponent).ok();
        Ok(Series {
            shift: signed.and_then(|e| self.shift.checked_mul(e)).ok_or(OverBudget::Steps)?,
            num: self.num.power(exponent, meter)?,
            scale: self.scale.pow(small as usize),
            factors: factors.ok_or(OverBudget::Steps)?,
        })
    }

    pub(crate) fn plus(&self, other: &Series, meter: &Meter) -> Result<Series, OverBudget> {
        Series::sum(&[self, other], meter)
    }

    pub(crate) fn minus(&self, other: &Series, meter: &Meter) -> Result<Series, OverBudget> {
        let negative = Series { num: other.num.clone().negated(), ..other.clone() };
        self.plus(&negative, meter)
    }

    /// The sum of many series over their least common denominator.
    pub(crate) fn sum(terms: &[&Series], meter: &Meter) -> Result<Series, OverBudget> {
        let terms: Vec<&Series> = terms.iter().copied().filter(|s| !s.is_zero()).collect();
        let Some(shift) = terms.iter().map(|s| s.shift).min() else {
            return Ok(Series::zero());
        };
        if let [only] = terms.as_slice() {
            return Ok((*only).clone());
        }
        let mut scale = Natural::ONE;
        let mut factors = Factors::new();
        for term in &terms {
            scale = number::lcm(&scale, &term.scale);
            factors = merged(&factors, &term.factors, u32::max);
        }
        let mut num = Poly::zero();
        for term in terms {
            num = num.plus(&term.over(shift, &scale, &factors, meter)?);
        }
        Ok(Series::assemble(shift, num, scale, factors))
    }

    /// The numerator over a larger denominator.
    fn over(
        &self,
        shift: i64,
        scale: &Natural,
        factors: &Factors,
        meter: &Meter,
    ) -> Result<Poly, OverBudget> {
        let places = self.shift.checked_sub(shift).and_then(|p| usize::try_from(p).ok());
        let places = places.ok_or(OverBudget::Steps)?;
        meter.charge_product(places + self.num.len(), 1, self.num.bits())?;
        let mut num = self.num.scaled(&Integer::from(scale / &self.scale)).raised(places);
        for (factor, power) in factors {
            let mine = self.factors.iter().find(|(f, _)| f == factor).map_or(0, |(_, p)| *p);
            let missing = factor.power(u64::from(power.saturating_sub(mine)), meter)?;
            num = num.times(&missing, meter)?;
        }
        Ok(num)
    }

    /// `1 / self`; `None` if the series is zero.
    pub(crate) fn inverse(&self, meter: &Meter) -> Result<Option<Series>, OverBudget> {
        if self.is_zero() {
            return Ok(None);
        }
        let mut num = Poly::constant(self.scale.clone());
        for (factor, power) in &self.factors {
            num = num.times(&factor.power(u64::from(*power), meter)?, meter)?;
        }
        let (unit, factor) = primitive(self.num.clone());
        let num = if unit < Integer::ZERO { num.negated() } else { num };
        let factors = if factor.len() > 1 { vec![(factor, 1)] } else { Factors::new() };
        Ok(Some(Series::assemble(-self.shift, num, number::magnitude(unit), factors)))
    }

    /// `1 / (1 − self)`: what becomes of something that happens again and again.
    pub(crate) fn geometric(&self, meter: &Meter) -> Result<Option<Series>, OverBudget> {
        Series::one().minus(self, meter)?.inverse(meter)
    }

    /// The denominator multiplied out, without the scale.
    fn denominator(&self, meter: &Meter) -> Result<Poly, OverBudget> {
        let mut product = Poly::one();
        for (factor, power) in &self.factors {
            product = product.times(&factor.power(u64::from(*power), meter)?, meter)?;
        }
        Ok(product)
    }
}

/// A polynomial with non-zero constant term as `unit · primitive`, the latter positive at 0.
fn primitive(poly: Poly) -> (Integer, Poly) {
    let content = Integer::from(poly.content(&Natural::ZERO));
    let unit = if poly.first() < Integer::ZERO { -content } else { content };
    let poly = poly.divided_by_integer(&unit);
    (unit, poly)
}

/// Two sorted lists of factors in one; the powers of a factor in both are joined by `join`.
fn merged(left: &Factors, right: &Factors, join: impl Fn(u32, u32) -> u32) -> Factors {
    let mut all = left.clone();
    for (factor, power) in right {
        match all.binary_search_by(|(f, _)| f.cmp(factor)) {
            Ok(place) => all[place].1 = join(all[place].1, *power),
            Err(place) => all.insert(place, (factor.clone(), *power)),
        }
    }
    all
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn poly(coefficients: &[i64]) -> Poly {
        Poly::new(coefficients.iter().map(|&c| Integer::from(c)).collect())
    }

    /// `num / den` for any denominator with a non-zero constant term.
    pub(crate) fn series(num: &[i64], den: &[i64]) -> Series {
        let meter = Meter::unlimited();
        let den = Series::polynomial(0, poly(den), Natural::ONE);
        let inverse = den.inverse(&meter).unwrap().unwrap();
        Series::polynomial(0, poly(num), Natural::ONE).times(&inverse, &meter).unwrap()
    }

    /// A d6 that explodes on 6.
    pub(crate) fn exploding_d6() -> Series {
        series(&[0, 1, 1, 1, 1, 1], &[6, 0, 0, 0, 0, 0, -1])
    }

    #[test]
    fn mixing_powers_of_one_die_does_not_multiply_their_denominators() {
        let meter = Meter::unlimited();
        let three = exploding_d6().power(3, &meter).unwrap();
        let five = exploding_d6().power(5, &meter).unwrap();
        let mix = three.plus(&five, &meter).unwrap();
        assert_eq!(mix.factors, vec![(poly(&[6, 0, 0, 0, 0, 0, -1]), 5)]);
        assert_eq!(mix.minus(&five, &meter).unwrap(), three);
    }

    #[test]
    fn a_series_times_its_inverse_is_one() {
        let meter = Meter::unlimited();
        let die = exploding_d6();
        let inverse = die.inverse(&meter).unwrap().unwrap();
        assert_eq!(die.times(&inverse, &meter).unwrap(), Series::one());
    }
}
