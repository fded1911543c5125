//! Finite laws: weights over the values of a number.
//!
//! Most tables are dense: `1000d6` takes every whole number from 1000 to 6000. They are kept as an
//! offset, a step and a vector of weights, and adding is a product of polynomials. Some are not:
//! `(4d10)^7 * 6d6` has a thousand values below 10¹³. They are kept as sorted pairs. The form is
//! chosen by the values alone (see [`ROOM`]), so equal laws are equal tables.

mod kinds;
mod scaled;
mod words;

use self::scaled::Scaled;
use super::reduced::Reducer;
use crate::meter::{Meter, OverBudget, price_of_products};
use crate::number::{self, Integer, Natural, Rational};
use crate::poly::Poly;
use crate::rows::{Rows, Weights, lowest_limb};
use crate::series::Series;
use dashu_base::BitTest;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

/// A table is dense if its lattice has at most this many places for each value, …
const ROOM: u128 = 4;
/// … and a few more for the small ones.
const SMALL: u128 = 64;

/// So many weights are looked at between two looks at the budget.
const AT_ONCE: usize = 1 << 12;

/// Finitely many values with positive integer weights that share no common divisor. The weights are
/// shared by all copies.
#[derive(Clone, Debug)]
pub struct Table {
    shape: Shape,
    total: Natural,
    /// Where it is known that the number is a sum of equal ones.
    root: Option<Arc<Root>>,
}

/// So many independent numbers with these tables add up to the number, with a constant.
#[derive(Debug)]
pub(crate) struct Root {
    pub(crate) parts: Vec<(Table, u64)>,
    pub(crate) shift: Rational,
}

/// How a table came about makes no difference.
impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.total == other.total && self.shape == other.shape
    }
}

impl Eq for Table {}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Shape {
    /// `offset + step·k` has weight `weights[k]`; the first and last are not zero. The step is the
    /// largest possible, and 0 for a single value.
    Dense { offset: Rational, step: Rational, weights: Weights },
    /// Ascending values, no zero weights.
    Scattered(Arc<[(Rational, Natural)]>),
}

/// A few numbers tell tables apart; hashing every weight of `1000d6` would take as long as finding it.
impl Hash for Table {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.total.hash(state);
        self.places().hash(state);
        match &self.shape {
            Shape::Scattered(pairs) => pairs.first().map(|(value, _)| value).hash(state),
            Shape::Dense { offset, step, .. } => (offset, step).hash(state),
        }
        for part in 1..8 {
            let place = self.places() * part / 8;
            state.write_u64(match &self.shape {
                Shape::Scattered(pairs) => lowest_limb(&pairs[place].1),
                Shape::Dense { weights, .. } => weights.lowest_limb(place),
            });
        }
    }
}

impl Table {
    /// The table of a certain number.
    pub fn constant(value: Rational) -> Table {
        let weights = Weights::of(Rows::of_words(vec![1]));
        let shape = Shape::Dense { offset: value, step: Rational::ZERO, weights };
        Table { shape, total: Natural::ONE, root: None }
    }

    /// Sorts and merges; `None` if no weight is positive.
    pub fn from_weights(weights: impl IntoIterator<Item = (Rational, Natural)>) -> Option<Table> {
        let sorted = crate::Distribution::from_weights(weights)?;
        Table::from_sorted(sorted.into_outcomes())
    }

    /// The table of ascending, distinct values with positive weights.
    pub(super) fn from_sorted(outcomes: Vec<(Rational, Natural)>) -> Option<Table> {
        let total = outcomes.iter().fold(Natural::ZERO, |sum, (_, w)| sum + w);
        Table::from_sorted_with(outcomes, total)
    }

