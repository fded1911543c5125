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
//! system's randomness.

mod diagnostics;
mod engine;
pub mod json;
mod program;
mod stack;
mod systems;

pub use astragal_odds::{Answer, Budget, Moments, Outcomes};
pub use astragal_prob::ways::{Way, Ways};
pub use astragal_prob::{Comparison, Law, Meter, Rational, Watcher};
pub use astragal_program::types::Type;
pub use astragal_program::{
    Documentation, EnumerationDoc, Files, FunctionDoc, NoFiles, ParameterDoc, module_name,
};
pub use astragal_roll::{Limits as RollLimits, Roll, faces, render};
pub use astragal_syntax as syntax;
pub use astragal_syntax::diagnostic::{Diagnostic, Edit, Severity};
pub use astragal_value::{Number, Value};
pub use diagnostics::{Diagnostics, Look, alternatives};
pub use engine::Engine;
pub use program::{Input, Odds, Program};
pub use systems::SYSTEMS;
