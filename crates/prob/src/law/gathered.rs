//! Values that come up in any order, several times each, gathered into a table.
//!
//! A function of two numbers has as many pairs as both have values together, but few values of its own. Only these
//! are kept; what each pair costs is paid for before it comes, and to sort them is cut into pieces, so that it can be
//! stopped.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::{Law, Table};
use crate::meter::{Meter, OverBudget, Rent};
use crate::number::{Natural, Rational};

/// The price of a pair of short numbers: two fractions become one, which is looked up.
const PAIR: u64 = 20;
/// The price of bringing a value to its place among the others.
const PLACE: u64 = 60;
/// So many values are sorted at once.
const AT_ONCE: usize = 10_000;

/// The values so far, with their weights.
pub(super) struct Gathered<'m> {
    known: FxHashMap<Rational, Natural>,
    /// The limbs that a weight may have.
    limbs: u64,
    rent: Rent,
    meter: &'m Meter,
}

impl<'m> Gathered<'m> {
    /// Nothing yet, of weights that have at most so many bits.
    pub(super) fn new(bits: usize, meter: &'m Meter) -> Gathered<'m> {
        let limbs = 1 + bits as u64 / 64;
        Gathered { known: FxHashMap::default(), limbs, rent: meter.rent(), meter }
    }

    /// Refuses more pairs than can be paid for.
    pub(super) fn afford(&self, pairs: usize) -> Result<(), OverBudget> {
        self.meter.afford((pairs as u64).saturating_mul(PAIR + self.limbs / 2))
    }

    /// Adds values, of which there are so many.
    pub(super) fn add(
        &mut self,
        count: usize,
        values: impl Iterator<Item = (Rational, Natural)>,
    ) -> Result<(), OverBudget> {
        self.meter.charge((count as u64).saturating_mul(PAIR + self.limbs / 2))?;
        values.for_each(|(value, weight)| *self.known.entry(value).or_default() += weight);
        // Values with their weights, in the map and in the list that is sorted.
        let size = 2 * size_of::<(Rational, Natural)>() as u64 + 8 * self.limbs;
        self.rent.grow(self.known.capacity() as u64 * size, self.meter)
    }

    /// The table of all; none if there is none.
    pub(super) fn table(self) -> Result<Option<Table>, OverBudget> {
        Ok(Table::from_sorted(in_order(self.known, self.meter)?))
    }
}

impl Law {
    /// The same law as [`Law::from_weights`] makes of these weights, which may be many.
    pub fn from_many(
        weights: impl IntoIterator<Item = (Rational, Natural)>,
        meter: &Meter,
    ) -> Result<Option<Law>, OverBudget> {
        Ok(Table::from_sorted(in_order(weights, meter)?).map(Law::Finite))
    }
}

/// Values in ascending order, each once, without those of no weight.
fn in_order(
    weights: impl IntoIterator<Item = (Rational, Natural)>,
    meter: &Meter,
) -> Result<Vec<(Rational, Natural)>, OverBudget> {
    let mut runs: Vec<Vec<(Rational, Natural)>> = Vec::new();
    let mut values = weights.into_iter().filter(|(_, weight)| !weight.is_zero());
    loop {
        let mut run: Vec<_> = values.by_ref().take(AT_ONCE).collect();
        if run.is_empty() {
            break;
        }
        meter.charge(run.len() as u64 * PLACE)?;
        run.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        runs.push(run);
    }
    let all = runs.iter().map(Vec::len).sum();
    let mut sorted: Vec<(Rational, Natural)> = Vec::with_capacity(all);
    let mut add = |value: Rational, weight: Natural| match sorted.last_mut() {
        Some((last, sum)) if *last == value => *sum += weight,
        _ => sorted.push((value, weight)),
    };
    if runs.len() < 2 {
        runs.into_iter().flatten().for_each(|(value, weight)| add(value, weight));
        return Ok(sorted);
    }
    let mut runs: Vec<_> = runs.into_iter().map(Vec::into_iter).collect();
    let mut first = BinaryHeap::new();
    for (at, run) in runs.iter_mut().enumerate() {
        first.extend(run.next().map(|(value, weight)| Reverse((value, at, weight))));
    }
    let mut done = 0;
    while let Some(Reverse((value, at, weight))) = first.pop() {
        if done % AT_ONCE == 0 {
            meter.charge(AT_ONCE.min(all - done) as u64 * PLACE)?;
        }
        done += 1;
        add(value, weight);
        first.extend(runs[at].next().map(|(value, weight)| Reverse((value, at, weight))));
    }
    Ok(sorted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_values_are_gathered_in_order() {
        let meter = Meter::unlimited();
        let mut gathered = Gathered::new(64, &meter);
        let number = |k: u64| Rational::from(k * 7919 % 30_011) * Rational::from(k % 7 + 1);
        let values: Vec<_> = (0..60_000).map(|k| (number(k), Natural::from(k % 3))).collect();
        gathered.add(values.len(), values.iter().cloned()).unwrap();
        let table = Table::from_weights(values.clone());
        assert_eq!(gathered.table().unwrap(), table);
        assert_eq!(Law::from_many(values, &meter).unwrap(), table.map(Law::Finite));
    }
}
