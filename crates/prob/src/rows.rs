//! Big numbers of one width, side by side.
//!
//! The table of `1000d6` has 5001 weights of 41 machine words. As separate big numbers each costs an
//! allocation and a few checks for every operation; here they are rows of one block of memory, as
//! wide as the largest of them, and an operation is one loop over machine words.
//!
//! Every fast recurrence of this crate has one shape: the next row is a combination of earlier rows
//! with small factors, divided by a small number that divides it. [`Rows::push_combination`] does
//! that in one pass. Rows are natural numbers below `2^(64·width)`; a caller proves that the result
//! is one. What happens on the way happens modulo a power of two, so differences need no care.

mod combination;
mod flat;
mod limbs;
mod recurrence;
mod weights;
mod wide;

use crate::number::Natural;
use dashu_int::Word;

pub(crate) use limbs::{Limbs, natural_of};
pub(crate) use recurrence::{Recurrence, Shifted};
pub(crate) use weights::Weights;
pub(crate) use wide::WideRecurrence;

const LIMB: usize = u64::BITS as usize;

/// Natural numbers of the same width.
pub(crate) struct Rows {
    width: usize,
    limbs: Vec<u64>,
    /// No row has more limbs than this that are not zero.
    used: usize,
}

impl Rows {
    /// No rows yet, with room for `count` numbers of `bits` bits.
    pub(crate) fn with_room(count: usize, bits: usize) -> Rows {
        let width = bits.div_ceil(LIMB).max(1);
        Rows { width, limbs: Vec::with_capacity(width * count), used: 1 }
    }

    /// So many zeros of `bits` bits.
    pub(crate) fn zeros(count: usize, bits: usize) -> Rows {
        let mut rows = Rows::with_room(count, bits);
        rows.limbs.resize(rows.width * count, 0);
        rows
    }

    /// Numbers of one limb each.
    pub(crate) fn of_words(words: Vec<u64>) -> Rows {
        Rows { width: 1, limbs: words, used: 1 }
    }

    /// Numbers of at most two limbs each.
    pub(crate) fn of_wide(numbers: Vec<u128>) -> Rows {
        if numbers.iter().all(|number| *number >> LIMB == 0) {
            return Rows::of_words(numbers.into_iter().map(|number| number as u64).collect());
        }
        let limbs = numbers.into_iter().flat_map(|number| [number as u64, (number >> LIMB) as u64]);
        Rows { width: 2, limbs: limbs.collect(), used: 2 }
    }

    /// The numbers, if they are of one limb each.
    pub(crate) fn words(&self) -> Option<&[u64]> {
        (self.width == 1).then_some(&self.limbs)
    }

    pub(crate) fn len(&self) -> usize {
        self.limbs.len() / self.width
    }

    fn row(&self, index: usize) -> &[u64] {
        &self.limbs[index * self.width..(index + 1) * self.width]
    }

    pub(crate) fn is_zero(&self, index: usize) -> bool {
        self.row(index).iter().all(|limb| *limb == 0)
    }

    /// Adds a row at the end. The number must fit.
    pub(crate) fn push(&mut self, number: &Natural) {
        let start = self.limbs.len();
        self.limbs.extend(number.as_words().chunks(LIMB / Word::BITS as usize).map(limb));
        debug_assert!(self.limbs.len() <= start + self.width, "a row has room for its number");
        self.used = self.used.max(self.limbs.len() - start).min(self.width);
        self.limbs.resize(start + self.width, 0);
    }

    /// Adds each row of `other`, which is as wide, to the row `shift` places further on.
    pub(crate) fn add(&mut self, other: &Rows, shift: usize) {
        debug_assert_eq!(self.width, other.width, "only rows of one width are added");
        let width = self.width;
        let used = self.used.max(other.used);
        let mut longer = false;
        let sums = self.limbs[shift * width..].chunks_exact_mut(width);
        for (sum, row) in sums.zip(other.limbs.chunks_exact(width)) {
            let mut carry = false;
            for (a, b) in sum[..used].iter_mut().zip(row) {
                let (once, first) = a.overflowing_add(*b);
                let (twice, second) = once.overflowing_add(u64::from(carry));
                (*a, carry) = (twice, first | second);
            }
            if carry {
                debug_assert!(used < width, "a sum fits its row");
                longer = true;
                if let Some(next) = sum.get_mut(used) {
                    *next = 1;
                }
            }
        }
        self.used = (used + usize::from(longer)).min(width);
    }

    /// The same numbers from the other end.
    fn reversed(&self) -> Rows {
        let limbs = self.limbs.chunks_exact(self.width).rev().flatten().copied().collect();
        Rows { width: self.width, limbs, used: self.used }
    }

    /// The numbers themselves.
    pub(crate) fn naturals(&self) -> Vec<Natural> {
        let mut words = Vec::new();
        let count = self.len();
        (0..count).map(|index| self.natural(index, &mut words)).collect()
    }

    pub(crate) fn natural(&self, index: usize, words: &mut Vec<Word>) -> Natural {
        let row = &self.row(index)[..self.used];
        let used = row.iter().rposition(|limb| *limb != 0).map_or(0, |last| last + 1);
        words.clear();
        for limb in &row[..used] {
            let parts = (0..LIMB).step_by(Word::BITS as usize);
            words.extend(parts.map(|shift| (limb >> shift) as Word));
        }
        Natural::from_words(words)
    }
}

/// The lowest 64 bits of a number.
pub(crate) fn lowest_limb(number: &Natural) -> u64 {
    number.as_words().chunks(LIMB / Word::BITS as usize).next().map_or(0, limb)
}

/// A limb of one or two words.
#[allow(clippy::useless_conversion, reason = "on some machines a word is half a limb")]
pub(crate) fn limb(words: &[Word]) -> u64 {
    // A word may be a whole limb: shift in two halves.
    words
        .iter()
        .rev()
        .fold(0u64, |limb, &word| (limb << (Word::BITS / 2)) << (Word::BITS / 2) | u64::from(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back_and_add_up(
            a in prop::collection::vec(any::<[u64; 3]>(), 1..5),
            shift in 0usize..3,
        ) {
            let number = |limbs: &[u64; 3]| limbs.iter().rev().fold(Natural::ZERO, |n, &limb| {
                (n << LIMB) + Natural::from(limb)
            });
            let numbers: Vec<Natural> = a.iter().map(number).collect();
            let mut rows = Rows::with_room(4, 193);
            numbers.iter().for_each(|number| rows.push(number));
            prop_assert_eq!(&rows.naturals(), &numbers);
            let mut sums = Rows::zeros(numbers.len() + shift, 193);
            sums.add(&rows, 0);
            sums.add(&rows, shift);
            for (place, sum) in sums.naturals().into_iter().enumerate() {
                let at = |place: Option<usize>| place.and_then(|p| numbers.get(p)).cloned();
                let expected = at(Some(place)).unwrap_or_default()
                    + at(place.checked_sub(shift)).unwrap_or_default();
                prop_assert_eq!(sum, expected);
            }
        }
    }
}
