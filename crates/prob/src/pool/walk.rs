//! A walk over pools by face: for each face that shows, how many dice show it, and a state carried along.
//!
//! ```text
//! 1 2 2 5 5 5   walked up   is   (1, one die)  (2, two dice)  (5, three dice)
//! ```
//!
//! The largest set, the longest straight, pairs, or two pools compared die by die are all such walks
//! with a small state. Their odds need no hands: going through the faces in order, it is enough to know
//! the state and how many dice of each group have come. After `m` dice, `c` more show the next face in
//! `C(m + c, c)·wᶜ` ways. A keep or drop only hides ranks, and the rank of a die is known from how many
//! dice came before it.
//!
//! States are the caller's: numbers, from 0 for the first one. What a step does is asked once for each
//! state, kind of face and counts (see [`known`]).

use super::drawn::Draw;
use super::marks::Worth;
use super::order::{Faces, Ranked, Ranks};
use super::piece::{Setup, clamps_first, head_and_tail, telling};
use super::still::{is_still, settle};
use super::stops::{Endlessness, never_differ, never_stops};
use super::{Die, Pool, PoolError, Reading, Source, Stage};
use crate::meter::{Meter, OverBudget};
use crate::number::{Natural, Rational};
use crate::weighted::common_multiple;
use dashu_base::UnsignedAbs;
use std::collections::BTreeMap;

mod asked;
mod deal;
mod follow;
mod front;
mod known;
mod lifted;
mod path;
mod sizes;
#[cfg(test)]
mod tests;
mod totals;
mod tree;
mod ways;
mod weight;

pub use asked::{Answer, Answers, Dice, Question, Seen, ask};
use path::Path;

/// Why a walk has no answer: the pools, or a step of the caller.
#[derive(Debug)]
pub enum WalkError<E> {
    /// The pools.
    Pool(PoolError),
    /// A step.
    Step(E),
}

impl<E> From<OverBudget> for WalkError<E> {
    fn from(refusal: OverBudget) -> Self {
        WalkError::Pool(refusal.into())
    }
}

/// What the steps of a walk do.
pub trait Steps {
    /// Why a step has no answer.
    type Error;

    /// The faces of the walk, in its order. Faces on which all steps do the same bear the same number;
    /// the numbers begin with 0.
    fn kinds(&mut self, faces: &[Rational]) -> Vec<usize>;

    /// The state after a state, the face (by its place), and how many dice of each pool show it.
    fn step(&mut self, state: usize, face: usize, counts: &[u64]) -> Result<usize, Self::Error>;

    /// What a step costs, if it does not pay for itself.
    fn price(&self) -> u64 {
        0
    }

    /// Whether it is likely that no two ways through the faces lead to one state, as where whole hands are carried.
    fn hardly_meet(&self) -> bool {
        false
    }

    /// So many states will follow, if no two meet: there may be room for them at once.
    fn expect(&mut self, _states: usize) {}

    /// The states after some states with dice left of the only pool, and the face: for each with 1, with 2 and so on
    /// up to all the dice left, or only with all of them; behind what is in `leads` already, in this order.
    fn after(
        &mut self,
        face: usize,
        from: &[(usize, usize)],
        all: bool,
        leads: &mut Vec<usize>,
    ) -> Result<(), Self::Error> {
        for &(state, left) in from {
            for count in if all { left } else { 1 }..=left {
                leads.push(self.step(state, face, &[count as u64])?);
            }
        }
        Ok(())
    }

    /// Whether it does not matter which of two steps on faces of one kind is taken first: always the same state
    /// comes of both. Asked again at the end of a walk, of the steps that were taken.
    fn commute(&self) -> bool {
        false
    }
}

/// How the steps change a number that they do not look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lift {
    /// They add to it.
    Sum,
    /// They offer numbers, and the highest is kept.
    Highest,
}

/// What the steps of a walk do where a number is set apart.
pub trait LiftedSteps {
    /// Why a step has no answer.
    type Error;

    /// As [`Steps::kinds`].
    fn kinds(&mut self, faces: &[Rational]) -> Vec<usize>;

    /// What the number apart is at first; asked once the faces are told. None: not in this way.
    fn first(&self) -> Option<i64>;

    /// The state after a state, as [`Steps::step`], and what is added to the number apart, or offered. None:
    /// not in this way.
    fn step(
        &mut self,
        state: usize,
        face: usize,
        counts: &[u64],
    ) -> Result<Option<(usize, i64)>, Self::Error>;

