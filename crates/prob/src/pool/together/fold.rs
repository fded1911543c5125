//! Any readings of one pool, by a walk over the values.
//!
//! As for a single sum ([`super::super::line`]), the state is how many dice of each group have been seen. What the
//! readings have added up so far is a key, and each key has a row of weights by state. Few keys are met: as long as a
//! reading has not met its first rank it has added nothing, and once all have met their last one, the other dice
//! are free.

use super::super::keep::Weight;
use super::super::line::{Counts, Group, Way};
use super::{MOST, Values};
use crate::meter::{Meter, OverBudget};
use crate::number::Natural;
use rustc_hash::FxHashMap;

/// What each reading has added up.
type Sums = [i64; MOST];

/// A walk with more weights than this is given up.
const WEIGHTS: usize = 400_000;

/// The rows of all keys, one after the other.
struct Rows<W> {
    places: FxHashMap<Sums, usize>,
    keys: Vec<Sums>,
    weights: Vec<W>,
    states: usize,
}

impl<W: Weight> Rows<W> {
    fn new(states: usize) -> Rows<W> {
        Rows { places: FxHashMap::default(), keys: Vec::new(), weights: Vec::new(), states }
    }

    /// Where the row of a key begins.
    fn place(&mut self, key: Sums) -> usize {
        *self.places.entry(key).or_insert_with(|| {
            self.keys.push(key);
            let place = self.weights.len();
            self.weights.resize(place + self.states, W::zero());
            place
        })
    }
}

/// The joint values; `None` if the pool is too large for this. `gains` are for each reading and each value in
/// ascending order the sums of what the ranks add with it, from rank 0 on.
pub(super) fn joint<W: Weight>(
    groups: &[Group<W>],
    gains: &[Vec<Vec<i64>>],
    bits: usize,
    meter: &Meter,
) -> Result<Option<Values>, OverBudget> {
    let ways = in_one_direction(gains);
    let Some(way) = ways.first().filter(|way| way.needed > 0) else { return Ok(None) };
    let needed = way.needed;
    let Some(counts) = Counts::of(groups, way) else { return Ok(None) };
    let mut rows: Rows<W> = Rows::new(counts.states);
    let start = rows.place(Sums::default());
    rows.weights[start] = W::of(&Natural::ONE);
    let mut ends: FxHashMap<Sums, W> = FxHashMap::default();
    for value in 0..counts.weights.len() {
        for (group, (weight, beyond)) in counts.weights[value].iter().enumerate() {
            if weight.is_nothing() {
                continue;
            }
            let dice = counts.groups[group].0;
            let each = counts.states * (1 + dice / 2) * (2 + bits / 256);
            meter.afford((rows.keys.len() as u64).saturating_mul(each as u64))?;
            let gains: Vec<&[i64]> = ways.iter().map(|way| way.gains[value].as_slice()).collect();
            let runs = runs(&gains);
            let factors = counts.factors(group, weight);
            if let Some(enough) = counts.enough(&factors, beyond, needed) {
                finish(&rows, &runs, needed, &enough, &mut ends);
            }
            let last = beyond.is_nothing();
            let pay = || meter.charge(each as u64);
            rows = one_value(&counts, &rows, (group, &factors, last), &runs, pay)?;
            if rows.weights.len() > WEIGHTS {
                return Ok(None);
            }
        }
        for (at, key) in rows.keys.iter().enumerate() {
            let row = &mut rows.weights[at * counts.states..(at + 1) * counts.states];
            for (state, weight) in row.iter_mut().enumerate() {
                if counts.seen[state] >= needed && !weight.is_nothing() {
                    let end = ends.entry(*key).or_insert_with(W::zero);
                    end.add_product(weight, &counts.free(state, value));
                    *weight = W::zero();
                }
            }
        }
    }
    let mut joint: Values = ends
        .into_iter()
        .filter(|(_, weight)| !weight.is_nothing())
        .map(|(sums, weight)| (sums, weight.into_natural()))
        .collect();
    joint.sort_unstable_by_key(|(a, _)| *a);
    Ok(Some(joint))
}