    /// The same, if the sum of the weights is known.
    pub(super) fn from_sorted_with(
        mut outcomes: Vec<(Rational, Natural)>,
        mut total: Natural,
    ) -> Option<Table> {
        let common = divisor(outcomes.iter().map(|(_, w)| w))?;
        if !common.is_one() {
            outcomes.iter_mut().for_each(|(_, w)| *w = &*w / &common);
            total /= &common;
        }
        let offset = outcomes.first()?.0.clone();
        if let Some((step, numbers)) = steps_of_whole(&outcomes) {
            let places = numbers.last().map_or(1, |last| last + 1);
            if !is_dense(places as u128, outcomes.len()) {
                return Some(Table { shape: Shape::Scattered(outcomes.into()), total, root: None });
            }
            let mut weights = vec![Natural::ZERO; places];
            for ((_, weight), place) in outcomes.into_iter().zip(numbers) {
                weights[place] = weight;
            }
            let weights = Weights::in_words(weights, &total);
            let step = number::whole(step);
            return Some(Table {
                shape: Shape::Dense { offset, step, weights },
                total,
                root: None,
            });
        }
        let Some((step, places)) = dense_steps(&outcomes) else {
            return Some(Table { shape: Shape::Scattered(outcomes.into()), total, root: None });
        };
        let mut weights = vec![Natural::ZERO; places];
        for (value, weight) in outcomes {
            let place = number::steps_in(&(value - &offset), &non_zero(&step)).unwrap_or(0);
            weights[place as usize] = weight;
        }
        let weights = Weights::in_words(weights, &total);
        Some(Table { shape: Shape::Dense { offset, step, weights }, total, root: None })
    }

    /// The table with `weights[k]` at `offset + step·k`; `None` if none is positive.
    pub(crate) fn on_lattice(
        offset: Rational,
        step: Rational,
        weights: Vec<Natural>,
    ) -> Option<Table> {
        let total = weights.iter().fold(Natural::ZERO, |sum, w| sum + w);
        Table::with_total(offset, step, weights, total)
    }

    /// The same for weights with a known sum.
    pub(crate) fn with_total(
        offset: Rational,
        step: Rational,
        mut weights: Vec<Natural>,
        total: Natural,
    ) -> Option<Table> {
        while weights.last().is_some_and(Natural::is_zero) {
            weights.pop();
        }
        let first = weights.iter().position(|w| !w.is_zero())?;
        weights.drain(..first);
        let offset = offset + &step * number::whole(first as i64);
        let (taken, stride) = spread(&weights);
        if !is_dense(places(weights.len(), stride), taken) {
            let value = |k: usize| &offset + &step * number::whole(k as i64);
            let pairs = weights.into_iter().enumerate().filter(|(_, weight)| !weight.is_zero());
            return Table::from_sorted(pairs.map(|(k, weight)| (value(k), weight)).collect());
        }
        let common = divisor(weights.iter())?;
        if stride > 1 || !common.is_one() {
            weights = weights.iter().step_by(stride.max(1)).map(|w| w / &common).collect();
        }
        let step = step * number::whole(stride as i64);
        let total = if common.is_one() { total } else { total / common };
        let weights = Weights::in_words(weights, &total);
        Some(Table { shape: Shape::Dense { offset, step, weights }, total, root: None })
    }

    /// The table of a sum of equal dice, whose weights are a power of those of a dense table. They have no
    /// common divisor then, by Gauss's lemma, and no wider lattice.
    pub(crate) fn of_power(
        offset: Rational,
        step: Rational,
        weights: Weights,
        total: Natural,
    ) -> Table {
        if !is_dense(weights.len() as u128, weights.taken()) {
            let table = Table::with_total(offset.clone(), step, weights.to_vec(), total);
            return table.unwrap_or_else(|| Table::constant(offset));
        }
        Table { shape: Shape::Dense { offset, step, weights }, total, root: None }
    }

    /// The table of a polynomial with non-negative coefficients on a lattice.
    pub(crate) fn from_poly(offset: Rational, step: Rational, poly: Poly) -> Option<Table> {
        Table::on_lattice(offset, step, poly.into_weights())
    }

