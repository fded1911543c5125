//! Denominators as powers of the few numbers that they are made of.

use std::collections::BTreeMap;

use dashu_base::BitTest;

use crate::number::Natural;

/// A denominator: powers of known numbers.
pub(super) type Powers = Vec<u32>;

/// The numbers that denominators are made of.
#[derive(Debug, Default)]
pub(super) struct Factors {
    known: Vec<Natural>,
    totals: BTreeMap<Natural, Powers>,
}

impl Factors {
    /// A number as powers of factors. What small primes leave of it is taken for a factor as it is.
    pub(super) fn of(&mut self, total: &Natural) -> Powers {
        if let Some(powers) = self.totals.get(total) {
            return powers.clone();
        }
        const PRIMES: [u8; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
        let mut powers = Powers::new();
        let mut rest = total.clone();
        for prime in PRIMES {
            let times = divided(&mut rest, prime);
            if times > 0 {
                *self.power(&mut powers, Natural::from(prime)) = times;
            }
        }
        if !rest.is_one() {
            *self.power(&mut powers, rest) = 1;
        }
        self.totals.insert(total.clone(), powers.clone());
        powers
    }

    pub(super) fn power<'a>(&mut self, powers: &'a mut Powers, factor: Natural) -> &'a mut u32 {
        let at = self.known.iter().position(|known| *known == factor).unwrap_or_else(|| {
            self.known.push(factor);
            self.known.len() - 1
        });
        if powers.len() <= at {
            powers.resize(at + 1, 0);
        }
        &mut powers[at]
    }

    /// How many bits 64 of each factor have: a factor of 5 has no whole three.
    pub(super) fn lengths(&self) -> Vec<u64> {
        let length = |factor: &Natural| match factor.bit_len() {
            bits @ 0..=16 => factor.pow(64).bit_len().min(64 * bits) as u64,
            bits => 64 * bits as u64,
        };
        self.known.iter().map(length).collect()
    }

    /// The number with these powers, less these.
    pub(super) fn product(&self, powers: &[u32], less: &[u32]) -> Natural {
        let mut product = Natural::ONE;
        for (at, factor) in self.known.iter().enumerate() {
            let power = |powers: &[u32]| powers.get(at).copied().unwrap_or(0);
            let times = power(powers).saturating_sub(power(less));
            if times > 0 {
                product *= factor.pow(times as usize);
            }
        }
        product
    }
}

/// Divides a number by a prime as often as it can be, many times at once as long as that goes.
fn divided(rest: &mut Natural, prime: u8) -> u32 {
    let mut times = 0;
    let mut at_once = if rest.bit_len() > 64 { 8 } else { 1 };
    while at_once > 0 {
        let power = u64::from(prime).pow(at_once);
        while &*rest % power == 0 {
            *rest /= power;
            times += at_once;
        }
        at_once /= 2;
    }
    times
}

/// The larger power of each.
pub(super) fn most(mine: &mut Powers, theirs: &[u32]) {
    if mine.len() < theirs.len() {
        mine.resize(theirs.len(), 0);
    }
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        *mine = (*mine).max(*theirs);
    }
}

/// The powers of a product.
pub(super) fn times(mine: &[u32], theirs: &[u32]) -> Powers {
    let size = mine.len().max(theirs.len());
    let at = |powers: &[u32], at: usize| powers.get(at).copied().unwrap_or(0);
    (0..size).map(|i| at(mine, i) + at(theirs, i)).collect()
}

/// No number with these powers of factors of these lengths has more bits.
pub(super) fn bits(powers: &[u32], lengths: &[u64]) -> u64 {
    let bits = powers.iter().zip(lengths).map(|(power, length)| length * u64::from(*power));
    1 + bits.sum::<u64>().div_ceil(64)
}
