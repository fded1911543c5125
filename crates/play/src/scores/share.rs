//! How much of a score is in a value: so many times of it in a number, or in some fields of a record.

use astragal_prob::Rational;
use astragal_value::{Number, Value};

/// How much of a score is in a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Share {
    /// So many times; 0: nothing of it.
    Part(Rational),
    /// In the fields of a record.
    Fields(Vec<Share>),
}

impl Share {
    pub(crate) fn none() -> Share {
        Share::Part(Rational::ZERO)
    }

    pub(crate) fn is_none(&self) -> bool {
        match self {
            Share::Part(part) => part.is_zero(),
            Share::Fields(fields) => fields.iter().all(Share::is_none),
        }
    }

    /// Of a record; nothing if no field has any.
    pub(crate) fn of_fields(fields: Vec<Share>) -> Share {
        let share = Share::Fields(fields);
        if share.is_none() { Share::none() } else { share }
    }

    pub(crate) fn field(&self, index: usize) -> Share {
        match self {
            Share::Fields(fields) => fields.get(index).cloned().unwrap_or_else(Share::none),
            Share::Part(_) => Share::none(),
        }
    }

    /// If it is of a number: so many times.
    pub(crate) fn part(&self) -> Option<&Rational> {
        match self {
            Share::Part(part) => Some(part),
            Share::Fields(_) => None,
        }
    }

    /// The score that would make 0 of the first number that has a part of it.
    pub(crate) fn found_in(&self, value: &Value) -> Option<Rational> {
        match (self, value) {
            (Share::Part(part), Value::Number(number)) if !part.is_zero() => {
                Some(number.to_rational() / part)
            }
            (Share::Fields(shares), Value::Record(_, fields)) => {
                let mut own =
                    shares.iter().zip(fields.iter()).filter(|(share, _)| !share.is_none());
                own.next().and_then(|(share, field)| share.found_in(field))
            }
            _ => None,
        }
    }

    /// The value if the score is higher by so much.
    pub(crate) fn plus(&self, value: &Value, by: &Rational) -> Value {
        match (self, value) {
            (Share::Part(part), Value::Number(number)) => {
                Value::Number(Number::from(number.to_rational() + part * by))
            }
            (Share::Fields(shares), Value::Record(shape, fields)) => {
                let fields = shares.iter().zip(fields.iter()).map(|(share, of)| share.plus(of, by));
                Value::Record(shape.clone(), fields.collect())
            }
            _ => value.clone(),
        }
    }
}
