//! Readings of dice that are drawn from one bag, by a walk up its faces.
//!
//! A state is how many dice have come and what each reading has added up. Of the `m` copies of a face `c` come in
//! `C(m, c)` ways; what the later faces cannot provide must come now.

use super::super::drawn::Draw;
use super::super::keep::Weight;
use super::super::order::binomials;
use super::{FARTHEST, MOST, Read, Values};
use crate::meter::{Meter, OverBudget};
use crate::number::{Integer, Natural};
use rustc_hash::FxHashMap;

/// A walk with more states than this is given up.
const STATES: usize = 200_000;

/// How many dice have come, and what each reading has added up.
type States<W> = FxHashMap<(usize, [i64; MOST]), W>;

/// The joint values; `None` if they are too many, or if the bag is no bag of small whole numbers.
pub(super) fn joint(
    draw: &Draw,
    reads: &[Read],
    meter: &Meter,
) -> Result<Option<Values>, OverBudget> {
    let Some(faces) = draw.bag.plain() else { return Ok(None) };
    let far = faces.iter().any(|(face, _)| face.unsigned_abs() > FARTHEST);
    let total = faces.iter().fold(0u64, |sum, (_, copies)| sum.saturating_add(*copies));
    let bits = draw.count.saturating_mul(u64::from(64 - total.leading_zeros()));
    match bits {
        _ if far || reads.len() > MOST || draw.count > 2000 => Ok(None),
        ..126 => walked::<i128>(draw.count, faces, reads, bits, meter),
        _ if cfg!(target_family = "wasm") => Ok(None),
        _ => walked::<Integer>(draw.count, faces, reads, bits, meter),
    }
}

fn walked<W: Weight>(
    count: u64,
    faces: &[(i64, u64)],
    reads: &[Read],
    bits: u64,
    meter: &Meter,
) -> Result<Option<Values>, OverBudget> {
    let dice = count as usize;
    let values: Vec<i64> = faces.iter().map(|(face, _)| *face).collect();
    meter.charge_product(values.len(), (dice + 1) * reads.len() * 2, 0)?;
    let gains: Vec<Vec<Vec<i64>>> = reads.iter().map(|read| read.gains(&values, count)).collect();
    let mut states: States<W> = FxHashMap::default();
    states.insert((0, [0; MOST]), W::of(&Natural::ONE));
    let mut later = faces.iter().fold(0u64, |sum, (_, copies)| sum.saturating_add(*copies));
    for (value, (_, copies)) in faces.iter().enumerate() {
        later -= copies;
        let most = dice.min(usize::try_from(*copies).unwrap_or(usize::MAX));
        meter.charge_product(states.len(), 4 * (1 + most), bits as usize)?;
        let ways: Vec<W> = binomials(*copies, most + 1).map(|ways| W::cut(&ways)).collect();
        let mut next: States<W> = FxHashMap::default();
        for ((come, sums), weight) in &states {
            let left = dice - come;
            let least = left.saturating_sub(usize::try_from(later).unwrap_or(usize::MAX));
            for (shown, ways) in ways.iter().enumerate().take(left + 1).skip(least) {
                let mut sums = *sums;
                for (sum, gains) in sums.iter_mut().zip(&gains) {
                    *sum += gains[value][come + shown] - gains[value][*come];
                }
                next.entry((come + shown, sums)).or_insert_with(W::zero).add_product(weight, ways);
            }
        }
        states = next;
        if states.len() > STATES {
            return Ok(None);
        }
    }
    let values = states.into_iter();
    let values = values.map(|((_, sums), weight)| (sums, weight));
    let mut values: Values =
        values.map(|(values, weight)| (values, weight.into_natural())).collect();
    values.sort_unstable_by_key(|(a, _)| *a);
    Ok(Some(values))
}

#[cfg(test)]
mod tests {
    use super::super::super::{End, Pool, Reading, Source, Stage};
    use super::super::{Numbers, Term, read_together};
    use super::*;
    use crate::number::whole;
    use crate::pool::Die;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn readings_of_a_draw_are_those_of_all_hands(
            copies in prop::collection::vec(0u64..4, 2..5),
            count in 1usize..5,
            kept in 1u64..4,
        ) {
            let cards = copies.iter().enumerate().flat_map(|(face, times)| {
                std::iter::repeat_n(face as i64, *times as usize)
            });
            let cards: Vec<i64> = cards.collect();
            prop_assume!(cards.len() >= count);
            let mut hands: BTreeMap<[i64; MOST], u64> = BTreeMap::new();
            for subset in 0u32..1 << cards.len() {
                if subset.count_ones() as usize == count {
                    let hand = cards.iter().enumerate().filter(|(at, _)| subset >> at & 1 == 1);
                    let hand: Vec<i64> = hand.map(|(_, card)| *card).collect();
                    let highest = hand.iter().rev().take(kept as usize).sum::<i64>();
                    *hands.entry([highest - hand[0], hand.iter().sum(), 0, 0]).or_default() += 1;
                }
            }
            let faces = copies.iter().enumerate().filter(|(_, times)| **times > 0);
            let faces = faces.map(|(face, times)| (whole(face as i64), Natural::from(*times)));
            let die = Die::bag(faces).expect("some card");
            let pool = Pool {
                groups: vec![(count as u64, Source::Die(die))],
                stages: vec![Stage::Drawn],
            };
            let keep = vec![Stage::Keep(End::Highest, kept)];
            let sum = |stages| Term { factor: 1, stages, reading: Reading::Sum };
            let least = Term { factor: -1, stages: vec![], reading: Reading::NthLowest(1) };
            let readings = [vec![sum(keep), least], vec![sum(vec![])]];
            let read = read_together(&pool, &readings, &Meter::unlimited()).expect("it is small");
            let Some(Numbers::Joint(joint)) = read else { panic!("it is known how") };
            let hands = hands.into_iter().map(|(values, hands)| (values, Natural::from(hands)));
            prop_assert_eq!(joint.values, hands.collect::<Vec<_>>());
        }
    }
}
