//! What is known of a number before it is thrown: asked of whoever knows the odds.

use astragal_program::core::{Expr, Kind, LocalId};
use astragal_program::fault::FaultKind;
use astragal_value::Value;

use super::datum::Datum;
use super::{At, Eval, Interpreter};
use crate::limits::{Asked, Known};
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
        let Some(odds) = self.meter.odds() else {
            return Err(FaultKind::NotKnown).at(form.span);
        };
        let mut known = Vec::new();
        for local in read(of) {
            let datum = &self.locals[self.base + local.0 as usize];
            let held = match datum {
                Datum::Pool(pool) if !pool.marked => {
                    let dice = pool.dice.list(self.recorder.dice());
                    self.meter.items(dice.len(), form.span)?;
                    Known::Dice(dice.iter().map(|die| die.shows.clone()).collect())
                }
                other => Known::Value(other.to_value().at(form.span)?),
            };
            known.push((local, held));
        }
        let (program, inputs, function) = (self.program, self.inputs, self.function);
        let (steps, cancel) = (self.meter.steps_left(), self.meter.cancel());
        let asked = Asked { program, inputs, function, form, percent, known, steps, cancel };
        let told = odds(asked).map_err(Box::new)?;
        self.meter.items(usize::try_from(told.steps).unwrap_or(usize::MAX), form.span)?;
        let value = Value::Number(told.number);
        self.recorder.step(form.span, || StepKind::Measured { value: value.clone() });
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
