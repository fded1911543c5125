//! Charts: one geometry, one palette, one rule for ticks and letters.
//!
//! ```text
//! what is drawn (odds, lines, a map) ─┬─ file: a whole picture as SVG, with its title and its style
//!                                     └─ sheet: the marks alone, and where they are, for a page that draws them itself
//! ```
//!
//! It knows numbers for the eyes, names and paper, but no dice and no exact chances: those are told by who asks, as are
//! the words of tooltips. It needs nothing, so that a page has it as a module of a few kilobytes before the engine is there
//! (`crates/pen`).

mod advances;
mod frame;
pub mod heat;
mod legend;
mod letters;
pub mod lines;
pub mod map;
mod marks;
mod names;
pub mod odds;
pub mod palette;
mod paper;
mod path;
pub mod scale;
mod sheet;
mod tag;
mod view;

pub use frame::Places;
pub use legend::swatch;
pub use paper::{Look, Theme};
pub use sheet::{Axes, Drawing, Sheet};
pub use tag::{Tag, json};
pub use view::View;
