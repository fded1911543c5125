//! What each kind of request asks for.

use serde::{Deserialize, Serialize};

use super::{For, To};
use crate::bytes::{Bytes, Hash, Key, Seal};

/// Somebody sits down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
    /// What the others call them.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// The key of their device.
    pub key: Key,
    /// Their first seal as a witness.
    pub seal: Seal,
}

/// What a seat may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A game master.
    Owner,
    /// A player.
    Player,
    /// A way in from a chat: the house has its key.
    Door,
}

/// A roll.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Roll {
    /// Fresh random bytes: what the house cannot know when it seals its value.
    pub salt: Bytes<32>,
    /// The program.
    pub text: String,
    /// Its inputs.
    pub inputs: Vec<(String, String)>,
    /// Who may see it.
    pub to: To,
    /// What it is for.
    pub r#for: For,
}

/// A hidden roll is to be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reveal {
    /// Its line.
    pub of: u64,
}

/// Real dice, typed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Typed {
    /// The program.
    pub text: String,
    /// Its inputs.
    pub inputs: Vec<(String, String)>,
    /// What the dice show, in the order of throws: `3,6,2`.
    pub faces: String,
    /// What it is for.
    pub r#for: For,
}

/// A roll is declared void.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strike {
    /// Its line.
    pub of: u64,
    /// Why: words beside the log.
    pub words: Hash,
}

/// Seats are asked to roll this.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The program.
    pub text: String,
    /// Its inputs.
    pub inputs: Vec<(String, String)>,
    /// Who is asked.
    pub to: To,
    /// What for: words beside the log.
    pub label: Option<Hash>,
}

/// A roll to keep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keep {
    /// Whose; none is the table's.
    pub whose: Option<u64>,
    /// What it is called.
    pub name: String,
    /// The program.
    pub text: String,
    /// Its inputs.
    pub inputs: Vec<(String, String)>,
}

/// A number with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Set {
    /// Whose; none is the table's.
    pub whose: Option<u64>,
    /// What it is called.
    pub name: String,
    /// What it is.
    pub value: String,
}

/// House rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Definitions in the language.
    pub text: String,
}

/// Words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Say {
    /// Who may read them.
    pub to: To,
    /// The words, beside the log.
    pub words: Hash,
}

/// A witness is here, with a new seal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewSeal {
    /// The seal.
    pub seal: Seal,
}

/// A request that says nothing more: `left`, `end`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}
