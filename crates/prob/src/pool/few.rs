//! Keep the highest `k` of dice whose throws fit a machine word, by telescoped thresholds.
//!
//! The formula of [`keep`](super::keep), in the tier that fits. Worths are counted from the threshold, so that
//! polynomials are short, and the powers of each group's polynomial come one after the other; a group with
//! nothing above the threshold is a number. `4d6kh3` takes six thresholds with the powers 0, 1 and 2.

use super::order::{Ranked, lattice};
use crate::law::{Law, Table};
use crate::meter::{Meter, OverBudget};
use crate::number;
use crate::words::{
    Word, add_product, binomials, bits_of_powers, power, product_into, product_with_ones_into,
};

/// More steps than this, and equal dice are kept faster by a recurrence.
const WORTHWHILE: u64 = 400_000;

/// So many fair dice are multiplied one by one, by windows that slide along.
const FEW: u64 = 8;

/// Dice in machine words, from the value that is kept last to the one that is kept first.
pub(crate) struct Words {
    /// What each value is worth, in steps above the least worth; ascending.
    worths: Vec<usize>,
    /// Whether the worths were turned round for that.
    mirrored: bool,
    lowest: i64,
    step: i64,
    /// For each kind of dice how many there are, and the weight of each value.
    groups: Vec<(u64, Vec<u64>)>,
    /// The weight of all throws has at most so many bits.
    bits: u64,
}

impl Words {
    /// Dice with whole faces in ascending order, of which the highest or the lowest are kept first; `None` if they
    /// are not small, or their worths go up and down.
    pub(crate) fn plain(
        dice: &[(u64, Vec<(i64, u64)>)],
        worth: impl Fn(i64) -> i64,
        highest: bool,
    ) -> Option<Words> {
        let bits = bits_of_powers(dice.iter().map(|(count, faces)| (total(faces), *count)));
        if bits > 128 {
            return None;
        }
        let mut shown: Vec<i64> = Vec::with_capacity(dice.first()?.1.len());
        for (_, faces) in dice {
            shown.extend(faces.iter().map(|(face, _)| *face));
        }
        if dice.len() > 1 {
            shown.sort_unstable();
            shown.dedup();
        }
        let (lowest, step, mut worths) = lattice(shown.iter().map(|shown| worth(*shown)));
        let mut groups = Vec::with_capacity(dice.len());
        for (count, faces) in dice {
            let mut weights = vec![0; shown.len()];
            let mut place = 0;
            for (face, weight) in faces {
                while shown[place] < *face {
                    place += 1;
                }
                weights[place] = *weight;
            }
            if !highest {
                weights.reverse();
            }
            groups.push((*count, weights));
        }
        if !highest {
            worths.reverse();
        }
        Words { worths, mirrored: false, lowest, step, groups, bits }.ascending()
    }

    /// Dice that are ranked already.
    pub(crate) fn of(pool: &Ranked) -> Option<Words> {
        let (lowest, step) = (number::to_i64(&pool.lowest)?, number::to_i64(&pool.step)?);
        let (worths, groups) = (pool.worths.clone(), pool.words()?);
        let total = |weights: &[u64]| weights.iter().copied().map(u128::from).sum();
        let bits = bits_of_powers(groups.iter().map(|(count, weights)| (total(weights), *count)));
        if bits > 128 {
            return None;
        }
        Words { worths, mirrored: false, lowest, step, groups, bits }.ascending()
    }

    fn ascending(mut self) -> Option<Words> {
        self.mirrored = self.worths.first() > self.worths.last();
        if self.mirrored {
            let span = self.worths.iter().max().copied().unwrap_or(0);
            self.worths.iter_mut().for_each(|worth| *worth = span - *worth);
        }
        self.worths.is_sorted().then_some(self)
    }

    /// The law of the summed worth of the first `k` dice; `None` if that does not pay.
    pub(crate) fn kept(&self, k: usize, meter: &Meter) -> Result<Option<Law>, OverBudget> {
        let cost = self.cost(k);
        if self.groups.len() == 1 && cost > WORTHWHILE {
            return Ok(None);
        }
        let span = self.worths.last().copied().unwrap_or(0);
        let places = (k as u64).saturating_mul(span as u64);
        meter.charge((cost / 8 + 1).saturating_add(places.saturating_mul(4)))?;
        let Some(offset) = self.lowest.checked_mul(k as i64) else { return Ok(None) };
        let table = if self.bits <= 64 {
            kept::<u64>(&self.worths, &self.groups, k)
                .and_then(|weights| Table::of_words(offset, self.step, self.turned(weights)))
        } else {
            kept::<u128>(&self.worths, &self.groups, k)
                .and_then(|weights| Table::of_words(offset, self.step, self.turned(weights)))
        };
        Ok(table.map(Law::Finite))
    }

