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
//! Other readings are followed in a walk over the values: a state is how many dice have been seen, and for
//! each reading the sum of what its ranks among them are worth ([`fold`]). A single sum of readings, such as the
//! second highest die without the lowest, needs no joint law ([`super::line`]).

mod drawn;
mod endless;
mod fold;

use super::drawn::Draw;
use super::keep::Weight;
use super::order::{Ranks, binomials};
use super::piece::{head_and_tail, telling};
use super::plain::{Counted, Faces, ranks_of, settled};
use super::stops::never_stops;
use super::{Pool, PoolError, Reading, Stage, line, read};
use crate::law::{Law, Table};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Integer, Natural, Rational};

/// Several numbers read off one pool.
#[derive(Clone, Debug)]
pub enum Numbers {
    /// A single one.
    One(Law),
    /// Several.
    Joint(Joint),
    /// Several, of which the one with this place is endless.
    Endless(usize, Vec<Part>),
}

/// All numbers but an endless one, their chance, and the law of that one given them.
#[derive(Clone, Debug)]
pub struct Part {
    /// The numbers.
    pub others: Vec<i64>,
    /// The chance.
    pub chance: Rational,
    /// The endless one.
    pub last: Law,
}

/// Several numbers that hang together.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Whole values, each once, with their weights. Only as many numbers count as there are shares.
    pub values: Vec<([i64; MOST], Natural)>,
    /// What each of the numbers is to be multiplied with.
    pub shares: Vec<Option<Rational>>,
}

/// A term of a sum of readings: a factor, and a reading after some stages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The factor.
    pub factor: i64,
    /// Keeps and drops before it is read.
    pub stages: Vec<Stage>,
    /// What is read.
    pub reading: Reading,
}

/// A sum of readings, and a factor of all of it.
struct Read {
    terms: Vec<Ranked>,
    share: Option<Rational>,
}

/// The ranks that are added up, what a die is worth there, and how often it counts.
struct Ranked {
    ranks: Ranks,
    counted: Counted,
    factor: i64,
}

impl Read {
    /// None if some rank is not there, or a factor is too large.
    fn of(terms: &[Term], all: &Ranks) -> Option<Read> {
        let mut ranked = Vec::with_capacity(terms.len());
        for Term { factor, stages, reading } in terms {
            let ranks = stages.iter().fold(all.clone(), |ranks, stage| ranks.after(stage));
            let (ranks, share) = ranks_of(reading, &ranks)?;
            ranked.push((ranks, Counted::of(reading)?, *factor, share));
        }
        // The only shares are halves.
        let halves = ranked.iter().any(|(.., share)| share.is_some());
        let whole = |(ranks, counted, factor, share): (_, _, i64, Option<Rational>)| {
            let factor = if halves && share.is_none() { factor.checked_mul(2)? } else { factor };
            let factor = i16::try_from(factor).ok()?.into();
            Some(Ranked { ranks, counted, factor })
        };
        let share = halves.then(|| number::ratio(1, Natural::from(2u8)));
        Some(Read { terms: ranked.into_iter().map(whole).collect::<Option<_>>()?, share })
    }

    /// What each value adds by the number of dice, if these are the lowest and all show it.
    fn gains(&self, values: &[i64], dice: u64) -> Vec<Vec<i64>> {
        let within = |term: &Ranked, seen| term.ranks.within(0, seen) as i64 * term.factor;
        let tables: Vec<Vec<i64>> = self
            .terms
            .iter()
            .map(|term| (0..=dice).map(|seen| within(term, seen)).collect())
            .collect();
        let gain = |value: i64, seen: usize| {
            let terms = self.terms.iter().zip(&tables);
            terms.map(|(term, table)| term.counted.worth(value) * table[seen]).sum()
        };
        let of_value = |value: &i64| (0..=dice as usize).map(|seen| gain(*value, seen)).collect();
        values.iter().map(of_value).collect()
    }
}

/// Joint values with their weights.
type Values = Vec<([i64; MOST], Natural)>;

