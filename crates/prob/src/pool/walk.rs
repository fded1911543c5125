//! A walk over pools by face: for each face that shows, how many dice show it, and a state carried along.
//!
//! ```text
//! 1 2 2 5 5 5   walked up   is   (1, one die)  (2, two dice)  (5, three dice)
//! ```
//!
//! The largest set, the longest straight, pairs, or two pools compared die by die are all such walks
//! with a small state. Their odds need no hands: going through the faces in order, it is enough to know
//! the state and how many dice of each group are still to come. Of `r` such dice, `c` show the next face
//! in `C(r, c)·wᶜ` ways. A keep or drop only hides ranks, and the rank of a die is known from how many
//! dice came before it.
//!
//! States are the caller's: numbers, from 0 for the first one. What a step does is asked once for each
//! state, face and counts.

use super::marks::Worth;
use super::order::{Ranked, Ranks, binomials};
use super::piece::{Setup, head_and_tail, telling};
use super::still::{is_still, settle};
use super::stops::never_stops;
use super::unique::is_fair;
use super::{Pool, PoolError, Reading, Stage};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Natural, Rational};
use dashu_base::BitTest;

#[cfg(test)]
mod tests;
mod weight;
use weight::{U256, Weight};

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

/// What a step makes of a state: the state, the face, and how many dice of each pool show it.
pub type Step<'a, E> = dyn FnMut(usize, &Rational, &[u64]) -> Result<usize, E> + 'a;

/// How a walk goes.
#[derive(Clone, Debug)]
pub struct Way {
    /// From the highest face to the lowest.
    pub down: bool,
    /// For each pool whether a step looks at how many dice show the face. Where it does not, it is told
    /// 1 for any number of dice.
    pub counts: Vec<bool>,
}

/// The chances of the states after a walk over the faces of some pools.
pub fn walk<E>(
    pools: &[Pool],
    way: &Way,
    step: &mut Step<'_, E>,
    meter: &Meter,
) -> Result<Vec<(usize, Rational)>, WalkError<E>> {
    let walked = pools.iter().map(|pool| Walked::of(pool, way.down, meter));
    let walked: Vec<Walked> = walked.collect::<Result<_, _>>().map_err(WalkError::Pool)?;
    let path = Path::of(&walked, way);
    path.pay(meter)?;
    let total = path.groups.iter().fold(Natural::ONE, |total, group| total * group.all());
    let ends = match total.bit_len() {
        ..128 => follow::<u128, E>(&path, step, meter)?,
        128..256 => follow::<U256, E>(&path, step, meter)?,
        _ => follow::<Natural, E>(&path, step, meter)?,
    };
    let chance = |weight: Natural| number::ratio(weight, total.clone());
    Ok(ends.into_iter().map(|(state, weight)| (state, chance(weight))).collect())
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

/// Equal dice that are still to come, on the list of all faces.
struct Group {
    pool: usize,
    count: u64,
    weights: Vec<Natural>,
    total: Natural,
    /// The place of its last face: what is left must show it.
    last: usize,
    /// No two of them show the same.
    differ: bool,
}

impl Group {
    /// The weight of all that its dice can show.
    fn all(&self) -> Natural {
        let count = usize::try_from(self.count).unwrap_or(usize::MAX);
        if !self.differ {
            return self.total.pow(count);
        }
        let faces = self.weights.iter().filter(|weight| !weight.is_zero()).count() as u64;
        binomials(faces, count.saturating_add(1)).last().unwrap_or_default()
    }
}

/// All that a walk passes.
struct Path<'a> {
    pools: &'a [Walked],
    way: &'a Way,
    faces: Vec<Rational>,
    groups: Vec<Group>,
    /// Dice that can show one face only: for each pool and face how many.
    certain: Vec<Vec<u64>>,
}