    /// The same for each number of dice of each pool below `tellings`; the first pool has the most weight. What is
    /// said of no dice does not matter. None: they are asked one by one.
    fn all_steps(
        &mut self,
        _state: usize,
        _face: usize,
        _tellings: &[usize],
    ) -> Result<Option<Vec<(usize, i64)>>, Self::Error> {
        Ok(None)
    }

    /// What comes of a state after the last face, as a number from 0 on: several states may come to the same.
    fn end(&mut self, state: usize) -> usize;

    /// The numbers between the least and the greatest may be so many although few of them come about, as where several
    /// numbers are set apart as one.
    fn short_rows(&self) -> usize {
        0
    }
}

/// How a walk goes.
#[derive(Clone, Debug)]
pub struct Way {
    /// From the highest face to the lowest.
    pub down: bool,
    /// For each pool whether a step looks at how many dice show the face. Where it does not, it is told
    /// 1 for any number of dice.
    pub counts: Vec<bool>,
}

/// Where a walk ends: states with their weights, and the sum of all weights.
#[derive(Clone, Debug)]
pub struct Ends {
    /// States with weights that are not zero, each once.
    pub weights: Vec<(usize, Natural)>,
    /// The sum.
    pub total: Natural,
}

impl Ends {
    /// Ends that each happen with a chance, as those of one walk.
    pub fn mixed(cases: Vec<(Ends, Rational)>) -> Ends {
        let scale = |(ends, chance): (Ends, Rational)| {
            let scale = chance / Rational::from(ends.total.clone());
            (ends, scale)
        };
        let scaled: Vec<(Ends, Rational)> = cases.into_iter().map(scale).collect();
        let common = common_multiple(scaled.iter().map(|(_, scale)| scale.denominator()));
        let mut weights: BTreeMap<usize, Natural> = BTreeMap::new();
        for (ends, scale) in scaled {
            let factor = (scale * Rational::from(common.clone())).numerator().unsigned_abs();
            for (state, weight) in ends.weights {
                *weights.entry(state).or_insert(Natural::ZERO) += weight * &factor;
            }
        }
        let total = weights.values().fold(Natural::ZERO, |sum, weight| sum + weight);
        Ends { weights: weights.into_iter().collect(), total }
    }
}

/// The weights of the states after a walk over the faces of some pools.
pub fn walk<S: Steps + ?Sized>(
    pools: &[Pool],
    way: &Way,
    steps: &mut S,
    meter: &Meter,
) -> Result<Ends, WalkError<S::Error>> {
    let walked = pools.iter().map(|pool| Walked::of(pool, way.down, meter));
    let walked: Vec<Walked> = walked.collect::<Result<_, _>>().map_err(WalkError::Pool)?;
    let path = Path::of(&walked, way);
    path.pay(meter)?;
    let total = path.groups.iter().fold(Natural::ONE, |total, group| total * group.all());
    let known = known::Known::new(steps.kinds(&path.faces));
    let weights = if known.all_differ() && steps.hardly_meet() {
        meter.by(crate::ways::TREE, || tree::follow(&path, steps, meter))?
    } else if known.one_kind() && path.is_even() && steps.commute() {
        meter.by(crate::ways::SIZES, || sizes::follow(&path, steps, meter))?
    } else {
        None
    };
    let weights = match weights {
        Some(weights) => weights,
        None => follow::follow(&path, known, steps, meter)?,
    };
    Ok(Ends { weights, total })
}

/// Where a walk ends with a number set apart.
#[derive(Clone, Debug)]
pub struct LiftedEnds {
    /// What comes of states and numbers, each pair once, with weights that are not zero.
    pub weights: Vec<(usize, i64, Natural)>,
    /// The sum.
    pub total: Natural,
}

/// The weights of the states after a walk over the faces of some pools, with a number set apart. None if that
/// is no use here: the number takes few of the values between its least and its greatest, or a step said so.
pub fn walk_lifted<S: LiftedSteps + ?Sized>(
    pools: &[Pool],
    way: &Way,
    lift: Lift,
    steps: &mut S,
    meter: &Meter,
) -> Result<Option<LiftedEnds>, WalkError<S::Error>> {
    let walked = pools.iter().map(|pool| Walked::of(pool, way.down, meter));
    let walked: Vec<Walked> = walked.collect::<Result<_, _>>().map_err(WalkError::Pool)?;
    let path = Path::of(&walked, way);
    path.pay(meter)?;
    let total = path.groups.iter().fold(Natural::ONE, |total, group| total * group.all());
    let weights = lifted::follow(&path, lift, &total, steps, meter)?;
    Ok(weights.map(|weights| LiftedEnds { weights, total }))
}

