//! Sums of several kinds of equal dice, without a product of long polynomials.
//!
//! `100d6 + 80d8` has the generating function `Q = A^100 · B^80`. Both powers follow from a recurrence, and so does
//! their product, for it obeys a differential equation too:
//!
//! ```text
//! A·B·Q' = (100·A'·B + 80·A·B')·Q
//! ```
//!
//! and likewise for more factors, and for a difference: `B` is turned round then. As for a single power, both
//! sides are multiplied by that power of `1 − x` which leaves the fewest terms.

use super::{Root, Shape, Table};
use crate::meter::{Meter, OverBudget, price_of_row};
use crate::number::{Natural, Rational};
use crate::rows::{Recurrence, Rows, Weights, WideRecurrence};
use crate::words::gcd;
use dashu_base::BitTest;
use std::sync::Arc;

/// At most so many kinds are multiplied in this way.
const KINDS: usize = 4;

impl Table {
    /// The sum of two independent numbers that are sums of equal ones, if that is faster than a product.
    pub(crate) fn sum_of_kinds(
        &self,
        other: &Table,
        meter: &Meter,
    ) -> Result<Option<Table>, OverBudget> {
        let (Some(left), Some(right)) = (&self.shape.dense(), &other.shape.dense()) else {
            return Ok(None);
        };
        let Some(parts) = parts_of(self, other, left.1, right.1) else { return Ok(None) };
        let degree = left.2 + right.2 - 2;
        let bits = self.total.bit_len() + other.total.bit_len();
        let Some(equation) = Equation::of(&parts, degree) else { return Ok(None) };
        if !pays((left.2, right.2), equation.cost(), bits) {
            return Ok(None);
        }
        let even = parts.iter().all(|(weights, _)| weights.iter().eq(weights.iter().rev()));
        let known = if even { degree / 2 } else { degree };
        let each = price_of_row(equation.cost(), bits);
        meter.afford((known as u64).saturating_mul(each))?;
        meter.room_for_rows(known + 1, bits)?;
        let mut rows = Rows::with_room(known + 1, bits);
        let first = parts.iter().fold(Natural::ONE, |product, (weights, count)| {
            product * Natural::from(weights[0]).pow(*count as usize)
        });
        rows.push(&first);
        meter.in_pieces(known, each, |row| equation.extend(&mut rows, row))?;
        let weights = Weights::mirrored(rows, degree + 1);
        let total = &self.total * &other.total;
        let sum = Table::of_power(left.0 + right.0, left.1.clone(), weights, total);
        Ok(Some(Table { root: joined(self, other), ..sum }))
    }
}

impl Shape {
    /// Offset, step and length of a dense table.
    fn dense(&self) -> Option<(&Rational, &Rational, usize)> {
        match self {
            Shape::Dense { offset, step, weights } => Some((offset, step, weights.len())),
            Shape::Scattered(_) => None,
        }
    }
}

/// The weights of each kind, and how many there are of it; `None` if that is not known, or not small.
fn parts_of<'a>(
    left: &'a Table,
    right: &'a Table,
    step: &Rational,
    other: &Rational,
) -> Option<Vec<(&'a [u64], u64)>> {
    if step != other || left.root.is_none() && right.root.is_none() {
        return None;
    }
    let mut parts: Vec<(&[u64], u64)> = Vec::new();
    for table in [left, right] {
        let count = table.root.as_ref().map_or(1, |root| root.parts.len());
        for at in 0..count {
            let (each, count) = match table.root.as_deref() {
                Some(root) => (&root.parts[at].0, root.parts[at].1),
                None => (table, 1),
            };
            let Shape::Dense { step: own, weights, .. } = &each.shape else { return None };
            let weights = weights.words().filter(|_| own == step)?;
            match parts.iter_mut().find(|(known, _)| *known == weights) {
                Some((_, sum)) => *sum = sum.checked_add(count)?,
                None => parts.push((weights, count)),
            }
        }
    }
    (parts.len() <= KINDS).then_some(parts)
}

/// What the sum is known to be a sum of.
fn joined(left: &Table, right: &Table) -> Option<Arc<Root>> {
    let (left, right) = (left.root.as_deref()?, right.root.as_deref()?);
    let parts = left.parts.iter().chain(&right.parts).cloned().collect();
    Some(Arc::new(Root { parts, shift: &left.shift + &right.shift }))
}

/// The recurrence with the fewest terms.
enum Equation {
    /// Its factors are machine words.
    Short(Recurrence),
    /// They are longer.
    Wide(WideRecurrence),
}

