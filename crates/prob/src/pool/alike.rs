//! Keep the highest `k` of `n` equal dice, in a number of steps that does not grow with `n` or `k`.
//!
//! By the telescoped thresholds of [`keep`](super::keep), the throws whose k-th highest die shows `v`
//! have the weights `Δ = S(L + w, z) − S(L, w + z)`, where `L` is the weight of the faces below `v`, `w`
//! that of `v` itself, `z(x)` that of the faces above, by what they are worth more than `v`, and
//!
//! ```text
//! S(L, z) = Σ_{j<k} C(n,j) L^{n−j} z^j
//! ```
//!
//! is a binomial formula cut short. Written out, this takes `k` products of polynomials. But the sum
//! obeys a differential equation, for `(L + z)·dS/dz = n·S − F` with `F = n·C(n−1,k−1) L^{n−k+1} z^{k−1}`:
//! in the full formula the right side would be `n·S`, and `F` is what the cut leaves over. Times `z'` it is the
//! derivative of `G = C(n,k) L^{n−k+1} z^k`. Both sums of `Δ` have the same `N = L + w + z` and the same `z'`, so
//!
//! ```text
//! N·Δ' = n·z'·Δ + (G(L, w + z) − G(L + w, z))'
//! ```
//!
//! which gives each coefficient from a few earlier ones, as in [`poly`](crate::poly), where the powers in
//! `G` come from too. What one value leaves over beyond it is what the next leaves over from it on, so there is
//! one power for each value. And the terms are few: both sides are multiplied by `(1 − x)²` if that leaves
//! fewer, for a fair die of any size. `4d6kh3`: the third highest of four dice is a 6 in 21 throws of
//! 1296, and then there is nothing above it: `Δ = 6⁴ − (5⁴ + 4·5³ + 6·5²) = 21`.

mod blocks;

use super::order::Ranked;
use crate::meter::{Meter, OverBudget, price_of_row};
use crate::number::Natural;
use crate::rows::{Recurrence, Rows, Shifted};
use blocks::Blocks;
use dashu_base::BitTest;

/// Weights by worth, in steps above `keep` times the least worth, of the `keep` dice that show most: by the shorter of
/// two ways. None if the dice are not equal, worths neither follow values nor run against them, or neither way can
/// be gone.
pub(crate) fn kept(
    pool: &Ranked,
    keep: usize,
    meter: &Meter,
) -> Result<Option<Vec<Natural>>, OverBudget> {
    let Some((count, faces, mirrored)) = ascending(pool) else { return Ok(None) };
    let by_face = Alike::of(count, keep, &faces);
    let by_run = Blocks::of(count, keep, &faces);
    let sum = match (by_face, by_run) {
        (Some(alike), Some(blocks)) if blocks.cost() >= alike.cost() => alike.kept(meter)?,
        (_, Some(blocks)) => blocks.kept(meter)?,
        (Some(alike), None) => alike.kept(meter)?,
        (None, None) => return Ok(None),
    };
    let mut weights = sum.naturals();
    if mirrored {
        weights.reverse();
    }
    Ok(Some(weights))
}

/// How many dice there are, and the worth and weight of each face; the worths are ascending, and it is said whether
/// they were turned round for that.
#[expect(clippy::type_complexity, reason = "a few facts about dice")]
fn ascending(pool: &Ranked) -> Option<(u64, Vec<(usize, Natural)>, bool)> {
    let [group] = pool.groups.as_slice() else { return None };
    let span = span(pool);
    let mirrored = pool.worths.first() > pool.worths.last();
    let mut faces: Vec<(usize, Natural)> = Vec::with_capacity(pool.worths.len());
    for (worth, weight) in pool.worths.iter().zip(&group.weights) {
        let worth = if mirrored { span - worth } else { *worth };
        match faces.last_mut() {
            Some((last, sum)) if *last == worth => *sum += weight,
            Some((last, _)) if *last > worth => return None,
            _ => faces.push((worth, weight.clone())),
        }
    }
    faces.retain(|(_, weight)| !weight.is_zero());
    usize::try_from(group.count).ok()?;
    Some((group.count, faces, mirrored))
}

/// Equal dice, of which the `keep` that show most are kept.
struct Alike {
    count: u64,
    keep: usize,
    /// Worth and weight of each face; the worths are ascending.
    faces: Vec<(usize, u64)>,
    /// The weight of all faces.
    total: u64,
}

impl Alike {
    /// The dice, if their weights are small.
    fn of(count: u64, keep: usize, faces: &[(usize, Natural)]) -> Option<Alike> {
        let words = faces.iter().map(|(worth, weight)| Some((*worth, u64::try_from(weight).ok()?)));
        let faces: Vec<(usize, u64)> = words.collect::<Option<_>>()?;
        let span = faces.last().map_or(0, |(worth, _)| *worth);
        let total = faces.iter().try_fold(0u64, |sum, (_, weight)| sum.checked_add(*weight))?;
        // No equation has greater factors than that of all faces together.
        let degree = keep.checked_mul(span)?;
        let small = Recurrence::is_small(total.checked_mul(2)?, span + 1, count, degree);
        small.then_some(Alike { count, keep, faces, total })
    }

