//! Functions of finite laws, and of one finite and one endless law where they stay exact.

use super::{Law, LawError, Table};
use crate::meter::{Meter, OverBudget};
use crate::number::Rational;
use dashu_base::BitTest;

impl Law {
    /// The law of `function(X)`; an endless law has none in general.
    pub fn map(
        &self,
        mut function: impl FnMut(&Rational) -> Rational,
        meter: &Meter,
    ) -> Result<Law, LawError> {
        let table = self.as_table().ok_or(LawError::NoClosedForm)?;
        meter.charge_product(table.size(), 2, 0)?;
        let mapped = table.outcomes().map(|(value, weight)| (function(&value), weight.clone()));
        Ok(Law::from_weights(mapped).unwrap_or_else(|| Law::constant(Rational::ZERO)))
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
        meter.charge_product(left.count(), right.count().saturating_mul(4), bits)?;
        let mut weights = Vec::with_capacity(left.count() * right.count());
        for (value, weight) in left.outcomes() {
            let pair = |(other, factor)| (function(&value, &other), weight * factor);
            weights.extend(right.outcomes().map(pair));
        }
        Ok(Law::from_weights(weights).unwrap_or_else(|| Law::constant(Rational::ZERO)))
    }

    /// The product of two independent numbers, at most one of them endless.
    pub fn product(&self, other: &Law, meter: &Meter) -> Result<Law, LawError> {
        if both_tables(self, other).is_some() {
            return self.combine(other, |x, y| x * y, meter);
        }
        by_outcome(self, other, |law, x| law.affine(x, &Rational::ZERO, meter), meter)
    }

    /// The greater of two independent numbers, at most one of them endless.
    pub fn max(&self, other: &Law, meter: &Meter) -> Result<Law, LawError> {
        if both_tables(self, other).is_some() {
            return self.combine(other, |x, y| x.max(y).clone(), meter);
        }
        by_outcome(self, other, |law, x| law.max_with(x, meter), meter)
    }

    /// The lesser of two independent numbers, at most one of them endless.
    pub fn min(&self, other: &Law, meter: &Meter) -> Result<Law, LawError> {
        if both_tables(self, other).is_some() {
            return self.combine(other, |x, y| x.min(y).clone(), meter);
        }
        by_outcome(self, other, |law, x| law.min_with(x, meter), meter)
    }
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

    #[test]
    fn a_plain_and_an_exploding_die() {
        let meter = Meter::unlimited();
        let best = d(6).max(&d6_again(), &meter).unwrap();
        assert_eq!(best.chance(&whole(1), &meter), Ok(fraction(1, 36)));
        assert_eq!(best.compare(crate::Comparison::Greater, &whole(6), &meter), Ok(fraction(1, 6)));
        let product = d6_again().product(&d(2), &meter).unwrap();
        assert_eq!(product.mean(), fraction(21, 5) * fraction(3, 2));
        assert_eq!(d6_again().max(&d6_again(), &meter), Err(LawError::NoClosedForm));
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
