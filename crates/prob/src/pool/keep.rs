//! Keep the highest or lowest `k` of dice that each stay one die, by telescoped thresholds.
//!
//! The formula is that of [`threshold`](super::threshold), here on integers: with `L_i(v)` the
//! weight of the faces of die `i` below the threshold and `A_i(v; x)` that of the others,
//! `P(y) = Π_i (L_i + y·A_i)`, and
//!
//! ```text
//! keep highest k = Σ_v Σ_{j<k} x^{v(k−j)} ([y^j] P_{>v} − [y^j] P_{≥v})
//! ```
//!
//! For `n` equal dice `[y^j] P = C(n,j) L^{n−j} A^j`, and there is a shorter way yet: [`alike`](super::alike).
//! For different dice the product is taken group
//! by group, cut off at `y^{k−1}`: polynomial in the number of dice whatever they are, where a walk
//! by face would have to remember which dice it has seen. Weights are machine integers as long as
//! the total fits. `4d6kh3` is 18 with the weight of at least three sixes: 21 of 1296.

use super::PoolError;
use super::alike::{self, span};
use super::few::Words;
use super::nested::Nested;
use super::order::{Faces, Ranked, below_powers, binomials};
use crate::law::{Law, Table};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Integer, Natural, Rational};
use crate::ways;
use crate::words;

/// The law of the summed worth of the `k` dice that show most; `k` is at most their number.
pub(crate) fn keep(pool: &Ranked, k: u64, meter: &Meter) -> Result<Law, PoolError> {
    let size = usize::try_from(k).map_err(|_| OverBudget::Steps)?;
    if size == 0 {
        return Ok(Law::constant(Rational::ZERO));
    }
    if meter.may(ways::FEW_THROWS)
        && let Some(words) = Words::of(pool)
        && let Some(law) = meter.by(ways::FEW_THROWS, || words.kept(size, meter))?
    {
        return Ok(law);
    }
    keep_many(pool, size, meter)
}

/// The same for dice whose throws fit no machine word, or that are many.
pub(crate) fn keep_many(pool: &Ranked, size: usize, meter: &Meter) -> Result<Law, PoolError> {
    let alike = || alike::kept(pool, size, meter);
    let weights = match meter.by(ways::ALIKE, alike)? {
        Some(weights) => weights,
        None => mixed(pool, size, meter)?,
    };
    let offset = &pool.lowest * Rational::from(Natural::from(size));
    let table = Table::on_lattice(offset.clone(), pool.step.clone(), weights);
    Ok(Law::Finite(table.unwrap_or_else(|| Table::constant(offset))))
}

/// Weights by worth of dice that may all be different.
fn mixed(pool: &Ranked, size: usize, meter: &Meter) -> Result<Vec<Natural>, OverBudget> {
    let nested = || Nested::of(pool).map(|nested| nested.kept(0, size, meter)).transpose();
    match meter.by(ways::NESTED, nested)? {
        Some(weights) => Ok(weights),
        None => different(pool, size, meter),
    }
}

/// The same, whatever the dice are.
pub(crate) fn different(
    pool: &Ranked,
    size: usize,
    meter: &Meter,
) -> Result<Vec<Natural>, OverBudget> {
    let bits = pool.bits()?;
    let price = price(pool, size, bits).ok_or(OverBudget::Steps)?;
    let all = price.saturating_mul(pool.worths.len() as u64);
    meter.afford(all)?;
    let pay = || meter.charge(price);
    Ok(if bits < 126 {
        let kept = kept::<i128>(pool, size, pay)?;
        kept.into_iter().map(|w| Natural::from(w.unsigned_abs())).collect()
    } else {
        kept::<Integer>(pool, size, pay)?.into_iter().map(number::magnitude).collect()
    })
}

/// What a threshold costs: products of groups × faces × the length of the result; a few products in a step.
fn price(pool: &Ranked, size: usize, bits: usize) -> Option<u64> {
    let degree = size.checked_mul(span(pool) + 1)?;
    let faces = pool.worths.len();
    let products = |group: &Faces| (group.count.min(size as u64) as usize).saturating_mul(size);
    let groups = pool.groups.iter().skip(1).map(products).fold(size, usize::saturating_add);
    let rows = (faces as u64).saturating_mul(groups as u64);
    Some(rows.saturating_mul(degree.div_ceil(40) as u64).saturating_mul(1 + bits as u64 / 128))
}

