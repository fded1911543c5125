//! Rolls: from an opened value to dice and outcome.

use std::sync::Arc;

use crate::bytes::{Hash, Seal, Value};
use crate::formulas::{roll_key, seal};
use crate::kind::Kind;
use crate::line::{self, Dice, How, Outcome};
use crate::programs::Wanted;
use crate::report::{Made, Veto};
use crate::request::{self, Envelope, For, Role, To, check_inputs};
use crate::throws::are_drawn;
use crate::wrong::{Trouble, Wrong, need};

use super::asks::request_hash;
use super::seats::Signed;
use super::{Checker, Shown};

/// A roll that was asked for.
#[derive(Clone, Debug)]
pub(super) struct Roll {
    pub(super) signed: Signed,
    /// The house's seal for it.
    sealed: Seal,
    /// Why it cannot be rolled, whatever its program.
    pub(super) refused: Option<Refusal>,
    /// The value by which it would have been rolled, had the house not sealed anew.
    retired: Option<Value>,
    /// Whether it needs witnesses, by rule and role.
    pub(super) needs_witnesses: bool,
    /// Whether others than the roller were asked.
    pub(super) others: bool,
    /// Whether none of these went on to the end.
    pub(super) deserted: bool,
    /// Whether it was revealed before, and counted.
    counted: bool,
    /// Whether the house's engine has the library of this one.
    same_library: bool,
    /// The values of its witnesses.
    pub(super) witnesses: Vec<Value>,
    /// Somebody who was asked did not answer.
    pub(super) missed: bool,
}

/// Why something is not rolled, whatever its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The house has sealed anew since.
    Late,
    /// The house has another engine since.
    Language,
    /// The roller should be asked, and its seal is spent.
    Unsealed,
    /// The roller was asked and did not answer.
    Silent,
}

impl Refusal {
    fn name(self) -> &'static str {
        match self {
            Refusal::Late => "late",
            Refusal::Language => "language",
            Refusal::Unsealed => "unsealed",
            Refusal::Silent => "silent",
        }
    }
}

/// A hidden roll.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) roll: Roll,
    /// Roller and owner may both reveal it; it is counted once.
    pub(super) revealed: bool,
}

impl Checker {
    /// A roll for which nobody was asked.
    pub(super) fn roll(&mut self, line: &line::Roll) -> Result<Shown, Wrong> {
        let (signed, asked) =
            self.request::<request::Roll>(Kind::Roll, &line.request, &line.sig)?;
        self.check_open_request(&signed, &asked)?;
        let roll = self.begun(signed)?;
        self.nobody_to_ask(&roll)?;
        self.count_asked(&roll, &[]);
        let shown = self.shown(&roll, &asked, &line.house, &line.dice, &line.outcome)?;
        self.done(&roll, &line.sealed)?;
        Ok(shown)
    }

    /// The same, not for all to see.
    pub(super) fn hidden(&mut self, line: &line::Hidden) -> Result<Shown, Wrong> {
        let envelope = Envelope { seat: line.seat, n: line.n, after: line.after };
        let signed = self.signed(Kind::Hidden, &envelope, line.hash, &line.sig)?;
        let roll = self.begun(signed)?;
        self.nobody_to_ask(&roll)?;
        self.count_asked(&roll, &[]);
        self.hide(roll, &line.sealed)
    }

    /// A hidden roll is shown.
    pub(super) fn reveal(&mut self, line: &line::Reveal) -> Result<Shown, Wrong> {
        let (signed, asked) =
            self.request::<request::Reveal>(Kind::Reveal, &line.request, &line.sig)?;
        let wrong = |message: &str| Wrong::new(Trouble::Reveal, message.to_owned());
        let known = self.hidden.get_mut(&asked.of).filter(|_| asked.of <= signed.after_at);
        let waiting = known.ok_or_else(|| wrong("it names no earlier hidden roll"))?;
        let first = !std::mem::replace(&mut waiting.revealed, true);
        let roll = Roll { counted: !first, ..waiting.roll.clone() };
        let (envelope, hidden) = request::read::<request::Roll>(&line.roll, &self.table()?.id)?;
        let found = request_hash(&line.roll);
        need(found == roll.signed.hash, || {
            wrong("the request is not the one that was hidden").instead(roll.signed.hash, found)
        })?;
        let Signed { seat, n, after, .. } = roll.signed;
        need(envelope == Envelope { seat: seat as u64, n, after }, || {
            wrong("the request is not the one that was signed")
        })?;
        self.check_request(&roll.signed, &hidden)?;
        need(hidden.to != To::All, || wrong("a hidden roll was meant for all to see"))?;
        let owner = self.seats.get(signed.seat).is_some_and(|seat| seat.role == Role::Owner);
        let may = signed.seat == seat || owner && hidden.to != To::Myself;
        need(may, || {
            Wrong::new(Trouble::Seat, "only the roller or a game master may reveal this")
        })?;
        self.chain.rollers.insert(self.chain.seq(), seat);
        let shown = self.shown(&roll, &hidden, &line.house, &line.dice, &line.outcome)?;
        if let Some(report) = self.report.seats.get_mut(seat) {
            report.revealed += u64::from(first);
        }
        Ok(Shown { made: None, ..shown })
    }

