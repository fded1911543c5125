//! Rounds with carried state.
//!
//! Rounds that throw nothing depend on the carried values alone: if these are the same as some rounds before, they
//! come again for ever, and the loop is refused as the odds refuse it.

use std::sync::Arc;

use astragal_program::core::{Expr, LocalId, RecordShape};
use astragal_program::fault::{FaultKind, NeverStops};
use astragal_syntax::span::Span;
use astragal_value::{OpError, Value};

use super::datum::Datum;
use super::record::record_of;
use super::{At, Eval, Interpreter};
use crate::steps::StepKind;

impl<'a> Interpreter<'a> {
    pub(super) fn repeat(
        &mut self,
        span: Span,
        shape: &Arc<RecordShape>,
        state: &'a [LocalId],
        first: &'a [Expr],
        round: &'a Expr,
    ) -> Eval {
        let mut values = Vec::with_capacity(first.len());
        for value in first {
            values.push(self.settled(value)?);
        }
        let mut circle = Circle::default();
        for number in 1.. {
            if circle.closes(number, self.meter.dice_so_far(), &values) {
                return Err(Box::new(FaultKind::NeverStops(NeverStops::Repeat).at(span)));
            }
            for (local, value) in state.iter().zip(values) {
                self.set(*local, value);
            }
            self.recorder.step(span, || StepKind::Round { number });
            self.recorder.enter();
            let next = self.eval(round)?;
            self.recorder.leave();
            let ended;
            (values, ended) = parted(next).at(round.span)?;
            if ended {
                break;
            }
        }
        Ok(record_of(shape, values))
    }
}

/// The carried values of an earlier round, and how many dice had been thrown. They are noted anew whenever the
/// number of rounds is a power of two, so that a circle of any length is found.
#[derive(Default)]
struct Circle {
    dice: u64,
    values: Option<Vec<Value>>,
}

impl Circle {
    /// Whether nothing was thrown since these very values were noted.
    fn closes(&mut self, round: u64, dice: u64, values: &[Datum]) -> bool {
        if round.is_power_of_two() {
            let finished = |value: &Datum| match value {
                Datum::Value(value) => Some(value.clone()),
                Datum::Labelled(..) | Datum::List(_) | Datum::Record(..) | Datum::Pool(_) => None,
            };
            *self = Circle { dice, values: values.iter().map(finished).collect() };
            return false;
        }
        let same = |(known, value): (&Value, &Datum)| matches!(value, Datum::Value(value) if value == known);
        let Some(known) = self.values.as_ref().filter(|_| self.dice == dice) else { return false };
        known.iter().zip(values).all(same)
    }
}

/// The next state, and whether the rounds end here.
fn parted(next: Datum) -> Result<(Vec<Datum>, bool), OpError> {
    let mut fields: Vec<Datum> = match next {
        Datum::Value(Value::Record(_, fields)) => {
            fields.iter().cloned().map(Datum::Value).collect()
        }
        Datum::Record(_, fields) => fields.to_vec(),
        Datum::Value(_) | Datum::Labelled(..) | Datum::List(_) | Datum::Pool(_) => {
            return Err(OpError::Mismatch);
        }
    };
    match fields.pop() {
        Some(Datum::Value(Value::Bool(ended))) => Ok((fields, ended)),
        _ => Err(OpError::Mismatch),
    }
}
