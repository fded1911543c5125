//! The highest of what sets of dice offer, by the sizes of the sets.
//!
//! ```text
//! walk(50d10, 0, (best, face, count) => max(best, count))
//! ```
//!
//! Where all faces are alike, larger sets offer no less, and nothing but the highest offer is carried, it is at most
//! that of `x` dice just if no face shows more than `x` of them. Let `A[f][n]` be in how many ways `n` dice show `f`
//! faces so. One die more shows any of the `f` faces, but not one that has its `x` dice already:
//!
//! ```text
//! A[f][n + 1] = f·(A[f][n] − C(n, x)·A[f − 1][n − x])
//! ```
//!
//! Up to `x` dice that is `fⁿ`. So `A[f][n]` needs one face less with at most `n − x − 1` dice, two faces less with at
//! most `n − 2(x + 1)` and so on: for all `x` together these are about `n²·log(f)/2` numbers.

use super::super::path::{Manner, Path, Telling};
use super::super::totals::natural_of;
use super::super::{Lift, LiftedSteps, WalkError};
use super::{Ended, Known};
use crate::meter::{Meter, OverBudget};
use crate::number::Natural;
use crate::rows::Limbs;
use dashu_base::BitTest;

/// What the steps come to, with the state 0 throughout; none if this is another kind of walk.
pub(super) fn by_sizes<S: LiftedSteps + ?Sized>(
    path: &Path<'_>,
    lift: Lift,
    known: &Known,
    first: i64,
    steps: &mut S,
    meter: &Meter,
) -> Ended<S::Error> {
    let [group] = path.groups.as_slice() else { return Ok(None) };
    let counted = path.pools.len() == 1
        && matches!(path.telling_of(0), Telling::Counted)
        && group.manner == Manner::Any;
    if lift != Lift::Highest || !counted || !known.one_kind() || !path.is_even() {
        return Ok(None);
    }
    let mut offers: Vec<i64> = Vec::with_capacity(group.most());
    for size in 1..=group.most() {
        let least = offers.last().copied().unwrap_or(first);
        match steps.step(0, 0, &[size as u64]).map_err(WalkError::Step)? {
            Some((0, by)) if by.max(first) >= least => offers.push(by.max(first)),
            Some(_) | None => return Ok(None),
        }
    }
    let each = group.weights[0].pow(group.most());
    let end = steps.end(0);
    let mut sets = Sets::of(group.most(), path.faces.len(), meter)?;
    let mut weights = Vec::new();
    let mut before = Natural::ZERO;
    for (at, offer) in offers.iter().enumerate() {
        let more = offers.get(at + 1) == Some(offer);
        let Some(now) = sets.next(!more, meter)? else { continue };
        if now > before {
            weights.push((end, *offer, (&now - &before) * &each));
        }
        before = now;
    }
    Ok(Some(weights))
}

/// In how many ways no face shows more than so many dice, for one size of sets after the other.
struct Sets {
    dice: usize,
    faces: usize,
    /// The size of the largest sets, and for each `n` in how many ways these are chosen of `n` dice.
    size: usize,
    choose: Vec<Limbs>,
    /// How many limbs the ways of so many dice have.
    widths: Vec<usize>,
    /// The ways with one face less, and with all.
    fewer: Vec<u64>,
    ways: Vec<u64>,
}

impl Sets {
    fn of(dice: usize, faces: usize, meter: &Meter) -> Result<Sets, OverBudget> {
        let bits = Natural::from(faces).bit_len();
        let width = |dice: usize| (dice.saturating_mul(bits) / 64).saturating_add(1);
        meter.charge_rows(dice + 1, 1, dice.saturating_mul(bits))?;
        let choose = (0..dice).map(|_| Limbs::one()).collect();
        let widths = (0..=dice).map(width).collect();
        Ok(Sets { dice, faces, size: 0, choose, widths, fewer: Vec::new(), ways: Vec::new() })
    }

    /// In how many ways no face shows more dice than the next size, if that is asked for.
    fn next(&mut self, asked: bool, meter: &Meter) -> Result<Option<Natural>, OverBudget> {
        // C(n, x + 1) = C(n, x)·(n − x)/(x + 1)
        meter.charge((self.dice - self.size) as u64)?;
        for (dice, choose) in self.choose.iter_mut().enumerate().skip(self.size) {
            choose.multiply((dice - self.size) as u64);
            choose.divide_exactly(self.size as u64 + 1);
        }
        self.size += 1;
        if !asked {
            return Ok(None);
        }
        if self.dice > self.size.saturating_mul(self.faces) {
            return Ok(Some(Natural::ZERO));
        }
        let fewest = self.dice / (self.size + 1);
        for less in (0..=fewest.min(self.faces)).rev() {
            std::mem::swap(&mut self.fewer, &mut self.ways);
            self.list(less, meter)?;
        }
        let width = self.widths[self.dice];
        Ok(Some(natural_of(&self.ways[self.ways.len() - width..])))
    }

