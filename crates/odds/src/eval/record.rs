//! Lists, records and fields.

use std::sync::Arc;

use astragal_syntax::span::Span;
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
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let states = self.run_open(record, states, live)?;
        self.each(states, |machine, mut state, weight, after| {
            if let Some(Sym::Drawn(var)) = state.stack.last() {
                let var = *var;
                let drawn = state.stack.pop();
                let values = state.values(var).filter(|_| !state.mentions(&[var]));
                if let Some(field) = values.and_then(|values| values.field(index)) {
                    let field = state.draw(field.into());
                    state.stack.push(field);
                    after.list.push((state, weight.clone()));
                    return Ok(());
                }
                state.stack.extend(drawn);
                for (mut state, weight) in machine.split(&state, var, weight, span, after)? {
                    take_field(&mut state, index);
                    after.list.push((state, weight));
                }
                return Ok(());
            }
            take_field(&mut state, index);
            after.list.push((state, weight.clone()));
            Ok(())
        })
    }
}

/// Puts a field in place of the record on top of the stack.
fn take_field(state: &mut State, index: usize) {
    let field = match state.stack.pop() {
        Some(Sym::Record(_, mut fields)) if index < fields.len() => fields.swap_remove(index),
        _ => Sym::Gone,
    };
    state.stack.push(field);
}

/// Takes the topmost values off the stack, in the order they were pushed.
pub(super) fn pop(state: &mut State, count: usize) -> Vec<Sym> {
    let start = state.stack.len().saturating_sub(count);
    state.stack.split_off(start)
}
