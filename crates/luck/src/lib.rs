//! The luck of an evening, exactly, for any rule.
//!
//! For every roll the engine knows the law of what could have fallen. So a roll has a *place* among all of its results: the chance of less,
//! and half the chance of the same. Whatever the rule, a place is ½ on average, and its variance is `(1 − Σp³)/12`; so places of a d20, of `4d6kh3`
//! and of a pool of successes may be added up, and their sum held against what is to be expected of it.
//!
//! ```text
//!   d6 shows 5:   1  2  3  4 [5] 6      4/6 + 1/12 = 3/4
//! ```
//!
//! | where | what |
//! |---|---|
//! | [`Law`] | which part of a result counts, and the chances of its values |
//! | [`Place`] | where a value stands in its law |
//! | [`Tally`] | places added up, and the best and the worst of them |
//! | [`Luck`] | the same for rolls at a table, thrown again by their keys |
//! | [`Evening`] | from a log that is checked to the luck of each seat |
//!
//! What cannot be placed is not left out in silence: [`Why`] says of each roll why it does not count. Endless laws, and laws of which the engine gave
//! something up, are known within bounds; then so are places and sums ([`Between`]). No floats here: `show` has what is about.

mod between;
mod evening;
mod law;
mod place;
mod rolls;
mod tally;
mod why;

pub use between::Between;
pub use evening::{Evening, Known};
pub use law::{Law, Part};
pub use place::Place;
pub use rolls::{Luck, Roll, Weighed};
pub use tally::{Tally, Told};
pub use why::Why;
