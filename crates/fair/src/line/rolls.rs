//! Lines about rolls.

use serde::{Deserialize, Serialize};

use super::{Asked, Dice, Opened};
use crate::bytes::{Hash, Seal, Signature, Value};

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
