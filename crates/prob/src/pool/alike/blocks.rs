//! Keep the highest `k` of `n` equal dice whose faces form a few runs of equal weight.
//!
//! A die that explodes shows 1 to 9, 11 to 19, 21 to 29: a few runs of equal weight, wide apart. The equation
//! of [`alike`](super) has a threshold for each face, and each threshold has as many terms as there are runs above
//! it. Here a threshold is a whole run. If `c` dice lie in runs above it, all of them are kept; the last
//! kept die lies in the run itself if at least `k − c` of the others do, and of the `m` in there the highest
//! `k − c` are kept, as of `m` fair dice. With `A(x)` for the faces above the run, `w` for the weight of each face in
//! it, `L` for the weight of all below it and `K_{m,j}` for the highest `j` of `m` fair dice, the throws whose last
//! kept die lies in the run have the weights
//!
//! ```text
//! Σ_{c<k} A^c · W_c    with    W_c = Σ_m n!/(c! m! (n−c−m)!) · L^{n−c−m} w^m · K_{m,k−c}
//! ```
//!
//! The sum over `c` is taken by Horner's rule, and a product with `A` is cheap: it has one term for each run, and all
//! runs are as long as each other, or nearly so. `3d10!! up to 1 kh2`: with the run 11 to 20 at the threshold, `A = 0` and `W_0` has the terms `m = 2`
//! (one die below it) and `m = 3`.

use std::collections::BTreeMap;

use crate::meter::{Meter, OverBudget};
use crate::number::Natural;
use crate::rows::{Limbs, Rows};
use crate::words::{Word, binomials, bits_of_power, power, product_with_ones};
use dashu_base::BitTest;

/// Neighbouring faces of equal weight.
struct Run {
    /// The worth of the lowest.
    start: usize,
    faces: usize,
    weight: Natural,
}

/// The dice by runs.
pub(super) struct Blocks {
    count: u64,
    keep: usize,
    runs: Vec<Run>,
    /// No number has more bits.
    bits: usize,
}

impl Blocks {
    /// The runs of faces with ascending worths, if their lengths are small.
    pub(super) fn of(count: u64, keep: usize, faces: &[(usize, Natural)]) -> Option<Blocks> {
        let mut runs: Vec<Run> = Vec::new();
        let mut total = Natural::ZERO;
        for (worth, weight) in faces {
            total += weight;
            match runs.last_mut() {
                Some(run) if run.start + run.faces == *worth && run.weight == *weight => {
                    run.faces += 1;
                }
                _ => runs.push(Run { start: *worth, faces: 1, weight: weight.clone() }),
            }
        }
        let longest = runs.iter().map(|run| run.faces).max()?;
        let fits = bits_of_power(longest as u64, count) <= 127;
        // No sum exceeds the weight of all throws. Nothing was paid yet, so that is not worked out here.
        let bits = total.bit_len().checked_mul(usize::try_from(count).ok()?)?;
        fits.then_some(Blocks { count, keep, runs, bits })
    }

    /// About how many products of limbs it takes.
    pub(super) fn cost(&self) -> u64 {
        let (n, k) = (self.count, self.keep as u64);
        let limbs = self.bits as u64 / 64 + 1;
        let top = self.runs.last().map_or(0, |run| run.start + run.faces);
        let mut sum = 0u64;
        for (place, run) in self.runs.iter().enumerate() {
            let above = self.runs[place..].iter().map(|run| 1 + run.weight.bit_len() as u64 / 64);
            let above = above.sum::<u64>();
            let span = (top - run.start) as u64;
            let faces = run.faces as u64;
            let scalars = k.saturating_mul(n - k + 1).saturating_mul(limbs * 3 + 30);
            let mixed = k.saturating_mul(k).saturating_mul(faces).saturating_mul(n - k + 1) / 2;
            let rows = k.saturating_mul(k).saturating_mul(span) / 2;
            let each = rows.saturating_mul(limbs * (2 + above));
            let mixed = mixed.saturating_mul(limbs + 2);
            sum = sum.saturating_add(scalars).saturating_add(mixed).saturating_add(each);
        }
        let longest = self.runs.iter().map(|run| run.faces as u64).max().unwrap_or(0);
        let fair = k.saturating_pow(3).saturating_mul(longest * longest) / 6;
        sum.saturating_add(fair.saturating_mul(n - k + 1))
    }

