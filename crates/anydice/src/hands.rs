//! The ways that dice can lie, as sorted hands, each with its weight.

use astragal_prob::pool::hands;
use astragal_prob::{Integer, Meter, Natural, OverBudget};

use crate::fault::Ran;
use crate::ranks::{binomials, powers};

/// Equal dice whose hands are gone through in the order of AnyDice: descending hands from the highest one down, or, with
/// the lowest first, ascending ones from the lowest up. Hands of one die ascend.
pub(crate) struct Hands {
    /// In the order of a hand, each with the powers of its weight.
    faces: Vec<(Integer, Vec<Natural>)>,
    ways: Vec<Vec<Natural>>,
    dice: usize,
}

impl Hands {
    pub(crate) fn new(
        mut faces: Vec<(Integer, Natural)>,
        dice: u64,
        lowest_first: bool,
        meter: &Meter,
    ) -> Ran<Hands> {
        let dice = usize::try_from(dice).map_err(|_| OverBudget::Steps)?;
        // More hands than can be gone through are not begun.
        let count = hands(dice, faces.len()).unwrap_or(usize::MAX) as u64;
        meter.afford(count.saturating_mul(4))?;
        let ways = binomials(dice, meter)?;
        if !lowest_first && dice > 1 {
            faces.reverse();
        }
        let mut ready = Vec::with_capacity(faces.len());
        for (face, weight) in faces {
            ready.push((face, powers(&weight, dice, meter)?));
        }
        Ok(Hands { faces: ready, ways, dice })
    }

    /// How many hands there are.
    pub(crate) fn count(&self) -> u64 {
        hands(self.dice, self.faces.len()).unwrap_or(usize::MAX) as u64
    }

    /// About the memory that a hand takes.
    pub(crate) fn bytes_of_each(&self) -> u64 {
        (self.dice * size_of::<Integer>() + 96) as u64
    }

    /// Visits each hand with its weight.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(&[Integer], Natural) -> Ran<()>) -> Ran<()> {
        let mut hand = Vec::with_capacity(self.dice);
        self.from(0, &mut hand, Natural::ONE, visit)
    }

    fn from(
        &self,
        at: usize,
        hand: &mut Vec<Integer>,
        weight: Natural,
        visit: &mut dyn FnMut(&[Integer], Natural) -> Ran<()>,
    ) -> Ran<()> {
        let left = self.dice - hand.len();
        if left == 0 {
            return visit(hand, weight);
        }
        let Some((face, powers)) = self.faces.get(at) else { return Ok(()) };
        // The last face takes all that is left.
        let least = if at + 1 == self.faces.len() { left } else { 0 };
        let before = hand.len();
        for count in (least..=left).rev() {
            hand.truncate(before);
            hand.resize(before + count, face.clone());
            let weight = &weight * &self.ways[left][count] * &powers[count];
            if at + 1 < self.faces.len() || count == left {
                self.from(at + 1, hand, weight, visit)?;
            }
        }
        hand.truncate(before);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(faces: &[i64], dice: u64, lowest_first: bool) -> Vec<(Vec<i64>, u64)> {
        let meter = Meter::new(1_000_000);
        let faces = faces.iter().map(|face| (Integer::from(*face), Natural::ONE)).collect();
        let hands = Hands::new(faces, dice, lowest_first, &meter).expect("there are few");
        let mut seen = Vec::new();
        let mut visit = |hand: &[Integer], weight: Natural| {
            let hand = hand.iter().map(|face| i64::try_from(face).unwrap_or(0)).collect();
            seen.push((hand, u64::try_from(&weight).unwrap_or(0)));
            Ok(())
        };
        hands.each(&mut visit).expect("nothing fails");
        seen
    }

    #[test]
    fn hands_come_from_the_highest_down_or_from_the_lowest_up() {
        let down = all(&[1, 2, 3], 2, false);
        let order: Vec<Vec<i64>> = down.iter().map(|(hand, _)| hand.clone()).collect();
        assert_eq!(order, [[3, 3], [3, 2], [3, 1], [2, 2], [2, 1], [1, 1]]);
        assert_eq!(down.iter().map(|(_, weight)| weight).sum::<u64>(), 9);
        let up = all(&[1, 2], 2, true);
        assert_eq!(up, [(vec![1, 1], 1), (vec![1, 2], 2), (vec![2, 2], 1)]);
        assert_eq!(all(&[1, 2], 1, false), [(vec![1], 1), (vec![2], 1)]);
    }

    #[test]
    fn hands_are_counted_before() {
        for (faces, dice) in [(1, 5), (6, 1), (6, 4), (3, 7), (10, 2)] {
            let list: Vec<i64> = (1..=faces).collect();
            assert_eq!(hands(dice as usize, faces as usize), Some(all(&list, dice, false).len()));
        }
        assert_eq!(hands(1_000_000, 1_000_000), None);
    }
}
