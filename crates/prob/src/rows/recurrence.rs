//! Series that follow from a differential equation, coefficient by coefficient.
//!
//! From `U·Q' = n·V·Q + B·G'` with small polynomials `U`, `V`, `B` and a known series `G` follows, by comparing
//! the coefficients of `x^{m−1}`,
//!
//! ```text
//! U₀·m·q[m] = Σ_{i≥1} (n·V_{i−1} − U_i·(m−i))·q[m−i] + Σ_{i≥0} B_i·(m−i)·g[m−i]
//! ```
//!
//! The number of terms is what counts. Both sides are multiplied by `(1 − x)²` if that leaves fewer: a
//! polynomial with a few runs of equal coefficients becomes short by `1 − x`, and its derivative by
//! `(1 − x)²`.

use super::Rows;
use super::combination::{Combination, LARGEST};

/// The terms of the recurrence.
pub(crate) struct Recurrence {
    first: u64,
    /// A term `(i, d, e)` multiplies `q[m−i]` by `e − d·(m−i)` on the way to `q[m]`.
    own: Vec<(usize, i64, i64)>,
    /// A term `(i, b)` multiplies `g[m−i]` by `b·(m−i)`.
    known: &'static [(usize, i64)],
}

/// The coefficients of a known series from the degree `shift` on.
#[derive(Clone, Copy)]
pub(crate) struct Shifted<'a> {
    rows: &'a Rows,
    shift: usize,
    len: usize,
}

impl Shifted<'_> {
    pub(crate) fn new(rows: &Rows, shift: usize) -> Shifted<'_> {
        Shifted { rows, shift, len: rows.len() }
    }

    fn place(&self, degree: usize) -> Option<usize> {
        degree.checked_sub(self.shift).filter(|place| *place < self.len)
    }
}

impl Recurrence {
    /// The recurrence of `(constant + z)·Q' = count·z'·Q + G'`, where `z` is a list of ascending degrees and
    /// weights, up to a degree of `Q`; `None` if its factors are not small. `constant + z(0)` is positive.
    pub(crate) fn of(
        constant: u64,
        z: &[(usize, u64)],
        count: u64,
        degree: usize,
    ) -> Option<Recurrence> {
        let size = z.last().map_or(0, |(place, _)| *place) + 1;
        let weights = z.iter().fold(constant, |sum, (_, weight)| sum.saturating_add(*weight));
        if !Recurrence::is_small(weights, size, count, degree) {
            return None;
        }
        let mut u = vec![0i64; size];
        z.iter().for_each(|(place, weight)| u[*place] = *weight as i64);
        let v: Vec<i64> = u.iter().enumerate().skip(1).map(|(k, c)| k as i64 * c).collect();
        u[0] += constant as i64;
        let direct = Recurrence::with(&u, &v, count, &[(0, 1)]);
        let by_runs = Recurrence::with(&twice(&u), &twice(&v), count, &[(0, 1), (1, -2), (2, 1)]);
        Some(if by_runs.terms() < direct.terms() { by_runs } else { direct })
    }

    /// The recurrence of `U·Q' = V·Q` up to a degree of `Q`; `None` if its factors are not small. `U₀` is positive.
    pub(crate) fn of_equation(u: &[i128], v: &[i128], degree: usize) -> Option<Recurrence> {
        let sum =
            |list: &[i128]| list.iter().try_fold(0u128, |sum, c| sum.checked_add(c.unsigned_abs()));
        let all = sum(u)?.checked_mul(degree as u128 + 1)?.checked_add(sum(v)?)?;
        if all >= LARGEST {
            return None;
        }
        let short = |list: &[i128]| list.iter().map(|c| *c as i64).collect::<Vec<i64>>();
        Some(Recurrence::with(&short(u), &short(v), 1, &[]))
    }

    /// Whether the factors are small, for so much weight on so many places.
    pub(crate) fn is_small(weights: u64, size: usize, count: u64, degree: usize) -> bool {
        let factors = || {
            // (1 − x)² has the absolute coefficients 1, 2, 1, and two known series come with the degree.
            let slope = u128::from(weights).checked_mul(size as u128)?;
            let values = slope.checked_mul(u128::from(count) + 2)?;
            let all = values.checked_add(u128::from(weights).checked_mul(degree as u128)?)?;
            all.checked_add(2 * degree as u128)?.checked_mul(4)
        };
        factors().is_some_and(|factors| factors < LARGEST)
    }

    fn with(u: &[i64], v: &[i64], count: u64, known: &'static [(usize, i64)]) -> Recurrence {
        let at = |poly: &[i64], place: usize| poly.get(place).copied().unwrap_or(0);
        let own = (1..u.len().max(v.len() + 1)).map(|i| (i, at(u, i), count as i64 * at(v, i - 1)));
        Recurrence {
            first: at(u, 0).unsigned_abs(),
            own: own.filter(|(_, d, e)| *d != 0 || *e != 0).collect(),
            known,
        }
    }

    /// How many terms a coefficient of `Q` has.
    pub(crate) fn terms(&self) -> usize {
        self.own.len()
    }

    /// Adds the coefficients up to a degree, for `G = 0`. The first is there already.
    pub(crate) fn extend(&self, q: &mut Rows, degree: usize) {
        let mut own =
            Own { terms: &self.own, sum: Combination::with_room(self.own.len(), q.width) };
        for m in q.len()..=degree {
            own.reach(m);
            q.push_combination([], &own.sum, self.first * m as u64);
        }
    }

    /// The same for `G = plus − minus`.
    pub(crate) fn extend_with(
        &self,
        q: &mut Rows,
        plus: Shifted<'_>,
        minus: Shifted<'_>,
        degree: usize,
    ) {
        let terms = self.own.len() + 2 * self.known.len();
        let mut own = Own { terms: &self.own, sum: Combination::with_room(terms, q.width) };
        for m in q.len()..=degree {
            own.reach(m);
            let count = own.sum.count();
            for (i, b) in self.known.iter().take_while(|(i, _)| *i < m) {
                let factor = b * (m - i) as i64;
                if let Some(row) = plus.place(m - i) {
                    own.sum.add(1, row, factor, 0);
                }
                if let Some(row) = minus.place(m - i) {
                    own.sum.add(2, row, -factor, 0);
                }
            }
            q.push_combination([plus.rows, minus.rows], &own.sum, self.first * m as u64);
            own.sum.truncate(count);
        }
    }
}

/// The terms of a series in itself, on the way from one coefficient to the next.
struct Own<'a> {
    /// Those that reach below the first coefficient.
    terms: &'a [(usize, i64, i64)],
    sum: Combination,
}

impl Own<'_> {
    /// Goes on to the coefficient of the degree `m`.
    fn reach(&mut self, m: usize) {
        self.sum.advance();
        while let [(i, d, e), later @ ..] = self.terms
            && *i <= m
        {
            self.sum.add(0, m - i, e - d * (m - i) as i64, -d);
            self.terms = later;
        }
    }
}

/// Multiplied by `(1 − x)²`.
fn twice(poly: &[i64]) -> Vec<i64> {
    let at = |place: usize| poly.get(place).copied().unwrap_or(0);
    let before = |place: usize, by: usize| place.checked_sub(by).map_or(0, at);
    (0..poly.len() + 2).map(|k| at(k) - 2 * before(k, 1) + before(k, 2)).collect()
}