/// A pool as the walk sees it: faces in the order of the walk, and which ranks count.
struct Walked {
    faces: Ranked,
    ranks: Ranks,
    /// The dice are drawn, and weights are how many of each face there are: one, if fair dice must differ.
    drawn: bool,
}

impl Walked {
    fn of(pool: &Pool, down: bool, meter: &Meter) -> Result<Walked, PoolError> {
        if let Some(draw) = Draw::of(pool)? {
            let dice = [(draw.count, &draw.bag)];
            let faces = faces_of(if draw.count > 0 { &dice } else { &[] }, meter)?;
            let faces = if down { faces.reversed() } else { faces };
            return Ok(Walked { faces, ranks: draw.ranks, drawn: true });
        }
        if let Some(why) = why_endless(pool) {
            return Err(PoolError::NeverStops(why));
        }
        let told = telling(&pool.stages);
        let stages = clamps_first(&told);
        let (head, tail) = head_and_tail(&stages);
        let faces = match plain_dice(pool, head, meter)? {
            Some(faces) => faces,
            None => {
                let setup = Setup::of(pool, meter)?;
                if !is_still(head) {
                    return Err(PoolError::NoClosedForm);
                }
                let setup = settle(&setup, head, meter)?;
                let worth = Worth::of(&Reading::Sum, &setup, &[]);
                Ranked::of(&setup, &worth, meter)?
            }
        };
        let cuts = |stage: &Stage| matches!(stage, Stage::Keep(..) | Stage::Drop(..));
        if !tail.iter().all(cuts) {
            return Err(PoolError::NoClosedForm);
        }
        let ranks = tail.iter().fold(Ranks::all(faces.count()), |ranks, stage| ranks.after(stage));
        let faces = if down { faces.reversed() } else { faces };
        Ok(Walked { faces, ranks, drawn: false })
    }
}

/// Why throwing would never stop, if it would not. Most pools throw once, or once again where dice are alike,
/// and need no look ahead.
fn why_endless(pool: &Pool) -> Option<Endlessness> {
    let throws_once = |stage: &Stage| match stage {
        Stage::Keep(..) | Stage::Drop(..) | Stage::AtLeast(_) | Stage::AtMost(_) => true,
        Stage::Drawn => true,
        Stage::Reroll { .. } | Stage::Explode { .. } | Stage::InAll { .. } | Stage::Unique => false,
    };
    match pool.stages.as_slice() {
        stages if stages.iter().all(throws_once) => None,
        [Stage::Unique, rest @ ..] if rest.iter().all(throws_once) => never_differ(pool),
        _ => never_stops(pool),
    }
}

/// The faces of plain dice to which nothing is done one by one: they can be taken as they are.
fn plain_dice(pool: &Pool, head: &[Stage], meter: &Meter) -> Result<Option<Ranked>, PoolError> {
    let mut dice = Vec::with_capacity(pool.groups.len());
    for (count, source) in pool.groups.iter().filter(|(count, _)| *count > 0) {
        match source {
            Source::Die(die) => dice.push((*count, die)),
            Source::Total(_) | Source::Fixed(..) => return Ok(None),
        }
    }
    if !head.is_empty() {
        return Ok(None);
    }
    faces_of(&dice, meter).map(Some)
}

/// The faces of plain dice.
fn faces_of(dice: &[(u64, &Die)], meter: &Meter) -> Result<Ranked, PoolError> {
    let size = dice.iter().map(|(_, die)| die.faces().len()).sum::<usize>();
    meter.charge(size as u64)?;
    let mut values: Vec<Rational> =
        dice.iter().flat_map(|(_, die)| die.faces()).map(|(face, _)| face.clone()).collect();
    if dice.len() > 1 {
        values.sort();
        values.dedup();
    }
    let weights = |die: &Die| {
        if values.len() == die.faces().len() {
            return die.faces().iter().map(|(_, weight)| weight.clone()).collect();
        }
        let mut weights = vec![Natural::ZERO; values.len()];
        for (face, weight) in die.faces() {
            if let Ok(place) = values.binary_search(face) {
                weights[place] = weight.clone();
            }
        }
        weights
    };
    let groups = dice.iter().map(|(count, die)| Faces {
        count: *count,
        weights: weights(die),
        total: die.total().clone(),
    });
    let groups = groups.collect();
    let worths = vec![0; values.len()];
    let (lowest, step) = (Rational::ZERO, Rational::ONE);
    Ok(Ranked { values, worths, lowest, step, groups })
}
