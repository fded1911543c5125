//! Several numbers read off one pool at once, with their joint law.
//!
//! The lowest and the highest of twenty d20 have 210 joint values, however many hands there are. Two dice at
//! given ranks follow from two thresholds: the die at rank `a` shows at least `u` and that at rank `b` at
//! most `v` iff at most `a` dice show less than `u` and at most `n − 1 − b` more than `v`,
//!
//! ```text
//! G(u, v) = Σ_{i≤a} Σ_{k≤n−1−b} n!/(i! k! (n−i−k)!) · L^i · U^k · (T − L − U)^{n−i−k}
//! ```
//!
//! with the weights `L` below `u`, `U` beyond `v` and `T` in all; for different dice it is a product, cut off in
//! both directions. The chance of both values is a difference of four such sums. For the lowest and the
//! highest there is one term.
//!
//! Other readings are followed in a walk up the values: a state is how many dice have been seen, and for
//! each reading the sum of what its ranks among them are worth ([`fold`]).

mod fold;

use super::order::Ranks;
use super::piece::{head_and_tail, telling};
use super::plain::{Counted, Faces, ranks_of, settled};
use super::stops::never_stops;
use super::{Pool, PoolError, Reading, Stage};
use crate::law::{Law, Table};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Natural, Rational};

/// All but the last of several numbers, their chance, and the law of the last given them.
#[derive(Clone, Debug)]
pub struct Part {
    /// The numbers.
    pub others: Vec<Rational>,
    /// The last one.
    pub last: Law,
    /// The chance.
    pub chance: Rational,
}

/// One reading: the ranks that it adds up, what a die is worth to it, and a factor.
struct Read {
    ranks: Ranks,
    counted: Counted,
    share: Option<Rational>,
}

/// Joint values in ascending order, with their weights.
type Joint = Vec<(Vec<i64>, Natural)>;

/// The joint law of several readings, each after some stages of its own. `None` if it is not known how; then
/// they are read one after the other.
pub fn read_together(
    pool: &Pool,
    readings: &[(&[Stage], &Reading)],
    meter: &Meter,
) -> Result<Option<Vec<Part>>, PoolError> {
    if never_stops(pool).is_some() {
        return Ok(None);
    }
    let stages = telling(&pool.stages);
    let (head, tail) = head_and_tail(&stages);
    let cuts = |stages: &[Stage]| {
        stages.iter().all(|stage| matches!(stage, Stage::Keep(..) | Stage::Drop(..)))
    };
    if !cuts(tail) || !readings.iter().all(|(stages, _)| cuts(stages)) {
        return Ok(None);
    }
    let Some(groups) = settled(pool, head, meter)? else { return Ok(None) };
    let count = groups.iter().fold(0u64, |sum, (count, _)| sum.saturating_add(*count));
    let all = tail.iter().fold(Ranks::all(count), |ranks, stage| ranks.after(stage));
    let mut reads = Vec::with_capacity(readings.len());
    for (stages, reading) in readings {
        let ranks = stages.iter().fold(all.clone(), |ranks, stage| ranks.after(stage));
        let (Some((ranks, share)), Some(counted)) =
            (ranks_of(reading, &ranks), Counted::of(reading))
        else {
            return Ok(None);
        };
        reads.push(Read { ranks, counted, share });
    }
    let joint = match two_ranks(&reads) {
        Some((a, b, turned)) => Some(order_pairs(&groups, (a, b), turned, meter)?),
        None => fold::joint(&groups, &reads, meter)?,
    };
    let Some(joint) = joint else { return Ok(None) };
    meter.charge(joint.len() as u64 * 8)?;
    Ok(Some(parts(joint, &reads, meter)?))
}

/// The two ranks of readings of one die each, lower first, and whether the readings come the other way round.
fn two_ranks(reads: &[Read]) -> Option<(u64, u64, bool)> {
    let [first, second] = reads else { return None };
    let shown = |read: &Read| matches!(read.counted, Counted::Shown);
    if !shown(first) || !shown(second) {
        return None;
    }
    let (a, b) = (first.ranks.single()?, second.ranks.single()?);
    Some((a.min(b), a.max(b), b < a))
}

