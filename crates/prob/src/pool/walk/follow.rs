//! Following all the ways through a walk, face by face.

use super::super::order::binomials;
use super::front::Front;
use super::known::{Asked, Known};
use super::path::{Manner, Path, Telling};
use super::ways::{Row, Ways};
use super::weight::{Weight, Words};
use super::{Steps, WalkError};
use crate::growing::lengthen;
use crate::meter::{Meter, OverBudget};
use crate::number::Natural;

/// The weight of each state after the last face.
pub(super) fn follow<S: Steps + ?Sized>(
    path: &Path<'_>,
    known: Known,
    steps: &mut S,
    meter: &Meter,
) -> Result<Vec<(usize, Natural)>, WalkError<S::Error>> {
    let sizes = path.groups.iter().map(|group| group.most() + 1);
    let cells = sizes.fold(1usize, usize::saturating_mul);
    meter.charge(cells as u64)?;
    let sizes = path.groups.iter().map(|group| group.most() + 1);
    let even = known.one_kind() && path.is_even();
    let faces = path.faces.len();
    let choose_faces = if even { binomials(faces as u64, faces + 1).collect() } else { Vec::new() };
    let mut walker = Walker {
        path,
        known,
        steps,
        meter,
        cells,
        strides: strides(sizes),
        scales: strides((0..path.pools.len()).map(|pool| path.tellings(pool))),
        certain_passed: vec![0; path.pools.len()],
        counts: vec![0; path.pools.len()],
        even,
        choose_faces,
        totals: Vec::new(),
    };
    let mut start = Fronts { going: Front::empty(cells), ended: Front::empty(cells) };
    *start.going.at(0, 0, meter)? = 1;
    walker.with_words(start, 0)
}

/// The binomial coefficients of a longer run might not be words.
const LONGEST_RUN: usize = 60;

/// How many faces can be passed at once: a single group shows each at most once, and all are of one kind.
/// None: not in this way.
pub(super) fn run_from(path: &Path<'_>, known: &Known, place: usize) -> usize {
    let [group] = path.groups.as_slice() else { return 0 };
    let certain = path.certain.iter().any(|certain| certain[place..].iter().any(|d| *d > 0));
    let ranked = matches!(path.telling_of(group.pool), Telling::Ranked);
    if group.manner == Manner::Any || certain || ranked {
        return 0;
    }
    let once = |weight: &&Natural| match group.manner {
        Manner::Drawn => weight.is_one(),
        Manner::Any | Manner::Cover => !weight.is_zero(),
    };
    let shows = group.weights[place..].iter().take_while(once).count();
    known.run(place).min(shows).min(LONGEST_RUN)
}

/// What one more counts for, where the first of several numbers has the most weight.
pub(super) fn strides(sizes: impl DoubleEndedIterator<Item = usize>) -> Vec<usize> {
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

struct Walker<'a, S: ?Sized> {
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
    /// Every face is like every other. Then for each number of faces in how many ways they are chosen, and
    /// the weights of states that have ended.
    even: bool,
    choose_faces: Vec<Natural>,
    totals: Vec<Natural>,
}

/// States that still go on, and those where every die has come.
struct Fronts<W> {
    going: Front<W>,
    ended: Front<W>,
}

impl<W: Weight> Fronts<W> {
    fn widen<V: Weight>(self, meter: &Meter) -> Result<Fronts<V>, OverBudget> {
        Ok(Fronts { going: self.going.widen(meter)?, ended: self.ended.widen(meter)? })
    }
}

type Weights<S> = Result<Vec<(usize, Natural)>, WalkError<<S as Steps>::Error>>;

/// Goes on with the kind of weight that the next face needs.
macro_rules! widening {
    ($name:ident, $weight:ty, $bits:expr, $wider:ident) => {
        fn $name(&mut self, mut fronts: Fronts<$weight>, from: usize) -> Weights<S> {
            match self.faces(&mut fronts, from, $bits)? {
                None => Ok(self.ends(&fronts)),
                Some(place) => self.$wider(fronts.widen(self.meter)?, place),
            }
        }
    };
}

