//! Following all the ways through a walk, face by face.

use super::front::Front;
use super::known::{Asked, Known};
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
    let sizes = path.groups.iter().map(|group| group.most() + 1);
    let cells = sizes.fold(1usize, usize::saturating_mul);
    meter.charge(cells as u64)?;
    let sizes = path.groups.iter().map(|group| group.most() + 1);
    let mut walker = Walker {
        path,
        known: Known::new(steps.kinds(&path.faces)),
        steps,
        meter,
        cells,
        strides: strides(sizes),
        scales: strides((0..path.pools.len()).map(|pool| path.tellings(pool))),
        certain_passed: vec![0; path.pools.len()],
        counts: vec![0; path.pools.len()],
    };
    let mut start = Fronts { going: Front::empty(cells), ended: Front::empty(cells) };
    *start.going.at(0, 0, meter)? = 1;
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
    cells: usize,
    /// What one more use of a group adds to a cell, and one more die of a pool to a telling.
    strides: Vec<usize>,
    scales: Vec<usize>,
    /// How many dice of each pool that can show one face only came before.
    certain_passed: Vec<u64>,
    /// What a step is told.
    counts: Vec<u64>,
}

/// States that still go on, and those where every die has come.
struct Fronts<W> {
    going: Front<W>,
    ended: Front<W>,
}

impl<W: Weight> Fronts<W> {
    fn widen<V: Weight>(&self) -> Fronts<V> {
        Fronts { going: self.going.widen(), ended: self.ended.widen() }
    }
}

type Weights<S> = Result<Vec<(usize, Natural)>, WalkError<<S as Steps>::Error>>;

