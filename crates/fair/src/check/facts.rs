//! What a device may ask of the log so far.

use crate::bytes::{Hash, Id, Key, Seal};
use crate::kind::Kind;
use crate::line::{Limits, Witness};
use crate::request::Role;

use super::Checker;

/// A seat, as far as the log has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatFacts {
    /// Its key.
    pub key: Key,
    /// What it may do.
    pub role: Role,
    /// The number of its next request.
    pub n: u64,
    /// Its newest line.
    pub newest: u64,
    /// Whether the house says that it is here.
    pub present: bool,
    /// Whether it has left.
    pub left: bool,
    /// The number of its newest seal as a witness.
    pub m: u64,
    /// That seal, unless it is spent.
    pub seal: Option<Seal>,
    /// The seal that the house has laid for it.
    pub sealed: Seal,
}

/// An ask that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenAsk {
    /// The newest line that asked.
    pub line: u64,
    /// Its hash.
    pub hash: Hash,
    /// Whose roll it is.
    pub roller: u64,
    /// Who was asked, and for which seal.
    pub asked: Vec<(u64, u64)>,
}

impl Checker {
    /// The number of the next line.
    pub fn next(&self) -> u64 {
        self.chain.seq()
    }

    /// The hash of the newest line; zeros before the first.
    pub fn newest(&self) -> Hash {
        self.chain.prev
    }

    /// The id of the table.
    pub fn id(&self) -> Option<Id> {
        self.table.as_ref().map(|table| table.id)
    }

    /// When witnesses are asked.
    pub fn witness(&self) -> Option<Witness> {
        self.table.as_ref().map(|table| table.witness)
    }

    /// What a roll may cost.
    pub fn limits(&self) -> Option<Limits> {
        self.table.as_ref().map(|table| table.limits)
    }

    /// The library of the house's engine.
    pub fn house_library(&self) -> Option<Hash> {
        self.table.as_ref().map(super::house::Table::library)
    }

    /// The kind of a line.
    pub fn kind(&self, line: u64) -> Option<Kind> {
        self.chain.kind(line)
    }

    /// Whether a roll of this seat needs its own testimony.
    pub fn needs_testimony(&self, seat: u64) -> bool {
        let at = usize::try_from(seat).unwrap_or(usize::MAX);
        self.needs_witnesses(at).unwrap_or(false)
    }

    /// The seat that signed the newest line, if one did.
    pub fn newest_signer(&self) -> Option<u64> {
        self.signer
    }

    /// How many seats there are.
    pub fn seats(&self) -> u64 {
        self.seats.len() as u64
    }

    /// A seat.
    pub fn seat(&self, number: u64) -> Option<SeatFacts> {
        let at = usize::try_from(number).ok()?;
        self.seats.get(at).map(super::Seat::facts)
    }

    /// The ask that is open.
    pub fn open_ask(&self) -> Option<OpenAsk> {
        self.ask.as_ref().map(super::Open::facts)
    }

    /// Whether a line is a hidden roll that was not revealed.
    pub fn is_hidden(&self, line: u64) -> bool {
        self.hidden.get(&line).is_some_and(|waiting| !waiting.revealed)
    }

    /// Whether the roll of a line, the one in which it was rolled, is struck.
    pub fn is_struck(&self, line: u64) -> bool {
        self.struck.contains(&line)
    }

    /// Whether the house has signed this.
    pub fn is_by_house(&self, text: &str, signature: &crate::Signature) -> bool {
        self.table.as_ref().is_some_and(|table| table.house.has_signed(text, signature))
    }
}
