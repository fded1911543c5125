//! A walk by the sizes of sets instead of by faces.
//!
//! ```text
//! walk(20d10, [], (sizes, face, count) => reverse(sort(append(sizes, count))))
//! ```
//!
//! Fair dice, a step that does not look at the face, and steps that commute: what is carried after one face with
//! 3 dice and one with 2 is the same in either order. Then only the multiset of counts matters, a partition of the
//! number of dice, and each partition is followed once, its largest part first. It stands for many hands:
//!
//! * the faces that show it: where `j` of `f` faces have their counts, `k` faces with the next smaller count `v`
//!   are chosen in `C(f − j, k)` ways;
//! * the dice that show them: with `m` dice so far, one more face with `v` of them multiplies the ways to tell which
//!   dice show which face by `C(m + v, v)`.
//!
//! A number of `r` dice is left to `f` faces with at most `v` dice each only if `r ≤ f·v`; so no path ends in nothing.
//! 20d10 has 530 partitions, 30d20 has 5,402.
//!
//! This pays where the partitions lead to states of their own. Where states meet all the time (the largest set of 50
//! dice is one of 50 numbers, and there are 204,226 partitions), the general way is the better one: after some
//! meetings more than new states this one is given up.

use super::path::{Manner, Path, Telling};
use super::weight::{Weight, Words};
use super::{Steps, WalkError};
use crate::meter::Meter;
use crate::number::Natural;

/// More dice or faces go the general way, since a table of binomial coefficients is needed.
const MOST: usize = 200;
/// So many states may meet before their number counts.
const FEW: usize = 200;

type Weights<E> = Result<Option<Vec<(usize, Natural)>>, WalkError<E>>;

/// The weight of each state at the end of a walk with even faces of one kind and with steps that commute. None where
/// there is more than one group, where steps are not told all counts, and where too many states meet.
pub(super) fn follow<S: Steps + ?Sized>(
    path: &Path<'_>,
    steps: &mut S,
    meter: &Meter,
) -> Weights<S::Error> {
    let [group] = path.groups.as_slice() else { return Ok(None) };
    let counted = path.pools.len() == 1 && matches!(path.telling_of(0), Telling::Counted);
    let (dice, faces) = (group.most(), path.faces.len());
    if !counted || group.manner != Manner::Any || dice > MOST || faces > MOST {
        return Ok(None);
    }
    let weights = match path.bits(faces - 1) {
        ..=128 => Sizes::<u128, S>::new(dice, faces, steps, meter)?.ends()?,
        129..=256 => Sizes::<Words<4>, S>::new(dice, faces, steps, meter)?.ends()?,
        _ => Sizes::<Natural, S>::new(dice, faces, steps, meter)?.ends()?,
    };
    let Some(mut weights) = weights.filter(|_| steps.commute()) else { return Ok(None) };
    let each = group.weights[0].pow(dice);
    if !each.is_one() {
        weights.iter_mut().for_each(|(_, weight)| *weight *= &each);
    }
    Ok(Some(weights))
}

/// Rows of a triangle with ones at its sides, each entry otherwise the sum of the two above it.
fn triangle<T: Clone>(rows: usize, one: T, sum: impl Fn(&T, &T) -> T) -> Vec<T> {
    let mut all: Vec<T> = Vec::with_capacity(rows * (rows + 1) / 2);
    for row in 0..rows {
        let above = all.len() - row;
        for at in 0..=row {
            let inside = at > 0 && at < row;
            all.push(if inside {
                sum(&all[above + at - 1], &all[above + at])
            } else {
                one.clone()
            });
        }
    }
    all
}

struct Sizes<'a, W, S: ?Sized> {
    steps: &'a mut S,
    meter: &'a Meter,
    dice: usize,
    faces: usize,
    /// Pascal's triangle, row by row: words, with 0 for what is none, and all of it if something is none.
    choose: Vec<u64>,
    wide: Vec<W>,
    /// The states at the end with their weights; a state may be here more than once.
    ends: Vec<(usize, W)>,
    /// Where the faces of one size lead, for all sizes that are being followed.
    leads: Vec<usize>,
    /// How many states there are, and how often one was met again.
    states: usize,
    met: usize,
}

