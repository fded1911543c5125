//! What is known of a number before it is thrown: asked of whoever knows the odds.

use astragal_program::core::{Expr, Kind, LocalId};
use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};

use super::datum::Datum;
use super::{At, Eval, Interpreter};
use crate::limits::{Asked, Known, Measured};
use crate::steps::StepKind;

impl<'a> Interpreter<'a> {
    /// Nothing is thrown. What is bound here is certain there.
    pub(super) fn measured(
        &mut self,
        form: &'a Expr,
        percent: Option<&'a Expr>,
        of: &'a Expr,
    ) -> Eval {
        let percent = percent.map(|percent| self.number(percent)).transpose()?;
        self.told_of(Measured::Form(form), percent, &read(of), form.span)
    }

    /// What is known, given what these variables are.
    pub(super) fn told_of(
        &mut self,
        what: Measured<'a>,
        percent: Option<Number>,
        locals: &[LocalId],
        span: Span,
    ) -> Eval {
        let Some(odds) = self.meter.odds() else {
            return Err(FaultKind::NotKnown).at(span);
        };
        let mut known = Vec::new();
        for local in locals {
            let datum = &self.locals[self.base + local.0 as usize];
            let held = match datum {
                Datum::Pool(pool) if !pool.marked => {
                    let dice = pool.dice.list(self.recorder.dice());
                    self.meter.items(dice.len(), span)?;
                    Known::Dice(dice.iter().map(|die| die.shows.clone()).collect())
                }
                other => Known::Value(other.to_value().at(span)?),
            };
            known.push((*local, held));
        }
        let (program, inputs, function) = (self.program, self.inputs, self.function);
        let (steps, cancel) = (self.meter.steps_left(), self.meter.cancel());
        let asked = Asked { program, inputs, function, what, span, percent, known, steps, cancel };
        let told = odds(asked).map_err(Box::new)?;
        self.meter.items(usize::try_from(told.steps).unwrap_or(usize::MAX), span)?;
        let value = Value::Number(told.number);
        self.recorder.step(span, || StepKind::Measured { value: value.clone() });
        Ok(Datum::Value(value))
    }
}

/// The variables that are read in an expression; those that are bound in it are bound anew there.
fn read(expr: &Expr) -> Vec<LocalId> {
    let (mut found, mut waiting) = (Vec::new(), vec![expr]);
    while let Some(part) = waiting.pop() {
        if let Kind::Local(local) = part.kind
            && !found.contains(&local)
        {
            found.push(local);
        }
        waiting.extend(part.children());
    }
    found
}
