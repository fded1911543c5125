//! Functions of finite laws, and of one finite and one endless law where they stay exact.

use super::gathered::Gathered;
use super::{Law, LawError, Table, extreme};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Natural, Rational};
use dashu_base::BitTest;
use std::cmp::Ordering;

impl Law {
    /// The law of `function(X)`; an endless law has none in general.
    pub fn map(
        &self,
        mut function: impl FnMut(&Rational) -> Rational,
        meter: &Meter,
    ) -> Result<Law, LawError> {
        let table = self.as_table().ok_or(LawError::NoClosedForm)?;
        let mut values = Gathered::new(table.total().bit_len(), meter);
        let mapped = table.outcomes().map(|(value, weight)| (function(&value), weight.clone()));
        values.add(table.size(), mapped)?;
        Ok(values.table()?.map_or_else(|| Law::constant(Rational::ZERO), Law::Finite))
    }

    /// The law of `function(X, Y)` for independent, finite `X` and `Y`.
    pub fn combine(
        &self,
        other: &Law,
        mut function: impl FnMut(&Rational, &Rational) -> Rational,
        meter: &Meter,
    ) -> Result<Law, LawError> {
        let (left, right) = both_tables(self, other).ok_or(LawError::NoClosedForm)?;
        let bits = left.total().bit_len() + right.total().bit_len();
        let mut values = Gathered::new(bits, meter);
        values.afford(left.count().saturating_mul(right.count()))?;
        for (value, weight) in left.outcomes() {
            let pair = |(other, factor)| (function(&value, &other), weight * factor);
            values.add(right.count(), right.outcomes().map(pair))?;
        }
        Ok(values.table()?.map_or_else(|| Law::constant(Rational::ZERO), Law::Finite))
    }

    /// The product of two independent numbers, at most one of them endless.
    pub fn product(&self, other: &Law, meter: &Meter) -> Result<Law, LawError> {
        if both_tables(self, other).is_some() {
            return self.combine(other, |x, y| x * y, meter);
        }
        by_outcome(self, other, |law, x| law.affine(x, &Rational::ZERO, meter), meter)
    }

    /// The greater of two independent numbers.
    pub fn max(&self, other: &Law, meter: &Meter) -> Result<Law, LawError> {
        if let (Law::Endless(x), Law::Endless(y)) = (self, other) {
            return extreme::greater(x, y, meter);
        }
        if let Some((left, right)) = both_tables(self, other) {
            return Ok(greater(&rising(left, meter)?, &rising(right, meter)?));
        }
        by_outcome(self, other, |law, x| law.max_with(x, meter), meter)
    }

    /// The lesser of two independent numbers.
    pub fn min(&self, other: &Law, meter: &Meter) -> Result<Law, LawError> {
        if let (Law::Endless(x), Law::Endless(y)) = (self, other) {
            return extreme::lesser(x, y, meter);
        }
        if let Some((left, right)) = both_tables(self, other) {
            let mirrored = |table: &Table| {
                let mut list = rising(table, meter)?;
                list.reverse();
                list.iter_mut().for_each(|(value, _)| *value = -std::mem::take(value));
                Ok::<_, OverBudget>(list)
            };
            let least = greater(&mirrored(left)?, &mirrored(right)?);
            return Ok(least.negate(meter)?);
        }
        by_outcome(self, other, |law, x| law.min_with(x, meter), meter)
    }
}

/// The values of a table in ascending order with their weights.
fn rising(table: &Table, meter: &Meter) -> Result<Vec<(Rational, Natural)>, OverBudget> {
    meter.charge_product(table.count(), 8, table.total().bit_len())?;
    Ok(table.outcomes().map(|(value, weight)| (value, weight.clone())).collect())
}