/// What the dice at two ranks show.
fn order_pairs(
    groups: &[(u64, Faces)],
    (a, b): (u64, u64),
    turned: bool,
    meter: &Meter,
) -> Result<Joint, PoolError> {
    let sized = |number: u64| usize::try_from(number).map_err(|_| OverBudget::Steps);
    let mut values: Vec<i64> =
        groups.iter().flat_map(|(_, faces)| faces.iter().map(|(face, _)| *face)).collect();
    values.sort_unstable();
    values.dedup();
    let count = groups.iter().fold(0u64, |sum, (count, _)| sum.saturating_add(*count));
    let (below, beyond) = (sized(a)?, sized(count - 1 - b)?);
    let places = values.len() + 1;
    let bits = groups.iter().fold(0, |bits, (count, faces)| {
        let total: u64 = faces.iter().map(|(_, weight)| *weight).fold(0, u64::saturating_add);
        bits + *count as usize * (64 - total.leading_zeros() as usize)
    });
    let terms = (below + 1).saturating_mul(beyond + 1);
    let pairs = places * places / 2;
    meter.charge_product(pairs, terms.saturating_mul(2 * groups.len()).saturating_add(8), bits)?;
    let dice: Vec<Dice> =
        groups.iter().map(|(count, faces)| Dice::of(*count, faces, &values)).collect();
    // By place: the first `u` values are below, those from `v` on are beyond.
    let mut earlier = vec![Natural::ZERO; places];
    let mut joint = Vec::with_capacity(pairs);
    for v in 1..places {
        let mut row = vec![Natural::ZERO; places];
        for (u, place) in row.iter_mut().enumerate().take(v) {
            *place = within(&dice, (u, below), (v, beyond));
        }
        for u in 0..v {
            let both = &row[u] + &earlier[u + 1] - &row[u + 1] - &earlier[u];
            if !both.is_zero() {
                let (low, high) = (values[u], values[v - 1]);
                joint.push((if turned { vec![high, low] } else { vec![low, high] }, both));
            }
        }
        earlier = row;
    }
    joint.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    Ok(joint)
}

/// Equal dice: how many, and the weights below each place.
struct Dice {
    count: usize,
    below: Vec<Natural>,
}

impl Dice {
    fn of(count: u64, faces: &Faces, values: &[i64]) -> Dice {
        let mut below = Vec::with_capacity(values.len() + 1);
        let (mut sum, mut faces) = (0u128, faces.iter().peekable());
        for value in values {
            below.push(Natural::from(sum));
            if let Some((_, weight)) = faces.next_if(|(face, _)| face == value) {
                sum += u128::from(*weight);
            }
        }
        below.push(Natural::from(sum));
        Dice { count: count as usize, below }
    }
}

/// The throws with at most `few.1` dice below the place `few.0` and at most `most.1` from the place `most.0` on.
fn within(dice: &[Dice], few: (usize, usize), most: (usize, usize)) -> Natural {
    let mut terms = vec![vec![Natural::ONE]];
    for group in dice {
        let below = &group.below[few.0];
        let beyond = &group.below[group.below.len() - 1] - &group.below[most.0];
        let between = &group.below[most.0] - below;
        let own = trinomial(group.count, (below, few.1), (&beyond, most.1), &between);
        terms = if terms.len() == 1 && terms[0].len() == 1 {
            own
        } else {
            product(&terms, &own, few.1, most.1)
        };
    }
    terms.iter().flatten().fold(Natural::ZERO, |sum, term| sum + term)
}

