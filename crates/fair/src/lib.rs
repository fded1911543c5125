//! Rolls at a table that anyone can check.
//!
//! A table is a log that a group writes together: JSON Lines, each bound to the one before by its hash. Everyone who takes part in a
//! roll lays down a sealed value before the roll is asked for and opens it after the request is fixed, so that nobody can choose
//! or foresee the dice. The format is told in `spec/fair.md`; here it is once more as code:
//!
//! | where | what |
//! |---|---|
//! | [`formulas`] | seals, values, keys, and the texts that are signed |
//! | [`mod@line`], [`request`] | the records, with one way of writing them ([`exact`]) |
//! | [`Programs`] | from a request and a key to dice and outcome |
//! | [`Checker`] | takes a log line by line and names the first that is wrong |
//! | [`Report`] | what was found, counted |
//! | [`Watch`] | the same for a device, which knows more: what it has sent itself |
//!
//! Nothing here reads a file, a clock or the system's randomness.
//!
//! ```
//! use astragal_fair::formulas::{house_value, roll_key, seal};
//! use astragal_fair::{Bytes, hash};
//!
//! let value = house_value(&[2; 32], &Bytes([4; 16]), 1, 0);
//! let sealed = seal(&value);
//! // The roller sees `sealed` and sends a request; only then the house shows `value`.
//! let key = roll_key(&value, &hash(b"a request with a fresh salt"), &[]);
//! assert_eq!(seal(&value), sealed);
//! assert_ne!(key, value);
//! ```

mod alarm;
mod aloud;
mod bytes;
mod check;
mod drawn;
pub mod exact;
pub mod formulas;
mod judge;
mod kind;
pub mod line;
#[cfg(feature = "engine")]
mod programs;
mod report;
pub mod request;
mod signature;
#[cfg(feature = "simulate")]
pub mod simulate;
#[cfg(feature = "engine")]
mod throws;
mod watch;
mod wrong;

pub use alarm::Alarm;
pub use aloud::aloud;
pub use bytes::{Bytes, Hash, Id, Key, Seal, Signature, Value, hash};
pub use check::{Checker, OpenAsk, Rolled, SeatFacts, Taken};
pub use judge::{LANGUAGE, Wanted};
pub use kind::Kind;
#[cfg(feature = "engine")]
pub use programs::{Programs, checked, library, named};
pub use report::{Made, Report, SeatReport, Veto};
pub use signature::{Signer, is_signed};
#[cfg(feature = "engine")]
pub use throws::Throws;
pub use watch::{Seen, Tables, Watch};
pub use wrong::{Trouble, Wrong};

/// The version of the format.
pub const VERSION: u64 = 1;
/// The most bytes of a line, with its line feed. The longest that a roll can need, 10,000 throws of huge dice that alternate, or a
/// request of nothing but escapes, stay below two thirds of it: no roller can make its own roll too long to be written.
pub const LONGEST_LINE: usize = 1_048_576;
/// The most seats of a table.
pub const MOST_SEATS: usize = 64;
