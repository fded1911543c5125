//! A row as a combination of others, divided exactly: `(Σ factor · row) / divisor`.
//!
//! One pass, from the lowest limb up, carries two things along: the sum, and the division by the odd
//! part of the divisor. That division runs upward too, because it is exact: a limb of the quotient is
//! the limb of the sum times the inverse of the divisor modulo 2⁶⁴, and what it takes from the next
//! limbs is the upper half of quotient times divisor. The even part of the divisor is a shift.
//!
//! Terms with positive factors are added up apart from those with negative ones, so that all products are
//! unsigned, and a few limbs at a time, so that their sums stay in registers.

use super::{LIMB, Rows};

/// A factor and the row that it multiplies, by its place in one of several blocks.
#[derive(Clone, Copy)]
pub(crate) struct Term {
    pub(crate) block: usize,
    pub(crate) row: usize,
    pub(crate) factor: i64,
}

/// Up to so many terms need no memory of their own.
const FEW: usize = 16;

/// So many limbs are summed at a time.
const CHUNK: usize = 4;

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
            Operand { row: &block[term.row * width..][..limbs], factor: term.factor.unsigned_abs() }
        };
        let mut few = [Operand { row: &[], factor: 0 }; FEW];
        let mut many = Vec::new();
        let operands = match few.get_mut(..terms.len()) {
            Some(few) => few,
            None => {
                many.resize(terms.len(), Operand { row: &[], factor: 0 });
                many.as_mut_slice()
            }
        };
        // Those with positive factors come first.
        let (mut front, mut back) = (0, operands.len());
        for term in terms {
            if term.factor < 0 {
                back -= 1;
                operands[back] = operand(term);
            } else {
                operands[front] = operand(term);
                front += 1;
            }
        }
        let (positive, negative) = operands.split_at(front);
        combine(positive, negative, next, Divisor::new(divisor));
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
    factor: u64,
}

#[derive(Clone, Copy)]
pub(super) struct Divisor {
    pub(super) odd: u64,
    pub(super) inverse: u64,
    pub(super) shift: u32,
}

impl Divisor {
    pub(super) fn new(divisor: u64) -> Divisor {
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

fn combine(positive: &[Operand], negative: &[Operand], next: &mut [u64], divisor: Divisor) {
    let mut division = Division { divisor, carry: 0, taken: 0, low: 0 };
    let limbs = next.len();
    let mut at = 0;
    while at + CHUNK <= limbs {
        division.divide(difference::<CHUNK>(positive, negative, at), next, at);
        at += CHUNK;
    }
    match limbs - at {
        3 => division.divide(difference::<3>(positive, negative, at), next, at),
        2 => division.divide(difference::<2>(positive, negative, at), next, at),
        1 => division.divide(difference::<1>(positive, negative, at), next, at),
        _ => {}
    }
    division.finish(next);
}

/// Some limbs of the sum, not yet carried.
#[inline(always)]
fn difference<const COUNT: usize>(
    positive: &[Operand],
    negative: &[Operand],
    at: usize,
) -> [i128; COUNT] {
    let (plus, minus) = (products::<COUNT>(positive, at), products::<COUNT>(negative, at));
    let mut sums = [0; COUNT];
    for limb in 0..COUNT {
        sums[limb] = plus[limb].wrapping_sub(minus[limb]) as i128;
    }
    sums
}

#[inline(always)]
fn products<const COUNT: usize>(terms: &[Operand], at: usize) -> [u128; COUNT] {
    let mut sums = [0u128; COUNT];
    for Operand { row, factor } in terms {
        if let Some(row) = row[at..].first_chunk::<COUNT>() {
            // Plain indices: the loop is unrolled, and the sums stay in registers.
            for limb in 0..COUNT {
                sums[limb] += u128::from(row[limb]) * u128::from(*factor);
            }
        }
    }
    sums
}

/// A division in progress. Above the last limb, what is carried is all there is.
struct Division {
    divisor: Divisor,
    carry: i128,
    /// What the quotient so far takes from the next limb.
    taken: u64,
    /// The last limb of the quotient, before the shift.
    low: u64,
}

impl Division {
    #[inline(always)]
    fn divide<const COUNT: usize>(&mut self, sums: [i128; COUNT], next: &mut [u64], at: usize) {
        for (limb, sum) in sums.into_iter().enumerate() {
            let carried = sum + self.carry;
            self.carry = carried >> LIMB;
            let high = self.quotient(carried as u64);
            if let Some(place) = (at + limb).checked_sub(1) {
                next[place] = self.shifted(high);
            }
            self.low = high;
        }
    }

    fn finish(&mut self, next: &mut [u64]) {
        let high = self.quotient(self.carry as u64);
        if let Some(top) = next.last_mut() {
            *top = self.shifted(high);
        }
    }

    #[inline(always)]
    fn quotient(&mut self, limb: u64) -> u64 {
        let (rest, borrowed) = limb.overflowing_sub(self.taken);
        let quotient = rest.wrapping_mul(self.divisor.inverse);
        let product = u128::from(quotient) * u128::from(self.divisor.odd);
        self.taken = (product >> LIMB) as u64 + u64::from(borrowed);
        quotient
    }

    #[inline(always)]
    fn shifted(&self, high: u64) -> u64 {
        ((u128::from(high) << LIMB | u128::from(self.low)) >> self.divisor.shift) as u64
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
