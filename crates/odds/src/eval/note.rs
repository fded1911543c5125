//! Notes: a line for the reader where it is certain, and never anything else.

use astragal_value::Value;

use super::{Live, Machine, Outcome};
use crate::plan::Node;
use crate::state::{States, Sym};

impl<'p> Machine<'p> {
    pub(super) fn note(
        &mut self,
        message: &'p Node,
        body: &'p Node,
        states: States,
        live: &Live,
    ) -> Outcome {
        if states.is_certain()
            && let Some(text) = self.certain_text(message, &states)
            && !self.notices.contains(&text)
        {
            self.notices.push(text);
        }
        self.run(body, states, live)
    }

    /// The text of a note, if it is decided and the same in all states.
    fn certain_text(&mut self, message: &'p Node, states: &States) -> Option<std::sync::Arc<str>> {
        let known = |state: &crate::state::State| {
            message.free.iter().all(|local| {
                let slot = state.locals.get(local.0 as usize);
                slot.is_some_and(|slot| *slot != Sym::Gone && slot.to_value().is_some())
            })
        };
        if !states.list.iter().all(|(state, _)| known(state)) {
            return None;
        }
        let live = Live::default();
        let after = self.run(message, states.clone(), &live).ok()?;
        let mut texts = after.list.iter().map(|(state, _)| state.stack.last()?.to_value());
        let first = texts.next()??;
        if !texts.all(|text| text.as_ref() == Some(&first)) {
            return None;
        }
        match first {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}
