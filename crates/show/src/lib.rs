//! How answers look, the same in a terminal and on a page: exact numbers as text, the rows of a table,
//! what is known of the whole, and the files that other programs read.
//!
//! Nothing here knows a terminal or a browser; everything is text made from exact numbers.

pub mod beside;
pub mod brief;
pub mod chat;
pub mod correlation;
pub mod decimal;
pub mod export;
mod groups;
mod leading;
pub mod luck;
#[cfg(feature = "png")]
pub mod png;
pub mod policy;
pub mod rows;
pub mod said;
pub mod summary;
pub mod svg;
pub mod sweep;
pub mod tables;
mod text;
pub mod weights;

pub use astragal_chart::{View, heat};
pub use text::{cut, wrapped, wrapped_as_seen};