/// The numbers that weights are computed with.
pub(crate) trait Weight: Clone {
    /// Whether numbers may be longer than machine words.
    const LONG: bool;
    fn zero() -> Self;
    fn power(&self, exponent: usize) -> Self;
    /// Whole numbers; one that is too long is cut.
    fn cut(natural: &Natural) -> Self;
    fn into_natural(self) -> Natural;
    fn is_nothing(&self) -> bool;
    fn of(natural: &Natural) -> Self;
    fn times(&self, other: &Self) -> Self;
    fn add(&mut self, other: &Self);
    fn subtract(&mut self, other: &Self);
    fn add_product(&mut self, a: &Self, b: &Self);
}

/// Used only where the total of all weights fits, so nothing can overflow.
impl Weight for i128 {
    const LONG: bool = false;
    fn zero() -> Self {
        0
    }
    fn power(&self, exponent: usize) -> Self {
        words::power(*self as u128, exponent as u64) as i128
    }
    fn cut(natural: &Natural) -> Self {
        let words = natural.as_words().iter().rev();
        let shift = dashu_int::Word::BITS;
        words.fold(0u128, |sum, word| sum.wrapping_shl(shift) | u128::from(*word)) as i128
    }
    fn into_natural(self) -> Natural {
        Natural::from(self.unsigned_abs())
    }
    fn is_nothing(&self) -> bool {
        *self == 0
    }
    fn of(natural: &Natural) -> Self {
        i128::try_from(natural).unwrap_or(0)
    }
    fn times(&self, other: &Self) -> Self {
        self.wrapping_mul(*other)
    }
    fn add(&mut self, other: &Self) {
        *self = self.wrapping_add(*other);
    }
    fn subtract(&mut self, other: &Self) {
        *self = self.wrapping_sub(*other);
    }
    fn add_product(&mut self, a: &Self, b: &Self) {
        *self = self.wrapping_add(a.wrapping_mul(*b));
    }
}

