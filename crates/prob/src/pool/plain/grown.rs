//! What one die is worth that adds at most so many dice, in machine words.
//!
//! As in [`growth`](super::super::growth), a chain of extra dice is `c_n = N + E·c_{n−1}` with `c_0 = 1`: `N` the fresh
//! dice that end it, `E` those that fire again, each as a polynomial in the worth. Written out, with `F` for the
//! first dice that fire and `t` for the total weight of the die,
//!
//! ```text
//! F·c_n = Σ_{i<n} F·E^i·N·t^{n−1−i} + F·E^n
//! ```
//!
//! on the common denominator `t^n`. Mostly a single face fires: then each `F·E^i` is a single term, and the sum
//! takes no more steps than it has terms.

use super::super::{PoolError, Stage, Style};
use super::stages::{fires, pieces_after};
use crate::law::Table;
use crate::meter::Meter;
use crate::words::{Word, power};

/// Weights by worth, from the least on.
struct Worths<W> {
    least: i64,
    weights: Vec<W>,
}

/// A table that is wider than this is not kept place by place.
const MOST: usize = 100_000;

impl<W: Word> Worths<W> {
    /// `None` if it is too wide.
    fn of(faces: impl Iterator<Item = (i64, u64)> + Clone) -> Option<Worths<W>> {
        let range = faces.clone().map(|(worth, _)| worth);
        let (Some(least), Some(most)) = (range.clone().min(), range.max()) else {
            return Some(Worths { least: 0, weights: Vec::new() });
        };
        let mut worths: Worths<W> = Worths::zeros(least, most)?;
        for (worth, weight) in faces {
            let sum = &mut worths.weights[(worth - least) as usize];
            *sum = sum.plus(W::of(weight.into()));
        }
        Some(worths)
    }

    fn zeros(least: i64, most: i64) -> Option<Worths<W>> {
        let size = usize::try_from(most.checked_sub(least)?).ok().filter(|size| *size < MOST)?;
        Some(Worths { least, weights: vec![W::ZERO; size + 1] })
    }

    fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    fn most(&self) -> i64 {
        self.least + self.weights.len() as i64 - 1
    }

    /// Adds `scale·left·right`.
    fn add_product(&mut self, scale: W, left: &Worths<W>, right: &Worths<W>) {
        let terms = left.weights.iter().enumerate().filter(|(_, weight)| **weight != W::ZERO);
        for (i, weight) in terms {
            let factor = weight.times(scale);
            let start = (left.least + right.least - self.least) as usize + i;
            for (sum, weight) in self.weights[start..].iter_mut().zip(&right.weights) {
                *sum = sum.plus(factor.times(*weight));
            }
        }
    }

    fn times(&self, other: &Worths<W>) -> Option<Worths<W>> {
        let mut product =
            Worths::zeros(self.least + other.least, self.most().checked_add(other.most())?)?;
        product.add_product(W::ONE, self, other);
        Some(product)
    }
}

/// Dice by what they are worth and whether they fire, each a list with weights.
struct Parts<'a> {
    /// The dice as first thrown that do not fire, and those that do.
    stays: &'a [(i64, u64)],
    fired: &'a [(i64, u64)],
    /// Fresh dice that do not fire, and those that do.
    last: &'a [(i64, u64)],
    again: &'a [(i64, u64)],
    limit: u64,
}

/// What one die and all that it adds are worth; `None` if that is not small.
pub(super) fn one_grown(
    die: &[(i64, u64)],
    before: &[Stage],
    explode: &Stage,
    worth: impl Fn(i64) -> i64,
    meter: &Meter,
) -> Result<Option<Table>, PoolError> {
    let Stage::Explode { trigger, style, limit: Some(limit) } = explode else { return Ok(None) };
    let Some(fires) = fires(trigger, die) else { return Ok(None) };
    let less = i64::from(*style == Style::Penetrate);
    let (mut last, mut again) = (Vec::with_capacity(die.len()), Vec::new());
    for (face, weight) in die {
        let list = if fires(*face, *face) { &mut again } else { &mut last };
        list.push((worth(face - less), *weight));
    }
    let (mut stays, mut fired) = (Vec::with_capacity(die.len()), Vec::new());
    let mut sort = |thrown: i64, shown: i64, weight: u64| {
        let list = if fires(thrown, shown) { &mut fired } else { &mut stays };
        list.push((worth(shown), weight));
    };
    if before.is_empty() {
        die.iter().for_each(|(face, weight)| sort(*face, *face, *weight));
    } else {
        let Some(pieces) = pieces_after(die, before, meter)? else { return Ok(None) };
        pieces.iter().for_each(|(thrown, shown, weight)| sort(*thrown, *shown, *weight));
    }
    let sum =
        |list: &[(i64, u64)]| list.iter().map(|(_, weight)| u128::from(*weight)).sum::<u128>();
    let limit = if fired.is_empty() { 0 } else { *limit };
    // All weights together, which bound each of them.
    let total = sum(&last) + sum(&again);
    let bits = u32::try_from(limit).ok().and_then(|limit| total.checked_pow(limit));
    let bits = bits.and_then(|scale| scale.checked_mul(sum(&stays) + sum(&fired)));
    let Some(bits) = bits.map(|all| u128::BITS - all.leading_zeros()) else { return Ok(None) };
    let parts = Parts { stays: &stays, fired: &fired, last: &last, again: &again, limit };
    if bits <= 64 { parts.table::<u64>(meter) } else { parts.table::<u128>(meter) }
}

