//! The shared table: a server that writes the log of rolls that anyone can check, and gives out the page.
//!
//! ```text
//!  browser ─┐ POST ┌──────── http ────────┐ orders ┌─ writer ─┐ batches
//!  terminal ┼────▶ │ limits → signature   │ ─────▶ │  houses  │ ───────▶ store (SQLite)
//!  curl ────┘      └──────────────────────┘        └────┬─────┘
//!          ◀── events ── one task a listener ◀── hub ◀──┘   throws, odds: threads of their own
//! ```
//!
//! | where | what |
//! |---|---|
//! | [`house`] | one table, without any input or output: what is asked for goes in, lines come out |
//! | [`store`] | where tables are kept; SQLite in one file |
//! | `writer` | one thread: nothing is answered before it is synced |
//! | `hub`, `tables` | who listens; tables in memory |
//! | [`http`] | the routes, told in `docs/table-api.md` |
//! | `throws`, `odds` | threads that roll; threads with less weight, for odds |
//! | [`limits`] | all that is limited, in one file |
//! | `metrics` | what is counted |
//! | [`moving`], [`restore`] | tables that go to another server, or come back from a log |

#[cfg(feature = "client")]
pub mod client;
mod export;
pub mod house;
pub mod http;
mod hub;
pub mod limits;
mod metrics;
pub mod moving;
mod odds;
pub mod problem;
mod rates;
pub mod restore;
mod server;
pub mod store;
mod tables;
mod throws;
mod writer;

pub use limits::Limits;
pub use problem::Problem;
pub use server::{Options, Server, Stopper, Trouble};
pub use throws::thrown;
