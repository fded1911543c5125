//! Meaning one of a program: one roll, with its complete explanation.
//!
//! ```text
//! 4d6kh3   on the faces 3, 6, 2, 5   is   4d6 keep highest 3: 3 6 (2) 5 = 14
//! ```
//!
//! [`roll`] walks the core language once. Chance comes from one place only, the trait [`Faces`]; what
//! happened is recorded as data in a [`Roll`], and [`render`] turns that into lines for a terminal, a
//! chat or a machine. Nothing here reads a clock, a file or the system's randomness: a seed, a script
//! or an odometer is handed in.

mod dice;
mod eval;
mod explanation;
pub mod faces;
mod flat;
mod limits;
mod lying;
mod player;
mod recorder;
pub mod render;
#[cfg(feature = "serde")]
mod serde;
mod steps;

use astragal_program::core::{Expr, Kind, Program, Reading};
use astragal_program::fault::Fault;
use astragal_value::Value;

pub use dice::Dice;
pub use explanation::{DieId, DieRecord, Fates, Record, Roll};
pub use faces::{DieFaces, Faces, Odometer, Scripted, Seeded};
pub use flat::Flat;
pub use limits::{Asked, Known, Limits, Measured, Odds, Told};
pub use player::{Chosen, Offer, Player};
pub use steps::{Base, Labels, PoolDice, PoolDie, Said, Step, StepKind, Steps, Suffixes, Worth};

/// Rolls a program and records everything that happened.
///
/// `inputs` are the host's values for the program's `param`s, by index; a missing one takes its
/// default.
pub fn roll(
    program: &Program,
    inputs: &[Option<Value>],
    faces: &mut dyn Faces,
    limits: &Limits,
) -> Result<Roll, Fault> {
    let mut record = Box::<Record>::default();
    eval::run(program, inputs, faces, limits, &mut record, true)?;
    record.lone = is_lone(&program.main.body);
    Ok(Roll(record))
}

/// Rolls a program as far as it goes: what happened until then, and the fault that stopped it. What was thrown before a
/// choice lies on the table while somebody thinks.
pub fn roll_so_far(
    program: &Program,
    inputs: &[Option<Value>],
    faces: &mut dyn Faces,
    limits: &Limits,
) -> (Roll, Option<Fault>) {
    let mut record = Box::<Record>::default();
    let stopped = eval::run(program, inputs, faces, limits, &mut record, true).err();
    (Roll(record), stopped)
}

/// Whether an expression is nothing but dice and what is done to them.
pub(crate) fn is_lone(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Let { body, .. }
        | Kind::Given { body, .. }
        | Kind::Require { body, .. }
        | Kind::Note { body, .. } => is_lone(body),
        Kind::Labelled { value, .. } => is_lone(value),
        kind => matches!(
            kind,
            Kind::Read { reading: Reading::Total, .. }
                | Kind::Dice { .. }
                | Kind::Suffixed { .. }
                | Kind::Gather(_)
                | Kind::Merge(_)
                | Kind::Times { .. }
                | Kind::Symbols { .. }
                | Kind::Tally { .. }
                | Kind::Drawn { .. }
                | Kind::Measure { .. }
        ),
    }
}

/// Rolls a program for its value alone: no dice and no steps are recorded.
pub fn value(
    program: &Program,
    inputs: &[Option<Value>],
    faces: &mut dyn Faces,
    limits: &Limits,
) -> Result<Value, Fault> {
    let mut record = Record::default();
    eval::run(program, inputs, faces, limits, &mut record, false)?;
    Ok(record.value)
}
