//! Exact probability for dice: laws of numbers, finite or endless, and pools of dice.
//!
//! Everything is an exact fraction; there are no floats, no text and no language in here. A [`Law`]
//! is all that can be known about one number before it is thrown, a [`pool`] is many dice and what
//! is done to them. Processes without end are not cut off: they are kept as quotients of
//! polynomials, so that chances, means, tails and comparisons stay exact.
//!
//! ```
//! use astragal_prob::pool::{Die, End, Pool, Reading, Source, Stage, read};
//! use astragal_prob::{Comparison, Meter, Rational};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let meter = Meter::new(10_000_000);
//! let d6 = Die::fair(6, &meter).ok().flatten().ok_or("a die has sides")?;
//! let pool = Pool {
//!     groups: vec![(4, Source::Die(d6))],
//!     stages: vec![Stage::Keep(End::Highest, 3)],
//! };
//! let law = read(&pool, &Reading::Sum, &meter).map_err(|_| "4d6kh3 is cheap")?;
//! assert_eq!(law.mean().to_string(), "15869/1296");
//! let best = law.compare(Comparison::Equal, &Rational::from(18), &meter).map_err(|_| "cheap")?;
//! assert_eq!(best.to_string(), "7/432");
//! # Ok(())
//! # }
//! ```
//!
//! Reading order: `number`, `words`, `rows` and `poly`, then `series` (endless numbers), `law`, `form` (numbers
//! that depend on others), `pool`, and `chain` (loops of anything). Whatever
//! can be large is paid for in advance from a [`Meter`]; nothing panics.

mod bound;
pub mod chain;
mod distribution;
mod form;
mod growing;
mod in_order;
mod law;
mod meter;
mod number;
mod numbered;
mod poly;
pub mod pool;
mod rows;
mod series;
mod shared;
pub mod ways;
mod weighted;
mod words;

pub use bound::Bound;
pub use distribution::Distribution;
pub use form::{Form, Spreads, Var};
pub use growing::Growing;
pub use in_order::in_order;
pub use law::{Endless, Grown, Growth, Law, LawError, Listing, Moment, Shares, Table};
pub use meter::{Guard, Meter, OverBudget, Rent, Watch, Watcher};
pub use number::{Comparison, Integer, Natural, Rational};
pub use numbered::Numbered;
pub use series::Terms;
pub use shared::Shared;
pub use weighted::{Sums, Weighted, common_multiple};
