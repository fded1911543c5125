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
//! in the full formula the right side would be `n·S`, and `F` is what the cut leaves over. Both sums of
//! `Δ` have the same `N = L + w + z` and the same `z'`, so
//!
//! ```text
//! N·Δ' = z'·(n·Δ + F(L, w + z) − F(L + w, z))
//! ```
//!
//! which gives each coefficient from a few earlier ones, as in [`poly`](crate::poly), where the powers in
//! `F` come from too. Few indeed: both sides are multiplied by `(1 − x)²` if that leaves fewer terms, and for
//! a fair die of any size it leaves ten. `4d6kh3`: the third highest of four dice is a 6 in 21 throws of
//! 1296, and then there is nothing above it: `Δ = 6⁴ − (5⁴ + 4·5³ + 6·5²) = 21`.

use super::order::Ranked;
use crate::number::{Integer, Natural};
use crate::poly::Poly;
use crate::rows::{Rows, Term};
use dashu_base::BitTest;

/// Equal dice, of which the `keep` that show most are kept.
pub(crate) struct Alike {
    count: u64,
    keep: usize,
    /// Worth and weight of each face; the worths are ascending.
    faces: Vec<(usize, u64)>,
    /// Whether the worths were turned round for that.
    mirrored: bool,
    /// The weight of all faces.
    total: u64,
}

impl Alike {
    /// The pool, if its dice are equal, worths follow values or run against them, and weights are small.
    pub(crate) fn of(pool: &Ranked, keep: usize) -> Option<Alike> {
        let [group] = pool.groups.as_slice() else { return None };
        let span = span(pool);
        let mirrored = pool.worths.first() > pool.worths.last();
        let mut faces: Vec<(usize, u64)> = Vec::new();
        for (worth, weight) in pool.worths.iter().zip(&group.weights) {
            let worth = if mirrored { span - worth } else { *worth };
            let weight = u32::try_from(weight).ok()?;
            match faces.last_mut() {
                Some((last, sum)) if *last == worth => *sum += u64::from(weight),
                Some((last, _)) if *last > worth => return None,
                _ => faces.push((worth, u64::from(weight))),
            }
        }
        faces.retain(|(_, weight)| *weight > 0);
        usize::try_from(group.count).ok()?;
        let total: u64 = faces.iter().map(|(_, weight)| weight).sum();
        let size = keep.checked_mul(span)?;
        let factors = u128::from(total) * group.count as u128 * (size as u128 + 1);
        // No equation has more terms or greater factors than this.
        if factors.checked_mul(32 * (faces.len() as u128 + 2))? >= Term::LARGEST as u128 {
            return None;
        }
        Some(Alike { count: group.count, keep, faces, mirrored, total })
    }

    /// About how many rows are combined, and how wide they are.
    pub(crate) fn cost(&self) -> (usize, usize) {
        let span = self.faces.last().map_or(0, |(worth, _)| *worth);
        let terms = (4 * self.faces.len()).min(16) * self.faces.len();
        let bits = (self.count as usize).saturating_mul(self.total.bit_len());
        (terms.saturating_mul(self.keep * span + 1), bits)
    }

    /// Weights by worth, in steps above `k` times the least worth.
    pub(crate) fn kept(&self) -> Vec<Natural> {
        let span = self.faces.last().map_or(0, |(worth, _)| *worth);
        // The sums are at most the weight of all throws, and what is left over `n` times that.
        let bits = (Natural::from(self.total).pow(self.count as usize) * self.count).bit_len();
        let mut sum = Rows::zeros(self.keep * span + 1, bits);
        let mut below = 0;
        for (place, (worth, weight)) in self.faces.iter().enumerate() {
            sum.add(&self.at(place, below, bits), worth * self.keep);
            below += weight;
        }
        let mut weights = sum.naturals();
        if self.mirrored {
            weights.reverse();
        }
        weights
    }

