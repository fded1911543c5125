//! A function of two independent whole numbers, pair by pair in machine words.
//!
//! `d100 * d100` has ten thousand pairs and no structure that a generating function would see. As exact fractions
//! each pair would cost hundreds of instructions; where all values and weights are words, a few do.

use super::{Shape, Table, is_dense};
use crate::law::Law;
use crate::meter::{Meter, OverBudget};
use crate::number;
use crate::ways;
use crate::words;
use dashu_base::Gcd;

/// More pairs than this are not listed.
const MOST: u64 = 1 << 22;

/// A finite number in words: the values are fractions over `below`.
struct Column {
    values: Vec<(i64, u128)>,
    below: i64,
    total: u128,
}

impl Law {
    /// The law of `function(X, Y)` for independent whole numbers. None if a number is not small enough, or the
    /// function has no answer for some pair.
    pub fn of_pairs(
        &self,
        other: &Law,
        function: &dyn Fn(i64, i64) -> Option<i64>,
        meter: &Meter,
    ) -> Result<Option<Law>, OverBudget> {
        if !meter.may(ways::PAIRS) {
            return Ok(None);
        }
        let (Some(left), Some(right)) = (column(self), column(other)) else { return Ok(None) };
        let pairs = left.values.len() as u64 * right.values.len() as u64;
        let Some(total) = left.total.checked_mul(right.total) else { return Ok(None) };
        if left.below != 1 || right.below != 1 || pairs > MOST {
            return Ok(None);
        }
        meter.charge(4 * pairs)?;
        let mut values = Vec::with_capacity(pairs as usize);
        for (a, weight) in &left.values {
            for (b, factor) in &right.values {
                let Some(value) = function(*a, *b) else { return Ok(None) };
                values.push((value, weight * factor));
            }
        }
        meter.took(ways::PAIRS);
        Ok(gathered(values, total))
    }

    /// The law of a whole number that depends on a fraction, given as two words. None as for pairs.
    pub fn of_fractions(
        &self,
        function: &dyn Fn(i64, i64) -> Option<i64>,
        meter: &Meter,
    ) -> Result<Option<Law>, OverBudget> {
        if !meter.may(ways::PAIRS) {
            return Ok(None);
        }
        let Some(Column { values, below, total }) = column(self) else { return Ok(None) };
        meter.took(ways::PAIRS);
        meter.charge(4 * values.len() as u64)?;
        let value = |(above, weight)| Some((function(above, below)?, weight));
        let values = values.into_iter().map(value).collect::<Option<Vec<_>>>();
        Ok(values.and_then(|values| gathered(values, total)))
    }
}

fn column(law: &Law) -> Option<Column> {
    let Law::Finite(table) = law else { return None };
    let total = u128::try_from(table.total()).ok()?;
    match &table.shape {
        Shape::Dense { offset, step, weights } => {
            let (some, other) = (offset.denominator(), step.denominator());
            let below = some / some.gcd(other) * other;
            let scale = number::Rational::from(below.clone());
            let first = number::to_i64(&(offset * &scale))?;
            let step = number::to_i64(&(step * scale))?;
            let value = |(k, weight): (usize, u128)| {
                let value = step.checked_mul(i64::try_from(k).ok()?)?.checked_add(first)?;
                Some((value, weight))
            };
            let taken = |(_, weight): &(usize, u128)| *weight != 0;
            let values = match weights.words() {
                Some(words) => {
                    let wide = words.iter().map(|weight| u128::from(*weight)).enumerate();
                    wide.filter(taken).map(value).collect::<Option<_>>()?
                }
                None => {
                    // The total is a word of this width, and bounds them all.
                    let wide = weights.iter().map(|weight| u128::try_from(weight).unwrap_or(0));
                    wide.enumerate().filter(taken).map(value).collect::<Option<_>>()?
                }
            };
            Some(Column { values, below: i64::try_from(&below).ok()?, total })
        }
        Shape::Scattered(outcomes) => {
            let value = |(value, weight): &(number::Rational, number::Natural)| {
                let whole = value.is_int().then(|| i64::try_from(value.numerator()).ok())?;
                Some((whole?, u128::try_from(weight).ok()?))
            };
            let values = outcomes.iter().map(value).collect::<Option<_>>()?;
            Some(Column { values, below: 1, total })
        }
    }
}

