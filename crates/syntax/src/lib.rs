//! Text to tree and back: source places, tree, diagnostics.
//!
//! [`parse`] never fails: it yields a tree and a list of diagnostics. [`print`](fn@print) sets a tree
//! in the one canonical layout; what it prints parses to the same tree ([`same_tree`]). The crate
//! depends on nothing, opens nothing and prints nothing.

pub mod diagnostic;
pub mod span;
pub mod tree;

mod colour;
mod digits;
mod lexer;
mod lines;
mod parser;
mod places;
mod printer;
mod suggest;
mod words;

pub use colour::{Class, Classified};
pub use digits::Digits;
pub use lines::LineIndex;
pub use parser::{Limits, Parsed, anydice, parse, tokens};
pub use places::{same_tree, without_places};
pub use printer::{print, print_expr, suffix_words};
pub use suggest::suggest;
pub use words::Words;
