//! Finite distributions over any ordered values.
//!
//! The sorted outcomes carry integer weights over one common total: a fair coin is
//! `[(heads, 1), (tails, 1)]` with total 2. Weights share no common divisor, so equal
//! distributions are equal values.

use crate::in_order::in_order;
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Natural, Rational};
use dashu_base::BitTest;
use dashu_int::Word;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// What it costs to add two values of several parts and to sort the sum in, in steps of the budget: a value lies on the
/// heap, and so does a long weight.
const ADDITION: usize = 20;

/// What is left to pay for it when it is sorted.
const SORTING: u64 = 2;

/// What the parts of such a value take beside it, and what lies on the heap is rounded up: in bytes.
const PARTS: usize = 96;

/// So many values are added between two looks at the budget.
const SOME: usize = 1 << 10;

/// Outcomes in ascending order, each with a positive weight.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Distribution<V> {
    outcomes: Vec<(V, Natural)>,
    total: Natural,
}

impl<V: Ord> Distribution<V> {
    /// Sorts, merges equal outcomes and drops those of weight 0; `None` if nothing is left.
    pub fn from_weights(weights: impl IntoIterator<Item = (V, Natural)>) -> Option<Self> {
        let mut sorted: Vec<(V, Natural)> =
            weights.into_iter().filter(|(_, w)| !w.is_zero()).collect();
        sorted.sort_by(|a, b| a.0.cmp(&b.0));
        let mut outcomes: Vec<(V, Natural)> = Vec::with_capacity(sorted.len());
        for (value, weight) in sorted {
            match outcomes.last_mut() {
                Some((last, sum)) if *last == value => *sum += weight,
                _ => outcomes.push((value, weight)),
            }
        }
        Self::reduced(outcomes)
    }

    /// The same of outcomes that may be many, and take long to sort: each has this price.
    pub(crate) fn from_many(
        weights: impl IntoIterator<Item = (V, Natural)>,
        price: u64,
        meter: &Meter,
    ) -> Result<Option<Self>, OverBudget> {
        let weights = weights.into_iter().filter(|(_, weight)| !weight.is_zero());
        let order = |(one, _): &(V, _), (other, _): &(V, _)| one.cmp(other);
        let join = |(_, sum): &mut (V, Natural), (_, more)| *sum += more;
        Ok(Self::reduced(in_order(weights, order, join, price, meter)?))
    }

    /// The distribution of outcomes that are sorted and distinct already.
    fn reduced(mut outcomes: Vec<(V, Natural)>) -> Option<Self> {
        let mut common = Natural::ZERO;
        for (_, weight) in &outcomes {
            common = number::gcd(&common, weight);
            if common.is_one() {
                break;
            }
        }
        if common.is_zero() {
            return None;
        }
        if !common.is_one() {
            outcomes.iter_mut().for_each(|(_, weight)| *weight = &*weight / &common);
        }
        let total = outcomes.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight);
        Some(Distribution { outcomes, total })
    }

    /// The distribution of something certain.
    pub fn certain(value: V) -> Self {
        Distribution { outcomes: vec![(value, Natural::ONE)], total: Natural::ONE }
    }

    /// The outcomes in ascending order with their weights.
    pub fn outcomes(&self) -> &[(V, Natural)] {
        &self.outcomes
    }

    /// The outcomes in ascending order with their weights, by value.
    pub fn into_outcomes(self) -> Vec<(V, Natural)> {
        self.outcomes
    }

    /// The sum of all weights.
    pub fn total(&self) -> &Natural {
        &self.total
    }

    /// The chance of one outcome; 0 if it does not occur.
    pub fn chance(&self, value: &V) -> Rational {
        match self.outcomes.binary_search_by(|(v, _)| v.cmp(value)) {
            Ok(place) => self.chance_of(&self.outcomes[place].1),
            Err(_) => Rational::ZERO,
        }
    }

    /// The outcomes in ascending order with their chances.
    pub fn chances(&self) -> impl Iterator<Item = (&V, Rational)> {
        self.outcomes.iter().map(|(value, weight)| (value, self.chance_of(weight)))
    }

    fn chance_of(&self, weight: &Natural) -> Rational {
        number::ratio(weight.clone(), self.total.clone())
    }

    /// The distribution of `function(outcome)`.
    #[must_use]
    pub fn map<W: Ord>(&self, mut function: impl FnMut(&V) -> W) -> Distribution<W> {
        let mapped = self.outcomes.iter().map(|(value, weight)| (function(value), weight.clone()));
        let reduced = Distribution::from_weights(mapped);
        // A distribution is never empty, and neither is its image.
        reduced.unwrap_or(Distribution { outcomes: Vec::new(), total: Natural::ONE })
    }
}