    fn turned<W>(&self, mut weights: Vec<W>) -> Vec<W> {
        if self.mirrored {
            weights.reverse();
        }
        weights
    }

    /// About how many steps [`kept`] takes.
    fn cost(&self, k: usize) -> u64 {
        let span = self.worths.last().copied().unwrap_or(0) as u64;
        let (faces, k) = (self.worths.len() as u64, k as u64);
        let each = |count: u64| {
            let terms = count.min(k);
            terms
                .saturating_mul(k)
                .saturating_mul(span.saturating_add(1))
                .saturating_mul(terms.min(4) + 2)
        };
        let groups = self.groups.iter().map(|(count, _)| each(*count));
        let groups = groups.fold(0u64, u64::saturating_add);
        let kinds = (self.groups.len() as u64).saturating_sub(1);
        let products =
            kinds.saturating_mul(k.saturating_mul(k)).saturating_mul(span.saturating_mul(span));
        groups.saturating_add(products.saturating_mul(k) / 2).saturating_mul(faces) / 2
    }
}

/// The weight of all faces.
fn total(faces: &[(i64, u64)]) -> u128 {
    faces.iter().map(|(_, weight)| u128::from(*weight)).sum()
}

/// The law of what the die at a rank, counted from 0 for the lowest, of so many equal dice shows; `None` if their
/// throws do not fit a word.
pub(crate) fn at_rank(
    count: u64,
    faces: &[(i64, u64)],
    rank: u64,
    meter: &Meter,
) -> Result<Option<Law>, OverBudget> {
    let bits = bits_of_powers([(total(faces), count)].into_iter());
    let nth = count - rank;
    if bits > 128 || nth > 128 {
        return Ok(None);
    }
    meter.charge((nth + 8).saturating_mul(faces.len() as u64))?;
    let Some(ways) = binomials(count, nth as usize) else { return Ok(None) };
    let (lowest, step, places) = lattice(faces.iter().map(|(face, _)| *face));
    if places.last().is_none_or(|last| *last > 16 * faces.len() + 64) {
        return Ok(None);
    }
    let table = if bits <= 64 {
        let weights = weights_at::<u64>(count, faces, &ways, &places);
        Table::of_words(lowest, step, weights)
    } else {
        let weights = weights_at::<u128>(count, faces, &ways, &places);
        Table::of_words(lowest, step, weights)
    };
    Ok(table.map(Law::Finite))
}

/// The n-th highest die shows at most a face if fewer than `n` dice show more; the ways to choose so many are
/// given.
fn weights_at<W: Word>(
    count: u64,
    faces: &[(i64, u64)],
    ways: &[u128],
    places: &[usize],
) -> Vec<W> {
    let mut weights = vec![W::ZERO; places.last().map_or(0, |last| last + 1)];
    let word = |weight: u64| W::of(weight.into());
    let mut beyond = faces.iter().fold(W::ZERO, |sum, (_, weight)| sum.plus(word(*weight)));
    let (mut below, mut before) = (W::ZERO, W::ZERO);
    for ((_, weight), place) in faces.iter().zip(places) {
        below = below.plus(word(*weight));
        beyond = beyond.minus(word(*weight));
        let (mut sum, mut factor) = (W::ZERO, W::ONE);
        for ways in ways {
            sum = sum.times(below).plus(factor.times(W::of(*ways)));
            factor = factor.times(beyond);
        }
        let fewer = sum.times(power(below, count + 1 - ways.len() as u64));
        weights[*place] = fewer.minus(before);
        before = fewer;
    }
    weights
}

/// Weights by worth, in steps above `k` times the least worth; the dice by group, with weights for each value.
fn kept<W: Word>(worths: &[usize], groups: &[(u64, Vec<u64>)], k: usize) -> Option<Vec<W>> {
    let span = worths.last().copied().unwrap_or(0);
    let mut sum = vec![W::ZERO; k * span + 1];
    let ways: Vec<Vec<u128>> =
        groups.iter().map(|(count, _)| binomials(*count, k)).collect::<Option<_>>()?;
    let mut powers = Powers::default();
    // With all values above the threshold no term of a degree below `k` is left.
    for place in 1..=worths.len() {
        let mut threshold = Threshold { worths, place, k, sum: &mut sum };
        match groups {
            [(count, weights)] => threshold.add_alike(weights, *count, &ways[0], &mut powers),
            _ => threshold.add_mixed(groups, &ways, &mut powers),
        }
    }
    Some(sum)
}

/// The values from `place` on are above the threshold.
struct Threshold<'a, W> {
    worths: &'a [usize],
    place: usize,
    k: usize,
    sum: &'a mut [W],
}