/// At most so many numbers are read together.
const MOST: usize = 4;

/// The joint law of several readings, each after some stages of its own. `None` if it is not known how; then
/// they are read one after the other.
pub fn read_together(
    pool: &Pool,
    readings: &[Vec<Term>],
    meter: &Meter,
) -> Result<Option<Numbers>, PoolError> {
    if let [terms] = readings
        && let [Term { factor: 1, stages, reading }] = terms.as_slice()
    {
        let stages = pool.stages.iter().chain(stages).cloned().collect();
        let pool = Pool { groups: pool.groups.clone(), stages };
        return read(&pool, reading, meter).map(|law| Some(Numbers::One(law)));
    }
    if never_stops(pool).is_some() {
        return Ok(None);
    }
    let cuts = |stages: &[Stage]| {
        stages.iter().all(|stage| matches!(stage, Stage::Keep(..) | Stage::Drop(..)))
    };
    if !readings.iter().flatten().all(|term| cuts(&term.stages)) {
        return Ok(None);
    }
    if let Some(draw) = Draw::of(pool)? {
        let reads = readings.iter().map(|terms| Read::of(terms, &draw.ranks));
        let Some(reads) = reads.collect::<Option<Vec<_>>>() else { return Ok(None) };
        let Some(values) = drawn::joint(&draw, &reads, meter)? else { return Ok(None) };
        let shares = reads.into_iter().map(|read| read.share).collect();
        return Ok(Some(Numbers::Joint(Joint { values, shares })));
    }
    let stages = telling(&pool.stages);
    let (head, tail) = head_and_tail(&stages);
    if !cuts(tail) {
        return Ok(None);
    }
    let Some(groups) = settled(pool, head, meter)? else {
        let found = endless::parts(pool, readings, meter)?;
        return Ok(found.map(|(place, mut parts)| match parts.as_slice() {
            [Part { others, .. }] if others.is_empty() => Numbers::One(parts.remove(0).last),
            _ => Numbers::Endless(place, parts),
        }));
    };
    let count = groups.iter().fold(0u64, |sum, (count, _)| sum.saturating_add(*count));
    let all = tail.iter().fold(Ranks::all(count), |ranks, stage| ranks.after(stage));
    let reads = readings.iter().map(|terms| Read::of(terms, &all)).collect::<Option<Vec<_>>>();
    let Some(reads) = reads else { return Ok(None) };
    if let Some((a, b, turned)) = two_ranks(&reads) {
        let values = order_pairs(&groups, (a, b), turned, meter)?;
        return Ok(Some(Numbers::Joint(Joint { values, shares: vec![None, None] })));
    }
    if count > MOST_DICE || reads.len() > MOST {
        return Ok(None);
    }
    match weight_bits(&groups) {
        bits if bits < 126 => walked::<i128>(&groups, &reads, bits, meter),
        // The page's module is to be small, and there such pools are read number by number.
        _ if cfg!(target_family = "wasm") => Ok(None),
        bits => walked::<Integer>(&groups, &reads, bits, meter),
    }
}

/// Faces beyond this are left to others: all sums are words.
const FARTHEST: u64 = 1 << 24;
/// So many dice are followed rank by rank.
const MOST_DICE: u64 = 2000;

fn weight_bits(groups: &[(u64, Faces)]) -> usize {
    groups.iter().fold(0, |bits, (count, faces)| {
        let total: u64 = faces.iter().map(|(_, weight)| *weight).fold(0, u64::saturating_add);
        bits + *count as usize * (64 - total.leading_zeros() as usize)
    })
}

