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

use super::marks::Worth;
use super::order::{Ranked, Ranks};
use super::piece::{Setup, head_and_tail, telling};
use super::still::{is_still, settle};
use super::stops::never_stops;
use super::unique::is_fair;
use super::{Pool, PoolError, Reading, Stage};
use crate::meter::{Meter, OverBudget};
use crate::number::{Natural, Rational};

mod follow;
mod front;
mod known;
mod path;
#[cfg(test)]
mod tests;
mod ways;
mod weight;

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
    /// The states, each once, with weights that are not zero.
    pub weights: Vec<(usize, Natural)>,
    /// The sum.
    pub total: Natural,
}

/// The weights of the states after a walk over the faces of some pools.
pub fn walk<S: Steps>(
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
    let weights = follow::follow(&path, steps, meter)?;
    Ok(Ends { weights, total })
}

/// A pool as the walk sees it: faces in the order of the walk, and which ranks count.
struct Walked {
    faces: Ranked,
    ranks: Ranks,
    /// The dice are fair and all differ: every set of faces is equally likely.
    differ: bool,
}

impl Walked {
    fn of(pool: &Pool, down: bool, meter: &Meter) -> Result<Walked, PoolError> {
        if let Some(why) = never_stops(pool) {
            return Err(PoolError::NeverStops(why));
        }
        let stages = telling(&pool.stages);
        let (head, tail) = head_and_tail(&stages);
        let setup = Setup::of(pool, meter)?;
        let differ = stages.first() == Some(&Stage::Unique) && is_fair(&setup);
        let tail = if differ { &tail[1..] } else { tail };
        let cuts = |stage: &Stage| matches!(stage, Stage::Keep(..) | Stage::Drop(..));
        if !is_still(head) || !tail.iter().all(cuts) {
            return Err(PoolError::NoClosedForm);
        }
        let setup = settle(&setup, head, meter)?;
        let faces = Ranked::of(&setup, &Worth::of(&Reading::Sum, &setup, &[]), meter)?;
        let ranks = tail.iter().fold(Ranks::all(setup.count()), |ranks, stage| ranks.after(stage));
        let faces = if down { faces.reversed() } else { faces };
        Ok(Walked { faces, ranks, differ })
    }
}
