//! Following all the ways through a walk, face by face.

use super::front::Front;
use super::known::Known;
use super::path::Path;
use super::ways::{Row, Ways};
use super::weight::{Weight, Words};
use super::{Steps, WalkError};
use crate::meter::Meter;
use crate::number::Natural;

/// The weight of each state after the last face.
pub(super) fn follow<S: Steps>(
    path: &Path<'_>,
    steps: &mut S,
    meter: &Meter,
) -> Result<Vec<(usize, Natural)>, WalkError<S::Error>> {
    let cells =
        path.groups.iter().fold(1usize, |cells, group| cells.saturating_mul(group.most() + 1));
    meter.charge(cells as u64)?;
    let mut walker = Walker {
        path,
        known: Known::new(steps.kinds(&path.faces)),
        steps,
        meter,
        strides: strides(path.groups.iter().map(|group| group.most() + 1)),
        scales: strides((0..path.pools.len()).map(|pool| path.tellings(pool))),
        certain_passed: vec![0; path.pools.len()],
    };
    let mut start = Front::empty(cells);
    *start.at(0, 0, meter)? = 1;
    walker.with_words(start, 0)
}

/// What one more counts for, where the first of several numbers has the most weight.
fn strides(sizes: impl DoubleEndedIterator<Item = usize>) -> Vec<usize> {
    let mut next = 1usize;
    let mut strides: Vec<usize> = sizes
        .rev()
        .map(|size| {
            let stride = next;
            next = next.saturating_mul(size);
            stride
        })
        .collect();
    strides.reverse();
    strides
}

struct Walker<'a, S> {
    path: &'a Path<'a>,
    known: Known,
    steps: &'a mut S,
    meter: &'a Meter,
    /// What one more use of a group adds to a cell, and one more die of a pool to a telling.
    strides: Vec<usize>,
    scales: Vec<usize>,
    /// How many dice of each pool that can show one face only came before.
    certain_passed: Vec<u64>,
}

type Weights<S> = Result<Vec<(usize, Natural)>, WalkError<<S as Steps>::Error>>;

/// Goes on with the kind of weight that the next face needs.
macro_rules! widening {
    ($name:ident, $weight:ty, $bits:expr, $wider:ident) => {
        fn $name(&mut self, front: Front<$weight>, place: usize) -> Weights<S> {
            let (front, place) = self.faces(front, place, $bits)?;
            match place == self.path.faces.len() {
                true => Ok(self.ends(&front)),
                false => self.$wider(front.widen(), place),
            }
        }
    };
}

impl<S: Steps> Walker<'_, S> {
    widening!(with_words, u64, 64, with_two);
    widening!(with_two, u128, 128, with_three);
    widening!(with_three, Words<3>, 192, with_four);
    widening!(with_four, Words<4>, 256, with_eight);
    widening!(with_eight, Words<8>, 512, with_any);

    fn with_any(&mut self, front: Front<Natural>, place: usize) -> Weights<S> {
        let (front, _) = self.faces(front, place, usize::MAX)?;
        Ok(self.ends(&front))
    }

    /// Passes faces as long as their weights have at most so many bits.
    fn faces<W: Weight>(
        &mut self,
        mut front: Front<W>,
        from: usize,
        most: usize,
    ) -> Result<(Front<W>, usize), WalkError<S::Error>> {
        let mut ways: Vec<Ways<W>> = Vec::new();
        for place in from..self.path.faces.len() {
            let bits = self.path.bits(place);
            if bits > most {
                return Ok((front, place));
            }
            self.list_ways(&mut ways, place, place == from);
            front = self.face(&front, &ways, place, bits)?;
        }
        Ok((front, self.path.faces.len()))
    }

    /// The ways of each group at a face; those of the face before still hold where the weight is the same.
    fn list_ways<W: Weight>(&self, ways: &mut Vec<Ways<W>>, place: usize, afresh: bool) {
        if afresh {
            *ways = self.path.groups.iter().map(|group| Ways::of(group, place)).collect();
            return;
        }
        for (group, ways) in self.path.groups.iter().zip(ways) {
            if group.weights[place] != group.weights[place - 1] {
                *ways = Ways::of(group, place);
            }
        }
    }

    fn face<W: Weight>(
        &mut self,
        front: &Front<W>,
        ways: &[Ways<W>],
        place: usize,
        bits: usize,
    ) -> Result<Front<W>, WalkError<S::Error>> {
        let path = self.path;
        let groups = path.groups.len();
        let cells = path.groups.iter().fold(1usize, |cells, group| cells * (group.most() + 1));
        let mut crossing = Crossing {
            ways,
            place,
            next: Front::empty(cells),
            used: vec![0; groups],
            shown: path.certain.iter().map(|certain| certain[place]).collect(),
            passed: vec![0; path.pools.len()],
            cost: 1 + bits as u64 / 128,
            walker: self,
        };
        for &state in &front.states {
            for (cell, weight) in front.cells(state) {
                crossing.cross(state, cell, weight)?;
            }
        }
        let next = crossing.next;
        self.known.pass(place);
        for (passed, certain) in self.certain_passed.iter_mut().zip(&path.certain) {
            *passed += certain[place];
        }
        Ok(next)
    }

    fn ends<W: Weight>(&self, front: &Front<W>) -> Vec<(usize, Natural)> {
        let at_end: Vec<Vec<Natural>> = self.path.groups.iter().map(|g| g.at_end()).collect();
        let factor = |cell: usize| {
            let uses = at_end
                .iter()
                .zip(&self.strides)
                .map(|(at_end, stride)| at_end[cell / stride % at_end.len()].clone());
            uses.fold(
                Natural::ONE,
                |product, ways| if ways.is_one() { product } else { product * ways },
            )
        };
        let weight = |state: &usize| {
            let cells = front.cells(*state).map(|(cell, weight)| weight.natural() * factor(cell));
            (*state, cells.fold(Natural::ZERO, |sum, weight| sum + weight))
        };
        front.states.iter().map(weight).filter(|(_, weight)| !weight.is_zero()).collect()
    }
}

