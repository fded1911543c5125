//! Witnesses: who must be asked, and what they answered.
//!
//! The roller is asked too, and always: its value is what house and witnesses do not know until all else is fixed. Whether somebody is asked depends on
//! the rule of the table and the roller's role alone, so that a house that has a request cannot choose between two ways to roll it.
//!
//! A witness spends its seal when it is asked, answered or not. If some are silent, the others are asked once more with fresh values: so
//! somebody who falls silent at the right moment gets one other result for it, which nobody knows before, and not the best of all sets of those who spoke. If
//! the roller is silent, nothing is rolled.

use crate::bytes::{Hash, Seal, Signature, Value, hash};
use crate::formulas::{seal, testimony_text};
use crate::kind::Kind;
use crate::line::{self, Asked, Opened, Witness};
use crate::request::{self, Envelope, Role, is_rising};
use crate::wrong::{Trouble, Wrong, need};

use super::rolls::{Refusal, Roll, Waiting};
use super::seats::Signed;
use super::{Checker, Shown};

/// An ask that is open.
#[derive(Clone, Debug)]
pub(super) struct Open {
    /// The newest line that asked.
    pub(super) line: u64,
    hash: Hash,
    /// Who was asked, and the seal that was spent.
    asked: Vec<(u64, u64, Seal)>,
    /// Who missed before.
    missed: Vec<u64>,
    roll: Roll,
    /// The request, if it is open to all.
    request: Option<request::Roll>,
}

impl Open {
    pub(super) fn facts(&self) -> super::OpenAsk {
        super::OpenAsk {
            line: self.line,
            hash: self.hash,
            roller: self.roll.signed.seat as u64,
            asked: self.asked.iter().map(|(seat, m, _)| (*seat, *m)).collect(),
        }
    }

    /// Whether this is the roll of a seat.
    pub(super) fn is_by(&self, seat: usize) -> bool {
        self.roll.signed.seat == seat
    }

    /// Whether the roller is among these.
    fn is_roller_in(&self, seats: &[u64]) -> bool {
        seats.contains(&(self.roll.signed.seat as u64))
    }

    /// Whether a seat was asked and has not answered.
    pub(super) fn asks(&self, seat: usize) -> bool {
        self.asked.iter().any(|(asked, _, _)| *asked == seat as u64)
    }
}

impl Checker {
    /// Whether a roll of this seat needs witnesses: by rule and role, whoever is there.
    pub(super) fn needs_witnesses(&self, roller: usize) -> Result<bool, Wrong> {
        let role = self.seats.get(roller).map(|seat| seat.role);
        Ok(match self.table()?.witness {
            Witness::Always => true,
            Witness::Owner => matches!(role, Some(Role::Owner | Role::Door)),
            Witness::Never => false,
        })
    }

    /// Who has to be asked for a roll: all who can be, and the roller itself, here or not.
    fn witnesses_of(&self, roll: &Roll) -> Vec<Asked> {
        let roller = roll.signed.seat;
        let needed = roll.needs_witnesses && roll.refused.is_none();
        let can = |at: usize, seat: &super::Seat| match at == roller {
            true => seat.can_speak(),
            false => seat.can_be_asked(),
        };
        let seats = self.seats.iter().enumerate();
        let all = seats.filter(|(at, seat)| needed && can(*at, seat));
        all.map(|(at, seat)| (at as u64, seat.witness.0)).collect()
    }

    /// Nobody was asked, and nobody had to be.
    pub(super) fn nobody_to_ask(&self, roll: &Roll) -> Result<(), Wrong> {
        let needed = self.witnesses_of(roll);
        need(needed.is_empty(), || {
            let message = "witnesses were here and should have been asked";
            Wrong::new(Trouble::Witnesses, message).instead(in_words(&needed), "nobody was asked")
        })
    }

    pub(super) fn ask(&mut self, line: &line::Ask, own: &Hash) -> Result<Shown, Wrong> {
        let (signed, asked) = self.request::<request::Roll>(Kind::Ask, &line.request, &line.sig)?;
        self.check_open_request(&signed, &asked)?;
        self.asked(signed, Some(asked), &line.witnesses, own)
    }

    pub(super) fn ask_hidden(
        &mut self,
        line: &line::AskHidden,
        own: &Hash,
    ) -> Result<Shown, Wrong> {
        let envelope = Envelope { seat: line.seat, n: line.n, after: line.after };
        let signed = self.signed(Kind::AskHidden, &envelope, line.hash, &line.sig)?;
        self.asked(signed, None, &line.witnesses, own)
    }

