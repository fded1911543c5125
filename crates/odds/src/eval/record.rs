//! Lists, records and fields.

use std::sync::Arc;

use astragal_value::RecordShape;

use super::{Live, Machine, Outcome};
use crate::plan::Node;
use crate::state::{State, States, Sym};

impl<'p> Machine<'p> {
    pub(super) fn list(&mut self, items: &'p [Node], states: States, live: &Live) -> Outcome {
        let mut states = self.run_all(items, states, live)?;
        for (state, _) in &mut states.list {
            let items = pop(state, items.len());
            state.stack.push(Sym::List(items));
        }
        Ok(states)
    }

    pub(super) fn record(
        &mut self,
        shape: &Arc<RecordShape>,
        fields: &'p [Node],
        states: States,
        live: &Live,
    ) -> Outcome {
        let mut states = self.run_all(fields, states, live)?;
        for (state, _) in &mut states.list {
            let fields = pop(state, fields.len());
            state.stack.push(Sym::Record(Arc::clone(shape), fields));
        }
        Ok(states)
    }

    pub(super) fn field(
        &mut self,
        record: &'p Node,
        index: usize,
        states: States,
        live: &Live,
    ) -> Outcome {
        let mut states = self.run(record, states, live)?;
        for (state, _) in &mut states.list {
            let field = match state.stack.pop() {
                Some(Sym::Record(_, mut fields)) if index < fields.len() => {
                    fields.swap_remove(index)
                }
                _ => Sym::Gone,
            };
            state.stack.push(field);
        }
        Ok(states)
    }
}

/// Takes the topmost values off the stack, in the order they were pushed.
pub(super) fn pop(state: &mut State, count: usize) -> Vec<Sym> {
    let start = state.stack.len().saturating_sub(count);
    state.stack.split_off(start)
}