/// All readings, up or down the values together: whichever has seen enough earlier.
fn in_one_direction(gains: &[Vec<Vec<i64>>]) -> Vec<Way> {
    let ranks = gains.iter().flatten().map(|sums| sums.len() - 1).max().unwrap_or(0);
    let all = (0..gains.first().map_or(0, Vec::len)).map(|value| {
        // A rank counts for one of them if it counts here.
        let counts =
            |rank: usize| gains.iter().any(|read| read[value][rank] != read[value][rank + 1]);
        let sums = (0..ranks).scan(0, |sum, rank| {
            *sum += i64::from(counts(rank));
            Some(*sum)
        });
        [0].into_iter().chain(sums).collect()
    });
    let Way { down, needed, .. } = Way::of(all.collect());
    let turned = |read: &Vec<Vec<i64>>| Way::directed(read.clone(), down, needed);
    gains.iter().map(turned).collect()
}

/// Numbers of dice up to which the same is added, and what.
type Run = (usize, Sums);

/// By the dice seen before: runs of dice seen afterwards with what they add.
fn runs(gains: &[&[i64]]) -> Vec<Vec<Run>> {
    let dice = gains.first().map_or(0, |sums| sums.len() - 1);
    let gained = |from: usize, to: usize| {
        let mut sums = Sums::default();
        sums.iter_mut().zip(gains).for_each(|(sum, gains)| *sum = gains[to] - gains[from]);
        sums
    };
    let of_seen = |from: usize| {
        let mut runs: Vec<Run> = Vec::new();
        for to in from..=dice {
            let sums = gained(from, to);
            match runs.last_mut() {
                Some((end, known)) if *known == sums => *end = to + 1,
                _ => runs.push((to + 1, sums)),
            }
        }
        runs
    };
    (0..=dice).map(of_seen).collect()
}

fn plus(key: &Sums, gain: &Sums) -> Sums {
    let mut sums = *key;
    sums.iter_mut().zip(gain).for_each(|(sum, gain)| *sum += gain);
    sums
}

/// Adds the ends where enough equal dice have been seen with this value.
fn finish<W: Weight>(
    rows: &Rows<W>,
    runs: &[Vec<Run>],
    needed: usize,
    enough: &[W],
    ends: &mut FxHashMap<Sums, W>,
) {
    for (at, key) in rows.keys.iter().enumerate() {
        let row = &rows.weights[at * rows.states..(at + 1) * rows.states];
        for (seen, weight) in row.iter().enumerate().filter(|(_, weight)| !weight.is_nothing()) {
            let run = runs[seen].iter().find(|(end, _)| *end > needed);
            let Some((_, gain)) = run else { continue };
            if !enough[seen].is_nothing() {
                let end = ends.entry(plus(key, gain)).or_insert_with(W::zero);
                end.add_product(weight, &enough[seen]);
            }
        }
    }
}

/// The dice of one group that show one value; all that are left, if it is their last. Each key is paid for.
fn one_value<W: Weight>(
    counts: &Counts<W>,
    rows: &Rows<W>,
    (group, factors, last): (usize, &[Vec<W>], bool),
    runs: &[Vec<Run>],
    pay: impl Fn() -> Result<(), OverBudget>,
) -> Result<Rows<W>, OverBudget> {
    let (count, stride) = counts.groups[group];
    let mut next: Rows<W> = Rows::new(counts.states);
    for (at, key) in rows.keys.iter().enumerate() {
        pay()?;
        let row = &rows.weights[at * counts.states..(at + 1) * counts.states];
        for (state, weight) in row.iter().enumerate().filter(|(_, weight)| !weight.is_nothing()) {
            let (seen, left) = (counts.seen[state], count - counts.digit(state, group));
            // Beyond the last state the others are free, and have been counted.
            let most = left.min((counts.states - 1 - state) / stride);
            let (mut shown, ways) = (if last { left } else { 0 }, &factors[left]);
            for (end, gain) in &runs[seen] {
                let until = (end - seen).min(most + 1);
                if shown >= until {
                    continue;
                }
                let place = next.place(plus(key, gain)) + state;
                for (at, ways) in ways[shown..until].iter().enumerate() {
                    next.weights[place + (shown + at) * stride].add_product(weight, ways);
                }
                shown = until;
            }
        }
    }
    Ok(next)
}
