//! A device at a table, with its connection and what it keeps: what `astragal sit` plays with, and whoever else wants to play from a program.
//!
//! What is signed and checked is `crates/seat`, which knows no connection, no clock and no file. Those are here, without an async runtime: one table needs four
//! threads.
//!
//! ```text
//!   wishes ──▶ ┌────────────┐ ──▶ requests ───▶ ┐
//!              │  sitting   │ ──▶ testimonies ▶ ├─ house
//!   told ◀──── └────────────┘ ◀── events ◀───── ┘
//!                    │
//!                  keep (a file that only its owner reads)
//! ```
//!
//! | where | what |
//! |---|---|
//! | [`Link`] | the address of a table, with its secret |
//! | `wire`, [`stream`] | HTTP and HTTPS; events, from bytes |
//! | [`Keep`] | the file of a seat: its key, so that it can come back; locked while somebody sits |
//! | [`Sitting`] | plays one seat: connects, checks, testifies, repeats what was not answered |

mod body;
mod keep;
mod link;
mod post;
mod sitting;
pub mod stream;
mod wire;

pub use keep::{Keep, NotKept};
pub use link::{Link, Server};
pub use sitting::{Arrival, Sitting, Told};
