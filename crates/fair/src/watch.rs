//! What a device sees that no log shows: its own requests, its own testimony, its own presence, and the history that it knows already.
//!
//! Everything here is an alarm: the log may be well formed, but not the one that this device took part in. It signs nothing itself: that is `crates/seat`, which
//! stands on this.

use std::collections::HashMap;

use crate::alarm::Alarm;
use crate::bytes::{Hash, Id, Key, hash};
use crate::check::{Checker, Taken};
use crate::exact;
use crate::formulas::head_text;
use crate::line::{self, Head, Line, Opened};
use crate::request;
use crate::wrong::{Trouble, Wrong};

/// Takes the lines of a table as they come, for one seat or for somebody who only looks on.
#[derive(Clone, Debug)]
pub struct Watch {
    checker: Checker,
    /// The table that the device was sent to.
    table: Option<Id>,
    /// The key of the seat, by which it knows its own line.
    key: Option<Key>,
    seat: Option<u64>,
    /// Whether the device is connected, and sees what happens as it happens.
    here: bool,
    /// The text of the request that this device has sent and not seen.
    sent: Option<String>,
    /// What it has last testified, for which line.
    testified: Option<(u64, Opened)>,
    /// Lines whose testimony the house has acknowledged; of an ask that is over, none.
    received: Vec<u64>,
    /// The newest head that the house has signed: number and hash of its line, and its text.
    head: Option<(u64, Hash, String)>,
    /// The line that the device knew before it was started again.
    remembered: Option<(u64, Hash)>,
}

/// A line that fits.
#[derive(Clone, Debug)]
pub struct Seen {
    /// What stands in it.
    pub line: Line,
    /// What the checker says of it.
    pub taken: Taken,
    /// What this device knows to be otherwise.
    pub alarms: Vec<Alarm>,
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
        let own = hash(first.as_bytes());
        let same = *self.known.entry(table.table).or_insert(own) == own;
        if same { Ok(()) } else { Err(Alarm::SecondBeginning) }
    }
}

impl Watch {
    /// Somebody who looks on.
    pub fn new(checker: Checker, table: Option<Id>) -> Watch {
        Watch {
            checker,
            table,
            key: None,
            seat: None,
            here: false,
            sent: None,
            testified: None,
            received: Vec::new(),
            head: None,
            remembered: None,
        }
    }

    /// The same for a device that is in a seat, whose line comes or has come.
    pub fn of_seat(seat: u64) -> Watch {
        Watch { seat: Some(seat), here: true, ..Watch::new(Checker::new(), None) }
    }

    /// What the checker knows.
    pub fn checker(&self) -> &Checker {
        &self.checker
    }

    /// The same, to ask it about what is not in the log.
    pub fn checker_mut(&mut self) -> &mut Checker {
        &mut self.checker
    }

    /// Its seat, once its line is there.
    pub fn seat(&self) -> Option<u64> {
        self.seat
    }

    /// The device sits down with this key.
    pub fn begins(&mut self, key: Key) {
        (self.key, self.seat) = (Some(key), None);
    }

    /// The device knew this line before it was started again.
    pub fn remembers(&mut self, line: u64, hash: Hash) {
        self.remembered = Some((line, hash));
    }

    /// The line that it knew and has not seen again.
    pub fn remembered(&self) -> Option<u64> {
        self.remembered.map(|(line, _)| line)
    }

    /// Whether it is connected.
    pub fn is_here(&mut self, here: bool) {
        self.here = here;
    }

    /// This request was sent.
    pub fn sends(&mut self, request: &str) {
        self.sent = Some(request.to_owned());
    }

    /// Whether its line is not there yet.
    pub fn waits(&self) -> bool {
        self.sent.is_some()
    }

    /// The newest line asked, and was answered so.
    pub fn answers(&mut self, line: u64, opened: Opened) {
        self.testified = Some((line, opened));
    }

    /// The house has acknowledged the answer to this line.
    pub fn was_received(&mut self, line: u64) {
        self.received.push(line);
    }

    /// Takes a head, and keeps the newest.
    pub fn head(&mut self, text: &str) -> Result<(), Alarm> {
        let head: Head = exact::read(text).map_err(Alarm::Wrong)?;
        let wrong = |message: &str| Alarm::Wrong(Wrong::plain(Trouble::Head, message));
        if Some(head.table) != self.checker.id() {
            return Err(wrong("the head is that of another table"));
        }
        if head.seq >= self.checker.next() {
            return Err(wrong("the head is that of a line that this device has not"));
        }
        let newest = head.seq + 1 == self.checker.next();
        let signed =
            self.checker.is_by_house(&head_text(&head.table, head.seq, &head.hash), &head.sig);
        let same = self.checker.find(&head.hash) == Some(head.seq);
        match (same, signed) {
            (false, true) => return Err(Alarm::OtherHistory(head.seq)),
            (false, false) => return Err(wrong("the head is that of another line")),
            // An older line may have the head of a house that was before this one.
            (true, false) if newest => return Err(wrong("the head is not signed by the house")),
            (true, _) => {}
        }
        if newest {
            self.head = Some((head.seq, head.hash, text.to_owned()));
        }
        Ok(())
    }

    /// The newest head that it holds: the proof, should its line be missing from a log later.
    pub fn newest_head(&self) -> Option<&str> {
        self.head.as_ref().map(|(_, _, text)| text.as_str())
    }

