//! Meaning two: a checked program's exact distribution.
//!
//! The odds are those of the very program that is rolled: *odds = roll over every sequence of faces*.
//! The program is pruned to what is asked ([`plan`]), then explored state by state ([`state`],
//! [`eval`]), with undecided numbers kept as laws ([`astragal_prob`]), and the states at its end are
//! turned into outcomes ([`answer`]). That is the general route, and it answers everything. Along it, parts of a
//! program are done in a shorter way where that is known to come to the same; each such way can be closed, and what it
//! is for stands in [`ways`].
//!
//! | what is met | how it is done | file |
//! |---|---|---|
//! | a question | for the part of the result that is asked; all fields in one run if that takes few states | `request`, `parts` |
//! | dice and their sums, nothing named | a sum of independent laws, read off the core program | `direct` |
//! | a program | pruned to what is asked; a node knows what it reads and what holds for it | `plan` |
//! | any form | all states at one place go through it at once, and meet where they have become alike | `eval`, `state` |
//! | a number | stays undecided; a comparison splits its law, or decides a variable | `eval/operation`, `eval/compare`, `eval/decide` |
//! | dice | stay on the table until they are read; their numbers are judged in order | `eval/dice`, `eval/judged`, `eval/suffix`, `eval/read`, `eval/drawn` |
//! | dice that are read several times | all answers at once, as one variable | `asked`, `eval/together` |
//! | no chance | code on words, run for all values of undecided variables | `code`, `eval/on_values` |
//! | several numbers, each read more than once | one becomes known after the other; what is left meets | `eval/one_by_one`, `code/open` |
//! | little that can happen, all decided | throws told from the rest, which is code | `eval/hoisted`, `code/hoist` |
//! | lists of throws | states, for as long as running all as code would take; then code | `request`, `eval/hoisted` |
//! | a walk over faces | the carried value and the dice to come; steps as code, numbers set apart | `eval/walk`, `code/lift` |
//! | odds within the odds | the law of a part, what it reads being decided | `eval/measured` |
//! | a call | explored once for given arguments; one that calls itself is an equation | `eval/call`, `eval/growth` |
//! | a loop | throws told from the rest of a round, then a chain on whole numbers | `eval/chained`, `prob/chain` |
//! | another loop | a graph of states, solved; endless ones are followed round by round, and asked for their moments | `eval/repeat`, `eval/beyond`, `eval/scaled`, `prob/chain` |
//! | an end | a law of a number, or outcomes with weights; moments; what was given up | `answer`, `listed`, `moments`, `outcomes` |
//!
//! The private words of this crate are explained in `docs/vocabulary.md`.

mod answer;
mod asked;
mod code;
mod compared;
mod direct;
mod eval;
mod failure;
pub mod known;
mod listed;
mod moments;
mod notices;
mod outcomes;
mod parts;
mod phantom;
mod plan;
mod request;
#[cfg(feature = "serde")]
mod serde;
mod state;
pub mod ways;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use astragal_prob::ways::Ways;
use astragal_prob::{Guard, Meter, Rational, Watcher};
use astragal_program::core::Program;
use astragal_program::fault::FaultKind;
use astragal_value::Value;

pub use answer::{Answer, Extent};
pub use failure::{Bill, Failure, over_budget};
pub use moments::Moments;
pub use outcomes::Outcomes;

use eval::Lasting;
use request::Request;

/// How much a request may cost.
///
/// ```
/// use astragal_odds::Budget;
///
/// let budget = Budget::default().with_steps(2_000_000).with_outcomes(2_000);
/// assert_eq!(budget.states, Budget::default().states);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Budget {
    /// Steps of work, about ten nanoseconds each.
    pub steps: u64,
    /// Bytes of memory in use at a time.
    pub memory: u64,
    /// States kept at one place.
    pub states: usize,
    /// Outcomes listed.
    pub outcomes: usize,
    /// Set by another thread to stop the request.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Is told now and then how far the work is.
    pub watcher: Option<Watcher>,
    /// Ends what takes more time or memory in truth than is charged for it.
    pub guard: Option<Guard>,
    /// The shortcuts that may be taken: all of them, but for tests ([`ways`]).
    pub ways: Ways,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            steps: 400_000_000,
            memory: 500 << 20,
            states: 200_000,
            outcomes: 200_000,
            cancel: None,
            watcher: None,
            guard: None,
            ways: Ways::ALL,
        }
    }
}

