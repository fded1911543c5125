//! Multiplying two polynomials.
//!
//! Small or sparse factors are multiplied term by term. Two long factors are each packed into one
//! huge integer (their value at a power of two that no coefficient of the product can reach), so
//! that a single product of integers does all the work: Kronecker's substitution. With signs,
//! `(2 − x)(1 + x)` at `x = 100` is `−98 · 101 = −9898`, and reading base-100 digits from the
//! bottom, nearest to zero, gives back `2, 1, −1`.

use super::Poly;
use crate::meter::{Meter, OverBudget};
use crate::number::{Integer, Natural};
use dashu_base::Sign;
use dashu_int::Word;

/// From this many terms on (of the shorter factor), packing pays.
const LONG: usize = 8;

impl Poly {
    pub(crate) fn times(&self, other: &Poly, meter: &Meter) -> Result<Poly, OverBudget> {
        if self.is_one() {
            return Ok(other.clone());
        }
        if other.is_one() {
            return Ok(self.clone());
        }
        let (rows, columns) = (self.terms().count(), other.terms().count());
        let bits = self.bits() + other.bits();
        if rows.min(columns) >= LONG {
            meter.room_for_rows(self.len() + other.len(), bits)?;
            return in_blocks(self, other, bits, meter);
        }
        let each = (columns as u64).saturating_mul(1 + bits as u64 / 64);
        meter.afford(each.saturating_mul(rows as u64))?;
        meter.charge_product(self.len() + other.len(), 2, bits)?;
        term_by_term(self, other, || meter.charge(each))
    }
}

/// The product; each term of the left factor is paid for before it is multiplied.
fn term_by_term(
    left: &Poly,
    right: &Poly,
    pay: impl Fn() -> Result<(), OverBudget>,
) -> Result<Poly, OverBudget> {
    if left.is_zero() || right.is_zero() {
        return Ok(Poly::zero());
    }
    let mut product = vec![Integer::ZERO; left.len() + right.len() - 1];
    // Of a stretched polynomial most coefficients are zero, and are passed over once.
    let terms: Vec<(usize, &Integer)> = right.terms().collect();
    for (i, a) in left.terms() {
        pay()?;
        for (j, b) in &terms {
            product[i + j] += a * *b;
        }
    }
    Ok(Poly::new(product))
}

/// More words than this are not multiplied at once: it would take long, and nobody could stop it.
const AT_ONCE: usize = 60_000;

/// A product that is paid for block by block: the longer factor is cut in two, or both are and three products do for four.
fn in_blocks(left: &Poly, right: &Poly, bits: usize, meter: &Meter) -> Result<Poly, OverBudget> {
    let (left, right) = if left.len() < right.len() { (right, left) } else { (left, right) };
    let words = (left.len() + right.len()).saturating_mul(bits / Word::BITS as usize + 1);
    if right.len() < LONG && words > AT_ONCE {
        return piece_by_piece(left, right, bits, meter);
    }
    if words <= AT_ONCE {
        meter.charge(price_of_product(words))?;
        return match right.len() < LONG {
            true => term_by_term(left, right, || Ok(())),
            false => Ok(packed_product(left, right)),
        };
    }
    let half = left.len().div_ceil(2);
    let cut = |poly: &Poly| {
        let at = half.min(poly.len());
        (Poly::new(poly.0[..at].to_vec()), Poly::new(poly.0[at..].to_vec()))
    };
    let (low, high) = cut(left);
    if right.len() <= half {
        let low = in_blocks(&low, right, bits, meter)?;
        return Ok(low.plus(&in_blocks(&high, right, bits, meter)?.raised(half)));
    }
    let (other_low, other_high) = cut(right);
    let first = in_blocks(&low, &other_low, bits, meter)?;
    let last = in_blocks(&high, &other_high, bits, meter)?;
    let all = in_blocks(&low.plus(&high), &other_low.plus(&other_high), bits + 2, meter)?;
    let mixed = all.minus(&first).minus(&last);
    Ok(first.plus(&mixed.raised(half)).plus(&last.raised(2 * half)))
}

