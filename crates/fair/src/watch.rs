//! What a device sees that no log shows: its own requests, its own testimony, its own presence.
//!
//! Everything here is an alarm: the log may be well formed, but not the one that this device took part in.

use std::collections::HashSet;

use crate::bytes::Hash;
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
}

impl Watch {
    /// A device that has sat down in a line that the checker has taken.
    pub fn new(seat: u64) -> Watch {
        let (answered, sent) = (HashSet::new(), None);
        Watch { checker: Checker::new(), seat, answered, sent, seq: 0, prev: Hash::ZERO }
    }

    /// This request was sent.
    pub fn sends(&mut self, request: &str) {
        self.sent = Some(request.to_owned());
    }

    /// The line with this number asked, and was answered.
    pub fn answers(&mut self, line: u64) {
        self.answered.insert(line);
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
