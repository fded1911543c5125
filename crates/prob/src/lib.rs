//! Exact probability for dice: laws of numbers, finite or endless, and pools of dice.
//!
//! No floats, no text, no language. See [`Law`] for one number and [`pool`] for many dice.

mod distribution;
mod law;
mod meter;
mod number;
mod poly;
pub mod pool;
mod series;

pub use distribution::Distribution;
pub use law::{Endless, Law, LawError, Listing, Table};
pub use meter::{Meter, OverBudget};
pub use number::{Comparison, Integer, Natural, Rational};