    /// What a request for a roll may say.
    fn check_request(&self, signed: &Signed, asked: &request::Roll) -> Result<(), Wrong> {
        self.check_text(&asked.text)?;
        check_inputs(&asked.inputs)?;
        self.check_to(&asked.to)?;
        self.check_for(signed, &asked.r#for)
    }

    pub(super) fn check_open_request(
        &self,
        signed: &Signed,
        asked: &request::Roll,
    ) -> Result<(), Wrong> {
        self.check_request(signed, asked)?;
        let open = asked.to == To::All;
        need(open, || {
            Wrong::new(Trouble::Request, "a roll that is not for all to see is shown to all")
        })
    }

    /// A program is not longer than the table allows.
    pub(super) fn check_text(&self, text: &str) -> Result<(), Wrong> {
        let most = self.table()?.limits.text;
        need(text.len() as u64 <= most, || {
            let message = "the program is longer than the table allows";
            Wrong::new(Trouble::Request, message)
                .instead(format!("at most {most} bytes"), text.len())
        })
    }

    pub(super) fn check_to(&self, to: &To) -> Result<(), Wrong> {
        let last = match to {
            To::Seats(seats) => seats.last().copied(),
            To::All | To::Owner | To::Myself => None,
        };
        let fits = last.is_none_or(|last| last < self.seats.len() as u64);
        need(fits, || Wrong::new(Trouble::Request, "it is for a seat that there is not"))
    }

    pub(super) fn check_for(&self, signed: &Signed, r#for: &For) -> Result<(), Wrong> {
        let fits = match r#for {
            For::Call(line) => {
                *line <= signed.after_at && self.chain.kind(*line) == Some(Kind::Call)
            }
            For::Nothing | For::Label(_) => true,
        };
        need(fits, || Wrong::new(Trouble::Request, "its `for` names no earlier call"))
    }

    /// What is settled about a roll when its request is written down.
    pub(super) fn begun(&self, signed: Signed) -> Result<Roll, Wrong> {
        let table = self.table()?;
        let seat = self.seats.get(signed.seat);
        let seat = seat.ok_or_else(|| Wrong::new(Trouble::Seat, "there is no such seat"))?;
        let (sealed, sealed_at) = seat.sealed;
        let needs_witnesses = self.needs_witnesses(signed.seat)?;
        let unsealed = needs_witnesses && seat.role != Role::Door && !seat.can_speak();
        let refused = match () {
            () if signed.after_at < sealed_at => Some(Refusal::Late),
            () if signed.after_at < table.library.1 => Some(Refusal::Language),
            () if unsealed => Some(Refusal::Unsealed),
            () => None,
        };
        // The first value that was retired after the request is the one that it was made for.
        let retired = seat.retired.iter().find(|(line, _)| *line > signed.after_at);
        Ok(Roll {
            signed,
            sealed,
            refused,
            retired: retired.map(|(_, value)| *value),
            needs_witnesses,
            others: false,
            deserted: false,
            counted: false,
            same_library: table.library.0 == self.own_library,
            witnesses: Vec::new(),
            missed: false,
        })
    }

    /// The house rules that hold for a request.
    pub(super) fn rules_at(&self, line: u64) -> Option<&Arc<str>> {
        self.rules.iter().rev().find(|(since, _)| *since <= line).map(|(_, text)| text)
    }

