//! The kinds of lines.

use std::fmt;

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of the format, which spec/fair.md explains")]
pub enum Kind {
    Table,
    Seat,
    Roll,
    Hidden,
    Ask,
    AskHidden,
    Again,
    Close,
    CloseHidden,
    Reveal,
    Typed,
    Strike,
    Call,
    Keep,
    Set,
    Rules,
    Say,
    Seal,
    Left,
    End,
    Present,
    Reseal,
    Language,
    Move,
}

/// Each kind and its name.
const NAMES: [(Kind, &str); 24] = [
    (Kind::Table, "table"),
    (Kind::Seat, "seat"),
    (Kind::Roll, "roll"),
    (Kind::Hidden, "hidden"),
    (Kind::Ask, "ask"),
    (Kind::AskHidden, "ask-hidden"),
    (Kind::Again, "again"),
    (Kind::Close, "close"),
    (Kind::CloseHidden, "close-hidden"),
    (Kind::Reveal, "reveal"),
    (Kind::Typed, "typed"),
    (Kind::Strike, "strike"),
    (Kind::Call, "call"),
    (Kind::Keep, "keep"),
    (Kind::Set, "set"),
    (Kind::Rules, "rules"),
    (Kind::Say, "say"),
    (Kind::Seal, "seal"),
    (Kind::Left, "left"),
    (Kind::End, "end"),
    (Kind::Present, "present"),
    (Kind::Reseal, "reseal"),
    (Kind::Language, "language"),
    (Kind::Move, "move"),
];

impl Kind {
    /// As it is written in a line.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    /// The kind of this name.
    pub fn of(name: &str) -> Option<Kind> {
        NAMES.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }

    /// What a seat signs for such a line. What is hidden is signed as such, so that nobody can hide what was meant for all.
    pub fn signed(self) -> Kind {
        match self {
            Kind::Ask => Kind::Roll,
            Kind::AskHidden => Kind::Hidden,
            other => other,
        }
    }

    /// Whether such a line is the end of a roll, and can be struck.
    pub fn is_roll(self) -> bool {
        use Kind::{Close, CloseHidden, Hidden, Reveal, Roll, Typed};
        matches!(self, Roll | Close | Hidden | CloseHidden | Reveal | Typed)
    }

    /// Whether such a line has to wait while witnesses are asked.
    pub fn waits_for_witnesses(self) -> bool {
        use Kind::{Ask, AskHidden, End, Hidden, Language, Move, Reseal, Roll};
        matches!(self, Roll | Hidden | Ask | AskHidden | Reseal | Language | Move | End)
    }

    /// Whether only an owner may sign such a line.
    pub fn is_for_owners(self) -> bool {
        matches!(self, Kind::Strike | Kind::Call | Kind::Rules | Kind::End)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
