//! From a log that is checked to the luck of each seat.
//!
//! A roll counts once, however often it is shown: of a hidden one, only whoever may see it knows its luck.

use std::collections::BTreeMap;

use astragal_fair::{Checker, Kind, Rolled, Taken};

use crate::rolls::{Luck, Roll};
use crate::tally::Tally;
use crate::why::Why;

/// What is known of a roll.
#[derive(Clone, Debug)]
enum Seen {
    /// Its dice are seen.
    Open(Box<Roll>),
    /// They are not, or there are none.
    Not(Why),
}

/// The rolls of a log, gathered line by line.
#[derive(Clone, Debug, Default)]
pub struct Evening {
    rolls: BTreeMap<u64, (u64, Seen)>,
}

/// The luck of everyone.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// By seat: whoever rolled.
    pub seats: BTreeMap<u64, Tally>,
    /// All of them together.
    pub all: Tally,
    /// Rolls that do not count: their line, whose they are, and why.
    pub others: Vec<(u64, u64, Why)>,
}

impl Evening {
    /// Takes what the checker says of a line.
    pub fn take(&mut self, checker: &Checker, taken: &Taken) {
        if let (Some(Kind::Typed), Some(line), Some(seat)) =
            (taken.kind, taken.seq, checker.newest_signer())
        {
            self.rolls.insert(line, (seat, Seen::Not(Why::Typed)));
        }
        if let Some(roll) = &taken.roll {
            self.roll(roll);
        }
    }

    /// Takes a roll that is shown, hidden, or shown to this reader alone.
    pub fn roll(&mut self, rolled: &Rolled) {
        let seen = match (&rolled.asked, rolled.key) {
            (Some(_), Some(_)) if !rolled.judged => Seen::Not(Why::OtherRules),
            (Some(asked), Some(key)) => Seen::Open(Box::new(Roll {
                line: rolled.line,
                seat: rolled.seat,
                text: asked.text.clone(),
                inputs: asked.inputs.clone(),
                rules: rolled.rules.clone(),
                key,
                value: None,
            })),
            _ if rolled.made.is_refused() => Seen::Not(Why::NoResult),
            _ => Seen::Not(Why::Hidden),
        };
        // Who has seen it goes on knowing it.
        let seen_before = matches!(self.rolls.get(&rolled.line), Some((_, Seen::Open(_))));
        if !seen_before {
            self.rolls.insert(rolled.line, (rolled.seat, seen));
        }
    }

    /// The luck of everyone so far.
    pub fn known(&self, luck: &mut Luck, checker: &Checker) -> Known {
        let mut known = Known::default();
        for (line, (seat, seen)) in &self.rolls {
            let weighed = match seen {
                _ if checker.is_struck(*line) => Err(Why::Struck),
                Seen::Not(why) => Err(*why),
                Seen::Open(roll) => luck.weigh(roll),
            };
            match weighed {
                Ok(weighed) => known.take(&weighed),
                Err(why) => known.others.push((*line, *seat, why)),
            }
        }
        known
    }
}

impl Known {
    /// Takes a roll that counts.
    pub fn take(&mut self, roll: &crate::Weighed) {
        self.seats.entry(roll.seat).or_default().take(roll);
        self.all.take(roll);
    }
}
