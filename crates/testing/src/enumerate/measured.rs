//! Odds within the odds: all sequences of faces of the number that is measured, from where it stands.

use std::collections::{BTreeMap, BTreeSet};

use astragal::{Number, Rational, Span};
use astragal_program::core::{Expr, Measure};
use astragal_program::fault::FaultKind;

use super::play::{Known, Source};
use super::run::{Locals, Run, Stop, fails};
use super::tape::Tape;

impl Run<'_> {
    pub(super) fn measured(
        &mut self,
        measure: Measure,
        percent: Option<Number>,
        of: &Expr,
        locals: &Locals,
        span: Span,
    ) -> Result<Number, Stop> {
        let (mut tape, mut known) = (Tape::new(self.bounds), Known::default());
        let mut chances: BTreeMap<Number, Rational> = BTreeMap::new();
        let mut counts = Rational::ZERO;
        for _ in 0..self.bounds.runs {
            let Run { program, inputs, bounds, calls, .. } = *self;
            let (source, known) = (Source::Tape(&mut tape), &mut known);
            let (notes, plays) = (BTreeSet::new(), Vec::new());
            let mut run =
                Run { program, inputs, bounds, source, known, plays, notes, forms: 0, calls };
            match run.number(of, &mut locals.clone()) {
                Ok(number) => {
                    *chances.entry(number).or_default() += tape.chance();
                    counts += tape.chance();
                }
                // What does not count is not counted.
                Err(Stop::Rejected) => {}
                // What can fail has no odds; what is endless is not known exactly in this way.
                Err(stop) => return Err(stop),
            }
            if tape.advance() {
                continue;
            }
            // Where the evidence stands that never holds, this way does not tell.
            if counts.is_zero() {
                return Err(Stop::Cut);
            }
            chances.values_mut().for_each(|chance| *chance = &*chance / &counts);
            return told(measure, percent, &chances).map_err(|kind| fails(kind, span));
        }
        Err(Stop::Cut)
    }
}

/// From the definitions.
fn told(
    measure: Measure,
    percent: Option<Number>,
    chances: &BTreeMap<Number, Rational>,
) -> Result<Number, FaultKind> {
    let mean = chances.iter().map(|(number, chance)| number.to_rational() * chance);
    let mean = mean.fold(Rational::ZERO, |sum, part| sum + part);
    let square = |number: &Number| (number.to_rational() - &mean).pow(2);
    let spread = chances.iter().map(|(number, chance)| square(number) * chance);
    let variance = Number::from(spread.fold(Rational::ZERO, |sum, part| sum + part));
    Ok(match (measure, percent) {
        (Measure::Mean, _) => Number::from(mean),
        (Measure::Variance, _) => variance,
        (Measure::Deviation, _) => variance.root(),
        (Measure::Percentile, percent) => {
            let percent = percent.unwrap_or(Number::ZERO);
            let wanted = percent.to_rational() / Rational::from(100u8);
            let mut so_far = Rational::ZERO;
            let reached = |(_, chance): &(&Number, &Rational)| {
                so_far += *chance;
                so_far >= wanted
            };
            let found = chances.iter().find(reached).map(|(number, _)| number.clone());
            found.filter(|_| wanted >= Rational::ZERO).ok_or(FaultKind::BadPercent(percent))?
        }
    })
}