    /// The values in ascending order with their weights.
    pub fn outcomes(&self) -> Box<dyn Iterator<Item = (Rational, &Natural)> + '_> {
        match &self.shape {
            Shape::Scattered(pairs) => Box::new(pairs.iter().map(|(v, w)| (v.clone(), w))),
            Shape::Dense { offset, step, weights } => {
                let taken = weights.iter().enumerate().filter(|(_, w)| !w.is_zero());
                match (number::to_i64(offset), number::to_i64(step)) {
                    // No fraction has to be reduced for a whole number.
                    (Some(offset), Some(step)) => Box::new(
                        taken.map(move |(k, w)| (number::whole(offset + step * k as i64), w)),
                    ),
                    _ => Box::new(
                        taken.map(move |(k, w)| (offset + step * number::whole(k as i64), w)),
                    ),
                }
            }
        }
    }

    /// The values in ascending order with their chances.
    pub fn chances(&self) -> impl Iterator<Item = (Rational, Rational)> + '_ {
        self.outcomes().map(|(value, weight)| (value, self.chance_of(weight)))
    }

    /// Numerators and denominators of the chances in lowest terms, in the order of the values. Much faster than
    /// [`Table::chances`] where the total has small prime factors only.
    pub fn fractions(&self) -> impl Iterator<Item = (Natural, Natural)> + '_ {
        let reducer = Reducer::new(&self.total);
        self.outcomes().map(move |(_, weight)| reducer.reduce(weight))
    }

    /// The number of values.
    pub fn count(&self) -> usize {
        match &self.shape {
            Shape::Scattered(pairs) => pairs.len(),
            Shape::Dense { weights, .. } => weights.taken(),
        }
    }

    /// The sum of all weights.
    pub fn total(&self) -> &Natural {
        &self.total
    }

    /// The chance of a weight.
    pub(crate) fn chance_of(&self, weight: &Natural) -> Rational {
        number::ratio(weight.clone(), self.total.clone())
    }

    /// The value, if there is only one.
    pub fn as_constant(&self) -> Option<&Rational> {
        match &self.shape {
            Shape::Dense { offset, weights, .. } if weights.len() == 1 => Some(offset),
            _ => None,
        }
    }

    /// The chance of one value.
    pub fn chance(&self, value: &Rational) -> Rational {
        let (place, is_there) = self.place_of(value);
        if !is_there {
            return Rational::ZERO;
        }
        self.chance_of(&self.weight_at(place..place + 1))
    }

    /// The sum of the weights that are kept at some places.
    pub(super) fn weight_at(&self, places: Range<usize>) -> Natural {
        match &self.shape {
            Shape::Scattered(pairs) => {
                pairs[places].iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight)
            }
            Shape::Dense { weights, .. } => weights.sum(places),
        }
    }

    /// How many of the weights that are kept stand below a value, and whether the next one is its own.
    pub(super) fn place_of(&self, value: &Rational) -> (usize, bool) {
        match &self.shape {
            Shape::Scattered(pairs) => {
                let place = pairs.partition_point(|(own, _)| own < value);
                (place, pairs.get(place).is_some_and(|(own, _)| own == value))
            }
            Shape::Dense { offset, step, weights } => {
                let steps = number::quotient(&(value - offset), &non_zero(step));
                let place = Integer::max(steps.ceil(), Integer::ZERO);
                let place =
                    usize::try_from(&place).map_or(weights.len(), |at| at.min(weights.len()));
                (place, place < weights.len() && steps == number::whole(place as i64))
            }
        }
    }

    /// The weight at these places, and the table of what is there.
    pub(super) fn part(
        &self,
        places: impl Iterator<Item = Range<usize>>,
        meter: &Meter,
    ) -> Result<(Natural, Option<Table>), OverBudget> {
        let each = price_of_products(1, 4, self.total.bit_len() / 4);
        Ok(match &self.shape {
            Shape::Scattered(pairs) => {
                let mut kept = Vec::new();
                let mut mass = Natural::ZERO;
                for some in places.flat_map(|range| pairs[range].chunks(AT_ONCE)) {
                    meter.charge(each * some.len() as u64)?;
                    some.iter().for_each(|(_, weight)| mass += weight);
                    kept.extend_from_slice(some);
                }
                (mass.clone(), Table::from_sorted_with(kept, mass))
            }
            Shape::Dense { offset, step, weights } => {
                let (mut first, mut kept) = (None, Vec::new());
                let mut mass = Natural::ZERO;
                for range in places.filter(|range| !range.is_empty()) {
                    let first = *first.get_or_insert(range.start);
                    kept.resize(range.start - first, Natural::ZERO);
                    for some in weights[range].chunks(AT_ONCE) {
                        meter.charge(each * some.len() as u64)?;
                        some.iter().for_each(|weight| mass += weight);
                        kept.extend_from_slice(some);
                    }
                }
                let offset = offset + step * number::whole(first.unwrap_or(0) as i64);
                (mass.clone(), Table::with_total(offset, step.clone(), kept, mass))
            }
        })
    }

    pub(crate) fn lowest(&self) -> Rational {
        match &self.shape {
            Shape::Scattered(pairs) => pairs.first().map_or(Rational::ZERO, |(v, _)| v.clone()),
            Shape::Dense { offset, .. } => offset.clone(),
        }
    }

    pub(crate) fn highest(&self) -> Rational {
        match &self.shape {
            Shape::Scattered(pairs) => pairs.last().map_or(Rational::ZERO, |(v, _)| v.clone()),
            Shape::Dense { offset, step, weights } => {
                offset + step * number::whole(weights.len() as i64 - 1)
            }
        }
    }

    /// Offset, step and weights of a dense table.
    pub(crate) fn dense(&self) -> Option<(&Rational, &Rational, &[Natural])> {
        match &self.shape {
            Shape::Dense { offset, step, weights } => Some((offset, step, weights)),
            Shape::Scattered(_) => None,
        }
    }

    /// The same table, known as the sum of so many numbers with another one.
    pub(crate) fn sum_of(self, each: &Table, count: u64) -> Table {
        let parts = match each.root.as_deref() {
            Some(root) if root.shift.is_zero() => {
                let part =
                    |(each, times): &(Table, u64)| Some((each.clone(), times.checked_mul(count)?));
                root.parts.iter().map(part).collect::<Option<Vec<_>>>()
            }
            _ => Some(vec![(each.clone(), count)]),
        };
        let root = parts.map(|parts| Arc::new(Root { parts, shift: Rational::ZERO }));
        Table { root, ..self }
    }

    /// The number that adds up to this one, and how often, if there is but one.
    pub(crate) fn equal_parts(&self) -> Option<(&Table, u64)> {
        let root = self.root()?;
        match root.parts.as_slice() {
            [(each, count)] if root.shift.is_zero() && *count > 1 => Some((each, *count)),
            _ => None,
        }
    }

    /// What it is a sum of, if that is known.
    pub(crate) fn root(&self) -> Option<&Root> {
        self.root.as_deref()
    }

    /// The sum of so many numbers whose weights fall in a ratio, if that makes them much shorter.
    pub(crate) fn power_by_ratio(
        &self,
        count: u64,
        meter: &Meter,
    ) -> Result<Option<Table>, OverBudget> {
        let Shape::Dense { offset, step, weights } = &self.shape else { return Ok(None) };
        let exponent = usize::try_from(count).map_err(|_| OverBudget::Steps)?;
        let bits = self.total.bit_len();
        meter.charge(weights.len() as u64)?;
        let scaled = Scaled::of(weights).filter(|scaled| 3 * scaled.bits() < bits);
        let Some(scaled) = scaled else { return Ok(None) };
        let all = bits.saturating_mul(exponent);
        let Some(weights) = scaled.power(count, all, meter)? else { return Ok(None) };
        let offset = offset * Rational::from(Natural::from(count));
        let total = self.total.pow(exponent);
        Ok(Some(Table::of_power(offset, step.clone(), weights, total)))
    }

    /// Whether it is kept as a list of weights on a lattice.
    pub(crate) fn is_dense(&self) -> bool {
        matches!(self.shape, Shape::Dense { .. })
    }

    /// Offset, step and generating function, on a lattice that is as long as it must be.
    pub(crate) fn series(&self, meter: &Meter) -> Result<(Rational, Rational, Series), OverBudget> {
        let (offset, step, poly) = self.lattice(meter)?;
        Ok((offset, step, Series::polynomial(0, poly, self.total.clone())))
    }

    /// Offset, step and the polynomial of weights.
    pub(crate) fn lattice(&self, meter: &Meter) -> Result<(Rational, Rational, Poly), OverBudget> {
        let signed = |w: &Natural| Integer::from(w.clone());
        match &self.shape {
            Shape::Dense { offset, step, weights } => {
                meter.charge(2 * weights.len() as u64)?;
                let poly = Poly::new(weights.iter().map(signed).collect());
                Ok((offset.clone(), step.clone(), poly))
            }
            Shape::Scattered(pairs) => {
                let (offset, step) = (self.lowest(), step_of(pairs));
                let place = |v: &Rational| number::steps_in(&(v - &offset), &non_zero(&step));
                let size = place(&self.highest()).ok_or(OverBudget::Steps)?;
                meter.charge(size.unsigned_abs())?;
                let mut weights = vec![Integer::ZERO; size as usize + 1];
                for (value, weight) in pairs.iter() {
                    weights[place(value).unwrap_or(0) as usize] = signed(weight);
                }
                Ok((offset, step, Poly::new(weights)))
            }
        }
    }

    /// The table of `factor · X + shift` for a dense table and a factor that is not 0: the weights stay as
    /// they are, or are turned round.
    pub(crate) fn moved(&self, factor: &Rational, shift: &Rational) -> Option<Table> {
        let Shape::Dense { offset, step, weights } = &self.shape else { return None };
        let shape = if factor.is_one() {
            let (offset, step) = (offset + shift, step.clone());
            Shape::Dense { offset, step, weights: weights.clone() }
        } else if *factor > Rational::ZERO {
            let offset = offset * factor + shift;
            Shape::Dense { offset, step: step * factor, weights: weights.clone() }
        } else {
            let offset = self.highest() * factor + shift;
            Shape::Dense { offset, step: -(step * factor), weights: weights.reversed() }
        };
        let root = self.root.as_ref().and_then(|root| {
            let part = |(each, count): &(Table, u64)| {
                Some((
                    if factor.is_one() {
                        each.clone()
                    } else {
                        each.moved(factor, &Rational::ZERO)?
                    },
                    *count,
                ))
            };
            let parts = root.parts.iter().map(part).collect::<Option<Vec<_>>>()?;
            Some(Arc::new(Root { parts, shift: &root.shift * factor + shift }))
        });
        Some(Table { shape, total: self.total.clone(), root })
    }

    pub(crate) fn mean_and_variance(&self) -> (Rational, Rational) {
        if let Shape::Dense { offset, step, weights } = &self.shape {
            let (mut first, mut second) = (Natural::ZERO, Natural::ZERO);
            for (k, weight) in weights.iter().enumerate() {
                let once = weight * k;
                second += &once * k;
                first += once;
            }
            let mean = number::ratio(first, self.total.clone());
            let variance = number::ratio(second, self.total.clone()) - &mean * &mean;
            return (offset + step * mean, step * step * variance);
        }
        let (mut first, mut second) = (Rational::ZERO, Rational::ZERO);
        for (value, weight) in self.outcomes() {
            let once = Rational::from(Integer::from(weight.clone())) * &value;
            second += &once * value;
            first += once;
        }
        let total = Rational::from(Integer::from(self.total.clone()));
        let mean = number::quotient(&first, &total);
        let variance = number::quotient(&second, &total) - &mean * &mean;
        (mean, variance)
    }

    /// How many weights are kept, zeros included.
    pub(crate) fn places(&self) -> usize {
        match &self.shape {
            Shape::Scattered(pairs) => pairs.len(),
            Shape::Dense { weights, .. } => weights.len(),
        }
    }

    pub(crate) fn size(&self) -> usize {
        self.places() * (1 + self.total.bit_len() / 64)
    }
}

