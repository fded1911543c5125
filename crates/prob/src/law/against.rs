//! A number that is compared with another one, and still needed: `let x = d6!; let y = d8!; given x > y; x`.
//!
//! The other number is needed no more. So each chance of the first is multiplied by the chance that the other one
//! compares so with that value. Where the first one runs up from a place `m`, the other is at most `k` with the chance
//! `F(k)`, and for `k ≥ m` the series of `F` is `(c·x^m + A)/(1 − x)`: `c` is the chance to be below `m`, `A` what is
//! left of the other number's generating function. The products term by term are a quotient of polynomials again
//! ([`Series::termwise`]).

use super::endless::{Endless, refine};
use super::{Law, Table};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Comparison, Rational};
use crate::series::{Series, turned};

/// The chance that the comparison holds with the law given that it does, and the same for where it fails.
type Sides = [(Rational, Option<Law>); 2];

impl Law {
    /// Splits the law by how the number compares with another, independent one. A side of no chance has no law.
    pub fn split_against(
        &self,
        comparison: Comparison,
        other: &Law,
        meter: &Meter,
    ) -> Result<Sides, OverBudget> {
        match (self, other) {
            (Law::Finite(table), _) => by_value(table, comparison, other, meter),
            (_, Law::Finite(table)) => by_other(self, comparison, table, meter),
            (Law::Endless(x), Law::Endless(y)) => of_endless(x, comparison, y, meter),
            (Law::Grown(_), _) | (_, Law::Grown(_)) => Err(OverBudget::NotKnown),
        }
    }
}

/// Few values are looked at one by one.
fn by_value(
    table: &Table,
    comparison: Comparison,
    other: &Law,
    meter: &Meter,
) -> Result<Sides, OverBudget> {
    let (mut yes, mut no) = (Vec::new(), Vec::new());
    for (value, chance) in table.chances() {
        let holds = other.compare(comparison.mirrored(), &value, meter)?;
        no.push((value.clone(), &chance * (Rational::ONE - &holds)));
        yes.push((value, chance * holds));
    }
    let side = |list: Vec<(Rational, Rational)>| {
        let mass = list.iter().fold(Rational::ZERO, |sum, (_, chance)| sum + chance);
        if mass.is_zero() {
            return (mass, None);
        }
        let given = list.into_iter().filter(|(_, chance)| !chance.is_zero());
        let given = given.map(|(value, chance)| (value, chance / &mass)).collect();
        (mass, Law::from_chances(given))
    };
    Ok([side(yes), side(no)])
}

/// So are few values of the other number.
fn by_other(
    law: &Law,
    comparison: Comparison,
    table: &Table,
    meter: &Meter,
) -> Result<Sides, OverBudget> {
    let mut all = Vec::new();
    for (value, chance) in table.chances() {
        all.push((chance, law.split(comparison, &value, meter)?));
    }
    joined(all, meter)
}

/// Sides that each happen with a chance, as one.
fn joined(all: Vec<(Rational, Sides)>, meter: &Meter) -> Result<Sides, OverBudget> {
    let (mut yes, mut no) = (Vec::new(), Vec::new());
    for (chance, [holds, fails]) in all {
        let part = |(own, law): (Rational, Option<Law>)| Some((&chance * own, law?));
        yes.extend(part(holds));
        no.extend(part(fails));
    }
    let side = |parts: Vec<(Rational, Law)>| {
        let mass = parts.iter().fold(Rational::ZERO, |sum, (chance, _)| sum + chance);
        if mass.is_zero() {
            return Ok((mass, None));
        }
        let given = parts.into_iter().map(|(chance, law)| (chance / &mass, law));
        let law = Law::mixture(&given.collect::<Vec<_>>(), meter)?;
        Ok::<_, OverBudget>((mass, Some(law)))
    };
    Ok([side(yes)?, side(no)?])
}

fn of_endless(
    x: &Endless,
    comparison: Comparison,
    y: &Endless,
    meter: &Meter,
) -> Result<Sides, OverBudget> {
    match (x.up().is_zero(), x.down().is_zero()) {
        (_, true) => of_rising(x, comparison, y, meter),
        (true, false) => {
            let negative = |one: &Endless| Law::Endless(one.clone()).negate(meter);
            let (x, y) = (negative(x)?, negative(y)?);
            let [yes, no] = x.split_against(comparison.mirrored(), &y, meter)?;
            let back = |(chance, law): (Rational, Option<Law>)| {
                let law = law.map(|law| law.negate(meter)).transpose()?;
                Ok::<_, OverBudget>((chance, law))
            };
            Ok([back(yes)?, back(no)?])
        }
        (false, false) => {
            // It runs both ways: below zero, and from zero on.
            let halves = Law::Endless(x.clone()).split(Comparison::Less, &Rational::ZERO, meter)?;
            let mut all = Vec::new();
            for (chance, half) in halves {
                let Some(half) = half else { continue };
                all.push((
                    chance,
                    half.split_against(comparison, &Law::Endless(y.clone()), meter)?,
                ));
            }
            joined(all, meter)
        }
    }
}

