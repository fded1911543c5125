//! Any readings of one pool, by a walk up the values.
//!
//! A state is how many dice of each group have been seen, and what each reading has added up. Where every reading
//! takes all dice, their order does not matter, and faces that are worth the same to all readings are one: the sixes
//! and the ones of a hundred d6 are a walk over three values.

use std::collections::BTreeMap;

use super::super::keep::Weight;
use super::super::order::binomials;
use super::super::plain::Faces;
use super::{Joint, Read};
use crate::meter::{Meter, OverBudget};
use crate::number::{Integer, Natural};
use rustc_hash::FxHashMap;

/// At most so many groups of dice.
const GROUPS: usize = 4;

/// At most so many readings, mostly and in any case.
const FEW: usize = 4;
const MOST: usize = 8;

/// How many dice of each group have been seen, and what each reading has added up.
type Key<const N: usize> = ([u16; GROUPS], [i64; N]);

type States<const N: usize, W> = FxHashMap<Key<N>, W>;

/// A walk with more states than this is given up.
const STATES: usize = 200_000;

/// How dice come to show what they show.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    Thrown,
    /// From one bag, in which the weight of a face is how many of it there are.
    Drawn,
}

/// Dice of one group that show one of the values which are worth the same.
struct Turn {
    worths: Vec<i64>,
    group: usize,
    /// The weight of these values, and of all later ones of the group.
    weight: u64,
    later: u64,
}

/// The joint values; `None` if the pool is too large for this.
pub(super) fn joint(
    groups: &[(u64, Faces)],
    manner: Manner,
    reads: &[Read],
    meter: &Meter,
) -> Result<Option<Joint>, OverBudget> {
    let bits = groups.iter().fold(0u64, |bits, (count, faces)| {
        let total = faces.iter().fold(0u64, |sum, (_, weight)| sum.saturating_add(*weight));
        bits.saturating_add(count.saturating_mul(u64::from(64 - total.leading_zeros())))
    });
    let many = groups.iter().any(|(count, _)| *count > u64::from(u16::MAX));
    if groups.len() > GROUPS || reads.len() > MOST || many {
        return Ok(None);
    }
    let turns = turns_of(groups, reads);
    let bits = bits as usize;
    match (bits < 126, reads.len() <= FEW) {
        (true, true) => walked::<FEW, i128>(groups, manner, reads, &turns, bits, meter),
        (true, false) => walked::<MOST, i128>(groups, manner, reads, &turns, bits, meter),
        (false, _) => walked::<MOST, Integer>(groups, manner, reads, &turns, bits, meter),
    }
}

/// The values in ascending order, those that are alike together.
fn turns_of(groups: &[(u64, Faces)], reads: &[Read]) -> Vec<Turn> {
    let count = groups.iter().fold(0u64, |sum, (count, _)| sum.saturating_add(*count));
    let orderless = reads.iter().all(|read| read.ranks.count() == count);
    let mut weights: BTreeMap<(i64, Vec<i64>, usize), u64> = BTreeMap::new();
    for (group, (_, faces)) in groups.iter().enumerate() {
        for (face, weight) in faces {
            let worths = reads.iter().map(|read| read.counted.worth(*face)).collect();
            let place = if orderless { 0 } else { *face };
            let sum = weights.entry((place, worths, group)).or_insert(0);
            *sum = sum.saturating_add(*weight);
        }
    }
    let mut turns: Vec<Turn> = Vec::with_capacity(weights.len());
    let mut later = [0u64; GROUPS];
    for ((_, worths, group), weight) in weights.into_iter().rev() {
        turns.push(Turn { worths, group, weight, later: later[group] });
        later[group] = later[group].saturating_add(weight);
    }
    turns.reverse();
    turns
}

