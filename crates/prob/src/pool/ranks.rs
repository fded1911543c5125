//! Any set of ranks of dice that each stay one die, by a walk over the values.
//!
//! Going up the values, the state is how many dice of each group have been seen; `c` of the `m`
//! dice left in a group show the next value in `C(m, c) wᶜ` ways, and of the ranks `seen` to
//! `seen + c` those in the set add their worth. The sum is carried as a polynomial, so the state
//! stays small: for one group of `n` dice it is a number up to `n`. For `5d6` keep middle 3, the
//! throw 1 2 2 4 6 adds 2 (two ranks) and 4 (one rank).
//!
//! Dice that are drawn from a bag with `m` of a face show it in `C(m, c)` ways.

use super::keep::Weight;
use super::line::{Group, line};
use super::order::{Ranked, Ranks, binomials};
use super::{End, PoolError, Reading, Stage};
use crate::law::{Law, Table};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Integer, Rational};
use crate::poly::Poly;
use std::collections::BTreeMap;

/// The ranks of the dice that a reading looks at, of so many after some stages, from the highest down. None if that is
/// not just a range, or there are too few.
pub fn ranks_of(stages: &[Stage], reading: &Reading, dice: u64) -> Option<(u64, u64)> {
    let (mut from, mut until) = (0u64, dice);
    for stage in stages {
        match stage {
            Stage::Keep(End::Highest, n) => until = until.min(from.saturating_add(*n)),
            Stage::Keep(End::Lowest, n) => from = from.max(until.saturating_sub(*n)),
            Stage::Drop(End::Highest, n) => from = from.saturating_add(*n).min(until),
            Stage::Drop(End::Lowest, n) => until = until.saturating_sub(*n).max(from),
            Stage::AtLeast(_) | Stage::AtMost(_) => {}
            _ => return None,
        }
    }
    let nth = |rank: u64| (rank >= 1 && rank <= until - from).then_some(rank);
    match reading {
        Reading::Sum => Some((from, until)),
        Reading::NthHighest(n) => Some((from + nth(*n)? - 1, from + n)),
        Reading::NthLowest(n) => Some((until - nth(*n)?, until - n + 1)),
        // Those in the middle: one, or two.
        Reading::Median => {
            let before = (until - from).checked_sub(1)? / 2;
            Some((from + before, until - before))
        }
        Reading::Marks(_) => None,
    }
}

/// The law of the summed worth of the dice at some ranks.
pub(crate) fn at_ranks(pool: &Ranked, ranks: &Ranks, meter: &Meter) -> Result<Law, PoolError> {
    let bits = pool.bits()?;
    let row = match bits {
        0..126 => in_line::<i128>(pool, ranks, bits, meter)?,
        // The page's module is to be small: there, the walk below does.
        _ if cfg!(target_family = "wasm") => None,
        _ => in_line::<Integer>(pool, ranks, bits, meter)?,
    };
    if let Some((low, weights)) = row {
        let offset = &pool.lowest * Rational::from(number::Natural::from(ranks.count()))
            + &pool.step * number::whole(low);
        let table = Table::on_lattice(offset.clone(), pool.step.clone(), weights);
        return Ok(Law::Finite(table.unwrap_or_else(|| Table::constant(offset))));
    }
    walk(pool, ranks, false, meter)
}

/// The weights by what the dice at some ranks are worth, in steps.
fn in_line<W: Weight>(
    pool: &Ranked,
    ranks: &Ranks,
    bits: usize,
    meter: &Meter,
) -> Result<Option<(i64, Vec<number::Natural>)>, OverBudget> {
    let dice = pool.groups.iter().map(|group| group.count).fold(0, u64::saturating_add);
    let size = usize::try_from(dice).map_err(|_| OverBudget::Steps)?;
    meter.charge_product(pool.worths.len(), size.saturating_add(1), 0)?;
    let within: Vec<i64> = (0..=dice).map(|seen| ranks.within(0, seen) as i64).collect();
    let gains = |worth: &usize| within.iter().map(|n| n.saturating_mul(*worth as i64)).collect();
    let gains = pool.worths.iter().map(gains).collect();
    let groups: Vec<Group<W>> = pool
        .groups
        .iter()
        .map(|group| Group {
            count: group.count as usize,
            weights: group.weights.iter().map(W::cut).collect(),
        })
        .collect();
    let row = line(&groups, gains, bits, meter)?;
    Ok(row.map(|(low, row)| (low, row.into_iter().map(Weight::into_natural).collect())))
}

/// The same for dice of one kind that are drawn; the weights are how many of each value there are.
pub(crate) fn at_ranks_drawn(
    pool: &Ranked,
    ranks: &Ranks,
    meter: &Meter,
) -> Result<Law, PoolError> {
    walk(pool, ranks, true, meter)
}

fn walk(pool: &Ranked, ranks: &Ranks, drawn: bool, meter: &Meter) -> Result<Law, PoolError> {
    let mut states: BTreeMap<Vec<u64>, Poly> = BTreeMap::new();
    states.insert(vec![0; pool.groups.len()], Poly::one());
    for place in 0..pool.values.len() {
        for group in 0..pool.groups.len() {
            states = one_value(pool, ranks, (place, group), drawn, states, meter)?;
        }
    }
    let all: Vec<u64> = pool.groups.iter().map(|group| group.count).collect();
    let Some(sum) = states.remove(&all) else { return Err(PoolError::TooFewDice) };
    let offset = &pool.lowest * Rational::from(number::Natural::from(ranks.count()));
    let table = Table::from_poly(offset.clone(), pool.step.clone(), sum);
    Ok(Law::Finite(table.unwrap_or_else(|| Table::constant(offset))))
}

/// The dice of one group that show one value.
fn one_value(
    pool: &Ranked,
    ranks: &Ranks,
    (place, group): (usize, usize),
    drawn: bool,
    states: BTreeMap<Vec<u64>, Poly>,
    meter: &Meter,
) -> Result<BTreeMap<Vec<u64>, Poly>, PoolError> {
    let (faces, worth) = (&pool.groups[group], pool.worths[place]);
    let weight = Integer::from(faces.weights[place].clone());
    if weight.is_zero() {
        return Ok(states);
    }
    let mut next: BTreeMap<Vec<u64>, Poly> = BTreeMap::new();
    for (state, poly) in states {
        let seen: u64 = state.iter().sum();
        let left = faces.count - state[group];
        // Thrown dice are chosen among those left, drawn ones among those in the bag.
        let (from, step) = match drawn {
            true => (u64::try_from(&faces.weights[place]).unwrap_or(u64::MAX), &Integer::ONE),
            false => (left, &weight),
        };
        let counts = left.min(from);
        let size = usize::try_from(counts).map_err(|_| OverBudget::Steps)?.saturating_add(1);
        meter.charge_rows(size.saturating_mul(poly.len() + worth * size), 2, poly.bits())?;
        let mut power = Integer::ONE;
        let mut ways = binomials(from, size);
        for c in 0..=counts {
            let choose = ways.next().unwrap_or_default();
            let factor = Integer::from(choose) * &power;
            let shift = worth * ranks.within(seen, seen + c) as usize;
            let mut reached = state.clone();
            reached[group] += c;
            let term = poly.scaled(&factor).raised(shift);
            match next.remove(&reached) {
                Some(sum) => next.insert(reached, sum.plus(&term)),
                None => next.insert(reached, term),
            };
            power *= step;
        }
    }
    Ok(next)
}
