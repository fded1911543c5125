//! Following all the ways through a walk with one number set apart from the states.
//!
//! ```text
//! walk(12d12, 0, (total, face, count) => if count >= 2 then total + face * count else total)
//! ```
//!
//! No step looks at the total, it is only added to. Carried in the states it would make hundreds of them, each
//! found by hashing; set apart there is one state with a row of weights ([`super::totals`]), and a step adds a
//! multiple of the row, moved along. In the same way a number is set apart of which only the highest is kept:
//! then a step gathers the weights below what it offers.
//!
//! Dice that show a face only ever use up more of their groups. So the rows of one face can be changed in place
//! to those of the next, the fullest cells first, and where no die shows the face nothing is done. Rows that
//! cannot come to an end any more stay behind, and count for nothing.

mod sizes;
mod split;
#[cfg(test)]
mod tests;

use super::super::order::binomials;
use super::follow::{run_from, strides};
use super::known::{Asked, Known};
use super::path::Path;
use super::totals::{Factor, NoRoom, SHORT, Totals, add_times, limbs_of, natural_of, spread};
use super::ways::Ways;
use super::{Lift, LiftedSteps, WalkError};
use crate::meter::{Meter, OverBudget};
use crate::number::Natural;
use dashu_base::BitTest;
use split::with_factor;

/// With more cells there is little for a row to share.
const MOST_CELLS: usize = 1 << 16;

/// What comes of the states after the last face, the number apart, and the weight; none if rows are no use.
type Ended<E> = Result<Option<Vec<(usize, i64, Natural)>>, WalkError<E>>;

/// Why the walk goes no further in this way.
pub(super) enum Halt<E> {
    Walk(WalkError<E>),
    Unfit,
}

impl<E> From<NoRoom> for Halt<E> {
    fn from(why: NoRoom) -> Self {
        match why {
            NoRoom::OverBudget(refusal) => refusal.into(),
            NoRoom::Unfit => Halt::Unfit,
        }
    }
}

impl<E> From<OverBudget> for Halt<E> {
    fn from(refusal: OverBudget) -> Self {
        Halt::Walk(refusal.into())
    }
}

/// The weight of each state and number after the last face.
pub(super) fn follow<S: LiftedSteps + ?Sized>(
    path: &Path<'_>,
    lift: Lift,
    total: &Natural,
    steps: &mut S,
    meter: &Meter,
) -> Ended<S::Error> {
    let known = Known::new(steps.kinds(&path.faces));
    let Some(first) = steps.first() else { return Ok(None) };
    let sizes = || sizes::by_sizes(path, lift, &known, first, steps, meter);
    if let Some(ends) = meter.by(crate::ways::SIZES_APART, sizes)? {
        return Ok(Some(ends));
    }
    let sizes = || path.groups.iter().map(|group| group.most() + 1);
    let cells = sizes().fold(1usize, usize::saturating_mul);
    if cells > MOST_CELLS {
        return Ok(None);
    }
    meter.charge(cells as u64)?;
    let dice = path.groups.iter().map(|group| group.most()).fold(0, usize::saturating_add);
    let even = dice < 2 * path.faces.len() && known.one_kind() && path.is_even();
    let width = total.bit_len().div_ceil(64).max(1);
    let short = steps.short_rows().max(SHORT);
    let mut follower = Follower {
        path,
        lift,
        steps,
        meter,
        known,
        edges: Vec::new(),
        cells,
        strides: strides(sizes()),
        scales: strides((0..path.pools.len()).map(|pool| path.tellings(pool))),
        even,
        width: 1,
        short,
        going: Totals::new(cells, 1, short),
        spare: Vec::new(),
        sum: Totals::new(1, width, short),
        sum_width: width,
        ways: Vec::new(),
        at_once: false,
        place: 0,
        used: vec![0; path.groups.len()],
        shown: vec![0; path.pools.len()],
        passed: vec![0; path.pools.len()],
        certain_passed: vec![0; path.pools.len()],
        counts: vec![0; path.pools.len()],
        gathered: Vec::new(),
    };
    match follower.all(first) {
        Ok(()) => Ok(Some(follower.ends())),
        Err(Halt::Unfit) => Ok(None),
        Err(Halt::Walk(error)) => Err(error),
    }
}

/// Where a step leads, and what it adds to the number apart, or offers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Edge {
    state: usize,
    by: i64,
}

