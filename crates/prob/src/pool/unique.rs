//! Fair dice that must all differ.
//!
//! Throwing `n` equal fair dice one after the other, each again until it differs from those before,
//! picks every ordered choice of `n` different faces with the same chance; so every set of `n`
//! faces is equally likely, and `3d6u` is one of 20 sets. No throw order has to be remembered.

use super::order::{Ranked, Ranks};
use super::piece::{Setup, Shown};
use super::ranks::at_ranks_of_different;
use super::states::{Names, States, Token};
use super::{Endlessness, PoolError, Stage};
use crate::law::{Law, Table};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Natural, Rational};
use crate::words::{Word, binomials};
use rustc_hash::FxHashMap;

/// Whether the pool is one group of fair dice with faces that all differ, as thrown.
pub(crate) fn is_fair(setup: &Setup) -> bool {
    let [group] = setup.groups.as_slice() else { return false };
    let Some((_, chance)) = group.pieces.first() else { return false };
    group.pieces.iter().all(|(piece, other)| {
        other == chance && matches!(&piece.shown, Shown::Number(value) if *value == piece.thrown)
    })
}

/// All sets of faces, if the first stage makes fair dice differ.
pub(crate) fn different_dice(
    setup: &Setup,
    stages: &[Stage],
    meter: &Meter,
) -> Result<Option<States>, PoolError> {
    if stages.first() != Some(&Stage::Unique) || !is_fair(setup) {
        return Ok(None);
    }
    let mut names = Names::default();
    let mut sets: Vec<Vec<u32>> = vec![Vec::new()];
    let group = &setup.groups[0];
    let count = usize::try_from(group.count).map_err(|_| OverBudget::Steps)?;
    if count > group.pieces.len() {
        return Err(PoolError::NeverStops(Endlessness::MoreDiceThanFaces));
    }
    for (place, (piece, _)) in group.pieces.iter().enumerate() {
        let number = names.number(Token::of(piece)?);
        let left = group.pieces.len() - place;
        meter.charge_product(sets.len(), 16 + count, 0)?;
        let mut next = Vec::with_capacity(2 * sets.len());
        for set in sets {
            if set.len() < count {
                let mut longer = set.clone();
                longer.push(number);
                next.push(longer);
            }
            if set.len() + left > count {
                next.push(set);
            }
        }
        sets = next;
    }
    let weights: FxHashMap<Vec<u32>, Natural> =
        sets.into_iter().filter(|set| set.len() == count).map(|set| (set, Natural::ONE)).collect();
    Ok(Some(States::known(names, weights)))
}

/// The law of the summed worth of some ranks of fair dice that differ.
pub(crate) fn ranks_of_different(
    ranked: &Ranked,
    ranks: &Ranks,
    meter: &Meter,
) -> Result<Law, PoolError> {
    if ranks.count() == 0 {
        return Ok(Law::constant(Rational::ZERO));
    }
    match in_words(ranked, ranks, meter)? {
        Some(law) => Ok(law),
        None => at_ranks_of_different(ranked, ranks, meter),
    }
}

/// The same where the sets of faces can be counted in a machine word: going up the faces, each is in the set or
/// not, and the sum is kept for each number of faces so far.
fn in_words(ranked: &Ranked, ranks: &Ranks, meter: &Meter) -> Result<Option<Law>, PoolError> {
    let sized = |number: u64| usize::try_from(number).map_err(|_| OverBudget::Steps);
    let (count, faces) = (sized(ranked.count())?, ranked.worths.len());
    let sets = binomials(faces as u64, count.min(faces) + 1).and_then(|ways| ways.last().copied());
    let places = (number::to_i64(&ranked.lowest), number::to_i64(&ranked.step));
    let (Some(sets), (Some(lowest), Some(step))) = (sets, places) else { return Ok(None) };
    if count > faces {
        return Ok(None);
    }
    let kept = sized(ranks.count())?;
    let span = ranked.worths.iter().max().copied().unwrap_or(0);
    let longest = kept.saturating_mul(span);
    meter.charge_product(faces.saturating_mul(count), longest.saturating_add(8) / 8, 0)?;
    let offset = lowest * kept as i64;
    let table = if u64::try_from(sets).is_ok() {
        Table::of_words(offset, step, sums::<u64>(&ranked.worths, count, ranks))
    } else {
        Table::of_words(offset, step, sums::<u128>(&ranked.worths, count, ranks))
    };
    Ok(table.map(Law::Finite))
}

fn sums<W: Word>(worths: &[usize], count: usize, ranks: &Ranks) -> Vec<W> {
    let counts: Vec<bool> =
        (0..count as u64).map(|rank| ranks.within(rank, rank + 1) == 1).collect();
    let mut by_size: Vec<Vec<W>> = vec![Vec::new(); count + 1];
    by_size[0].push(W::ONE);
    for (place, worth) in worths.iter().enumerate() {
        // Sets that the faces to come cannot complete are left out.
        let least = count.saturating_sub(worths.len() - place);
        for size in (least..count.min(place + 1)).rev() {
            let (shorter, longer) = by_size.split_at_mut(size + 1);
            let (from, to) = (&shorter[size], &mut longer[0]);
            let shift = if counts[size] { *worth } else { 0 };
            if to.len() < from.len() + shift {
                to.resize(from.len() + shift, W::ZERO);
            }
            for (sum, sets) in to[shift..].iter_mut().zip(from) {
                *sum = sum.plus(*sets);
            }
        }
    }
    by_size.pop().unwrap_or_default()
}