impl<'a> Path<'a> {
    fn of(pools: &'a [Walked], way: &'a Way) -> Path<'a> {
        let mut faces: Vec<Rational> =
            pools.iter().flat_map(|pool| pool.faces.values.iter().cloned()).collect();
        faces.sort();
        faces.dedup();
        if way.down {
            faces.reverse();
        }
        let mut groups = Vec::new();
        let mut certain = vec![vec![0; faces.len()]; pools.len()];
        for (number, pool) in pools.iter().enumerate() {
            let places: Vec<usize> = pool
                .faces
                .values
                .iter()
                .filter_map(|v| faces.iter().position(|f| f == v))
                .collect();
            for dice in &pool.faces.groups {
                let mut weights = vec![Natural::ZERO; faces.len()];
                for (place, weight) in places.iter().zip(&dice.weights) {
                    weights[*place] = weight.clone();
                }
                let shown: Vec<usize> =
                    (0..faces.len()).filter(|place| !weights[*place].is_zero()).collect();
                match shown.as_slice() {
                    [] => {}
                    [only] => certain[number][*only] += dice.count,
                    [.., last] => groups.push(Group {
                        pool: number,
                        count: dice.count,
                        total: dice.total.clone(),
                        last: *last,
                        differ: pool.differ,
                        weights,
                    }),
                }
            }
        }
        Path { pools, way, faces, groups, certain }
    }

    /// The ways of each face are listed for each number of dice to come: their cost, before any of it.
    fn pay(&self, meter: &Meter) -> Result<(), OverBudget> {
        for group in &self.groups {
            let dice = usize::try_from(group.count).unwrap_or(usize::MAX);
            let bits = dice.saturating_mul(group.total.bit_len());
            let rows = if group.differ { 2 } else { dice / 2 + 1 };
            meter.charge_product(self.faces.len().saturating_mul(dice), rows, bits)?;
        }
        Ok(())
    }

    /// What a step is told of the dice of a pool at some ranks in the order of the walk.
    fn told(&self, number: usize, passed: u64, dice: u64) -> u64 {
        let pool = &self.pools[number];
        let all = pool.faces.count();
        let counted = match self.way.down {
            true => pool.ranks.within(all - passed - dice, all - passed),
            false => pool.ranks.within(passed, passed + dice),
        };
        if self.way.counts[number] { counted } else { counted.min(1) }
    }
}

/// For each state the weights of the numbers of dice to come, as one table in mixed radix; none where
/// the state is not reached.
type Front<W> = Vec<Option<Vec<W>>>;

fn follow<W: Weight, E>(
    path: &Path<'_>,
    step: &mut Step<'_, E>,
    meter: &Meter,
) -> Result<Vec<(usize, Natural)>, WalkError<E>> {
    let size = |count: u64| usize::try_from(count).unwrap_or(usize::MAX).saturating_add(1);
    let sizes: Vec<usize> = path.groups.iter().map(|group| size(group.count)).collect();
    let cells = sizes.iter().fold(1usize, |cells, size| cells.saturating_mul(*size));
    let shows: Vec<usize> = path.pools.iter().map(|pool| size(pool.faces.count())).collect();
    let bits = path.groups.iter().map(|g| g.total.bit_len() as u64 * g.count).sum::<u64>();
    let mut certain_passed = vec![0; path.pools.len()];
    meter.charge(cells as u64)?;
    let mut start = vec![W::zero(); cells];
    start[cells - 1] = W::of(&Natural::ONE);
    let mut front: Front<W> = vec![Some(start)];
    for place in 0..path.faces.len() {
        let ways = ways_at::<W>(path, place);
        let mut crossing = Crossing {
            path,
            place,
            sizes: &sizes,
            shows: &shows,
            ways: &ways,
            shown: path.certain.iter().map(|certain| certain[place]).collect(),
            passed: Vec::new(),
            left: vec![0; sizes.len()],
            next: Vec::new(),
            cells,
            step,
            meter,
            known: Vec::new(),
        };
        for (state, weights) in front.into_iter().enumerate() {
            let Some(weights) = weights else { continue };
            meter.charge(cells as u64 / 8 + 1)?;
            crossing.known.clear();
            for (cell, weight) in weights.into_iter().enumerate() {
                if !weight.is_zero() {
                    crossing.cross(state, cell, &weight, &certain_passed, 1 + bits / 128)?;
                }
            }
        }
        front = crossing.next;
        for (passed, certain) in certain_passed.iter_mut().zip(&path.certain) {
            *passed += certain[place];
        }
    }
    let end = |(state, weights): (usize, Option<Vec<W>>)| {
        let weight = weights?.into_iter().next()?.natural();
        (!weight.is_zero()).then_some((state, weight))
    };
    Ok(front.into_iter().enumerate().filter_map(end).collect())
}

