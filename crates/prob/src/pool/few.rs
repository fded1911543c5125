//! Keep the highest `k` of dice whose throws fit a machine word, by telescoped thresholds.
//!
//! The formula of [`keep`](super::keep), in the tier that fits. Worths are counted from the threshold, so that
//! polynomials are short, and the powers of each group's polynomial come one after the other; a group with
//! nothing above the threshold is a number. `4d6kh3` takes six thresholds with the powers 0, 1 and 2.

use super::order::Ranked;
use crate::words::{Word, add_product, binomials, power, product, product_with_ones};

/// More steps than this, and equal dice are kept faster by a recurrence.
pub(crate) const WORTHWHILE: u64 = 400_000;

/// About how many steps [`kept`] takes; `None` if the worths do not ascend.
pub(crate) fn cost(worths: &[usize], pool: &Ranked, k: usize) -> Option<u64> {
    let ascending = worths.windows(2).all(|pair| pair[0] <= pair[1]);
    let span = *worths.last()? as u64;
    let (faces, k) = (worths.len() as u64, k as u64);
    let each = |count: u64| {
        let terms = count.min(k);
        terms.saturating_mul(k).saturating_mul(span + 1).saturating_mul(terms.min(4) + 2)
    };
    let groups = pool.groups.iter().map(|group| each(group.count));
    let groups = groups.fold(0u64, u64::saturating_add);
    let products = (pool.groups.len() as u64 - 1).saturating_mul(k * k).saturating_mul(span * span);
    let steps = groups.saturating_add(products.saturating_mul(k) / 2).saturating_mul(faces);
    ascending.then_some(steps / 2)
}

/// Weights by worth, in steps above `k` times the least worth; the dice by group, with weights for each value.
pub(crate) fn kept<W: Word>(
    worths: &[usize],
    groups: &[(u64, Vec<u64>)],
    k: usize,
) -> Option<Vec<W>> {
    let span = worths.last().copied().unwrap_or(0);
    let mut sum = vec![W::ZERO; k * span + 1];
    let ways: Vec<Vec<u128>> =
        groups.iter().map(|(count, _)| binomials(*count, k)).collect::<Option<_>>()?;
    // With all values above the threshold no term of a degree below `k` is left.
    for place in 1..=worths.len() {
        let mut threshold = Threshold { worths, place, k, sum: &mut sum };
        match groups {
            [(count, weights)] => threshold.add_alike(weights, *count, &ways[0]),
            _ => threshold.add_mixed(groups, &ways),
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
        for (place, weight) in self.sum[shift..].iter_mut().zip(poly) {
            *place = place.plus(weight.times(factor));
        }
        if let Some(at) = self.worths.get(self.place) {
            for (place, weight) in self.sum[at * missing + beyond..].iter_mut().zip(poly) {
                *place = place.minus(weight.times(factor));
            }
        }
    }

    fn add_alike(&mut self, weights: &[u64], count: u64, ways: &[u128]) {
        let below = sum_of(&weights[..self.place]);
        let Some(faces) = above(self.worths, weights, self.place, self.base()) else {
            return self.add(0, &[W::ONE], power(below, count));
        };
        let fair = faces.iter().all(|weight| *weight == W::ONE);
        let mut poly = vec![W::ONE];
        for (j, ways) in ways.iter().enumerate() {
            if j > 0 {
                poly = times(&poly, &faces, fair);
            }
            self.add(j, &poly, power(below, count - j as u64).times(W::of(*ways)));
        }
    }

    fn add_mixed(&mut self, groups: &[(u64, Vec<u64>)], ways: &[Vec<u128>]) {
        let mut terms: Vec<Vec<W>> = vec![vec![W::ONE]];
        for ((count, weights), ways) in groups.iter().zip(ways) {
            let own = group_terms(self.worths, weights, *count, ways, self.place, self.base());
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

fn times<W: Word>(poly: &[W], faces: &[W], fair: bool) -> Vec<W> {
    if fair { product_with_ones(poly, faces.len()) } else { product(poly, faces) }
}

/// The faces from `place` on, by how much more than `base` they are worth; `None` if there are none.
fn above<W: Word>(worths: &[usize], weights: &[u64], place: usize, base: usize) -> Option<Vec<W>> {
    let last = place + weights[place..].iter().rposition(|weight| *weight > 0)?;
    let mut faces = vec![W::ZERO; worths[last] - base + 1];
    for (weight, worth) in weights[place..=last].iter().zip(&worths[place..]) {
        faces[worth - base] = faces[worth - base].plus(W::of((*weight).into()));
    }
    Some(faces)
}

/// `C(n, j) L^(n−j) A^j` for one group, with `A` by how much more than `base` its faces are worth.
fn group_terms<W: Word>(
    worths: &[usize],
    weights: &[u64],
    count: u64,
    ways: &[u128],
    place: usize,
    base: usize,
) -> Vec<Vec<W>> {
    let below = sum_of(&weights[..place]);
    let Some(faces) = above(worths, weights, place, base) else {
        return vec![vec![power(below, count)]];
    };
    let fair = faces.iter().all(|weight| *weight == W::ONE);
    let mut terms = Vec::with_capacity(ways.len());
    let mut poly = vec![W::ONE];
    for (j, ways) in ways.iter().enumerate() {
        if j > 0 {
            poly = times(&poly, &faces, fair);
        }
        let factor = power(below, count - j as u64).times(W::of(*ways));
        terms.push(poly.iter().map(|weight| weight.times(factor)).collect());
    }
    terms
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
