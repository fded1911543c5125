//! Power series with coefficients on demand: solutions, and what is made of them.

use std::sync::Arc;

use super::equation::Equation;
use super::scaled::Scaled;
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Integer, Natural, Rational};
use crate::series::Series;

/// The chances of the places 0, 1, 2, …
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Stream {
    /// A quotient of polynomials, from the power 0 on.
    Known(Series),
    /// Stands for the solution of an equation that is being read off.
    Unknown(u32),
    /// The solution of an equation.
    Solution(Arc<Equation>),
    /// The solution of an equation with multiples of copies.
    Multiples(Arc<Scaled>),
    /// A sum of independent numbers.
    Product(Vec<Stream>),
    /// A sum of so many copies.
    Power(Arc<Stream>, u64),
    /// Weighted and added up.
    Blend(Vec<(Rational, Stream)>),
    /// Every place moved to so many times its number.
    Stretched(Arc<Stream>, u64),
    /// Every place moved by so many.
    Shifted(Arc<Stream>, u64),
    /// The places from here on; the others are 0.
    Beyond(Arc<Stream>, u64),
}

impl Stream {
    pub(super) fn stretched(self, by: u64) -> Stream {
        // A constant has no step; its only place is 0.
        if by <= 1 { self } else { Stream::Stretched(Arc::new(self), by) }
    }

    pub(super) fn shifted(self, by: u64) -> Stream {
        if by == 0 { self } else { Stream::Shifted(Arc::new(self), by) }
    }

    pub(super) fn has_unknown(&self) -> bool {
        match self {
            Stream::Unknown(_) => true,
            Stream::Known(_) | Stream::Solution(_) | Stream::Multiples(_) => false,
            Stream::Product(parts) => parts.iter().any(Stream::has_unknown),
            Stream::Blend(parts) => parts.iter().any(|(_, part)| part.has_unknown()),
            Stream::Power(inner, _)
            | Stream::Stretched(inner, _)
            | Stream::Shifted(inner, _)
            | Stream::Beyond(inner, _) => inner.has_unknown(),
        }
    }

    /// Whether it is one copy of this unknown, perhaps a multiple, moved, and added to what is known.
    pub(super) fn is_stretched_unknown(&self, id: u32) -> bool {
        match self {
            Stream::Unknown(own) => *own == id,
            Stream::Stretched(inner, _) | Stream::Shifted(inner, _) => {
                inner.is_stretched_unknown(id)
            }
            Stream::Product(parts) => {
                let mut open = parts.iter().filter(|part| part.has_unknown());
                match (open.next(), open.next()) {
                    (Some(one), None) => one.is_stretched_unknown(id),
                    _ => false,
                }
            }
            Stream::Blend(parts) => parts.iter().all(|(_, part)| part.is_stretched_unknown(id)),
            Stream::Known(_) | Stream::Solution(_) | Stream::Multiples(_) => false,
            Stream::Power(..) | Stream::Beyond(..) => false,
        }
    }

    /// A place before which every chance is 0.
    pub(super) fn lowest(&self) -> u64 {
        match self {
            Stream::Unknown(_) => 0,
            Stream::Known(series) => u64::try_from(series.lowest()).unwrap_or(0),
            Stream::Solution(equation) => equation.lowest(),
            Stream::Multiples(equation) => equation.lowest(),
            Stream::Product(parts) => {
                parts.iter().fold(0, |sum: u64, part| sum.saturating_add(part.lowest()))
            }
            Stream::Power(inner, count) => inner.lowest().saturating_mul(*count),
            Stream::Blend(parts) => parts.iter().map(|(_, part)| part.lowest()).min().unwrap_or(0),
            Stream::Stretched(inner, by) => inner.lowest().saturating_mul(*by),
            Stream::Shifted(inner, by) => inner.lowest().saturating_add(*by),
            Stream::Beyond(inner, from) => inner.lowest().max(*from),
        }
    }

    /// A rough size in machine words, for estimates.
    pub(super) fn size(&self) -> usize {
        match self {
            Stream::Unknown(_) => 1,
            Stream::Known(series) => series.size(),
            Stream::Solution(equation) => equation.size(),
            Stream::Multiples(equation) => equation.size(),
            Stream::Product(parts) => parts.iter().map(Stream::size).sum(),
            Stream::Blend(parts) => parts.iter().map(|(_, part)| part.size()).sum(),
            Stream::Power(inner, _)
            | Stream::Stretched(inner, _)
            | Stream::Shifted(inner, _)
            | Stream::Beyond(inner, _) => inner.size() + 1,
        }
    }

