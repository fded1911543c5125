//! `G(x) = K(x) + Σ Kᵢ(x)·G(x^aᵢ)`: a number made of something known, or of that and a multiple of a copy of itself.
//!
//! The stress die of Ars Magica doubles on a 1 and is thrown again: `G = (x² + … + x¹⁰)/10 + G(x²)/10`. No quotient of
//! polynomials solves that (its chances lie at 2ᵏ times a face), but each coefficient follows from earlier ones: a copy
//! `aᵢ` times as large and moved by `j` puts the coefficient of place `(n − j)/aᵢ` at place `n`, which is before `n`
//! unless `n` is 0, or `aᵢ` is 1 and `j` is 0; what is left of 1 there is divided out.
//!
//! With cᵢ the mass of Kᵢ, and Jᵢ what it adds, the moments follow from
//! `M·(1 − Σ cᵢ·aᵢ) = E[J]` and `S·(1 − Σ cᵢ·aᵢ²) = E[J²] + 2·M·Σ aᵢ·E[Jᵢ]`. Where these factors are not positive, the
//! mean or the variance is infinite, and the law is not told.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::stream::{Stream, known};
use super::vague::Vague;
use super::{Body, Grown};
use crate::law::Law;
use crate::meter::{Meter, OverBudget};
use crate::number::Rational;
use crate::series::Series;

/// The equation: what is known, and for each multiple of a copy what is added to it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Scaled {
    known: Series,
    copies: BTreeMap<u64, Series>,
}

impl Scaled {
    /// Reads an equation off a stream with an unknown in it. None if it is not of this kind, or has no multiple of a
    /// copy.
    pub(super) fn of(
        stream: &Stream,
        id: u32,
        places: i64,
        meter: &Meter,
    ) -> Result<Option<Scaled>, OverBudget> {
        let mut scaled = Scaled { known: Series::zero(), copies: BTreeMap::new() };
        let start = Series::monomial(&Rational::ONE, places);
        if !scaled.add(stream, id, &start, meter)? {
            return Ok(None);
        }
        let multiple = scaled.copies.keys().any(|by| *by > 1);
        Ok(multiple.then_some(scaled))
    }

    /// Adds a stream times a known one; false if it is not of this kind.
    fn add(
        &mut self,
        stream: &Stream,
        id: u32,
        times: &Series,
        meter: &Meter,
    ) -> Result<bool, OverBudget> {
        let (by, more) = match stream {
            Stream::Known(series) => (0, times.times(series, meter)?),
            Stream::Unknown(own) if *own == id => (1, times.clone()),
            Stream::Stretched(inner, by) if **inner == Stream::Unknown(id) => (*by, times.clone()),
            Stream::Stretched(inner, by) if let Stream::Known(series) = &**inner => {
                let by = i64::try_from(*by).map_err(|_| OverBudget::Steps)?;
                (0, times.times(&series.stretched(by, meter)?, meter)?)
            }
            Stream::Shifted(inner, by) => {
                let by = i64::try_from(*by).map_err(|_| OverBudget::Steps)?;
                return self.add(inner, id, &times.clone().shifted(by), meter);
            }
            Stream::Blend(parts) => {
                for (weight, part) in parts {
                    if !self.add(part, id, &times.scaled(weight), meter)? {
                        return Ok(false);
                    }
                }
                return Ok(true);
            }
            Stream::Product(factors) => {
                let mut times = times.clone();
                let mut open = Vec::new();
                for factor in factors {
                    match factor {
                        Stream::Known(series) => times = times.times(series, meter)?,
                        _ => open.push(factor),
                    }
                }
                return match open.as_slice() {
                    [one] => self.add(one, id, &times, meter),
                    _ => Ok(false),
                };
            }
            Stream::Unknown(_) | Stream::Solution(_) | Stream::Multiples(_) => return Ok(false),
            Stream::Power(..) | Stream::Stretched(..) | Stream::Beyond(..) => return Ok(false),
        };
        let sum = if by == 0 {
            &mut self.known
        } else {
            self.copies.entry(by).or_insert_with(Series::zero)
        };
        *sum = sum.plus(&more, meter)?;
        Ok(true)
    }

    /// The law; none if it does not end surely, or has no moments.
    pub(super) fn law(self) -> Option<Law> {
        let again = self.sum(|_, part| part.mass());
        let mean_left = Rational::ONE - self.sum(|by, part| by * part.mass());
        let square_left = Rational::ONE - self.sum(|by, part| by * by * part.mass());
        let ends = self.known.mass() + again == Rational::ONE;
        if !ends || mean_left <= Rational::ZERO || square_left <= Rational::ZERO {
            return None;
        }
        let (own, all) =
            (self.known.moments(), |of: &dyn Fn(&Rational, &Series) -> Rational| self.sum(of));
        let mean = (own.first + all(&|_, part| part.moments().first)) / mean_left;
        let tied = all(&|by, part| by * part.moments().first) * &mean * Rational::from(2u8);
        let square = (own.second + all(&|_, part| part.moments().second) + tied) / square_left;
        let variance = square - &mean * &mean;
        let (offset, step) = (Rational::ZERO, Rational::ONE);
        let (stream, vague) = (Stream::Multiples(Arc::new(self)), Vague::default());
        Some(Grown::law(Body { offset, step, stream, mean, variance, vague }))
    }

