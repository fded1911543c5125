//! What the paths of a walk weigh: machine words while they suffice.
//!
//! All weights at a face are parts of one total, so the total decides which kind is used, and neither
//! products nor sums can overflow. The total grows from face to face, and the kind with it: the first
//! faces of `50d10` need one word, only the last ones three.

use crate::number::Natural;

/// A weight.
pub(super) trait Weight: Clone {
    fn zero() -> Self;
    /// Only called with parts of a total that fits.
    fn of(natural: &Natural) -> Self;
    fn is_zero(&self) -> bool;
    fn times(&self, factor: &Self) -> Self;
    fn times_word(&self, factor: u64) -> Self;
    fn add(&mut self, more: &Self);
    /// Adds a product.
    fn add_times(&mut self, more: &Self, factor: u64);
    fn natural(&self) -> Natural;
    /// As eight words, the lowest first; only called where they suffice.
    fn to_words(&self) -> [u64; 8];
    fn of_words(words: &[u64; 8]) -> Self;
}

macro_rules! machine_weight {
    ($word:ty) => {
        impl Weight for $word {
            fn zero() -> Self {
                0
            }

            fn of(natural: &Natural) -> Self {
                <$word>::try_from(natural).unwrap_or(0)
            }

            fn is_zero(&self) -> bool {
                *self == 0
            }

            fn times(&self, factor: &Self) -> Self {
                self.wrapping_mul(*factor)
            }

            fn times_word(&self, factor: u64) -> Self {
                self.wrapping_mul(<$word>::from(factor))
            }

            fn add(&mut self, more: &Self) {
                *self = self.wrapping_add(*more);
            }

            fn add_times(&mut self, more: &Self, factor: u64) {
                *self = self.wrapping_add(more.times_word(factor));
            }

            fn natural(&self) -> Natural {
                Natural::from(*self)
            }

            fn to_words(&self) -> [u64; 8] {
                let wide = u128::from(*self);
                [wide as u64, (wide >> 64) as u64, 0, 0, 0, 0, 0, 0]
            }

            fn of_words(words: &[u64; 8]) -> Self {
                (u128::from(words[0]) | u128::from(words[1]) << 64) as $word
            }
        }
    };
}

machine_weight!(u64);
machine_weight!(u128);

/// So many words, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Words<const N: usize>([u64; N]);

impl<const N: usize> Weight for Words<N> {
    fn zero() -> Self {
        Words([0; N])
    }

    fn of(natural: &Natural) -> Self {
        let mut words = [0; N];
        let bytes = natural.to_le_bytes();
        for (word, bytes) in words.iter_mut().zip(bytes.chunks(8)) {
            let mut eight = [0; 8];
            eight[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(eight);
        }
        Words(words)
    }

    fn is_zero(&self) -> bool {
        self.0 == [0; N]
    }

    fn times(&self, factor: &Self) -> Self {
        let mut product = [0u64; N];
        for (i, a) in self.0.iter().enumerate().filter(|(_, a)| **a != 0) {
            let mut carry = 0u128;
            for (b, word) in factor.0.iter().zip(&mut product[i..]) {
                let sum = u128::from(*a) * u128::from(*b) + u128::from(*word) + carry;
                *word = sum as u64;
                carry = sum >> 64;
            }
        }
        Words(product)
    }

    fn times_word(&self, factor: u64) -> Self {
        let mut product = Words([0; N]);
        product.add_times(self, factor);
        product
    }

    fn add(&mut self, more: &Self) {
        let mut carry = false;
        for (word, more) in self.0.iter_mut().zip(more.0) {
            let (sum, first) = word.overflowing_add(more);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            *word = sum;
            carry = first || second;
        }
    }

    fn add_times(&mut self, more: &Self, factor: u64) {
        let mut carry = 0u128;
        for (word, more) in self.0.iter_mut().zip(more.0) {
            let sum = u128::from(more) * u128::from(factor) + u128::from(*word) + carry;
            *word = sum as u64;
            carry = sum >> 64;
        }
    }

    fn natural(&self) -> Natural {
        natural(&self.0)
    }

    fn to_words(&self) -> [u64; 8] {
        let mut words = [0; 8];
        words[..N].copy_from_slice(&self.0);
        words
    }

    fn of_words(words: &[u64; 8]) -> Self {
        let mut own = [0; N];
        own.copy_from_slice(&words[..N]);
        Words(own)
    }
}

fn natural(words: &[u64]) -> Natural {
    if let [low, high, rest @ ..] = words
        && rest.iter().all(|word| *word == 0)
    {
        return Natural::from(u128::from(*low) | u128::from(*high) << 64);
    }
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Natural::from_le_bytes(&bytes)
}

impl Weight for Natural {
    fn zero() -> Self {
        Natural::ZERO
    }

    fn of(natural: &Natural) -> Self {
        natural.clone()
    }

    fn is_zero(&self) -> bool {
        Natural::is_zero(self)
    }

    fn times(&self, factor: &Self) -> Self {
        self * factor
    }

    fn times_word(&self, factor: u64) -> Self {
        self * factor
    }

    fn add(&mut self, more: &Self) {
        *self += more;
    }

    fn add_times(&mut self, more: &Self, factor: u64) {
        *self += more * factor;
    }

    fn natural(&self) -> Natural {
        self.clone()
    }

    fn to_words(&self) -> [u64; 8] {
        Words::<8>::of(self).0
    }

    fn of_words(words: &[u64; 8]) -> Self {
        natural(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn four_words_multiply_and_add_as_naturals(a: u128, b in 0u128..1 << 100, c: u128, d: u64) {
            let naturals = [a, b, c].map(Natural::from);
            let [a, b, c] = [0, 1, 2].map(|at: usize| Words::<4>::of(&naturals[at]));
            let mut sum = a.times(&b);
            sum.add(&c);
            prop_assert_eq!(sum.natural(), &naturals[0] * &naturals[1] + &naturals[2]);
            let mut sum = c;
            sum.add_times(&a, d);
            prop_assert_eq!(sum.natural(), &naturals[0] * d + &naturals[2]);
            prop_assert_eq!(a.times_word(d).natural(), &naturals[0] * d);
            prop_assert_eq!(u128::of_words(&a.to_words()), u128::of(&naturals[0]));
            prop_assert_eq!(Natural::of_words(&a.to_words()), a.natural());
        }
    }
}
