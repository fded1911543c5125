//! What dice show one after the other.

use crate::meter::{Meter, OverBudget};
use crate::number::{self, Natural, Rational};

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
    let mut hands = vec![(Vec::new(), copies.to_vec(), Rational::ONE)];
    for thrown in 0..count {
        let each = size.saturating_mul(thrown.saturating_add(size)).saturating_add(4);
        meter.charge((hands.len() as u64).saturating_mul(each))?;
        let total = if drawn { &total - thrown } else { total.clone() };
        let mut longer = Vec::with_capacity(hands.len().saturating_mul(copies.len()));
        for (hand, left, chance) in &hands {
            for place in (0..copies.len()).filter(|place| left[*place] > 0) {
                let next = hand.iter().copied().chain([place]).collect();
                let chance = chance * number::ratio(left[place], total.clone());
                let mut left = left.clone();
                left[place] -= u64::from(drawn);
                longer.push((next, left, chance));
            }
        }
        hands = longer;
    }
    Ok(hands.into_iter().map(|(hand, _, chance)| (hand, chance)).collect())
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
