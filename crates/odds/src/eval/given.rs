//! Evidence: states in which it does not hold do not count.
//!
//! Their chance is put aside as rejected; it is neither lost nor failed. What is left is divided by its
//! whole chance once, at the end ([`crate::answer`]), so that a `given` may stand anywhere: in a branch, in
//! a loop, in a function whose summary then is a part of a distribution.

use astragal_program::fault::FaultKind;

use super::branch::part;
use super::{Live, Machine, Outcome};
use crate::failure::Failure;
use crate::plan::Node;
use crate::state::States;

impl<'p> Machine<'p> {
    #[inline(never)]
    pub(super) fn given(
        &mut self,
        condition: &'p Node,
        body: &'p Node,
        states: States,
        live: &Live,
    ) -> Outcome {
        let states = self.run(condition, states, &live.and(body))?;
        let (mut yes, no) = part(states, &live.and(body), &Live::default());
        let chance = no.mass();
        if !chance.is_zero() {
            let kind = FaultKind::ImpossibleEvidence;
            yes.aside.reject(Failure::new(kind, condition.span, chance));
        }
        let yes = self.meet(yes, condition.span)?;
        self.run(body, yes, live)
    }
}