/// How far a path has come: the state, the dice and the faces it has used up, its weight.
struct Came<W> {
    state: usize,
    dice: usize,
    faces: usize,
    weight: W,
}

impl<'a, W: Weight, S: Steps + ?Sized> Sizes<'a, W, S> {
    fn new(
        dice: usize,
        faces: usize,
        steps: &'a mut S,
        meter: &'a Meter,
    ) -> Result<Self, WalkError<S::Error>> {
        let rows = dice.max(faces) + 1;
        meter.charge((rows * rows / 2) as u64)?;
        let choose = triangle(rows, 1u64, |a, b| match (*a, *b) {
            (0, _) | (_, 0) => 0,
            (a, b) => a.checked_add(b).unwrap_or(0),
        });
        let wide = match choose.contains(&0) {
            true => triangle(rows, W::of(&Natural::ONE), |a, b| {
                let mut sum = a.clone();
                sum.add(b);
                sum
            }),
            false => Vec::new(),
        };
        // There are mostly hundreds of sets of sizes.
        let (ends, leads) = (Vec::with_capacity(512), Vec::with_capacity(dice));
        let (states, met) = (1, 0);
        Ok(Sizes { steps, meter, dice, faces, choose, wide, ends, leads, states, met })
    }

    /// `weight · C(n, k)`.
    #[inline]
    fn times_choose(&self, weight: &W, n: usize, k: usize) -> W {
        let at = n * (n + 1) / 2 + k;
        match self.choose[at] {
            0 => weight.times(&self.wide[at]),
            word => weight.times_word(word),
        }
    }

    fn ends(mut self) -> Weights<S::Error> {
        let start = Came { state: 0, dice: 0, faces: 0, weight: W::of(&Natural::ONE) };
        let most = self.dice;
        if !self.follow(&start, most)? {
            return Ok(None);
        }
        self.ends.sort_by_key(|(state, _)| *state);
        let mut ends: Vec<(usize, Natural)> = Vec::with_capacity(self.ends.len());
        for (state, weight) in &self.ends {
            match ends.last_mut() {
                Some((last, sum)) if last == state => *sum += weight.natural(),
                _ => ends.push((*state, weight.natural())),
            }
        }
        Ok(Some(ends))
    }

    /// Follows all paths in which the counts to come are at most so many; false where it does not pay.
    fn follow(&mut self, came: &Came<W>, most: usize) -> Result<bool, WalkError<S::Error>> {
        let (dice, faces) = (self.dice - came.dice, self.faces - came.faces);
        if dice == 0 {
            self.ends.push((came.state, came.weight.clone()));
            return Ok(true);
        }
        for size in (dice.div_ceil(faces)..=most.min(dice)).rev() {
            let most = faces.min(dice / size);
            self.meter.charge(2 * most as u64)?;
            let first = self.leads.len();
            self.repeated(came.state, size, most)?;
            // Without the ways to choose the faces.
            let mut arranged = came.weight.clone();
            for count in 1..=most {
                let used = came.dice + count * size;
                arranged = self.times_choose(&arranged, used, size);
                if (faces - count) * (size - 1) < self.dice - used {
                    continue;
                }
                let next = Came {
                    state: self.leads[first + count - 1],
                    dice: used,
                    faces: came.faces + count,
                    weight: self.times_choose(&arranged, faces, count),
                };
                if self.met > self.states + FEW || !self.follow(&next, size - 1)? {
                    return Ok(false);
                }
            }
            self.leads.truncate(first);
        }
        Ok(true)
    }

    /// The states after a state and faces with so many dice each, behind all other leads.
    fn repeated(
        &mut self,
        state: usize,
        count: usize,
        times: usize,
    ) -> Result<(), WalkError<S::Error>> {
        let first = self.leads.len();
        let (mut state, mut moves) = (state, true);
        for _ in 0..times {
            if moves {
                let lead = self.steps.step(state, 0, &[count as u64]).map_err(WalkError::Step)?;
                (state, moves) = (lead, lead != state);
            }
            self.leads.push(state);
        }
        for lead in &self.leads[first..] {
            self.met += usize::from(*lead < self.states);
            self.states = self.states.max(*lead + 1);
        }
        Ok(())
    }
}
