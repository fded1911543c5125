//! The parts of a result: a record has fields, and each has a distribution of its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use astragal_prob::{Law, Natural, Rational};
use astragal_program::types::Type;
use astragal_value::Value;
use rustc_hash::FxHashMap;

use crate::Question;
use crate::eval::Ends;
use crate::plan::Demand;
use crate::state::{State, States, Sym};

/// A part of a result.
#[derive(Clone)]
pub(crate) struct Part {
    pub(crate) path: Vec<usize>,
    pub(crate) names: Vec<Arc<str>>,
    pub(crate) ty: Type,
}

/// The parts of a result that are asked for: the one that is named, or where they are asked for apart,
/// each field that is no record itself.
pub(crate) fn parts(ty: &Type, question: &Question) -> Vec<Part> {
    let whole = Part { path: Vec::new(), names: Vec::new(), ty: ty.clone() };
    let named = question.field.iter().fold(whole, |part, index| part.inner(*index));
    if question.apart { named.apart() } else { vec![named] }
}

impl Part {
    /// So much of the result is asked for.
    pub(crate) fn demand(&self) -> Demand {
        let inner = |demand, index: &usize| Demand::Fields(BTreeMap::from([(*index, demand)]));
        self.path.iter().rev().fold(Demand::All, inner)
    }

    /// The states of this part of a result that has come to these ends.
    pub(crate) fn of_ends(&self, ends: &Ends) -> States {
        match ends {
            Ends::Values(values, total) => self.states(values, total),
            Ends::States(states) => {
                let mut states = self.picked(States::clone(states));
                states.list.iter_mut().for_each(|(state, _)| state.tidy());
                states
            }
        }
    }

    /// The states with nothing but this part of each result.
    pub(crate) fn picked(&self, mut states: States) -> States {
        for (state, _) in &mut states.list {
            let whole = state.stack.pop().unwrap_or(Sym::Gone);
            let picked = self.path.iter().fold(whole, |value, index| pick(state, value, *index));
            state.stack.push(picked);
        }
        states
    }

    /// The values that this part has, given those of the whole result with their weights.
    fn states(&self, wholes: &[(Value, Natural)], total: &Natural) -> States {
        let mut values: FxHashMap<&Value, Natural> = FxHashMap::default();
        for (whole, weight) in wholes {
            let value = self.path.iter().fold(whole, |value, index| match value {
                Value::Record(_, fields) => fields.get(*index).unwrap_or(value),
                _ => value,
            });
            *values.entry(value).or_insert(Natural::ZERO) += weight;
        }
        let number = |(value, weight): (&&Value, &Natural)| {
            Some((value.as_number()?.to_rational(), weight.clone()))
        };
        let numbers: Option<Vec<(Rational, Natural)>> = values.iter().map(number).collect();
        if let Some(law) = numbers.and_then(Law::from_weights) {
            let mut state = State::default();
            let number = state.number(law);
            state.stack.push(number);
            return States::one(state);
        }
        let list = values.into_iter().map(|(value, weight)| {
            let stack = vec![Sym::from_value(value)];
            let chance = Rational::from_parts(weight.into(), total.clone());
            (State { stack, ..State::default() }, chance)
        });
        States { list: list.collect(), ..States::default() }
    }

    fn inner(mut self, index: usize) -> Part {
        let field = match &self.ty {
            Type::Record(record) => record.fields.get(index).cloned(),
            _ => None,
        };
        self.path.push(index);
        if let Some((name, ty)) = field {
            self.names.push(name);
            self.ty = ty;
        }
        self
    }

    fn apart(self) -> Vec<Part> {
        let count = match &self.ty {
            Type::Record(record) => record.fields.len(),
            _ => 0,
        };
        if count == 0 {
            return vec![self];
        }
        let inner = (0..count).map(|index| self.clone().inner(index));
        inner.flat_map(Part::apart).collect()
    }
}

fn pick(state: &mut State, value: Sym, index: usize) -> Sym {
    match value {
        Sym::Record(_, mut fields) if index < fields.len() => fields.swap_remove(index),
        Sym::Drawn(var) => match state.values(var).and_then(|values| values.field(index)) {
            Some(field) => state.draw(field.into()),
            None => value,
        },
        other => other,
    }
}