/// The greatest common divisor of weights; `None` if all are zero.
fn divisor<'a>(weights: impl Iterator<Item = &'a Natural>) -> Option<Natural> {
    let mut common = Natural::ZERO;
    for weight in weights {
        common = number::gcd(&common, weight);
        if common.is_one() {
            break;
        }
    }
    (!common.is_zero()).then_some(common)
}

/// The step of ascending whole numbers (0 for a single one), and how many steps each is above the first; none if one
/// of them is a fraction, or large.
fn steps_of_whole(outcomes: &[(Rational, Natural)]) -> Option<(i64, Vec<usize>)> {
    let numbers = outcomes.iter().map(|(value, _)| number::to_i64(value));
    let numbers: Vec<i64> = numbers.collect::<Option<_>>()?;
    let first = *numbers.first()?;
    let above = |n: &i64| u64::try_from(n - first).unwrap_or(0);
    let step = numbers.iter().map(above).fold(0, crate::words::gcd);
    let places = numbers.iter().map(|n| usize::try_from(above(n) / step.max(1)).ok());
    Some((i64::try_from(step).ok()?, places.collect::<Option<_>>()?))
}

/// The step of ascending numbers, and the places that they take, if these are few: the step becomes shorter with
/// each number, so that most numbers need not be looked at where they are many.
fn dense_steps(outcomes: &[(Rational, Natural)]) -> Option<(Rational, usize)> {
    let span = &outcomes.last()?.0 - &outcomes.first()?.0;
    let places = |step: &Rational| {
        let places = number::steps_in(&span, &non_zero(step))?.checked_add(1)?;
        is_dense(places as u128, outcomes.len()).then_some(places as usize)
    };
    let (mut step, mut taken) = (span.clone(), places(&span)?);
    for pair in outcomes.windows(2) {
        let gap = &pair[1].0 - &pair[0].0;
        if number::steps_in(&gap, &non_zero(&step)).is_none() {
            step = number::common_step(&step, &gap);
            taken = places(&step)?;
        }
    }
    Some((step, taken))
}

