//! What is wrong with a line: a code, a fact in words, and what should stand there.

use std::fmt;

/// What a line is wrong in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trouble {
    /// It is not written in the one way.
    Form,
    /// It was made by a newer format or language.
    Version,
    /// It does not follow the line before.
    Chain,
    /// Such a line may not stand here.
    Order,
    /// The table is not the one of its house.
    Table,
    /// A seat that there is not, has left, or may not do this.
    Seat,
    /// The number of a request is not the next of its seat.
    Number,
    /// `after` is not an earlier line that the seat may name.
    After,
    /// A signature does not fit.
    Signature,
    /// A value does not fit its seal, or a seal stands twice.
    Seal,
    /// The witnesses are not those who should be asked, or who were.
    Witnesses,
    /// It refers to a line of another kind, or is too long.
    Request,
    /// What is revealed is not what was hidden.
    Reveal,
    /// The dice are others.
    Dice,
    /// The dice come to something else.
    Outcome,
    /// The log does not end with its head.
    Head,
}

impl Trouble {
    /// The stable name, for machines.
    pub fn code(self) -> &'static str {
        match self {
            Trouble::Form => "form",
            Trouble::Version => "version",
            Trouble::Chain => "chain",
            Trouble::Order => "order",
            Trouble::Table => "table",
            Trouble::Seat => "seat",
            Trouble::Number => "number",
            Trouble::After => "after",
            Trouble::Signature => "signature",
            Trouble::Seal => "seal",
            Trouble::Witnesses => "witnesses",
            Trouble::Request => "request",
            Trouble::Reveal => "reveal",
            Trouble::Dice => "dice",
            Trouble::Outcome => "outcome",
            Trouble::Head => "head",
        }
    }
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// In what.
    pub trouble: Trouble,
    /// The fact, in lower case, without a full stop.
    pub message: String,
    /// What should stand there, where that can be told.
    pub expected: Option<String>,
    /// What stands there instead.
    pub found: Option<String>,
}

impl Wrong {
    /// A fact alone.
    pub(crate) fn new(trouble: Trouble, message: impl Into<String>) -> Wrong {
        Wrong { trouble, message: message.into(), expected: None, found: None }
    }

    /// A fact about a log that only its reader can see, such as bytes that are no text.
    pub fn plain(trouble: Trouble, message: &str) -> Wrong {
        Wrong::new(trouble, message)
    }

    /// With what should stand there, and what does.
    pub(crate) fn instead(mut self, expected: impl ToString, found: impl ToString) -> Wrong {
        self.expected = Some(short(expected.to_string()));
        self.found = Some(short(found.to_string()));
        self
    }
}

/// Nobody reads a kilobyte of digits.
fn short(text: String) -> String {
    const LONGEST: usize = 300;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Wrong {}

/// An error unless something holds.
pub(crate) fn need(holds: bool, wrong: impl FnOnce() -> Wrong) -> Result<(), Wrong> {
    if holds { Ok(()) } else { Err(wrong()) }
}
