//! Any readings of one pool, by a walk up the values.

use super::super::plain::Faces;
use super::{Joint, Read};
use crate::meter::{Meter, OverBudget};
use crate::number::Natural;
use crate::words::{binomials, power};
use rustc_hash::FxHashMap;

/// How many dice of each group have been seen, and what each reading has added up.
type Key = ([u16; MOST], [i64; MOST]);

/// At most so many groups of dice, and so many readings.
const MOST: usize = 4;

/// A walk with more states than this is given up.
const STATES: usize = 200_000;

/// The joint values; `None` if the pool is too large for this.
pub(super) fn joint(
    groups: &[(u64, Faces)],
    reads: &[Read],
    meter: &Meter,
) -> Result<Option<Joint>, OverBudget> {
    let bits = groups.iter().fold(0u64, |bits, (count, faces)| {
        let total = faces.iter().fold(0u64, |sum, (_, weight)| sum.saturating_add(*weight));
        bits.saturating_add(count.saturating_mul(u64::from(64 - total.leading_zeros())))
    });
    if groups.len() > MOST || reads.len() > MOST || bits > 128 {
        return Ok(None);
    }
    let mut turns: Vec<(i64, usize, u64)> = Vec::new();
    for (group, (_, faces)) in groups.iter().enumerate() {
        turns.extend(faces.iter().map(|(face, weight)| (*face, group, *weight)));
    }
    turns.sort_unstable();
    let last = |group: usize| groups[group].1.last().map(|(face, _)| *face);
    let mut states: FxHashMap<Key, u128> = [(Key::default(), 1)].into_iter().collect();
    for (face, group, weight) in turns {
        let worths: Vec<i64> = reads.iter().map(|read| read.counted.worth(face)).collect();
        let dice = groups[group].0 as u16;
        meter.charge_product(states.len(), 4 * (1 + usize::from(dice) / 2), 0)?;
        let ends = last(group) == Some(face);
        let Some(next) = one_value(&states, reads, &worths, (group, dice), weight, ends) else {
            return Ok(None);
        };
        if next.len() > STATES {
            return Ok(None);
        }
        states = next;
    }
    let mut joint: Joint = states
        .into_iter()
        .map(|((_, sums), weight)| (sums[..reads.len()].to_vec(), Natural::from(weight)))
        .collect();
    joint.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    Ok(Some(joint))
}

/// The dice of one group that show one value; all that are left, if it is their last.
fn one_value(
    states: &FxHashMap<Key, u128>,
    reads: &[Read],
    worths: &[i64],
    (group, dice): (usize, u16),
    weight: u64,
    ends: bool,
) -> Option<FxHashMap<Key, u128>> {
    let mut next: FxHashMap<Key, u128> = FxHashMap::default();
    next.reserve(states.len());
    let mut ways: FxHashMap<u16, Vec<u128>> = FxHashMap::default();
    for ((seen, sums), chance) in states {
        let before: u64 = seen.iter().map(|seen| u64::from(*seen)).sum();
        let left = dice - seen[group];
        let ways = match ways.entry(left) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(binomials(left.into(), usize::from(left) + 1)?)
            }
        };
        let mut times = if ends { power(u128::from(weight), left.into()) } else { 1 };
        for shown in if ends { left..=left } else { 0..=left } {
            let (mut seen, mut sums) = (*seen, *sums);
            seen[group] += shown;
            for ((sum, read), worth) in sums.iter_mut().zip(reads).zip(worths) {
                let among = read.ranks.within(before, before + u64::from(shown));
                *sum += worth * among as i64;
            }
            let factor = ways[usize::from(shown)].wrapping_mul(times);
            let sum = next.entry((seen, sums)).or_insert(0);
            *sum = sum.wrapping_add(chance.wrapping_mul(factor));
            times = times.wrapping_mul(u128::from(weight));
        }
    }
    Some(next)
}
