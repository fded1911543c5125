//! Lists and records.
//!
//! A pool in a list or a record is its sum. Numbers there keep their labels; a list or record without
//! any is a plain value.

use std::sync::Arc;

use astragal_program::core::{Expr, RecordShape};
use astragal_value::{OpError, Value};

use super::datum::Datum;
use super::{At, Eval, Interpreter};

impl<'a> Interpreter<'a> {
    pub(super) fn list(&mut self, items: &'a [Expr]) -> Eval {
        let data = self.all_settled(items)?;
        Ok(match plain(&data) {
            Some(values) => Datum::Value(Value::List(values)),
            None => Datum::List(data.into()),
        })
    }

    pub(super) fn record(&mut self, shape: &Arc<RecordShape>, fields: &'a [Expr]) -> Eval {
        Ok(record_of(shape, self.all_settled(fields)?))
    }

    pub(super) fn field(&mut self, record: &'a Expr, index: usize) -> Eval {
        match self.eval(record)? {
            Datum::Value(Value::Record(_, fields)) => {
                fields.get(index).cloned().map(Datum::Value).ok_or(OpError::Mismatch)
            }
            Datum::Record(_, fields) => fields.get(index).cloned().ok_or(OpError::Mismatch),
            Datum::Value(_) | Datum::Labelled(..) | Datum::List(_) | Datum::Pool(_) => {
                Err(OpError::Mismatch)
            }
        }
        .at(record.span)
    }

    fn all_settled(&mut self, exprs: &'a [Expr]) -> Eval<Vec<Datum>> {
        let mut data = Vec::with_capacity(exprs.len());
        for expr in exprs {
            data.push(self.settled(expr)?);
        }
        Ok(data)
    }
}

/// A record of these fields.
pub(super) fn record_of(shape: &Arc<RecordShape>, fields: Vec<Datum>) -> Datum {
    match plain(&fields) {
        Some(values) => Datum::Value(Value::Record(shape.clone(), values)),
        None => Datum::Record(shape.clone(), fields.into()),
    }
}

/// The values, if none has labels.
fn plain(data: &[Datum]) -> Option<Arc<[Value]>> {
    data.iter()
        .map(|datum| match datum {
            Datum::Value(value) => Some(value.clone()),
            Datum::Labelled(..) | Datum::List(_) | Datum::Record(..) | Datum::Pool(_) => None,
        })
        .collect()
}
