//! A roll for the eyes: plain text, a colour terminal, Markdown, JSON.
//!
//! ```text
//! 4d6 keep highest 3: 3 6 (2) 5 = 14
//! ```
//!
//! What is said is decided once, in `lines`, as pieces of text with a meaning (a die that counts, a
//! die that was dropped, a total). Each renderer only decides what a meaning looks like.

mod ansi;
mod dice;
mod json;
mod lines;
mod markdown;
mod plain;
mod pools;

use astragal_syntax::span::Span;

pub use ansi::ansi;
pub use json::{json, value_to_json};
pub use markdown::markdown;
pub use plain::plain;
pub use pools::pools;

/// How much is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Detail {
    /// The dice, the notes, the outcome.
    #[default]
    Glance,
    /// Every step.
    Full,
}

/// What a renderer needs besides the roll.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The expression as the user wrote it.
    pub expression: &'a str,
    /// The text at a place, for conditions and groups.
    pub source: &'a dyn Fn(Span) -> Option<String>,
    /// How much is told.
    pub detail: Detail,
}

impl View<'_> {
    /// The text at a place on one line.
    fn text(&self, span: Span) -> String {
        let text = (self.source)(span).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
