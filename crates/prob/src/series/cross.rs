//! The difference of two endless numbers, split exactly at zero.
//!
//! Who wins when both sides roll exploding dice? `X − Y` has the generating function
//! `a(x)·b(1/x)`, which runs to infinity on both sides, and `P(X > Y)` is the mass of its positive
//! powers. No truncation is needed. Write `a = P/Q`, and `b(1/x) = R/S` with `S = x^d · q_b(1/x)`
//! for the denominator `q_b` of `b`. The coefficients of `a` and of `b` have a finite sum, so the
//! roots of `Q` lie outside the closed unit disc and those of `S`, the reciprocals of such numbers
//! (and 0), inside. Hence `Q` and `S` are coprime, and partial fractions give
//!
//! ```text
//! P·R / (Q·S) = U/Q + V/S      with deg V < deg S
//! ```
//!
//! uniquely. `U/Q` has no pole in the closed disc: it is a power series in `x`. `V/S` has no pole
//! outside and vanishes at infinity: it is a power series in `1/x` without constant term. Both
//! converge on the unit circle, where the Laurent expansion of the product is unique; so `U/Q` is
//! exactly the part `X ≥ Y`, and `V/S` the part `X < Y`.
//!
//! `V ≡ P·R·Q⁻¹ (mod S)` is found modulo primes, put together by the Chinese remainder theorem,
//! turned back into fractions, and *checked*: `P·R − V·Q` must be divisible by `S`. More primes are
//! taken until it is, so no bound on their number has to be believed.
//!
//! Exploding d6s have denominators in `x⁶` only. When all exponents of `Q` and `S` are multiples
//! of `g`, the numerator falls apart by its exponents modulo `g` into `g` problems in `z = x^g`
//! with the same inverse, each `g` times smaller.

use super::modular::{Field, Residues, primes};
use super::{Series, primitive};
use crate::meter::{Meter, OverBudget, price_of_products};
use crate::number::{self, Integer, Natural};
use crate::poly::Poly;
use dashu_base::UnsignedAbs;

/// Four million bits for a coefficient: more than any budget pays for.
const MANY_PRIMES: usize = 1 << 16;

/// `a(x) · b(1/x) = up(x) + down(1/x)`; returns `(up, down)`.
pub(crate) fn cross(a: &Series, b: &Series, meter: &Meter) -> Result<(Series, Series), OverBudget> {
    if a.is_zero() || b.is_zero() {
        return Ok((Series::zero(), Series::zero()));
    }
    if b.is_polynomial() {
        return Ok((a.times(&turned(b), meter)?, Series::zero()));
    }
    if a.is_polynomial() {
        return Ok((Series::zero(), b.times(&turned(a), meter)?));
    }
    Problem::new(a, b, meter)?.solve(meter)
}

/// A polynomial with `1/x` in place of `x`.
pub(crate) fn turned(series: &Series) -> Series {
    let shift = -series.shift - series.num.degree() as i64;
    Series::polynomial(shift, series.num.reversed(), series.scale.clone())
}

/// `numerator · x^shift / (scale · above · below)` with everything in order.
struct Problem<'a> {
    a: &'a Series,
    b: &'a Series,
    /// `Q`, in `z`.
    above: Poly,
    /// `S`, in `z`.
    below: Poly,
    /// `P·R`, in `x`.
    numerator: Poly,
    /// The common divisor `g` of all exponents.
    stride: usize,
    /// The power of `x` that stands apart.
    shift: i64,
}

impl<'a> Problem<'a> {
    fn new(a: &'a Series, b: &'a Series, meter: &Meter) -> Result<Self, OverBudget> {
        let (q, r) = (a.denominator(meter)?, b.denominator(meter)?);
        let exponents = q.terms().chain(r.terms()).map(|(k, _)| k as u64);
        let stride = exponents.fold(0, gcd_words).max(1) as usize;
        // Shifts stand apart: b(1/x) = x^(−shift) · x^(deg q_b − deg num) · num_rev / q_b_rev.
        let excess = b.num.degree() as i64 - r.degree() as i64;
        let (lift, zeros) = lift_and_zeros(excess, stride);
        let numerator = a.num.times(&b.num.reversed().raised(lift), meter)?;
        let below = r.reversed().raised(zeros);
        Ok(Problem {
            a,
            b,
            above: q.thinned(0, stride),
            below: below.thinned(0, stride),
            numerator,
            stride,
            shift: a.shift - b.shift,
        })
    }

    fn solve(self, meter: &Meter) -> Result<(Series, Series), OverBudget> {
        let mut round = 4;
        loop {
            if let Some((u, v, scale)) = self.attempt(round, meter)? {
                return self.assemble(u, v, scale, meter);
            }
            round *= 2;
            if round > MANY_PRIMES {
                return Err(OverBudget::Steps);
            }
        }
    }

