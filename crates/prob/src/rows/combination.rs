//! A row as a combination of others, divided exactly: `(Σ factor · row) / divisor`.
//!
//! One pass, from the lowest limb up, carries two things along: the sum, and the division by the odd
//! part of the divisor. That division runs upward too, because it is exact: a limb of the quotient is
//! the limb of the sum times the inverse of the divisor modulo 2⁶⁴, and what it takes from the next
//! limbs is the upper half of quotient times divisor. The even part of the divisor is a shift.
//!
//! A negative factor `−m` multiplies the complement of each limb instead, since with `r̄ = 2⁶⁴ − 1 − r`
//!
//! ```text
//! −m·r = m·r̄ + (m − m·2⁶⁴)
//! ```
//!
//! and the last part is the same for all limbs: all products are unsigned.

use super::{LIMB, Rows};

/// A factor and the row that it multiplies, by its place in one of several blocks.
#[derive(Clone, Copy)]
pub(crate) struct Term {
    pub(crate) block: usize,
    pub(crate) row: usize,
    pub(crate) factor: i64,
}

/// Up to so many terms, the loop over them is unrolled.
const FEW: usize = 10;

/// The block of rows that is being extended; other blocks are counted from 1.
pub(crate) const OWN: usize = 0;

impl Term {
    /// What the absolute factors of one combination may add up to.
    pub(crate) const LARGEST: u128 = 1 << 61;

    /// A term in the rows that are extended.
    pub(crate) fn own(row: usize, factor: i64) -> Term {
        Term { block: OWN, row, factor }
    }
}

impl Rows {
    /// Adds the row `(Σ factor · row) / divisor`, with at least one term whose factors stay below
    /// [`Term::LARGEST`] together. The sum must be a natural multiple of the divisor,
    /// which is positive, and the quotient must fit. `others` are the blocks that terms may name, as
    /// wide as this one.
    pub(crate) fn push_combination(&mut self, others: &[&Rows], terms: &[Term], divisor: u64) {
        let used = others.iter().fold(self.used, |used, other| used.max(other.used));
        let limbs = (used + 1).min(self.width);
        let start = self.limbs.len();
        self.limbs.resize(start + self.width, 0);
        let (known, next) = self.limbs.split_at_mut(start);
        let next = &mut next[..limbs];
        let width = self.width;
        let operand = |term: &Term| {
            let block = if term.block == OWN { &*known } else { &others[term.block - 1].limbs };
            let row = &block[term.row * width..][..limbs];
            Operand { row, flip: (term.factor >> 63) as u64, factor: term.factor.unsigned_abs() }
        };
        let divisor = Divisor::new(divisor);
        if terms.len() > FEW {
            combine_many(&terms.iter().map(operand).collect::<Vec<_>>(), next, divisor);
        } else {
            let mut few = [Operand { row: &[], flip: 0, factor: 0 }; FEW];
            few.iter_mut().zip(terms).for_each(|(place, term)| *place = operand(term));
            match terms.len() {
                0 => {}
                1 => combine::<1>(&few, next, divisor),
                2 => combine::<2>(&few, next, divisor),
                3 => combine::<3>(&few, next, divisor),
                4 => combine::<4>(&few, next, divisor),
                5 => combine::<5>(&few, next, divisor),
                6 => combine::<6>(&few, next, divisor),
                7 => combine::<7>(&few, next, divisor),
                8 => combine::<8>(&few, next, divisor),
                9 => combine::<9>(&few, next, divisor),
                _ => combine::<FEW>(&few, next, divisor),
            }
        }
        if next.last().is_some_and(|top| *top != 0) {
            self.used = self.used.max(limbs);
        } else {
            self.used = self.used.max(limbs.saturating_sub(1)).max(1);
        }
    }
}

#[derive(Clone, Copy)]
struct Operand<'a> {
    row: &'a [u64],
    /// All ones for a negative factor.
    flip: u64,
    factor: u64,
}

impl Operand<'_> {
    #[inline(always)]
    fn product(&self, limb: usize) -> i128 {
        (u128::from(self.row[limb] ^ self.flip) * u128::from(self.factor)) as i128
    }

    /// What a negative factor adds at each limb beside its product.
    fn constant(&self) -> i128 {
        if self.flip == 0 { 0 } else { i128::from(self.factor) - (i128::from(self.factor) << LIMB) }
    }
}

