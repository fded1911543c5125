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

use super::order::{Ranked, Ranks, binomials};
use super::piece::{Setup, head_and_tail, telling};
use super::still::{is_still, settle};
use super::stops::never_stops;
use super::{Pool, PoolError, Reading, Stage};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Natural, Rational};
use crate::pool::marks::Worth;
use dashu_base::BitTest;
use rustc_hash::FxHashMap;

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

/// The chances of the states after a walk over the faces of some pools, up or down.
pub fn walk<E>(
    pools: &[Pool],
    down: bool,
    step: &mut Step<'_, E>,
    meter: &Meter,
) -> Result<Vec<(usize, Rational)>, WalkError<E>> {
    let walked = pools.iter().map(|pool| Walked::of(pool, down, meter));
    let walked: Vec<Walked> = walked.collect::<Result<_, _>>().map_err(WalkError::Pool)?;
    let path = Path::of(&walked, down);
    let total = path.groups.iter().fold(Natural::ONE, |total, group| {
        total * group.total.pow(usize::try_from(group.count).unwrap_or(usize::MAX))
    });
    let ends = if total.bit_len() < 128 {
        follow::<u128, E>(&path, step, meter)?
    } else {
        follow::<Natural, E>(&path, step, meter)?
    };
    let chance = |weight: Natural| number::ratio(weight, total.clone());
    Ok(ends.into_iter().map(|(state, weight)| (state, chance(weight))).collect())
}

/// A pool as the walk sees it: faces in the order of the walk, and which ranks count.
struct Walked {
    faces: Ranked,
    ranks: Ranks,
}

impl Walked {
    fn of(pool: &Pool, down: bool, meter: &Meter) -> Result<Walked, PoolError> {
        if let Some(why) = never_stops(pool) {
            return Err(PoolError::NeverStops(why));
        }
        let stages = telling(&pool.stages);
        let (head, tail) = head_and_tail(&stages);
        let cuts = |stage: &Stage| matches!(stage, Stage::Keep(..) | Stage::Drop(..));
        if !is_still(head) || !tail.iter().all(cuts) {
            return Err(PoolError::NoClosedForm);
        }
        let setup = Setup::of(pool, meter)?;
        let setup = settle(&setup, head, meter)?;
        let faces = Ranked::of(&setup, &Worth::of(&Reading::Sum, &setup, &[]), meter)?;
        let ranks = tail.iter().fold(Ranks::all(setup.count()), |ranks, stage| ranks.after(stage));
        let faces = if down { faces.reversed() } else { faces };
        Ok(Walked { faces, ranks })
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
}

/// All that a walk passes.
struct Path<'a> {
    pools: &'a [Walked],
    down: bool,
    faces: Vec<Rational>,
    groups: Vec<Group>,
    /// Dice that can show one face only: for each pool and face how many.
    certain: Vec<Vec<u64>>,
}

impl Path<'_> {
    fn of(pools: &[Walked], down: bool) -> Path<'_> {
        let mut faces: Vec<Rational> =
            pools.iter().flat_map(|pool| pool.faces.values.iter().cloned()).collect();
        faces.sort();
        faces.dedup();
        if down {
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
                        weights,
                    }),
                }
            }
        }
        Path { pools, down, faces, groups, certain }
    }

    /// How many dice of a pool count, of those at some ranks in the order of the walk.
    fn counted(&self, pool: usize, passed: u64, dice: u64) -> u64 {
        let pool = &self.pools[pool];
        let all = pool.faces.count();
        match self.down {
            true => pool.ranks.within(all - passed - dice, all - passed),
            false => pool.ranks.within(passed, passed + dice),
        }
    }
}

/// What a path weighs: machine words while they suffice.
trait Weight: Clone {
    fn zero() -> Self;
    fn of(natural: &Natural) -> Self;
    fn is_zero(&self) -> bool;
    fn times(&self, factor: &Self) -> Self;
    fn add(&mut self, more: Self);
    fn natural(self) -> Natural;
}

impl Weight for u128 {
    fn zero() -> Self {
        0
    }

    /// Only called with parts of a total that fits.
    fn of(natural: &Natural) -> Self {
        u128::try_from(natural).unwrap_or(0)
    }

    fn is_zero(&self) -> bool {
        *self == 0
    }

    fn times(&self, factor: &Self) -> Self {
        self * factor
    }

    fn add(&mut self, more: Self) {
        *self += more;
    }

    fn natural(self) -> Natural {
        Natural::from(self)
    }
}

impl Weight for Natural {
    fn zero() -> Self {
        Natural::ZERO
    }

    fn of(natural: &Natural) -> Self {
        natural.clone()
    }

    fn is_zero(&self) -> bool {
        Natural::is_zero(self)
    }

    fn times(&self, factor: &Self) -> Self {
        self * factor
    }

    fn add(&mut self, more: Self) {
        *self += more;
    }

    fn natural(self) -> Natural {
        self
    }
}

/// For each state the weights of the numbers of dice to come, as one table in mixed radix.
type Front<W> = FxHashMap<usize, Vec<W>>;

