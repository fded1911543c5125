//! A random number of independent copies.
//!
//! `(d4)d6` mixes the powers of one die by the law of the count. An endless count composes
//! generating functions, see [`Series::compose`].

use super::endless::{Endless, refine};
use super::{Law, LawError};
use crate::meter::Meter;
use crate::number::{self, Rational};
use crate::series::Series;

impl Law {
    /// The sum of `count` independent copies of `each`. The count must be whole and not negative;
    /// if it is endless, `each` must keep to one side of zero.
    pub fn compose(count: &Law, each: &Law, meter: &Meter) -> Result<Law, LawError> {
        count.check_count()?;
        match count {
            Law::Finite(_) => mixed_powers(count, each, meter),
            Law::Endless(_) => composed(count, each, meter),
            Law::Grown(_) => Err(LawError::NoClosedForm),
        }
    }
}

fn mixed_powers(count: &Law, each: &Law, meter: &Meter) -> Result<Law, LawError> {
    let Some(table) = count.as_table() else { return Err(LawError::NoClosedForm) };
    let mut parts = Vec::new();
    let (mut sum, mut copies) = (Law::constant(Rational::ZERO), 0);
    for (value, weight) in table.outcomes() {
        let wanted = u64::try_from(value.numerator()).map_err(|_| crate::OverBudget::Steps)?;
        sum = sum.sum(&each.times(wanted - copies, meter)?, meter)?;
        copies = wanted;
        meter.charge(sum.size() as u64)?;
        parts.push((table.chance_of(weight), sum.clone()));
    }
    Ok(Law::mixture(&parts, meter)?)
}

fn composed(count: &Law, each: &Law, meter: &Meter) -> Result<Law, LawError> {
    let zero = Rational::ZERO;
    match (each.lowest(), each.highest()) {
        (Some(least), _) if least >= zero => {}
        (_, Some(most)) if most <= zero => {
            let mirrored = composed(count, &each.negate(meter)?, meter)?;
            return Ok(mirrored.negate(meter)?);
        }
        _ => return Err(LawError::NoClosedForm),
    }
    let outer = from_zero(count, &Rational::ONE, meter)?;
    let (offset, step, ..) = each.parts(meter)?;
    let step = number::common_step(&offset, &step);
    if step.is_zero() {
        return Ok(Law::constant(zero));
    }
    let inner = from_zero(each, &step, meter)?;
    let series = outer.compose(&inner, meter)?.ok_or(LawError::NoClosedForm)?;
    Ok(Endless::assemble((zero, step, series, Series::zero()), meter)?)
}

/// The generating function on the lattice of whole multiples of `step`.
fn from_zero(law: &Law, step: &Rational, meter: &Meter) -> Result<Series, LawError> {
    let (offset, own, up, _) = law.parts(meter)?;
    let places = number::steps_in(&offset, step).ok_or(LawError::NoClosedForm)?;
    Ok(up.stretched(refine(&own, step)?, meter)?.shifted(places))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Comparison::AtLeast;
    use crate::law::tests::*;
    use crate::series::tests::series;

    fn ten_again() -> Law {
        let parts = (whole(0), whole(1), series(&[7, 2], &[10, -1]), Series::zero());
        Endless::assemble(parts, &Meter::unlimited()).unwrap()
    }

    #[test]
    fn a_random_number_of_dice() {
        let meter = Meter::unlimited();
        let dice = Law::compose(&d(4), &d(6), &meter).unwrap();
        assert_eq!(dice.mean(), fraction(35, 4));
        assert_eq!(dice.chance(&whole(1), &meter), Ok(fraction(1, 24)));
        assert_eq!(dice.chance(&whole(24), &meter), Ok(fraction(1, 4 * 1296)));
        let negative = d(2).affine(&whole(1), &whole(-2), &meter).unwrap();
        assert_eq!(Law::compose(&negative, &d(6), &meter), Err(LawError::NotACount(whole(-1))));
    }

    #[test]
    fn helpers_successes_become_dice() {
        let meter = Meter::unlimited();
        let helpers = ten_again().times(4, &meter).unwrap();
        let bonus = Law::compose(&helpers, &ten_again(), &meter).unwrap();
        let all = ten_again().times(5, &meter).unwrap().sum(&bonus, &meter).unwrap();
        let expected = fraction(623_410_406_779_810_437, 10_661_137_968_012_500_000);
        assert_eq!(all.compare(AtLeast, &whole(5), &meter), Ok(expected));
    }

    #[test]
    fn an_endless_number_of_dice_has_the_mean_of_the_product() {
        let meter = Meter::unlimited();
        let dice = Law::compose(&d6_again(), &d6_again(), &meter).unwrap();
        assert_eq!(dice.mean(), fraction(21 * 21, 25));
        let owed = Law::compose(&d6_again(), &d(6).negate(&meter).unwrap(), &meter).unwrap();
        assert_eq!(owed.mean(), fraction(-21 * 7, 10));
    }
}