/// A number that runs up, against any endless one.
fn of_rising(
    x: &Endless,
    comparison: Comparison,
    y: &Endless,
    meter: &Meter,
) -> Result<Sides, OverBudget> {
    let apart = y.offset() - x.offset();
    let mut step = number::common_step(x.step(), y.step());
    if !apart.is_zero() {
        step = number::common_step(&step, &apart);
    }
    let places = number::steps_in(&apart, &step).ok_or(OverBudget::Steps)?;
    let own = x.up().stretched(refine(x.step(), &step)?, meter)?;
    let by = refine(y.step(), &step)?;
    let (up, down) = (y.up().stretched(by, meter)?, y.down().stretched(by, meter)?);
    let start = own.lowest();
    let (below, from) = cut(&up.shifted(places), &down.shifted(-places), start, meter)?;
    let equal = own.termwise(&from, meter)?;
    let at_most = || {
        let adding = Series::monomial(&Rational::ONE, 1).geometric(meter)?;
        let adding = adding.ok_or(OverBudget::NotKnown)?;
        let first = Series::monomial(&below, start);
        own.termwise(&first.plus(&from, meter)?.times(&adding, meter)?, meter)
    };
    let holds = match comparison {
        Comparison::Equal => equal,
        Comparison::NotEqual => own.minus(&equal, meter)?,
        Comparison::AtLeast => at_most()?,
        Comparison::Greater => at_most()?.minus(&equal, meter)?,
        Comparison::Less => own.minus(&at_most()?, meter)?,
        Comparison::AtMost => own.minus(&at_most()?, meter)?.plus(&equal, meter)?,
    };
    let fails = own.minus(&holds, meter)?;
    let side = |series: Series| {
        let mass = series.mass();
        if mass.is_zero() {
            return Ok((mass, None));
        }
        let given = series.scaled(&number::quotient(&Rational::ONE, &mass));
        let parts = (x.offset().clone(), step.clone(), given, Series::zero());
        Ok::<_, OverBudget>((mass, Some(Endless::assemble(parts, meter)?)))
    };
    Ok([side(holds)?, side(fails)?])
}

/// The chance below a place, and everything from there on as powers of `x`.
fn cut(
    up: &Series,
    down: &Series,
    place: i64,
    meter: &Meter,
) -> Result<(Rational, Series), OverBudget> {
    let (low, high) = up.cut(place, meter)?;
    // The places from `place` on are the powers of 1/x up to −place.
    let (near, far) = down.cut(1i64.saturating_sub(place), meter)?;
    Ok((low.mass() + far.mass(), high.plus(&turned(&near), meter)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::tests::*;
    use Comparison::*;

    /// Each chance of each side is that of the value, times that of the comparison.
    fn check(x: &Law, y: &Law) {
        let meter = Meter::unlimited();
        for comparison in [Equal, NotEqual, Less, AtMost, Greater, AtLeast] {
            let sides = x.split_against(comparison, y, &meter).unwrap();
            assert_eq!(&sides[0].0 + &sides[1].0, Rational::ONE);
            for halves in -40..60 {
                let value = fraction(halves, 2);
                let own = x.chance(&value, &meter).unwrap();
                let holds = y.compare(comparison.mirrored(), &value, &meter).unwrap();
                for (side, factor) in sides.iter().zip([holds.clone(), Rational::ONE - &holds]) {
                    let given = match &side.1 {
                        Some(law) => law.chance(&value, &meter).unwrap() * &side.0,
                        None => Rational::ZERO,
                    };
                    assert_eq!(given, &own * factor, "{comparison:?} at {value}");
                }
            }
        }
    }

    #[test]
    fn endless_numbers_that_are_compared_and_needed() {
        let meter = Meter::unlimited();
        let d6 = d6_again();
        let two = d6.times(2, &meter).unwrap();
        let halves = d6.affine(&fraction(1, 2), &fraction(-7, 2), &meter).unwrap();
        let down = two.negate(&meter).unwrap();
        let both_ways = two.sum(&d6.negate(&meter).unwrap(), &meter).unwrap();
        for x in [&d6, &halves, &down, &both_ways, &d(6)] {
            for y in [&two, &halves, &down, &both_ways, &d(6)] {
                check(x, y);
            }
        }
    }
}