fn follow<W: Weight, E>(
    path: &Path<'_>,
    step: &mut Step<'_, E>,
    meter: &Meter,
) -> Result<Vec<(usize, Natural)>, WalkError<E>> {
    let sizes: Vec<usize> = path
        .groups
        .iter()
        .map(|group| usize::try_from(group.count).unwrap_or(usize::MAX).saturating_add(1))
        .collect();
    let cells = sizes.iter().fold(1usize, |cells, size| cells.saturating_mul(*size));
    let limbs = path.groups.iter().map(|g| g.total.bit_len() as u64 * g.count).sum::<u64>() / 64;
    let mut certain_passed = vec![0; path.pools.len()];
    meter.charge(cells as u64)?;
    let mut start = vec![W::zero(); cells];
    start[cells - 1] = W::of(&Natural::ONE);
    let mut front: Front<W> = FxHashMap::from_iter([(0, start)]);
    for place in 0..path.faces.len() {
        let ways = ways_at::<W>(path, place);
        let mut crossing = Crossing {
            path,
            place,
            sizes: &sizes,
            ways: &ways,
            certain_passed: &certain_passed,
            next: FxHashMap::default(),
            cells,
            step,
            meter,
            cost: 1 + limbs,
            known: FxHashMap::default(),
        };
        for (state, weights) in front {
            meter.charge(cells as u64)?;
            for (cell, weight) in weights.into_iter().enumerate() {
                if !weight.is_zero() {
                    crossing.cross(state, cell, &weight)?;
                }
            }
        }
        front = crossing.next;
        for (passed, certain) in certain_passed.iter_mut().zip(&path.certain) {
            *passed += certain[place];
        }
    }
    let end = |(state, weights): (usize, Vec<W>)| {
        let weight = weights.into_iter().next()?.natural();
        (!weight.is_zero()).then_some((state, weight))
    };
    let mut ends: Vec<(usize, Natural)> = front.into_iter().filter_map(end).collect();
    ends.sort_by_key(|(state, _)| *state);
    Ok(ends)
}

/// For each group and each number of dice left: in how many ways 0, 1, 2… of them show the face.
fn ways_at<W: Weight>(path: &Path<'_>, place: usize) -> Vec<Vec<Vec<W>>> {
    let ways = |group: &Group| {
        let weight = &group.weights[place];
        (0..=group.count)
            .map(|left| {
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
    sizes: &'a [usize],
    ways: &'a [Vec<Vec<W>>],
    certain_passed: &'a [u64],
    next: Front<W>,
    cells: usize,
    step: &'a mut Step<'s, E>,
    meter: &'a Meter,
    cost: u64,
    known: FxHashMap<(usize, Vec<u64>), usize>,
}

impl<W: Weight, E> Crossing<'_, '_, W, E> {
    /// All ways in which dice of a cell show this face.
    fn cross(&mut self, state: usize, cell: usize, weight: &W) -> Result<(), WalkError<E>> {
        let mut left = Vec::with_capacity(self.sizes.len());
        let mut rest = cell;
        for size in self.sizes.iter().rev() {
            left.push((rest % size) as u64);
            rest /= size;
        }
        left.reverse();
        let mut passed = self.certain_passed.to_vec();
        for (group, left) in self.path.groups.iter().zip(&left) {
            passed[group.pool] += group.count - left;
        }
        let shown = self.path.certain.iter().map(|certain| certain[self.place]).collect();
        self.choose(state, &left, &passed, 0, 0, shown, weight)
    }

    /// Chooses how many dice of one group after the other show the face.
    #[expect(clippy::too_many_arguments, reason = "the path through the groups so far")]
    fn choose(
        &mut self,
        state: usize,
        left: &[u64],
        passed: &[u64],
        group: usize,
        cell: usize,
        shown: Vec<u64>,
        weight: &W,
    ) -> Result<(), WalkError<E>> {
        let Some(dice) = self.path.groups.get(group) else {
            return self.arrive(state, passed, cell, &shown, weight);
        };
        let here = left[group];
        let row = &self.ways[group][here as usize];
        self.meter.charge(self.cost * row.len() as u64)?;
        // At its last face, all that is left of a group shows it.
        let least = if dice.last == self.place { here } else { 0 };
        if dice.last < self.place && here > 0 {
            return Ok(());
        }
        for (count, ways) in row.iter().enumerate().skip(least as usize) {
            let mut shown = shown.clone();
            shown[dice.pool] += count as u64;
            let cell = cell * self.sizes[group] + (here as usize - count);
            self.choose(state, left, passed, group + 1, cell, shown, &weight.times(ways))?;
        }
        Ok(())
    }

    /// Carries the weight to the state after the step; a face that no counted die shows is passed over.
    fn arrive(
        &mut self,
        state: usize,
        passed: &[u64],
        cell: usize,
        shown: &[u64],
        weight: &W,
    ) -> Result<(), WalkError<E>> {
        let counts: Vec<u64> = (0..shown.len())
            .map(|pool| self.path.counted(pool, passed[pool], shown[pool]))
            .collect();
        let to = if counts.iter().all(|count| *count == 0) {
            state
        } else {
            self.stepped(state, counts)?
        };
        let cells = self.cells;
        let table = self.next.entry(to).or_insert_with(|| vec![W::zero(); cells]);
        table[cell].add(weight.clone());
        Ok(())
    }

    fn stepped(&mut self, state: usize, counts: Vec<u64>) -> Result<usize, WalkError<E>> {
        let face = &self.path.faces[self.place];
        if let Some(to) = self.known.get(&(state, counts.clone())) {
            return Ok(*to);
        }
        let to = (self.step)(state, face, &counts).map_err(WalkError::Step)?;
        self.known.insert((state, counts), to);
        Ok(to)
    }
}