/// What all dice can show, in ascending order.
fn values_of(groups: &[(u64, Faces)]) -> Vec<i64> {
    let faces = groups.iter().flat_map(|(_, faces)| faces.iter().map(|(face, _)| *face));
    let mut values: Vec<i64> = faces.collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// The readings by a walk over the values.
fn walked<W: Weight>(
    groups: &[(u64, Faces)],
    reads: &[Read],
    bits: usize,
    meter: &Meter,
) -> Result<Option<Numbers>, PoolError> {
    let values = values_of(groups);
    if values.iter().any(|value| value.unsigned_abs() > FARTHEST) {
        return Ok(None);
    }
    let dice = groups.iter().map(|(count, _)| *count).sum();
    meter.charge_product(values.len(), (dice as usize + 1) * reads.len() * 2, 0)?;
    let gains: Vec<Vec<Vec<i64>>> = reads.iter().map(|read| read.gains(&values, dice)).collect();
    let groups: Vec<line::Group<W>> = groups
        .iter()
        .map(|(count, faces)| {
            let mut faces = faces.iter().peekable();
            let mut weight = |value: &i64| {
                let found = faces.next_if(|(face, _)| face == value);
                W::cut(&Natural::from(found.map_or(0, |(_, weight)| *weight)))
            };
            let weights = values.iter().map(&mut weight).collect();
            line::Group { count: *count as usize, weights }
        })
        .collect();
    if let [only] = gains.as_slice() {
        let Some((low, weights)) = line::line(&groups, only.clone(), bits, meter)? else {
            return Ok(None);
        };
        let weights = weights.into_iter().map(Weight::into_natural).collect();
        let table = Table::on_lattice(number::whole(low), Rational::ONE, weights);
        let last = Law::Finite(table.unwrap_or_else(|| Table::constant(number::whole(low))));
        let last = match &reads[0].share {
            Some(share) => last.affine(share, &Rational::ZERO, meter)?,
            None => last,
        };
        return Ok(Some(Numbers::One(last)));
    }
    let Some(values) = fold::joint(&groups, &gains, bits, meter)? else { return Ok(None) };
    let shares = reads.iter().map(|read| read.share.clone()).collect();
    Ok(Some(Numbers::Joint(Joint { values, shares })))
}

/// The two ranks of readings of one die each, lower first, and whether the readings come the other way round.
fn two_ranks(reads: &[Read]) -> Option<(u64, u64, bool)> {
    let [first, second] = reads else { return None };
    let rank = |read: &Read| match read.terms.as_slice() {
        [Ranked { ranks, counted: Counted::Shown, factor: 1 }] => ranks.single(),
        _ => None,
    };
    let (a, b) = (rank(first)?, rank(second)?);
    Some((a.min(b), a.max(b), b < a))
}

/// What the dice at two ranks show.
fn order_pairs(
    groups: &[(u64, Faces)],
    (a, b): (u64, u64),
    turned: bool,
    meter: &Meter,
) -> Result<Values, PoolError> {
    let sized = |number: u64| usize::try_from(number).map_err(|_| OverBudget::Steps);
    let values = values_of(groups);
    let count = groups.iter().fold(0u64, |sum, (count, _)| sum.saturating_add(*count));
    let (below, beyond) = (sized(a)?, sized(count - 1 - b)?);
    let places = values.len() + 1;
    let bits = weight_bits(groups);
    let terms = (below + 1).saturating_mul(beyond + 1);
    let pairs = places * places / 2;
    meter.charge_product(pairs, terms.saturating_mul(2 * groups.len()).saturating_add(8), bits)?;
    let ranks = Beside { below, beyond, turned };
    Ok(match bits {
        ..126 => pairs_of::<i128>(groups, &values, &ranks),
        _ => pairs_of::<Integer>(groups, &values, &ranks),
    })
}

/// How many dice lie below the lower rank and beyond the upper one, and whether the upper one is read first.
struct Beside {
    below: usize,
    beyond: usize,
    turned: bool,
}

fn pairs_of<W: Weight>(groups: &[(u64, Faces)], values: &[i64], ranks: &Beside) -> Values {
    let dice: Vec<Dice<W>> =
        groups.iter().map(|(count, faces)| Dice::of(*count, faces, values, ranks)).collect();
    let places = values.len() + 1;
    // By place: the first `u` values are below, those from `v` on are beyond.
    let mut earlier = vec![W::zero(); places];
    let mut joint = Vec::with_capacity(places * places / 2);
    for v in 1..places {
        let mut row = vec![W::zero(); places];
        for (u, place) in row.iter_mut().enumerate().take(v) {
            *place = within(&dice, u, v, ranks);
        }
        for u in 0..v {
            let mut both = row[u].clone();
            both.add(&earlier[u + 1]);
            both.subtract(&row[u + 1]);
            both.subtract(&earlier[u]);
            if !both.is_nothing() {
                let (low, high) = (values[u], values[v - 1]);
                let pair = if ranks.turned { [high, low, 0, 0] } else { [low, high, 0, 0] };
                joint.push((pair, both.into_natural()));
            }
        }
        earlier = row;
    }
    joint
}

/// Equal dice: how many, the weights below each place, and how many ways there are to choose some of them.
struct Dice<W> {
    count: usize,
    below: Vec<W>,
    /// `n!/(i! k! (n−i−k)!)` for small `i` and `k`.
    ways: Vec<Vec<W>>,
}

impl<W: Weight> Dice<W> {
    fn of(count: u64, faces: &Faces, values: &[i64], ranks: &Beside) -> Dice<W> {
        let mut below = Vec::with_capacity(values.len() + 1);
        let (mut sum, mut faces) = (0u128, faces.iter().peekable());
        for value in values {
            below.push(W::cut(&Natural::from(sum)));
            if let Some((_, weight)) = faces.next_if(|(face, _)| face == value) {
                sum += u128::from(*weight);
            }
        }
        below.push(W::cut(&Natural::from(sum)));
        let list = |(i, first): (usize, Natural)| {
            let others = binomials(count - i as u64, ranks.beyond + 1);
            others.map(|others| W::cut(&(&first * others))).collect()
        };
        let ways = binomials(count, ranks.below + 1).enumerate().map(list).collect();
        Dice { count: count as usize, below, ways }
    }

    /// The throws with `i` dice below the place `u` and `k` from the place `v` on, for small `i` and `k`.
    fn around(&self, u: usize, v: usize) -> Vec<Vec<W>> {
        let minus = |a: &W, b: &W| {
            let mut difference = a.clone();
            difference.subtract(b);
            difference
        };
        let below = &self.below[u];
        let beyond = minus(&self.below[self.below.len() - 1], &self.below[v]);
        let between = minus(&self.below[v], below);
        let mut lists = Vec::with_capacity(self.ways.len());
        let mut first = W::of(&Natural::ONE);
        for (i, ways) in self.ways.iter().enumerate() {
            let mut factor = first.clone();
            let mut list = Vec::with_capacity(ways.len());
            for (k, ways) in ways.iter().enumerate() {
                let rest = between.power(self.count - i - k);
                list.push(ways.times(&factor).times(&rest));
                if beyond.is_nothing() {
                    break;
                }
                factor = factor.times(&beyond);
            }
            lists.push(list);
            if below.is_nothing() {
                break;
            }
            first = first.times(below);
        }
        lists
    }
}

/// The throws with few enough dice below the place `u` and from the place `v` on.
fn within<W: Weight>(dice: &[Dice<W>], u: usize, v: usize, ranks: &Beside) -> W {
    let mut terms = vec![vec![W::of(&Natural::ONE)]];
    for (at, group) in dice.iter().enumerate() {
        let own = group.around(u, v);
        terms = if at == 0 { own } else { product(&terms, &own, ranks) };
    }
    let mut sum = W::zero();
    terms.iter().flatten().for_each(|term| sum.add(term));
    sum
}

fn product<W: Weight>(left: &[Vec<W>], right: &[Vec<W>], ranks: &Beside) -> Vec<Vec<W>> {
    let longest = |lists: &[Vec<W>]| lists.iter().map(Vec::len).max().unwrap_or(1);
    let rows = (left.len() + right.len() - 1).min(ranks.below + 1);
    let columns = (longest(left) + longest(right) - 1).min(ranks.beyond + 1);
    let mut sums = vec![vec![W::zero(); columns]; rows];
    for (i, list) in left.iter().enumerate() {
        for (row, other) in sums[i.min(rows)..].iter_mut().zip(right) {
            for (k, a) in list.iter().enumerate().filter(|(_, a)| !a.is_nothing()) {
                for (sum, b) in row[k.min(columns)..].iter_mut().zip(other) {
                    sum.add_product(a, b);
                }
            }
        }
    }
    sums
}

/// The law of ascending whole numbers with these weights.
pub(crate) fn law_of<'a>(weights: impl Iterator<Item = (i64, &'a Natural)> + Clone) -> Law {
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
            let term = |(stages, reading)| vec![Term { factor: 1, stages, reading }];
            let asked: Vec<_> = read.iter().cloned().map(term).collect();
            let mut slow: BTreeMap<Vec<Rational>, Rational> = BTreeMap::new();
            let hands = dice(&pool, &meter).unwrap();
            for (hand, chance) in hands.chances() {
                let hand: Vec<Rational> = hand.iter().map(|die| die.shown.clone()).collect();
                let values = read.iter().map(|(s, r)| of_hand(&hand, s, r)).collect::<Option<_>>();
                let Some(values) = values else { return Ok(()) };
                *slow.entry(values).or_default() += chance;
            }
            let mut fast: BTreeMap<Vec<Rational>, Rational> = BTreeMap::new();
            let numbers = read_together(&pool, &asked, &meter).unwrap().unwrap();
            let Numbers::Joint(joint) = numbers else { panic!("several numbers") };
            let total = joint.values.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight);
            for (values, weight) in joint.values {
                let scaled = values.iter().zip(&joint.shares).map(|(value, share)| {
                    number::whole(*value) * share.clone().unwrap_or(Rational::ONE)
                });
                *fast.entry(scaled.collect()).or_default() += number::ratio(weight, total.clone());
            }
            prop_assert_eq!(fast, slow);
        }

        #[test]
        fn sums_of_readings_agree_with_every_hand(
            groups in prop::collection::vec((1u64..4, 2u64..5), 1..4),
            weighted in any::<bool>(),
            chosen in prop::collection::vec((0usize..8, -2i64..3), 1..4),
            heavy in any::<bool>(),
        ) {
            let meter = Meter::unlimited();
            let heavy = if heavy { 1 << 40 } else { 1 };
            let die = |sides: u64| {
                let weight = |face: u64| if weighted { heavy + face % 3 } else { 1 };
                Die::new((1..=sides).map(|f| (number::whole(f as i64), weight(f)))).unwrap()
            };
            let groups = groups.iter().map(|(count, sides)| (*count, Source::Die(die(*sides))));
            let pool = Pool { groups: groups.collect(), stages: vec![] };
            let read: Vec<_> = chosen.into_iter().map(|(which, f)| (readings(which), f)).collect();
            let terms = read.iter().cloned();
            let terms = terms.map(|((stages, reading), factor)| Term { factor, stages, reading });
            let mut slow: BTreeMap<Rational, Rational> = BTreeMap::new();
            for (hand, chance) in dice(&pool, &meter).unwrap().chances() {
                let hand: Vec<Rational> = hand.iter().map(|die| die.shown.clone()).collect();
                let mut sum = Rational::ZERO;
                for ((stages, reading), factor) in &read {
                    let Some(value) = of_hand(&hand, stages, reading) else { return Ok(()) };
                    sum += value * number::whole(*factor);
                }
                *slow.entry(sum).or_default() += chance;
            }
            let sum = read_together(&pool, &[terms.collect()], &meter).unwrap();
            let Some(Numbers::One(law)) = sum else { return Ok(()) };
            let fast: BTreeMap<_, _> = law.as_table().unwrap().chances().collect();
            prop_assert_eq!(fast, slow);
        }
    }
}
