//! Whole numbers, on the short way.
//!
//! Nearly every number of a roll is a whole one that fits a word. `d20 + 5 >= 12` is evaluated in words,
//! without a value built, looked at and dropped for each part. Where something else turns up, a fraction,
//! a label, a list, it goes on from there in general.

use astragal_program::core::{Expr, Kind, Reading};
use astragal_value::{Number, Simple, Value};

use super::datum::Datum;
use super::{At, Eval, Interpreter};

/// What an expression came to; a pool is its total.
pub(super) enum Found {
    Whole(i64),
    Truth(bool),
    Other(Datum),
}

impl From<Found> for Datum {
    #[inline]
    fn from(found: Found) -> Datum {
        match found {
            Found::Whole(whole) => Datum::Value(Value::whole(whole)),
            Found::Truth(truth) => Datum::Value(Value::Bool(truth)),
            Found::Other(datum) => datum,
        }
    }
}

impl From<Datum> for Found {
    #[inline]
    fn from(datum: Datum) -> Found {
        match datum {
            Datum::Value(Value::Number(number)) => number.into(),
            Datum::Value(Value::Bool(truth)) => Found::Truth(truth),
            other => Found::Other(other),
        }
    }
}

impl From<Number> for Found {
    #[inline]
    fn from(number: Number) -> Found {
        match number.to_i64() {
            Some(whole) => Found::Whole(whole),
            None => Found::Other(Datum::Value(Value::Number(number))),
        }
    }
}

impl From<Simple> for Found {
    #[inline]
    fn from(word: Simple) -> Found {
        match word {
            Simple::Whole(whole) => Found::Whole(whole),
            Simple::Truth(truth) => Found::Truth(truth),
        }
    }
}

impl<'a> Interpreter<'a> {
    /// An expression, a pool as its total.
    pub(super) fn word(&mut self, mut expr: &'a Expr) -> Eval<Found> {
        // A pool is its total in any case.
        while let Kind::Read { pool, reading: Reading::Total } = &expr.kind {
            self.meter.step(expr.span)?;
            expr = pool;
        }
        match &expr.kind {
            // Nothing is nested in it.
            Kind::Constant(value) => {
                self.meter.step(expr.span)?;
                Ok(match value {
                    Value::Number(number) => number.clone().into(),
                    other => Datum::Value(other.clone()).into(),
                })
            }
            Kind::Operation { op, operands } => {
                self.nested(expr, |it, expr| it.operation(expr.span, *op, operands))
            }
            Kind::Dice { count, die } => {
                self.nested(expr, |it, expr| it.dice_total(expr.span, count, die))
            }
            Kind::Suffixed { pool, suffix } => {
                self.nested(expr, |it, whole| it.suffixed_total(whole, pool, suffix))
            }
            _ => Ok(self.nested(expr, Self::form)?.settle().at(expr.span)?.into()),
        }
    }
}
