//! Going through a list.

use astragal_program::core::LocalId;

use super::{Live, Machine, Outcome};
use crate::plan::Node;
use crate::state::{States, Sym};

impl<'p> Machine<'p> {
    #[inline(never)]
    pub(super) fn fold(
        &mut self,
        list: &'p Node,
        first: &'p Node,
        (carry, item): (LocalId, LocalId),
        body: &'p Node,
        states: States,
        live: &Live,
    ) -> Outcome {
        let around = live.and(body).without(&[carry, item]);
        let states = self.run(list, states, &around.and(first))?;
        let mut states = self.run(first, states, &around)?;
        states.list.iter_mut().for_each(|(state, _)| reverse_list(&mut state.stack));
        let mut done = States { list: Vec::new(), aside: std::mem::take(&mut states.aside) };
        loop {
            let mut round = States { list: Vec::new(), aside: states.aside };
            for (mut state, weight) in states.list {
                let carried = state.stack.pop().unwrap_or(Sym::Gone);
                match take_item(&mut state.stack) {
                    Some(next) => {
                        set(&mut state.locals, item, next);
                        set(&mut state.locals, carry, carried);
                        round.list.push((state, weight));
                    }
                    None => {
                        state.stack.pop();
                        state.stack.push(carried);
                        done.list.push((state, weight));
                    }
                }
            }
            if round.list.is_empty() {
                done.aside.join(round.aside);
                return self.meet(done, body.span);
            }
            states = self.run(body, round, &around)?;
            for (state, _) in &mut states.list {
                set(&mut state.locals, item, Sym::Gone);
                set(&mut state.locals, carry, Sym::Gone);
            }
            states = self.meet(states, body.span)?;
        }
    }
}

pub(super) fn set(locals: &mut [Sym], local: LocalId, value: Sym) {
    if let Some(slot) = locals.get_mut(local.0 as usize) {
        *slot = value;
    }
}

/// The list lies below the carried value; reversed, its next item comes off the end.
fn reverse_list(stack: &mut [Sym]) {
    if let [.., Sym::List(items), _] = stack {
        items.reverse();
    }
}

fn take_item(stack: &mut [Sym]) -> Option<Sym> {
    match stack.last_mut() {
        Some(Sym::List(items)) => items.pop(),
        _ => None,
    }
}
