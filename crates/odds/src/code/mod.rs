//! Expressions without chance, made fast.
//!
//! ```text
//! walk(20d10, {size: 0, face: 0}, (best, face, count) =>
//!   if count >= best.size then {size: count, face: face} else best)
//! ```
//!
//! The step of such a walk is asked for thousands of carried values, faces and counts, all decided and none
//! of it throwing dice. So it is translated once: calls are written out, what depends on the face alone is
//! worked out once a face. And it runs on values that are single words: small whole numbers as they
//! are, records and lists by their number in a store that holds each of them once. Two values are
//! then equal if their words are, which makes looking up a carried value cheap. Code is read in three ways ([`astragal_code`]):
//! on words, on what is only known of them, and for what it does to a part of what is carried.
//!
//! Whatever is not plain sailing (dice, a failure, a loop, nesting beyond reason) yields nothing, and the
//! caller takes the general way.

mod beside;
mod compile;
mod hoist;

pub(crate) use astragal_code::{
    Code, FARTHEST, Id, Manner, Next, Open, Part, Reach, Runner, Weave, as_record, in_any_order,
    part, sums,
};
pub(crate) use astragal_value::{Store, Word};
pub(crate) use compile::{Answered, Kept, Program, compile, compile_answered, compile_hoisted};
pub(crate) use hoist::{Thrown, Whole, is_of_calls, is_pool};
