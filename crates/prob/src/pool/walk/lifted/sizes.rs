//! The highest of what sets of dice offer, by the sizes of the sets.
//!
//! ```text
//! walk(50d10, 0, (best, face, count) => max(best, count))
//! ```
//!
//! Where all faces are alike and nothing but the highest offer is carried, it is at most `x` just if every face
//! shows a number of dice that offers at most `x`. So the sizes are admitted one after the other, beginning with
//! those that offer least, and after each it is counted in how many ways all dice form sets of admitted sizes.
//!
//! With `A[u][f]` ways to part `u` dice into `f` sets, `k` sets of the size `c` more can be added in
//! `C(u + kc, kc)·∏ C(ic − 1, c − 1)` ways, `i` from 1 to `k`: choose their dice; the first that is left begins a
//! set, for which `c − 1` others are chosen. At last `f` sets show different faces in `s(s − 1)…(s − f + 1)` ways.

use super::super::path::{Manner, Telling};
use super::super::totals::{Factor, add_times, limbs_of, natural_of};
use super::super::{Lift, LiftedSteps, WalkError};
use super::{Follower, Halt};
use crate::meter::OverBudget;
use crate::number::Natural;
use dashu_base::BitTest;

/// More dice have too many binomial coefficients to keep, and more limbs of all ways are too many.
const MOST: usize = 640;
const MOST_LIMBS: usize = 1 << 22;

/// What the steps come to, with the state 0 throughout; none if this is another kind of walk.
type Offers<E> = Result<Option<Vec<(usize, i64, Natural)>>, Halt<E>>;

impl<S: LiftedSteps + ?Sized> Follower<'_, S> {
    pub(super) fn by_sizes(&mut self, first: i64) -> Offers<S::Error> {
        let [group] = self.path.groups.as_slice() else { return Ok(None) };
        let counted = self.path.pools.len() == 1
            && matches!(self.path.telling_of(0), Telling::Counted)
            && group.manner == Manner::Any;
        let alike = self.known.one_kind() && self.path.is_even();
        if self.lift != Lift::Highest || !counted || !alike || group.most() > MOST {
            return Ok(None);
        }
        let coefficients = group.most().saturating_mul(group.most() / 2 + 1);
        self.meter.charge(coefficients.saturating_mul(1 + group.most() / 64) as u64)?;
        let mut offers = Vec::with_capacity(group.most());
        for size in 1..=group.most() {
            let led = self.steps.step(0, 0, &[size as u64]);
            match led.map_err(|error| Halt::Walk(WalkError::Step(error)))? {
                Some((0, by)) => offers.push((by.max(first), size)),
                Some(_) | None => return Ok(None),
            }
        }
        offers.sort_unstable();
        let each = group.weights[0].pow(group.most());
        let end = self.steps.end(0);
        let Some(mut parts) = Parts::new(group.most(), self.path.faces.len()) else {
            return Ok(None);
        };
        self.pay(parts.ways.len())?;
        let mut weights = Vec::new();
        let mut before = Natural::ZERO;
        for admitted in offers.chunk_by(|a, b| a.0 == b.0) {
            for (_, size) in admitted {
                parts.admit(*size, |limbs| self.pay(limbs))?;
            }
            let now = parts.ways();
            if now > before {
                weights.push((end, admitted[0].0, (&now - &before) * &each));
            }
            before = now;
        }
        Ok(Some(weights))
    }
}

/// In how many ways dice are parted into sets.
struct Parts {
    dice: usize,
    faces: usize,
    /// One more than the most sets, and how many limbs a number has.
    sets: usize,
    width: usize,
    /// For each number of dice and of sets.
    ways: Vec<u64>,
    /// The largest size so far.
    largest: usize,
    /// Pascal's triangle, row by row.
    choose: Vec<Natural>,
}