/// `n!/(i! k! (n−i−k)!) · below^i · beyond^k · between^{n−i−k}` for small `i` and `k`.
fn trinomial(
    n: usize,
    (below, most_below): (&Natural, usize),
    (beyond, most_beyond): (&Natural, usize),
    between: &Natural,
) -> Vec<Vec<Natural>> {
    let rows = if below.is_zero() { 0 } else { most_below.min(n) };
    let mut lists = Vec::with_capacity(rows + 1);
    let mut ways = Natural::ONE;
    for i in 0..=rows {
        let columns = if beyond.is_zero() { 0 } else { most_beyond.min(n - i) };
        let mut list = Vec::with_capacity(columns + 1);
        let mut power = between.pow(n - i - columns);
        let mut powers = Vec::with_capacity(columns + 1);
        for _ in 0..=columns {
            powers.push(power.clone());
            power *= between;
        }
        let mut factor = ways.clone();
        for (k, power) in powers.iter().rev().enumerate() {
            list.push(&factor * power);
            if k < columns {
                factor = factor * beyond * (n - i - k) / (k + 1);
            }
        }
        lists.push(list);
        if i < rows {
            ways = ways * below * (n - i) / (i + 1);
        }
    }
    lists
}

fn product(
    left: &[Vec<Natural>],
    right: &[Vec<Natural>],
    most_below: usize,
    most_beyond: usize,
) -> Vec<Vec<Natural>> {
    let longest = |lists: &[Vec<Natural>]| lists.iter().map(Vec::len).max().unwrap_or(1);
    let rows = (left.len() + right.len() - 1).min(most_below + 1);
    let columns = (longest(left) + longest(right) - 1).min(most_beyond + 1);
    let mut sums = vec![vec![Natural::ZERO; columns]; rows];
    for (i, list) in left.iter().enumerate() {
        for (row, other) in sums[i.min(rows)..].iter_mut().zip(right) {
            for (k, a) in list.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
                for (sum, b) in row[k.min(columns)..].iter_mut().zip(other) {
                    *sum += a * b;
                }
            }
        }
    }
    sums
}

/// The joint values by all numbers but the last.
fn parts(joint: Joint, reads: &[Read], meter: &Meter) -> Result<Vec<Part>, OverBudget> {
    let total = joint.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight);
    let scaled = |place: usize, value: i64| match &reads[place].share {
        Some(share) => number::whole(value) * share,
        None => number::whole(value),
    };
    let last = reads.len() - 1;
    let mut parts = Vec::new();
    let mut from = 0;
    while from < joint.len() {
        let others = &joint[from].0[..last];
        let len = joint[from..].iter().take_while(|(values, _)| &values[..last] == others).count();
        let group = &joint[from..from + len];
        let mass = group.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight);
        let law = law_of(group.iter().map(|(values, weight)| (values[last], weight)));
        let law = match &reads[last].share {
            Some(share) => law.affine(share, &Rational::ZERO, meter)?,
            None => law,
        };
        parts.push(Part {
            others: others.iter().enumerate().map(|(at, value)| scaled(at, *value)).collect(),
            last: law,
            chance: number::ratio(mass, total.clone()),
        });
        from += len;
    }
    Ok(parts)
}

/// The law of ascending whole numbers with these weights.
fn law_of<'a>(weights: impl Iterator<Item = (i64, &'a Natural)> + Clone) -> Law {
    let range = (weights.clone().next(), weights.clone().last());
    let (Some((low, _)), Some((high, _))) = range else { return Law::constant(Rational::ZERO) };
    let places = usize::try_from(high.abs_diff(low)).unwrap_or(usize::MAX);
    if places / 8 > weights.clone().count() + 8 {
        let exact = weights.map(|(value, weight)| (number::whole(value), weight.clone()));
        return Law::from_weights(exact).unwrap_or_else(|| Law::constant(number::whole(low)));
    }
    let mut dense = vec![Natural::ZERO; places + 1];
    for (value, weight) in weights {
        dense[value.abs_diff(low) as usize] = weight.clone();
    }
    let table = Table::on_lattice(number::whole(low), Rational::ONE, dense);
    Law::Finite(table.unwrap_or_else(|| Table::constant(number::whole(low))))
}