    /// The chances of the first places.
    pub(super) fn coefficients(
        &self,
        places: usize,
        meter: &Meter,
    ) -> Result<Vec<Rational>, OverBudget> {
        meter.charge(places as u64)?;
        match self {
            Stream::Unknown(_) => Err(OverBudget::NotKnown),
            Stream::Known(series) => known(series, places, meter),
            Stream::Solution(equation) => equation.coefficients(places, meter),
            Stream::Multiples(equation) => equation.coefficients(places, meter),
            Stream::Product(parts) => {
                let mut product = one(places);
                for part in parts {
                    product = convolved(&product, &part.coefficients(places, meter)?, meter)?;
                }
                Ok(product)
            }
            Stream::Power(inner, count) => power(inner.coefficients(places, meter)?, *count, meter),
            Stream::Blend(parts) => {
                let mut blend = vec![Rational::ZERO; places];
                for (weight, part) in parts {
                    let own = part.coefficients(places, meter)?;
                    meter.charge(own.len() as u64 * 4)?;
                    blend.iter_mut().zip(own).for_each(|(sum, chance)| *sum += weight * chance);
                }
                Ok(blend)
            }
            Stream::Stretched(inner, by) => {
                let by = usize::try_from(*by).map_err(|_| OverBudget::Steps)?;
                let own = inner.coefficients(places.div_ceil(by), meter)?;
                let mut spread = vec![Rational::ZERO; places];
                for (place, chance) in own.into_iter().enumerate() {
                    if let Some(slot) = spread.get_mut(place * by) {
                        *slot = chance;
                    }
                }
                Ok(spread)
            }
            Stream::Shifted(inner, by) => {
                let by = usize::try_from(*by).map_err(|_| OverBudget::Steps)?.min(places);
                let mut moved = vec![Rational::ZERO; by];
                moved.extend(inner.coefficients(places - by, meter)?);
                Ok(moved)
            }
            Stream::Beyond(inner, from) => {
                let mut kept = inner.coefficients(places, meter)?;
                let from = usize::try_from(*from).unwrap_or(usize::MAX).min(places);
                kept[..from].fill(Rational::ZERO);
                Ok(kept)
            }
        }
    }
}

fn one(places: usize) -> Vec<Rational> {
    let mut one = vec![Rational::ZERO; places];
    if let Some(first) = one.first_mut() {
        *first = Rational::ONE;
    }
    one
}

/// The coefficients of a quotient of polynomials.
pub(super) fn known(
    series: &Series,
    places: usize,
    meter: &Meter,
) -> Result<Vec<Rational>, OverBudget> {
    let end = i64::try_from(places).map_err(|_| OverBudget::Steps)?;
    let found = series.coefficients_below(end, meter)?;
    meter.charge_fractions(found.weights.len(), number::bits(&found.total.clone().into()))?;
    let mut list = vec![Rational::ZERO; places];
    for (place, weight) in (found.start..).zip(found.weights) {
        if let Some(slot) = usize::try_from(place).ok().and_then(|place| list.get_mut(place)) {
            *slot = number::ratio(weight, found.total.clone());
        }
    }
    Ok(list)
}

/// Whole numbers over a common denominator.
fn over_common(list: &[Rational]) -> (Vec<Integer>, Natural) {
    let common =
        list.iter().fold(Natural::ONE, |common, chance| number::lcm(&common, chance.denominator()));
    let weight =
        |chance: &Rational| chance.numerator() * Integer::from(&common / chance.denominator());
    (list.iter().map(weight).collect(), common)
}

/// The product of two series, as far as both are known. Only whole numbers are multiplied.
fn convolved(
    left: &[Rational],
    right: &[Rational],
    meter: &Meter,
) -> Result<Vec<Rational>, OverBudget> {
    let ((left, total), (right, other)) = (over_common(left), over_common(right));
    let total = total * other;
    let bits = number::bits(&total.clone().into());
    meter.charge_product(left.len(), left.len() / 2, bits / 8)?;
    meter.charge_fractions(left.len(), bits)?;
    let mut product = vec![Integer::ZERO; left.len()];
    for (i, a) in left.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
        for (sum, b) in product[i..].iter_mut().zip(&right) {
            *sum += a * b;
        }
    }
    Ok(product.into_iter().map(|weight| number::ratio(weight, total.clone())).collect())
}

fn power(base: Vec<Rational>, count: u64, meter: &Meter) -> Result<Vec<Rational>, OverBudget> {
    let mut power = one(base.len());
    for bit in (0..u64::BITS - count.leading_zeros()).rev() {
        power = convolved(&power, &power, meter)?;
        if count >> bit & 1 == 1 {
            power = convolved(&power, &base, meter)?;
        }
    }
    Ok(power)
}