/// One face of the walk.
struct Crossing<'a, 'w, S, W> {
    walker: &'a mut Walker<'w, S>,
    ways: &'a [Ways<W>],
    place: usize,
    next: Front<W>,
    /// How far each group is used up.
    used: Vec<usize>,
    /// How many dice of each pool show the face, as far as it is chosen.
    shown: Vec<u64>,
    /// How many dice of each pool came before.
    passed: Vec<u64>,
    /// What one way costs.
    cost: u64,
}

impl<S: Steps, W: Weight> Crossing<'_, '_, S, W> {
    /// All ways in which dice of a cell show this face.
    fn cross(&mut self, state: usize, cell: usize, weight: &W) -> Result<(), WalkError<S::Error>> {
        let path = self.walker.path;
        self.passed.copy_from_slice(&self.walker.certain_passed);
        let mut ways = 1u64;
        for (at, group) in path.groups.iter().enumerate() {
            let used = cell / self.walker.strides[at] % (group.most() + 1);
            let (least, most) = group.at(self.place, used);
            ways = ways.saturating_mul((most + 1 - least) as u64);
            self.used[at] = used;
            self.passed[group.pool] += used as u64;
        }
        self.walker.meter.charge(ways.saturating_mul(self.cost))?;
        self.choose(state, 0, cell, weight)
    }

    /// Chooses how many dice of one group after the other show the face.
    fn choose(
        &mut self,
        state: usize,
        group: usize,
        cell: usize,
        weight: &W,
    ) -> Result<(), WalkError<S::Error>> {
        let path = self.walker.path;
        let Some(dice) = path.groups.get(group) else {
            let lead = self.lead(state, self.telling())?;
            self.next.at(lead, cell, self.walker.meter)?.add(weight);
            return Ok(());
        };
        if group + 1 == path.groups.len() {
            return self.choose_last(state, group, cell, weight);
        }
        let (least, most) = dice.at(self.place, self.used[group]);
        let ways = self.ways;
        let row = ways[group].after(self.used[group]);
        for count in least..=most {
            self.shown[dice.pool] += count as u64;
            let cell = cell + count * self.walker.strides[group];
            let product = match row {
                Row::Words(ways) => weight.times_word(ways[count]),
                Row::Wide(ways) => weight.times(&ways[count]),
            };
            self.choose(state, group + 1, cell, &product)?;
            self.shown[dice.pool] -= count as u64;
        }
        Ok(())
    }

    /// The same for the last group: here most of the work is done.
    fn choose_last(
        &mut self,
        state: usize,
        group: usize,
        cell: usize,
        weight: &W,
    ) -> Result<(), WalkError<S::Error>> {
        let path = self.walker.path;
        let dice = &path.groups[group];
        let pool = dice.pool;
        let (least, most) = dice.at(self.place, self.used[group]);
        let (passed, shown) = (self.passed[pool], self.shown[pool]);
        let others = self.telling_but(pool);
        let scale = self.walker.scales[pool];
        let ways = self.ways;
        let row = ways[group].after(self.used[group]);
        for count in least..=most {
            self.shown[pool] = shown + count as u64;
            let told = path.told(pool, passed, shown + count as u64) as usize;
            let lead = self.lead(state, others + told * scale)?;
            let sum = self.next.at(lead, cell + count, self.walker.meter)?;
            match row {
                Row::Words(ways) => sum.add_times(weight, ways[count]),
                Row::Wide(ways) => sum.add(&weight.times(&ways[count])),
            }
        }
        self.shown[pool] = shown;
        Ok(())
    }

    /// What the step is told, as one number; 0: no die that counts shows the face.
    fn telling(&self) -> usize {
        (0..self.shown.len()).map(|pool| self.told(pool) as usize * self.walker.scales[pool]).sum()
    }

    fn telling_but(&self, but: usize) -> usize {
        let pools = (0..self.shown.len()).filter(|pool| *pool != but);
        pools.map(|pool| self.told(pool) as usize * self.walker.scales[pool]).sum()
    }

    fn told(&self, pool: usize) -> u64 {
        self.walker.path.told(pool, self.passed[pool], self.shown[pool])
    }

    /// Where a state leads; a face that no counted die shows is passed over.
    #[inline]
    fn lead(&mut self, state: usize, telling: usize) -> Result<usize, WalkError<S::Error>> {
        if telling == 0 {
            return Ok(state);
        }
        let (path, passed, shown) = (self.walker.path, &self.passed, &self.shown);
        let told = |pool: usize| path.told(pool, passed[pool], shown[pool]);
        let counts = || (0..shown.len()).map(told).collect();
        let walker = &mut *self.walker;
        walker.known.lead((state, self.place, telling), counts, walker.steps, walker.meter)
    }
}