struct Follower<'a, S: ?Sized> {
    path: &'a Path<'a>,
    lift: Lift,
    steps: &'a mut S,
    meter: &'a Meter,
    /// What is known of the steps: numbers of edges.
    known: Known,
    edges: Vec<Edge>,
    cells: usize,
    /// What one more use of a group adds to a cell, and one more die of a pool to a telling.
    strides: Vec<usize>,
    scales: Vec<usize>,
    /// Every face is like every other, and there are more than dice: only faces that show are passed.
    even: bool,
    /// How wide the weights are at this face.
    width: usize,
    /// Rows of so many numbers may be mostly zeros.
    short: usize,
    going: Totals,
    /// Used before.
    spare: Vec<Totals>,
    /// What is done with.
    sum: Totals,
    sum_width: usize,
    ways: Vec<Ways<Natural>>,
    /// Whether all tellings of a state are asked at once.
    at_once: bool,
    place: usize,
    /// How far each group is used up, how many dice of each pool show the face and how many came before.
    used: Vec<usize>,
    shown: Vec<u64>,
    passed: Vec<u64>,
    /// How many dice that can show one face only came before.
    certain_passed: Vec<u64>,
    counts: Vec<u64>,
    /// For each number of a row the weight of all up to it.
    gathered: Vec<u64>,
}

/// A row on its way: a multiple of the row of a state and cell.
#[derive(Clone, Copy)]
struct Source<'a> {
    state: usize,
    cell: usize,
    low: i64,
    row: &'a [u64],
}

