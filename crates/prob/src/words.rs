//! Weights that fit into a machine word.
//!
//! The table of `3d6` has sixteen weights below 216. As big numbers each would cost a hundred instructions
//! where one will do, so everyday dice are computed in `u64`, and in `u128` where that is too narrow. The
//! tier is chosen before the work, by the weight of all throws together, which bounds every weight.
//!
//! All arithmetic wraps around: sums, differences and products are right modulo a power of two, so a
//! result that fits is right whatever happened on the way.

use crate::number::Natural;
use crate::rows::Rows;

/// A machine integer that weights are computed in.
pub(crate) trait Word: Copy + Default + PartialEq + Ord {
    const ZERO: Self;
    const ONE: Self;
    fn of(number: u128) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// The whole part of a quotient; the divisor is not 0.
    fn over(self, divisor: Self) -> Self;
    fn modulo(self, divisor: Self) -> Self;
    fn natural(self) -> Natural;
    fn rows(list: Vec<Self>) -> Rows;
}

macro_rules! word {
    ($word:ty, $rows:expr) => {
        impl Word for $word {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            #[inline(always)]
            fn of(number: u128) -> Self {
                number as $word
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn over(self, divisor: Self) -> Self {
                self / divisor
            }
            #[inline(always)]
            fn modulo(self, divisor: Self) -> Self {
                self % divisor
            }
            fn natural(self) -> Natural {
                Natural::from(self)
            }
            fn rows(list: Vec<Self>) -> Rows {
                $rows(list)
            }
        }
    };
}

word!(u64, Rows::of_words);
word!(u128, Rows::of_wide);

/// The greatest common divisor, with gcd(0, n) = n.
pub(crate) fn gcd<W: Word>(mut a: W, mut b: W) -> W {
    while b != W::ZERO {
        (a, b) = (b, a.modulo(b));
    }
    a
}

/// `base^exponent`.
pub(crate) fn power<W: Word>(mut base: W, mut exponent: u64) -> W {
    let mut result = W::ONE;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result.times(base);
        }
        base = base.times(base);
        exponent >>= 1;
    }
    result
}

/// The product of two polynomials.
pub(crate) fn product<W: Word>(left: &[W], right: &[W]) -> Vec<W> {
    if left.is_empty() || right.is_empty() {
        return Vec::new();
    }
    let mut product = Vec::new();
    product_into(&mut product, left, right);
    product
}

/// The same for two that are not zero, in memory that was used before.
pub(crate) fn product_into<W: Word>(product: &mut Vec<W>, left: &[W], right: &[W]) {
    product.clear();
    product.resize(left.len() + right.len() - 1, W::ZERO);
    add_product(product, left, right);
}

/// Adds the product of two polynomials.
pub(crate) fn add_product<W: Word>(sum: &mut [W], left: &[W], right: &[W]) {
    let (outer, inner) = if left.len() < right.len() { (left, right) } else { (right, left) };
    for (i, a) in outer.iter().enumerate().filter(|(_, a)| **a != W::ZERO) {
        for (place, b) in sum[i..].iter_mut().zip(inner) {
            *place = place.plus(a.times(*b));
        }
    }
}

/// The product of a polynomial with `1 + x + … + x^(terms − 1)`, as a window that slides along.
pub(crate) fn product_with_ones<W: Word>(poly: &[W], terms: usize) -> Vec<W> {
    if poly.is_empty() || terms == 0 {
        return Vec::new();
    }
    let mut product = Vec::new();
    product_with_ones_into(&mut product, poly, terms);
    product
}

/// The same in memory that was used before.
pub(crate) fn product_with_ones_into<W: Word>(product: &mut Vec<W>, poly: &[W], terms: usize) {
    product.clear();
    product.reserve(poly.len() + terms - 1);
    let mut window = W::ZERO;
    let whole = terms.min(poly.len());
    for entering in &poly[..whole] {
        window = window.plus(*entering);
        product.push(window);
    }
    // Either the window is wider than the polynomial, or it is full and slides.
    product.resize(product.len() + terms - whole, window);
    for (entering, leaving) in poly[whole..].iter().zip(poly) {
        window = window.plus(*entering).minus(*leaving);
        product.push(window);
    }
    for leaving in poly[poly.len() - whole..].iter().take(whole.saturating_sub(1)) {
        window = window.minus(*leaving);
        product.push(window);
    }
}

