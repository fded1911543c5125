//! What an editor or a form needs: the names that a text may use, what may stand at a cursor, the words
//! of the language, and what to ask for before a rule can be called.
//!
//! Nothing here knows a terminal or a browser.

pub mod call;
pub mod catalogue;
pub mod complete;
pub mod cursor;
pub mod definitions;
pub mod form;
pub mod names;
pub mod prose;
pub mod words;
