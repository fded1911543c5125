//! Lists, records and fields.

use std::sync::Arc;

use astragal_syntax::span::Span;
use astragal_value::RecordShape;

use super::{Live, Machine, Outcome};
use crate::plan::Node;
use crate::state::{State, States, Sym};

impl<'p> Machine<'p> {
    #[inline(never)]
    pub(super) fn list(&mut self, items: &'p [Node], states: States, live: &Live) -> Outcome {
        let mut states = self.run_all(items, states, live)?;
        for (state, _) in &mut states.list {
            let items = pop(state, items.len());
            state.stack.push(Sym::List(items));
        }
        Ok(states)
    }

    #[inline(never)]
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

    /// Puts a field in place of the record on top of each stack. Where the record is undecided as a whole and still
    /// needed, the field is decided, and leaves the others to what they are given that.
    #[inline(never)]
    pub(super) fn field(&mut self, index: usize, states: States, span: Span) -> Outcome {
        self.each(states, span, |machine, mut state, turn| {
            let field = match state.stack.pop() {
                Some(Sym::Record(_, mut fields)) if index < fields.len() => {
                    fields.swap_remove(index)
                }
                Some(Sym::Drawn(var)) if let Some(values) = state.values(var).cloned() => {
                    if state.mentions(&[var]) {
                        machine.worth_deciding(&state, var, span)?;
                        machine.pay(8 * values.count() as u64, span)?;
                        for (field, others, chance) in values.by_field(index) {
                            let state = state.restricted(var, others);
                            turn.with(&(turn.weight * chance))
                                .push(state, Sym::from_value(&field))?;
                        }
                        return Ok(());
                    }
                    values.field(index).map_or(Sym::Gone, |field| state.draw(field.into()))
                }
                _ => Sym::Gone,
            };
            turn.push(state, field)
        })
    }
}

/// Takes the topmost values off the stack, in the order they were pushed.
pub(super) fn pop(state: &mut State, count: usize) -> Vec<Sym> {
    let start = state.stack.len().saturating_sub(count);
    state.stack.split_off(start)
}
