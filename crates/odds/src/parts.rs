//! The parts of a result: a record has fields, and each has a distribution of its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use astragal_program::types::Type;

use crate::Question;
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

    /// The states with nothing but this part of each result.
    pub(crate) fn picked(&self, mut states: States) -> States {
        for (state, _) in &mut states.list {
            let whole = state.stack.pop().unwrap_or(Sym::Gone);
            let picked = self.path.iter().fold(whole, |value, index| pick(state, value, *index));
            state.stack.push(picked);
        }
        states
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
