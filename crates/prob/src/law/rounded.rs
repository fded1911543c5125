//! Endless numbers rounded, and what a division leaves: `(3d6!) // 4`, `d6! % 3`.
//!
//! On a lattice with the step `a/b` a whole number is the floor of `b` places in a row, once the lattice is refined to
//! steps of `1/b` ([`Series::in_rows`]). A remainder depends on the place's own remainder, and has few values.

use super::endless::Endless;
use super::{Law, LawError};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Comparison, Integer, Rational};
use crate::series::Series;

/// More remainders than this are not told apart.
const MOST_REMAINDERS: u64 = 10_000;

impl Law {
    /// The law of the greatest whole number that is not above it.
    pub fn floor(&self, meter: &Meter) -> Result<Law, LawError> {
        match self {
            Law::Finite(_) => self.map(|value| Rational::from(value.floor()), meter),
            Law::Endless(endless) => Ok(floor(endless, meter)?),
            Law::Grown(_) if self.is_whole() => Ok(self.clone()),
            Law::Grown(_) => Err(LawError::NoClosedForm),
        }
    }

    /// The law of the least whole number that is not below it.
    pub fn ceil(&self, meter: &Meter) -> Result<Law, LawError> {
        Ok(self.negate(meter)?.floor(meter)?.negate(meter)?)
    }

    /// The law of the nearest whole number; halves go away from zero.
    pub fn round(&self, meter: &Meter) -> Result<Law, LawError> {
        let half = Rational::ONE / Rational::from(2u8);
        self.by_sign(
            |low| low.affine(&Rational::ONE, &-&half, meter)?.ceil(meter),
            |high| high.affine(&Rational::ONE, &half, meter)?.floor(meter),
            meter,
        )
    }

    /// The law of its distance from zero.
    pub fn abs(&self, meter: &Meter) -> Result<Law, LawError> {
        self.by_sign(|low| Ok(low.negate(meter)?), |high| Ok(high.clone()), meter)
    }

    /// What becomes of it below zero, and from zero on.
    fn by_sign(
        &self,
        below: impl Fn(&Law) -> Result<Law, LawError>,
        above: impl Fn(&Law) -> Result<Law, LawError>,
        meter: &Meter,
    ) -> Result<Law, LawError> {
        let [(low, negative), (high, positive)] =
            self.split(Comparison::Less, &Rational::ZERO, meter)?;
        let mut parts = Vec::new();
        if let Some(law) = negative {
            parts.push((low, below(&law)?));
        }
        if let Some(law) = positive {
            parts.push((high, above(&law)?));
        }
        Ok(Law::mixture(&parts, meter)?)
    }

    /// The law of what division by a number other than zero leaves: `x − d·⌊x/d⌋`.
    pub fn remainder(&self, divisor: &Rational, meter: &Meter) -> Result<Law, LawError> {
        let left = |value: &Rational| {
            value - divisor * Rational::from(number::quotient(value, divisor).floor())
        };
        let Law::Endless(endless) = self else { return self.map(left, meter) };
        // So many places on, the same remainder comes again.
        let ratio = number::quotient(endless.step(), divisor);
        let period = u64::try_from(ratio.denominator()).ok().filter(|p| *p <= MOST_REMAINDERS);
        let period = period.ok_or(LawError::NoClosedForm)?;
        let mut chances = Vec::new();
        for place in 0..period as i64 {
            let up = endless.up().section(period, place, meter)?.mass();
            let down = endless.down().section(period, -place, meter)?.mass();
            chances.push((left(&endless.value(place)), up + down));
        }
        chances.retain(|(_, chance)| !chance.is_zero());
        Law::from_chances(chances).ok_or(LawError::NoClosedForm)
    }
}

fn floor(endless: &Endless, meter: &Meter) -> Result<Law, OverBudget> {
    let finer = Rational::from_parts(Integer::ONE, endless.step().denominator().clone());
    let by = number::steps_in(endless.step(), &finer).ok_or(OverBudget::Steps)?;
    let row = u64::try_from(finer.denominator()).map_err(|_| OverBudget::Steps)?;
    let offset = number::quotient(endless.offset(), &finer).floor();
    let offset = i64::try_from(&offset).map_err(|_| OverBudget::Steps)?;
    let (up, down) = (endless.up().stretched(by, meter)?, endless.down().stretched(by, meter)?);
    let size = i64::try_from(row).map_err(|_| OverBudget::Steps)?;
    let up = up.in_rows(row, -offset, meter)?;
    // Place −i lies in the row −q with i between row·q + offset − row + 1 and row·q + offset.
    let down = match down.is_zero() {
        true => Series::zero(),
        false => down.in_rows(row, offset - size + 1, meter)?,
    };
    Endless::assemble((Rational::ZERO, Rational::ONE, up, down), meter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::tests::*;

    /// Compares with the values one by one: what lies beyond the list may belong anywhere.
    fn check(law: &Law, become_: &Law, function: impl Fn(&Rational) -> Rational) {
        let meter = Meter::unlimited();
        let listing = law.listing(&fraction(1, 1_000_000), None, &meter).unwrap();
        let mut seen = std::collections::BTreeMap::<Rational, Rational>::new();
        for (value, chance) in &listing.outcomes {
            *seen.entry(function(value)).or_default() += chance;
        }
        for (value, chance) in seen {
            let exact = become_.chance(&value, &meter).unwrap();
            assert!(chance <= exact && exact <= &chance + &listing.rest, "{value}");
        }
    }

    #[test]
    fn endless_numbers_are_rounded_and_divided_exactly() {
        let meter = Meter::unlimited();
        let three = d6_again().times(3, &meter).unwrap();
        let both_ways = three.sum(&d6_again().negate(&meter).unwrap(), &meter).unwrap();
        for law in [three.clone(), three.negate(&meter).unwrap(), both_ways] {
            for (factor, shift) in [((1, 4), (0, 1)), ((-2, 3), (1, 2)), ((5, 2), (-7, 3))] {
                let law = law
                    .affine(&fraction(factor.0, factor.1), &fraction(shift.0, shift.1), &meter)
                    .unwrap();
                check(&law, &law.floor(&meter).unwrap(), |v| Rational::from(v.floor()));
                check(&law, &law.ceil(&meter).unwrap(), |v| Rational::from(v.ceil()));
                check(&law, &law.abs(&meter).unwrap(), |v| {
                    if *v < Rational::ZERO { -v } else { v.clone() }
                });
                check(&law, &law.round(&meter).unwrap(), |v| {
                    let half = fraction(1, 2);
                    let up = *v >= Rational::ZERO;
                    Rational::from(if up { (v + half).floor() } else { (v - half).ceil() })
                });
                for divisor in [whole(3), fraction(-5, 2)] {
                    check(&law, &law.remainder(&divisor, &meter).unwrap(), |v| {
                        v - &divisor * Rational::from((v / &divisor).floor())
                    });
                }
            }
        }
        let quarters = three.affine(&fraction(1, 4), &whole(0), &meter).unwrap();
        assert_eq!(quarters.floor(&meter).unwrap().chance(&whole(0), &meter), Ok(fraction(1, 216)));
    }
}