    fn asked(
        &mut self,
        signed: Signed,
        request: Option<request::Roll>,
        witnesses: &[Asked],
        own: &Hash,
    ) -> Result<Shown, Wrong> {
        let mut roll = self.begun(signed)?;
        let needed = self.witnesses_of(&roll);
        need(!needed.is_empty() && needed == witnesses, || {
            let message = "those who are asked are not those who should be";
            Wrong::new(Trouble::Witnesses, message).instead(in_words(&needed), in_words(witnesses))
        })?;
        self.count_asked(&roll, witnesses);
        roll.others = witnesses.iter().any(|(seat, _)| *seat != signed.seat as u64);
        let asked = self.spend(witnesses);
        let line = self.chain.seq();
        self.ask = Some(Open { line, hash: *own, asked, missed: Vec::new(), roll, request });
        Ok(Shown::default())
    }

    /// Spends the seals of those who are asked.
    fn spend(&mut self, witnesses: &[Asked]) -> Vec<(u64, u64, Seal)> {
        let mut spent = Vec::with_capacity(witnesses.len());
        for (number, m) in witnesses {
            let seat = usize::try_from(*number).ok().and_then(|at| self.seats.get_mut(at));
            if let Some(seal) = seat.and_then(|seat| seat.witness.1.take()) {
                spent.push((*number, *m, seal));
            }
        }
        spent
    }

    pub(super) fn again(&mut self, line: &line::Again, own: &Hash) -> Result<Shown, Wrong> {
        let mut ask = self.answered(line.of, &line.opened, &line.missed)?;
        need(!line.missed.is_empty(), || {
            Wrong::new(Trouble::Witnesses, "it is asked again though everybody answered")
        })?;
        need(!ask.is_roller_in(&line.missed), || {
            let message = "the roller did not answer: nothing is rolled without it";
            Wrong::new(Trouble::Witnesses, message).instead(Kind::Close, Kind::Again)
        })?;
        let needed = self.going_on(&line.opened);
        need(!needed.is_empty() && needed == line.witnesses, || {
            let message = "those who are asked again are not those who answered";
            Wrong::new(Trouble::Witnesses, message)
                .instead(in_words(&needed), in_words(&line.witnesses))
        })?;
        ask.asked = self.spend(&needed);
        ask.missed.extend(&line.missed);
        (ask.line, ask.hash) = (self.chain.seq(), *own);
        self.ask = Some(ask);
        Ok(Shown::default())
    }

    /// Who is asked when somebody missed: who answered, which the roller did.
    fn going_on(&self, opened: &[Opened]) -> Vec<Asked> {
        let spoke = |at: usize| opened.iter().any(|(seat, ..)| *seat == at as u64);
        let on = self.seats.iter().enumerate().filter(|(at, _)| spoke(*at));
        on.map(|(at, seat)| (at as u64, seat.witness.0)).collect()
    }

    pub(super) fn close(&mut self, line: &line::Close) -> Result<Shown, Wrong> {
        let (roll, request) = self.closed(line.of, &line.opened, &line.missed)?;
        let Some(request) = request else {
            let wrong = Wrong::new(Trouble::Order, "the roll was asked for as a hidden one");
            return Err(wrong.instead(Kind::CloseHidden, Kind::Close));
        };
        let shown = self.shown(&roll, &request, &line.house, &line.dice, &line.outcome)?;
        self.done(&roll, &line.sealed)?;
        Ok(shown)
    }

    pub(super) fn close_hidden(&mut self, line: &line::CloseHidden) -> Result<Shown, Wrong> {
        let (roll, request) = self.closed(line.of, &line.opened, &line.missed)?;
        need(request.is_none(), || {
            let wrong = Wrong::new(Trouble::Order, "the roll was asked for as an open one");
            wrong.instead(Kind::Close, Kind::CloseHidden)
        })?;
        self.hide(roll, &line.sealed)
    }

    /// The end of an ask: all answered, or none, or not the roller.
    fn closed(
        &mut self,
        of: u64,
        opened: &[Opened],
        missed: &[u64],
    ) -> Result<(Roll, Option<request::Roll>), Wrong> {
        let ask = self.answered(of, opened, missed)?;
        let silent = ask.is_roller_in(missed);
        need(silent || missed.is_empty() || opened.is_empty(), || {
            let message = "some did not answer: the others should be asked again";
            Wrong::new(Trouble::Witnesses, message).instead(Kind::Again, Kind::Close)
        })?;
        let mut roll = ask.roll;
        roll.line = self.chain.seq();
        roll.silent = [&ask.missed[..], missed].concat();
        roll.silent.sort_unstable();
        let roller = roll.signed.seat as u64;
        if silent {
            roll.refused = Some(Refusal::Silent);
        } else {
            roll.witnesses = opened.iter().map(|(_, value, _, _)| *value).collect();
            let others = opened.iter().map(|(seat, ..)| *seat).filter(|seat| *seat != roller);
            roll.spoke = others.collect();
        }
        let seq = self.chain.seq();
        if let Some(seat) = self.seats.get_mut(roll.signed.seat) {
            seat.newest = seq;
        }
        Ok((roll, ask.request))
    }