/// A product with few terms, each of a long number: the longer factor is gone through in pieces.
fn piece_by_piece(
    left: &Poly,
    right: &Poly,
    bits: usize,
    meter: &Meter,
) -> Result<Poly, OverBudget> {
    if left.is_zero() || right.is_zero() {
        return Ok(Poly::zero());
    }
    let words = bits / Word::BITS as usize + 1;
    let each = price_of_product(words).saturating_mul(right.len() as u64);
    let mut product = vec![Integer::ZERO; left.len() + right.len() - 1];
    let (mut done, right) = (0, &right.0);
    meter.in_pieces(left.len(), each, |next| {
        for place in done..next {
            for (j, b) in right.iter().enumerate().filter(|_| !left.0[place].is_zero()) {
                product[place + j] += &left.0[place] * b;
            }
        }
        done = next;
    })?;
    Ok(Poly::new(product))
}

/// What a product of so many words costs, in steps. Long ones are done by transforms, which take more of the memory.
fn price_of_product(words: usize) -> u64 {
    const TRANSFORMED: usize = 1 << 12;
    let each = if words < TRANSFORMED { 2 } else { 5 };
    (words as u64).saturating_mul(each * u64::from(words.max(2).ilog2()))
}

fn packed_product(left: &Poly, right: &Poly) -> Poly {
    let room = usize::BITS as usize - left.len().min(right.len()).leading_zeros() as usize;
    let bits = left.bits() + right.bits() + room + 2;
    let words = bits.div_ceil(Word::BITS as usize);
    let product = pack(left, words) * pack(right, words);
    unpack(product, words, left.len() + right.len() - 1)
}

/// The value at 2^(64·words).
fn pack(poly: &Poly, words: usize) -> Integer {
    let part = |sign: Sign| {
        let mut packed: Vec<Word> = vec![0; words * poly.len()];
        for (k, coefficient) in poly.terms().filter(|(_, c)| c.sign() == sign) {
            let (_, digits) = coefficient.as_sign_words();
            packed[k * words..k * words + digits.len()].copy_from_slice(digits);
        }
        Integer::from(Natural::from_words(&packed))
    };
    part(Sign::Positive) - part(Sign::Negative)
}

/// The polynomial of `len` coefficients whose value at 2^(64·words) is `value`.
fn unpack(value: Integer, words: usize, len: usize) -> Poly {
    let (sign, magnitude) = value.into_parts();
    let digits = magnitude.as_words();
    let base = Integer::ONE << (words * Word::BITS as usize);
    let mut carry = false;
    let mut coefficients = Vec::with_capacity(len);
    for k in 0..len {
        let start = (k * words).min(digits.len());
        let end = ((k + 1) * words).min(digits.len());
        let mut digit = Integer::from(Natural::from_words(&digits[start..end]));
        if carry {
            digit += Integer::ONE;
        }
        carry = (&digit << 1) >= base;
        if carry {
            digit -= &base;
        }
        coefficients.push(if sign == Sign::Negative { -digit } else { digit });
    }
    Poly::new(coefficients)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packing_agrees_with_term_by_term(
            a in prop::collection::vec(any::<i64>(), 1..80),
            b in prop::collection::vec(-3i64..3, 1..80),
        ) {
            let poly = |v: &[i64]| Poly::new(v.iter().map(|&c| Integer::from(c)).collect());
            let (a, b) = (poly(&a), poly(&b));
            prop_assume!(!a.is_zero() && !b.is_zero());
            prop_assert_eq!(Ok(packed_product(&a, &b)), term_by_term(&a, &b, || Ok(())));
        }

        #[test]
        fn blocks_agree_with_one_product(long in 3000usize..6000, short in 60usize..4000) {
            let poly = |len: usize, seed: i64| {
                let number = |k: usize| Integer::from(seed + k as i64 * 7919 % 1013 - 500);
                Poly::new((0..len).map(|k| number(k).pow(20)).collect())
            };
            let (a, b) = (poly(long, 3), poly(short, 5));
            let blocks = in_blocks(&a, &b, a.bits() + b.bits(), &Meter::unlimited());
            prop_assert_eq!(blocks, Ok(packed_product(&a, &b)));
        }
    }
}
