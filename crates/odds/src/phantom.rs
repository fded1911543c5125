//! What was not followed to its end, and what it may still have come to.
//!
//! Where two endless numbers are compared and one of them is still needed, it is taken value by value as far as it is
//! listed. What lies beyond goes on as a phantom, with either answer. An outcome that a phantom may come to has a chance
//! that is not known; the chances of all others are exact.

use astragal_value::Value;

use crate::listed::range_of;
use crate::state::{State, Sym};

/// Whether one of these phantoms may have come to this value.
pub(crate) fn may_be(phantoms: &[State], value: &Value) -> bool {
    phantoms
        .iter()
        .any(|phantom| phantom.stack.last().is_none_or(|result| reaches(phantom, result, value)))
}

fn reaches(state: &State, result: &Sym, value: &Value) -> bool {
    let all = |parts: &[Sym], values: &[Value]| {
        parts.iter().zip(values).all(|(part, value)| reaches(state, part, value))
    };
    match (result, value) {
        (Sym::Value(known), _) => known == value,
        (Sym::Number(form), Value::Number(number)) => {
            range_of(state, form).holds(&number.to_rational())
        }
        (Sym::List(items), Value::List(values)) => {
            items.len() == values.len() && all(items, values)
        }
        (Sym::Record(_, fields), Value::Record(_, values)) => all(fields, values),
        _ => true,
    }
}
