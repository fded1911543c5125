//! Values that come up in any order, several times each, gathered into a table.
//!
//! A function of two numbers has as many pairs as both have values together, but few values of its own. Only these
//! are kept; what each pair costs is paid for before it comes, and to sort them is cut into pieces, so that it can be
//! stopped.

use dashu_base::BitTest;
use rustc_hash::FxHashMap;

use super::{Law, Table};
use crate::growing::Growing;
use crate::in_order::in_order;
use crate::meter::{Meter, OverBudget, Rent};
use crate::number::{Natural, Rational};

/// The price of a pair of short numbers: two fractions become one, which is looked up.
const PAIR: u64 = 20;
/// The price of bringing a value to its place among the others.
const PLACE: u64 = 60;
/// So many values are added between two looks at the budget.
const AT_ONCE: usize = 1 << 12;

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
        mut values: impl Iterator<Item = (Rational, Natural)>,
    ) -> Result<(), OverBudget> {
        // Values with their weights, in the map and in the list that is sorted.
        let size = 2 * size_of::<(Rational, Natural)>() as u64 + 8 * self.limbs;
        let mut left = count;
        while left > 0 {
            let some = left.min(AT_ONCE);
            self.meter.charge(some as u64 * (PAIR + self.limbs / 2))?;
            self.known.make_room(some, self.meter)?;
            for (value, weight) in values.by_ref().take(some) {
                *self.known.entry(value).or_default() += weight;
            }
            self.rent.grow(self.known.capacity() as u64 * size, self.meter)?;
            left -= some;
        }
        Ok(())
    }

    /// The table of all; none if there is none.
    pub(super) fn table(self) -> Result<Option<Table>, OverBudget> {
        table(self.known, self.meter)
    }
}

impl Law {
    /// The same law as [`Law::from_weights`] makes of these weights, which may be many.
    pub fn from_many(
        weights: impl IntoIterator<Item = (Rational, Natural)>,
        meter: &Meter,
    ) -> Result<Option<Law>, OverBudget> {
        Ok(table(weights, meter)?.map(Law::Finite))
    }
}

/// The table of all; none if none has a weight.
fn table(
    weights: impl IntoIterator<Item = (Rational, Natural)>,
    meter: &Meter,
) -> Result<Option<Table>, OverBudget> {
    let values = weights.into_iter().filter(|(_, weight)| !weight.is_zero());
    let order = |(one, _): &(Rational, _), (other, _): &(Rational, _)| one.cmp(other);
    let sorted = in_order(values, order, |(_, sum), (_, more)| *sum += more, PLACE, meter)?;
    let mut total = Natural::ZERO;
    for some in sorted.chunks(AT_ONCE) {
        let limbs = 1 + total.bit_len() as u64 / 64;
        meter.charge(some.len() as u64 * (4 + limbs / 4))?;
        some.iter().for_each(|(_, weight)| total += weight);
    }
    Ok(Table::from_sorted_with(sorted, total))
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