    fn sum(&self, of: impl Fn(&Rational, &Series) -> Rational) -> Rational {
        let parts = self.copies.iter();
        parts.fold(Rational::ZERO, |sum, (by, part)| sum + of(&Rational::from(*by), part))
    }

    pub(super) fn lowest(&self) -> u64 {
        u64::try_from(self.known.lowest()).unwrap_or(0)
    }

    pub(super) fn size(&self) -> usize {
        self.known.size() + self.copies.values().map(Series::size).sum::<usize>()
    }

    /// The first coefficients of the solution.
    pub(super) fn coefficients(
        &self,
        places: usize,
        meter: &Meter,
    ) -> Result<Vec<Rational>, OverBudget> {
        let own = known(&self.known, places, meter)?;
        let mut copies = Vec::new();
        for (by, part) in &self.copies {
            let by = usize::try_from(*by).map_err(|_| OverBudget::Steps)?;
            let added: Vec<(usize, Rational)> = known(part, places, meter)?
                .into_iter()
                .enumerate()
                .filter(|(_, c)| !c.is_zero())
                .collect();
            meter.charge_product(places, added.len(), 64)?;
            copies.push((by, added));
        }
        let mut found: Vec<Rational> = Vec::with_capacity(places);
        for (n, own) in own.into_iter().enumerate() {
            let (mut sum, mut left) = (own, Rational::ONE);
            for (by, added) in &copies {
                for (j, weight) in added.iter().take_while(|(j, _)| *j <= n) {
                    if (n - j) % by != 0 {
                        continue;
                    }
                    match found.get((n - j) / by) {
                        Some(chance) => sum += weight * chance,
                        None => left -= weight,
                    }
                }
            }
            found.push(sum / left);
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use crate::law::tests::*;
    use crate::law::{Growth, Law};
    use crate::meter::Meter;
    use crate::number::Rational;

    #[test]
    fn a_one_doubles_and_is_thrown_again() {
        let meter = Meter::unlimited();
        let tenth = fraction(1, 10);
        let twice = Law::unknown(3).affine(&whole(2), &whole(0), &meter).unwrap();
        let mut parts = vec![(tenth.clone(), twice)];
        parts.extend((2..=10).map(|face| (tenth.clone(), Law::constant(whole(face)))));
        let equation = Law::mixture(&parts, &meter).unwrap();
        let solved = equation.solved(3, &Rational::ONE, &meter);
        let Ok(Some(Growth::Exact { ends, law })) = solved else { panic!("{solved:?}") };
        assert_eq!(ends, Rational::ONE);
        let chances =
            [(2, "1/10"), (4, "11/100"), (8, "111/1000"), (16, "111/10000"), (1, "0"), (11, "0")];
        for (value, chance) in chances {
            assert_eq!(law.chance(&whole(value), &meter), Ok(chance.parse().unwrap()), "{value}");
        }
        // M = 54/10 + 2·M/10, S = 384/10 + 4·S/10.
        assert_eq!(law.mean(), fraction(27, 4));
        assert_eq!(law.variance(), whole(64) - fraction(27, 4) * fraction(27, 4));
    }

    #[test]
    fn a_copy_that_is_moved_and_added_to() {
        let meter = Meter::unlimited();
        let third = fraction(1, 3);
        let more = Law::unknown(1).affine(&whole(3), &whole(1), &meter).unwrap().sum(&d(2), &meter);
        let parts = [
            (third.clone(), Law::constant(whole(0))),
            (third.clone(), Law::constant(whole(4))),
            (third, more.unwrap()),
        ];
        let equation = Law::mixture(&parts, &meter).unwrap();
        // Three times a third: the mean is infinite.
        assert_eq!(equation.solved(1, &Rational::ONE, &meter), Ok(None));
        let tenth = fraction(1, 10);
        let parts = [(fraction(9, 10), parts[0].1.clone()), (tenth, parts[2].1.clone())];
        let equation = Law::mixture(&parts, &meter).unwrap();
        let Ok(Some(Growth::Exact { law, .. })) = equation.solved(1, &Rational::ONE, &meter) else {
            panic!()
        };
        // 0, then 1 + (1 or 2), then 3·2 + 1 + (1 or 2) = 8, 9 or 3·3 + 2, 3.
        for (value, chance) in
            [(0, "9/10"), (2, "9/200"), (3, "9/200"), (8, "9/4000"), (12, "9/4000")]
        {
            assert_eq!(law.chance(&whole(value), &meter), Ok(chance.parse().unwrap()), "{value}");
        }
        assert_eq!(law.mean(), fraction(1, 4) / fraction(7, 10));
    }
}