impl Parts {
    fn new(dice: usize, faces: usize) -> Option<Parts> {
        let sets = dice.min(faces) + 1;
        let width = Natural::from(faces).pow(dice).bit_len().div_ceil(64).max(1);
        let limbs = (dice + 1).saturating_mul(sets).saturating_mul(width);
        let mut ways = vec![0; Some(limbs).filter(|limbs| *limbs <= MOST_LIMBS)?];
        ways[0] = 1;
        let mut choose: Vec<Natural> = Vec::with_capacity((dice + 1) * (dice + 2) / 2);
        for row in 0..=dice {
            let above = choose.len() - row;
            choose.push(Natural::ONE);
            for at in 1..row {
                choose.push(&choose[above + at - 1] + &choose[above + at]);
            }
            if row > 0 {
                choose.push(Natural::ONE);
            }
        }
        Some(Parts { dice, faces, sets, width, ways, largest: 0, choose })
    }

    fn choose(&self, n: usize, k: usize) -> &Natural {
        &self.choose[n * (n + 1) / 2 + k]
    }

    /// Lets sets have this size too. `pay` is told how many limbs are gone through.
    fn admit(
        &mut self,
        size: usize,
        pay: impl Fn(usize) -> Result<(), OverBudget>,
    ) -> Result<(), OverBudget> {
        let most = (self.sets - 1).min(self.dice / size);
        // In how many ways the dice of so many sets fall into them.
        let mut formed = vec![Natural::ONE];
        for sets in 1..=most {
            formed.push(&formed[sets - 1] * self.choose(sets * size - 1, size - 1));
        }
        let row = self.sets * self.width;
        for used in (0..=self.dice - size).rev() {
            // So many dice are in no fewer sets, and in no more.
            if used > 0 && self.largest == 0 {
                continue;
            }
            let least = if used > 0 { used.div_ceil(self.largest) } else { 0 };
            for sets in 1..=most.min((self.dice - used) / size) {
                let all = used + sets * size;
                let numbers = used.min(self.sets - 1 - sets) + 1;
                let Some(numbers) = numbers.checked_sub(least).filter(|numbers| *numbers > 0)
                else {
                    continue;
                };
                let factor = &self.choose[all * (all + 1) / 2 + used] * &formed[sets];
                let (before, after) = self.ways.split_at_mut(all * row);
                let (from, len) = (used * row + least * self.width, numbers * self.width);
                let from = &before[from..from + len];
                let sum = &mut after[(least + sets) * self.width..][..len];
                match u64::try_from(&factor) {
                    Ok(factor) => {
                        pay(len)?;
                        add_times(sum, from, Factor::Word(factor), self.width);
                    }
                    Err(_) => {
                        let limbs = limbs_of(&factor);
                        pay(len.saturating_mul(limbs.len()))?;
                        add_times(sum, from, Factor::Limbs(&limbs), self.width);
                    }
                }
            }
        }
        self.largest = self.largest.max(size);
        Ok(())
    }

    /// In how many ways all dice form sets on different faces.
    fn ways(&self) -> Natural {
        let row = self.sets * self.width;
        let all = self.ways[self.dice * row..].chunks_exact(self.width);
        let mut on_faces = Natural::ONE;
        let mut sum = Natural::ZERO;
        for (sets, ways) in all.enumerate() {
            if sets > 0 {
                on_faces *= self.faces - sets + 1;
            }
            if ways.iter().any(|limb| *limb > 0) {
                sum += natural_of(ways) * &on_faces;
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_dice_on_six_faces_form_pairs_and_single_dice_in_1170_ways() {
        let mut parts = Parts::new(4, 6).unwrap();
        let free = |_| Ok(());
        parts.admit(1, free).unwrap();
        assert_eq!(parts.ways(), Natural::from(360u16));
        parts.admit(2, free).unwrap();
        assert_eq!(parts.ways(), Natural::from(1170u16));
        parts.admit(4, free).unwrap();
        parts.admit(3, free).unwrap();
        assert_eq!(parts.ways(), Natural::from(1296u16));
    }
}