#[derive(Clone, Copy)]
struct Divisor {
    odd: u64,
    inverse: u64,
    shift: u32,
}

impl Divisor {
    fn new(divisor: u64) -> Divisor {
        debug_assert!(divisor > 0, "a divisor is positive");
        let shift = divisor.trailing_zeros();
        let odd = divisor >> shift;
        // Correct in five bits, and each step doubles their number.
        let mut inverse = odd.wrapping_mul(3) ^ 2;
        for _ in 0..4 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        }
        Divisor { odd, inverse, shift }
    }
}

fn combine<const COUNT: usize>(terms: &[Operand; FEW], next: &mut [u64], divisor: Divisor) {
    let limbs = next.len();
    let terms: [Operand; COUNT] =
        std::array::from_fn(|k| Operand { row: &terms[k].row[..limbs], ..terms[k] });
    let constant = terms.iter().fold(0, |sum, term| sum + term.constant());
    divide(next, divisor, |limb| terms.iter().fold(constant, |sum, term| sum + term.product(limb)));
}

fn combine_many(terms: &[Operand], next: &mut [u64], divisor: Divisor) {
    let constant = terms.iter().fold(0, |sum, term| sum + term.constant());
    divide(next, divisor, |limb| terms.iter().fold(constant, |sum, term| sum + term.product(limb)));
}

/// Divides the number whose limbs, not yet carried, are `sum(0)`, `sum(1)`, …; above them, what is
/// carried is all there is (a row is zero there, and its complement is made up for by the constant).
#[inline(always)]
fn divide(next: &mut [u64], divisor: Divisor, sum: impl Fn(usize) -> i128) {
    let Divisor { odd, inverse, shift } = divisor;
    let mut taken = 0u64;
    let mut quotient = |limb: u64| {
        let (rest, borrowed) = limb.overflowing_sub(taken);
        let quotient = rest.wrapping_mul(inverse);
        taken = ((u128::from(quotient) * u128::from(odd)) >> LIMB) as u64 + u64::from(borrowed);
        quotient
    };
    let shifted =
        |low: u64, high: u64| ((u128::from(high) << LIMB | u128::from(low)) >> shift) as u64;
    let first = sum(0);
    let mut carry = first >> LIMB;
    let mut low = quotient(first as u64);
    for limb in 1..next.len() {
        let carried = sum(limb) + carry;
        carry = carried >> LIMB;
        let high = quotient(carried as u64);
        next[limb - 1] = shifted(low, high);
        low = high;
    }
    if let Some(top) = next.last_mut() {
        *top = shifted(low, quotient(carry as u64));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::{Integer, Natural};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_combination_agrees_with_big_integers(
            terms in prop::collection::vec((any::<[u64; 2]>(), -1i64 << 57..1 << 57), 0..9),
            divisor in 1u64..1 << 40,
            quotient in any::<u64>(),
            in_other in any::<u32>(),
        ) {
            let number = |limbs: &[u64; 2]| (Natural::from(limbs[1]) << LIMB) + Natural::from(limbs[0]);
            let sum = terms.iter().fold(Integer::ZERO, |sum, (limbs, factor)| {
                sum + Integer::from(number(limbs)) * Integer::from(*factor)
            });
            // One more term makes the sum a multiple of the divisor that is not negative.
            let bits = 4 * LIMB - 1;
            let positive = (Natural::from(quotient) << LIMB) * divisor;
            let Ok(missing) = Natural::try_from(Integer::from(positive.clone()) - &sum) else {
                return Ok(());
            };
            let (mut rows, mut other) = (Rows::with_room(9, bits), Rows::with_room(9, bits));
            let mut places = Vec::new();
            for (k, (limbs, factor)) in terms.iter().enumerate() {
                let block = usize::from(in_other >> k & 1 == 1);
                let target = if block == OWN { &mut rows } else { &mut other };
                places.push(Term { block, row: target.len(), factor: *factor });
                target.push(&number(limbs));
            }
            places.push(Term::own(rows.len(), 1));
            rows.push(&missing);
            rows.push_combination(&[&other], &places, divisor);
            let expected = Natural::from(quotient) << LIMB;
            prop_assert_eq!(rows.naturals().pop(), Some(expected));
        }
    }
}
