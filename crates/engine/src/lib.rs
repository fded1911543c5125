//! The engine: compiles programs, rolls them, and knows their exact odds.
//!
//! People import the crate `astragal`, which is this one and, behind features, what shows and varies its answers. That
//! crate stands above those parts; this one stands below them, so that they can name programs and odds.

mod anydice;
mod bill;
mod diagnostics;
mod engine;
mod float;
mod guard;
pub mod json;
mod measured;
mod playing;
mod program;
mod said;
#[cfg(feature = "serde")]
mod serde;
mod stack;
mod systems;

pub use anydice::{is_anydice, is_unfinished_anydice};
pub use diagnostics::{Diagnostics, Look};
pub use engine::Engine;
pub use float::float;
#[cfg(not(target_family = "wasm"))]
pub use guard::guard;
pub use playing::{BestPlay, Met, Script, Stop};
pub use program::{Input, Odds, Program};
pub use systems::{PRELUDE, SYSTEMS};

// The odds: what is asked, what is answered, and why there is no answer.
pub use astragal_odds::ways::every as every_way;
pub use astragal_odds::{Answer, Budget, Failure, Moments, Outcomes};
pub use astragal_play::{Advice, Case, Choice, Loss, Losses, Policy, Rule, advice};
pub use astragal_prob::ways::{Way, Ways};
pub use astragal_prob::{
    Comparison, Guard, Integer, Law, LawError, Meter, Moment, Natural, OverBudget, Rational,
    Watcher,
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