    /// Takes the answers to the open ask.
    fn answered(&mut self, of: u64, opened: &[Opened], missed: &[u64]) -> Result<Open, Wrong> {
        let wrong = |message: &str| Wrong::new(Trouble::Witnesses, message.to_owned());
        let ask = self.ask.take().ok_or_else(|| wrong("nobody was asked"))?;
        need(of == ask.line, || {
            wrong("it is not about the newest line that asked").instead(ask.line, of)
        })?;
        let spoke: Vec<u64> = opened.iter().map(|(seat, ..)| *seat).collect();
        let mut all: Vec<u64> = spoke.iter().chain(missed).copied().collect();
        all.sort_unstable();
        let asked = ask.asked.iter().map(|(seat, _, _)| *seat);
        let complete =
            is_rising(&spoke) && is_rising(missed) && asked.clone().eq(all.iter().copied());
        need(complete, || {
            let message = "each witness that was asked stands once among those who answered or those who missed";
            wrong(message).instead(format!("{:?}", asked.collect::<Vec<_>>()), format!("{all:?}"))
        })?;
        for testimony in opened {
            self.testimony(&ask, testimony)?;
        }
        for number in missed.iter().filter(|seat| ask.roll.signed.seat as u64 != **seat) {
            let report = usize::try_from(*number).ok().and_then(|at| self.report.seats.get_mut(at));
            if let Some(report) = report {
                report.missed += 1;
            }
        }
        Ok(ask)
    }

    fn testimony(&mut self, ask: &Open, opened: &Opened) -> Result<(), Wrong> {
        let (number, value, next, sig): &(u64, Value, Seal, Signature) = opened;
        let wrong = |trouble: Trouble, message: &str| Wrong::new(trouble, message.to_owned());
        let asked = ask.asked.iter().find(|(seat, _, _)| seat == number);
        let at = usize::try_from(*number).unwrap_or(usize::MAX);
        let id = self.table()?.id;
        let (Some((_, m, sealed)), Some(seat)) = (asked, self.seats.get_mut(at)) else {
            return Err(wrong(Trouble::Witnesses, "somebody answered who was not asked"));
        };
        need(seal(value) == *sealed, || {
            wrong(Trouble::Seal, "the value of a witness is not the one that was sealed")
                .instead(sealed, seal(value))
        })?;
        let text = testimony_text(&id, &ask.hash, *number, *m, value, next);
        need(seat.has_signed(&text, sig), || {
            wrong(Trouble::Signature, "a testimony is not signed by the device of its witness")
        })?;
        seat.witness = (m + 1, Some(*next));
        self.lay(next)
    }

    /// Counts who was asked for a roll, and who sat there without being asked.
    pub(super) fn count_asked(&mut self, roll: &Roll, witnesses: &[Asked]) {
        if roll.refused.is_some() {
            return;
        }
        let roller = roll.signed.seat;
        for (at, (seat, report)) in self.seats.iter().zip(&mut self.report.seats).enumerate() {
            if at == roller || seat.left || seat.role == Role::Door {
                continue;
            }
            match witnesses.iter().any(|(asked, _)| *asked == at as u64) {
                true => report.asked += 1,
                false => report.passed_over += 1,
            }
        }
    }

    /// Keeps a hidden roll until it is revealed.
    pub(super) fn hide(&mut self, roll: Roll, sealed: &Seal) -> Result<Shown, Wrong> {
        let made = self.done(&roll, sealed)?;
        if let Some(report) = self.report.seats.get_mut(roll.signed.seat) {
            report.hidden += 1;
        }
        let told = self.told(&roll);
        self.hidden.insert(self.chain.seq(), Waiting { roll, revealed: false });
        Ok(Shown { key: None, made: Some(made), roll: Some(told) })
    }
}

/// `seat 1 (seal 4), seat 2 (seal 0)`
fn in_words(asked: &[Asked]) -> String {
    let words: Vec<String> =
        asked.iter().map(|(seat, m)| format!("seat {seat} (seal {m})")).collect();
    if words.is_empty() { "nobody".into() } else { words.join(", ") }
}

/// The hash of a request, for those that are shown in full.
pub(super) fn request_hash(text: &str) -> Hash {
    hash(text.as_bytes())
}
