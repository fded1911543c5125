//! Series that follow from a differential equation with factors of two limbs.
//!
//! As [`recurrence`](super::recurrence), for `U·Q' = V·Q` with coefficients beyond a machine word: the dice of
//! `(10d10! up to 9 cs>=8) - (8d10! up to 9 cs>=8)` have weights of 34 bits, and the equation of their difference
//! has products of them. What is added and what is taken away is summed apart, a row at a time.

use super::combination::Divisor;
use super::{LIMB, Rows};

/// The terms of the recurrence.
pub(crate) struct WideRecurrence {
    first: u64,
    /// A term `(i, d, e)` multiplies `q[m−i]` by `e − d·(m−i)` on the way to `q[m]`.
    own: Vec<(usize, i128, i128)>,
    /// How many limbs all factors have together, at most.
    limbs: usize,
}

impl WideRecurrence {
    /// The recurrence up to a degree of `Q`; `None` if factors are not that small. `U₀` is positive.
    pub(crate) fn of(u: &[i128], v: &[i128], degree: usize) -> Option<WideRecurrence> {
        let at = |list: &[i128], place: usize| list.get(place).copied().unwrap_or(0);
        let first = u64::try_from(at(u, 0)).ok().filter(|first| *first > 0)?;
        let mut own = Vec::new();
        let (mut all, mut limbs) = (0i128, 0);
        for i in 1..u.len().max(v.len() + 1) {
            let (d, e) = (at(u, i), at(v, i - 1));
            let most = d.checked_abs()?.checked_mul(degree as i128 + 1)?;
            let most = most.checked_add(e.checked_abs()?)?;
            all = all.checked_add(most)?;
            if d != 0 || e != 0 {
                limbs += if u64::try_from(most).is_ok() { 1 } else { 2 };
                own.push((i, d, e));
            }
        }
        (all < 1 << 126).then_some(WideRecurrence { first, own, limbs })
    }

    /// How many terms of one limb a coefficient of `Q` has.
    pub(crate) fn cost(&self) -> usize {
        self.limbs
    }

    /// Adds the coefficients up to a degree. The first is there already, and all fit their rows.
    pub(crate) fn extend(&self, q: &mut Rows, degree: usize) {
        // Each of two divisions needs a limb beyond those of its quotient.
        let mut plus = vec![0u64; q.width + 2];
        let mut minus = plus.clone();
        for m in q.len()..=degree {
            let limbs = (q.used + 2).min(q.width) + 2;
            plus[..limbs].fill(0);
            minus[..limbs].fill(0);
            for (i, d, e) in self.own.iter().take_while(|(i, ..)| *i <= m) {
                let factor = e - d * (m - i) as i128;
                let sum = if factor < 0 { &mut minus } else { &mut plus };
                let row = &q.limbs[(m - i) * q.width..][..q.used];
                add_product(&mut sum[..limbs], row, factor.unsigned_abs());
            }
            subtract(&mut plus[..limbs], &minus[..limbs]);
            divide(&mut plus[..limbs], self.first);
            divide(&mut plus[..limbs], m as u64);
            let row = &plus[..limbs - 2];
            let used = row.iter().rposition(|limb| *limb != 0).map_or(1, |last| last + 1);
            q.used = q.used.max(used);
            let end = q.limbs.len() + q.width;
            q.limbs.extend_from_slice(row);
            q.limbs.resize(end, 0);
        }
    }
}

/// Adds a product; what is beyond the end of the sum is cut off.
fn add_product(sum: &mut [u64], row: &[u64], factor: u128) {
    let (low, high) = (factor as u64, (factor >> LIMB) as u64);
    super::flat::add_product(sum, row, low);
    if high > 0 {
        super::flat::add_product(&mut sum[1..], row, high);
    }
}

/// A difference modulo a power of two.
fn subtract(from: &mut [u64], other: &[u64]) {
    let mut borrow = false;
    for (a, b) in from.iter_mut().zip(other) {
        let (once, first) = a.overflowing_sub(*b);
        let (twice, second) = once.overflowing_sub(u64::from(borrow));
        (*a, borrow) = (twice, first | second);
    }
}

/// Divides a number that is a multiple of the divisor; its topmost limb is not known afterwards.
fn divide(number: &mut [u64], divisor: u64) {
    let Divisor { odd, inverse, shift } = Divisor::new(divisor);
    if shift > 0 {
        for place in 0..number.len() {
            let above = number.get(place + 1).copied().unwrap_or(0);
            number[place] = number[place] >> shift | above << (LIMB as u32 - shift);
        }
    }
    if odd == 1 {
        return;
    }
    let mut taken = 0u64;
    for limb in number {
        let (rest, borrowed) = limb.overflowing_sub(taken);
        *limb = rest.wrapping_mul(inverse);
        let product = u128::from(*limb) * u128::from(odd);
        taken = (product >> LIMB) as u64 + u64::from(borrowed);
    }
}
