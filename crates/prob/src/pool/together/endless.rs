//! Several sums read off dice that can go on for ever, one of which has no end.
//!
//! `2d6!` shows any number of dice, but at most two that do not explode: of `pool cs>=5` and `pool cs=1` only the
//! first is endless. So the generating function of both, in `x` and `y`, is a polynomial in `y` whose coefficients
//! are series in `x`: for each number of ones the law of the other count, and how likely that number is.

use std::collections::BTreeMap;

use super::super::growth::{Algebra, Growth};
use super::super::marks::Worth;
use super::super::piece::{Piece, Setup, Shown, head_and_tail, telling};
use super::super::{Pool, PoolError, Reading, Stage};
use super::{Part, Term};
use crate::law::Endless;
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Rational};
use crate::series::Series;

/// For each value of all sums but one, how likely it is, and the law of that one. None where more than one is endless,
/// where dice are compared with each other, or a sum is not whole.
pub(super) fn parts(
    pool: &Pool,
    sums: &[Vec<Term>],
    meter: &Meter,
) -> Result<Option<(usize, Vec<Part>)>, PoolError> {
    let stages = telling(&pool.stages);
    let (head, tail) = head_and_tail(&stages);
    let adds = |term: &Term| {
        term.stages.is_empty() && matches!(term.reading, Reading::Sum | Reading::Marks(_))
    };
    if !tail.is_empty() || !sums.iter().flatten().all(adds) {
        return Ok(None);
    }
    let setup = Setup::of(pool, meter)?;
    for endless in 0..sums.len() {
        let several = Several { setup: &setup, stages: head, sums, endless, meter };
        match Growth::new(&setup, head, &several, meter).pool() {
            Ok(all) => return Ok(Some((endless, several.parts(all)?))),
            Err(PoolError::NoClosedForm) => {}
            Err(other) => return Err(other),
        }
    }
    Ok(None)
}

/// Series of the endless sum, by the values of the others.
type Element = BTreeMap<Vec<i64>, Series>;

struct Several<'a> {
    setup: &'a Setup,
    stages: &'a [Stage],
    sums: &'a [Vec<Term>],
    /// Which sum has no end.
    endless: usize,
    meter: &'a Meter,
}

impl Several<'_> {
    /// What a die adds to a sum.
    fn worth(&self, sum: &[Term], shown: &Rational) -> Result<i64, PoolError> {
        let mut total = Rational::ZERO;
        for Term { factor, reading, .. } in sum {
            total +=
                Worth::of(reading, self.setup, self.stages).value(shown) * number::whole(*factor);
        }
        number::steps_in(&total, &Rational::ONE).ok_or(PoolError::NoClosedForm)
    }

    fn parts(&self, all: Element) -> Result<Vec<Part>, PoolError> {
        let mut parts = Vec::with_capacity(all.len());
        for (others, series) in all {
            let chance = series.mass();
            if chance.is_zero() {
                continue;
            }
            let up = series.scaled(&(Rational::ONE / &chance));
            let parts_of_law = (Rational::ZERO, Rational::ONE, up, Series::zero());
            let last = Endless::assemble(parts_of_law, self.meter)?;
            parts.push(Part { others, chance, last });
        }
        Ok(parts)
    }

    fn add(&self, sum: &mut Element, others: Vec<i64>, series: Series) -> Result<(), OverBudget> {
        let known = sum.entry(others).or_insert_with(Series::zero);
        *known = known.plus(&series, self.meter)?;
        Ok(())
    }
}

impl Algebra for Several<'_> {
    type Element = Element;

    fn mark(&self, piece: &Piece) -> Result<Element, PoolError> {
        let Shown::Number(shown) = &piece.shown else { return Err(PoolError::NoClosedForm) };
        let mut worths = Vec::with_capacity(self.sums.len());
        for sum in self.sums {
            worths.push(self.worth(sum, shown)?);
        }
        let endless = worths.remove(self.endless);
        Ok(Element::from([(worths, Series::monomial(&Rational::ONE, endless))]))
    }

    fn one(&self) -> Element {
        Element::from([(vec![0; self.sums.len() - 1], Series::one())])
    }

    fn sum(&self, terms: &[(Rational, Element)]) -> Result<Element, PoolError> {
        let mut sum = Element::new();
        for (factor, element) in terms {
            for (others, series) in element {
                self.add(&mut sum, others.clone(), series.scaled(factor))?;
            }
        }
        Ok(sum)
    }

    fn product(&self, a: &Element, b: &Element) -> Result<Element, PoolError> {
        let mut product = Element::new();
        for (left, one) in a {
            for (right, other) in b {
                self.meter.charge(40)?;
                let others = left.iter().zip(right).map(|(a, b)| a + b).collect();
                self.add(&mut product, others, one.times(other, self.meter)?)?;
            }
        }
        Ok(product)
    }

    /// Only the one sum may grow without end, and only upwards.
    fn geometric(&self, element: &Element) -> Result<Element, PoolError> {
        let nothing = vec![0; self.sums.len() - 1];
        let mut all = Element::new();
        for (others, series) in element {
            let grows = *others == nothing && series.lowest() >= 0;
            let series = if grows { series.geometric(self.meter)? } else { None };
            match series {
                Some(series) => all.insert(nothing.clone(), series),
                None => return Err(PoolError::NoClosedForm),
            };
        }
        Ok(if all.is_empty() { self.one() } else { all })
    }
}
