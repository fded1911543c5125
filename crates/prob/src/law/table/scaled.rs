//! Powers of weights that fall in a ratio.
//!
//! A die that explodes on 8, 9 and 10, at most twenty times, makes `k` hits with the weight `7·3^k·10^(20−k)`: the
//! weights have seventy bits, and the recurrence of their power needs them as factors. But they are small
//! numbers times the powers of 3/10, and `P(r·x)^n` is as good as `P(x)^n`: with `v_k` for what is left of the
//! weights, here 7 twenty-one times and 10 once, the coefficients of the power are those of `v`, times the
//! same ratio again and again.

use crate::meter::{Meter, OverBudget, price_of_row};
use crate::number::{self, Natural};
use crate::rows::{Limbs, Recurrence, Rows, Weights, lowest_limb};
use crate::words::{cost_of_power, polynomial_power};
use dashu_base::BitTest;

/// Weights without their ratio.
pub(super) struct Scaled {
    /// `v_k`, for a weight `v_k · p^(k + a) · q^(b − k) · h`.
    weights: Vec<(usize, u64)>,
    degree: usize,
    p: Natural,
    q: Natural,
    a: i64,
    b: i64,
    h: Natural,
}

/// A ratio of greater numbers is not worth while.
const LARGEST: u64 = 1 << 20;

impl Scaled {
    /// The weights in the ratio of two in the middle; `None` if that leaves no small numbers.
    pub(super) fn of(weights: &[Natural]) -> Option<Scaled> {
        let degree = weights.len().checked_sub(1).filter(|degree| *degree >= 4)?;
        let pair = &weights[degree / 2..degree / 2 + 2];
        let shared = number::gcd(&pair[0], &pair[1]);
        if pair.iter().any(Natural::is_zero) {
            return None;
        }
        let (p, q) = (&pair[1] / &shared, &pair[0] / &shared);
        let small = |number: &Natural| *number <= Natural::from(LARGEST);
        if !small(&p) || !small(&q) || p == q {
            return None;
        }
        // w_k · q^k · p^(d−k), without their common divisor.
        let mut factor = p.pow(degree);
        let mut scaled = Vec::with_capacity(weights.len());
        for weight in weights {
            scaled.push(weight * &factor);
            factor = factor * &q / &p;
        }
        // The last factor would be a fraction; what was kept before it is whole.
        let common = scaled.iter().fold(Natural::ZERO, |common, v| number::gcd(&common, v));
        let mut list = Vec::new();
        for (place, weight) in scaled.iter().enumerate().filter(|(_, v)| !v.is_zero()) {
            let small = u64::try_from(weight / &common).ok().filter(|v| *v < 1 << 32)?;
            list.push((place, small));
        }
        let (mut h, mut a, mut b) = (common, -(degree as i64), 0i64);
        for (base, exponent) in [(&p, &mut a), (&q, &mut b)] {
            while !base.is_one() && (&h % base).is_zero() {
                h /= base;
                *exponent += 1;
            }
        }
        Some(Scaled { weights: list, degree, p, q, a, b, h })
    }

    /// The bits of what is left, for one factor.
    pub(super) fn bits(&self) -> usize {
        let sum: u64 = self.weights.iter().map(|(_, weight)| *weight).sum();
        sum.bit_len()
    }

    /// The weights of a power; `None` if its recurrence has large factors.
    pub(super) fn power(
        &self,
        count: u64,
        bits: usize,
        meter: &Meter,
    ) -> Result<Option<Weights>, OverBudget> {
        let exponent = usize::try_from(count).map_err(|_| OverBudget::Steps)?;
        let degree = self.degree.checked_mul(exponent).ok_or(OverBudget::Steps)?;
        let Some(recurrence) = Recurrence::of(0, &self.weights, count, degree) else {
            return Ok(None);
        };
        let own = self.bits().saturating_mul(exponent);
        if own <= 128 {
            let mut dense = vec![0; self.degree + 1];
            self.weights.iter().for_each(|(place, weight)| dense[*place] = *weight);
            let cost = cost_of_power(&dense, count);
            meter.charge(cost / 4)?;
            meter.charge_rows(degree + 1, 2, bits)?;
            let power = polynomial_power::<u128>(&dense, count);
            return Ok(Some(Weights::of(self.with_ratio(&Rows::of_wide(power), exponent, bits))));
        }
        let each = price_of_row(recurrence.terms(), own) + price_of_row(own / 64 + 2, bits);
        meter.afford((degree as u64).saturating_mul(each))?;
        meter.room_for_rows(degree + 1, own + bits)?;
        let mut rows = Rows::with_room(degree + 1, own);
        let Some((_, first)) = self.weights.first() else { return Ok(None) };
        rows.push(&Natural::from(*first).pow(exponent));
        meter.in_pieces(degree, each, |row| recurrence.extend(&mut rows, row))?;
        Ok(Some(Weights::of(self.with_ratio(&rows, exponent, bits))))
    }

    /// Each coefficient with its powers of the ratio: `p^(a·n + m) · q^(b·n − m) · h^n`, of so many bits.
    fn with_ratio(&self, rows: &Rows, count: usize, bits: usize) -> Rows {
        let h = self.h.pow(count);
        let (p, q) = (lowest_limb(&self.p), lowest_limb(&self.q));
        let (mut up, mut down) = (self.a * count as i64, self.b * count as i64);
        let mut list = Rows::with_room(rows.len(), bits);
        let mut factor: Option<Limbs> = None;
        let mut words = Vec::new();
        for place in 0..rows.len() {
            if (up >= 0 || p == 1) && (down >= 0 || q == 1) {
                let next = match factor.take() {
                    Some(mut next) => {
                        next.multiply(p);
                        next.divide_exactly(q);
                        next
                    }
                    None => {
                        let (p, q) = (&self.p, &self.q);
                        Limbs::of(&(p.pow(up.max(0) as usize) * q.pow(down.max(0) as usize) * &h))
                    }
                };
                list.push_product(rows, place, &next);
                factor = Some(next);
            } else {
                // Where an exponent is negative, its power divides the coefficient.
                let mut weight = rows.natural(place, &mut words) * &h;
                for (base, exponent) in [(&self.p, up), (&self.q, down)] {
                    let power = base.pow(exponent.unsigned_abs() as usize);
                    weight = if exponent < 0 { weight / power } else { weight * power };
                }
                list.push(&weight);
            }
            (up, down) = (up + 1, down - 1);
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn powers_agree_with_products(
            small in prop::collection::vec(1u64..9, 5..12),
            p in 1u64..12,
            q in 1u64..12,
            count in 1u64..6,
        ) {
            let degree = small.len() - 1;
            let weight = |(k, v): (usize, &u64)| {
                Natural::from(*v) * Natural::from(p).pow(k) * Natural::from(q).pow(degree - k)
            };
            let weights: Vec<Natural> = small.iter().enumerate().map(weight).collect();
            let Some(scaled) = Scaled::of(&weights) else { return Ok(()) };
            let meter = Meter::unlimited();
            let Some(fast) = scaled.power(count, 1000, &meter).unwrap() else { return Ok(()) };
            let mut slow = vec![Natural::ONE];
            for _ in 0..count {
                let mut next = vec![Natural::ZERO; slow.len() + degree];
                for (i, a) in slow.iter().enumerate() {
                    for (j, b) in weights.iter().enumerate() {
                        next[i + j] += a * b;
                    }
                }
                slow = next;
            }
            prop_assert_eq!(fast.to_vec(), slow);
        }
    }
}
