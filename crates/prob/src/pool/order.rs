//! Dice in order: which ranks are kept, what stands at one rank.
//!
//! As long as the number of dice is fixed, keep and drop only choose ranks: `5d6 dl1 kh3` keeps the
//! ranks 3 to 5 of 5, counted from the lowest. A single rank needs no sum at all: the r-th highest
//! is at least `v` iff at least `r` dice are, a tail of a (Poisson-)binomial distribution.

use super::marks::Worth;
use super::piece::{Setup, Shown};
use super::together::law_of;
use super::{End, PoolError, Stage, tails};
use crate::law::Law;
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Natural, Rational};
use crate::words::gcd;
use dashu_base::BitTest;

/// A set of ranks, counted from 0 for the lowest die: ascending, disjoint, non-empty ranges.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Ranks(Vec<(u64, u64)>);

impl Ranks {
    pub(crate) fn all(count: u64) -> Ranks {
        Ranks(if count > 0 { vec![(0, count)] } else { Vec::new() })
    }

    /// The ranks that are left after keeping or dropping; other stages leave all.
    pub(crate) fn after(&self, stage: &Stage) -> Ranks {
        let (keep, end, count) = match stage {
            Stage::Keep(end, count) => (true, *end, *count),
            Stage::Drop(end, count) => (false, *end, *count),
            _ => return self.clone(),
        };
        let size = self.count();
        let count = count.min(size);
        let start = match end {
            End::Lowest => 0,
            End::Highest => size - count,
            End::Middle => (size - count) / 2,
        };
        let chosen = self.positions(start, start + count);
        if keep {
            return chosen;
        }
        let mut rest = self.positions(0, start).0;
        rest.extend(self.positions(start + count, size).0);
        Ranks(rest)
    }

    /// The members from the `from`-th to before the `to`-th.
    pub(crate) fn positions(&self, from: u64, to: u64) -> Ranks {
        let mut seen = 0;
        let mut chosen = Vec::new();
        for &(start, end) in &self.0 {
            let (low, high) = (from.max(seen) - seen, to.max(seen) - seen);
            let range = (start + low.min(end - start), start + high.min(end - start));
            if range.0 < range.1 {
                chosen.push(range);
            }
            seen += end - start;
        }
        Ranks(chosen)
    }

    pub(crate) fn count(&self) -> u64 {
        self.0.iter().map(|(start, end)| end - start).sum()
    }

    /// How many of the ranks lie in a range.
    pub(crate) fn within(&self, from: u64, to: u64) -> u64 {
        self.0.iter().map(|&(start, end)| end.min(to).saturating_sub(start.max(from))).sum()
    }

    /// The end that the ranks are all of, if they are, among `total` dice.
    pub(crate) fn end(&self, total: u64) -> Option<End> {
        match self.0.as_slice() {
            [(_, end)] if *end == total => Some(End::Highest),
            [(0, _)] => Some(End::Lowest),
            _ => None,
        }
    }

    /// All ranks, if they stand side by side.
    pub(crate) fn range(&self) -> Option<(u64, u64)> {
        match self.0.as_slice() {
            [range] => Some(*range),
            _ => None,
        }
    }

    /// The only rank, if there is one.
    pub(crate) fn single(&self) -> Option<u64> {
        match self.0.as_slice() {
            [(start, end)] if end - start == 1 => Some(*start),
            _ => None,
        }
    }
}

/// A group of equal dice with a weight for each value of the whole pool.
pub(crate) struct Faces {
    pub(crate) count: u64,
    pub(crate) weights: Vec<Natural>,
    pub(crate) total: Natural,
}

/// Dice that each stay one die, on the common list of their values.
pub(crate) struct Ranked {
    /// What dice can show, in ascending order.
    pub(crate) values: Vec<Rational>,
    /// What each value is worth, in steps above the least worth.
    pub(crate) worths: Vec<usize>,
    pub(crate) lowest: Rational,
    pub(crate) step: Rational,
    pub(crate) groups: Vec<Faces>,
}

impl Ranked {
    pub(crate) fn of(setup: &Setup, worth: &Worth<'_>, meter: &Meter) -> Result<Ranked, PoolError> {
        let mut values = Vec::new();
        for (piece, _) in setup.groups.iter().flat_map(|group| &group.pieces) {
            match &piece.shown {
                Shown::Number(value) => values.push(value.clone()),
                Shown::Endless(_) => return Err(PoolError::NoClosedForm),
            }
        }
        values.sort();
        values.dedup();
        meter.charge_product(values.len(), setup.groups.len() + 4, 0)?;
        let worths: Vec<Rational> = values.iter().map(|value| worth.value(value)).collect();
        let lowest = worths.iter().min().cloned().unwrap_or_default();
        let step = worths
            .iter()
            .fold(Rational::ZERO, |step, worth| number::common_step(&step, &(worth - &lowest)));
        let step = if step.is_zero() { Rational::ONE } else { step };
        let place = |worth: &Rational| {
            let steps = number::steps_in(&(worth - &lowest), &step)?;
            usize::try_from(steps).ok()
        };
        let worths: Option<Vec<usize>> = worths.iter().map(place).collect();
        let groups = setup.groups.iter().map(|group| faces(group, &values)).collect();
        Ok(Ranked { worths: worths.ok_or(OverBudget::Steps)?, values, lowest, step, groups })
    }