impl<S: Steps + ?Sized> Walker<'_, S> {
    widening!(with_words, u64, 64, with_two);
    #[cfg(not(target_family = "wasm"))]
    widening!(with_two, u128, 128, with_three);
    #[cfg(not(target_family = "wasm"))]
    widening!(with_three, Words<3>, 192, with_four);
    #[cfg(not(target_family = "wasm"))]
    widening!(with_four, Words<4>, 256, with_eight);
    #[cfg(not(target_family = "wasm"))]
    widening!(with_eight, Words<8>, 512, with_any);

    // Each kind of weight is code of its own, and a browser has to load it.
    #[cfg(target_family = "wasm")]
    widening!(with_two, u128, 128, with_four);
    #[cfg(target_family = "wasm")]
    widening!(with_four, Words<4>, 256, with_any);

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
        if self.even {
            return self.even_faces(fronts, from, most);
        }
        let mut ways: Vec<Ways<W>> = Vec::new();
        let mut next = Front::empty(self.cells);
        let mut passed = from;
        for place in from..self.path.faces.len() {
            if place < passed {
                continue;
            }
            let run = run_from(self.path, &self.known, place);
            let bits = self.path.bits(place + run.max(1) - 1);
            if bits > most {
                return Ok(Some(place));
            }
            if run > 0 {
                next.clear();
                self.pass_run(place, run, fronts, &mut next)?;
                std::mem::swap(&mut fronts.going, &mut next);
                self.known.pass(place + run - 1);
                ways.clear();
                passed = place + run;
                continue;
            }
            self.list_ways(&mut ways, place);
            next.clear();
            let mut crossing = Crossing {
                ways: &ways,
                place,
                even: false,
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

    /// Passes a run of faces, such as the four suits of a rank: `c` of them show in `C(run, c)` ways, and
    /// the step is taken `c` times.
    fn pass_run<W: Weight>(
        &mut self,
        place: usize,
        run: usize,
        fronts: &mut Fronts<W>,
        next: &mut Front<W>,
    ) -> Result<(), WalkError<S::Error>> {
        let Fronts { going, ended } = fronts;
        let group = &self.path.groups[0];
        let telling = self.scales[group.pool];
        let choose: Vec<u64> = binomials(run as u64, run + 1)
            .map(|choose| u64::try_from(&choose).unwrap_or(u64::MAX))
            .collect();
        let mut chain = Vec::with_capacity(run + 1);
        for &state in &going.states {
            chain.clear();
            chain.push(state);
            for (used, weight) in going.cells(state) {
                let (least, most) = group.at_run(place, run, used);
                self.meter.charge((most + 2 - least) as u64)?;
                while chain.len() <= most {
                    let last = chain[chain.len() - 1];
                    let asked = self.known.room(place, last, telling + 1, self.meter)?;
                    let lead = match self.known.lead(asked, telling) {
                        Some(lead) => lead,
                        None => self.ask(asked, last, place, telling)?,
                    };
                    chain.push(lead);
                }
                for count in least..=most {
                    let cell = used + count;
                    let front = if cell + 1 == self.cells { &mut *ended } else { &mut *next };
                    front.at(chain[count], cell, self.meter)?.add_times(weight, choose[count]);
                }
            }
        }
        Ok(())
    }

    /// The same where every face is like every other: then only the faces that show are passed, as many as
    /// there may be, and of `s` faces any `j` may be those that show.
    fn even_faces<W: Weight>(
        &mut self,
        fronts: &mut Fronts<W>,
        from: usize,
        most: usize,
    ) -> Result<Option<usize>, WalkError<S::Error>> {
        let ways: Vec<Ways<W>> = self.path.groups.iter().map(|group| Ways::of(group, 0)).collect();
        let mut next = Front::empty(self.cells);
        let faces = self.path.faces.len();
        for place in from..faces {
            let bits = self.path.bits(place);
            if bits > most {
                return Ok(Some(place));
            }
            if fronts.going.states.is_empty() {
                break;
            }
            next.clear();
            let mut crossing = Crossing {
                ways: &ways,
                place,
                even: true,
                ending: true,
                next: &mut next,
                ended: &mut fronts.ended,
                used: vec![0; self.path.groups.len()],
                shown: vec![0; self.path.pools.len()],
                passed: vec![0; self.path.pools.len()],
                cost: 1 + bits as u64 / 128,
                walker: self,
            };
            crossing.all(&fronts.going)?;
            std::mem::swap(&mut fronts.going, &mut next);
            let choose = &self.choose_faces[place + 1];
            for &state in &fronts.ended.states {
                self.meter.charge(4)?;
                if self.totals.len() <= state {
                    let size = (state + 1).max(2 * self.totals.len());
                    lengthen(&mut self.totals, size, &Natural::ZERO, self.meter)?;
                }
                for (_, weight) in fronts.ended.cells(state) {
                    self.totals[state] += weight.natural() * choose;
                }
            }
            fronts.ended.clear();
        }
        Ok(None)
    }

    /// The ways of each group at a face; those of the face before still hold where the weight is the same.
    fn list_ways<W: Weight>(&self, ways: &mut Vec<Ways<W>>, place: usize) {
        if ways.is_empty() {
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
        if self.even {
            let totals = self.totals.iter().enumerate();
            let reached = totals.filter(|(_, weight)| !weight.is_zero());
            return reached.map(|(state, weight)| (state, weight.clone())).collect();
        }
        let Fronts { going, ended } = fronts;
        let covers = self.path.groups.iter().any(|group| group.manner == Manner::Cover);
        if going.states.is_empty() && !covers {
            let weight = |state: &usize| {
                ended.window(*state).1.last().map(|weight| (*state, weight.natural()))
            };
            return ended.states.iter().filter_map(weight).collect();
        }
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
        match self.counts.as_mut_slice() {
            [only] => *only = telling as u64,
            counts => {
                for (pool, count) in counts.iter_mut().enumerate() {
                    *count = (telling / self.scales[pool] % self.path.tellings(pool)) as u64;
                }
            }
        }
        self.meter.charge(self.steps.price())?;
        let lead = self.steps.step(state, place, &self.counts).map_err(WalkError::Step)?;
        self.known.learn(asked, telling, lead);
        Ok(lead)
    }
}

/// One face of the walk.
struct Crossing<'a, 'w, S: ?Sized, W> {
    walker: &'a mut Walker<'w, S>,
    ways: &'a [Ways<W>],
    place: usize,
    /// Every face is like every other, and only faces that show are passed.
    even: bool,
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

impl<S: Steps + ?Sized, W: Weight> Crossing<'_, '_, S, W> {
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
        let (least, most) = self.bounds(0, low);
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
            let (least, most) = self.bounds(at, used);
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
        let (least, most) = self.bounds(group, self.used[group]);
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

    /// The least and the most that this face may use up of a group.
    #[inline]
    fn bounds(&self, group: usize, used: usize) -> (usize, usize) {
        let group = &self.walker.path.groups[group];
        if self.even { group.at_any(used) } else { group.at(self.place, used) }
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

    /// Chooses how many dice of the last group show the face.
    fn choose_last(&mut self, group: usize, sum: &Sum<'_, W>) -> Result<(), WalkError<S::Error>> {
        let path = self.walker.path;
        let dice = &path.groups[group];
        let pool = dice.pool;
        let (mut least, most) = self.bounds(group, self.used[group]);
        if self.even && self.shown.iter().all(|shown| *shown == 0) {
            least = 1;
            if most == 0 {
                return Ok(());
            }
        }
        let (passed, shown) = (self.passed[pool], self.shown[pool]);
        let others = self.telling_but(pool);
        let scale = self.walker.scales[pool];
        let told = |count: usize| path.told(pool, passed, shown + count as u64) as usize * scale;
        let tellings = others + told(most) + 1;
        let asked = self.walker.known.room(self.place, sum.state, tellings, self.walker.meter)?;
        // With a telling that is 0, nothing is asked.
        let (first, last) = ((others + told(least)).max(1), others + told(most));
        if scale != 1 || !self.walker.known.has_asked(asked, first, last) {
            for count in least..=most {
                self.lead(asked, sum.state, others + told(count))?;
            }
        }
        let ends = self.ending && sum.cell + most + 1 == self.walker.cells;
        let last = if ends { most } else { most + 1 };
        let counts = least..last;
        match path.telling_of(pool) {
            Telling::Counted => {
                let first = others + shown as usize * scale;
                self.add(group, asked, counts, sum, |count| first + count * scale)?;
            }
            Telling::Seen => {
                let shown = shown as usize;
                self.add(group, asked, counts, sum, |count| {
                    others + (shown + count).min(1) * scale
                })?;
            }
            Telling::Ranked => self.add(group, asked, counts, sum, |count| others + told(count))?,
        }
        if ends {
            let lead = self.lead(asked, sum.state, others + told(most))?;
            let end = self.ended.at(lead, sum.cell + most, self.walker.meter)?;
            match self.ways[group].after(self.used[group]) {
                Row::Words(ways) => end.add_times(sum.weight, ways[most]),
                Row::Wide(ways) => end.add(&sum.weight.times(&ways[most])),
            }
        }
        Ok(())
    }

    /// Adds to where so many dice of the last group lead; every step was asked. Here most of the work is done.
    #[inline]
    fn add(
        &mut self,
        group: usize,
        asked: Asked,
        counts: std::ops::Range<usize>,
        sum: &Sum<'_, W>,
        telling: impl Fn(usize) -> usize,
    ) -> Result<(), OverBudget> {
        let leads = self.walker.known.leads(asked);
        let lead = |telling: usize| if telling == 0 { sum.state } else { leads[telling] as usize };
        let meter = self.walker.meter;
        match self.ways[group].after(self.used[group]) {
            Row::Words(ways) => {
                let from = counts.start;
                for (at, factor) in ways[counts].iter().enumerate() {
                    let count = from + at;
                    let place = self.next.at(lead(telling(count)), sum.cell + count, meter)?;
                    place.add_times(sum.weight, *factor);
                }
            }
            Row::Wide(ways) => {
                for count in counts {
                    let place = self.next.at(lead(telling(count)), sum.cell + count, meter)?;
                    place.add(&sum.weight.times(&ways[count]));
                }
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