impl<W: Word> Threshold<'_, W> {
    /// What worths are counted from.
    fn base(&self) -> usize {
        self.worths.get(self.place).or(self.worths.last()).copied().unwrap_or(0)
    }

    /// Adds the term of `j` dice above the threshold, a factor times a polynomial: with the value below the
    /// threshold, and against that at it.
    fn add(&mut self, j: usize, poly: &[W], factor: W) {
        // Each die above is worth `base` more than the polynomial says.
        let (missing, beyond) = (self.k - j, self.base() * j);
        let shift = self.worths[self.place - 1] * missing + beyond;
        let at = self.worths.get(self.place).map(|at| at * missing + beyond);
        let Some(at) = at else {
            let sums = self.sum[shift..].iter_mut().zip(poly);
            return sums.for_each(|(sum, weight)| *sum = sum.plus(weight.times(factor)));
        };
        // Slices of one length, so that no index is looked at twice; they may overlap.
        let gap = at - shift;
        let sums = &mut self.sum[shift..][..gap + poly.len()];
        for (place, weight) in poly.iter().enumerate() {
            let term = weight.times(factor);
            sums[place] = sums[place].plus(term);
            sums[place + gap] = sums[place + gap].minus(term);
        }
    }

    fn add_alike(&mut self, weights: &[u64], count: u64, ways: &[u128], powers: &mut Powers<W>) {
        let below = sum_of(&weights[..self.place]);
        if !powers.start(self.worths, weights, self.place, self.base()) {
            return self.add(0, &[W::ONE], power(below, count));
        }
        let mut rest = powers.of_rest(below, count, ways.len());
        for (j, ways) in ways.iter().enumerate() {
            if j > 0 {
                powers.next();
            }
            let factor = rest.pop().unwrap_or(W::ONE);
            self.add(j, &powers.poly, factor.times(W::of(*ways)));
        }
        powers.rest = rest;
    }

    fn add_mixed(
        &mut self,
        groups: &[(u64, Vec<u64>)],
        ways: &[Vec<u128>],
        powers: &mut Powers<W>,
    ) {
        let mut terms: Vec<Vec<W>> = vec![vec![W::ONE]];
        for ((count, weights), ways) in groups.iter().zip(ways) {
            let below = sum_of(&weights[..self.place]);
            let own = if !powers.start(self.worths, weights, self.place, self.base()) {
                vec![vec![power(below, *count)]]
            } else if powers.fair && *count <= FEW {
                powers.times_each(&mut terms, below, *count, self.k);
                continue;
            } else {
                powers.terms(below, *count, ways)
            };
            terms = product_of_terms(&terms, &own, self.k);
        }
        for (j, poly) in terms.iter().enumerate() {
            self.add(j, poly, W::ONE);
        }
    }
}

fn sum_of<W: Word>(weights: &[u64]) -> W {
    weights.iter().fold(W::ZERO, |sum, weight| sum.plus(W::of((*weight).into())))
}

/// The powers of one polynomial, one after the other, in memory that is used again and again.
#[derive(Default)]
struct Powers<W> {
    /// The faces above the threshold, by how much more than its base they are worth.
    faces: Vec<W>,
    fair: bool,
    poly: Vec<W>,
    spare: Vec<W>,
    rest: Vec<W>,
}

impl<W: Word> Powers<W> {
    /// Begins with the faces from `place` on, by how much more than `base` they are worth; false if there are none.
    fn start(&mut self, worths: &[usize], weights: &[u64], place: usize, base: usize) -> bool {
        let Some(last) = weights[place..].iter().rposition(|weight| *weight > 0) else {
            return false;
        };
        let last = place + last;
        self.faces.clear();
        self.faces.resize(worths[last] - base + 1, W::ZERO);
        for (weight, worth) in weights[place..=last].iter().zip(&worths[place..]) {
            let sum = &mut self.faces[worth - base];
            *sum = sum.plus(W::of((*weight).into()));
        }
        self.fair = self.faces.iter().all(|weight| *weight == W::ONE);
        self.poly.clear();
        self.poly.push(W::ONE);
        true
    }

    fn next(&mut self) {
        if self.fair {
            product_with_ones_into(&mut self.spare, &self.poly, self.faces.len());
        } else {
            product_into(&mut self.spare, &self.poly, &self.faces);
        }
        std::mem::swap(&mut self.poly, &mut self.spare);
    }

    /// `below^(count − j)` for `j` below `size`, the last of them first.
    fn of_rest(&mut self, below: W, count: u64, size: usize) -> Vec<W> {
        let mut rest = std::mem::take(&mut self.rest);
        rest.clear();
        let mut next = power(below, count + 1 - size as u64);
        for _ in 0..size {
            rest.push(next);
            next = next.times(below);
        }
        rest
    }

