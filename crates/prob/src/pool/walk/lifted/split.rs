//! Two pools side by side, one after the other.
//!
//! ```text
//! (s, face, m, t) => {ahead: s.ahead + m - t, wins: s.wins + clamp(s.ahead, 0, t)}
//! ```
//!
//! With 20 dice on each side a face can show 441 pairs of counts from every cell. But what is won depends on
//! `t` alone, and once it is added, only `s.ahead - t` matters for what `m` does. So the dice of one pool are
//! chosen first and lead to something in between; from there those of the other lead on, in 21 + 21 ways.
//!
//! What lies in between is found by asking: it is where each count of the other pool leads, and what it adds to
//! the number apart, less what is added at once. Two states are in between in the same place if these agree.
//! In which order the pools are taken, and whether this pays, is decided by a sample of the states.

use rustc_hash::FxHashMap;

use super::super::path::{Manner, Telling};
use super::super::totals::{Factor, Totals, add_times, limbs_of};
use super::super::ways::{Row, Ways};
use super::super::{Lift, LiftedSteps, WalkError};
use super::{Edge, Follower, Halt};
use crate::number::Natural;

/// Fewer cells are followed as fast pair by pair.
const FEW_CELLS: usize = 30;
/// With more, tables of all pairs of counts are too large.
const MOST_CELLS: usize = 1 << 14;
/// The states whose places in between are looked at before it is decided.
const SAMPLE: usize = 8;

/// Where the counts of one pool lead to, and those of the other from there.
pub(super) struct Split {
    /// The groups, in the order in which their dice are chosen.
    first: usize,
    second: usize,
    /// For each state and count of the first where it leads, and what is added at once.
    into: Vec<Vec<Edge>>,
    /// For each place in between where the counts of the second lead.
    onto: Vec<Vec<Edge>>,
    known: FxHashMap<Vec<Edge>, usize>,
}

impl Split {
    fn new(first: usize, second: usize) -> Split {
        let (into, onto, known) = (Vec::new(), Vec::new(), FxHashMap::default());
        Split { first, second, into, onto, known }
    }
}