    /// Tries with `count` primes: `U`, `V` and the number that divides both.
    fn attempt(
        &self,
        count: usize,
        meter: &Meter,
    ) -> Result<Option<(Poly, Poly, Natural)>, OverBudget> {
        let size = self.above.len() + self.below.len();
        // A product modulo a prime is a division too.
        let each = price_of_products(3 * self.stride, size, size * 4)
            .saturating_add(price_of_products(self.below.len(), self.stride, 64 * count));
        meter.afford(each.saturating_mul(count as u64))?;
        let mut found = Lifted::new(self.stride * self.below.degree());
        for prime in primes().take(count) {
            meter.charge(each)?;
            if let Some(residues) = self.modulo(Field(prime)) {
                found.add(&residues, prime);
            }
        }
        let Some((v, scale)) = found.fractions() else { return Ok(None) };
        Ok(self.check(&v, &scale, meter)?.map(|u| (u, v, scale)))
    }

    /// `V` modulo one prime, all classes of exponents interleaved; `None` for an unlucky prime.
    fn modulo(&self, field: Field) -> Option<Residues> {
        let below = reduce(&self.below, field);
        if below.len() != self.below.len() {
            return None;
        }
        let inverse = field.inverse_modulo(&reduce(&self.above, field), &below)?;
        let mut interleaved = vec![0; self.stride * self.below.degree()];
        for class in 0..self.stride {
            let part = reduce(&self.numerator.thinned(class, self.stride), field);
            let v = field.product_modulo(part, &inverse, &below);
            for (k, value) in v.into_iter().enumerate() {
                interleaved[k * self.stride + class] = value;
            }
        }
        Some(interleaved)
    }

    /// `U = (scale·P·R − V·Q)/S`, if that is a polynomial.
    fn check(&self, v: &Poly, scale: &Natural, meter: &Meter) -> Result<Option<Poly>, OverBudget> {
        let above = self.above.stretched(self.stride);
        let left = self.numerator.scaled(&Integer::from(scale.clone()));
        let rest = left.minus(&v.times(&above, meter)?);
        if rest.is_zero() {
            return Ok(Some(rest));
        }
        let below = self.below.stretched(self.stride);
        let zeros = below.leading_zeros();
        if rest.leading_zeros() < zeros {
            return Ok(None);
        }
        meter.charge_product(rest.len(), 2, rest.bits())?;
        let (unit, below) = primitive(below.lowered(zeros));
        let quotient = rest.lowered(zeros).divided_by(&below);
        let Some(u) = quotient else { return Ok(None) };
        let content = u.content(&Natural::ZERO);
        if (Integer::from(content) % &unit).is_zero() {
            Ok(Some(u.divided_by_integer(&unit)))
        } else {
            Ok(None)
        }
    }

    /// `x^shift (U/Q + V/S)` as a series in `x` and one in `1/x`.
    fn assemble(
        self,
        u: Poly,
        v: Poly,
        scale: Natural,
        meter: &Meter,
    ) -> Result<(Series, Series), OverBudget> {
        let scale = scale * &self.a.scale * &self.b.scale;
        let up = Series::assemble(self.shift, u, scale.clone(), self.a.factors.clone());
        // V/S with y = 1/x: y^(deg S − deg V) · V_rev(y) / q_b(y), whatever zeros S had at 0.
        let degree = (self.below.degree() * self.stride) as i64;
        let lowest = degree - v.degree() as i64;
        let down = Series::assemble(lowest, v.reversed(), scale, self.b.factors.clone());
        join(up, down.shifted(-self.shift), meter)
    }
}

/// Moves what a shift has carried over zero to the other side.
pub(crate) fn join(
    up: Series,
    down: Series,
    meter: &Meter,
) -> Result<(Series, Series), OverBudget> {
    if !down.is_zero() && down.lowest() < 1 {
        let (over, down) = down.cut(1, meter)?;
        return Ok((up.plus(&turned(&over), meter)?, down));
    }
    if !up.is_zero() && up.lowest() < 0 {
        let (over, up) = up.cut(0, meter)?;
        return Ok((up, down.plus(&turned(&over), meter)?));
    }
    Ok((up, down))
}

/// How far the numerator is raised, and how many zeros at 0 the lower denominator gets, so that
/// their difference is `excess` and the zeros are whole strides.
fn lift_and_zeros(excess: i64, stride: usize) -> (usize, usize) {
    if excess <= 0 {
        return (excess.unsigned_abs() as usize, 0);
    }
    let zeros = (excess as usize).div_ceil(stride) * stride;
    (zeros - excess as usize, zeros)
}

fn gcd_words(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd_words(b, a % b) }
}

fn reduce(poly: &Poly, field: Field) -> Residues {
    let prime = Integer::from(field.0);
    let residue = |c: &Integer| {
        let rest = c % &prime;
        let rest = if rest < Integer::ZERO { rest + &prime } else { rest };
        u64::try_from(rest).unwrap_or(0)
    };
    let mut residues: Residues = poly.coefficients().iter().map(residue).collect();
    while residues.last() == Some(&0) {
        residues.pop();
    }
    residues
}

/// Numbers known modulo a growing product of primes.
struct Lifted {
    modulus: Natural,
    values: Vec<Natural>,
}

