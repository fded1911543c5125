//! Keep the highest `k` of dice whose throws fit a machine word, by telescoped thresholds.
//!
//! The formula of [`keep`](super::keep), in the tier that fits. Worths are counted from the threshold, so that
//! polynomials are short, and the powers of each group's polynomial come one after the other; a group with
//! nothing above the threshold is a number. `4d6kh3` takes six thresholds with the powers 0, 1 and 2.

use super::order::Ranked;
use crate::words::{
    Word, add_product, binomials, power, product, product_with_ones,
};

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
        let base = worths.get(place).copied().unwrap_or(span);
        let mut terms: Option<Vec<Vec<W>>> = None;
        for ((count, weights), ways) in groups.iter().zip(&ways) {
            let own = group_terms(worths, weights, *count, ways, place, base);
            terms = Some(match terms {
                None => own,
                Some(terms) => product_of_terms(&terms, &own, k),
            });
        }
        for (j, poly) in terms.iter().flatten().enumerate() {
            // `j` dice above the threshold are worth `base` more each than the polynomial says.
            let missing = k - j;
            let shift = worths[place - 1] * missing + base * j;
            for (place, weight) in sum[shift..].iter_mut().zip(poly) {
                *place = place.plus(*weight);
            }
            if let Some(at) = worths.get(place) {
                for (place, weight) in sum[at * missing + base * j..].iter_mut().zip(poly) {
                    *place = place.minus(*weight);
                }
            }
        }
    }
    Some(sum)
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
    let below = weights[..place].iter().fold(W::ZERO, |sum, w| sum.plus(W::of((*w).into())));
    let above = &weights[place..];
    let Some(last) = above.iter().rposition(|weight| *weight > 0) else {
        return vec![vec![power(below, count)]];
    };
    let mut faces = vec![W::ZERO; worths[place + last] - base + 1];
    for (weight, worth) in above.iter().zip(&worths[place..]) {
        if *weight > 0 {
            faces[worth - base] = faces[worth - base].plus(W::of((*weight).into()));
        }
    }
    let fair = faces.iter().all(|weight| *weight == W::ONE);
    let mut terms = Vec::with_capacity(ways.len());
    let mut poly = vec![W::ONE];
    for (j, ways) in ways.iter().enumerate() {
        if j > 0 {
            poly = if fair { product_with_ones(&poly, faces.len()) } else { product(&poly, &faces) };
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