impl Equation {
    /// `None` if its factors are not small.
    fn of(parts: &[(&[u64], u64)], degree: usize) -> Option<Equation> {
        let mut u: Vec<i128> = vec![1];
        let mut v: Vec<i128> = vec![0];
        for (weights, count) in parts {
            let weights: Vec<i128> = weights.iter().map(|weight| i128::from(*weight)).collect();
            let slope = weights.iter().enumerate().skip(1);
            let slope: Vec<i128> = slope
                .map(|(k, w)| w.checked_mul(k as i128 * i128::from(*count)))
                .collect::<Option<_>>()?;
            // (U·A, V·A + U·n·A')
            v = plus(&product(&v, &weights)?, &product(&u, &slope)?);
            u = product(&u, &weights)?;
        }
        let Some(mut best) = Recurrence::of_equation(&u, &v, degree) else {
            let wide = WideRecurrence::of(&u, &v, degree)?;
            let shorter = without_ratios(parts, &u, &v)
                .and_then(|(u, v)| WideRecurrence::of(&u, &v, degree))
                .filter(|shorter| shorter.cost() < wide.cost());
            return Some(Equation::Wide(shorter.unwrap_or(wide)));
        };
        for _ in 0..=parts.len() + 1 {
            (u, v) = (product(&u, &[1, -1])?, product(&v, &[1, -1])?);
            let next = Recurrence::of_equation(&u, &v, degree);
            if let Some(next) = next.filter(|next| next.terms() < best.terms()) {
                best = next;
            }
        }
        Some(Equation::Short(best))
    }

    /// How many terms a coefficient has, each of one limb.
    fn cost(&self) -> usize {
        match self {
            Equation::Short(recurrence) => recurrence.terms(),
            Equation::Wide(recurrence) => recurrence.cost(),
        }
    }

    fn extend(&self, rows: &mut Rows, degree: usize) {
        match self {
            Equation::Short(recurrence) => recurrence.extend(rows, degree),
            Equation::Wide(recurrence) => recurrence.extend(rows, degree),
        }
    }
}

/// Both sides of the equation times `(q − p·x)²` for each kind whose weights fall in the ratio `p/q`, as those
/// of an exploding die do: that leaves few of its terms.
fn without_ratios(
    parts: &[(&[u64], u64)],
    u: &[i128],
    v: &[i128],
) -> Option<(Vec<i128>, Vec<i128>)> {
    let (mut u, mut v) = (u.to_vec(), v.to_vec());
    for (weights, _) in parts {
        let middle = weights.len() / 2;
        let (p, q) = (*weights.get(middle)?, *weights.get(middle.checked_sub(1)?)?);
        let common = gcd(p, q).max(1);
        let factor = [i128::from(q / common), -i128::from(p / common)];
        for _ in 0..2 {
            (u, v) = (product(&u, &factor)?, product(&v, &factor)?);
        }
    }
    Some((u, v))
}

fn product(left: &[i128], right: &[i128]) -> Option<Vec<i128>> {
    let mut product = vec![0i128; (left.len() + right.len()).saturating_sub(1)];
    for (i, a) in left.iter().enumerate().filter(|(_, a)| **a != 0) {
        for (sum, b) in product[i..].iter_mut().zip(right) {
            *sum = sum.checked_add(a.checked_mul(*b)?)?;
        }
    }
    Some(product)
}

fn plus(left: &[i128], right: &[i128]) -> Vec<i128> {
    let at = |list: &[i128], place: usize| list.get(place).copied().unwrap_or(0);
    (0..left.len().max(right.len())).map(|k| at(left, k).saturating_add(at(right, k))).collect()
}

/// Whether the recurrence takes less time than a product of polynomials of these lengths.
fn pays((left, right): (usize, usize), terms: usize, bits: usize) -> bool {
    let limbs = 1 + bits as u128 / 64;
    let (left, right, terms) = (left as u128, right as u128, terms as u128);
    let recurrence = (left + right) * (500 + terms * (25 + 6 * limbs));
    let product = (left * right * (100 + 5 * limbs)).min((left + right) * limbs * 1000);
    recurrence < product
}

#[cfg(test)]
mod tests {
    use crate::law::Law;
    use crate::law::tests::*;
    use crate::meter::Meter;
    use crate::number::{Natural, Rational};
    use crate::poly::Poly;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_of_kinds_agree_with_products(
            a in prop::collection::vec(1u64..5, 2..7),
            b in prop::collection::vec(1u64..5, 2..5),
            (n, m) in (20u64..50, 20u64..50),
            minus in any::<bool>(),
            scale in prop::sample::select(vec![1, 1 << 30]),
        ) {
            let meter = Meter::unlimited();
            let law = |faces: &[u64]| Law::from_weights(
                faces.iter().enumerate().map(|(k, w)| (whole(k as i64), Natural::from(*w * scale + k as u64)))
            ).unwrap();
            let (x, y) = (law(&a).times(n, &meter).unwrap(), law(&b).times(m, &meter).unwrap());
            let y = if minus { y.negate(&meter).unwrap() } else { y };
            let (left, right) = (x.as_table().unwrap(), y.as_table().unwrap());
            if let Some(fast) = left.sum_of_kinds(right, &meter).unwrap() {
                let (_, _, first) = left.lattice(&meter).unwrap();
                let (_, _, second): (Rational, Rational, Poly) = right.lattice(&meter).unwrap();
                let (_, _, sum) = fast.lattice(&meter).unwrap();
                prop_assert_eq!(sum, first.times(&second, &meter).unwrap());
                prop_assert_eq!(fast.lowest(), left.lowest() + right.lowest());
            }
        }
    }
}