impl Lifted {
    fn new(size: usize) -> Self {
        Lifted { modulus: Natural::ONE, values: vec![Natural::ZERO; size] }
    }

    fn add(&mut self, residues: &Residues, prime: u64) {
        let field = Field(prime);
        let inverse = field.inverse((&self.modulus % prime).max(1));
        for (value, &residue) in self.values.iter_mut().zip(residues) {
            let have = &*value % prime;
            let missing = if residue >= have { residue - have } else { residue + prime - have };
            *value += &self.modulus * field.times(missing, inverse);
        }
        self.modulus *= prime;
    }

    /// The fractions with small numerator and denominator that have these residues.
    fn fractions(&self) -> Option<(Poly, Natural)> {
        let bound = Integer::from(self.modulus.clone() >> 2).sqrt_floor();
        let mut scale = Natural::ONE;
        for value in &self.values {
            let scaled = (value * &scale) % &self.modulus;
            scale *= denominator_of(&scaled, &self.modulus, &bound)?;
            if Integer::from(scale.clone()) > bound {
                return None;
            }
        }
        let half = &self.modulus >> 1;
        let balanced = |value: &Natural| {
            let residue = (value * &scale) % &self.modulus;
            let above = residue > half;
            let residue = Integer::from(residue);
            if above { residue - Integer::from(self.modulus.clone()) } else { residue }
        };
        let v = Poly::new(self.values.iter().map(balanced).collect());
        Some((v, scale))
    }
}

trait FloorRoot {
    fn sqrt_floor(&self) -> Integer;
}

impl FloorRoot for Integer {
    fn sqrt_floor(&self) -> Integer {
        Integer::from(self.clone().unsigned_abs().nth_root(2))
    }
}

/// The denominator of the fraction `n/d ≡ value (mod modulus)` with `|n|` and `d` below `bound`.
fn denominator_of(value: &Natural, modulus: &Natural, bound: &Integer) -> Option<Natural> {
    let mut previous = (Integer::from(modulus.clone()), Integer::ZERO);
    let mut current = (Integer::from(value.clone()), Integer::ONE);
    while &current.0 > bound {
        let quotient = &previous.0 / &current.0;
        let next = (&previous.0 - &quotient * &current.0, &previous.1 - &quotient * &current.1);
        previous = std::mem::replace(&mut current, next);
    }
    let denominator = number::magnitude(current.1);
    (!denominator.is_zero() && Integer::from(denominator.clone()) <= *bound).then_some(denominator)
}

#[cfg(test)]
mod tests {
    use super::super::tests::*;
    use super::*;
    use crate::number::{Rational, ratio};
    use proptest::prelude::*;

    fn beats(dice: u64) -> Rational {
        let meter = Meter::unlimited();
        let side = exploding_d6().power(dice, &meter).unwrap();
        let (up, down) = cross(&side, &side, &meter).unwrap();
        assert_eq!(up.mass() + down.mass(), Rational::ONE);
        down.mass()
    }

    #[test]
    fn one_exploding_d6_beats_another_three_times_in_seven() {
        assert_eq!(beats(1), ratio(3, 7u8.into()));
        assert_eq!(beats(2), ratio(3949, 8575u16.into()));
        assert_eq!(beats(5), ratio(215_634_365_309_i64, 450_375_078_125_u64.into()));
    }

    proptest! {
        /// The slow twin: products of coefficients on a long window, up to the exact tails.
        #[test]
        fn the_split_agrees_with_sums_over_a_window(
            p in prop::collection::vec(0i64..4, 1..4),
            r in prop::collection::vec(0i64..4, 1..9),
            stop in 4i64..8,
            shifts in (-3i64..4, -3i64..4),
        ) {
            let meter = Meter::unlimited();
            prop_assume!(p.iter().sum::<i64>() > 0 && r.iter().sum::<i64>() > 0);
            let a = series(&p, &[stop, -1, 0, -1]).shifted(shifts.0);
            let b = series(&r, &[7, -2, -1]).shifted(shifts.1);
            let (up, down) = cross(&a, &b, &meter).unwrap();
            prop_assert_eq!(up.mass() + down.mass(), a.mass() * b.mass());
            let end = 60;
            let (wa, wb) = (a.coefficients_below(end, &meter).unwrap(), b.coefficients_below(end, &meter).unwrap());
            for gap in -4i64..5 {
                let mut slow = Integer::ZERO;
                for (i, x) in wa.weights.iter().enumerate() {
                    let j = wa.start + i as i64 - gap - wb.start;
                    if let Some(y) = usize::try_from(j).ok().and_then(|j| wb.weights.get(j)) {
                        slow += x * y;
                    }
                }
                let slow = ratio(slow, &wa.total * &wb.total);
                let fast = up.coefficient(gap, &meter).unwrap() + down.coefficient(-gap, &meter).unwrap();
                let missing = fast - slow;
                let tail = (a.mass() - wa.sum()) * b.mass() + a.mass() * (b.mass() - wb.sum());
                prop_assert!(missing >= Rational::ZERO && missing <= tail);
            }
        }
    }
}
