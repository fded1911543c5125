//! Rolls: from an opened value to dice and outcome.

use std::sync::Arc;

use crate::bytes::{Bytes, Hash, Seal, Value};
use crate::drawn::are_drawn;
use crate::formulas::{roll_key, seal};
use crate::judge::Wanted;
use crate::kind::Kind;
use crate::line::{self, Dice, How, Outcome};
use crate::report::{Made, Veto};
use crate::request::{self, Envelope, For, Role, To, check_inputs};
use crate::wrong::{Trouble, Wrong, need};

use super::asks::request_hash;
use super::seats::Signed;
use super::{Checker, Shown};

/// A roll that was asked for.
#[derive(Clone, Debug)]
pub(super) struct Roll {
    /// The line that ends it.
    pub(super) line: u64,
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
    /// Whether it was revealed before, and counted.
    counted: bool,
    /// Whether the house's engine has the library of this one.
    same_library: bool,
    /// Whether it had it when the request was made.
    knew_library: bool,
    /// Whether it is rolled by rules that were no longer the newest.
    by_older_rules: bool,
    /// The values of its witnesses.
    pub(super) witnesses: Vec<Value>,
    /// Others than the roller who went on to the end.
    pub(super) spoke: Vec<u64>,
    /// Who was asked and did not answer.
    pub(super) silent: Vec<u64>,
}