impl<S: LiftedSteps + ?Sized> Follower<'_, S> {
    /// Whether pools could be taken one after the other.
    pub(super) fn may_split(&self) -> bool {
        let [a, b] = self.path.groups.as_slice() else { return false };
        let counted = |pool: usize| matches!(self.path.telling_of(pool), Telling::Counted);
        let any = a.manner == Manner::Any && b.manner == Manner::Any;
        any && a.pool != b.pool
            && counted(a.pool)
            && counted(b.pool)
            && self.path.pools.len() == 2
            && self.lift == Lift::Sum
            && (FEW_CELLS..=MOST_CELLS).contains(&self.cells)
            && self.known.one_kind()
            && self.path.certain.iter().flatten().all(|dice| *dice == 0)
    }

    /// The better of the two orders, if it pays.
    pub(super) fn split(&mut self) -> Result<Option<Split>, Halt<S::Error>> {
        let mut states: Vec<usize> =
            (0..self.cells).flat_map(|cell| self.going.states(cell)).copied().collect();
        states.sort_unstable();
        states.dedup();
        let apart = states.len().div_ceil(SAMPLE).max(1);
        let sample: Vec<usize> = states.into_iter().step_by(apart).collect();
        let mut best: Option<Split> = None;
        for (first, second) in [(0, 1), (1, 0)] {
            let mut split = Split::new(first, second);
            for &state in &sample {
                self.place_between(&mut split, state)?;
            }
            let ways = sample.len() * (self.path.groups[first].most() + 1);
            let pays = 2 * split.onto.len() <= ways;
            if pays && best.as_ref().is_none_or(|best| split.onto.len() < best.onto.len()) {
                best = Some(split);
            }
        }
        Ok(best)
    }

    /// Finds where a state leads with each count of the first pool.
    fn place_between(&mut self, split: &mut Split, state: usize) -> Result<(), Halt<S::Error>> {
        if split.into.len() <= state {
            split.into.resize(state + 1, Vec::new());
        }
        if !split.into[state].is_empty() {
            return Ok(());
        }
        let [first, second] = [split.first, split.second].map(|group| &self.path.groups[group]);
        let (most, far) = (first.most(), second.most());
        let [scale, step] = [first.pool, second.pool].map(|pool| self.scales[pool]);
        self.meter.charge(((most + 1) * (far + 1)) as u64)?;
        let table = self.table(state)?;
        let mut into = Vec::with_capacity(most + 1);
        for count in 0..=most {
            let other = (0..=far).map(|other| table[count * scale + other * step]);
            let mut onto: Vec<Edge> = other.collect();
            let at_once = onto[0].by;
            for edge in &mut onto {
                edge.by = edge.by.checked_sub(at_once).ok_or(Halt::Unfit)?;
            }
            let next = split.onto.len();
            let between = *split.known.entry(onto.clone()).or_insert(next);
            if between == next {
                split.onto.push(onto);
            }
            into.push(Edge { state: between, by: at_once });
        }
        split.into[state] = into;
        Ok(())
    }

    /// Where all tellings of a state on this face lead, and nothing with none.
    fn table(&mut self, state: usize) -> Result<Vec<Edge>, Halt<S::Error>> {
        let all = self.tellings().iter().product();
        let asked = self.known.room(self.place, state, all, self.meter)?;
        let mut table = Vec::with_capacity(all);
        for telling in 0..all {
            table.push(self.edge(asked, state, telling)?);
        }
        Ok(table)
    }

    /// How many things steps may be told of each pool.
    fn tellings(&self) -> Vec<usize> {
        (0..self.path.pools.len()).map(|pool| self.path.tellings(pool)).collect()
    }

    /// Asks for all tellings of a state on this face, if that can be done at once.
    pub(super) fn ask_all(&mut self, state: usize) -> Result<(), Halt<S::Error>> {
        let led = self.steps.all_steps(state, self.place, &self.tellings());
        let led = led.map_err(|error| Halt::Walk(WalkError::Step(error)))?;
        self.at_once = led.is_some();
        let led = led.unwrap_or_default();
        let asked = self.known.room(self.place, state, led.len(), self.meter)?;
        for (telling, (state, by)) in led.into_iter().enumerate() {
            self.known.learn(asked, telling, self.edges.len());
            self.edges.push(Edge { state, by });
        }
        Ok(())
    }

    /// Passes one face, one pool after the other.
    pub(super) fn cross_split(&mut self, split: &mut Split) -> Result<(), Halt<S::Error>> {
        let (mut between, mut after) = (self.fresh(), self.fresh());
        let before = std::mem::replace(&mut self.going, Totals::new(0, self.width));
        for cell in 0..self.cells {
            for &state in before.states(cell) {
                self.place_between(split, state)?;
                let into = &split.into[state];
                self.spread_row(split.first, cell, before.row(state, cell), &mut between, into)?;
            }
        }
        for cell in 0..self.cells {
            for &state in between.states(cell) {
                let onto = &split.onto[state];
                self.spread_row(split.second, cell, between.row(state, cell), &mut after, onto)?;
            }
        }
        self.going = after;
        self.spare.extend([before, between]);
        Ok(())
    }

    /// Adds a row, multiplied, to where each count of a group leads.
    fn spread_row(
        &self,
        group: usize,
        cell: usize,
        (low, row): (i64, &[u64]),
        into: &mut Totals,
        leads: &[Edge],
    ) -> Result<(), Halt<S::Error>> {
        let dice = &self.path.groups[group];
        let stride = self.strides[group];
        let used = cell / stride % (dice.most() + 1);
        let (least, most) = dice.at(self.place, used);
        let len = row.len() / self.width;
        for (count, Edge { state, by }) in leads.iter().enumerate().take(most + 1).skip(least) {
            self.pay(row.len())?;
            let low = low.checked_add(*by).ok_or(Halt::Unfit)?;
            let part = into.part((*state, cell + count * stride), low, len, self.meter)?;
            with_factor(&self.ways[group], used, count, |factor| {
                add_times(part, row, factor, self.width);
            });
        }
        Ok(())
    }
}

/// In how many ways so many dice show a face, after so many.
#[inline]
pub(super) fn with_factor<T>(
    ways: &Ways<Natural>,
    used: usize,
    count: usize,
    then: impl FnOnce(Factor<'_>) -> T,
) -> T {
    match ways.after(used) {
        Row::Words(ways) => then(Factor::Word(ways[count])),
        Row::Wide(ways) => then(Factor::Limbs(&limbs_of(&ways[count]))),
    }
}