    /// The sums are at most the weight of all throws, and what is left over the total times that.
    fn bits(&self) -> usize {
        Natural::from(self.total).pow(self.count as usize + 1).bit_len()
    }

    /// About how many products of limbs it takes.
    fn cost(&self) -> u64 {
        let span = self.faces.last().map_or(0, |(worth, _)| *worth);
        let pairs = self.faces.windows(2);
        let breaks = pairs.filter(|pair| pair[1].0 != pair[0].0 + 1 || pair[1].1 != pair[0].1);
        let terms = (4 * breaks.count()).min(self.faces.len()) as u64 / 2 + 8;
        let rows = (self.keep as u64).saturating_mul(span as u64);
        let limbs = (self.count + 1).saturating_mul(self.total.bit_len() as u64) / 64 + 1;
        rows.saturating_mul(self.faces.len() as u64).saturating_mul(30 + terms * (limbs + 4))
    }

    /// What each face costs: about half as many rows as the result has, twice.
    fn price(&self) -> u64 {
        let span = self.faces.last().map_or(0, |(worth, _)| *worth);
        let terms = (4 * self.faces.len()).min(16) + 6;
        let bits = (self.count as usize + 1).saturating_mul(self.total.bit_len());
        (self.keep.saturating_mul(span) as u64 + 1).saturating_mul(price_of_row(terms, bits))
    }

    /// Weights by worth, face by face.
    fn kept(&self, meter: &Meter) -> Result<Rows, OverBudget> {
        let price = self.price();
        meter.afford(price.saturating_mul(self.faces.len() as u64))?;
        let span = self.faces.last().map_or(0, |(worth, _)| *worth);
        let bits = self.bits();
        let mut sum = Rows::zeros(self.keep * span + 1, bits);
        let mut below = 0;
        let mut from = self.left_over(0, below, bits);
        for (place, (worth, weight)) in self.faces.iter().enumerate() {
            meter.charge(price)?;
            let beyond = self.left_over(place + 1, below + weight, bits);
            sum.add(&self.at(place, below, &from, &beyond, bits), worth * self.keep);
            below += weight;
            from = beyond;
        }
        Ok(sum)
    }

    /// The faces from a place on, by how much more than the first of them they are worth.
    fn faces_from(&self, place: usize) -> Vec<(usize, u64)> {
        let faces = &self.faces[place..];
        let least = faces.first().map_or(0, |(worth, _)| *worth);
        faces.iter().map(|(worth, weight)| (worth - least, *weight)).collect()
    }

    /// The throws whose last kept die shows the face at this place, by how much more they are worth.
    fn at(&self, place: usize, below: u64, from: &Rows, beyond: &Rows, bits: usize) -> Rows {
        let (worth, weight) = self.faces[place];
        let above: Vec<(usize, u64)> =
            self.faces[place + 1..].iter().map(|(more, weight)| (more - worth, *weight)).collect();
        let highest = above.last().map_or(0, |(more, _)| *more);
        let degree = (self.keep - 1) * highest;
        let mut delta = Rows::with_room(degree + 1, bits);
        let all = Natural::from(below + weight).pow(self.count as usize);
        delta.push(&(all - self.cut_short(below, weight)));
        if let Some(equation) = Recurrence::of(below + weight, &above, self.count, degree)
            && degree > 0
        {
            let gap = above.first().map_or(0, |(more, _)| *more);
            let from = Shifted::new(from, 0);
            let beyond = Shifted::new(beyond, gap * self.keep);
            equation.extend_with(&mut delta, from, beyond, degree);
        }
        delta
    }

    /// `Σ_{j<k} C(n,j) L^{n−j} w^j`.
    fn cut_short(&self, below: u64, weight: u64) -> Natural {
        if below == 0 {
            return Natural::ZERO;
        }
        let mut term = Natural::from(below).pow(self.count as usize);
        let mut sum = Natural::ZERO;
        for j in 0..self.keep as u64 {
            sum += &term;
            term = term * (self.count - j) / (j + 1) * weight / below;
        }
        sum
    }

    /// `G = C(n,k) L^{n−k+1} z^k` for the faces `z` from a place on, as far as it is needed.
    fn left_over(&self, place: usize, below: u64, bits: usize) -> Rows {
        let faces = self.faces_from(place);
        let highest = faces.last().map_or(0, |(more, _)| *more);
        let degree = (self.keep - 1) * highest;
        if below == 0 || faces.is_empty() {
            return Rows::with_room(0, bits);
        }
        let keep = self.keep as u64;
        let ways = (0..keep).fold(Natural::ONE, |ways, j| ways * (self.count - j) / (j + 1));
        let factor = ways * Natural::from(below).pow(self.count as usize + 1 - self.keep);
        let first = faces.first().map_or(1, |(_, weight)| *weight);
        let mut rows = Rows::with_room(degree + 1, bits);
        rows.push(&(Natural::from(first).pow(self.keep) * factor));
        if let Some(power) = Recurrence::of(0, &faces, keep, degree) {
            power.extend(&mut rows, degree);
        }
        rows
    }
}

/// The greatest worth.
pub(crate) fn span(pool: &Ranked) -> usize {
    pool.worths.iter().max().copied().unwrap_or(0)
}
