//! What dice show one after the other.

use crate::meter::{Meter, OverBudget};
use crate::number::{self, Natural, Rational};
use dashu_base::BitTest;
use dashu_int::Word;

/// What a hand costs beside its dice: it is an allocation, and its chance is a product of fractions.
const NEW_HAND: u64 = 20;

/// Chances of up to so many copies are worked out once.
const MOST_COPIES: u64 = 64;

/// The faces of so many equal dice in throw order, by their places, with chances: of each face there are so many copies.
/// What is drawn is not put back.
pub fn in_order(
    copies: &[u64],
    count: u64,
    drawn: bool,
    meter: &Meter,
) -> Result<Vec<(Vec<usize>, Rational)>, OverBudget> {
    let total = copies.iter().fold(Natural::ZERO, |sum, copies| sum + *copies);
    let size = copies.len() as u64;
    let limbs = total.bit_len() as u64 / u64::from(Word::BITS);
    let mut hands: Vec<(Vec<usize>, Rational)> = vec![(Vec::new(), Rational::ONE)];
    let mut rent = meter.rent();
    for thrown in 0..count {
        let each = NEW_HAND.saturating_add(thrown.saturating_mul(1 + limbs));
        let bytes = (size_of::<(Vec<usize>, Rational)>() as u64 + 64)
            .saturating_add(thrown.saturating_mul(8 * (2 + limbs)));
        let total = if drawn { &total - thrown } else { total.clone() };
        let chances: Vec<Rational> =
            (0..=copies.iter().copied().max().unwrap_or(0).min(MOST_COPIES))
                .map(|left| number::ratio(left, total.clone()))
                .collect();
        let had = hands.len();
        let mut longer = Vec::new();
        for (hand, chance) in hands {
            meter.charge(each.saturating_mul(size))?;
            rent.grow((had + longer.capacity()) as u64 * bytes, meter)?;
            for (place, copies) in copies.iter().enumerate() {
                let gone =
                    if drawn { hand.iter().filter(|other| **other == place).count() } else { 0 };
                let left = copies.saturating_sub(gone as u64);
                if left == 0 {
                    continue;
                }
                let next = hand.iter().copied().chain([place]).collect();
                let of_one = match chances.get(left as usize) {
                    Some(known) => chance.clone() * known,
                    None => &chance * number::ratio(left, total.clone()),
                };
                longer.push((next, of_one));
            }
        }
        hands = longer;
    }
    Ok(hands)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_is_not_put_back() {
        let meter = Meter::unlimited();
        let chance = |top: u64, bottom: u64| number::ratio(top, Natural::from(bottom));
        let drawn = in_order(&[1, 2], 2, true, &meter).unwrap();
        let third = chance(1, 3);
        assert_eq!(
            drawn,
            [(vec![0, 1], third.clone()), (vec![1, 0], third.clone()), (vec![1, 1], third)]
        );
        let thrown = in_order(&[1, 2], 2, false, &meter).unwrap();
        let all = thrown.iter().fold(Rational::ZERO, |sum, (_, chance)| sum + chance);
        assert_eq!((thrown.len(), &thrown[3].1, all), (4, &chance(4, 9), Rational::ONE));
    }
}
