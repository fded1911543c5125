//! Rounds with carried state.

use std::sync::Arc;

use astragal_program::core::{Expr, LocalId, RecordShape};
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
        for number in 1.. {
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