/// Goes on with the kind of weight that the next face needs.
macro_rules! widening {
    ($name:ident, $weight:ty, $bits:expr, $wider:ident) => {
        fn $name(&mut self, mut fronts: Fronts<$weight>, from: usize) -> Weights<S> {
            match self.faces(&mut fronts, from, $bits)? {
                None => Ok(self.ends(&fronts)),
                Some(place) => self.$wider(fronts.widen(), place),
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

    fn with_any(&mut self, mut fronts: Fronts<Natural>, from: usize) -> Weights<S> {
        self.faces(&mut fronts, from, usize::MAX)?;
        Ok(self.ends(&fronts))
    }

    /// Passes faces as long as their weights have at most so many bits; the first face beyond them.
    fn faces<W: Weight>(
        &mut self,
        fronts: &mut Fronts<W>,
        from: usize,
        most: usize,
    ) -> Result<Option<usize>, WalkError<S::Error>> {
        let mut ways: Vec<Ways<W>> = Vec::new();
        let mut next = Front::empty(self.cells);
        for place in from..self.path.faces.len() {
            let bits = self.path.bits(place);
            if bits > most {
                return Ok(Some(place));
            }
            self.list_ways(&mut ways, place, place == from);
            next.clear();
            let mut crossing = Crossing {
                ways: &ways,
                place,
                ending: self
                    .path
                    .certain
                    .iter()
                    .all(|certain| certain[place + 1..].iter().all(|dice| *dice == 0)),
                next: &mut next,
                ended: &mut fronts.ended,
                used: vec![0; self.path.groups.len()],
                shown: self.path.certain.iter().map(|certain| certain[place]).collect(),
                passed: vec![0; self.path.pools.len()],
                cost: 1 + bits as u64 / 128,
                walker: self,
            };
            crossing.all(&fronts.going)?;
            std::mem::swap(&mut fronts.going, &mut next);
            self.known.pass(place);
            for (passed, certain) in self.certain_passed.iter_mut().zip(&self.path.certain) {
                *passed += certain[place];
            }
        }
        Ok(None)
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

    fn ends<W: Weight>(&self, fronts: &Fronts<W>) -> Vec<(usize, Natural)> {
        let at_end: Vec<Vec<Natural>> = self.path.groups.iter().map(|g| g.at_end()).collect();
        let factor = |weight: Natural, cell: usize| {
            let uses = at_end.iter().zip(&self.strides);
            uses.fold(weight, |weight, (at_end, stride)| {
                let ways = &at_end[cell / stride % at_end.len()];
                if ways.is_one() { weight } else { weight * ways }
            })
        };
        let sum = |front: &Front<W>, state: usize| {
            let cells = front.cells(state).map(|(cell, weight)| factor(weight.natural(), cell));
            cells.fold(Natural::ZERO, |sum, weight| sum + weight)
        };
        let Fronts { going, ended } = fronts;
        let only_going = going.states.iter().filter(|state| ended.window(**state).1.is_empty());
        let states = ended.states.iter().chain(only_going);
        let weight = |state: &usize| (*state, sum(ended, *state) + sum(going, *state));
        states.map(weight).filter(|(_, weight)| !weight.is_zero()).collect()
    }

    /// Where a state leads on a face; asks the step if it was not asked before.
    #[cold]
    fn ask(
        &mut self,
        asked: Asked,
        state: usize,
        place: usize,
        telling: usize,
    ) -> Result<usize, WalkError<S::Error>> {
        for (pool, count) in self.counts.iter_mut().enumerate() {
            *count = (telling / self.scales[pool] % self.path.tellings(pool)) as u64;
        }
        let lead = self.steps.step(state, place, &self.counts).map_err(WalkError::Step)?;
        self.known.learn(asked, telling, lead);
        Ok(lead)
    }
}

/// One face of the walk.
struct Crossing<'a, 'w, S, W> {
    walker: &'a mut Walker<'w, S>,
    ways: &'a [Ways<W>],
    place: usize,
    /// Whether a state has ended once all groups are used up.
    ending: bool,
    next: &'a mut Front<W>,
    ended: &'a mut Front<W>,
    /// How far each group is used up.
    used: Vec<usize>,
    /// How many dice of each pool show the face, as far as it is chosen.
    shown: Vec<u64>,
    /// How many dice of each pool came before.
    passed: Vec<u64>,
    /// What one way costs.
    cost: u64,
}

/// What the last group adds to.
struct Sum<'a, W> {
    state: usize,
    cell: usize,
    weight: &'a W,
}

impl<S: Steps, W: Weight> Crossing<'_, '_, S, W> {
    fn all(&mut self, front: &Front<W>) -> Result<(), WalkError<S::Error>> {
        let single = self.walker.path.groups.len() == 1;
        for &state in &front.states {
            if single {
                let (low, weights) = front.window(state);
                self.cross_single(state, low, weights)?;
                continue;
            }
            for (cell, weight) in front.cells(state) {
                self.cross(state, cell, weight)?;
            }
        }
        Ok(())
    }

    /// All ways from a state with a single group of dice.
    fn cross_single(
        &mut self,
        state: usize,
        low: usize,
        weights: &[W],
    ) -> Result<(), WalkError<S::Error>> {
        let path = self.walker.path;
        let group = &path.groups[0];
        let (least, most) = group.at(self.place, low);
        let ways = (weights.len() * (most - least + 2) / 2) as u64;
        self.walker.meter.charge(ways.saturating_mul(self.cost))?;
        for (at, weight) in weights.iter().enumerate().filter(|(_, weight)| !weight.is_zero()) {
            self.used[0] = low + at;
            self.passed.copy_from_slice(&self.walker.certain_passed);
            self.passed[group.pool] += (low + at) as u64;
            self.choose_last(0, &Sum { state, cell: low + at, weight })?;
        }
        Ok(())
    }

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
        self.choose(0, &Sum { state, cell, weight })
    }

    /// Chooses how many dice of one group after the other show the face.
    fn choose(&mut self, group: usize, sum: &Sum<'_, W>) -> Result<(), WalkError<S::Error>> {
        let path = self.walker.path;
        let Some(dice) = path.groups.get(group) else { return self.arrive(sum) };
        if group + 1 == path.groups.len() {
            return self.choose_last(group, sum);
        }
        let (least, most) = dice.at(self.place, self.used[group]);
        let ways = self.ways;
        let row = ways[group].after(self.used[group]);
        for count in least..=most {
            self.shown[dice.pool] += count as u64;
            let weight = match row {
                Row::Words(ways) => sum.weight.times_word(ways[count]),
                Row::Wide(ways) => sum.weight.times(&ways[count]),
            };
            let cell = sum.cell + count * self.walker.strides[group];
            self.choose(group + 1, &Sum { state: sum.state, cell, weight: &weight })?;
            self.shown[dice.pool] -= count as u64;
        }
        Ok(())
    }

    /// All dice are certain.
    fn arrive(&mut self, sum: &Sum<'_, W>) -> Result<(), WalkError<S::Error>> {
        let pools = 0..self.shown.len();
        let telling =
            pools.map(|pool| self.told(pool) as usize * self.walker.scales[pool]).sum::<usize>();
        let asked =
            self.walker.known.room(self.place, sum.state, telling + 1, self.walker.meter)?;
        let lead = self.lead(asked, sum.state, telling)?;
        self.next.at(lead, sum.cell, self.walker.meter)?.add(sum.weight);
        Ok(())
    }

    /// Chooses how many dice of the last group show the face: here most of the work is done.
    fn choose_last(&mut self, group: usize, sum: &Sum<'_, W>) -> Result<(), WalkError<S::Error>> {
        let path = self.walker.path;
        let dice = &path.groups[group];
        let pool = dice.pool;
        let (least, most) = dice.at(self.place, self.used[group]);
        let (passed, shown) = (self.passed[pool], self.shown[pool]);
        let others = self.telling_but(pool);
        let scale = self.walker.scales[pool];
        let told = |count: usize| path.told(pool, passed, shown + count as u64) as usize * scale;
        let tellings = others + told(most) + 1;
        let asked = self.walker.known.room(self.place, sum.state, tellings, self.walker.meter)?;
        let ways = self.ways;
        let row = ways[group].after(self.used[group]);
        for count in least..=most {
            let lead = self.lead(asked, sum.state, others + told(count))?;
            let cell = sum.cell + count;
            let front = match cell + 1 == self.walker.cells && self.ending {
                true => &mut *self.ended,
                false => &mut *self.next,
            };
            let place = front.at(lead, cell, self.walker.meter)?;
            match row {
                Row::Words(ways) => place.add_times(sum.weight, ways[count]),
                Row::Wide(ways) => place.add(&sum.weight.times(&ways[count])),
            }
        }
        Ok(())
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
    fn lead(
        &mut self,
        asked: Asked,
        state: usize,
        telling: usize,
    ) -> Result<usize, WalkError<S::Error>> {
        if telling == 0 {
            return Ok(state);
        }
        match self.walker.known.lead(asked, telling) {
            Some(lead) => Ok(lead),
            None => self.walker.ask(asked, state, self.place, telling),
        }
    }
}