    /// The ways with so many faces less, for each number of dice that matters then.
    fn list(&mut self, less: usize, meter: &Meter) -> Result<(), OverBudget> {
        let (faces, size) = ((self.faces - less) as u64, self.size);
        let dice = self.dice - less * (size + 1);
        let width = self.widths[dice];
        // A product of two limbs takes much less than a step.
        let factor =
            self.choose.get(dice.saturating_sub(1)).map_or(1, |most| most.as_slice().len());
        meter.charge(((dice + 1) * (1 + width * (1 + factor) / 32)) as u64)?;
        self.ways.clear();
        self.ways.resize((dice + 1) * width, 0);
        self.ways[0] = 1;
        let narrow = self.widths[dice.saturating_sub(size + 1)];
        for n in 0..dice {
            let (before, after) = self.ways.split_at_mut((n + 1) * width);
            let (before, after) = (&before[n * width..], &mut after[..self.widths[n + 1]]);
            after.copy_from_slice(&before[..after.len()]);
            if n >= size {
                let fewer = &self.fewer[(n - size) * narrow..][..self.widths[n - size]];
                subtract_product(after, fewer, self.choose[n].as_slice());
            }
            multiply(after, faces);
        }
        Ok(())
    }
}

/// Takes a product from a number that is no less.
fn subtract_product(number: &mut [u64], factor: &[u64], other: &[u64]) {
    for (at, by) in other.iter().enumerate() {
        let (mut carry, mut borrow) = (0u64, false);
        let mut factor = factor.iter();
        for limb in number.iter_mut().skip(at) {
            let part = factor.next();
            if part.is_none() && carry == 0 && !borrow {
                break;
            }
            let wide = u128::from(part.copied().unwrap_or(0)) * u128::from(*by) + u128::from(carry);
            carry = (wide >> 64) as u64;
            let (rest, first) = limb.overflowing_sub(wide as u64);
            let (rest, second) = rest.overflowing_sub(u64::from(borrow));
            *limb = rest;
            borrow = first || second;
        }
    }
}

/// Multiplies a number that has room for it.
fn multiply(number: &mut [u64], factor: u64) {
    let mut carry = 0u64;
    for limb in number {
        let wide = u128::from(*limb) * u128::from(factor) + u128::from(carry);
        (*limb, carry) = (wide as u64, (wide >> 64) as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ways for each size, one after the other.
    fn ways(dice: usize, faces: usize) -> Vec<Natural> {
        let meter = Meter::unlimited();
        let mut sets = Sets::of(dice, faces, &meter).unwrap();
        (0..dice).map(|_| sets.next(true, &meter).unwrap().unwrap()).collect()
    }

    #[test]
    fn four_dice_on_six_faces_form_pairs_and_single_dice_in_1170_ways() {
        assert_eq!(ways(4, 6), [360u16, 1170, 1290, 1296].map(Natural::from));
        assert_eq!(ways(3, 2), [0u8, 6, 8].map(Natural::from));
        assert_eq!(ways(2, 1), [0u8, 1].map(Natural::from));
    }

    /// The slow twin: one face after the other, with each number of dice that may show it.
    fn by_faces(dice: usize, faces: usize, size: usize) -> Natural {
        let choose =
            |n: usize, k: usize| (0..k).fold(Natural::ONE, |ways, at| ways * (n - at) / (at + 1));
        let mut ways = vec![Natural::ZERO; dice + 1];
        ways[0] = Natural::ONE;
        for _ in 0..faces {
            let with = |n: usize| {
                let counts = 0..=n.min(size);
                counts.fold(Natural::ZERO, |sum, c| sum + &ways[n - c] * choose(n, c))
            };
            ways = (0..=dice).map(with).collect();
        }
        ways[dice].clone()
    }

    #[test]
    fn one_die_after_the_other_is_one_face_after_the_other() {
        for (dice, faces) in [(1, 1), (7, 3), (12, 12), (40, 6), (90, 20), (3, 50)] {
            let slow: Vec<Natural> = (1..=dice).map(|size| by_faces(dice, faces, size)).collect();
            assert_eq!(ways(dice, faces), slow, "{dice}d{faces}");
        }
    }
}