impl Parts<'_> {
    fn table<W: Word>(&self, meter: &Meter) -> Result<Option<Table>, PoolError> {
        let worths = |faces: &[(i64, u64)]| Worths::<W>::of(faces.iter().copied());
        let (Some(stays), Some(fired)) = (worths(self.stays), worths(self.fired)) else {
            return Ok(None);
        };
        let (Some(last), Some(again)) = (worths(self.last), worths(self.again)) else {
            return Ok(None);
        };
        let Some(mut sum) = self.room(&stays, &fired, &last, &again) else { return Ok(None) };
        let total = self.last.iter().chain(self.again);
        let total = total.fold(W::ZERO, |sum, (_, weight)| sum.plus(W::of((*weight).into())));
        let mut scale = power(total, self.limit);
        let one = Worths { least: 0, weights: vec![W::ONE] };
        if !stays.is_empty() {
            sum.add_product(scale, &one, &stays);
        }
        if fired.is_empty() {
            return Ok(Table::of_words(sum.least, 1, sum.weights));
        }
        let mut chain = fired;
        for _ in 0..self.limit {
            scale = scale.over(total);
            meter.charge_product(chain.weights.len() + 1, last.weights.len() / 4 + 1, 0)?;
            if !last.is_empty() {
                sum.add_product(scale, &chain, &last);
            }
            meter.charge_product(chain.weights.len() + 1, again.weights.len() / 4 + 1, 0)?;
            if again.is_empty() {
                return Ok(Table::of_words(sum.least, 1, sum.weights));
            }
            let Some(longer) = chain.times(&again) else { return Ok(None) };
            chain = longer;
        }
        sum.add_product(W::ONE, &one, &chain);
        Ok(Table::of_words(sum.least, 1, sum.weights))
    }

    /// Nothing yet, with room for everything; `None` if that is too wide.
    fn room<W: Word>(
        &self,
        stays: &Worths<W>,
        fired: &Worths<W>,
        last: &Worths<W>,
        again: &Worths<W>,
    ) -> Option<Worths<W>> {
        let mut ends: Vec<(i64, i64)> = Vec::new();
        if !stays.is_empty() {
            ends.push((stays.least, stays.most()));
        }
        if !fired.is_empty() {
            let limit = i64::try_from(self.limit).ok()?;
            let after = |times: i64| {
                let (least, most) = match again.is_empty() {
                    true => (0, 0),
                    false => (again.least.checked_mul(times)?, again.most().checked_mul(times)?),
                };
                Some((fired.least.checked_add(least)?, fired.most().checked_add(most)?))
            };
            if limit == 0 || !again.is_empty() {
                ends.push(after(limit)?);
            }
            if !last.is_empty() && limit > 0 {
                for times in [0, if again.is_empty() { 0 } else { limit - 1 }] {
                    let (least, most) = after(times)?;
                    ends.push((least.checked_add(last.least)?, most.checked_add(last.most())?));
                }
            }
        }
        let least = ends.iter().map(|(least, _)| *least).min()?;
        Worths::zeros(least, ends.iter().map(|(_, most)| *most).max()?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Condition, Trigger};
    use super::*;
    use crate::law::Law;
    use crate::number::{Comparison, Rational};
    use proptest::prelude::*;

    proptest! {
        /// As the chain is defined: a die, and if it fires, one that may add one die less.
        #[test]
        fn chains_agree_with_their_definition(
            faces in prop::collection::btree_map(-2i64..7, 1u64..4, 1..6),
            bound in -2i64..7,
            limit in 0u64..5,
            less in 0i64..2,
        ) {
            let meter = Meter::unlimited();
            let die: Vec<(i64, u64)> = faces.into_iter().collect();
            let trigger = Trigger::When(Condition {
                op: Comparison::AtLeast,
                value: Rational::from(bound),
            });
            let style = if less == 1 { Style::Penetrate } else { Style::Separate };
            let explode = Stage::Explode { trigger, style, limit: Some(limit) };
            let fast = one_grown(&die, &[], &explode, |shown| shown, &meter).unwrap().unwrap();
            let total: u64 = die.iter().map(|(_, weight)| weight).sum();
            let mut chain = Law::constant(Rational::ZERO);
            for left in 0..=limit {
                let less = if left == limit { 0 } else { less };
                let parts: Vec<(Rational, Law)> = die.iter().map(|(face, weight)| {
                    let shown = Law::constant(Rational::from(face - less));
                    let law = if *face >= bound {
                        shown.sum(&chain, &meter).unwrap()
                    } else {
                        shown
                    };
                    (Rational::from(*weight) / Rational::from(total), law)
                }).collect();
                chain = Law::mixture(&parts, &meter).unwrap();
            }
            prop_assert_eq!(Law::Finite(fast), chain);
        }
    }
}
