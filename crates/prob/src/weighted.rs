//! Values with whole weights over one total.
//!
//! ```text
//! 1/6, 1/3, 1/2   as weights:   1, 2, 3   over 6
//! ```
//!
//! Chances are fractions, and adding fractions means finding common denominators again and again. What many things
//! are done to is therefore kept as whole numbers over one total, found once.

use std::hash::Hash;

use dashu_base::Gcd;
use rustc_hash::FxHashMap;

use crate::number::{Natural, Rational};

/// Values with weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weighted<T> {
    /// Each value with its weight.
    pub outcomes: Vec<(T, Natural)>,
    /// The weight of everything, listed or not.
    pub total: Natural,
}

impl<T> Weighted<T> {
    /// Values with chances, over the least total that all of them have; none if a chance is below 0.
    pub fn of_chances(chances: Vec<(T, Rational)>) -> Option<Weighted<T>> {
        let total = common_multiple(chances.iter().map(|(_, chance)| chance.denominator()));
        let weighed = chances.into_iter().map(|(value, chance)| {
            let (top, bottom) = chance.into_parts();
            Some((value, Natural::try_from(top).ok()? * (&total / bottom)))
        });
        let outcomes = weighed.collect::<Option<Vec<_>>>()?;
        Some(Weighted { outcomes, total })
    }

    /// Whether the weights add up to the total.
    pub fn is_all(&self) -> bool {
        let sum = self.outcomes.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight);
        sum == self.total
    }
}

/// The least number of which all of these are factors.
pub fn common_multiple<'n>(numbers: impl IntoIterator<Item = &'n Natural>) -> Natural {
    numbers.into_iter().fold(Natural::ONE, |known, other| {
        if known == *other || other.is_one() {
            return known;
        }
        if known.is_one() {
            return other.clone();
        }
        let shared = (&known).gcd(other);
        if shared == *other { known } else { known * (other / shared) }
    })
}

/// The greatest number that is a factor of all of these, the first of which is not 0.
pub(crate) fn common_factor<'n>(
    first: &Natural,
    others: impl IntoIterator<Item = &'n Natural>,
) -> Natural {
    let mut common = first.clone();
    for other in others {
        if common.is_one() {
            break;
        }
        common = common.gcd(other);
    }
    common
}

/// Weights of values, those of equal values added up, in the order in which they were first met.
#[derive(Clone, Debug)]
pub struct Sums<T> {
    places: FxHashMap<T, usize>,
    /// Each value once.
    pub list: Vec<(T, Natural)>,
}

impl<T> Default for Sums<T> {
    fn default() -> Self {
        Sums { places: FxHashMap::default(), list: Vec::new() }
    }
}

impl<T: Clone + Eq + Hash> Sums<T> {
    /// Adds to the weight of a value.
    pub fn add(&mut self, value: T, weight: Natural) {
        match self.places.get(&value) {
            Some(place) => self.list[*place].1 += weight,
            None => {
                self.places.insert(value.clone(), self.list.len());
                self.list.push((value, weight));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_become_weights_over_their_least_total() {
        let chance = |top: u64, bottom: u64| Rational::from(top) / Rational::from(bottom);
        let chances = vec![('a', chance(1, 6)), ('b', chance(1, 3)), ('c', chance(1, 2))];
        let weighted = Weighted::of_chances(chances).unwrap();
        let whole = |n: u64| Natural::from(n);
        assert_eq!(weighted.outcomes, [('a', whole(1)), ('b', whole(2)), ('c', whole(3))]);
        assert_eq!(weighted.total, whole(6));
        assert!(weighted.is_all());
    }

    #[test]
    fn equal_values_are_added_up() {
        let mut sums = Sums::default();
        for (value, weight) in [("x", 2u64), ("y", 1), ("x", 3)] {
            sums.add(value, weight.into());
        }
        assert_eq!(sums.list, [("x", Natural::from(5u64)), ("y", Natural::from(1u64))]);
    }
}
