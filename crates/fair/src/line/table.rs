//! Lines about the table itself: who keeps it, who sits there, what they say, and the head.

use serde::{Deserialize, Serialize};

use crate::bytes::{Bytes, Hash, Id, Key, Seal, Signature, Value};

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
    /// An owner after the first: which owner lets it in, and that owner's signature.
    pub vouched: Option<(u64, Signature)>,
    /// The house's first seal for this seat.
    pub sealed: Seal,
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