impl<S: LiftedSteps + ?Sized> Follower<'_, S> {
    fn all(&mut self, first: i64) -> Result<(), Halt<S::Error>> {
        self.going.part((0, 0), first, 1, self.meter)?[0] = 1;
        let faces = self.path.faces.len();
        let splits = self.meter.may(crate::ways::SPLIT)
            && self.may_split()
            && (!self.even || 4 * faces <= self.cells);
        if self.even && !splits {
            return self.even_faces();
        }
        self.even = false;
        self.at_once = splits;
        let mut split = None;
        while self.place < faces {
            let run = run_from(self.path, &self.known, self.place);
            let last = self.place + run.max(1) - 1;
            self.widen(last)?;
            if run > 0 {
                self.pass_run(run)?;
                self.ways.clear();
            } else {
                self.list_ways();
                // The first face and the last have few ways.
                if splits && self.place == 1 {
                    split = self.split()?;
                    split.iter().for_each(|_| self.meter.took(crate::ways::SPLIT));
                }
                match &mut split {
                    Some(split) if last + 1 < faces => self.cross_split(split)?,
                    _ => self.cross()?,
                }
            }
            self.known.pass(last);
            self.place = last + 1;
        }
        let at_end: Vec<Vec<Natural>> = self.path.groups.iter().map(|g| g.at_end()).collect();
        for cell in 0..self.cells {
            let uses = at_end.iter().zip(&self.strides);
            let factor = uses.fold(Natural::ONE, |all, (at_end, stride)| {
                all * &at_end[cell / stride % at_end.len()]
            });
            if !factor.is_zero() {
                self.settle(cell, &factor)?;
            }
        }
        Ok(())
    }

    /// The same where every face is like every other: then only the faces that show are passed, as many as
    /// there may be, and of `s` faces any `j` may be those that show.
    fn even_faces(&mut self) -> Result<(), Halt<S::Error>> {
        let faces = self.path.faces.len();
        let choose: Vec<Natural> = binomials(faces as u64, faces + 1).collect();
        while self.place < faces && !self.going.is_empty() {
            self.widen(self.place)?;
            self.list_ways();
            self.cross()?;
            self.settle(self.cells - 1, &choose[self.place + 1])?;
            self.going.clear_cell(self.cells - 1);
            self.place += 1;
        }
        Ok(())
    }

    /// Makes the weights as wide as the next face needs.
    fn widen(&mut self, place: usize) -> Result<(), Halt<S::Error>> {
        let width = self.path.bits(place).div_ceil(64).clamp(1, self.sum_width);
        if width > self.width {
            self.going.widen(width, self.meter)?;
            self.width = width;
        }
        Ok(())
    }

    /// The ways of each group at this face; those of the face before still hold where the weight is the same.
    fn list_ways(&mut self) {
        let place = self.place;
        if self.ways.is_empty() {
            self.ways = self.path.groups.iter().map(|group| Ways::of(group, place)).collect();
        } else if !self.even {
            for (group, ways) in self.path.groups.iter().zip(&mut self.ways) {
                if group.weights[place] != group.weights[place - 1] {
                    *ways = Ways::of(group, place);
                }
            }
        }
    }

    /// Adds the rows of a cell, multiplied, to what is done with.
    fn settle(&mut self, cell: usize, factor: &Natural) -> Result<(), Halt<S::Error>> {
        // First without the factor, by what the states come to in the end.
        let mut ends = Totals::new(1, self.width, self.short);
        for &state in self.going.states(cell) {
            let end = self.steps.end(state);
            let (low, row) = self.going.row(state, cell);
            self.meter.charge(1 + row.len() as u64 / 4)?;
            let part = ends.part((end, 0), low, row.len() / self.width, self.meter)?;
            add_times(part, row, Factor::Word(1), self.width);
        }
        let limbs = limbs_of(factor);
        let mut wide = Vec::new();
        for &end in ends.states(0) {
            let (low, row) = ends.row(end, 0);
            wide.clear();
            spread(row, self.width, self.sum_width, &mut wide);
            self.meter.charge((wide.len() * limbs.len()) as u64 / 4 + 1)?;
            let len = wide.len() / self.sum_width;
            let sum = self.sum.part((end, 0), low, len, self.meter)?;
            add_times(sum, &wide, Factor::Limbs(&limbs), self.sum_width);
        }
        Ok(())
    }

    fn ends(&self) -> Vec<(usize, i64, Natural)> {
        let mut ends = Vec::new();
        for &end in self.sum.states(0) {
            let (low, row) = self.sum.row(end, 0);
            let weights = row.chunks_exact(self.sum_width).map(natural_of);
            let numbered = (low..).zip(weights).filter(|(_, weight)| !weight.is_zero());
            ends.extend(numbered.map(|(number, weight)| (end, number, weight)));
        }
        ends
    }

    /// Passes a run of faces of one kind, each of which shows at most once: `c` of them show in `C(run, c)`
    /// ways, and the step is taken `c` times.
    fn pass_run(&mut self, run: usize) -> Result<(), Halt<S::Error>> {
        let group = &self.path.groups[0];
        let telling = self.scales[group.pool];
        let choose: Vec<u64> = binomials(run as u64, run + 1)
            .map(|choose| u64::try_from(&choose).unwrap_or(u64::MAX))
            .collect();
        let (mut chain, mut copy) = (Vec::with_capacity(run + 1), Vec::new());
        for cell in (0..self.cells).rev() {
            let (least, most) = group.at_run(self.place, run, cell);
            if most == 0 {
                continue;
            }
            for at in 0..self.going.states(cell).len() {
                let state = self.going.states(cell)[at];
                chain.clear();
                chain.push(Edge { state, by: self.nothing() });
                while chain.len() <= most {
                    let last = chain[chain.len() - 1];
                    let asked = self.known.room(self.place, last.state, telling + 1, self.meter)?;
                    let edge = self.edge(asked, last.state, telling)?;
                    let by = match self.lift {
                        Lift::Sum => last.by.checked_add(edge.by).ok_or(Halt::Unfit)?,
                        Lift::Highest => last.by.max(edge.by),
                    };
                    chain.push(Edge { state: edge.state, by });
                }
                let low = self.take(state, cell, &mut copy);
                for count in least.max(1)..=most {
                    let source = Source { state, cell: cell + count, low, row: &copy };
                    self.arrive(chain[count], Factor::Word(choose[count]), &source)?;
                }
            }
        }
        Ok(())
    }

    /// A copy of a row, and its first number.
    fn take(&mut self, state: usize, cell: usize, copy: &mut Vec<u64>) -> i64 {
        let (low, row) = self.going.row(state, cell);
        copy.clear();
        copy.extend_from_slice(row);
        self.gather(copy);
        low
    }

    /// Passes one face.
    fn cross(&mut self) -> Result<(), Halt<S::Error>> {
        let path = self.path;
        for (shown, certain) in self.shown.iter_mut().zip(&path.certain) {
            *shown = certain[self.place];
        }
        // Rows stay where they are if none of their dice shows the face, unless others certainly do.
        let stays = !self.even && self.shown.iter().all(|shown| *shown == 0);
        let before = (!stays).then(|| {
            let next = self.fresh();
            std::mem::replace(&mut self.going, next)
        });
        let mut copy = Vec::new();
        for cell in (0..self.cells).rev() {
            let states = before.as_ref().unwrap_or(&self.going).states(cell).len();
            if states == 0 {
                continue;
            }
            self.passed.copy_from_slice(&self.certain_passed);
            for (at, group) in path.groups.iter().enumerate() {
                self.used[at] = cell / self.strides[at] % (group.most() + 1);
                self.passed[group.pool] += self.used[at] as u64;
            }
            for at in 0..states {
                let front = before.as_ref().unwrap_or(&self.going);
                let state = front.states(cell)[at];
                let (low, row) = front.row(state, cell);
                copy.clear();
                copy.extend_from_slice(row);
                self.choose(0, &Source { state, cell, low, row: &copy }, !stays && !self.even)?;
            }
        }
        self.spare.extend(before);
        for (passed, certain) in self.certain_passed.iter_mut().zip(&path.certain) {
            *passed += certain[self.place];
        }
        Ok(())
    }

    /// A place for rows, with no rows.
    fn fresh(&mut self) -> Totals {
        match self.spare.pop() {
            Some(mut spare) => {
                spare.clear(self.width);
                spare
            }
            None => Totals::new(self.cells, self.width, self.short),
        }
    }

    /// Chooses how many dice of one group after the other show the face; `any` if dice of others do.
    fn choose(
        &mut self,
        group: usize,
        source: &Source<'_>,
        any: bool,
    ) -> Result<(), Halt<S::Error>> {
        let path = self.path;
        let Some(dice) = path.groups.get(group) else { return self.choose_none(source) };
        if group + 1 == path.groups.len() {
            return self.choose_last(group, source, any);
        }
        let (least, most) = self.bounds(group);
        let mut scaled = Vec::new();
        for count in least..=most {
            self.shown[dice.pool] += count as u64;
            self.pay(source.row.len())?;
            scaled.clear();
            scaled.resize(source.row.len(), 0);
            with_factor(&self.ways[group], self.used[group], count, |factor| {
                add_times(&mut scaled, source.row, factor, self.width);
            });
            let cell = source.cell + count * self.strides[group];
            self.choose(group + 1, &Source { cell, row: &scaled, ..*source }, any || count > 0)?;
            self.shown[dice.pool] -= count as u64;
        }
        Ok(())
    }

    /// All dice are certain.
    fn choose_none(&mut self, source: &Source<'_>) -> Result<(), Halt<S::Error>> {
        let telling = (0..self.shown.len()).map(|pool| self.telling(pool)).sum::<usize>();
        let asked = self.known.room(self.place, source.state, telling + 1, self.meter)?;
        let edge = self.edge(asked, source.state, telling)?;
        self.gather(source.row);
        self.arrive(edge, Factor::Word(1), source)
    }

    /// Chooses how many dice of the last group show the face.
    fn choose_last(
        &mut self,
        group: usize,
        source: &Source<'_>,
        any: bool,
    ) -> Result<(), Halt<S::Error>> {
        let pool = self.path.groups[group].pool;
        let (least, most) = self.bounds(group);
        let least = least.max(usize::from(!any));
        if least > most {
            return Ok(());
        }
        let pools = (0..self.shown.len()).filter(|other| *other != pool);
        let others = pools.map(|pool| self.telling(pool)).sum::<usize>();
        let (passed, shown, scale) = (self.passed[pool], self.shown[pool], self.scales[pool]);
        let path = self.path;
        let told =
            |count: usize| others + path.told(pool, passed, shown + count as u64) as usize * scale;
        let asked = self.known.room(self.place, source.state, told(most) + 1, self.meter)?;
        self.gather(source.row);
        let ways = std::mem::take(&mut self.ways);
        let result = (least..=most).try_for_each(|count| {
            let edge = self.edge(asked, source.state, told(count))?;
            let source = Source { cell: source.cell + count * self.strides[group], ..*source };
            with_factor(&ways[group], self.used[group], count, |factor| {
                self.arrive(edge, factor, &source)
            })
        });
        self.ways = ways;
        result
    }

    /// The least and the most that this face may use up of a group.
    fn bounds(&self, group: usize) -> (usize, usize) {
        let (dice, used) = (&self.path.groups[group], self.used[group]);
        if self.even { dice.at_any(used) } else { dice.at(self.place, used) }
    }

    fn telling(&self, pool: usize) -> usize {
        let told = self.path.told(pool, self.passed[pool], self.shown[pool]);
        told as usize * self.scales[pool]
    }

    /// What changes nothing.
    fn nothing(&self) -> i64 {
        match self.lift {
            Lift::Sum => 0,
            Lift::Highest => i64::MIN,
        }
    }

    /// Where a state leads; a face that no counted die shows is passed over.
    #[inline]
    fn edge(&mut self, asked: Asked, state: usize, telling: usize) -> Result<Edge, Halt<S::Error>> {
        if telling == 0 {
            return Ok(Edge { state, by: self.nothing() });
        }
        match self.known.lead(asked, telling) {
            Some(edge) => Ok(self.edges[edge]),
            None => self.ask(asked, state, telling),
        }
    }

    #[cold]
    fn ask(
        &mut self,
        mut asked: Asked,
        state: usize,
        telling: usize,
    ) -> Result<Edge, Halt<S::Error>> {
        if self.at_once {
            // Room that was found before may have been moved.
            asked = self.known.room(self.place, state, telling + 1, self.meter)?;
            if self.known.lead(asked, telling).is_none() {
                self.ask_all(state)?;
                asked = self.known.room(self.place, state, telling + 1, self.meter)?;
            }
            if let Some(edge) = self.known.lead(asked, telling) {
                return Ok(self.edges[edge]);
            }
        }
        for (pool, count) in self.counts.iter_mut().enumerate() {
            *count = (telling / self.scales[pool] % self.path.tellings(pool)) as u64;
        }
        let led = self.steps.step(state, self.place, &self.counts);
        let led = led.map_err(|error| Halt::Walk(WalkError::Step(error)))?;
        let (state, by) = led.ok_or(Halt::Unfit)?;
        let edge = Edge { state, by };
        self.known.learn(asked, telling, self.edges.len());
        self.edges.push(edge);
        Ok(edge)
    }

    /// For each number of a row the weight of all up to it, where the highest is kept.
    fn gather(&mut self, row: &[u64]) {
        if self.lift == Lift::Sum {
            return;
        }
        self.gathered.clear();
        if self.width == 1 {
            let mut sum = 0u64;
            self.gathered.extend(row.iter().map(|weight| {
                sum = sum.wrapping_add(*weight);
                sum
            }));
            return;
        }
        self.gathered.extend_from_slice(row);
        for start in (0..row.len() - self.width).step_by(self.width) {
            let mut carry = false;
            for at in start..start + self.width {
                let (sum, first) =
                    self.gathered[at + self.width].overflowing_add(self.gathered[at]);
                let (sum, second) = sum.overflowing_add(u64::from(carry));
                self.gathered[at + self.width] = sum;
                carry = first || second;
            }
        }
    }

    fn pay(&self, limbs: usize) -> Result<(), OverBudget> {
        self.meter.charge(3 + limbs as u64 / 4)
    }

    /// Adds a multiple of a row to where an edge leads. Here most of the work is done.
    fn arrive(
        &mut self,
        edge: Edge,
        factor: Factor<'_>,
        source: &Source<'_>,
    ) -> Result<(), Halt<S::Error>> {
        let Source { cell, low, row, .. } = *source;
        let times = match factor {
            Factor::Word(_) => 1,
            Factor::Limbs(limbs) => limbs.len().div_ceil(2),
        };
        self.pay(row.len() * times)?;
        let (width, meter) = (self.width, self.meter);
        let (to, len) = ((edge.state, cell), row.len() / width);
        match self.lift {
            Lift::Sum => {
                let low = low.checked_add(edge.by).ok_or(Halt::Unfit)?;
                add_times(self.going.part(to, low, len, meter)?, row, factor, width);
            }
            Lift::Highest if edge.by < low => {
                add_times(self.going.part(to, low, len, meter)?, row, factor, width);
            }
            Lift::Highest => {
                let below = usize::try_from(edge.by.abs_diff(low)).map_err(|_| Halt::Unfit)?;
                let last = below.min(len - 1);
                let part = self.going.part(to, edge.by, len - last, meter)?;
                let gathered = &self.gathered[last * width..(last + 1) * width];
                add_times(&mut part[..width], gathered, factor, width);
                if below < len {
                    add_times(&mut part[width..], &row[(last + 1) * width..], factor, width);
                }
            }
        }
        Ok(())
    }
}
