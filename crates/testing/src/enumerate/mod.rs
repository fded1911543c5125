//! The odds, found the plain way: every sequence of faces, one after the other, with fractions.
//!
//! This is the second opinion on a program, written from the text of the language alone. It knows no states,
//! no laws and no fast way, and shares nothing with the roller but values and the pure operations on them:
//! [`run`] follows the core language for one sequence of faces, [`dice`] does what pools and suffixes do,
//! [`play`] finds the best play, [`tape`] goes through the sequences. What it is slow at, it cuts, and says so.

mod dice;
mod measured;
mod play;
mod run;
pub mod tape;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use astragal::{Rational, Value};
use astragal_program::core::Program;
use astragal_program::fault::Fault;

use play::Known;
pub use run::Stop;
use run::run;
pub use tape::{Bounds, Tape};

/// Source, start, end.
pub type Place = (u32, u32, u32);

/// Where a program fails: the place, the code, and the calls that led there, innermost first.
pub type Fall = (Place, &'static str, Vec<Place>);

/// What all sequences of faces come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Values with their chances.
    pub values: BTreeMap<Value, Rational>,
    /// Failures with their chances.
    pub faults: BTreeMap<Fall, Rational>,
    /// The chance of sequences in which the evidence does not hold.
    pub rejected: Rational,
    /// The chance of sequences that were not followed to their end.
    pub cut: Rational,
    /// The notes that were made in every sequence that ended with a value, if any did.
    pub notices: Option<BTreeSet<Arc<str>>>,
    /// Whether the runs sufficed for all sequences within the other bounds.
    pub complete: bool,
}

/// What each `maximise` is worth, by its place: a worth for each of the cases before it, none if something may go wrong
/// whatever is taken. Cases count that some decisions lead to, not only the best.
pub type Plays = BTreeMap<Place, BTreeSet<Option<Rational>>>;

/// How one sequence of faces ends.
pub type Ending = Result<(Value, Option<BTreeSet<Arc<str>>>), Stop>;

/// Everything within the bounds that this program can come to, and what each `maximise` on the way is worth.
pub fn enumerate(program: &Program, inputs: &[Option<Value>], bounds: &Bounds) -> (Seen, Plays) {
    let mut known = Known::default();
    let seen = gather(bounds, |tape| run(program, inputs, tape, &mut known));
    (seen, known.worths)
}

/// What the runs over all sequences of faces come to, whoever makes them.
pub fn gather(bounds: &Bounds, mut run: impl FnMut(&mut Tape) -> Ending) -> Seen {
    let mut tape = Tape::new(bounds);
    let mut seen = Seen::default();
    let mut left = Rational::ONE;
    for _ in 0..bounds.runs {
        let ending = run(&mut tape);
        let chance = tape.chance();
        left -= &chance;
        seen.count(ending, chance);
        if !tape.advance() {
            seen.complete = true;
            break;
        }
    }
    seen.cut += left;
    seen
}

impl Seen {
    fn count(&mut self, ending: Ending, chance: Rational) {
        match ending {
            Ok((value, notes)) => {
                *self.values.entry(value).or_default() += chance;
                self.notices = match (self.notices.take(), notes) {
                    (Some(known), Some(notes)) => Some(&known & &notes),
                    (known, notes) => known.or(notes),
                };
            }
            Err(Stop::Fault(fault)) => *self.faults.entry(fall(&fault)).or_default() += chance,
            Err(Stop::Rejected) => self.rejected += chance,
            Err(Stop::Cut) => self.cut += chance,
        }
    }

    /// The chances of the sequences that count. What was cut may or may not count, so that the chance of a value
    /// lies between its own part and that with everything cut, of all that may count.
    #[must_use]
    pub fn given_evidence(mut self) -> Seen {
        let counts = Rational::ONE - &self.rejected;
        if !counts.is_zero() {
            let chances = self.values.values_mut().chain(self.faults.values_mut());
            chances.chain([&mut self.cut]).for_each(|chance| *chance = &*chance / &counts);
        }
        self
    }
}

/// A span as plain numbers.
pub fn place(span: &astragal::Span) -> Place {
    (span.source.0, span.start, span.end)
}

/// The place, code and calls of a fault.
pub fn fall(fault: &Fault) -> Fall {
    (place(&fault.span), fault.kind.code(), fault.calls.iter().map(place).collect())
}