impl Budget {
    /// The budget for so many steps. More steps than usual allow more memory, states and outcomes too.
    pub fn of_steps(steps: u64) -> Budget {
        let usual = Budget::default();
        let times = usize::try_from(steps / usual.steps).unwrap_or(usize::MAX).max(1);
        Budget {
            steps,
            memory: usual.memory.saturating_mul(times as u64),
            states: usual.states.saturating_mul(times),
            outcomes: usual.outcomes.saturating_mul(times),
            ..usual
        }
    }

    /// The same budget with so many steps, and as many states and outcomes as before.
    #[must_use]
    pub fn with_steps(self, steps: u64) -> Budget {
        Budget { steps, ..self }
    }

    /// The same budget with so many bytes of memory.
    #[must_use]
    pub fn with_memory(self, memory: u64) -> Budget {
        Budget { memory, ..self }
    }

    /// The same budget with so many states at one place.
    #[must_use]
    pub fn with_states(self, states: usize) -> Budget {
        Budget { states, ..self }
    }

    /// The same budget with so many outcomes.
    #[must_use]
    pub fn with_outcomes(self, outcomes: usize) -> Budget {
        Budget { outcomes, ..self }
    }

    /// The same budget; the request stops when another thread sets the flag.
    #[must_use]
    pub fn with_cancel(self, flag: Arc<AtomicBool>) -> Budget {
        Budget { cancel: Some(flag), ..self }
    }

    /// The same budget; the watcher is told now and then how far the work is.
    #[must_use]
    pub fn with_watcher(self, watcher: Watcher) -> Budget {
        Budget { watcher: Some(watcher), ..self }
    }

    /// The same budget; the guard ends what takes more than it should.
    #[must_use]
    pub fn with_guard(self, guard: Guard) -> Budget {
        Budget { guard: Some(guard), ..self }
    }

    /// A meter that allows what the budget does, and begins now.
    pub fn meter(&self) -> Meter {
        let mut meter = Meter::new(self.steps).with_memory(self.memory).with_ways(self.ways);
        if let Some(flag) = &self.cancel {
            meter = meter.with_cancel(Arc::clone(flag));
        }
        if let Some(watcher) = &self.watcher {
            meter = meter.with_watcher(watcher.clone());
        }
        if let Some(guard) = &self.guard {
            meter = meter.with_guard(guard);
        }
        meter
    }

    /// The same budget with these shortcuts alone: for tests.
    #[must_use]
    pub fn with_ways(self, ways: Ways) -> Budget {
        Budget { ways, ..self }
    }
}

/// What is asked of a program.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Values for the program's inputs, by index; the defaults where absent.
    pub inputs: Vec<Option<Value>>,
    /// Which part of the result: field indices from the outside in. Empty: all of it.
    pub field: Vec<usize>,
    /// The fields of a record are asked for one by one, each with its own distribution.
    pub apart: bool,
    /// List endless results at least up to this number.
    pub until: Option<Rational>,
    /// Texts that a roll has said: of the notes that are certain, these are told.
    pub said: Vec<Arc<str>>,
}

/// What is known of a program.
#[derive(Clone, Debug)]
pub struct Known {
    /// One answer a result, or several where its fields were asked for apart.
    pub answers: Vec<Answer>,
    /// The steps of work that it took.
    pub used: u64,
    /// The shortcuts that were taken.
    pub ways: Ways,
}

/// The exact distribution of each result of a program.
pub fn odds(program: &Program, question: &Question, budget: &Budget) -> Result<Known, Failure> {
    let meter = budget.meter();
    let answers = answers(program, question, budget, &meter);
    let answers = answers.map_err(|failure| failure.billed(budget, &meter))?;
    Ok(Known { answers, used: meter.used(), ways: meter.taken() })
}

fn answers(
    program: &Program,
    question: &Question,
    budget: &Budget,
    meter: &Meter,
) -> Result<Vec<Answer>, Failure> {
    let request = Request { program, question, budget, meter };
    if program.plays.is_some() {
        // Who decides, and how, is found by those who ask for parts of it.
        return Err(request.refused(FaultKind::NotKnown));
    }
    let mut known = Lasting::default();
    let mut answers = request.for_each_result(|parts| request.answers(parts, &mut known))?;
    let notices = request.notices();
    answers.iter_mut().for_each(|answer| answer.notices.clone_from(&notices));
    Ok(answers)
}
