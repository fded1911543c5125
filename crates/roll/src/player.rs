//! Who decides in a roll.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use astragal_program::core::{Program, Who};
use astragal_program::fault::Fault;
use astragal_program::points::{HeldOf, PlaceOf};
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};

/// Somebody who is asked at each choice of a roll: a policy, a script, a person.
pub trait Player: Debug + Send + Sync {
    /// What is taken.
    fn choose(&self, offer: &Offer<'_>) -> Result<Chosen, Fault>;
}

/// A choice, where it is met in a roll.
#[derive(Clone, Debug)]
pub struct Offer<'a> {
    /// The program.
    pub program: &'a Program,
    /// The host's values.
    pub inputs: &'a [Option<Value>],
    /// Which `maximise` of the program.
    pub best: usize,
    /// What was known when it began, by the variables that it names.
    pub known: &'a [HeldOf],
    /// Where the game stands.
    pub place: PlaceOf,
    /// Whose choice it is.
    pub who: Who,
    /// What may be taken.
    pub options: Vec<Arc<str>>,
    /// Where the choice is written.
    pub span: Span,
    /// The steps that an answer may take.
    pub steps: u64,
    /// Stops the work when another thread sets it.
    pub cancel: Option<Arc<AtomicBool>>,
}

/// What somebody took.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Its place among the options.
    pub option: usize,
    /// What each option is worth, if that is known.
    pub worth: Option<Vec<Number>>,
    /// Whether that is the chance of a yes.
    pub is_chance: bool,
    /// Which option is best, if that is known.
    pub best: Option<usize>,
    /// The steps that it took to tell.
    pub steps: u64,
}
