//! What a device sees that no log shows: its own requests, its own testimony, its own presence.
//!
//! Everything here is an alarm: the log may be well formed, but not the one that this device took part in.

use std::collections::{HashMap, HashSet};

use crate::bytes::{Hash, Id};
use crate::check::{Checker, Taken};
use crate::kind::Kind;
use crate::line::{self, Line};
use crate::wrong::Wrong;

/// Takes the lines of a table as they come, for one seat.
#[derive(Clone, Debug)]
pub struct Watch {
    checker: Checker,
    seat: u64,
    /// Lines that asked and that this device has answered.
    answered: HashSet<u64>,
    /// The text of the request that this device has sent and not seen.
    sent: Option<String>,
    /// Heads that the house has signed, by the hash of their line: the proof, should that line be missing from a log later.
    heads: HashMap<Hash, String>,
    /// Whether the newest line asks this seat.
    asked: bool,
    seq: u64,
    prev: Hash,
}

/// Why a device stops and tells its person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Alarm {
    /// The line does not fit.
    Wrong(Wrong),
    /// The device is here, and the house says that it is not.
    CalledAway,
    /// The device has answered, and the house says that it has not.
    CalledSilent,
    /// A request stands there in its name that it has not sent, or not so.
    NotSent,
    /// It should open its seal for a line that does not ask it, or whose head the house has not signed.
    Unproven,
    /// A table with the id of one that it knows begins otherwise.
    SecondBeginning,
}

/// The tables that a device knows: a second first line with a known id would have it open the same values twice.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    known: HashMap<Id, Hash>,
}

impl Tables {
    /// Takes the first line of a table that the device sits down at, or comes back to.
    pub fn meets(&mut self, first: &str) -> Result<(), Alarm> {
        let Line::Table(table) = line::read(first, 0, &Hash::ZERO).map_err(Alarm::Wrong)? else {
            return Err(Alarm::SecondBeginning);
        };
        let own = crate::bytes::hash(first.as_bytes());
        let same = *self.known.entry(table.table).or_insert(own) == own;
        if same { Ok(()) } else { Err(Alarm::SecondBeginning) }
    }
}

impl Watch {
    /// A device that has sat down in a line that the checker has taken.
    pub fn new(seat: u64) -> Watch {
        Watch {
            checker: Checker::new(),
            seat,
            answered: HashSet::new(),
            sent: None,
            heads: HashMap::new(),
            asked: false,
            seq: 0,
            prev: Hash::ZERO,
        }
    }

    /// This request was sent.
    pub fn sends(&mut self, request: &str) {
        self.sent = Some(request.to_owned());
    }

    /// The line with this number asked, and was answered.
    pub fn answers(&mut self, line: u64) {
        self.answered.insert(line);
    }

    /// Takes the head of the newest line, and keeps it.
    pub fn head(&mut self, text: &str) -> Result<(), Alarm> {
        let (_, hash) = self.checker.signed_head(text).map_err(Alarm::Wrong)?;
        self.heads.insert(hash, text.to_owned());
        Ok(())
    }

    /// The head of a line, if the house has signed one.
    pub fn kept_head(&self, line: &Hash) -> Option<&str> {
        self.heads.get(line).map(String::as_str)
    }

    /// Before a seal is opened: the newest line asks this seat, and its head is held. The line counts as answered from then on.
    pub fn testifies(&mut self) -> Result<(), Alarm> {
        if !self.asked || !self.heads.contains_key(&self.prev) {
            return Err(Alarm::Unproven);
        }
        self.asked = false;
        self.answers(self.seq - 1);
        Ok(())
    }

    /// The newest line: what the next request comes after.
    pub fn newest(&self) -> Hash {
        self.prev
    }

    /// Takes the next line.
    pub fn line(&mut self, text: &str) -> Result<Taken, Alarm> {
        let line = line::read(text, self.seq, &self.prev).map_err(Alarm::Wrong)?;
        let taken = self.checker.line(text).map_err(Alarm::Wrong)?;
        self.seq += 1;
        self.prev = crate::bytes::hash(text.as_bytes());
        let asks = |asked: &[line::Asked]| asked.iter().any(|(seat, _)| *seat == self.seat);
        self.asked = match &line {
            Line::Ask(line) => asks(&line.witnesses),
            Line::AskHidden(line) => asks(&line.witnesses),
            Line::Again(line) => asks(&line.witnesses),
            _ => false,
        };
        match &line {
            Line::Present(line) if self.seq > 1 && !line.seats.contains(&self.seat) => {
                return Err(Alarm::CalledAway);
            }
            Line::Again(line) => self.heard(line.of, &line.missed)?,
            Line::Close(line) => self.heard(line.of, &line.missed)?,
            Line::CloseHidden(line) => self.heard(line.of, &line.missed)?,
            other => self.compare(other)?,
        }
        Ok(taken)
    }

    fn heard(&self, of: u64, missed: &[u64]) -> Result<(), Alarm> {
        let silent = missed.contains(&self.seat) && self.answered.contains(&of);
        if silent { Err(Alarm::CalledSilent) } else { Ok(()) }
    }

    /// A signed line of this seat must be the request that it has sent.
    fn compare(&mut self, line: &Line) -> Result<(), Alarm> {
        let Some(seat) = self.checker.newest_signer().filter(|_| line.kind() != Kind::Seat) else {
            return Ok(());
        };
        if seat != self.seat {
            return Ok(());
        }
        let sent = self.sent.take();
        let same = match (line, &sent) {
            (Line::Roll(line), Some(sent)) => line.request == *sent,
            (Line::Ask(line), Some(sent)) => line.request == *sent,
            (Line::Reveal(line), Some(sent)) => line.request == *sent,
            (Line::Typed(line), Some(sent)) => line.request == *sent,
            (Line::Act(_, line), Some(sent)) => line.request == *sent,
            (Line::Hidden(line), Some(sent)) => line.hash == crate::bytes::hash(sent.as_bytes()),
            (Line::AskHidden(line), Some(sent)) => line.hash == crate::bytes::hash(sent.as_bytes()),
            _ => false,
        };
        if same { Ok(()) } else { Err(Alarm::NotSent) }
    }
}
