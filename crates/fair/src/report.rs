//! What was found in a log that fits, counted.

use crate::bytes::{Hash, Id};
use crate::request::Role;

/// Who took part in a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Made {
    /// Others were asked with the roller, and all of them answered.
    Witnessed,
    /// No other was asked: the roller's device and the house.
    Alone,
    /// Somebody who was asked did not answer; others went on to the end.
    Missing,
    /// All others who were asked fell silent: as if they had not been asked.
    Deserted,
    /// The roll came through a door without witnesses: the house alone.
    House,
    /// Refused by the house, which may have known the result: it sealed anew, or changed its engine, under a request.
    Vetoed,
    /// Refused, for the roller was asked and did not answer.
    Silent,
    /// Refused, for the roller's own seal was spent: there was no result.
    Unsealed,
}

impl Made {
    /// As machines are told it.
    pub fn name(self) -> &'static str {
        match self {
            Made::Witnessed => "witnessed",
            Made::Alone => "alone",
            Made::Missing => "missing",
            Made::Deserted => "deserted",
            Made::House => "house",
            Made::Vetoed => "vetoed",
            Made::Silent => "silent",
            Made::Unsealed => "unsealed",
        }
    }

    /// Whether nothing was rolled.
    pub fn is_refused(self) -> bool {
        match self {
            Made::Vetoed | Made::Silent | Made::Unsealed => true,
            Made::Witnessed | Made::Alone | Made::Missing | Made::Deserted | Made::House => false,
        }
    }
}

/// A roll that the house refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Veto {
    /// The line that shows it.
    pub line: u64,
    /// Whose roll it is.
    pub seat: usize,
    /// What would have fallen, by this version, if that can be known: `value 14`.
    pub would: Option<String>,
}

/// A log, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The table.
    pub table: Option<Id>,
    /// How many lines it has, without the head.
    pub lines: u64,
    /// The number and the hash of its last line.
    pub head: Option<(u64, Hash)>,
    /// Its seats.
    pub seats: Vec<SeatReport>,
    /// How often the house rules were changed.
    pub rules: u64,
    /// Rolls by rules that were no longer the newest.
    pub by_older_rules: u64,
    /// How often the house sealed anew.
    pub reseals: u64,
    /// How often the table went to another house.
    pub moves: u64,
    /// Outcomes that this version cannot judge: the rules that are built in were others.
    pub unsure: u64,
    /// Rolls that the house refused, as far as they are open.
    pub vetoes: Vec<Veto>,
    /// The line that asks witnesses, if the log ends before they answer.
    pub open_ask: Option<u64>,
    /// Whether the table was closed.
    pub ended: bool,
}

/// A seat, counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatReport {
    /// What it is called.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// Its rolls that were witnessed.
    pub witnessed: u64,
    /// Its rolls for which nobody was asked.
    pub alone: u64,
    /// Its rolls for which witnesses are missing, and others went on.
    pub missing: u64,
    /// Its rolls that all witnesses left.
    pub deserted: u64,
    /// Its rolls that the house refused.
    pub vetoed: u64,
    /// Its rolls that were refused because it fell silent itself.
    pub silent: u64,
    /// Its rolls that were refused because its own seal was spent.
    pub unsealed: u64,
    /// Its rolls by the house alone.
    pub house: u64,
    /// How many of these were hidden.
    pub hidden: u64,
    /// How many of the hidden ones were revealed.
    pub revealed: u64,
    /// How many of these were refused, for whatever reason, as far as that can be seen.
    pub refused: u64,
    /// What it typed from real dice.
    pub typed: u64,
    /// How many of these or of its rolls were struck.
    pub struck: u64,
    /// Rolls of others for which it was asked.
    pub asked: u64,
    /// Rolls of others for which it was asked and did not answer.
    pub missed: u64,
    /// Rolls of others for which it was not asked, though it sat there.
    pub passed_over: u64,
}

impl SeatReport {
    pub(crate) fn new(name: String, role: Role) -> SeatReport {
        SeatReport {
            name,
            role,
            witnessed: 0,
            alone: 0,
            missing: 0,
            deserted: 0,
            vetoed: 0,
            silent: 0,
            unsealed: 0,
            house: 0,
            hidden: 0,
            revealed: 0,
            refused: 0,
            typed: 0,
            struck: 0,
            asked: 0,
            missed: 0,
            passed_over: 0,
        }
    }

    /// All its rolls, but for typed ones.
    pub fn rolls(&self) -> u64 {
        let refused = self.vetoed + self.silent + self.unsealed;
        self.witnessed + self.alone + self.missing + self.deserted + self.house + refused
    }

    /// How many of its rolls are called so.
    pub fn made(&self, made: Made) -> u64 {
        match made {
            Made::Witnessed => self.witnessed,
            Made::Alone => self.alone,
            Made::Missing => self.missing,
            Made::Deserted => self.deserted,
            Made::House => self.house,
            Made::Vetoed => self.vetoed,
            Made::Silent => self.silent,
            Made::Unsealed => self.unsealed,
        }
    }

    pub(crate) fn count(&mut self, made: Made) {
        match made {
            Made::Witnessed => self.witnessed += 1,
            Made::Alone => self.alone += 1,
            Made::Missing => self.missing += 1,
            Made::Deserted => self.deserted += 1,
            Made::Vetoed => self.vetoed += 1,
            Made::Silent => self.silent += 1,
            Made::Unsealed => self.unsealed += 1,
            Made::House => self.house += 1,
        }
    }
}

impl Report {
    /// A number of all seats together.
    pub fn total(&self, of: impl Fn(&SeatReport) -> u64) -> u64 {
        self.seats.iter().map(of).sum()
    }

    /// Whether all outcomes could be judged.
    pub fn is_sure(&self) -> bool {
        self.unsure == 0
    }
}
