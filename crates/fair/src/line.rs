//! What stands in a line after its number, its link and its kind.
//!
//! The order of the fields here is their order in a line.

mod rolls;
mod table;

use serde::Serialize;

use crate::bytes::{Hash, Seal, Signature, Value};
use crate::exact;
use crate::kind::Kind;
use crate::wrong::{Trouble, Wrong, need};

pub use rolls::{
    Again, Ask, AskHidden, Close, CloseHidden, Hidden, How, Outcome, Reveal, Roll, Typed,
};
pub use table::{Head, Language, Limits, Move, Present, Reseal, Seat, Signed, Table, Witness};

/// A witness and the number of the seal that it is asked to open.
pub type Asked = (u64, u64);
/// A witness, its value, its next seal, and its signature of all that.
pub type Opened = (u64, Value, Seal, Signature);
/// Throws in their order: runs of dice with as many sides, that number first, then the sides that came up.
pub type Dice = Vec<Vec<u64>>;

/// The content of a line.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names are those of the kinds")]
pub enum Line {
    Table(Table),
    Seat(Seat),
    Roll(Roll),
    Hidden(Hidden),
    Ask(Ask),
    AskHidden(AskHidden),
    Again(Again),
    Close(Close),
    CloseHidden(CloseHidden),
    Reveal(Reveal),
    Typed(Typed),
    /// `strike`, `call`, `keep`, `set`, `rules`, `say`, `seal`, `left`, `end`
    Act(Kind, Signed),
    Present(Present),
    Reseal(Reseal),
    Language(Language),
    Move(Move),
}

/// A line from its content.
pub fn written<T: Serialize>(seq: u64, prev: &Hash, kind: Kind, content: &T) -> String {
    let content = exact::write(content);
    format!(r#"{{"seq":{seq},"prev":"{prev}","kind":"{kind}",{}"#, &content[1..])
}

/// The number that a line says it has.
pub fn number(text: &str) -> Option<u64> {
    text.strip_prefix(r#"{"seq":"#)?.split(',').next()?.parse().ok()
}

/// The content of the line that should come next.
pub fn read(text: &str, seq: u64, prev: &Hash) -> Result<Line, Wrong> {
    let form = || Wrong::new(Trouble::Form, "it does not begin as a line of a log does");
    let rest = text.strip_prefix(r#"{"seq":"#).ok_or_else(form)?;
    let (found, rest) = rest.split_once(r#","prev":""#).ok_or_else(form)?;
    need(found == seq.to_string(), || {
        Wrong::new(Trouble::Chain, "it is not the next line").instead(seq, found)
    })?;
    let (found, rest) = rest.split_once(r#"","kind":""#).ok_or_else(form)?;
    need(found == prev.to_string(), || {
        let message =
            "it does not follow the line before: one of the two was changed, or a line is missing";
        Wrong::new(Trouble::Chain, message).instead(prev, found)
    })?;
    let (kind, rest) = rest.split_once("\",").ok_or_else(form)?;
    let kind =
        Kind::of(kind).ok_or_else(|| Wrong::new(Trouble::Form, "there is no such kind of line"))?;
    content(kind, &format!("{{{rest}"))
}

fn content(kind: Kind, text: &str) -> Result<Line, Wrong> {
    Ok(match kind {
        Kind::Table => Line::Table(exact::read(text)?),
        Kind::Seat => Line::Seat(exact::read(text)?),
        Kind::Roll => Line::Roll(exact::read(text)?),
        Kind::Hidden => Line::Hidden(exact::read(text)?),
        Kind::Ask => Line::Ask(exact::read(text)?),
        Kind::AskHidden => Line::AskHidden(exact::read(text)?),
        Kind::Again => Line::Again(exact::read(text)?),
        Kind::Close => Line::Close(exact::read(text)?),
        Kind::CloseHidden => Line::CloseHidden(exact::read(text)?),
        Kind::Reveal => Line::Reveal(exact::read(text)?),
        Kind::Typed => Line::Typed(exact::read(text)?),
        Kind::Strike
        | Kind::Call
        | Kind::Keep
        | Kind::Set
        | Kind::Rules
        | Kind::Say
        | Kind::Seal
        | Kind::Left
        | Kind::End => Line::Act(kind, exact::read(text)?),
        Kind::Present => Line::Present(exact::read(text)?),
        Kind::Reseal => Line::Reseal(exact::read(text)?),
        Kind::Language => Line::Language(exact::read(text)?),
        Kind::Move => Line::Move(exact::read(text)?),
    })
}

impl Line {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Line::Table(_) => Kind::Table,
            Line::Seat(_) => Kind::Seat,
            Line::Roll(_) => Kind::Roll,
            Line::Hidden(_) => Kind::Hidden,
            Line::Ask(_) => Kind::Ask,
            Line::AskHidden(_) => Kind::AskHidden,
            Line::Again(_) => Kind::Again,
            Line::Close(_) => Kind::Close,
            Line::CloseHidden(_) => Kind::CloseHidden,
            Line::Reveal(_) => Kind::Reveal,
            Line::Typed(_) => Kind::Typed,
            Line::Act(kind, _) => *kind,
            Line::Present(_) => Kind::Present,
            Line::Reseal(_) => Kind::Reseal,
            Line::Language(_) => Kind::Language,
            Line::Move(_) => Kind::Move,
        }
    }
}
