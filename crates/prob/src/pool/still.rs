//! Stages under which one die stays one die, followed forward.
//!
//! Rerolling, clamping and compounding change what a die shows but throw no further die onto the
//! table. So the chances of its states are carried from stage to stage: `d6 ro<=2 min3` starts
//! with six faces at 1/6, moves the 2/6 of the low ones to a fresh throw, then moves what is
//! below 3 to 3.

use super::growth::chain_total;
use super::piece::{Group, Piece, Setup, Shown, face_fires, showing, split, split_fired};
use super::{Condition, PoolError, Stage, Style, Trigger};
use crate::law::Law;
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Rational};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Whether every die stays one die under these stages.
pub(crate) fn is_still(stages: &[Stage]) -> bool {
    stages.iter().all(|stage| match stage {
        Stage::Explode { style, .. } => *style == Style::Compound,
        Stage::Reroll { .. } | Stage::AtLeast(_) | Stage::AtMost(_) => true,
        Stage::InAll { .. } | Stage::Unique | Stage::Drawn | Stage::Keep(..) | Stage::Drop(..) => {
            false
        }
    })
}

/// Carries every group through the stages.
pub(crate) fn settle(setup: &Setup, stages: &[Stage], meter: &Meter) -> Result<Setup, PoolError> {
    let mut settled = setup.clone();
    for stage in stages {
        for group in &mut settled.groups {
            let pieces = std::mem::take(&mut group.pieces);
            group.pieces = after(setup, stage, pieces, meter)?;
        }
    }
    Ok(settled)
}

type Pieces = Vec<(Piece, Rational)>;

fn after(setup: &Setup, stage: &Stage, pieces: Pieces, meter: &Meter) -> Result<Pieces, PoolError> {
    meter.charge_product(pieces.len(), 8, 0)?;
    match stage {
        Stage::Reroll { when, once } => rerolled(setup, pieces, when, *once, meter),
        Stage::AtLeast(bound) => clamped(pieces, |law| law.max_with(bound, meter), meter),
        Stage::AtMost(bound) => clamped(pieces, |law| law.min_with(bound, meter), meter),
        Stage::Explode { trigger, limit, .. } => compounded(setup, pieces, trigger, *limit, meter),
        Stage::InAll { .. } | Stage::Unique | Stage::Drawn | Stage::Keep(..) | Stage::Drop(..) => {
            Ok(pieces)
        }
    }
}

fn rerolled(
    setup: &Setup,
    pieces: Pieces,
    when: &Condition,
    once: bool,
    meter: &Meter,
) -> Result<Pieces, PoolError> {
    let mut result = Vec::with_capacity(pieces.len());
    let mut again: FxHashMap<usize, Rational> = FxHashMap::default();
    for (piece, chance) in pieces {
        let [fired, stays] = split(&piece, when, meter)?;
        if let Some((piece, part)) = fired {
            let (origin, _) = setup.die_of(&piece)?;
            *again.entry(origin).or_default() += &chance * part;
        }
        result.extend(stays.map(|(piece, part)| (piece, chance * part)));
    }
    for (origin, chance) in again {
        result.extend(fresh_throw(setup, origin, when, once, &chance));
    }
    Ok(merged(result))
}

/// A die thrown again: any face, or any that does not fulfil the condition.
fn fresh_throw(
    setup: &Setup,
    origin: usize,
    when: &Condition,
    once: bool,
    chance: &Rational,
) -> Pieces {
    let faces: Vec<(&Rational, Rational)> =
        setup.dice[origin].chances().filter(|(face, _)| once || !when.holds(face)).collect();
    let mass = faces.iter().fold(Rational::ZERO, |sum, (_, c)| sum + c);
    let share = |(face, c)| (Piece::fresh(origin, face), number::quotient(&(chance * c), &mass));
    faces.into_iter().map(share).collect()
}

fn clamped(
    pieces: Pieces,
    clamp: impl Fn(&Law) -> Result<Law, OverBudget>,
    meter: &Meter,
) -> Result<Pieces, PoolError> {
    let mut result = Vec::with_capacity(pieces.len());
    for (piece, chance) in pieces {
        let law = clamp(&piece.law())?;
        result.extend(showing(&piece, &law, meter)?.into_iter().map(|(p, c)| (p, c * &chance)));
    }
    Ok(merged(result))
}

fn compounded(
    setup: &Setup,
    pieces: Pieces,
    trigger: &Trigger,
    limit: Option<u64>,
    meter: &Meter,
) -> Result<Pieces, PoolError> {
    let mut chains: FxHashMap<usize, Law> = FxHashMap::default();
    let mut result = Vec::with_capacity(pieces.len());
    for (piece, chance) in pieces {
        let (origin, die) = setup.die_of(&piece)?;
        let [fired, stays] = split_fired(&piece, trigger, die, meter)?;
        if let Some((piece, part)) = fired {
            let chain = match chains.entry(origin) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => {
                    let fires = |face: &Rational| face_fires(trigger, die, face);
                    place.insert(chain_total(die, fires, limit, meter)?)
                }
            };
            let shown = piece.law().sum(chain, meter)?;
            let share = &chance * part;
            result
                .extend(showing(&piece, &shown, meter)?.into_iter().map(|(p, c)| (p, c * &share)));
        }
        result.extend(stays.map(|(piece, part)| (piece, chance * part)));
    }
    Ok(merged(result))
}

/// Equal pieces in one, in a fixed order.
pub(crate) fn merged(pieces: Pieces) -> Pieces {
    let mut places: FxHashMap<Piece, usize> = FxHashMap::default();
    let mut result: Pieces = Vec::with_capacity(pieces.len());
    for (piece, chance) in pieces {
        match places.get(&piece) {
            Some(&place) => result[place].1 += chance,
            None => {
                places.insert(piece.clone(), result.len());
                result.push((piece, chance));
            }
        }
    }
    result
}

/// The law of what one die of a group shows.
pub(crate) fn shown_law(group: &Group, meter: &Meter) -> Result<Law, PoolError> {
    let mut endless = Vec::new();
    let mut numbers = Vec::new();
    let mut common = crate::Natural::ONE;
    for (piece, chance) in &group.pieces {
        match &piece.shown {
            Shown::Number(value) => {
                common = number::lcm(&common, chance.denominator());
                numbers.push((value, chance));
            }
            Shown::Endless(law) => endless.push((chance.clone(), law.clone())),
        }
    }
    meter.charge_product(numbers.len(), 2, 0)?;
    let mass = numbers.iter().fold(Rational::ZERO, |sum, (_, chance)| sum + *chance);
    let weight = |chance: &Rational| {
        number::magnitude(chance.numerator().clone()) * (&common / chance.denominator())
    };
    let finite =
        Law::from_weights(numbers.into_iter().map(|(v, chance)| (v.clone(), weight(chance))));
    endless.extend(finite.map(|law| (mass, law)));
    Ok(Law::mixture(&endless, meter)?)
}
