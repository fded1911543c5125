//! What one die is worth that adds at most so many dice, in machine words.
//!
//! As in [`growth`](super::super::growth), a chain of extra dice is `c_n = N + E·c_{n−1}` with `c_0 = 1`: `N` the fresh
//! dice that end it, `E` those that fire again, each as a polynomial in the worth. On the common
//! denominator `t^n`, for a die of total weight `t`, all are polynomials with small whole coefficients.

use super::super::{PoolError, Stage, Style};
use super::stages::{fires, pieces_after};
use crate::law::Table;
use crate::meter::Meter;

/// Weights by worth, from the least on.
struct Worths {
    least: i64,
    weights: Vec<u128>,
}

impl Worths {
    fn nothing() -> Worths {
        Worths { least: 0, weights: Vec::new() }
    }

    fn one() -> Worths {
        Worths { least: 0, weights: vec![1] }
    }

    fn of(faces: impl Iterator<Item = (i64, u64)> + Clone) -> Option<Worths> {
        let range = faces.clone().map(|(worth, _)| worth);
        let (Some(least), Some(most)) = (range.clone().min(), range.max()) else {
            return Some(Worths::nothing());
        };
        let size = usize::try_from(most - least).ok().filter(|size| *size <= MOST)?;
        let mut weights = vec![0; size + 1];
        for (worth, weight) in faces {
            weights[(worth - least) as usize] += u128::from(weight);
        }
        Some(Worths { least, weights })
    }

    /// `self·scale + left·right`; `None` if it is not small.
    fn plus_product(&self, scale: u128, left: &Worths, right: &Worths) -> Option<Worths> {
        let product = (!left.weights.is_empty() && !right.weights.is_empty())
            .then(|| (left.least + right.least, left.weights.len() + right.weights.len() - 1));
        let own = (!self.weights.is_empty()).then_some((self.least, self.weights.len()));
        let parts = || [own, product].into_iter().flatten();
        let Some(least) = parts().map(|(least, _)| least).min() else {
            return Some(Worths::nothing());
        };
        let end = parts().map(|(least, len)| least + len as i64).max()?;
        let size = usize::try_from(end - least).ok().filter(|size| *size <= MOST)?;
        let mut weights = vec![0u128; size];
        for (k, weight) in self.weights.iter().enumerate() {
            weights[(self.least - least) as usize + k] = weight.checked_mul(scale)?;
        }
        for (i, a) in left.weights.iter().enumerate().filter(|(_, a)| **a > 0) {
            let start = (left.least + right.least - least) as usize + i;
            for (sum, b) in weights[start..].iter_mut().zip(&right.weights) {
                *sum = sum.checked_add(a.checked_mul(*b)?)?;
            }
        }
        Some(Worths { least, weights })
    }
}

/// A table that is wider than this is not kept place by place.
const MOST: usize = 100_000;

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
    let Some(pieces) = pieces_after(die, before, meter)? else { return Ok(None) };
    let less = i64::from(*style == Style::Penetrate);
    let fresh = |again: bool| {
        let faces = die.iter().filter(|(face, _)| fires(*face, *face) == again);
        Worths::of(faces.map(|(face, weight)| (worth(face - less), *weight)))
    };
    let thrown = |again: bool| {
        let faces = pieces.iter().filter(|(thrown, shown, _)| fires(*thrown, *shown) == again);
        Worths::of(faces.map(|(_, shown, weight)| (worth(*shown), *weight)))
    };
    let (Some(last), Some(again)) = (fresh(false), fresh(true)) else { return Ok(None) };
    let (Some(stays), Some(fired)) = (thrown(false), thrown(true)) else { return Ok(None) };
    let total: u128 = die.iter().map(|(_, weight)| u128::from(*weight)).sum();
    let (mut chain, mut scale) = (Worths::one(), 1u128);
    if !fired.weights.is_empty() {
        for _ in 0..*limit {
            meter.charge_product(chain.weights.len() + 1, again.weights.len(), 0)?;
            let Some(longer) = last.plus_product(scale, &again, &chain) else { return Ok(None) };
            let Some(more) = scale.checked_mul(total) else { return Ok(None) };
            (chain, scale) = (longer, more);
        }
    }
    let all = stays.plus_product(scale, &fired, &chain);
    // The weights fit a word together if the sum of all does.
    let Some(Worths { least, weights }) = all else { return Ok(None) };
    if weights.iter().try_fold(0u128, |sum, weight| sum.checked_add(*weight)).is_none() {
        return Ok(None);
    }
    Ok(Table::of_words(least, 1, weights))
}
