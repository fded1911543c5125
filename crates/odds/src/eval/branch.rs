//! `if`, `require`.

use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;
use astragal_value::Value;

use super::{Live, Machine, Outcome, forget};
use crate::failure::Failure;
use crate::plan::Node;
use crate::state::{States, Sym};

impl<'p> Machine<'p> {
    #[inline(never)]
    pub(super) fn branch(
        &mut self,
        condition: &'p Node,
        then: &'p Node,
        otherwise: &'p Node,
        states: States,
        live: &Live,
    ) -> Outcome {
        let states = self.run(condition, states, &live.and(then).and(otherwise))?;
        let (yes, no) = part(states, &live.and(then), &live.and(otherwise));
        let mut yes = self.run(then, yes, live)?;
        let no = self.run(otherwise, no, live)?;
        yes.list.extend(no.list);
        yes.aside.join(no.aside);
        self.meet(yes, then.span)
    }

    #[inline(never)]
    pub(super) fn require(
        &mut self,
        condition: &'p Node,
        message: &'p Node,
        body: &'p Node,
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let states = self.run(condition, states, &live.and(message).and(body))?;
        let (mut yes, mut no) = part(states, &live.and(body), &live.and(message));
        // Whether a phantom is refused is not known.
        for (_, weight) in no.list.extract_if(.., |(state, _)| state.phantom) {
            yes.aside.lost += weight;
        }
        if no.list.is_empty() {
            return self.run(body, yes, live);
        }
        let refused = self.run(message, no, &Live::default())?;
        let chance = refused.mass();
        let words = refused.list.first().and_then(|(state, _)| state.stack.last()?.to_value());
        let words = match words {
            Some(Value::Text(words)) => words,
            _ => "this is refused".into(),
        };
        let said = !refused.list.is_empty();
        yes.aside.join(refused.aside);
        if said {
            yes.aside.fail(Failure::new(FaultKind::Refused(words), span, chance));
        }
        self.run(body, yes, live)
    }
}

/// Takes the truth off the stacks and parts the states by it.
pub(super) fn part(states: States, if_true: &Live, if_false: &Live) -> (States, States) {
    let mut yes = States { list: Vec::new(), aside: states.aside };
    let mut no = States::default();
    for (mut state, weight) in states.list {
        if state.stack.pop() == Some(Sym::truth(true)) {
            forget(&mut state, if_true);
            yes.list.push((state, weight));
        } else {
            forget(&mut state, if_false);
            no.list.push((state, weight));
        }
    }
    (yes, no)
}
