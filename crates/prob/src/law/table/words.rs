//! Tables of whole numbers whose weights fit into machine words.

use super::{Shape, Table, gcd_sizes, is_dense, places};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Rational};
use crate::rows::Weights;
use crate::words::{
    self, Word, add_product, bits_of_power, cost_of_power, polynomial_power, product,
    product_with_ones,
};

/// `offset + step·k` has the weight `weights[k]`.
pub(crate) struct Small<'a> {
    pub(crate) offset: i64,
    /// 0 for a single value.
    pub(crate) step: i64,
    pub(crate) weights: &'a [u64],
}

/// More steps than this, and a power is left to its recurrence.
const FEW: u64 = 40_000;

impl Table {
    /// The table with `weights[k]` at `offset + step·k`, for a positive step; `None` if none is positive. The
    /// weights fit a word together.
    pub(crate) fn of_words<W: Word>(offset: i64, step: i64, mut weights: Vec<W>) -> Option<Table> {
        let last = weights.iter().rposition(|weight| *weight != W::ZERO)?;
        let first = weights.iter().position(|weight| *weight != W::ZERO)?;
        weights.truncate(last + 1);
        let (mut taken, mut stride) = (0, 0);
        // Mostly the weights at the ends have no common divisor, and that is the end of it.
        let mut common = words::gcd(weights[first], weights[last]);
        let mut total = W::ZERO;
        for (place, weight) in weights[first..].iter().enumerate() {
            if *weight == W::ZERO {
                continue;
            }
            taken += 1;
            total = total.plus(*weight);
            if stride != 1 {
                stride = gcd_sizes(stride, place);
            }
            if common != W::ONE {
                common = words::gcd(*weight, common);
            }
        }
        if !is_dense(places(weights.len() - first, stride), taken) {
            let value =
                |k: usize| Rational::from(i128::from(offset) + i128::from(step) * k as i128);
            let taken = weights.into_iter().enumerate().filter(|(_, weight)| *weight != W::ZERO);
            return Table::from_sorted(taken.map(|(k, w)| (value(k), w.natural())).collect());
        }
        if first > 0 || stride > 1 || common != W::ONE {
            let kept = weights[first..].iter().step_by(stride.max(1));
            weights = kept.map(|weight| weight.over(common)).collect();
        }
        let shape = Shape::Dense {
            offset: Rational::from(i128::from(offset) + i128::from(step) * first as i128),
            step: Rational::from(i128::from(step) * stride as i128),
            weights: Weights::of(W::rows(weights)),
        };
        Some(Table { shape, total: total.over(common).natural(), root: None })
    }

    /// The table in machine words, if it is one of whole numbers with small weights.
    pub(crate) fn words(&self) -> Option<Small<'_>> {
        let Shape::Dense { offset, step, weights } = &self.shape else { return None };
        let weights = weights.words()?;
        Some(Small { offset: number::to_i64(offset)?, step: number::to_i64(step)?, weights })
    }

    /// The sum of two independent numbers, if both are small.
    pub(crate) fn sum_of_words(
        &self,
        other: &Table,
        meter: &Meter,
    ) -> Result<Option<Table>, OverBudget> {
        let (Some(left), Some(right)) = (self.words(), other.words()) else { return Ok(None) };
        let pairs = (left.weights.len() as u64).saturating_mul(right.weights.len() as u64);
        if pairs > FEW || left.step != right.step {
            return Ok(None);
        }
        let (Ok(first), Ok(second)) = (u64::try_from(&self.total), u64::try_from(&other.total))
        else {
            return Ok(None);
        };
        meter.charge(pairs / 4 + 1)?;
        let offset = left.offset + right.offset;
        let step = left.step.max(1);
        Ok(if first.checked_mul(second).is_some() {
            let even = |weights: &[u64]| weights.iter().all(|weight| *weight == 1);
            let product = if even(right.weights) {
                product_with_ones(left.weights, right.weights.len())
            } else if even(left.weights) {
                product_with_ones(right.weights, left.weights.len())
            } else {
                product(left.weights, right.weights)
            };
            Table::of_words(offset, step, product)
        } else {
            let wide = |list: &[u64]| list.iter().map(|w| u128::from(*w)).collect::<Vec<u128>>();
            let (left, right) = (wide(left.weights), wide(right.weights));
            let mut sum = vec![0; left.len() + right.len() - 1];
            add_product(&mut sum, &left, &right);
            Table::of_words(offset, step, sum)
        })
    }

    /// The sum of so many independent numbers, if that is small.
    pub(crate) fn power_of_words(
        &self,
        count: u64,
        meter: &Meter,
    ) -> Result<Option<Table>, OverBudget> {
        let Some(Small { offset, step, weights }) = self.words() else { return Ok(None) };
        let Ok(total) = u64::try_from(&self.total) else { return Ok(None) };
        meter.charge(weights.len() as u64 / 2)?;
        let bits = bits_of_power(total, count);
        let cost = cost_of_power(weights, count);
        if bits > 128 || cost > FEW {
            return Ok(None);
        }
        meter.charge(cost / 4 + 1)?;
        let (offset, step) = (offset * count as i64, step.max(1));
        Ok(if bits <= 64 {
            Table::of_words(offset, step, polynomial_power::<u64>(weights, count))
        } else {
            Table::of_words(offset, step, polynomial_power::<u128>(weights, count))
        })
    }
}
