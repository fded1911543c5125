//! Text to tree and back: source places, tree, diagnostics.

pub mod diagnostic;
pub mod span;
pub mod tree;