#[cfg(test)]
mod tests {
    use super::super::{Condition, Die, End, Source, dice};
    use super::*;
    use crate::number::Comparison;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// What a reading is of dice that lie there, in ascending order.
    fn of_hand(hand: &[Rational], stages: &[Stage], reading: &Reading) -> Option<Rational> {
        let all = Ranks::all(hand.len() as u64);
        let ranks = stages.iter().fold(all, |ranks, stage| ranks.after(stage));
        let (ranks, share) = ranks_of(reading, &ranks)?;
        let kept = (0..hand.len() as u64).filter(|rank| ranks.within(*rank, rank + 1) == 1);
        let worth = |shown: &Rational| match reading {
            Reading::Marks(marks) => number::whole(
                marks
                    .iter()
                    .filter(|(when, _)| when.holds(shown))
                    .map(|(_, m)| i64::from(*m))
                    .sum(),
            ),
            _ => shown.clone(),
        };
        let sum = kept.fold(Rational::ZERO, |sum, rank| sum + worth(&hand[rank as usize]));
        Some(sum * share.unwrap_or(Rational::ONE))
    }

    fn readings(choice: usize) -> (Vec<Stage>, Reading) {
        let hit = Condition { op: Comparison::AtLeast, value: number::whole(3) };
        let miss = Condition { op: Comparison::Equal, value: number::whole(1) };
        match choice {
            0 => (vec![], Reading::NthLowest(1)),
            1 => (vec![], Reading::NthHighest(1)),
            2 => (vec![], Reading::NthHighest(2)),
            3 => (vec![], Reading::Sum),
            4 => (vec![Stage::Keep(End::Highest, 2)], Reading::Sum),
            5 => (vec![Stage::Drop(End::Lowest, 1)], Reading::NthLowest(1)),
            6 => (vec![], Reading::Marks(vec![(hit, 1), (miss, -1)])),
            _ => (vec![], Reading::Median),
        }
    }

    proptest! {
        #[test]
        fn joint_readings_agree_with_every_hand(
            groups in prop::collection::vec((1u64..3, 2u64..5), 1..3),
            weighted in any::<bool>(),
            chosen in prop::collection::vec(0usize..8, 2..4),
        ) {
            let meter = Meter::unlimited();
            let die = |sides: u64| {
                let weight = |face: u64| if weighted { 1 + face % 3 } else { 1 };
                Die::new((1..=sides).map(|f| (number::whole(f as i64), weight(f)))).unwrap()
            };
            let groups = groups.iter().map(|(count, sides)| (*count, Source::Die(die(*sides))));
            let pool = Pool { groups: groups.collect(), stages: vec![] };
            let read: Vec<(Vec<Stage>, Reading)> = chosen.into_iter().map(readings).collect();
            let asked: Vec<_> = read.iter().map(|(s, r)| (s.as_slice(), r)).collect();
            let mut slow: BTreeMap<Vec<Rational>, Rational> = BTreeMap::new();
            let hands = dice(&pool, &meter).unwrap();
            for (hand, chance) in hands.chances() {
                let hand: Vec<Rational> = hand.iter().map(|die| die.shown.clone()).collect();
                let values = read.iter().map(|(s, r)| of_hand(&hand, s, r)).collect::<Option<_>>();
                let Some(values) = values else { return Ok(()) };
                *slow.entry(values).or_default() += chance;
            }
            let mut fast: BTreeMap<Vec<Rational>, Rational> = BTreeMap::new();
            for part in read_together(&pool, &asked, &meter).unwrap().unwrap() {
                for (last, chance) in part.last.as_table().unwrap().chances() {
                    let values = part.others.iter().cloned().chain([last]).collect();
                    *fast.entry(values).or_default() += chance * &part.chance;
                }
            }
            prop_assert_eq!(fast, slow);
        }
    }
}
