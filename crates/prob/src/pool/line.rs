//! Any weighted sum of dice in order, by a walk over the values.
//!
//! `hand kh20 - hand kl20` counts each die once, up or down, by its rank; so do the middle of different dice, or the
//! second highest without the lowest. Going through the values, the state is how many dice of each group have been
//! seen, and a row of weights for what they have added so far. If `c` of the `m` dice left in a group show the
//! next value, in `C(m, c) wᶜ` ways, the sum gains what the ranks `seen` to `seen + c` are worth with it.
//!
//! Once all ranks that count have been seen, the other dice are free. So the walk goes up or down the values,
//! whichever sees them earlier, and its rows end there: the highest three of a hundred dice have states for three.

use super::keep::Weight;
use super::order::binomials;
use crate::meter::{Meter, OverBudget};
use crate::number::Natural;

/// More states than this, or wider sums, are left to others.
const STATES: usize = 1 << 14;
const WIDEST: i64 = 1 << 17;

/// Equal dice: how many, and their weights by value.
pub(crate) struct Group<W> {
    pub(crate) count: usize,
    pub(crate) weights: Vec<W>,
}

/// The order of a walk: values with what they add.
pub(crate) struct Way {
    /// For each value in the order of the walk what it adds, by how many dice have been seen before: the sums
    /// over the ranks from the first.
    pub(crate) gains: Vec<Vec<i64>>,
    /// Whether the values go down.
    pub(crate) down: bool,
    /// Once so many dice have been seen nothing more is added.
    pub(crate) needed: usize,
}

impl Way {
    /// The better direction for sums that are given in ascending order.
    pub(crate) fn of(gains: Vec<Vec<i64>>) -> Way {
        let dice = gains.first().map_or(0, |sums| sums.len() - 1);
        let counts = |rank: usize| gains.iter().any(|sums| sums[rank] != sums[rank + 1]);
        let (first, last) = ((0..dice).find(|r| counts(*r)), (0..dice).rfind(|r| counts(*r)));
        let (up, down) = (last.map_or(0, |last| last + 1), first.map_or(0, |first| dice - first));
        Way::directed(gains, down < up, up.min(down))
    }

    /// A given direction.
    pub(crate) fn directed(gains: Vec<Vec<i64>>, down: bool, needed: usize) -> Way {
        if !down {
            return Way { gains, down, needed };
        }
        let turned = |sums: Vec<i64>| {
            let all = sums.last().copied().unwrap_or(0);
            sums.iter().rev().map(|sum| all - sum).collect()
        };
        Way { gains: gains.into_iter().rev().map(turned).collect(), down, needed }
    }
}

/// The dice of a walk as a state counts them.
pub(crate) struct Counts<W> {
    /// By group: the count, and how far apart states are that differ by one die.
    pub(crate) groups: Vec<(usize, usize)>,
    pub(crate) states: usize,
    /// By state how many dice have been seen.
    pub(crate) seen: Vec<usize>,
    /// `C(m, c)`.
    ways: Vec<Vec<W>>,
    /// By value in the order of the walk and by group: the weight, and that beyond it.
    pub(crate) weights: Vec<Vec<(W, W)>>,
}

impl<W: Weight> Counts<W> {
    pub(crate) fn of(groups: &[Group<W>], way: &Way) -> Option<Counts<W>> {
        let down = way.down;
        let (mut strides, mut states) = (Vec::new(), 1usize);
        for group in groups {
            strides.push((group.count, states));
            states = states.checked_mul(group.count + 1).filter(|states| *states <= STATES)?;
        }
        // Of equal dice it is enough to count to where the others are free.
        if groups.len() == 1 {
            states = states.min(way.needed);
        }
        let digit = |state: usize, (count, stride): (usize, usize)| state / stride % (count + 1);
        let seen = |state| strides.iter().map(|group| digit(state, *group)).sum();
        let most = groups.iter().map(|group| group.count).max().unwrap_or(0);
        let list = |m: usize| binomials(m as u64, m + 1).map(|ways| W::cut(&ways)).collect();
        let values = groups.first().map_or(0, |group| group.weights.len());
        let mut weights: Vec<Vec<(W, W)>> = vec![Vec::new(); values];
        for group in groups {
            let mut beyond = W::zero();
            let order = (0..values).map(|at| if down { at } else { values - 1 - at });
            for (at, value) in order.enumerate() {
                let weight = group.weights[value].clone();
                weights[values - 1 - at].push((weight.clone(), beyond.clone()));
                beyond.add(&weight);
            }
        }
        Some(Counts {
            seen: (0..states).map(seen).collect(),
            ways: (0..=most).map(list).collect(),
            groups: strides,
            states,
            weights,
        })
    }

    /// In how many ways some of the dice left show a value, for each number of them.
    pub(crate) fn factors(&self, group: usize, weight: &W) -> Vec<Vec<W>> {
        let mut powers = vec![W::of(&Natural::ONE)];
        for at in 0..self.groups[group].0 {
            powers.push(powers[at].times(weight));
        }
        let row = |ways: &Vec<W>| ways.iter().zip(&powers).map(|(a, b)| a.times(b)).collect();
        self.ways[..=self.groups[group].0].iter().map(row).collect()
    }

    /// How many dice of a group a state has seen.
    pub(crate) fn digit(&self, state: usize, group: usize) -> usize {
        let (count, stride) = self.groups[group];
        state / stride % (count + 1)
    }