    /// The throws whose last kept die shows the face at this place, by how much more they are worth.
    fn at(&self, place: usize, below: u64, bits: usize) -> Rows {
        let (worth, weight) = self.faces[place];
        let above: Vec<(usize, u64)> =
            self.faces[place + 1..].iter().map(|(more, weight)| (more - worth, *weight)).collect();
        let highest = above.last().map_or(0, |(more, _)| *more);
        let degree = (self.keep - 1) * highest;
        let mut delta = Rows::with_room(degree + 1, bits);
        let all = Natural::from(below + weight).pow(self.count as usize);
        delta.push(&(all - self.cut_short(below, weight)));
        if degree == 0 {
            return delta;
        }
        let beyond = self.left_over(below + weight, &above, degree, bits);
        let mut from_here = vec![(0, weight)];
        from_here.extend(&above);
        let from = self.left_over(below, &from_here, degree, bits);
        let equation = Equation::of(below + weight, &above, self.count);
        equation.extend(&mut delta, &from, &beyond, degree);
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

    /// `F = n·C(n−1,k−1) L^{n−k+1} z^{k−1}` up to a degree.
    fn left_over(&self, below: u64, above: &[(usize, u64)], degree: usize, bits: usize) -> Shifted {
        let lowest = above.first().map_or(0, |(more, _)| *more);
        let mut base = vec![Integer::ZERO; above.last().map_or(0, |(more, _)| more - lowest) + 1];
        for (more, weight) in above {
            base[more - lowest] = Integer::from(*weight);
        }
        let chosen = self.keep as u64 - 1;
        let ways = (0..chosen).fold(Natural::ONE, |ways, j| ways * (self.count - 1 - j) / (j + 1));
        let factor = ways * self.count * Natural::from(below).pow((self.count - chosen) as usize);
        let shift = lowest * chosen as usize;
        let rows = match (below, degree.checked_sub(shift)) {
            (0, _) | (_, None) => Rows::with_room(0, bits),
            (_, Some(degree)) => Poly::new(base).power_rows(chosen, &factor, degree, bits),
        };
        Shifted { rows, shift }
    }
}

/// The greatest worth.
pub(crate) fn span(pool: &Ranked) -> usize {
    pool.worths.iter().max().copied().unwrap_or(0)
}

/// The coefficients from a degree on.
struct Shifted {
    rows: Rows,
    shift: usize,
}

impl Shifted {
    fn place(&self, degree: usize) -> Option<usize> {
        degree.checked_sub(self.shift).filter(|place| *place < self.rows.len())
    }
}

/// `U·Δ' = V·(n·Δ + F₁ − F₂)`.
struct Equation {
    first: i64,
    /// A term `(i, d, e)` multiplies `Δ[m−i]` by `e − d·(m−i)` on the way to `Δ[m]`.
    own: Vec<(usize, i64, i64)>,
    /// A term `(i, v)` multiplies `F[m−i]` by `v`.
    left_over: Vec<(usize, i64)>,
}

impl Equation {
    fn of(constant: u64, above: &[(usize, u64)], count: u64) -> Equation {
        let size = above.last().map_or(0, |(more, _)| *more) + 1;
        let mut z = vec![0i64; size];
        above.iter().for_each(|(more, weight)| z[*more] = *weight as i64);
        let mut n = z.clone();
        n[0] += constant as i64;
        let slope: Vec<i64> = z.iter().enumerate().skip(1).map(|(k, c)| k as i64 * c).collect();
        let direct = Equation::with(&n, &slope, count);
        let (n, slope) = (differences(&differences(&n)), differences(&differences(&slope)));
        let by_runs = Equation::with(&n, &slope, count);
        if by_runs.terms() < direct.terms() { by_runs } else { direct }
    }

    fn with(u: &[i64], v: &[i64], count: u64) -> Equation {
        let at = |poly: &[i64], place: usize| poly.get(place).copied().unwrap_or(0);
        let own = (1..u.len().max(v.len() + 1)).map(|i| (i, at(u, i), count as i64 * at(v, i - 1)));
        let left_over = v.iter().enumerate().map(|(i, v)| (i + 1, *v));
        Equation {
            first: at(u, 0),
            own: own.filter(|(_, d, e)| *d != 0 || *e != 0).collect(),
            left_over: left_over.filter(|(_, v)| *v != 0).collect(),
        }
    }

    fn terms(&self) -> usize {
        self.own.len() + 2 * self.left_over.len()
    }

    fn extend(&self, delta: &mut Rows, plus: &Shifted, minus: &Shifted, degree: usize) {
        let mut terms = Vec::with_capacity(self.terms());
        for m in delta.len()..=degree {
            terms.clear();
            for (i, d, e) in self.own.iter().take_while(|(i, ..)| *i <= m) {
                terms.push(Term::own(m - i, e - d * (m - i) as i64));
            }
            for (i, v) in self.left_over.iter().take_while(|(i, _)| *i <= m) {
                let (plus, minus) = (plus.place(m - i), minus.place(m - i));
                terms.extend(plus.map(|row| Term { block: 1, row, factor: *v }));
                terms.extend(minus.map(|row| Term { block: 2, row, factor: -*v }));
            }
            delta.push_combination(
                &[&plus.rows, &minus.rows],
                &terms,
                self.first as u64 * m as u64,
            );
        }
    }
}

/// Multiplied by `1 − x`.
fn differences(poly: &[i64]) -> Vec<i64> {
    let before = std::iter::once(0).chain(poly.iter().copied());
    poly.iter().copied().chain([0]).zip(before).map(|(c, before)| c - before).collect()
}