impl Weight for Integer {
    const LONG: bool = true;
    fn zero() -> Self {
        Integer::ZERO
    }
    fn power(&self, exponent: usize) -> Self {
        self.pow(exponent)
    }
    fn cut(natural: &Natural) -> Self {
        Integer::from(natural.clone())
    }
    fn into_natural(self) -> Natural {
        number::magnitude(self)
    }
    fn is_nothing(&self) -> bool {
        self.is_zero()
    }
    fn of(natural: &Natural) -> Self {
        Integer::from(natural.clone())
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
    fn add(&mut self, other: &Self) {
        *self += other;
    }
    fn subtract(&mut self, other: &Self) {
        *self -= other;
    }
    fn add_product(&mut self, a: &Self, b: &Self) {
        *self += a * b;
    }
}

/// Weights by worth, in steps above `k` times the least worth.
fn kept<W: Weight>(
    pool: &Ranked,
    k: usize,
    pay: impl Fn() -> Result<(), OverBudget>,
) -> Result<Vec<W>, OverBudget> {
    let span = span(pool);
    let mut result = vec![W::zero(); k * span + 1];
    for place in 0..=pool.values.len() {
        pay()?;
        let by_count = functional::<W>(pool, place, k);
        for (j, weights) in by_count.iter().enumerate() {
            let missing = k - j;
            // P_{>v} for the value below this threshold, P_{≥v} for the value at it.
            if place > 0 {
                let shift = pool.worths[place - 1] * missing;
                weights.iter().zip(&mut result[shift..]).for_each(|(w, sum)| sum.add(w));
            }
            if place < pool.values.len() {
                let shift = pool.worths[place] * missing;
                weights.iter().zip(&mut result[shift..]).for_each(|(w, sum)| sum.subtract(w));
            }
        }
    }
    Ok(result)
}

/// `[y^j] P` for `j < k`, with the values from `place` on above the threshold.
fn functional<W: Weight>(pool: &Ranked, place: usize, k: usize) -> Vec<Vec<W>> {
    let Some((first, others)) = pool.groups.split_first() else { return Vec::new() };
    let mut product = group_terms::<W>(pool, first, place, k);
    for group in others {
        let terms = group_terms::<W>(pool, group, place, k);
        let degrees = (product.len() + terms.len()).saturating_sub(1).min(k);
        let mut next = vec![Vec::new(); degrees];
        for (i, left) in product.iter().enumerate() {
            for (right, sum) in terms.iter().zip(&mut next[i..]) {
                add_convolution(sum, left, right);
            }
        }
        product = next;
    }
    product
}

/// `C(n, j) L^(n−j) A^j` for one group.
fn group_terms<W: Weight>(pool: &Ranked, group: &Faces, place: usize, k: usize) -> Vec<Vec<W>> {
    let below = group.weights[..place].iter().fold(Natural::ZERO, |sum, w| sum + w);
    let above: Vec<(usize, W)> = (place..pool.values.len())
        .filter(|&v| !group.weights[v].is_zero())
        .map(|v| (pool.worths[v], W::of(&group.weights[v])))
        .collect();
    let mut power = vec![W::of(&Natural::ONE)];
    let mut terms = Vec::new();
    for (lower, binomial) in
        below_powers(group.count, &below, k).iter().zip(binomials(group.count, k))
    {
        let factor = W::of(&(lower * binomial));
        terms.push(if factor.is_nothing() {
            Vec::new()
        } else {
            power.iter().map(|w| w.times(&factor)).collect()
        });
        power = times_sparse(&power, &above);
    }
    while terms.last().is_some_and(Vec::is_empty) {
        terms.pop();
    }
    terms
}

fn times_sparse<W: Weight>(poly: &[W], factor: &[(usize, W)]) -> Vec<W> {
    let Some(longest) = factor.iter().map(|(place, _)| *place).max() else { return Vec::new() };
    if poly.is_empty() {
        return Vec::new();
    }
    let mut product = vec![W::zero(); poly.len() + longest];
    for (i, weight) in poly.iter().enumerate().filter(|(_, w)| !w.is_nothing()) {
        for (place, other) in factor {
            product[i + place].add_product(weight, other);
        }
    }
    product
}

fn add_convolution<W: Weight>(sum: &mut Vec<W>, left: &[W], right: &[W]) {
    if left.is_empty() || right.is_empty() {
        return;
    }
    let len = left.len() + right.len() - 1;
    if sum.len() < len {
        sum.resize(len, W::zero());
    }
    for (i, a) in left.iter().enumerate().filter(|(_, a)| !a.is_nothing()) {
        for (b, place) in right.iter().zip(&mut sum[i..]) {
            place.add_product(a, b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equal_dice_agree_with_products_for_each_threshold(
            faces in prop::collection::vec((0usize..4, 1u64..5), 1..7),
            count in 1u64..14,
            keep in 1usize..14,
            falling in any::<bool>(),
            power in prop::sample::select(vec![1usize, 20, 45]),
        ) {
            prop_assume!(keep as u64 <= count);
            let mut worths: Vec<usize> = faces
                .iter()
                .scan(0, |worth, (gap, _)| { *worth += gap; Some(*worth) })
                .collect();
            let least = worths[0];
            worths.iter_mut().for_each(|worth| *worth -= least);
            if falling {
                worths.reverse();
            }
            // Weights of several words too, as those of dice that may explode often.
            let weights: Vec<Natural> =
                faces.iter().map(|(_, w)| Natural::from(*w).pow(power)).collect();
            let total = weights.iter().fold(Natural::ZERO, |sum, w| sum + w);
            let pool = Ranked {
                values: (0..worths.len()).map(|k| number::whole(k as i64)).collect(),
                worths,
                lowest: Rational::ZERO,
                step: Rational::ONE,
                groups: vec![Faces { count, weights, total }],
            };
            let fast = alike::kept(&pool, keep, &Meter::unlimited()).unwrap();
            let fast = fast.expect("the runs are short");
            let slow = different(&pool, keep, &Meter::unlimited()).unwrap();
            prop_assert_eq!(fast, slow);
        }
    }
}
