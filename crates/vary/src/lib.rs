//! What if: one program at many values of its inputs, for every door that asks it.
//!
//! `d20 + bonus >= 15` for `bonus=0..10` are eleven points. At each point a program says a few numbers (its *columns*: the
//! chance of a yes, a mean, the chance of a condition such as `>= 15`); which points meet a *goal* is a *solution*. Everything
//! is exact: chances are fractions, and 13/20 is 65%. Who computes the points, on how many cores and within which
//! budget, is the affair of the door.

mod columns;
mod condition;
pub mod data;
mod declare;
mod duel;
mod event;
mod points;
mod solution;
mod target;

use astragal::Diagnostics;

pub use columns::{Column, Point, columns};
pub use condition::Condition;
pub use declare::{check_named, declarations, undeclared};
pub use duel::{Duel, TooCostly, alike, duels, name_of};
pub use event::Event;
pub use points::{Axis, combinations};
pub use solution::{Goal, Measure, Solution, Told, points_to_solve, solutions};
pub use target::{number, target};

/// Why there is no answer.
#[derive(Debug)]
pub enum Refusal {
    /// The program is wrong at a point, or costs too much there.
    Program(Box<Diagnostics>),
    /// What was asked is wrong: what, and what to write instead.
    Asked(String),
}

impl From<Diagnostics> for Refusal {
    fn from(diagnostics: Diagnostics) -> Refusal {
        Refusal::Program(Box::new(diagnostics))
    }
}
