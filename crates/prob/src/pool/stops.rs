//! Pools that can go on for ever, found before anything is thrown.
//!
//! `d6!>=1` explodes on every face, `d6 rr<=6` rerolls every face, `20d10u` has more dice than
//! faces. The states that dice can reach are followed through the stages as a set, without their
//! chances: a stage never stops if some die can fire and every face of its fresh die fires again.

use super::piece::{Piece, Setup, Shown, face_fires, head_and_tail, split, split_fired, telling};
use super::{Die, Pool, PoolError, Source, Stage, Style, Trigger};
use crate::law::Law;
use crate::meter::Meter;
use crate::number::Rational;
use rustc_hash::FxHashSet;

/// In which way a pool never stops.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Endlessness {
    /// Every face explodes: `d6!>=1`.
    EveryFaceExplodes,
    /// Every face is thrown again: `d6 rr<=6`.
    EveryFaceRerolls,
    /// More dice than faces to tell them apart: `20d10u`.
    MoreDiceThanFaces,
}

/// How the pool can go on for ever, if it can.
pub fn never_stops(pool: &Pool) -> Option<Endlessness> {
    if plainly_stops(pool) {
        return None;
    }
    let setup = Setup::of(pool, &Meter::unlimited()).ok()?;
    match reached(&setup, &pool.stages, &Meter::new(PATIENCE)) {
        Err(PoolError::NeverStops(why)) => Some(why),
        Err(_) | Ok(_) => never_differ(pool),
    }
}

/// Whether no stage can go on for ever, since every die has a face that ends it. A quick look that settles
/// nearly all pools.
fn plainly_stops(pool: &Pool) -> bool {
    let dice = || pool.groups.iter().map(|(_, source)| source);
    let ends = |source: &Source, fires: &dyn Fn(&Rational) -> bool| match source {
        Source::Die(die) => die.faces().iter().any(|(face, _)| !fires(face)),
        Source::Total(_) | Source::Fixed(..) => false,
    };
    pool.stages.iter().all(|stage| match stage {
        Stage::Keep(..) | Stage::Drop(..) | Stage::AtLeast(_) | Stage::AtMost(_) => true,
        Stage::Drawn => true,
        Stage::Reroll { once: true, .. } | Stage::Explode { limit: Some(_), .. } => true,
        Stage::Reroll { when, .. } => dice().all(|die| ends(die, &|face| when.holds(face))),
        Stage::Explode { trigger: Trigger::Highest, .. } => {
            dice().all(|die| matches!(die, Source::Die(die) if die.has_two_faces()))
        }
        Stage::Explode { trigger: Trigger::When(when), .. } => {
            dice().all(|die| ends(die, &|face| when.holds(face)))
        }
        Stage::InAll { .. } | Stage::Unique => false,
    })
}

/// What a look ahead may cost. A pool that is too large to look through is too large to read.
const PATIENCE: u64 = 20_000_000;

/// The states that dice can have after the stages.
pub(crate) fn reached(
    setup: &Setup,
    stages: &[Stage],
    meter: &Meter,
) -> Result<FxHashSet<Piece>, PoolError> {
    let pieces = setup.groups.iter().flat_map(|group| &group.pieces);
    let mut reached: FxHashSet<Piece> = pieces.map(|(piece, _)| piece.clone()).collect();
    let mut most = setup.groups.iter().fold(0u64, |sum, group| sum.saturating_add(group.count));
    for stage in stages {
        meter.charge_product(reached.len(), 4, 0)?;
        most = most_after(most, stage);
        if most == 0 {
            reached.clear();
        }
        let mut next = FxHashSet::default();
        for piece in &reached {
            follow(setup, stage, piece, &mut next, meter)?;
        }
        reached = next;
    }
    Ok(reached)
}

/// So many dice at most are left of so many.
fn most_after(most: u64, stage: &Stage) -> u64 {
    match stage {
        Stage::Keep(_, count) => most.min(*count),
        Stage::Drop(_, count) if most < u64::MAX => most.saturating_sub(*count),
        Stage::Explode { style: Style::Compound, .. } | Stage::Drop(..) => most,
        // They may be any number, unless there are none to begin with.
        Stage::Explode { .. } | Stage::InAll { .. } if most > 0 => u64::MAX,
        Stage::Explode { .. } | Stage::InAll { .. } | Stage::Reroll { .. } => most,
        Stage::AtLeast(_) | Stage::AtMost(_) | Stage::Unique | Stage::Drawn => most,
    }
}

/// What dice can show after stages that act on each alone, in ascending order.
pub(crate) fn shown_values(
    setup: &Setup,
    stages: &[Stage],
    meter: &Meter,
) -> Result<Vec<Rational>, PoolError> {
    let shown = reached(setup, stages, meter)?.into_iter().map(|piece| match piece.shown {
        Shown::Number(value) => Ok(value),
        Shown::Endless(_) => Err(PoolError::NoClosedForm),
    });
    let mut values = shown.collect::<Result<Vec<_>, _>>()?;
    values.sort();
    values.dedup();
    Ok(values)
}