    /// Whether the newest line asks this seat, which sees it as it happens, and its head is held. Before that no seal is opened.
    pub fn may_testify(&self) -> Result<line::Asked, Alarm> {
        let ask = self.checker.open_ask().filter(|ask| ask.line + 1 == self.checker.next());
        let held = self.head.as_ref().map(|(line, ..)| line + 1) == Some(self.checker.next());
        let asked = ask.filter(|_| held && self.here && self.remembered.is_none());
        let asked =
            asked.and_then(|ask| ask.asked.into_iter().find(|(seat, _)| Some(*seat) == self.seat));
        asked.ok_or(Alarm::Unproven)
    }

    /// The house says that this is its newest line.
    pub fn stands_at(&self, line: u64, own: &Hash) -> Result<(), Alarm> {
        let newest = self.checker.next().checked_sub(1);
        let newest = newest.into_iter().chain(self.remembered()).max();
        match self.checker.find(own) {
            Some(at) if at == line => {}
            _ if line < self.checker.next() => return Err(Alarm::OtherHistory(line)),
            _ => {}
        }
        newest.filter(|newest| line < *newest).map_or(Ok(()), |newest| Err(Alarm::CutOff(newest)))
    }

    /// Whether this is a line that it has. One with the number of a known line that is not that line is another history.
    pub fn knows(&self, text: &str) -> Result<bool, Alarm> {
        match line::number(text) {
            Some(number) if number < self.checker.next() => {
                let same = self.checker.find(&hash(text.as_bytes())) == Some(number);
                if same { Ok(true) } else { Err(Alarm::OtherHistory(number)) }
            }
            _ => Ok(false),
        }
    }

    /// Takes the next line.
    pub fn line(&mut self, text: &str) -> Result<Seen, Alarm> {
        let own = hash(text.as_bytes());
        self.is_remembered(&own)?;
        let (line, taken) = self.checker.step(text).map_err(Alarm::Wrong)?;
        let mut alarms = Vec::new();
        match &line {
            Line::Table(first) if self.table.is_some_and(|table| table != first.table) => {
                return Err(Alarm::AnotherTable);
            }
            Line::Present(line) => alarms.extend(self.called_away(&line.seats)),
            Line::Again(line) => alarms.extend(self.heard(line.of, &line.opened, &line.missed)?),
            Line::Close(line) => alarms.extend(self.heard(line.of, &line.opened, &line.missed)?),
            Line::CloseHidden(line) => {
                alarms.extend(self.heard(line.of, &line.opened, &line.missed)?);
            }
            other => self.compare(other)?,
        }
        if self.remembered.is_some_and(|(_, known)| known == own) {
            self.remembered = None;
        }
        Ok(Seen { line, taken, alarms })
    }

    /// The line with the number of the one that it knew must be that line.
    fn is_remembered(&self, own: &Hash) -> Result<(), Alarm> {
        match self.remembered {
            Some((line, known)) if line == self.checker.next() && known != *own => {
                Err(Alarm::OtherHistory(line))
            }
            _ => Ok(()),
        }
    }

    fn called_away(&self, seats: &[u64]) -> Option<Alarm> {
        let away = self.here && self.seat.is_some_and(|seat| !seats.contains(&seat));
        away.then_some(Alarm::CalledAway)
    }

    /// What the house says of this device's testimony.
    fn heard(
        &mut self,
        of: u64,
        opened: &[Opened],
        missed: &[u64],
    ) -> Result<Option<Alarm>, Alarm> {
        let Some(seat) = self.seat else { return Ok(None) };
        let received = self.received.contains(&of);
        self.received.retain(|line| *line > of);
        if missed.contains(&seat) {
            return Ok(received.then_some(Alarm::CalledSilent));
        }
        let spoken = opened.iter().find(|(by, ..)| *by == seat);
        let known = self.testified.as_ref().filter(|(line, _)| *line == of).map(|(_, own)| own);
        // Of what happened before it was started again, it cannot know.
        let forgot = self.key.is_none() || self.remembered.is_some();
        let same = spoken.is_none() || spoken == known || forgot;
        if same { Ok(None) } else { Err(Alarm::NotSent) }
    }

    /// A signed line of this seat must be the request that it has sent.
    fn compare(&mut self, line: &Line) -> Result<(), Alarm> {
        let Some(by) = self.checker.newest_signer() else { return Ok(()) };
        if let Line::Seat(line) = line {
            return self.sits(by, &line.request);
        }
        if Some(by) != self.seat {
            return Ok(());
        }
        let same = self.sent.as_ref().is_some_and(|sent| bears(line, sent));
        self.settles(same)
    }

    /// What it has sent is there. What was written before the line that it remembers, it may have sent and forgotten.
    fn settles(&mut self, same: bool) -> Result<(), Alarm> {
        if same {
            self.sent = None;
        }
        if same || self.remembered.is_some() { Ok(()) } else { Err(Alarm::NotSent) }
    }

    /// Somebody sits down, perhaps this device.
    fn sits(&mut self, number: u64, request: &str) -> Result<(), Alarm> {
        let id = self.checker.id().unwrap_or_default();
        let (_, asked) = request::read::<request::Seat>(request, &id).map_err(Alarm::Wrong)?;
        if Some(asked.key) != self.key {
            return Ok(());
        }
        self.seat = Some(number);
        let same = self.sent.as_ref().is_some_and(|sent| sent == request);
        self.settles(same)
    }
}

/// Whether a line bears a request: its text, or its hash where it was sent as hidden.
fn bears(line: &Line, sent: &str) -> bool {
    match line {
        Line::Roll(line) => line.request == sent,
        Line::Ask(line) => line.request == sent,
        Line::Reveal(line) => line.request == sent,
        Line::Typed(line) => line.request == sent,
        Line::Act(_, line) => line.request == sent,
        Line::Hidden(line) => line.hash == hash(sent.as_bytes()),
        Line::AskHidden(line) => line.hash == hash(sent.as_bytes()),
        _ => false,
    }
}
