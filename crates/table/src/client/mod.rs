//! A client in Rust, for tests and for the chores that load and kill servers.
//!
//! `Sitter` is a device as people have it, around `crates/seat`: it checks every line and raises alarms. `Player` signs whatever a test wants.

mod child;
mod device;
mod kill;
mod load;
mod sitter;
mod wire;

pub use child::{Child, serve_for};
pub use device::Player;
pub use kill::{Killed, Kills, kill};
pub use load::{Figures, Load, load};
pub use sitter::{Answer, Sitter, Task, made};
pub use wire::{Event, Reply, Stream, Wire};