/// Adds what a piece can become in one stage.
fn follow(
    setup: &Setup,
    stage: &Stage,
    piece: &Piece,
    next: &mut FxHashSet<Piece>,
    meter: &Meter,
) -> Result<(), PoolError> {
    match stage {
        Stage::Unique | Stage::Drawn | Stage::Keep(..) | Stage::Drop(..) => {
            next.insert(piece.clone());
        }
        Stage::AtLeast(bound) => {
            next.extend(reshown(piece, piece.law().max_with(bound, meter)?, meter)?);
        }
        Stage::AtMost(bound) => {
            next.extend(reshown(piece, piece.law().min_with(bound, meter)?, meter)?);
        }
        Stage::InAll { act, most, .. } => within(setup, act, *most, piece, next, meter)?,
        Stage::Reroll { when, once } => {
            let [fired, stays] = split(piece, when, meter)?;
            next.extend(stays.map(|(piece, _)| piece));
            if fired.is_some() {
                let (origin, die) = setup.die_of(piece)?;
                let faces = die.faces().iter().map(|(face, _)| face);
                let faces = || faces.clone().filter(|face| *once || !when.holds(face));
                if faces().next().is_none() {
                    return Err(PoolError::NeverStops(Endlessness::EveryFaceRerolls));
                }
                next.extend(faces().map(|face| Piece::fresh(origin, face)));
            }
        }
        Stage::Explode { trigger, style, limit } => {
            let (origin, die) = setup.die_of(piece)?;
            let [fired, stays] = split_fired(piece, trigger, die, meter)?;
            next.extend(stays.map(|(piece, _)| piece));
            let Some((fired, _)) = fired else { return Ok(()) };
            let faces = || die.faces().iter().map(|(face, _)| face);
            if limit.is_none() && faces().all(|face| face_fires(trigger, die, face)) {
                return Err(PoolError::NeverStops(Endlessness::EveryFaceExplodes));
            }
            if *style == Style::Compound {
                let fires = |face: &Rational| face_fires(trigger, die, face);
                let chain = super::growth::chain_total(die, fires, *limit, meter)?;
                next.extend(reshown(piece, fired.law().sum(&chain, meter)?, meter)?);
                return Ok(());
            }
            next.insert(fired);
            let less = Rational::from(u8::from(*style == Style::Penetrate));
            next.extend(faces().map(|face| {
                let shown = Shown::Number(face - &less);
                Piece { shown, ..Piece::fresh(origin, face) }
            }));
        }
    }
    Ok(())
}

/// Adds what a piece can become where at most so many dice are thrown in all.
fn within(
    setup: &Setup,
    act: &Stage,
    most: u64,
    piece: &Piece,
    next: &mut FxHashSet<Piece>,
    meter: &Meter,
) -> Result<(), PoolError> {
    next.insert(piece.clone());
    match act {
        _ if most == 0 => Ok(()),
        // Any face may be the last that the limit allows.
        Stage::Reroll { when, .. } => {
            let once = Stage::Reroll { when: when.clone(), once: true };
            follow(setup, &once, piece, next, meter)
        }
        Stage::Explode { trigger, style, limit } => {
            let longest = limit.map_or(most, |limit| limit.min(most));
            if *style == Style::Compound {
                return compounded(setup, trigger, longest, piece, next, meter);
            }
            let (trigger, limit) = (trigger.clone(), Some(longest));
            follow(setup, &Stage::Explode { trigger, style: *style, limit }, piece, next, meter)
        }
        _ => follow(setup, act, piece, next, meter),
    }
}

/// Adds what a compound die can show: its chain may end on any face, because the limit may end it.
fn compounded(
    setup: &Setup,
    trigger: &Trigger,
    longest: u64,
    piece: &Piece,
    next: &mut FxHashSet<Piece>,
    meter: &Meter,
) -> Result<(), PoolError> {
    let (_, die) = setup.die_of(piece)?;
    let [Some((fired, _)), _] = split_fired(piece, trigger, die, meter)? else { return Ok(()) };
    let Shown::Number(first) = fired.shown else { return Err(PoolError::NoClosedForm) };
    let mut going = FxHashSet::from_iter([first]);
    for _ in 0..longest {
        meter.charge_product(going.len(), die.faces().len().saturating_mul(64), 0)?;
        let mut longer = FxHashSet::default();
        for total in going {
            for (face, _) in die.faces() {
                let shown = &total + face;
                if face_fires(trigger, die, face) {
                    longer.insert(shown.clone());
                }
                next.insert(Piece { shown: Shown::Number(shown), ..piece.clone() });
            }
        }
        going = longer;
    }
    Ok(())
}

fn reshown(
    piece: &Piece,
    law: Law,
    meter: &Meter,
) -> Result<impl Iterator<Item = Piece>, PoolError> {
    Ok(super::piece::showing(piece, &law, meter)?.into_iter().map(|(piece, _)| piece))
}

/// More dice than a die has faces that can show no other faces than it: they cannot all differ.
pub(crate) fn never_differ(pool: &Pool) -> Option<Endlessness> {
    let stages = telling(&pool.stages);
    let (head, tail) = head_and_tail(&stages);
    if !head.is_empty() || tail.first() != Some(&Stage::Unique) {
        return None;
    }
    let dice = || {
        pool.groups.iter().filter_map(|(count, source)| match source {
            Source::Die(die) => Some((*count, die)),
            Source::Total(_) | Source::Fixed(..) => None,
        })
    };
    let crowded = |die: &Die| {
        let has =
            |face: &Rational| die.faces().binary_search_by(|(known, _)| known.cmp(face)).is_ok();
        let within = dice().filter(|(_, other)| other.faces().iter().all(|(face, _)| has(face)));
        within.fold(0u64, |sum, (count, _)| sum.saturating_add(count)) > die.faces().len() as u64
    };
    let crowded = dice().any(|(count, die)| count > 0 && crowded(die));
    crowded.then_some(Endlessness::MoreDiceThanFaces)
}