/// What a line tells of a roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rolled {
    /// The line in which it was rolled: of a reveal, that of the hidden roll.
    pub line: u64,
    /// Whose roll it is.
    pub seat: u64,
    /// The request, unless it is hidden.
    pub asked: Option<request::Roll>,
    /// Its hash.
    pub hash: Hash,
    /// The house rules by which it is rolled.
    pub rules: Option<Arc<str>>,
    /// Who may have chosen it.
    pub made: Made,
    /// Others than the roller who were asked and went on to the end.
    pub witnesses: Vec<u64>,
    /// Who was asked and did not answer.
    pub missed: Vec<u64>,
    /// The key of its dice, unless it is hidden.
    pub key: Option<Bytes<32>>,
    /// Whether dice and outcome are known to be those of the program, or that there are none. Without an engine only refusals are.
    pub judged: bool,
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
        let hidden = self.unhidden(&roll, &line.roll)?;
        let seat = roll.signed.seat;
        let owner = self.seats.get(signed.seat).is_some_and(|seat| seat.role == Role::Owner);
        let may = signed.seat == seat || owner && hidden.to != To::Myself;
        need(may, || {
            Wrong::new(Trouble::Seat, "only the roller or a game master may reveal this")
        })?;
        self.chain.rolls.insert(self.chain.seq(), (seat, asked.of));
        let shown = self.shown(&roll, &hidden, &line.house, &line.dice, &line.outcome)?;
        if let Some(report) = self.report.seats.get_mut(seat) {
            report.revealed += u64::from(first);
        }
        Ok(Shown { made: None, ..shown })
    }

    /// The request of a hidden roll, if this is it.
    fn unhidden(&self, roll: &Roll, text: &str) -> Result<request::Roll, Wrong> {
        let wrong = |message: &str| Wrong::new(Trouble::Reveal, message.to_owned());
        let (envelope, hidden) = request::read::<request::Roll>(text, &self.table()?.id)?;
        let found = request_hash(text);
        need(found == roll.signed.hash, || {
            wrong("the request is not the one that was hidden").instead(roll.signed.hash, found)
        })?;
        let Signed { seat, n, after, .. } = roll.signed;
        need(envelope == Envelope { seat: seat as u64, n, after }, || {
            wrong("the request is not the one that was signed")
        })?;
        self.check_request(&roll.signed, &hidden)?;
        need(hidden.to != To::All, || wrong("a hidden roll was meant for all to see"))?;
        Ok(hidden)
    }

    /// What somebody is told of a hidden roll beside the log, checked against its line. Nothing is counted: it is still hidden.
    pub fn whispered(
        &mut self,
        of: u64,
        request: &str,
        house: &Value,
        (dice, outcome): (&Dice, &Outcome),
    ) -> Result<Rolled, Wrong> {
        let known = self.hidden.get(&of).map(|waiting| waiting.roll.clone());
        let roll = known.ok_or_else(|| Wrong::new(Trouble::Reveal, "it names no hidden roll"))?;
        let asked = self.unhidden(&roll, request)?;
        self.weighed(&roll, &asked, house, dice, outcome)
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
            () if signed.after_at < table.engine_since() => Some(Refusal::Language),
            () if unsealed => Some(Refusal::Unsealed),
            () => None,
        };
        let own = self.judge.library();
        // The first value that was retired after the request is the one that it was made for.
        let retired = seat.retired.iter().find(|(line, _)| *line > signed.after_at);
        Ok(Roll {
            line: self.chain.seq(),
            signed,
            sealed,
            refused,
            retired: retired.map(|(_, value)| *value),
            needs_witnesses,
            others: false,
            counted: false,
            same_library: own.is_some_and(|own| own == table.library()),
            knew_library: own.is_some_and(|own| own == table.library_at(signed.after_at)),
            by_older_rules: self.rules.last().is_some_and(|(since, _)| signed.after_at < *since),
            witnesses: Vec::new(),
            spoke: Vec::new(),
            silent: Vec::new(),
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
        let rolled = self.weighed(roll, asked, house, dice, outcome)?;
        let (key, made) = (rolled.key, Some(rolled.made));
        if !roll.counted {
            self.report.unsure += u64::from(!rolled.judged);
            self.count_veto(roll, asked, house)?;
            if outcome.0 == How::Refused
                && roll.refused.is_none()
                && let Some(report) = self.report.seats.get_mut(roll.signed.seat)
            {
                report.refused += 1;
            }
        }
        Ok(Shown { key, made, roll: Some(rolled) })
    }

    /// The same, and nothing is counted.
    fn weighed(
        &mut self,
        roll: &Roll,
        asked: &request::Roll,
        house: &Value,
        dice: &Dice,
        outcome: &Outcome,
    ) -> Result<Rolled, Wrong> {
        let found = seal(house);
        need(found == roll.sealed, || {
            let message = "the value that the house opened is not the one that it had sealed";
            Wrong::new(Trouble::Seal, message).instead(roll.sealed, found)
        })?;
        let key = roll_key(house, &roll.signed.hash, &roll.witnesses);
        let limits = self.table()?.limits;
        let rules = self.rules_at(roll.signed.after_at).cloned();
        let should = match roll.refused {
            Some(why) => Some((Dice::new(), Outcome(How::Refused, why.name().into()))),
            None => self.judge.roll(&wanted(asked, rules.as_ref(), &limits), key.0),
        };
        let judged =
            should.as_ref().is_some_and(|should| (&should.0, &should.1) == (dice, outcome));
        if !judged {
            self.is_plausible(roll, key.0, should.as_ref(), (dice, outcome))?;
        }
        Ok(Rolled { key: Some(key), asked: Some(asked.clone()), judged, ..self.told(roll) })
    }

    /// What can be told of a roll that is hidden.
    pub(super) fn told(&self, roll: &Roll) -> Rolled {
        Rolled {
            line: roll.line,
            seat: roll.signed.seat as u64,
            asked: None,
            hash: roll.signed.hash,
            rules: self.rules_at(roll.signed.after_at).cloned(),
            made: self.made(roll),
            witnesses: roll.spoke.clone(),
            missed: roll.silent.clone(),
            key: None,
            judged: true,
        }
    }

    /// Keeps what would have fallen, had the house not refused it. With witnesses nobody can know, nor by the rules of another engine.
    fn count_veto(
        &mut self,
        roll: &Roll,
        asked: &request::Roll,
        house: &Value,
    ) -> Result<(), Wrong> {
        if !matches!(roll.refused, Some(Refusal::Late | Refusal::Language)) {
            return Ok(());
        }
        let limits = self.table()?.limits;
        let rules = self.rules_at(roll.signed.after_at).cloned();
        let key = roll_key(roll.retired.as_ref().unwrap_or(house), &roll.signed.hash, &[]);
        let known = !roll.needs_witnesses && roll.knew_library;
        let wanted = wanted(asked, rules.as_ref(), &limits);
        let fell = if known { self.judge.roll(&wanted, key.0) } else { None };
        let would = fell.map(|(_, outcome)| told(&outcome));
        self.report.vetoes.push(Veto { line: self.chain.seq(), seat: roll.signed.seat, would });
        Ok(())
    }

    /// Other dice, or another outcome: a lie, unless the house's engine has other rules built in, or there is none here.
    fn is_plausible(
        &self,
        roll: &Roll,
        key: [u8; 32],
        should: Option<&(Dice, Outcome)>,
        (dice, outcome): (&Dice, &Outcome),
    ) -> Result<(), Wrong> {
        let most = self.table()?.limits.throws;
        let other = !roll.same_library && roll.refused.is_none();
        let plausible = outcome.0 != How::Refused || dice.is_empty() && outcome.1 == "program";
        let drawn = other && are_drawn(dice, key, most);
        if drawn && plausible {
            return Ok(());
        }
        let (trouble, message) = match drawn || should.is_some_and(|(should, _)| dice == should) {
            true => (Trouble::Outcome, "the dice do not come to this"),
            false => (Trouble::Dice, "these are not the dice that were drawn"),
        };
        let wrong = Wrong::new(trouble, message);
        Err(match (should, trouble) {
            (None, _) => wrong,
            (Some((_, comes_to)), Trouble::Outcome) => wrong.instead(told(comes_to), told(outcome)),
            (Some((should, _)), _) => wrong.instead(thrown(should), thrown(dice)),
        })
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
            () if roll.others && roll.silent.is_empty() => Made::Witnessed,
            () if roll.others && !roll.spoke.is_empty() => Made::Missing,
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
        self.report.by_older_rules += u64::from(roll.by_older_rules && roll.refused.is_none());
        self.chain.rolls.insert(seq, (roll.signed.seat, seq));
        self.lay(sealed)?;
        Ok(made)
    }
}

fn wanted<'a>(
    asked: &'a request::Roll,
    rules: Option<&'a Arc<str>>,
    limits: &'a line::Limits,
) -> Wanted<'a> {
    Wanted { text: &asked.text, inputs: &asked.inputs, rules, limits }
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