    /// For equal dice: by state the ways in which so many show a value, and the others lie beyond it, that enough
    /// dice have been seen.
    pub(crate) fn enough(&self, factors: &[Vec<W>], beyond: &W, needed: usize) -> Option<Vec<W>> {
        let [(count, _)] = self.groups.as_slice() else { return None };
        let mut powers = vec![W::of(&Natural::ONE)];
        for at in 0..*count {
            powers.push(powers[at].times(beyond));
        }
        let tail = |seen: usize| {
            let mut ways = W::zero();
            for shown in needed - seen..=count - seen {
                ways.add_product(&factors[count - seen][shown], &powers[count - seen - shown]);
            }
            ways
        };
        Some((0..self.states).map(tail).collect())
    }

    /// The ways of the dice that a state has not seen, all beyond a value.
    pub(crate) fn free(&self, state: usize, value: usize) -> W {
        let mut ways = W::of(&Natural::ONE);
        for (group, (_, beyond)) in self.weights[value].iter().enumerate() {
            ways = ways.times(&beyond.power(self.groups[group].0 - self.digit(state, group)));
        }
        ways
    }
}

/// Weights of the sums from `low` on.
#[derive(Clone)]
struct Row<W> {
    low: i64,
    weights: Vec<W>,
}

impl<W: Weight> Row<W> {
    fn add(&mut self, other: &Row<W>, gain: i64, factor: &W) {
        let low = other.low + gain;
        if self.weights.is_empty() {
            self.low = low;
        }
        if low < self.low {
            let more = (self.low - low) as usize;
            self.weights.splice(0..0, std::iter::repeat_n(W::zero(), more));
            self.low = low;
        }
        let from = (low - self.low) as usize;
        if self.weights.len() < from + other.weights.len() {
            self.weights.resize(from + other.weights.len(), W::zero());
        }
        for (sum, weight) in self.weights[from..].iter_mut().zip(&other.weights) {
            sum.add_product(weight, factor);
        }
    }
}

/// The weights of the sums, from the lowest on; none if there are too many states. `gains` are for each value in
/// ascending order the sums of what the ranks add with it, from rank 0 on.
pub(crate) fn line<W: Weight>(
    groups: &[Group<W>],
    gains: Vec<Vec<i64>>,
    bits: usize,
    meter: &Meter,
) -> Result<Option<(i64, Vec<W>)>, OverBudget> {
    if width(&gains) > WIDEST {
        return Ok(None);
    }
    let way = Way::of(gains);
    if way.needed == 0 {
        return Ok(None);
    }
    let Some(counts) = Counts::of(groups, &way) else { return Ok(None) };
    let mut rows = vec![Row { low: 0, weights: Vec::new() }; counts.states];
    rows[0].weights.push(W::of(&Natural::ONE));
    let mut sum = Row { low: 0, weights: Vec::new() };
    for (value, gains) in way.gains.iter().enumerate() {
        for (group, (weight, beyond)) in counts.weights[value].iter().enumerate() {
            if weight.is_nothing() {
                continue;
            }
            let factors = counts.factors(group, weight);
            if let Some(enough) = counts.enough(&factors, beyond, way.needed) {
                for (seen, row) in
                    rows.iter().enumerate().filter(|(_, row)| !row.weights.is_empty())
                {
                    sum.add(row, gains[way.needed] - gains[seen], &enough[seen]);
                }
            }
            let last = beyond.is_nothing();
            one_value(&counts, &mut rows, (group, &factors, last), gains, bits, meter)?;
        }
        for (state, row) in rows.iter_mut().enumerate() {
            if counts.seen[state] >= way.needed && !row.weights.is_empty() {
                let free = counts.free(state, value);
                if !free.is_nothing() {
                    sum.add(row, 0, &free);
                }
                row.weights.clear();
            }
        }
    }
    Ok(Some((sum.low, sum.weights)))
}

/// How far apart sums may be.
fn width(gains: &[Vec<i64>]) -> i64 {
    let ranks = gains.first().map_or(0, |sums| sums.len() - 1);
    let of_rank = |rank: usize| {
        let gain = |sums: &Vec<i64>| sums[rank + 1].saturating_sub(sums[rank]);
        let (low, high) = (gains.iter().map(gain).min(), gains.iter().map(gain).max());
        high.unwrap_or(0).saturating_sub(low.unwrap_or(0))
    };
    (0..ranks).map(of_rank).fold(0, i64::saturating_add)
}

/// The dice of one group that show one value; all that are left, if it is their last.
fn one_value<W: Weight>(
    counts: &Counts<W>,
    rows: &mut [Row<W>],
    (group, factors, last): (usize, &[Vec<W>], bool),
    gains: &[i64],
    bits: usize,
    meter: &Meter,
) -> Result<(), OverBudget> {
    let (count, stride) = counts.groups[group];
    let each = 1 + bits as u64 / 64;
    let work = |state: usize, row: &Row<W>| {
        (row.weights.len() * (count + 1 - counts.digit(state, group))) as u64 * each
    };
    meter.afford(rows.iter().enumerate().map(|(state, row)| work(state, row)).sum())?;
    // From the most dice down: a row is read by those above it before it changes.
    for state in (0..rows.len()).rev() {
        let digit = counts.digit(state, group);
        let (earlier, later) = rows.split_at_mut(state);
        let row = &mut later[0];
        meter.charge(work(state, row))?;
        if last && digit < count {
            continue;
        }
        let seen = counts.seen[state];
        for shown in 1..=digit {
            let from = &earlier[state - shown * stride];
            if !from.weights.is_empty() {
                let gain = gains[seen] - gains[seen - shown];
                row.add(from, gain, &factors[count + shown - digit][shown]);
            }
        }
    }
    if last {
        let unfinished = |state: &usize| counts.digit(*state, group) < count;
        (0..rows.len()).filter(unfinished).for_each(|state| rows[state].weights.clear());
    }
    Ok(())
}
