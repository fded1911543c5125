//! Many fractions over one denominator, each reduced.
//!
//! The denominator of dice is a product of small primes: that of `10000d6` is `6^10000`, twenty-six thousand bits
//! long. What a weight shares with it are twos and threes, which are counted much faster than a greatest
//! common divisor is found.

use crate::number::{self, Natural};

/// The primes that are looked for.
const PRIMES: [u64; 25] = [
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97,
];

/// A denominator with its prime factors.
pub(crate) struct Reducer<'a> {
    total: &'a Natural,
    primes: Vec<Prime>,
    /// What is left of the total without these primes.
    rest: Natural,
}

struct Prime {
    prime: u64,
    /// How often it divides the total.
    exponent: usize,
}

impl<'a> Reducer<'a> {
    pub(crate) fn new(total: &'a Natural) -> Reducer<'a> {
        let mut rest = total.clone();
        let mut primes = Vec::new();
        for prime in PRIMES {
            let exponent = times_in(&rest, prime, usize::MAX);
            if exponent > 0 {
                rest /= Natural::from(prime).pow(exponent);
                primes.push(Prime { prime, exponent });
            }
        }
        Reducer { total, primes, rest }
    }

    /// Numerator and denominator of `weight / total` in lowest terms, for a positive weight.
    pub(crate) fn reduce(&self, weight: &Natural) -> (Natural, Natural) {
        let mut common = number::gcd(weight, &self.rest);
        for Prime { prime, exponent } in &self.primes {
            let times = times_in(weight, *prime, *exponent);
            if times > 0 {
                common *= Natural::from(*prime).pow(times);
            }
        }
        if common.is_one() {
            return (weight.clone(), self.total.clone());
        }
        (weight / &common, self.total / common)
    }
}

/// How often a prime divides a positive number; not more often than `most` is counted.
fn times_in(number: &Natural, prime: u64, most: usize) -> usize {
    if prime == 2 {
        return number.trailing_zeros().unwrap_or(0).min(most);
    }
    // As many at once as fit a word.
    let (mut together, mut power) = (1, prime);
    while let Some(next) = power.checked_mul(prime) {
        (together, power) = (together + 1, next);
    }
    let (mut times, mut rest) = (0, None);
    while times < most {
        let number = rest.as_ref().unwrap_or(number);
        let mut remainder = number % power;
        if remainder != 0 {
            while remainder % prime == 0 {
                (remainder, times) = (remainder / prime, times + 1);
            }
            break;
        }
        if number.is_zero() {
            break;
        }
        (rest, times) = (Some(number / power), times + together);
    }
    times.min(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counting_primes_agrees_with_the_greatest_common_divisor(
            total in prop::collection::vec((0usize..26, 1usize..60), 1..4),
            weight in prop::collection::vec((0usize..26, 1usize..60), 1..4),
        ) {
            // The last place stands for a prime that is not looked for.
            let factor = |place: usize| PRIMES.get(place).copied().unwrap_or(1009);
            let product = |list: &[(usize, usize)]| list.iter().fold(Natural::ONE, |all, (p, e)| {
                all * Natural::from(factor(*p)).pow(*e)
            });
            let (total, weight) = (product(&total), product(&weight));
            let common = number::gcd(&weight, &total);
            let slow = (&weight / &common, &total / &common);
            prop_assert_eq!(Reducer::new(&total).reduce(&weight), slow);
        }
    }
}