    /// Dice that show whole numbers, each kind with its faces in ascending order.
    pub(crate) fn plain(
        dice: &[(u64, Vec<(i64, u64)>)],
        worth: impl Fn(i64) -> i64,
        meter: &Meter,
    ) -> Result<Ranked, OverBudget> {
        let mut shown: Vec<i64> = Vec::new();
        for (_, faces) in dice {
            shown.extend(faces.iter().map(|(face, _)| *face));
        }
        if dice.len() > 1 {
            shown.sort_unstable();
            shown.dedup();
        }
        meter.charge_product(shown.len(), dice.len() + 4, 0)?;
        let (lowest, step, worths) = lattice(shown.iter().map(|shown| worth(*shown)));
        let mut groups = Vec::with_capacity(dice.len());
        for (count, faces) in dice {
            let mut weights = vec![Natural::ZERO; shown.len()];
            let mut total = Natural::ZERO;
            let mut place = 0;
            for (face, weight) in faces {
                while shown[place] < *face {
                    place += 1;
                }
                weights[place] = Natural::from(*weight);
                total += *weight;
            }
            groups.push(Faces { count: *count, weights, total });
        }
        Ok(Ranked {
            values: shown.into_iter().map(number::whole).collect(),
            worths,
            lowest: number::whole(lowest),
            step: number::whole(step),
            groups,
        })
    }

    /// The weights of each group in machine words, if they are small, and the number of dice.
    pub(crate) fn words(&self) -> Option<Vec<(u64, Vec<u64>)>> {
        let words = |weights: &[Natural]| {
            weights.iter().map(|weight| u64::try_from(weight).ok()).collect::<Option<Vec<_>>>()
        };
        let group = |group: &Faces| {
            u64::try_from(&group.total).ok()?;
            Some((group.count, words(&group.weights)?))
        };
        self.groups.iter().map(group).collect()
    }

    pub(crate) fn count(&self) -> u64 {
        self.groups.iter().fold(0u64, |sum, group| sum.saturating_add(group.count))
    }

    /// The same dice with the order of values turned round.
    pub(crate) fn reversed(mut self) -> Ranked {
        self.values.reverse();
        self.worths.reverse();
        self.groups.iter_mut().for_each(|group| group.weights.reverse());
        self
    }

    /// The bits of the product of all totals.
    pub(crate) fn bits(&self) -> Result<usize, OverBudget> {
        let bits = self.groups.iter().try_fold(0usize, |sum, group| {
            let count = usize::try_from(group.count).ok()?;
            sum.checked_add(group.total.bit_len().checked_mul(count)?)
        });
        bits.ok_or(OverBudget::Steps)
    }
}

/// The least of some whole numbers, the step between them, and each in steps above the least.
pub(crate) fn lattice(numbers: impl Iterator<Item = i64> + Clone) -> (i64, i64, Vec<usize>) {
    let lowest = numbers.clone().min().unwrap_or(0);
    let step = numbers.clone().fold(0u64, |step, number| match step {
        1 => 1,
        _ => gcd(step, number.abs_diff(lowest)),
    });
    let step = step.max(1);
    let places = numbers.map(|number| (number.abs_diff(lowest) / step) as usize).collect();
    (lowest, i64::try_from(step).unwrap_or(i64::MAX), places)
}

fn faces(group: &super::piece::Group, values: &[Rational]) -> Faces {
    let total =
        group.pieces.iter().fold(Natural::ONE, |t, (_, c)| number::lcm(&t, c.denominator()));
    let mut weights = vec![Natural::ZERO; values.len()];
    for (piece, chance) in &group.pieces {
        if let Shown::Number(value) = &piece.shown
            && let Ok(place) = values.binary_search(value)
        {
            let weight = number::magnitude(chance.numerator().clone());
            weights[place] += weight * (&total / chance.denominator());
        }
    }
    Faces { count: group.count, weights, total }
}

