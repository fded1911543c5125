//! What stands in a line after its number, its link and its kind.
//!
//! The order of the fields here is their order in a line.

use serde::{Deserialize, Serialize};

use crate::bytes::{Bytes, Hash, Id, Key, Seal, Signature, Value};
use crate::exact;
use crate::kind::Kind;
use crate::wrong::{Trouble, Wrong, need};

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

/// The first line: who keeps the table, and by which rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The version of the format.
    pub v: u64,
    /// Its id.
    pub table: Id,
    /// The key of the house.
    pub house: Key,
    /// What tells this table from others of the house.
    pub nonce: Bytes<16>,
    /// The version of the language.
    pub language: u64,
    /// The hash of prelude and systems.
    pub library: Hash,
    /// When witnesses are asked.
    pub witness: Witness,
    /// What a roll may cost.
    pub limits: Limits,
}

/// When witnesses are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Witness {
    /// For every roll.
    Always,
    /// For the rolls of owners and doors.
    Owner,
    /// For none.
    Never,
}

/// What may be asked for at a table. Counted, never timed: everyone must come to the same answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Bytes of a program.
    pub text: u64,
    /// Bytes of house rules.
    pub rules: u64,
    /// Throws of a roll.
    pub throws: u64,
    /// Steps of a roll.
    pub steps: u64,
}

impl Limits {
    /// The most that a table may allow.
    pub const MOST: Limits =
        Limits { text: 16_384, rules: 32_768, throws: 10_000, steps: 5_000_000 };
    /// What fits most tables.
    pub const USUAL: Limits = Limits { text: 4_096, rules: 16_384, throws: 1_000, steps: 500_000 };
}

/// Somebody sits down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
    /// See [`crate::request::Seat`].
    pub request: String,
    /// By the new seat's key.
    pub sig: Signature,
    /// The house's first seal for this seat.
    pub sealed: Seal,
}

/// A roll for which nobody was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Roll {
    /// See [`crate::request::Roll`].
    pub request: String,
    /// By the roller.
    pub sig: Signature,
    /// The house's value.
    pub house: Value,
    /// The house's next seal.
    pub sealed: Seal,
    /// What was thrown.
    pub dice: Dice,
    /// What it came to.
    pub outcome: Outcome,
}

/// The same, not for all to see. Its length does not depend on what was rolled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hidden {
    /// The roller.
    pub seat: u64,
    /// The number of the request.
    pub n: u64,
    /// The line that the request follows.
    pub after: Hash,
    /// The hash of the request.
    pub hash: Hash,
    /// By the roller.
    pub sig: Signature,
    /// The house's next seal.
    pub sealed: Seal,
}

/// Witnesses are asked for a roll.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// See [`crate::request::Roll`].
    pub request: String,
    /// By the roller.
    pub sig: Signature,
    /// Who is asked.
    pub witnesses: Vec<Asked>,
}

/// The same for a roll that is not for all to see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskHidden {
    /// The roller.
    pub seat: u64,
    /// The number of the request.
    pub n: u64,
    /// The line that the request follows.
    pub after: Hash,
    /// The hash of the request.
    pub hash: Hash,
    /// By the roller.
    pub sig: Signature,
    /// Who is asked.
    pub witnesses: Vec<Asked>,
}

/// Some missed; the others are asked once more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Again {
    /// The line that asked.
    pub of: u64,
    /// Who answered.
    pub opened: Vec<Opened>,
    /// Who did not.
    pub missed: Vec<u64>,
    /// Those who answered, and their next seals.
    pub witnesses: Vec<Asked>,
}

/// A roll for which witnesses were asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Close {
    /// The line that asked.
    pub of: u64,
    /// The house's value.
    pub house: Value,
    /// The house's next seal.
    pub sealed: Seal,
    /// Who answered.
    pub opened: Vec<Opened>,
    /// Who did not.
    pub missed: Vec<u64>,
    /// What was thrown.
    pub dice: Dice,
    /// What it came to.
    pub outcome: Outcome,
}

/// The same, not for all to see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CloseHidden {
    /// The line that asked.
    pub of: u64,
    /// The house's next seal.
    pub sealed: Seal,
    /// Who answered.
    pub opened: Vec<Opened>,
    /// Who did not.
    pub missed: Vec<u64>,
}

/// A hidden roll is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reveal {
    /// See [`crate::request::Reveal`].
    pub request: String,
    /// By the roller or an owner.
    pub sig: Signature,
    /// The request that was hidden.
    pub roll: String,
    /// The house's value.
    pub house: Value,
    /// What was thrown.
    pub dice: Dice,
    /// What it came to.
    pub outcome: Outcome,
}

/// Real dice, typed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Typed {
    /// See [`crate::request::Typed`].
    pub request: String,
    /// By whoever typed them.
    pub sig: Signature,
    /// What they come to.
    pub outcome: Outcome,
}

/// A request that says everything by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signed {
    /// The request.
    pub request: String,
    /// By its seat.
    pub sig: Signature,
}

/// Who is here, says the house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Present {
    /// In rising order.
    pub seats: Vec<u64>,
}

/// The house has a new secret: what was sealed with the old one is opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reseal {
    /// The value of each seat's seal.
    pub retired: Vec<(u64, Value)>,
    /// Each seat's new seal.
    pub sealed: Vec<(u64, Seal)>,
}

/// The house has another engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// The version of the language.
    pub language: u64,
    /// The hash of prelude and systems.
    pub library: Hash,
}

/// The table goes to another house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// The key of the new house.
    pub house: Key,
    /// By the old one.
    pub sig: Signature,
}

/// What a roll came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome(pub How, pub String);

/// In which way a roll ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// It has a value.
    Value,
    /// It failed, with a code.
    Fails,
    /// It was not rolled, and why.
    Refused,
}

/// The last line of a file, outside the chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// `head`
    pub kind: String,
    /// The id of the table.
    pub table: Id,
    /// The number of the last line.
    pub seq: u64,
    /// The hash of the last line.
    pub hash: Hash,
    /// By the house.
    pub sig: Signature,
}

/// A line from its content.
pub fn written<T: Serialize>(seq: u64, prev: &Hash, kind: Kind, content: &T) -> String {
    let content = exact::write(content);
    format!(r#"{{"seq":{seq},"prev":"{prev}","kind":"{kind}",{}"#, &content[1..])
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