fn walked<const N: usize, W: Weight>(
    groups: &[(u64, Faces)],
    manner: Manner,
    reads: &[Read],
    turns: &[Turn],
    bits: usize,
    meter: &Meter,
) -> Result<Option<Joint>, OverBudget> {
    let mut states: States<N, W> = FxHashMap::default();
    states.insert(([0; GROUPS], [0; N]), W::of(&Natural::ONE));
    for turn in turns {
        let dice = groups[turn.group].0 as u16;
        let most = match manner {
            Manner::Drawn => usize::from(dice).min(turn.weight as usize),
            Manner::Thrown if turn.later == 0 => 1,
            Manner::Thrown => usize::from(dice),
        };
        meter.charge_product(states.len(), 4 * (1 + most / 2), bits)?;
        states = one_turn(&states, reads, turn, dice, manner);
        if states.len() > STATES {
            return Ok(None);
        }
    }
    let mut joint: Joint = states
        .into_iter()
        .map(|((_, sums), weight)| (sums[..reads.len()].to_vec(), weight.into_natural()))
        .collect();
    joint.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    Ok(Some(joint))
}

/// The dice of one group that show one value; all that are left, if it is their last.
fn one_turn<const N: usize, W: Weight>(
    states: &States<N, W>,
    reads: &[Read],
    turn: &Turn,
    dice: u16,
    manner: Manner,
) -> States<N, W> {
    let mut next: States<N, W> = FxHashMap::default();
    next.reserve(states.len());
    let mut known: FxHashMap<u16, (u16, Vec<W>)> = FxHashMap::default();
    for ((seen, sums), chance) in states {
        let before: u64 = seen.iter().map(|seen| u64::from(*seen)).sum();
        let left = dice - seen[turn.group];
        let (least, ways) = known.entry(left).or_insert_with(|| ways(turn, left, manner));
        for (shown, ways) in (*least..).zip(ways.iter()) {
            let (mut seen, mut sums) = (*seen, *sums);
            seen[turn.group] += shown;
            for ((sum, read), worth) in sums.iter_mut().zip(reads).zip(&turn.worths) {
                if *worth != 0 {
                    let among = read.ranks.within(before, before + u64::from(shown));
                    *sum += worth * among as i64;
                }
            }
            next.entry((seen, sums)).or_insert_with(W::zero).add_product(chance, ways);
        }
    }
    next
}

/// In how many ways so and so many of the dice that are left show the value, from the least possible number on.
fn ways<W: Weight>(turn: &Turn, left: u16, manner: Manner) -> (u16, Vec<W>) {
    let size = usize::from(left) + 1;
    match manner {
        Manner::Drawn => {
            // What the later values cannot provide must be taken here.
            let least = u64::from(left).saturating_sub(turn.later) as u16;
            let ways = binomials(turn.weight, size).skip(usize::from(least));
            (least, ways.map(|ways| W::cut(&ways)).collect())
        }
        Manner::Thrown => {
            let weight = W::of(&Natural::from(turn.weight));
            if turn.later == 0 {
                return (left, vec![weight.power(left.into())]);
            }
            let mut times = W::of(&Natural::ONE);
            let ways = binomials(left.into(), size).map(|ways| {
                let both = W::cut(&ways).times(&times);
                times = times.times(&weight);
                both
            });
            (0, ways.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Reading;
    use super::super::super::order::Ranks;
    use super::super::super::plain::Counted;
    use super::*;
    use proptest::prelude::*;

    /// What the dice at some ranks show.
    fn read(ranks: Ranks) -> Read {
        let counted = Counted::of(&Reading::Sum).expect("a sum is plain");
        Read { ranks, counted, share: None }
    }

    proptest! {
        #[test]
        fn long_weights_agree_with_machine_words(
            count in 1u64..7,
            faces in prop::collection::btree_map(-2i64..6, 1u64..4, 2..5),
            drawn in any::<bool>(),
            from in 0u64..6,
        ) {
            let manner = if drawn { Manner::Drawn } else { Manner::Thrown };
            prop_assume!(!drawn || faces.values().sum::<u64>() >= count);
            let groups = [(count, faces.into_iter().collect::<Faces>())];
            let all = Ranks::all(count);
            let reads = [read(all.clone()), read(all.positions(from.min(count - 1), count))];
            let turns = turns_of(&groups, &reads);
            let meter = Meter::unlimited();
            let short = walked::<FEW, i128>(&groups, manner, &reads, &turns, 0, &meter).unwrap();
            let long = walked::<MOST, Integer>(&groups, manner, &reads, &turns, 0, &meter).unwrap();
            prop_assert_eq!(short, long);
        }
    }
}
