//! One dice language, two readings: roll it, or know it.
//!
//! ```
//! use astragal::{Budget, Engine, faces::Scripted};
//!
//! let engine = Engine::new();
//! let program = engine.compile("4d6kh3")?;
//!
//! // Roll it: one value, and everything that happened.
//! let roll = program.roll(&mut Scripted::whole(&[3, 6, 2, 5]))?;
//! assert_eq!(roll.value.to_string(), "14");
//!
//! // Know it: the exact distribution of the very same rule.
//! let odds = program.odds(&Budget::default())?;
//! assert_eq!(odds.only().mean().unwrap().to_string(), "15869/1296");
//! # Ok::<(), astragal::Diagnostics>(())
//! ```
//!
//! The five rule systems need no import, and inputs are set by name:
//!
//! ```
//! # use astragal::{Budget, Engine};
//! let engine = Engine::new();
//! let mut program = engine.compile("param pool = 7; cofd.action(pool, again: 9).outcome")?;
//! program.set("pool", "5")?;
//! let odds = program.odds(&Budget::default())?;
//! assert!(odds.only().lost.is_zero());
//! # Ok::<(), astragal::Diagnostics>(())
//! ```
//!
//! Chance comes in through one trait, [`faces::Faces`]; nothing here reads a clock, a file or the
//! system's randomness. Whoever has dice of their own hands them in:
//!
//! ```
//! use astragal::faces::{DieFaces, Faces};
//! use astragal::{Engine, FaultKind};
//!
//! /// Every die shows its highest face.
//! struct Lucky;
//!
//! impl Faces for Lucky {
//!     fn throw(&mut self, die: &DieFaces) -> Result<u64, FaultKind> {
//!         Ok(die.count() - 1)
//!     }
//! }
//!
//! assert_eq!(Engine::new().compile("4d6kh3")?.roll(&mut Lucky)?.value.to_string(), "18");
//! # Ok::<(), astragal::Diagnostics>(())
//! ```

mod anydice;
mod bill;
mod diagnostics;
mod engine;
mod guard;
pub mod json;
mod measured;
mod playing;
mod program;
mod said;
mod stack;
mod systems;

pub use anydice::{is_anydice, is_unfinished_anydice};
pub use diagnostics::{Diagnostics, Look};
pub use engine::Engine;
#[cfg(not(target_family = "wasm"))]
pub use guard::guard;
pub use playing::{BestPlay, Met, Script, Stop};
pub use program::{Input, Odds, Program};
pub use systems::{PRELUDE, SYSTEMS};

// The odds: what is asked, what is answered, and why there is no answer.
pub use astragal_odds::ways::every as every_way;
pub use astragal_odds::{Answer, Budget, Failure, Moments, Outcomes};
pub use astragal_play::{Advice, Case, Choice, Losses, Policy, Rule, advice};
pub use astragal_prob::ways::{Way, Ways};
pub use astragal_prob::{
    Comparison, Guard, Integer, Law, LawError, Meter, Natural, OverBudget, Rational, Watcher,
};
pub use astragal_program::core::{Goal, Who};

// A roll; how it is shown, and where its faces come from.
pub use astragal_roll::{
    Asked, Chosen, Limits as RollLimits, Offer, Player, Roll, Told, faces, render,
};

// What a program is about: types and values, faults, texts and places in them.
pub use astragal_program::fault::{Costly, Fault, FaultKind, NeverStops};
pub use astragal_program::types::{PoolType, RecordType, Type};
pub use astragal_program::{
    Documentation, EnumerationDoc, Files, FunctionDoc, NoFiles, ParameterDoc, Source, Sources,
    module_name,
};
pub use astragal_syntax::diagnostic::{Diagnostic, Edit, Label, Severity, alternatives, edited};
pub use astragal_syntax::span::{SourceId, Span};
pub use astragal_value::{EnumType, Number, OpError, RecordShape, Value, Variant};

/// What a [`Roll`] records: every die that was thrown, and every step.
pub mod record {
    pub use astragal_program::core::Branch;
    pub use astragal_roll::{
        Base, Dice, DieId, DieRecord, Fates, PoolDice, PoolDie, Record, Said, Step, StepKind,
        Steps, Suffixes, Worth,
    };
    pub use astragal_syntax::Words;
}

/// What a [`Law`] is made of, and what it can be asked for.
pub mod law {
    pub use astragal_prob::{Endless, Grown, Listing, Table, Weighted};
}

/// A text cut into coloured pieces.
///
/// ```
/// use astragal::highlight::{Class, tokens};
///
/// let classes: Vec<Class> = tokens("4d6kh3").iter().map(|piece| piece.class).collect();
/// assert_eq!(classes, [Class::Number, Class::Dice, Class::Dice, Class::Suffix, Class::Number]);
/// ```
pub mod highlight {
    pub use astragal_syntax::{Class, Classified, tokens};
}
