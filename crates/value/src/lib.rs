//! What a program computes with: numbers, truth, text, variants, lists, records.
//!
//! Both meanings share these values and the operations on them, so that a sum or a rounding cannot
//! mean one thing in a roll and another in the odds. Operations know values, not places: they return a
//! bare [`OpError`], and the evaluator adds where it happened. Where many values are looked at many times, they
//! are single words, kept in a [`Store`].

mod number;
mod op;
#[cfg(feature = "serde")]
mod serde;
mod store;
mod value;

pub use number::{MAX_BITS, Number};
pub use op::{Op, OpError, Simple, apply, apply_to_words};
pub use store::{Store, Word};
pub use value::{EnumType, RecordShape, Value, Variant};