fn step_of(outcomes: &[(Rational, Natural)]) -> Rational {
    let gaps = outcomes.windows(2).map(|pair| &pair[1].0 - &pair[0].0);
    gaps.fold(Rational::ZERO, |step, gap| number::common_step(&step, &gap))
}

/// A step to divide by: a single value has step 0 and lies at place 0 of any lattice.
fn non_zero(step: &Rational) -> Rational {
    if step.is_zero() { Rational::ONE } else { step.clone() }
}

fn is_dense(places: u128, values: usize) -> bool {
    places <= ROOM * values as u128 + SMALL
}

/// How many weights are not zero, and the greatest common divisor of their places.
fn spread(weights: &[Natural]) -> (usize, usize) {
    let (mut taken, mut stride) = (0, 0);
    for (place, _) in weights.iter().enumerate().filter(|(_, weight)| !weight.is_zero()) {
        taken += 1;
        if stride != 1 {
            stride = gcd_sizes(stride, place);
        }
    }
    (taken, stride)
}

fn places(len: usize, stride: usize) -> u128 {
    if stride == 0 { 1 } else { (len as u128 - 1) / stride as u128 + 1 }
}

fn gcd_sizes(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd_sizes(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::tests::{fraction, whole};

    fn table(pairs: &[(i64, u64)]) -> Table {
        Table::from_weights(pairs.iter().map(|&(v, w)| (whole(v), w.into()))).unwrap()
    }

    #[test]
    fn both_ways_to_build_a_table_give_the_same_one() {
        let weights = [2u8, 0, 4, 0, 6].map(Natural::from).to_vec();
        let built = Table::on_lattice(whole(1), Rational::ONE, weights).unwrap();
        assert_eq!(built, table(&[(3, 2), (5, 3), (1, 1)]));
        assert_eq!(built.dense().unwrap().1, &whole(2));
        assert_eq!(built.chance(&whole(3)), fraction(1, 3));
        assert_eq!(built.chance(&whole(2)), Rational::ZERO);
    }

    #[test]
    fn equal_tables_have_equal_hashes_however_they_are_kept() {
        use std::hash::{BuildHasher, BuildHasherDefault};
        let hash =
            |table: &Table| BuildHasherDefault::<rustc_hash::FxHasher>::default().hash_one(table);
        for faces in [vec![1u64, 1, 1, 1], vec![1, 2, 0, 5], vec![3, 1]] {
            let die = faces.iter().enumerate().map(|(k, w)| (k as i64, *w)).collect::<Vec<_>>();
            let law = crate::Law::Finite(table(&die)).times(40, &Meter::unlimited()).unwrap();
            let power = law.as_table().unwrap();
            let pairs = power.outcomes().map(|(value, weight)| (value, weight.clone()));
            let again = Table::from_weights(pairs.collect::<Vec<_>>()).unwrap();
            assert_eq!(*power, again);
            assert_eq!(hash(power), hash(&again));
        }
    }

    #[test]
    fn far_apart_values_are_scattered_and_still_a_table() {
        let wide = table(&[(0, 1), (1, 1), (1_000_000_000_000, 2)]);
        assert!(wide.dense().is_none());
        assert_eq!(wide.chance(&whole(1_000_000_000_000)), fraction(1, 2));
        assert_eq!(wide.highest(), whole(1_000_000_000_000));
        assert_eq!(wide.mean_and_variance().0, fraction(2_000_000_000_001, 4));
    }
}
