//! Any set of ranks of dice that each stay one die, by a walk over the values.
//!
//! Going up the values, the state is how many dice of each group have been seen; `c` of the `m`
//! dice left in a group show the next value in `C(m, c) wᶜ` ways, and of the ranks `seen` to
//! `seen + c` those in the set add their worth. The sum is carried as a polynomial, so the state
//! stays small: for one group of `n` dice it is a number up to `n`. For `5d6` keep middle 3, the
//! throw 1 2 2 4 6 adds 2 (two ranks) and 4 (one rank).
//!
//! Dice that are drawn from a bag with `m` of a face show it in `C(m, c)` ways.

use super::PoolError;
use super::order::{Ranked, Ranks, binomials};
use crate::law::{Law, Table};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Integer, Rational};
use crate::poly::Poly;
use std::collections::BTreeMap;

/// The law of the summed worth of the dice at some ranks.
pub(crate) fn at_ranks(pool: &Ranked, ranks: &Ranks, meter: &Meter) -> Result<Law, PoolError> {
    walk(pool, ranks, false, meter)
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
        meter.charge_product(size, poly.len() + worth * size, poly.bits())?;
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
