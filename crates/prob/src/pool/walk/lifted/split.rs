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
//!
//! Each state has an order of its own: who is ahead wins by the dice of the other, who is behind loses by his own. It is
//! the order in which its places are those of other states. Which order is the better one for most, and whether all this
//! pays, a sample of the states tells.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};

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

/// The pools one after the other, in either order.
pub(super) struct Split {
    /// The order that is the better one for most comes first.
    orders: [Order; 2],
    /// Which order a state has.
    chosen: Vec<Option<usize>>,
}

/// Where the counts of one pool lead to, and those of the other from there.
struct Order {
    /// The groups, in the order in which their dice are chosen.
    first: usize,
    second: usize,
    /// For each state and count of the first where it leads, and what is added at once.
    into: Vec<Vec<Edge>>,
    /// For each place in between where the counts of the second lead.
    onto: Vec<Vec<Edge>>,
    known: FxHashMap<Vec<Edge>, usize>,
    /// How many states could use a place in between, by its hash, whichever order they have.
    wanted: FxHashMap<u64, usize>,
}

impl Order {
    fn new(first: usize, second: usize) -> Order {
        let (into, onto, known) = (Vec::new(), Vec::new(), FxHashMap::default());
        Order { first, second, into, onto, known, wanted: FxHashMap::default() }
    }

    /// Counts the places that a state could use.
    fn want(&mut self, places: &[Between]) {
        for place in places {
            *self.wanted.entry(FxBuildHasher.hash_one(&place.onto)).or_default() += 1;
        }
    }

    /// How many states could use the same places.
    fn shared(&self, places: &[Between]) -> usize {
        let hashes = places.iter().map(|place| FxBuildHasher.hash_one(&place.onto));
        hashes.filter_map(|hash| self.wanted.get(&hash)).sum()
    }

    /// Leads a state into these places.
    fn lead(&mut self, state: usize, places: Vec<Between>) {
        let leads = places.into_iter().map(|Between { onto, at_once }| {
            let next = self.onto.len();
            let place = *self.known.entry(onto.clone()).or_insert(next);
            if place == next {
                self.onto.push(onto);
            }
            Edge { state: place, by: at_once }
        });
        let leads = leads.collect();
        if self.into.len() <= state {
            self.into.resize(state + 1, Vec::new());
        }
        self.into[state] = leads;
    }
}

/// A place in between: where the counts of the second pool lead from there, and what is added before.
struct Between {
    onto: Vec<Edge>,
    at_once: i64,
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

    /// The orders of the pools, if they pay.
    pub(super) fn split(&mut self) -> Result<Option<Split>, Halt<S::Error>> {
        let mut states: Vec<usize> =
            (0..self.cells).flat_map(|cell| self.going.states(cell)).copied().collect();
        states.sort_unstable();
        states.dedup();
        let apart = states.len().div_ceil(SAMPLE).max(1);
        let sample: Vec<usize> = states.into_iter().step_by(apart).collect();
        let mut split = Split { orders: [Order::new(0, 1), Order::new(1, 0)], chosen: Vec::new() };
        for &state in &sample {
            let places = self.places_between(&split, state)?;
            split.orders.iter_mut().zip(&places).for_each(|(order, places)| order.want(places));
        }
        split.orders.sort_by_key(|order| order.wanted.len());
        for &state in &sample {
            self.choose_order(&mut split, state)?;
        }
        let ways: usize = split.orders.iter().flat_map(|order| &order.into).map(Vec::len).sum();
        let places: usize = split.orders.iter().map(|order| order.onto.len()).sum();
        Ok((2 * places <= ways).then_some(split))
    }

    /// Which order a state has. It is chosen once, when the state is met.
    fn choose_order(&mut self, split: &mut Split, state: usize) -> Result<usize, Halt<S::Error>> {
        if let Some(known) = split.chosen.get(state).copied().flatten() {
            return Ok(known);
        }
        let [one, other] = self.places_between(split, state)?;
        let [first, second] = &mut split.orders;
        let chosen = usize::from(2 * first.shared(&one) < second.shared(&other));
        first.want(&one);
        second.want(&other);
        split.orders[chosen].lead(state, if chosen == 0 { one } else { other });
        if split.chosen.len() <= state {
            split.chosen.resize(state + 1, None);
        }
        split.chosen[state] = Some(chosen);
        Ok(chosen)
    }

    /// The places where a state leads with each count of the first pool, in either order.
    fn places_between(
        &mut self,
        split: &Split,
        state: usize,
    ) -> Result<[Vec<Between>; 2], Halt<S::Error>> {
        let table = self.table(state)?;
        self.meter.charge(2 * table.len() as u64)?;
        let places = split.orders.each_ref().map(|Order { first, second, .. }| {
            let [first, second] = [*first, *second].map(|group| &self.path.groups[group]);
            let [scale, step] = [first.pool, second.pool].map(|pool| self.scales[pool]);
            let place = |count: usize| {
                let others = (0..=second.most()).map(|other| table[count * scale + other * step]);
                let mut onto: Vec<Edge> = others.collect();
                let at_once = onto[0].by;
                for edge in &mut onto {
                    edge.by = edge.by.checked_sub(at_once).ok_or(Halt::Unfit)?;
                }
                Ok(Between { onto, at_once })
            };
            (0..=first.most()).map(place).collect::<Result<Vec<_>, Halt<S::Error>>>()
        });
        let [one, other] = places;
        Ok([one?, other?])
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

    /// Passes one face, one pool after the other: the states of the one order, then those of the other.
    pub(super) fn cross_split(&mut self, split: &mut Split) -> Result<(), Halt<S::Error>> {
        let (mut between, mut after) = (self.fresh(), self.fresh());
        let before = std::mem::replace(&mut self.going, Totals::new(0, self.width, self.short));
        for at in [0, 1] {
            between.clear(self.width);
            for cell in 0..self.cells {
                for &state in before.states(cell) {
                    if self.choose_order(split, state)? == at {
                        let (order, row) = (&split.orders[at], before.row(state, cell));
                        let into = &order.into[state];
                        self.spread_row(order.first, cell, row, &mut between, into)?;
                    }
                }
            }
            let order = &split.orders[at];
            for cell in 0..self.cells {
                for &place in between.states(cell) {
                    let row = between.row(place, cell);
                    self.spread_row(order.second, cell, row, &mut after, &order.onto[place])?;
                }
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