/// The greater of two independent numbers: it is at most `v` iff both are. Going up the values, the weights so far
/// are multiplied.
fn greater(left: &[(Rational, Natural)], right: &[(Rational, Natural)]) -> Law {
    let (mut i, mut j) = (0, 0);
    let (mut below, mut under) = (Natural::ZERO, Natural::ZERO);
    let mut before = Natural::ZERO;
    let mut weights = Vec::with_capacity(left.len() + right.len());
    while i < left.len() || j < right.len() {
        let (first, second) = (left.get(i), right.get(j));
        let order = match (first, second) {
            (Some((a, _)), Some((b, _))) => a.cmp(b),
            (Some(_), None) => Ordering::Less,
            _ => Ordering::Greater,
        };
        let mut value = None;
        if let (Some((a, weight)), true) = (first, order.is_le()) {
            (value, i) = (Some(a), i + 1);
            below += weight;
        }
        if let (Some((b, weight)), true) = (second, order.is_ge()) {
            (value, j) = (Some(b), j + 1);
            under += weight;
        }
        let all = &below * &under;
        if let Some(value) = value {
            weights.push((value.clone(), &all - &before));
        }
        before = all;
    }
    let whole =
        |(value, weight): &(Rational, Natural)| Some((number::to_i64(value)?, weight.clone()));
    let law = match weights.iter().map(whole).collect::<Option<Vec<_>>>() {
        Some(weights) => Law::of_whole(weights),
        None => Law::from_weights(weights),
    };
    law.unwrap_or_else(|| Law::constant(Rational::ZERO))
}

fn both_tables<'a>(left: &'a Law, right: &'a Law) -> Option<(&'a Table, &'a Table)> {
    Some((left.as_table()?, right.as_table()?))
}

/// Mixes, over the outcomes of the finite law, what becomes of the other.
fn by_outcome(
    left: &Law,
    right: &Law,
    become_with: impl Fn(&Law, &Rational) -> Result<Law, OverBudget>,
    meter: &Meter,
) -> Result<Law, LawError> {
    let (table, other) = match (left, right) {
        (Law::Finite(table), other) | (other, Law::Finite(table)) => (table, other),
        (Law::Endless(_) | Law::Grown(_), Law::Endless(_) | Law::Grown(_)) => {
            return Err(LawError::NoClosedForm);
        }
    };
    let mut parts = Vec::new();
    for (value, weight) in table.outcomes() {
        parts.push((table.chance_of(weight), become_with(other, &value)?));
    }
    Ok(Law::mixture(&parts, meter)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::tests::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_plain_and_an_exploding_die() {
        let meter = Meter::unlimited();
        let best = d(6).max(&d6_again(), &meter).unwrap();
        assert_eq!(best.chance(&whole(1), &meter), Ok(fraction(1, 36)));
        assert_eq!(best.compare(crate::Comparison::Greater, &whole(6), &meter), Ok(fraction(1, 6)));
        let product = d6_again().product(&d(2), &meter).unwrap();
        assert_eq!(product.mean(), fraction(21, 5) * fraction(3, 2));
        assert_eq!(d6_again().product(&d6_again(), &meter), Err(LawError::NoClosedForm));
    }

    proptest! {
        #[test]
        fn the_greater_and_the_lesser_agree_with_all_pairs(
            a in prop::collection::btree_map(-9i64..40, 1u64..5, 1..7),
            b in prop::collection::btree_map(-3i64..9, 1u64..5, 1..7),
            scale in 1u64..4,
        ) {
            let meter = Meter::unlimited();
            let law = |m: &BTreeMap<i64, u64>, s| Law::from_weights(
                m.iter().map(|(&v, &w)| (fraction(v, s), Natural::from(w)))).unwrap();
            let (x, y) = (law(&a, scale), law(&b, 2));
            let slow = x.combine(&y, |x, y| x.max(y).clone(), &meter);
            prop_assert_eq!(x.max(&y, &meter), slow);
            let slow = x.combine(&y, |x, y| x.min(y).clone(), &meter);
            prop_assert_eq!(x.min(&y, &meter), slow);
        }
    }

    #[test]
    fn products_of_powers_are_scattered() {
        let meter = Meter::unlimited();
        let base = d(10).times(4, &meter).unwrap();
        let power = base.map(|x| Rational::from(x.numerator().pow(7)), &meter).unwrap();
        let law = power.product(&d(6).times(6, &meter).unwrap(), &meter).unwrap();
        assert_eq!(law.highest().unwrap(), Rational::from(dashu_int::IBig::from(40).pow(7) * 36));
        assert!(law.as_table().unwrap().dense().is_none());
    }
}