/// The law of what the die at one rank shows.
pub(crate) fn at_rank(pool: Ranked, rank: u64, meter: &Meter) -> Result<Law, PoolError> {
    let count = pool.count();
    // Count from the nearer end: the die is the `nth` from there.
    let upper = rank >= count / 2;
    let (pool, nth) = if upper { (pool, count - rank) } else { (pool.reversed(), rank + 1) };
    let size = usize::try_from(nth).map_err(|_| OverBudget::Steps)?;
    let (bits, thresholds) = (pool.bits()?, pool.values.len());
    // One group is a row of terms; several are multiplied.
    let products = if pool.groups.len() == 1 { 2 } else { size * pool.groups.len() };
    meter.charge_product(thresholds.saturating_mul(size), products, bits / 8)?;
    let words = pool.words().filter(|groups| groups.len() == 1);
    let mut weights = Vec::with_capacity(thresholds);
    let mut before = Natural::ZERO;
    let mut below = 0u64;
    // Of each group the weight below the threshold and from it on.
    let all = |group: &Faces| group.weights.iter().fold(Natural::ZERO, |sum, w| sum + w);
    let mut sides: Vec<_> = pool.groups.iter().map(|own| (Natural::ZERO, all(own))).collect();
    for place in 0..thresholds {
        let fewer = match words.as_deref() {
            Some([(count, weights)]) => {
                below += weights[place];
                let beyond: u64 = weights[place + 1..].iter().sum();
                tails::fewer_than(*count, nth, beyond, below)
            }
            _ => {
                meter.charge_product(pool.groups.len() + 1, 4 * products, bits / 2)?;
                for (group, (below, above)) in pool.groups.iter().zip(&mut sides) {
                    *below += &group.weights[place];
                    *above -= &group.weights[place];
                }
                fewer_than(&pool, &sides, size)
            }
        };
        weights.push(&fewer - &before);
        before = fewer;
    }
    let whole: Option<Vec<i64>> = pool.values.iter().map(number::to_i64).collect();
    if let Some(mut whole) = whole {
        if !upper {
            whole.reverse();
            weights.reverse();
        }
        return Ok(law_of(whole.into_iter().zip(&weights).filter(|(_, w)| !w.is_zero())));
    }
    Law::from_weights(pool.values.into_iter().zip(weights)).ok_or(PoolError::TooFewDice)
}

/// The weight of the throws with fewer than `size` dice at or beyond a place.
fn fewer_than(pool: &Ranked, sides: &[(Natural, Natural)], size: usize) -> Natural {
    let mut counts = vec![Natural::ONE];
    for (group, (below, above)) in pool.groups.iter().zip(sides) {
        let terms = binomial_terms(group.count, below, above, size);
        let mut next = vec![Natural::ZERO; (counts.len() + terms.len() - 1).min(size)];
        for (i, count) in counts.iter().enumerate() {
            for (term, sum) in terms.iter().zip(&mut next[i..]) {
                *sum += count * term;
            }
        }
        counts = next;
    }
    counts.iter().fold(Natural::ZERO, |sum, count| sum + count)
}

/// `C(n, j) below^(n−j) above^j` for `j` below `size`.
fn binomial_terms(n: u64, below: &Natural, above: &Natural, size: usize) -> Vec<Natural> {
    let powers = below_powers(n, below, size);
    let mut factor = Natural::ONE;
    let mut terms = Vec::with_capacity(powers.len());
    for (power, binomial) in powers.iter().zip(binomials(n, size)) {
        terms.push(power * &factor * binomial);
        factor *= above;
    }
    terms
}

/// `below^(n−j)` for `j` below `size`.
pub(crate) fn below_powers(n: u64, below: &Natural, size: usize) -> Vec<Natural> {
    let terms = size.min(usize::try_from(n).unwrap_or(usize::MAX).saturating_add(1));
    let least = usize::try_from(n).unwrap_or(usize::MAX).saturating_sub(terms.saturating_sub(1));
    let mut powers = vec![below.pow(least)];
    for _ in 1..terms {
        powers.push(powers[powers.len() - 1].clone() * below);
    }
    powers.reverse();
    powers
}

/// `C(n, j)` for `j` below `size`, as far as they are not zero.
pub(crate) fn binomials(n: u64, size: usize) -> impl Iterator<Item = Natural> {
    let mut next = Natural::ONE;
    (0..size as u64).take_while(move |&j| j <= n).map(move |j| {
        let current = next.clone();
        next = &next * (n - j) / (j + 1);
        current
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_and_drops_choose_ranks() {
        let all = Ranks::all(5);
        let after = |stages: &[Stage]| stages.iter().fold(all.clone(), |ranks, s| ranks.after(s));
        assert_eq!(after(&[Stage::Drop(End::Lowest, 1), Stage::Keep(End::Highest, 3)]).0, [(2, 5)]);
        assert_eq!(after(&[Stage::Keep(End::Middle, 2)]).0, [(1, 3)]);
        assert_eq!(after(&[Stage::Drop(End::Middle, 2)]).0, [(0, 1), (3, 5)]);
        assert_eq!(after(&[Stage::Keep(End::Highest, 9)]).0, [(0, 5)]);
        assert_eq!(after(&[Stage::Drop(End::Highest, 9)]).count(), 0);
        let ends = after(&[Stage::Drop(End::Middle, 3)]);
        assert_eq!(ends.after(&Stage::Keep(End::Highest, 1)).0, [(4, 5)]);
    }
}
