//! Polynomials whose coefficients are rows, multiplied by short ones.
//!
//! Rows side by side are one long number, with `x` for `2^(64·width)`. As long as every row of the result
//! fits its width, products of polynomials are products of such numbers, and a carry may run on from one
//! row to the next: it is taken back by the end. So one loop goes over all limbs of all rows.

use super::{LIMB, Limbs, Rows};
use crate::number::Natural;

impl Rows {
    /// Adds so many times each row of `other`, which is as wide, to the row `shift` places further on. Each row of the
    /// sum must fit in the end.
    pub(crate) fn add_multiple(&mut self, other: &Rows, shift: usize, factor: &Limbs) {
        debug_assert_eq!(self.width, other.width, "only rows of one width are added");
        for (at, limb) in factor.as_slice().iter().enumerate().filter(|(_, limb)| **limb != 0) {
            add_product(&mut self.limbs[shift * self.width + at..], &other.limbs, *limb);
        }
        self.used = self.width;
    }

    /// The product with `x^shift · (1 + x + … + x^(terms − 1))`, as a window that slides along.
    pub(crate) fn windowed(&self, terms: usize, shift: usize) -> Rows {
        let (width, count) = (self.width, self.len());
        let len = count + terms - 1;
        let mut limbs = vec![0; (len + shift) * width];
        let nothing = vec![0; width];
        let row = |place: Option<usize>| match place {
            Some(place) if place < count => &self.limbs[place * width..][..width],
            _ => &nothing,
        };
        let (mut carry, mut borrow) = (false, false);
        let mut before: &[u64] = &nothing;
        let mut rest = &mut limbs[shift * width..];
        for place in 0..len {
            let (next, more) = std::mem::take(&mut rest).split_at_mut(width);
            let (entering, leaving) = (row(Some(place)), row(place.checked_sub(terms)));
            // Slices of one length, so that no index is looked at twice.
            let (last, entering, leaving) =
                (&before[..width], &entering[..width], &leaving[..width]);
            for at in 0..width {
                let sum = add(last[at], entering[at], &mut carry);
                next[at] = subtract(sum, leaving[at], &mut borrow);
            }
            (before, rest) = (next, more);
        }
        Rows { width, limbs, used: width }
    }

    /// Adds a row at the end: a row of `others` times a number. The product must fit.
    pub(crate) fn push_product(&mut self, others: &Rows, place: usize, number: &Limbs) {
        let start = self.limbs.len();
        self.limbs.resize(start + self.width, 0);
        let product = &mut self.limbs[start..];
        for (at, limb) in others.row(place)[..others.used].iter().enumerate() {
            if *limb != 0
                && let Some(upper) = product.get_mut(at..)
            {
                add_product(upper, number.as_slice(), *limb);
            }
        }
        let used = product.iter().rposition(|limb| *limb != 0).map_or(0, |last| last + 1);
        self.used = self.used.max(used);
    }

    /// Adds to the rows from the first on these multiples of one number.
    pub(crate) fn add_multiples(&mut self, number: &Natural, factors: &[u128]) {
        let mut limbs = Rows::with_room(1, self.width * LIMB);
        limbs.push(number);
        let number = &limbs.limbs[..limbs.used];
        let width = self.width;
        for (row, factor) in self.limbs.chunks_exact_mut(width).zip(factors) {
            add_product(row, number, *factor as u64);
            let high = (factor >> LIMB) as u64;
            if high > 0
                && let Some(upper) = row.get_mut(1..)
            {
                add_product(upper, number, high);
            }
        }
        self.used = width;
    }
}

#[inline(always)]
fn add(a: u64, b: u64, carry: &mut bool) -> u64 {
    let (once, first) = a.overflowing_add(b);
    let (twice, second) = once.overflowing_add(u64::from(*carry));
    *carry = first | second;
    twice
}

#[inline(always)]
fn subtract(a: u64, b: u64, borrow: &mut bool) -> u64 {
    let (once, first) = a.overflowing_sub(b);
    let (twice, second) = once.overflowing_sub(u64::from(*borrow));
    *borrow = first | second;
    twice
}

/// Adds a multiple of one long number to another. What is beyond the end of the sum is cut off.
pub(super) fn add_product(sum: &mut [u64], number: &[u64], factor: u64) {
    let mut carry = 0u64;
    for (place, limb) in sum.iter_mut().zip(number) {
        let product = u128::from(*limb) * u128::from(factor) + u128::from(*place);
        let product = product + u128::from(carry);
        (*place, carry) = (product as u64, (product >> LIMB) as u64);
    }
    for place in sum.iter_mut().skip(number.len()) {
        if carry == 0 {
            break;
        }
        let (more, over) = place.overflowing_add(carry);
        (*place, carry) = (more, u64::from(over));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn products_agree_with_big_integers(
            numbers in prop::collection::vec(any::<[u64; 2]>(), 1..6),
            factors in prop::collection::vec(0u64..1 << 60, 1..4),
            terms in 1usize..5,
        ) {
            let number = |limbs: &[u64; 2]| (Natural::from(limbs[1]) << LIMB) + Natural::from(limbs[0]);
            let numbers: Vec<Natural> = numbers.iter().map(number).collect();
            let mut rows = Rows::with_room(numbers.len(), 256);
            numbers.iter().for_each(|number| rows.push(number));
            let mut product = Rows::zeros(numbers.len() + factors.len() - 1, 256);
            for (shift, factor) in factors.iter().enumerate() {
                product.add_multiple(&rows, shift, &Limbs::of(&Natural::from(*factor)));
            }
            let mut expected = vec![Natural::ZERO; numbers.len() + factors.len() + terms - 2];
            for (i, number) in numbers.iter().enumerate() {
                for (j, factor) in factors.iter().enumerate() {
                    for term in 0..terms {
                        expected[i + j + term] += number * *factor;
                    }
                }
            }
            prop_assert_eq!(product.windowed(terms, 0).naturals(), expected);
        }

        #[test]
        fn multiples_agree_with_big_integers(
            number in any::<[u64; 2]>(),
            factors in prop::collection::vec(any::<u128>(), 1..4),
        ) {
            let number = (Natural::from(number[1]) << LIMB) + Natural::from(number[0]);
            let mut rows = Rows::zeros(factors.len(), 260);
            rows.add_multiples(&number, &factors);
            rows.add_multiples(&number, &factors);
            let expected: Vec<Natural> = factors.iter().map(|f| &number * *f * 2u8).collect();
            prop_assert_eq!(rows.naturals(), expected);
        }
    }
}