/// The law of numbers with these weights, which come to a known total.
fn gathered(mut values: Vec<(i64, u128)>, total: u128) -> Option<Law> {
    let low = values.iter().map(|(value, _)| *value).min()?;
    let high = values.iter().map(|(value, _)| *value).max()?;
    let span = high.abs_diff(low);
    let table = if span / 8 <= values.len() as u64 {
        let mut weights = vec![0u128; usize::try_from(span).ok()? + 1];
        for (value, weight) in values {
            weights[value.abs_diff(low) as usize] += weight;
        }
        of_wide(low, 1, weights, total)
    } else {
        values.sort_unstable_by_key(|(value, _)| *value);
        values.dedup_by(|(value, weight), (kept, sum)| {
            let same = value == kept;
            if same {
                *sum += *weight;
            }
            same
        });
        scattered(&values, low, span, total)
    };
    table.map(Law::Finite)
}

/// The table of ascending values, which lie far apart.
fn scattered(values: &[(i64, u128)], low: i64, span: u64, total: u128) -> Option<Table> {
    let step = values.iter().fold(0, |step, (value, _)| words::gcd(value.abs_diff(low), step));
    let step = step.max(1);
    if is_dense(u128::from(span / step) + 1, values.len()) {
        let mut weights = vec![0u128; usize::try_from(span / step).ok()? + 1];
        for (value, weight) in values {
            weights[(value.abs_diff(low) / step) as usize] = *weight;
        }
        return of_wide(low, i64::try_from(step).ok()?, weights, total);
    }
    let common = values.iter().fold(0, |common, (_, weight)| match common {
        1 => 1,
        _ => words::gcd(*weight, common),
    });
    let exact = |(value, weight): &(i64, u128)| (number::whole(*value), (weight / common).into());
    let shape = Shape::Scattered(values.iter().map(exact).collect());
    Some(Table { shape, total: (total / common).into(), root: None })
}

/// The table of weights in words as narrow as they may be.
fn of_wide(low: i64, step: i64, weights: Vec<u128>, total: u128) -> Option<Table> {
    if u64::try_from(total).is_err() {
        return Table::of_words(low, step, weights);
    }
    Table::of_words::<u64>(low, step, weights.into_iter().map(|weight| weight as u64).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::tests::*;
    use crate::number::Natural;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn words_agree_with_fractions(
            a in prop::collection::btree_map(-50i64..90, 1u64..5, 1..9),
            b in prop::collection::btree_map(-9i64..900, 1u64..5, 1..9),
            heavy in any::<bool>(),
        ) {
            let meter = Meter::unlimited();
            let heavy = if heavy { 1u64 << 40 } else { 1 };
            let law = |m: &BTreeMap<i64, u64>| Law::from_weights(
                m.iter().map(|(&v, &w)| (whole(v), Natural::from(w) * heavy + 1u8))).unwrap();
            let (x, y) = (law(&a), law(&b));
            let slow = x.combine(&y, |x, y| x * y, &meter).unwrap();
            let fast = x.of_pairs(&y, &|a, b| a.checked_mul(b), &meter).unwrap();
            prop_assert_eq!(fast, Some(slow));
        }

        #[test]
        fn rounding_agrees_with_fractions(
            a in prop::collection::btree_map(-50i64..90, 1u64..5, 1..9),
            below in 1u64..7,
        ) {
            let meter = Meter::unlimited();
            let law = Law::from_weights(
                a.iter().map(|(&v, &w)| (fraction(v, below), Natural::from(w)))).unwrap();
            let fast = law.of_fractions(&|a, b| Some(a.div_euclid(b)), &meter).unwrap();
            let slow = law.map(|x| number::Rational::from(x.floor()), &meter).unwrap();
            if law.as_table().unwrap().is_dense() || law.is_whole() {
                prop_assert_eq!(fast, Some(slow));
            }
        }
    }

    #[test]
    fn what_has_no_answer_is_left_to_others() {
        let meter = Meter::unlimited();
        assert_eq!(d(6).of_pairs(&d(6), &|a, b| a.checked_div(b - 1), &meter), Ok(None));
        assert_eq!(d6_again().of_pairs(&d(6), &|a, b| a.checked_mul(b), &meter), Ok(None));
    }
}
