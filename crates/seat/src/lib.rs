//! The device's half of a table: everything that a page, `astragal sit` or a test does for one seat, and nothing else.
//!
//! No I/O, no clock, no randomness of its own: lines and fresh bytes are handed in, bytes to send are handed out. What must be seen to by a device and cannot be
//! seen in a log (`spec/fair.md`, "What a log cannot show") is seen to here:
//!
//! | a device … | here |
//! |---|---|
//! | makes a fresh secret and key for each seat | [`Seat::sit`] takes them, and [`Seat::restored`] a fresh secret again: no secret is ever stored |
//! | signs one number once, repeats the same bytes | [`Seat::wish`] refuses while a request waits; [`Seat::to_send`] gives it again and again |
//! | what is sent was saved before | [`Seat::to_send`] gives nothing until [`Seat::saved`] says that [`Seat::state`] is kept |
//! | opens a seal once, for the newest line, whose signed head it holds | [`Seat::take`] |
//! | signs only what it can see to be allowed | `allowed.rs` |
//! | never goes on behind what it has seen | [`Seat::restored`] signs nothing before the line that it remembers is there again |
//! | raises alarms | [`Alarm`]: of a line in [`Event::alarms`], or as the error that ends it |
//!
//! ```text
//! link ──▶ Seat::new ──take(lines so far)──▶ sit ──▶ to_send ─▶ house
//!                          ▲                                       │
//!                          └────── line + head, again and again ◀──┘
//! ```

mod allowed;
mod door;
mod event;
mod own;
mod post;
mod seat;
mod state;
mod wish;

pub use astragal_fair::Alarm;
pub use door::Door;
pub use event::{Event, Pool, Shown, What};
pub use post::Post;
pub use seat::{Seat, Took, Whispered};
pub use state::Unreadable;
pub use wish::{About, Refusal, Wish};
