//! Fair dice that must all differ.
//!
//! Throwing `n` equal fair dice one after the other, each again until it differs from those before,
//! picks every ordered choice of `n` different faces with the same chance; so every set of `n`
//! faces is equally likely, and `3d6u` is one of 20 sets. No throw order has to be remembered.

use super::piece::{Setup, Shown};
use super::states::{Names, States, Token};
use super::{Endlessness, PoolError, Stage};
use crate::meter::{Meter, OverBudget};
use crate::number::Natural;
use rustc_hash::FxHashMap;

/// Whether the pool is one group of fair dice with faces that all differ, as thrown.
fn is_fair(setup: &Setup) -> bool {
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