    /// Checks what is shown of a roll: the value, the dice, and what they come to.
    pub(super) fn shown(
        &mut self,
        roll: &Roll,
        asked: &request::Roll,
        house: &Value,
        dice: &Dice,
        outcome: &Outcome,
    ) -> Result<Shown, Wrong> {
        let found = seal(house);
        need(found == roll.sealed, || {
            let message = "the value that the house opened is not the one that it had sealed";
            Wrong::new(Trouble::Seal, message).instead(roll.sealed, found)
        })?;
        let key = roll_key(house, &roll.signed.hash, &roll.witnesses);
        let limits = self.table()?.limits;
        let rules = self.rules_at(roll.signed.after_at).cloned();
        let older = rules.as_ref() != self.rules.last().map(|(_, newest)| newest);
        let wanted = Wanted {
            text: &asked.text,
            inputs: &asked.inputs,
            rules: rules.as_ref(),
            limits: &limits,
        };
        let (should, comes_to) = match roll.refused {
            Some(why) => (Dice::new(), Outcome(How::Refused, why.name().into())),
            None => self.programs.roll(&wanted, key.0),
        };
        if (&should, &comes_to) != (dice, outcome) {
            self.judge(roll, key.0, (&should, &comes_to), (dice, outcome))?;
            self.report.unsure += u64::from(!roll.counted);
        }
        let shown = Shown { key: Some(key), made: Some(self.made(roll)) };
        if roll.counted {
            return Ok(shown);
        }
        self.report.by_older_rules += u64::from(older);
        self.count_veto(roll, &wanted, house);
        if outcome.0 == How::Refused
            && roll.refused.is_none()
            && let Some(report) = self.report.seats.get_mut(roll.signed.seat)
        {
            report.refused += 1;
        }
        Ok(shown)
    }

    /// Keeps what would have fallen, had the house not refused it. With witnesses nobody can know.
    fn count_veto(&mut self, roll: &Roll, wanted: &Wanted<'_>, house: &Value) {
        if !matches!(roll.refused, Some(Refusal::Late | Refusal::Language)) {
            return;
        }
        let key = roll_key(roll.retired.as_ref().unwrap_or(house), &roll.signed.hash, &[]);
        let would = (!roll.needs_witnesses).then(|| told(&self.programs.roll(wanted, key.0).1));
        self.report.vetoes.push(Veto { line: self.chain.seq(), seat: roll.signed.seat, would });
    }

    /// Other dice, or another outcome: a lie, unless the house's engine has other rules built in.
    fn judge(
        &self,
        roll: &Roll,
        key: [u8; 32],
        (should, comes_to): (&Dice, &Outcome),
        (dice, outcome): (&Dice, &Outcome),
    ) -> Result<(), Wrong> {
        let most = self.table()?.limits.throws;
        let other = !roll.same_library && roll.refused.is_none();
        let plausible = outcome.0 != How::Refused || dice.is_empty() && outcome.1 == "program";
        if other && plausible && are_drawn(dice, key, most) {
            return Ok(());
        }
        if dice == should || other && are_drawn(dice, key, most) {
            let message = "the dice do not come to this";
            return Err(
                Wrong::new(Trouble::Outcome, message).instead(told(comes_to), told(outcome))
            );
        }
        let message = "these are not the dice that were drawn";
        Err(Wrong::new(Trouble::Dice, message).instead(thrown(should), thrown(dice)))
    }

    fn made(&self, roll: &Roll) -> Made {
        let door = self.seats.get(roll.signed.seat).is_some_and(|seat| seat.role == Role::Door);
        match roll.refused {
            Some(Refusal::Late | Refusal::Language) => return Made::Vetoed,
            Some(Refusal::Silent) => return Made::Silent,
            Some(Refusal::Unsealed) => return Made::Unsealed,
            None => {}
        }
        match () {
            () if roll.others && !roll.missed => Made::Witnessed,
            () if roll.others && !roll.deserted => Made::Missing,
            () if roll.others => Made::Deserted,
            () if door => Made::House,
            () => Made::Alone,
        }
    }

    /// A roll is at its end: it is counted, and the house lays its next seal.
    pub(super) fn done(&mut self, roll: &Roll, sealed: &Hash) -> Result<Made, Wrong> {
        let (seq, made) = (self.chain.seq(), self.made(roll));
        if let Some(seat) = self.seats.get_mut(roll.signed.seat) {
            seat.sealed = (*sealed, seq);
            seat.retired.clear();
        }
        if let Some(report) = self.report.seats.get_mut(roll.signed.seat) {
            report.count(made);
            report.refused += u64::from(roll.refused.is_some());
        }
        self.chain.rollers.insert(seq, roll.signed.seat);
        self.lay(sealed)?;
        Ok(made)
    }
}

/// `value 14`, `fails over-budget`
pub(super) fn told(outcome: &Outcome) -> String {
    let how = match outcome.0 {
        How::Value => "value",
        How::Fails => "fails:",
        How::Refused => "refused:",
    };
    format!("{how} {}", outcome.1)
}

/// `d6: 3 4, d20: 17`
fn thrown(dice: &Dice) -> String {
    let run = |run: &Vec<u64>| {
        let (sides, shown) =
            run.split_first().map_or((0, &[][..]), |(sides, shown)| (*sides, shown));
        let shown: Vec<String> = shown.iter().map(u64::to_string).collect();
        format!("d{sides}: {}", shown.join(" "))
    };
    let runs: Vec<String> = dice.iter().map(run).collect();
    if runs.is_empty() { "no dice".into() } else { runs.join(", ") }
}
