//! What a die on the table is worth to a reading, as a power of `x`.

use super::piece::{Group, Piece, Setup, Shown};
use super::{Condition, PoolError, Reading, Stage, Style};
use crate::law::Law;
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Rational};
use crate::series::Series;

/// The worth of what a die shows, in steps of a lattice that holds every sum of worths.
pub(crate) struct Worth<'a> {
    kind: Kind<'a>,
    pub(crate) step: Rational,
    /// −1 counts everything downward, for endless pools whose extra dice are negative.
    sign: Rational,
}

enum Kind<'a> {
    Value,
    Marks(&'a [(Condition, i8)]),
    Nothing,
}

impl<'a> Worth<'a> {
    /// The worth for a sum or a count; other readings add nothing up.
    pub(crate) fn of(reading: &'a Reading, setup: &Setup, stages: &[Stage]) -> Self {
        let (kind, step) = match reading {
            Reading::Sum => (Kind::Value, common_step(setup, stages)),
            Reading::Marks(conditions) => (Kind::Marks(conditions), Rational::ONE),
            Reading::NthHighest(_) | Reading::NthLowest(_) | Reading::Median => {
                (Kind::Nothing, Rational::ONE)
            }
        };
        Worth { kind, step, sign: Rational::ONE }
    }

    /// The same worth with the opposite sign.
    pub(crate) fn mirrored(self) -> Self {
        Worth { sign: -self.sign, ..self }
    }

    /// The law of what a number with this law is worth.
    pub(crate) fn law(&self, shown: &Law, meter: &Meter) -> Result<Law, PoolError> {
        let law = match &self.kind {
            Kind::Value => shown.clone(),
            Kind::Nothing => Law::constant(Rational::ZERO),
            Kind::Marks(conditions) => marks_law(shown, conditions, meter)?,
        };
        Ok(law.affine(&self.sign, &Rational::ZERO, meter)?)
    }

    /// The worth of a value.
    pub(crate) fn value(&self, shown: &Rational) -> Rational {
        let worth = match &self.kind {
            Kind::Value => shown.clone(),
            Kind::Nothing => Rational::ZERO,
            Kind::Marks(conditions) => {
                let marks = conditions.iter().filter(|(when, _)| when.holds(shown));
                number::whole(marks.map(|(_, mark)| i64::from(*mark)).sum())
            }
        };
        worth * &self.sign
    }

    /// The worth of a value in steps.
    pub(crate) fn places(&self, shown: &Rational) -> Result<i64, PoolError> {
        let places = number::steps_in(&self.value(shown), &self.step);
        Ok(places.ok_or(OverBudget::Steps)?)
    }

    /// `x` to the worth of a number with this law.
    pub(crate) fn series(&self, piece: &Piece, meter: &Meter) -> Result<Series, PoolError> {
        let law = match &piece.shown {
            Shown::Number(value) => {
                return Ok(Series::monomial(&Rational::ONE, self.places(value)?));
            }
            Shown::Endless(law) => self.law(law, meter)?,
        };
        let (offset, step, up, down) = law.parts(meter)?;
        if !down.is_zero() {
            return Err(PoolError::NoClosedForm);
        }
        let places = number::steps_in(&offset, &self.step).ok_or(OverBudget::Steps)?;
        let by = if step.is_zero() { Some(1) } else { number::steps_in(&step, &self.step) };
        Ok(up.stretched(by.ok_or(OverBudget::Steps)?, meter)?.shifted(places))
    }

    /// The law of a worth whose generating function this is.
    pub(crate) fn assemble(&self, series: Series, meter: &Meter) -> Result<Law, PoolError> {
        let parts = (Rational::ZERO, self.step.clone(), series, Series::zero());
        let law = crate::law::Endless::assemble(parts, meter)?;
        Ok(law.affine(&self.sign, &Rational::ZERO, meter)?)
    }
}

/// The law of the marks on a number: an endless one is split by one condition after another.
fn marks_law(shown: &Law, conditions: &[(Condition, i8)], meter: &Meter) -> Result<Law, PoolError> {
    let Some(((when, mark), rest)) = conditions.split_first() else {
        return Ok(Law::constant(Rational::ZERO));
    };
    let [yes, no] = shown.split(when.op, &when.value, meter)?;
    let mut parts = Vec::new();
    for ((chance, law), mark) in [(yes, *mark), (no, 0)] {
        if let Some(law) = law {
            let others = marks_law(&law, rest, meter)?;
            let shift = number::whole(i64::from(mark));
            parts.push((chance, others.affine(&Rational::ONE, &shift, meter)?));
        }
    }
    Ok(Law::mixture(&parts, meter)?)
}

/// A step of which everything that a die can show is a whole multiple.
fn common_step(setup: &Setup, stages: &[Stage]) -> Rational {
    let mut step = Rational::ZERO;
    let mut include = |value: &Rational| step = number::common_step(&step, value);
    for (piece, _) in setup.groups.iter().flat_map(|Group { pieces, .. }| pieces) {
        match &piece.shown {
            Shown::Number(value) => include(value),
            Shown::Endless(Law::Endless(endless)) => {
                include(endless.offset());
                include(endless.step());
            }
            // Its lattice is not needed: what grows by copies of itself has no closed form in a pool.
            Shown::Endless(Law::Grown(_)) => {}
            Shown::Endless(Law::Finite(table)) => {
                table.outcomes().for_each(|(value, _)| include(&value));
            }
        }
    }
    setup.dice.iter().flat_map(|die| die.faces()).for_each(|(face, _)| include(face));
    for stage in stages {
        match stage {
            Stage::AtLeast(bound) | Stage::AtMost(bound) => include(bound),
            Stage::Explode { style: Style::Penetrate, .. } => include(&Rational::ONE),
            _ => {}
        }
    }
    if step.is_zero() { Rational::ONE } else { step }
}
