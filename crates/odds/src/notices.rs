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
//! Which texts are worth asking for is found by letting the program fail where it says something new. The failure
//! tells one more text, and so on, until a roll gets through: it has said nothing but these, so that nothing else
//! can be certain. Where several notes fail, the last is taken, to follow one roll to its end.

use std::sync::Arc;

use astragal_prob::Meter;
use astragal_program::fault::FaultKind;

use crate::eval::Machine;
use crate::failure::Failure;
use crate::plan::{self, Demand, Notes};
use crate::request::Request;
use crate::state::States;
/// The steps that they may take beside a small answer.
use crate::ways;
impl Request<'_> {
    /// The texts that every roll says that counts, of a program that is known not to fail.
    pub(crate) fn notices(&self) -> Vec<Arc<str>> {
        if !plan::has_notes(self.program) {
            return Vec::new();
        }
        // Where notes tell of too many values, there still are those that tell of none.
        let certain = self.said_always(false).or_else(|| self.said_always(true));
        certain.unwrap_or_default()
    }

    /// The texts that are certain, or only those among them that the program states; none if that takes too much.
    fn said_always(&self, stated: bool) -> Option<Vec<Arc<str>>> {
        let meter = self.meter.part(self.share());
        let certain = self.said_by_one(stated, &meter).and_then(|mut texts| {
            let unsaid = texts.iter().map(|text| self.may_be_unsaid(text, &meter));
            let unsaid: Vec<bool> = unsaid.collect::<Option<_>>()?;
            let mut unsaid = unsaid.into_iter();
            texts.retain(|_| unsaid.next() == Some(false));
            Some(texts)
        });
        // It is less than what is left.
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

    /// Texts such that some roll says no others.
    fn said_by_one(&self, stated: bool, meter: &Meter) -> Option<Vec<Arc<str>>> {
        let mut texts = Vec::new();
        while texts.len() < ways::MOST_TEXTS {
            let states = self.run_heard(Notes::Refused { but: &texts, stated }, meter).ok()?;
            let silent = !states.list.is_empty() || !states.aside.lost.is_zero();
            match states.aside.failed.iter().rev().find_map(words).filter(|_| !silent) {
                Some(text) => texts.push(text),
                None => return Some(texts),
            }
        }
        None
    }

    /// Whether some roll that counts is without this text.
    fn may_be_unsaid(&self, text: &str, meter: &Meter) -> Option<bool> {
        let states = self.run_heard(Notes::Rejected(text), meter).ok()?;
        Some(!states.list.is_empty() || !states.aside.lost.is_zero())
    }

    fn run_heard(&self, notes: Notes<'_>, meter: &Meter) -> Result<States, Failure> {
        let demand = [Demand::Nothing].into_iter();
        let plan = plan::lower(self.program, &self.question.inputs, demand, notes, meter);
        Machine::new(&plan, meter, self.budget.states).main(0)
    }
}

fn words(failure: &Failure) -> Option<Arc<str>> {
    match &failure.fault.kind {
        FaultKind::Refused(words) => Some(Arc::clone(words)),
        _ => None,
    }
}
