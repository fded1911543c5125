//! What a person wants at a table, before it is signed.

use std::fmt;

use astragal_fair::request::{Role, To};
use astragal_fair::{Alarm, Kind};
use serde::Deserialize;

/// What a seat asks for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "wish", rename_all = "lowercase", deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are those of the format, which spec/fair.md explains")]
pub enum Wish {
    Roll {
        text: String,
        #[serde(default)]
        inputs: Vec<(String, String)>,
        #[serde(default = "everyone")]
        to: To,
        #[serde(default, rename = "for")]
        about: About,
    },
    Reveal {
        of: u64,
    },
    Typed {
        text: String,
        #[serde(default)]
        inputs: Vec<(String, String)>,
        faces: String,
        #[serde(default, rename = "for")]
        about: About,
    },
    Strike {
        of: u64,
        words: String,
    },
    Call {
        text: String,
        #[serde(default)]
        inputs: Vec<(String, String)>,
        #[serde(default = "everyone")]
        to: To,
        label: Option<String>,
    },
    Keep {
        whose: Option<u64>,
        name: String,
        text: String,
        #[serde(default)]
        inputs: Vec<(String, String)>,
    },
    Set {
        whose: Option<u64>,
        name: String,
        value: String,
    },
    Rules {
        text: String,
    },
    Say {
        #[serde(default = "everyone")]
        to: To,
        words: String,
    },
    Seal,
    Left,
    End,
}

/// What a roll is for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum About {
    /// Nobody said.
    #[default]
    Nothing,
    /// The number of a line of kind `call`.
    Call(u64),
    /// Words, which stand beside the log.
    Words(String),
}

fn everyone() -> To {
    To::All
}

impl Wish {
    /// The kind that is signed.
    pub fn kind(&self) -> Kind {
        match self {
            Wish::Roll { to: To::All, .. } => Kind::Roll,
            Wish::Roll { .. } => Kind::Hidden,
            Wish::Reveal { .. } => Kind::Reveal,
            Wish::Typed { .. } => Kind::Typed,
            Wish::Strike { .. } => Kind::Strike,
            Wish::Call { .. } => Kind::Call,
            Wish::Keep { .. } => Kind::Keep,
            Wish::Set { .. } => Kind::Set,
            Wish::Rules { .. } => Kind::Rules,
            Wish::Say { .. } => Kind::Say,
            Wish::Seal => Kind::Seal,
            Wish::Left => Kind::Left,
            Wish::End => Kind::End,
        }
    }
}

/// Why a device does not sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It does not sit at the table, or not yet.
    NotSeated,
    /// It sits already.
    Seated,
    /// A request of it waits for its line: the same bytes have to be sent until it is there.
    Waiting,
    /// It has not seen again what it knew before it was started.
    Behind,
    /// Its own roll waits for witnesses.
    Asking,
    /// It is asked to be a witness.
    Asked,
    /// Its seal is spent, or made of a secret that is gone: it has to lay a new one first.
    Unsealed,
    /// It has left, or the table is closed.
    Over,
    /// Only seats with this role may do that.
    NotFor(Role),
    /// Something in it does not fit the table.
    Unfit(String),
    /// It has seen something after which it signs nothing more.
    Stopped(Alarm),
}

impl Refusal {
    /// The stable name, for machines.
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::NotSeated => "not-seated",
            Refusal::Seated => "seated",
            Refusal::Waiting => "waiting",
            Refusal::Behind => "behind",
            Refusal::Asking => "asking",
            Refusal::Asked => "asked",
            Refusal::Unsealed => "unsealed",
            Refusal::Over => "over",
            Refusal::NotFor(_) => "not-for-you",
            Refusal::Unfit(_) => "unfit",
            Refusal::Stopped(_) => "stopped",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::NotSeated => "this device does not sit at the table",
            Refusal::Seated => "this device sits at the table already",
            Refusal::Waiting => "the house has not answered what was sent before",
            Refusal::Behind => "this device has not yet seen again what it knew",
            Refusal::Asking => "its own roll waits for witnesses",
            Refusal::Asked => "it is asked to be a witness",
            Refusal::Unsealed => "its seal is spent; a new one has to be laid first",
            Refusal::Over => "it has left, or the table is closed",
            Refusal::NotFor(_) => "only a game master may do this",
            Refusal::Unfit(why) => why,
            Refusal::Stopped(alarm) => return write!(f, "it signs nothing more: {alarm}"),
        })
    }
}

impl std::error::Error for Refusal {}