/// For each group and each number of dice left: in how many ways 0, 1, 2… of them show the face.
fn ways_at<W: Weight>(path: &Path<'_>, place: usize) -> Vec<Vec<Vec<W>>> {
    let ways = |group: &Group| {
        let weight = &group.weights[place];
        (0..=group.count)
            .map(|left| {
                if group.differ {
                    // One of them, or none; in which order they were thrown does not matter.
                    let most = usize::from(left > 0 && !weight.is_zero());
                    return vec![W::of(&Natural::ONE); 1 + most];
                }
                let most = if weight.is_zero() { 0 } else { left };
                let mut power = Natural::ONE;
                let row = binomials(left, usize::try_from(most).unwrap_or(0) + 1).map(|choose| {
                    let ways = W::of(&(choose * &power));
                    power *= weight;
                    ways
                });
                row.collect()
            })
            .collect()
    };
    path.groups.iter().map(ways).collect()
}

/// One face of the walk.
struct Crossing<'a, 's, W, E> {
    path: &'a Path<'a>,
    place: usize,
    /// For each group how many numbers of dice there are, for each pool how many counts.
    sizes: &'a [usize],
    shows: &'a [usize],
    ways: &'a [Vec<Vec<W>>],
    /// How many dice of each pool show the face, as far as it is chosen.
    shown: Vec<u64>,
    /// How many dice of each pool came before.
    passed: Vec<u64>,
    /// How many dice of each group are left.
    left: Vec<usize>,
    next: Front<W>,
    cells: usize,
    step: &'a mut Step<'s, E>,
    meter: &'a Meter,
    /// Where the present state leads, by the counts.
    known: Vec<Option<usize>>,
}

impl<W: Weight, E> Crossing<'_, '_, W, E> {
    /// All ways in which dice of a cell show this face.
    fn cross(
        &mut self,
        state: usize,
        cell: usize,
        weight: &W,
        certain_passed: &[u64],
        cost: u64,
    ) -> Result<(), WalkError<E>> {
        let mut rest = cell;
        for (left, size) in self.left.iter_mut().zip(self.sizes).rev() {
            *left = rest % size;
            rest /= size;
        }
        self.passed.clear();
        self.passed.extend_from_slice(certain_passed);
        let mut ways = 1u64;
        for ((group, left), rows) in self.path.groups.iter().zip(&self.left).zip(self.ways) {
            self.passed[group.pool] += group.count - *left as u64;
            ways = ways.saturating_mul(rows[*left].len() as u64);
        }
        self.meter.charge(ways.saturating_mul(cost))?;
        self.choose(state, 0, 0, weight)
    }

    /// Chooses how many dice of one group after the other show the face.
    fn choose(
        &mut self,
        state: usize,
        group: usize,
        cell: usize,
        weight: &W,
    ) -> Result<(), WalkError<E>> {
        let Some(dice) = self.path.groups.get(group) else {
            return self.arrive(state, cell, weight);
        };
        let here = self.left[group];
        let ways = self.ways;
        // At its last face, all that is left of a group shows it.
        let least = if dice.last == self.place { here } else { 0 };
        for (count, ways) in ways[group][here].iter().enumerate().skip(least) {
            self.shown[dice.pool] += count as u64;
            let cell = cell * self.sizes[group] + (here - count);
            self.choose(state, group + 1, cell, &weight.times(ways))?;
            self.shown[dice.pool] -= count as u64;
        }
        Ok(())
    }

    /// Carries the weight to the state after the step; a face that no counted die shows is passed over.
    fn arrive(&mut self, state: usize, cell: usize, weight: &W) -> Result<(), WalkError<E>> {
        let mut place = 0;
        let mut any = false;
        for (pool, size) in self.shows.iter().enumerate() {
            let told = self.path.told(pool, self.passed[pool], self.shown[pool]);
            any |= told > 0;
            place = place * size + told as usize;
        }
        let to = if any { self.stepped(state, place)? } else { state };
        if self.next.len() <= to {
            self.next.resize(to + 1, None);
        }
        let cells = self.cells;
        if self.next[to].is_none() {
            // Every state has a table of its own.
            self.meter.charge(cells as u64)?;
        }
        self.next[to].get_or_insert_with(|| vec![W::zero(); cells])[cell].add(weight);
        Ok(())
    }

    /// Where the present state leads with these counts.
    fn stepped(&mut self, state: usize, place: usize) -> Result<usize, WalkError<E>> {
        if let Some(Some(to)) = self.known.get(place) {
            return Ok(*to);
        }
        let told = |pool: usize| self.path.told(pool, self.passed[pool], self.shown[pool]);
        let counts: Vec<u64> = (0..self.shows.len()).map(told).collect();
        let face = &self.path.faces[self.place];
        let to = (self.step)(state, face, &counts).map_err(WalkError::Step)?;
        if self.known.len() <= place {
            self.known.resize(place + 1, None);
        }
        self.known[place] = Some(to);
        Ok(to)
    }
}