    /// Multiplies polynomials in the number of dice above by `L + y·A` for each of some fair dice, cut off below
    /// degree `k`.
    fn times_each(&mut self, terms: &mut Vec<Vec<W>>, below: W, count: u64, k: usize) {
        for _ in 0..count {
            if terms.len() < k {
                terms.push(Vec::new());
            }
            for j in (1..terms.len()).rev() {
                product_with_ones_into(&mut self.spare, &terms[j - 1], self.faces.len());
                let sums = &mut terms[j];
                sums.iter_mut().for_each(|sum| *sum = sum.times(below));
                sums.resize(sums.len().max(self.spare.len()), W::ZERO);
                for (sum, more) in sums.iter_mut().zip(&self.spare) {
                    *sum = sum.plus(*more);
                }
            }
            terms[0].iter_mut().for_each(|weight| *weight = weight.times(below));
        }
    }

    /// `C(n, j) L^(n−j) A^j`.
    fn terms(&mut self, below: W, count: u64, ways: &[u128]) -> Vec<Vec<W>> {
        let mut rest = self.of_rest(below, count, ways.len());
        let mut terms = Vec::with_capacity(ways.len());
        for (j, ways) in ways.iter().enumerate() {
            if j > 0 {
                self.next();
            }
            let factor = rest.pop().unwrap_or(W::ONE).times(W::of(*ways));
            terms.push(self.poly.iter().map(|weight| weight.times(factor)).collect());
        }
        self.rest = rest;
        terms
    }
}

/// The product of polynomials in the number of dice above, cut off below degree `k`.
fn product_of_terms<W: Word>(left: &[Vec<W>], right: &[Vec<W>], k: usize) -> Vec<Vec<W>> {
    if let [number] = right
        && let [factor] = number.as_slice()
    {
        return scaled(left, *factor);
    }
    if let [number] = left
        && let [factor] = number.as_slice()
    {
        return scaled(right, *factor);
    }
    let degrees = (left.len() + right.len() - 1).min(k);
    let mut terms: Vec<Vec<W>> = vec![Vec::new(); degrees];
    for (i, a) in left.iter().enumerate() {
        for (b, sum) in right.iter().zip(&mut terms[i..]) {
            let len = a.len() + b.len() - 1;
            if sum.len() < len {
                sum.resize(len, W::ZERO);
            }
            add_product(sum, a, b);
        }
    }
    terms
}

fn scaled<W: Word>(terms: &[Vec<W>], factor: W) -> Vec<Vec<W>> {
    terms.iter().map(|poly| poly.iter().map(|weight| weight.times(factor)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::keep::keep_many;
    use super::super::order;
    use super::*;
    use proptest::prelude::*;

    /// Faces in ascending order, often those of a fair die.
    fn faces() -> impl Strategy<Value = Vec<(i64, u64)>> {
        let fair = (-2i64..3, 1i64..9).prop_map(|(first, faces)| {
            (first..first + faces).map(|face| (face, 1)).collect::<Vec<_>>()
        });
        let any = prop::collection::btree_map(-3i64..12, 1u64..5, 1..6);
        prop_oneof![fair, any.prop_map(|faces| faces.into_iter().collect::<Vec<_>>())]
    }

    proptest! {
        #[test]
        fn keeps_in_words_agree_with_long_numbers(
            dice in prop::collection::vec((1u64..5, faces()), 1..4),
            keep in 1u64..8,
            highest in any::<bool>(),
        ) {
            let meter = Meter::unlimited();
            let count: u64 = dice.iter().map(|(count, _)| count).sum();
            let keep = keep.min(count) as usize;
            let words = Words::plain(&dice, |shown| shown, highest).expect("small dice");
            let fast = words.kept(keep, &meter).unwrap().expect("few dice");
            let ranked = Ranked::plain(&dice, |shown| shown, &meter).unwrap();
            let ranked = if highest { ranked } else { ranked.reversed() };
            prop_assert_eq!(fast, keep_many(&ranked, keep, &meter).unwrap());
        }

        #[test]
        fn ranks_in_words_agree_with_long_numbers(
            faces in faces(),
            count in 1u64..20,
            rank in 0u64..20,
        ) {
            let meter = Meter::unlimited();
            let rank = rank.min(count - 1);
            let fast = at_rank(count, &faces, rank, &meter).unwrap().expect("few dice");
            let ranked = Ranked::plain(&[(count, faces)], |shown| shown, &meter).unwrap();
            prop_assert_eq!(fast, order::at_rank(ranked, rank, &meter).unwrap());
        }
    }
}