    /// Weights by worth, in steps above `k` times the least worth.
    pub(super) fn kept(mut self, meter: &Meter) -> Result<Rows, OverBudget> {
        const PRODUCTS_IN_A_STEP: u64 = 10;
        let cost = self.cost() / PRODUCTS_IN_A_STEP + 1;
        meter.afford(cost)?;
        let parts = (self.runs.len() * self.keep).max(1) as u64;
        let pay = || meter.charge(cost.div_ceil(parts));
        let all = self.runs.iter().map(|run| &run.weight * run.faces);
        let total = all.fold(Natural::ZERO, |sum, weight| sum + weight);
        self.bits = total.pow(self.count as usize).bit_len();
        let keep = self.keep;
        let top = self.runs.last().map_or(0, |run| run.start + run.faces - 1);
        let mut sum = Rows::zeros(keep * top + 1, self.bits);
        let mut fair = Fair::default();
        let ways = self.ways();
        let mut below = Natural::ZERO;
        for (place, run) in self.runs.iter().enumerate() {
            let kept = self.at(place, &below, &ways, &mut fair, &pay)?;
            sum.add(&kept, run.start * keep);
            below += &run.weight * run.faces;
        }
        Ok(sum)
    }

    /// `n!/(c! m! (n−c−m)!)` for `c < k` and, counted from `k − c`, each `m`.
    fn ways(&self) -> Vec<Vec<Natural>> {
        let (n, keep) = (self.count, self.keep);
        let mut chosen = Natural::ONE;
        let mut all = Vec::with_capacity(keep);
        for c in 0..keep as u64 {
            let mut next = chosen.clone();
            let mut list = Vec::new();
            for m in 0..=n - c {
                if m >= keep as u64 - c {
                    list.push(next.clone());
                }
                next = next * (n - c - m) / (m + 1);
            }
            all.push(list);
            chosen = chosen * (n - c) / (c + 1);
        }
        all
    }

    /// The throws whose last kept die lies in a run, by how much more they are worth than `k` times its first.
    fn at(
        &self,
        place: usize,
        below: &Natural,
        ways: &[Vec<Natural>],
        fair: &mut Fair,
        pay: &impl Fn() -> Result<(), OverBudget>,
    ) -> Result<Rows, OverBudget> {
        pay()?;
        let keep = self.keep;
        let run = &self.runs[place];
        let above = &self.runs[place + 1..];
        let (below, weight) = (self.powers(below), self.powers(&run.weight));
        let within = |c: usize, sum: &mut Rows, fair: &mut Fair| {
            self.add_within(run.faces, c, &ways[c], (&below, &weight), fair, sum);
        };
        let own = |c: usize| (run.faces - 1) * (keep - c) + 1;
        let Some(next) = above.first() else {
            let mut sum = Rows::zeros(own(0), self.bits);
            within(0, &mut sum, fair);
            return Ok(sum);
        };
        let times = Multiplier::of(above, next.start);
        let gap = next.start - run.start;
        let mut sum = Rows::zeros(own(keep - 1), self.bits);
        within(keep - 1, &mut sum, fair);
        for c in (0..keep - 1).rev() {
            pay()?;
            // Nothing is shorter than the run's own sums: those above it are worth more.
            sum = times.product(&sum, gap, self.bits);
            within(c, &mut sum, fair);
        }
        Ok(sum)
    }

    fn powers(&self, base: &Natural) -> Vec<Natural> {
        let mut powers = vec![Natural::ONE];
        for _ in 0..self.count {
            powers.push(&powers[powers.len() - 1] * base);
        }
        powers
    }

    /// Adds `W_c` for a run of so many faces, from the powers of the weights below it and of its own.
    fn add_within(
        &self,
        faces: usize,
        c: usize,
        ways: &[Natural],
        (below, weight): (&[Natural], &[Natural]),
        fair: &mut Fair,
        sum: &mut Rows,
    ) {
        let (n, j) = (self.count as usize, self.keep - c);
        let kept = fair.kept(faces, j, n - c);
        for (m, (ways, kept)) in (j..).zip(ways.iter().zip(kept)) {
            let rest = &below[n - c - m];
            if !rest.is_zero() {
                sum.add_multiples(&(ways * rest * &weight[m]), kept);
            }
        }
    }
}

/// A polynomial to multiply by: `B(x)·(1 + x + … + x^(window − 1)) + C(x)`, each with few terms.
struct Multiplier {
    window: usize,
    /// The terms of `B`.
    runs: Vec<(usize, Limbs)>,
    /// The terms of `C`.
    single: Vec<(usize, Limbs)>,
    degree: usize,
}

impl Multiplier {
    /// The runs, the first of which begins at a worth, cut into windows of the best length.
    fn of(runs: &[Run], base: usize) -> Multiplier {
        let cut = |window: usize| {
            let mut times = Multiplier { window, runs: Vec::new(), single: Vec::new(), degree: 0 };
            for run in runs {
                let weight = Limbs::of(&run.weight);
                let end = run.start - base + run.faces;
                let mut place = run.start - base;
                while window > 1 && place + window <= end {
                    times.runs.push((place, weight.clone()));
                    place += window;
                }
                times.single.extend((place..end).map(|place| (place, weight.clone())));
                times.degree = end - 1;
            }
            times
        };
        let each = cut(1);
        let windows = runs.iter().map(|run| run.faces).filter(|window| *window > 1).map(cut);
        windows.fold(each, |best, next| if next.terms() < best.terms() { next } else { best })
    }

