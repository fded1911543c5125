//! Which notes are certain.
//!
//! ```text
//! let x = d6
//! note "one die"
//! if x > 3 then do note "high"; x end else x
//! ```
//!
//! Every roll says "one die", so the odds carry it; only half of them say "high". A text is certain if *it is not
//! said* is evidence that never holds: with that evidence at each note, all of the program is rejected. So this is a
//! question to the odds like any other, and right wherever evidence is.
//!
//! What no roll says, or only some of a few, is not certain. So who asks rolls a few times and names the texts that
//! all of these rolls said ([`crate::Question::said`]); mostly there are none, and nothing is left to ask.

use std::sync::Arc;

use astragal_prob::Meter;

use crate::eval::Machine;
use crate::plan::{self, Demand};
use crate::request::Request;
use crate::ways;

impl Request<'_> {
    /// Those of the texts in question that every roll says that counts, of a program that is known not to fail.
    pub(crate) fn notices(&self) -> Vec<Arc<str>> {
        let said = &self.question.said;
        if said.is_empty() {
            return Vec::new();
        }
        let meter = self.meter.part(self.share());
        let certain = said.iter().enumerate().filter(|(at, text)| {
            let own = meter.part((said.len() - at) as u64);
            let certain = self.is_certain(text, &own);
            // It is less than what is left.
            let _ = meter.join(&own);
            certain
        });
        let certain = certain.map(|(_, text)| Arc::clone(text)).collect();
        let _ = self.meter.join(&meter);
        certain
    }

    /// What part of what is left notices may take: not much more than the answer itself took.
    fn share(&self) -> u64 {
        let left = self.meter.left();
        let answered = self.budget.steps.saturating_sub(left);
        ways::SHARE_OF_NOTICES
            .max(left / answered.saturating_mul(2).saturating_add(ways::LEAST_STEPS_OF_NOTICES))
    }

    /// Whether no roll that counts is without this text, as far as that is found.
    fn is_certain(&self, text: &str, meter: &Meter) -> bool {
        let demand = [Demand::Nothing].into_iter();
        let plan = plan::lower(self.program, &self.question.inputs, demand, Some(text), meter);
        let unsaid = Machine::new(&plan, meter, self.budget.states).main(0);
        unsaid.is_ok_and(|unsaid| unsaid.list.is_empty() && unsaid.aside.lost.is_zero())
    }
}