impl<V: Ord + Clone> Distribution<V> {
    /// The chance that `condition` holds, and the distribution given that it does.
    pub fn given(&self, mut condition: impl FnMut(&V) -> bool) -> (Rational, Option<Self>) {
        let kept: Vec<_> =
            self.outcomes.iter().filter(|(value, _)| condition(value)).cloned().collect();
        let mass = kept.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight);
        (self.chance_of(&mass), Distribution::reduced(kept))
    }

    /// The distribution of independent pairs.
    pub fn product<W: Ord + Clone>(
        &self,
        other: &Distribution<W>,
        meter: &Meter,
    ) -> Result<Distribution<(V, W)>, OverBudget> {
        let bits =
            number::bits(&self.total.clone().into()) + number::bits(&other.total.clone().into());
        let pairs = self.outcomes.len().saturating_mul(other.outcomes.len());
        meter.room_for_rows(pairs, 8 * size_of::<((V, W), Natural)>() + bits)?;
        let mut outcomes = Vec::with_capacity(pairs);
        for (value, weight) in &self.outcomes {
            meter.charge_product(other.outcomes.len(), 8, bits / 8)?;
            for (second, factor) in &other.outcomes {
                outcomes.push(((value.clone(), second.clone()), weight * factor));
            }
        }
        Ok(Distribution { outcomes, total: &self.total * &other.total })
    }

    /// The distribution of the sum of so many independent copies, for any sum that is commutative.
    ///
    /// A die has few faces and a sum few values compared with the ways to reach them, so dice are added
    /// one by one: that costs `count · sums · faces`, squaring would cost `sums²`.
    pub fn sum_of(
        &self,
        count: u64,
        zero: V,
        add: impl Fn(&V, &V) -> V,
        meter: &Meter,
    ) -> Result<Self, OverBudget> {
        let mut sum = Distribution::certain(zero);
        for _ in 0..count {
            let bits = number::bits(&sum.total.clone().into());
            let count = sum.outcomes.len().saturating_mul(self.outcomes.len());
            // Those that there are, the pairs, and the merged ones beside them.
            meter.room_for_rows(3 * count, 8 * (size_of::<(V, Natural)>() + PARTS) + bits)?;
            let mut pairs = Vec::with_capacity(count);
            // Face by face: sums with one face are in order already, so that sorting is merging.
            for (face, times) in &self.outcomes {
                for some in sum.outcomes.chunks(SOME) {
                    meter.charge_product(some.len(), ADDITION, bits / 8)?;
                    let added =
                        some.iter().map(|(value, weight)| (add(value, face), weight * times));
                    pairs.extend(added);
                }
            }
            sum = Distribution::from_many(pairs, SORTING, meter)?.unwrap_or(sum);
        }
        Ok(sum)
    }

    /// The sum of so many values drawn from a bag with copies of each, none of them put back; `None` if there are
    /// too few. Of a value that is there `m` times, `c` are drawn in `C(m, c)` ways.
    pub fn sum_of_drawn(
        bag: &[(V, u64)],
        count: u64,
        zero: V,
        add: impl Fn(&V, &V) -> V,
        meter: &Meter,
    ) -> Result<Option<Self>, OverBudget>
    where
        V: Hash,
    {
        let mut sums = FxHashMap::from_iter([((0, zero), Natural::ONE)]);
        let mut rent = meter.rent();
        let mut to_come = bag.iter().fold(Natural::ZERO, |sum, (_, copies)| sum + *copies);
        for (value, copies) in bag {
            to_come -= *copies;
            let most = (*copies).min(count);
            // What the later values cannot provide must be drawn here.
            let later = u64::try_from(&to_come).unwrap_or(u64::MAX);
            let mut next: FxHashMap<(u64, V), Natural> = FxHashMap::default();
            let entry = (2 * size_of::<((u64, V), Natural)>() + PARTS) as u64;
            for ((drawn, mut sum), mut ways) in sums {
                let limbs = 1 + ways.bit_len() / Word::BITS as usize;
                meter.charge_product(most.min(count - drawn) as usize + 1, ADDITION + limbs, 0)?;
                rent.grow(next.capacity() as u64 * (entry + 16 * limbs as u64), meter)?;
                for more in 0..=most.min(count - drawn) {
                    if count - drawn - more <= later {
                        *next.entry((drawn + more, sum.clone())).or_default() += &ways;
                    }
                    sum = add(&sum, value);
                    ways = ways * (copies - more) / (more + 1);
                }
            }
            sums = next;
        }
        let sums = sums.into_iter().map(|((_, sum), ways)| (sum, ways));
        Distribution::from_many(sums, SORTING, meter)
    }

    /// One of several distributions, chosen with the given chances; `None` if none is positive.
    pub fn mixture(parts: &[(Rational, Self)], meter: &Meter) -> Result<Option<Self>, OverBudget> {
        let parts: Vec<_> = parts.iter().filter(|(chance, _)| *chance > Rational::ZERO).collect();
        let mut common = Natural::ONE;
        for (chance, part) in &parts {
            common = number::lcm(&common, &(chance.denominator() * &part.total));
        }
        let mut weights = Vec::new();
        for (chance, part) in parts {
            meter.charge_product(part.outcomes.len(), 2, number::bits(&common.clone().into()))?;
            let factor = &common / (chance.denominator() * &part.total);
            let factor = factor * number::magnitude(chance.numerator().clone());
            weights.extend(part.outcomes.iter().map(|(v, weight)| (v.clone(), weight * &factor)));
        }
        Distribution::from_many(weights, SORTING, meter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn die(sides: u8) -> Distribution<u8> {
        Distribution::from_weights((1..=sides).map(|face| (face, Natural::ONE))).unwrap()
    }

    #[test]
    fn equal_outcomes_merge_and_weights_are_reduced() {
        let parity = die(6).map(|face| face % 2);
        assert_eq!(parity.outcomes(), [(0, Natural::ONE), (1, Natural::ONE)]);
        assert_eq!(parity.chance(&1), number::ratio(1, 2u8.into()));
        assert_eq!(parity.chance(&7), Rational::ZERO);
    }

    #[test]
    fn a_condition_yields_its_chance_and_what_is_left() {
        let (chance, high) = die(6).given(|&face| face > 4);
        assert_eq!(chance, number::ratio(1, 3u8.into()));
        assert_eq!(high.unwrap().outcomes().len(), 2);
        assert_eq!(die(6).given(|&face| face > 6), (Rational::ZERO, None));
    }

    #[test]
    fn a_sum_of_records_is_the_sum_over_every_hand() {
        let meter = Meter::unlimited();
        let faces = [((1, 0), 2u8), ((0, 1), 1), ((2, 2), 3)];
        let die = faces.map(|(face, weight)| (face, Natural::from(weight)));
        let die = Distribution::from_weights(die).unwrap();
        let add = |a: &(i32, i32), b: &(i32, i32)| (a.0 + b.0, a.1 + b.1);
        let pair = die.product(&die, &meter).unwrap().product(&die, &meter).unwrap();
        let slow = pair.map(|((a, b), c)| add(&add(a, b), c));
        assert_eq!(die.sum_of(3, (0, 0), add, &meter), Ok(slow));
        assert_eq!(die.sum_of(0, (0, 0), add, &meter), Ok(Distribution::certain((0, 0))));
        assert_eq!(die.sum_of(3, (0, 0), add, &Meter::new(9)), Err(OverBudget::Steps));
    }

    #[test]
    fn a_mixture_weighs_its_parts() {
        let meter = Meter::unlimited();
        let half = number::ratio(1, 2u8.into());
        let mixed = Distribution::mixture(&[(half.clone(), die(2)), (half, die(4))], &meter);
        let mixed = mixed.unwrap().unwrap();
        assert_eq!(mixed.chance(&1), number::ratio(3, 8u8.into()));
        assert_eq!(mixed.chance(&4), number::ratio(1, 8u8.into()));
    }
}