/// A power of a polynomial, factor by factor: for few factors and short numbers.
pub(crate) fn polynomial_power<W: Word>(base: &[u64], count: u64) -> Vec<W> {
    if count == 0 {
        return vec![W::ONE];
    }
    let shape = Shape::of(base);
    let len = (base.len().saturating_sub(1)).saturating_mul(count as usize) + 1;
    let base: Vec<W> = base.iter().map(|weight| W::of(u128::from(*weight))).collect();
    let (mut result, mut spare) = (Vec::with_capacity(len), Vec::with_capacity(len));
    result.extend_from_slice(&base);
    for _ in 1..count {
        if shape.pays() {
            product_with_ones_into(&mut spare, &result, base.len());
            shape.correct(&mut spare, &result);
        } else {
            product_into(&mut spare, &result, &base);
        }
        std::mem::swap(&mut result, &mut spare);
    }
    result
}

/// Weights as one and the same but for a few: to multiply by them, a window slides along and the others are set
/// right.
struct Shape {
    len: usize,
    usual: u64,
    others: Vec<(usize, u64)>,
}

impl Shape {
    fn of(weights: &[u64]) -> Shape {
        let len = weights.len();
        let usual = weights.get(len / 2).copied().unwrap_or(0);
        let others = weights.iter().copied().enumerate().filter(|(_, weight)| *weight != usual);
        Shape { len, usual, others: others.collect() }
    }

    /// How many steps a coefficient of a product takes.
    fn steps(&self) -> u64 {
        let steps = 2 + self.others.len() + usize::from(self.usual != 1);
        steps.min(self.len) as u64
    }

    fn pays(&self) -> bool {
        self.steps() < self.len as u64
    }

    /// Makes the product with weights of 1 that with these.
    fn correct<W: Word>(&self, product: &mut [W], poly: &[W]) {
        let usual = W::of(self.usual.into());
        if self.usual != 1 {
            product.iter_mut().for_each(|sum| *sum = sum.times(usual));
        }
        for (place, weight) in &self.others {
            let more = W::of((*weight).into()).minus(usual);
            for (sum, term) in product[*place..].iter_mut().zip(poly) {
                *sum = sum.plus(term.times(more));
            }
        }
    }
}

/// About how many steps [`polynomial_power`] takes.
pub(crate) fn cost_of_power(base: &[u64], count: u64) -> u64 {
    let degree = base.len().saturating_sub(1) as u64;
    let each = Shape::of(base).steps();
    count.saturating_mul(count).saturating_mul(degree).saturating_mul(each) / 2 + count
}

/// How many bits a product of so many equal factors has; at least 129 if it is no machine word.
pub(crate) fn bits_of_power(factor: u64, count: u64) -> u64 {
    bits_of_powers([(u128::from(factor), count)].into_iter())
}

/// How many bits a product of several powers has; at least 129 if it is no machine word.
pub(crate) fn bits_of_powers(mut powers: impl Iterator<Item = (u128, u64)>) -> u64 {
    let product = powers.try_fold(1u128, |product, (factor, count)| {
        let power = factor.checked_pow(u32::try_from(count).ok()?)?;
        product.checked_mul(power)
    });
    product.map_or(129, |product| u64::from(u128::BITS - product.leading_zeros()))
}

/// `C(n, j)` for `j` below `size`, as far as they are not zero; none if one does not fit.
pub(crate) fn binomials(n: u64, size: usize) -> Option<Vec<u128>> {
    let mut next = 1u128;
    let mut list = Vec::with_capacity(size.min(64));
    for j in 0..size as u64 {
        if j > n {
            break;
        }
        list.push(next);
        next = next.checked_mul(u128::from(n - j))? / u128::from(j + 1);
    }
    Some(list)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn windows_and_powers_agree_with_products(
            poly in prop::collection::vec(0u64..1000, 1..9),
            terms in 1usize..9,
            count in 0u64..6,
        ) {
            let ones = vec![1u64; terms];
            prop_assert_eq!(product_with_ones(&poly, terms), product(&poly, &ones));
            let slow = (0..count).fold(vec![1u128], |power, _| {
                product(&power, &poly.iter().map(|w| u128::from(*w)).collect::<Vec<_>>())
            });
            prop_assert_eq!(polynomial_power::<u128>(&poly, count), slow);
        }
    }

    #[test]
    fn binomials_stop_where_they_are_zero() {
        assert_eq!(binomials(4, 9), Some(vec![1, 4, 6, 4, 1]));
        assert_eq!(binomials(300, 200), None);
        assert_eq!(power(3u64, 5), 243);
        assert_eq!(gcd(0u64, 12), 12);
    }
}
