//! Expressions without chance, as code on values that are single words.
//!
//! Code is a tree (`tree`) over words and a store that holds each list and record once ([`astragal_value::Store`]). One function
//! goes through its forms (`fold`), for four meanings: it is run on words (`run`), on what is only known of them, a range or
//! a row of numbers (`reach`, `lanes`), to find what it does to a part of what is carried (`lift`), and to write it down while variables are open (`open`). What is left of it
//! once some of its variables are known is code again (`residue`), or an expression in which the same is always written in
//! the same way (`open`).
//!
//! Whatever is not plain sailing (a failure, a number beyond a word) yields nothing, and the caller takes another way.

mod fold;
mod lanes;
mod lift;
pub mod limits;
mod open;
mod reach;
mod residue;
mod run;
mod tree;

pub use lift::{Manner, Part, in_any_order, part, sums};
pub use open::{Id, Next, Open, Weave};
pub use reach::{FARTHEST, Reach, as_record};
pub use run::Runner;
pub use tree::{Answer, Code, Fold};
