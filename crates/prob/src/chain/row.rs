//! What is counted on the way to a node: whole weights of one width, side by side in one block of memory.
//!
//! A loop adds multiples of rows to rows, thousands of times, and as separate big numbers each of them would
//! be asked for and given back at every addition. How large a weight can become is known before: it is a part
//! of the node's total.

use dashu_int::Word;

use super::Counted;
use crate::number::Natural;
use crate::rows::limb;

const LIMB: usize = u64::BITS as usize;

/// Weights of consecutive counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    least: i64,
    /// How many limbs a weight has.
    width: usize,
    limbs: Vec<u64>,
}

/// A factor.
pub(super) struct Factor(Vec<u64>);

impl Factor {
    pub(super) fn of(number: &Natural) -> Factor {
        Factor(number.as_words().chunks(LIMB / Word::BITS as usize).map(limb).collect())
    }

    /// How many limbs it has.
    pub(super) fn size(&self) -> u64 {
        self.0.len() as u64
    }
}

impl Row {
    /// No weights yet, none of which will have more bits than this.
    pub(super) fn of_bits(bits: u64) -> Row {
        let width = (bits as usize).div_ceil(LIMB).max(1);
        Row { least: 0, width, limbs: Vec::new() }
    }

    /// One weight, for the count 0.
    pub(super) fn set(&mut self, weight: &Natural) {
        self.limbs = Factor::of(weight).0;
        self.limbs.resize(self.width, 0);
    }

    /// How many limbs there are.
    pub(super) fn size(&self) -> usize {
        self.limbs.len()
    }

    /// How many limbs there would be after adding another row, counted on by `tick`.
    pub(super) fn size_with(&self, row: &Row, tick: i64) -> usize {
        let (least, end) = row.reach(tick);
        let (mine, my_end) = if self.limbs.is_empty() { (least, end) } else { self.reach(0) };
        let places = usize::try_from(my_end.max(end) - mine.min(least)).unwrap_or(usize::MAX);
        places.saturating_mul(self.width)
    }

    /// The least count, and the first that is too large.
    fn reach(&self, tick: i64) -> (i64, i64) {
        let least = self.least.saturating_add(tick);
        (least, least.saturating_add((self.limbs.len() / self.width.max(1)) as i64))
    }

    /// Adds a row times a factor, counted on by `tick`. The sums must fit.
    pub(super) fn add(&mut self, row: &Row, tick: i64, factor: &Factor) {
        if row.limbs.is_empty() {
            return;
        }
        let (least, end) = row.reach(tick);
        if self.limbs.is_empty() {
            self.least = least;
        }
        if least < self.least {
            let more = usize::try_from(self.least - least).unwrap_or(0) * self.width;
            self.limbs.splice(0..0, std::iter::repeat_n(0, more));
            self.least = least;
        }
        let length = usize::try_from(end - self.least).unwrap_or(0) * self.width;
        if self.limbs.len() < length {
            self.limbs.resize(length, 0);
        }
        let from = usize::try_from(least - self.least).unwrap_or(0) * self.width;
        let (width, sums) = (self.width, &mut self.limbs[from..]);
        match (factor.0.as_slice(), row.width, width) {
            ([1], 1, 1) => add_all::<1>(sums, &row.limbs),
            ([1], 2, 2) => add_all::<2>(sums, &row.limbs),
            ([1], 3, 3) => add_all::<3>(sums, &row.limbs),
            ([1], 4, 4) => add_all::<4>(sums, &row.limbs),
            ([1], ..) => each(sums, width, row, add),
            ([factor], ..) => {
                each(sums, width, row, |sum, weight| add_multiple(sum, weight, *factor));
            }
            (factors, ..) => each(sums, width, row, |sum, weight| {
                for (place, factor) in factors.iter().enumerate() {
                    add_multiple(sum.get_mut(place..).unwrap_or_default(), weight, *factor);
                }
            }),
        }
    }

    /// The weights as numbers.
    pub(super) fn counted(&self) -> Counted {
        let weights = self.limbs.chunks_exact(self.width.max(1)).map(natural);
        Counted { least: self.least, weights: weights.collect() }
    }
}

/// Does something with each weight and its sum.
#[inline]
fn each(sums: &mut [u64], width: usize, row: &Row, mut act: impl FnMut(&mut [u64], &[u64])) {
    let mut sums = sums;
    let mut weights = row.limbs.as_slice();
    while let (Some((sum, more)), Some((weight, rest))) =
        (sums.split_at_mut_checked(width), weights.split_at_checked(row.width))
    {
        act(sum, weight);
        (sums, weights) = (more, rest);
        if weights.is_empty() {
            break;
        }
    }
}

/// Adds numbers of one width that is known beforehand.
fn add_all<const WIDTH: usize>(sums: &mut [u64], weights: &[u64]) {
    let (sums, _) = sums.as_chunks_mut::<WIDTH>();
    let (weights, _) = weights.as_chunks::<WIDTH>();
    for (sum, weight) in sums.iter_mut().zip(weights) {
        let mut carry = false;
        for place in 0..WIDTH {
            let (once, first) = sum[place].overflowing_add(weight[place]);
            let (twice, second) = once.overflowing_add(u64::from(carry));
            (sum[place], carry) = (twice, first | second);
        }
    }
}

/// Adds a number to a sum that has room for it.
fn add(sum: &mut [u64], number: &[u64]) {
    let (low, high) = sum.split_at_mut(number.len().min(sum.len()));
    let mut carry = false;
    for (sum, limb) in low.iter_mut().zip(number) {
        let (once, first) = sum.overflowing_add(*limb);
        let (twice, second) = once.overflowing_add(u64::from(carry));
        (*sum, carry) = (twice, first | second);
    }
    for sum in high {
        if !carry {
            break;
        }
        (*sum, carry) = sum.overflowing_add(1);
    }
}

/// Adds a number times a factor to a sum that has room for it.
fn add_multiple(sum: &mut [u64], number: &[u64], factor: u64) {
    let (low, high) = sum.split_at_mut(number.len().min(sum.len()));
    let mut carry = 0u64;
    for (sum, limb) in low.iter_mut().zip(number) {
        let next = u128::from(*limb) * u128::from(factor) + u128::from(*sum) + u128::from(carry);
        (*sum, carry) = (next as u64, (next >> LIMB) as u64);
    }
    for sum in high {
        if carry == 0 {
            break;
        }
        let (next, over) = sum.overflowing_add(carry);
        (*sum, carry) = (next, u64::from(over));
    }
}

fn natural(limbs: &[u64]) -> Natural {
    let used = limbs.iter().rposition(|limb| *limb != 0).map_or(0, |last| last + 1);
    let words = limbs[..used].iter().flat_map(|limb| {
        (0..LIMB).step_by(Word::BITS as usize).map(move |shift| (limb >> shift) as Word)
    });
    Natural::from_words(&words.collect::<Vec<Word>>())
}