    fn terms(&self) -> usize {
        self.single.len() + if self.runs.is_empty() { 0 } else { self.runs.len() + 1 }
    }

    /// The product with `x^gap` and this.
    fn product(&self, rows: &Rows, gap: usize, bits: usize) -> Rows {
        let len = rows.len() + self.degree;
        let mut product = if self.runs.is_empty() {
            Rows::zeros(len + gap, bits)
        } else {
            let mut starts = Rows::zeros(len + 1 - self.window, bits);
            for (shift, factor) in &self.runs {
                starts.add_multiple(rows, *shift, factor);
            }
            starts.windowed(self.window, gap)
        };
        for (shift, factor) in &self.single {
            product.add_multiple(rows, gap + *shift, factor);
        }
        product
    }
}

/// The highest of some fair dice.
#[derive(Default)]
struct Fair {
    short: Powers<u64>,
    long: Powers<u128>,
    /// By the number of faces and of dice kept, for each number of dice from that on.
    kept: BTreeMap<(usize, usize), Vec<Vec<u128>>>,
}

impl Fair {
    /// The highest `j` of `m` dice that show 0 to `faces − 1`, for each `m` from `j` to `most`, by thresholds as in
    /// [`few`](super::super::few).
    fn kept(&mut self, faces: usize, j: usize, most: usize) -> &[Vec<u128>] {
        if !self.kept.contains_key(&(faces, j)) {
            let list = self.all_kept(faces, j, most);
            self.kept.insert((faces, j), list);
        }
        self.kept.get(&(faces, j)).map_or(&[], Vec::as_slice)
    }

    fn all_kept(&mut self, faces: usize, j: usize, most: usize) -> Vec<Vec<u128>> {
        if bits_of_power(faces as u64, most as u64) <= 64 {
            let list = all_kept::<u64>(&mut self.short, faces, j, most);
            let wide = |weights: Vec<u64>| weights.into_iter().map(u128::from).collect();
            return list.into_iter().map(wide).collect();
        }
        all_kept::<u128>(&mut self.long, faces, j, most)
    }
}

fn all_kept<W: Word>(powers: &mut Powers<W>, faces: usize, j: usize, most: usize) -> Vec<Vec<W>> {
    let mut list = vec![vec![W::ZERO; (faces - 1) * j + 1]; most + 1 - j];
    let ways: Vec<Vec<u128>> =
        (j..=most).map(|m| binomials(m as u64, j).unwrap_or_default()).collect();
    for place in 1..=faces {
        // Where no face is above the threshold, no die is.
        let above = if place < faces { j } else { 1 };
        let below = W::of(place as u128);
        for i in 0..above {
            let poly = powers.of(faces - place, i);
            let shift = (place - 1) * (j - i) + place * i;
            let mut others = power(below, (j - i) as u64);
            for (sums, ways) in list.iter_mut().zip(&ways) {
                let factor = others.times(W::of(ways.get(i).copied().unwrap_or(0)));
                others = others.times(below);
                for (at, weight) in poly.iter().enumerate() {
                    let term = weight.times(factor);
                    sums[shift + at] = sums[shift + at].plus(term);
                    if place < faces {
                        sums[place * j + at] = sums[place * j + at].minus(term);
                    }
                }
            }
        }
    }
    list
}

/// By the number of faces, the powers of `1 + x + … + x^(faces − 1)`.
#[derive(Default)]
struct Powers<W>(BTreeMap<usize, Vec<Vec<W>>>);

impl<W: Word> Powers<W> {
    fn of(&mut self, faces: usize, exponent: usize) -> &[W] {
        let powers = self.0.entry(faces).or_insert_with(|| vec![vec![W::ONE]]);
        while powers.len() <= exponent {
            let next = product_with_ones(&powers[powers.len() - 1], faces);
            powers.push(next);
        }
        &powers[exponent]
    }
}

#[cfg(test)]
mod tests {
    use super::super::Alike;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn runs_agree_with_faces(
            runs in prop::collection::vec((1usize..3, 1usize..5, 1u64..2000), 1..6),
            count in 1u64..9,
            keep in 1usize..9,
        ) {
            let mut faces: Vec<(usize, Natural)> = Vec::new();
            for (gap, len, weight) in runs {
                let start = faces.last().map_or(0, |(worth, _)| worth + gap);
                faces.extend((start..start + len).map(|worth| (worth, Natural::from(weight))));
            }
            let keep = keep.min(count as usize);
            let by_run = Blocks::of(count, keep, &faces).unwrap().kept(&Meter::unlimited()).unwrap();
            let by_face =
                Alike::of(count, keep, &faces).unwrap().kept(&Meter::unlimited()).unwrap();
            prop_assert_eq!(by_run.naturals(), by_face.naturals());
        }
    }
}
