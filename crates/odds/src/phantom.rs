//! What was not followed to its end, and what it may still have come to.
//!
//! Where two endless numbers are compared and one of them is still needed, it is taken value by value as far as it is
//! listed. What lies beyond goes on as a phantom, with either answer. An outcome that a phantom may come to has a chance
//! that is not known; the chances of all others are exact.

use astragal_prob::Rational;
use astragal_value::{Number, Value};

use crate::state::{Form, State, Sym};

/// The results that a phantom may have, or more.
pub(crate) enum Phantom {
    Anything,
    Exactly(Value),
    /// A number between two ends; none where there is no end.
    Between(Option<Number>, Option<Number>),
    List(Vec<Phantom>),
    Record(Vec<Phantom>),
}

impl Phantom {
    pub(crate) fn of(state: &State) -> Phantom {
        state.stack.last().map_or(Phantom::Anything, |result| reach(state, result))
    }

    /// Whether it may have come to this value.
    pub(crate) fn may_be(&self, value: &Value) -> bool {
        let all = |parts: &[Phantom], values: &[Value]| {
            parts.iter().zip(values).all(|(part, value)| part.may_be(value))
        };
        match (self, value) {
            (Phantom::Exactly(known), _) => known == value,
            (Phantom::Between(low, high), Value::Number(number)) => {
                low.as_ref().is_none_or(|low| low <= number)
                    && high.as_ref().is_none_or(|high| number <= high)
            }
            (Phantom::List(items), Value::List(values)) => {
                items.len() == values.len() && all(items, values)
            }
            (Phantom::Record(fields), Value::Record(_, values)) => all(fields, values),
            _ => true,
        }
    }
}

fn reach(state: &State, result: &Sym) -> Phantom {
    let parts = |items: &[Sym]| items.iter().map(|item| reach(state, item)).collect();
    match result {
        Sym::Value(value) => Phantom::Exactly(value.clone()),
        Sym::Number(form) => between(state, form),
        Sym::List(items) => Phantom::List(parts(items)),
        Sym::Record(_, fields) => Phantom::Record(parts(fields)),
        Sym::Gone | Sym::Pool(_) | Sym::Drawn(_) => Phantom::Anything,
    }
}

/// The least and the greatest value of a number.
fn between(state: &State, form: &Form) -> Phantom {
    let mut least = Some(form.constant.clone());
    let mut greatest = Some(form.constant.clone());
    for (var, factor) in &form.terms {
        let Some(law) = state.law(*var) else { return Phantom::Anything };
        let (mut low, mut high) = (law.lowest(), law.highest());
        if *factor < Rational::ZERO {
            std::mem::swap(&mut low, &mut high);
        }
        least = least.zip(low).map(|(sum, end)| sum + end * factor);
        greatest = greatest.zip(high).map(|(sum, end)| sum + end * factor);
    }
    Phantom::Between(least.map(Number::from), greatest.map(Number::from))
}
