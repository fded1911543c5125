//! The first bits of long numbers.
//!
//! `1000d6` has 5001 outcomes, and three chances of each are shown. Their weights have 2,600 bits, of which four digits
//! are shown: the first hundred bits of a weight and of the total nearly always decide these. What could still be
//! rounded either way is divided in full.

use dashu_base::BitTest;
use dashu_int::{UBig, Word};

/// So many of the first bits are looked at; with a factor there is still room in a word of 128.
const LOOKED_AT: usize = 96;

/// `top · factor / bottom`, rounded, halves up.
pub(crate) fn divided(top: &UBig, bottom: &UBig, factor: u32) -> UBig {
    match decided(top, bottom, factor) {
        Some(quotient) => quotient.into(),
        None => (top * UBig::from(factor) * UBig::from(2u8) + bottom) / (bottom * UBig::from(2u8)),
    }
}

/// The same, if the first bits decide it.
fn decided(top: &UBig, bottom: &UBig, factor: u32) -> Option<u128> {
    let cut = top.bit_len().max(bottom.bit_len()).saturating_sub(LOOKED_AT);
    let (a, b) = (from_bit(top, cut), from_bit(bottom, cut));
    let rounded = |a: u128, b: u128| (2 * u128::from(factor) * a + b).checked_div(2 * b);
    if cut == 0 {
        return rounded(a, b);
    }
    // Both numbers lie between what was looked at and one more.
    let (least, most) = (rounded(a, b + 1)?, rounded(a + 1, b)?);
    (least == most).then_some(least)
}

/// The number without its last bits; it has at most 128 others.
fn from_bit(number: &UBig, cut: usize) -> u128 {
    let size = Word::BITS as usize;
    let words = number.as_words().iter().enumerate().skip(cut / size);
    words.fold(0, |sum, (at, word)| {
        let word = u128::from(*word);
        match at * size {
            place if place < cut => sum | word >> (cut - place),
            place => sum | word << (place - cut),
        }
    })
}

/// The first 64 bits of a number, and how many follow.
pub(crate) fn leading(number: &UBig) -> (u64, usize) {
    let cut = number.bit_len().saturating_sub(64);
    (from_bit(number, cut) as u64, cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As it is written on paper.
    fn in_full(top: &UBig, bottom: &UBig, factor: u32) -> UBig {
        (top * UBig::from(factor) * UBig::from(2u8) + bottom) / (bottom * UBig::from(2u8))
    }

    #[test]
    fn the_first_bits_never_decide_wrongly() {
        let six = UBig::from(6u8);
        for power in [1, 10, 36, 37, 38, 60, 200, 1000] {
            let total = six.clone().pow(power);
            for part in 1..60u32 {
                let weight =
                    &total * UBig::from(part) / UBig::from(61u8) + UBig::from(1 + part % 3);
                assert_eq!(divided(&weight, &total, 10_000), in_full(&weight, &total, 10_000));
                assert_eq!(divided(&total, &weight, 100), in_full(&total, &weight, 100));
            }
        }
    }

    #[test]
    fn halves_are_rounded_up_whatever_their_length() {
        let half = UBig::from(1u8) << 700;
        for bottom in [UBig::from(20_000u32), UBig::from(20_000u32) * &half] {
            let scale = &bottom / UBig::from(20_000u32);
            assert_eq!(divided(&scale, &bottom, 10_000), UBig::ONE);
            let less = if scale.is_one() { UBig::ZERO } else { &scale - UBig::ONE };
            assert_eq!(divided(&less, &bottom, 10_000), UBig::ZERO);
        }
    }

    #[test]
    fn leading_bits_and_their_place() {
        assert_eq!(leading(&UBig::from(25u8)), (25, 0));
        assert_eq!(leading(&(UBig::from(5u8) << 200)), (5 << 61, 139));
    }
}
