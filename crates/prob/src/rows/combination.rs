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

/// What the absolute factors of one combination may add up to.
pub(crate) const LARGEST: u128 = 1 << 61;

/// So many limbs are summed at a time.
const CHUNK: usize = 4;

/// Rows times factors, to be added up. It is used again and again: mostly the next combination is that of the
/// next rows, with factors that change by as much each time.
pub(super) struct Combination {
    width: usize,
    plus: Vec<Operand>,
    minus: Vec<Operand>,
}

/// A row, by its block and where it starts there, and a factor without its sign.
#[derive(Clone, Copy)]
struct Operand {
    block: usize,
    start: usize,
    factor: u64,
    /// What the factor grows by, modulo a power of two.
    slope: u64,
}

impl Combination {
    /// No terms yet, with room for so many, of rows with so many limbs.
    pub(super) fn with_room(terms: usize, width: usize) -> Combination {
        let room = || Vec::with_capacity(terms);
        Combination { width, plus: room(), minus: room() }
    }

    /// Adds a term whose factor changes by `slope` from row to row. The block that is being extended is number 0;
    /// others are counted from 1.
    #[inline(always)]
    pub(super) fn add(&mut self, block: usize, row: usize, factor: i64, slope: i64) {
        let start = row * self.width;
        if factor < 0 {
            let (factor, slope) = (factor.unsigned_abs(), slope.wrapping_neg() as u64);
            self.minus.push(Operand { block, start, factor, slope });
        } else {
            let (factor, slope) = (factor as u64, slope as u64);
            self.plus.push(Operand { block, start, factor, slope });
        }
    }

    /// How many terms are added and how many taken away.
    pub(super) fn count(&self) -> (usize, usize) {
        (self.plus.len(), self.minus.len())
    }

    /// Forgets the terms after the first so many.
    pub(super) fn truncate(&mut self, (plus, minus): (usize, usize)) {
        self.plus.truncate(plus);
        self.minus.truncate(minus);
    }

    /// Goes on to the next rows and factors.
    pub(super) fn advance(&mut self) {
        let width = self.width;
        let step = |operands: &mut [Operand]| {
            let mut signs = 0;
            for operand in operands {
                operand.start += width;
                operand.factor = operand.factor.wrapping_add(operand.slope);
                signs |= operand.factor;
            }
            (signs as i64) < 0
        };
        if step(&mut self.plus) | step(&mut self.minus) {
            let (plus, minus) = (&mut self.plus, &mut self.minus);
            let first = minus.len();
            turn(plus, minus, plus.len());
            turn(minus, plus, first);
        }
    }
}

/// Of the first so many terms those that have changed their sign go to the other list.
fn turn(from: &mut Vec<Operand>, to: &mut Vec<Operand>, first: usize) {
    for at in (0..first).rev() {
        if (from[at].factor as i64) < 0 {
            let Operand { block, start, factor, slope } = from.swap_remove(at);
            let (factor, slope) = (factor.wrapping_neg(), slope.wrapping_neg());
            to.push(Operand { block, start, factor, slope });
        }
    }
}

impl Rows {
    /// Adds the row `(Σ factor · row) / divisor`, where the factors stay below [`LARGEST`] together. The sum must
    /// be a natural multiple of the divisor, which is positive, and the quotient must fit. `others` are the blocks
    /// that terms may name, as wide as this one.
    pub(super) fn push_combination<const OTHERS: usize>(
        &mut self,
        others: [&Rows; OTHERS],
        sum: &Combination,
        divisor: u64,
    ) {
        let used = others.iter().fold(self.used, |used, other| used.max(other.used));
        let limbs = (used + 1).min(self.width);
        let start = self.limbs.len();
        self.limbs.resize(start + self.width, 0);
        let (known, next) = self.limbs.split_at_mut(start);
        let next = &mut next[..limbs];
        let blocks = Blocks { own: known, others: others.map(|other| other.limbs.as_slice()) };
        combine(&blocks, sum, next, Divisor::new(divisor));
        if next.last().is_some_and(|top| *top != 0) {
            self.used = self.used.max(limbs);
        } else {
            self.used = self.used.max(limbs.saturating_sub(1)).max(1);
        }
    }
}

/// The rows that terms may name.
struct Blocks<'a, const OTHERS: usize> {
    own: &'a [u64],
    others: [&'a [u64]; OTHERS],
}

impl<const OTHERS: usize> Blocks<'_, OTHERS> {
    /// Some limbs of a row.
    #[inline(always)]
    fn limbs<const COUNT: usize>(&self, operand: &Operand, at: usize) -> Option<&[u64; COUNT]> {
        let block = match operand.block.checked_sub(1) {
            Some(other) if OTHERS > 0 => self.others[other],
            _ => self.own,
        };
        block.get(operand.start + at..)?.first_chunk()
    }
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

fn combine<const OTHERS: usize>(
    blocks: &Blocks<'_, OTHERS>,
    sum: &Combination,
    next: &mut [u64],
    divisor: Divisor,
) {
    let mut division = Division { divisor, carry: 0, taken: 0, low: 0 };
    let limbs = next.len();
    let mut at = 0;
    while at + CHUNK <= limbs {
        division.divide(difference::<CHUNK, OTHERS>(blocks, sum, at), next, at);
        at += CHUNK;
    }
    match limbs - at {
        3 => division.divide(difference::<3, OTHERS>(blocks, sum, at), next, at),
        2 => division.divide(difference::<2, OTHERS>(blocks, sum, at), next, at),
        1 => division.divide(difference::<1, OTHERS>(blocks, sum, at), next, at),
        _ => {}
    }
    division.finish(next);
}

/// Some limbs of the sum, not yet carried.
#[inline(always)]
fn difference<const COUNT: usize, const OTHERS: usize>(
    blocks: &Blocks<'_, OTHERS>,
    sum: &Combination,
    at: usize,
) -> [i128; COUNT] {
    let plus = products::<COUNT, OTHERS>(blocks, &sum.plus, at);
    let minus = products::<COUNT, OTHERS>(blocks, &sum.minus, at);
    let mut sums = [0; COUNT];
    for limb in 0..COUNT {
        sums[limb] = plus[limb].wrapping_sub(minus[limb]) as i128;
    }
    sums
}

#[inline(always)]
fn products<const COUNT: usize, const OTHERS: usize>(
    blocks: &Blocks<'_, OTHERS>,
    terms: &[Operand],
    at: usize,
) -> [u128; COUNT] {
    let mut sums = [0u128; COUNT];
    for operand in terms {
        if let Some(row) = blocks.limbs::<COUNT>(operand, at) {
            // Plain indices: the loop is unrolled, and the sums stay in registers.
            for limb in 0..COUNT {
                sums[limb] += u128::from(row[limb]) * u128::from(operand.factor);
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
            let mut places = Combination::with_room(9, rows.width);
            for (k, (limbs, factor)) in terms.iter().enumerate() {
                let block = usize::from(in_other >> k & 1 == 1);
                let target = if block == 0 { &mut rows } else { &mut other };
                places.add(block, target.len(), *factor, 0);
                target.push(&number(limbs));
            }
            places.add(0, rows.len(), 1, 0);
            rows.push(&missing);
            rows.push_combination([&other], &places, divisor);
            let expected = Natural::from(quotient) << LIMB;
            prop_assert_eq!(rows.naturals().pop(), Some(expected));
        }
    }
}
