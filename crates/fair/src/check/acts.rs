//! What seats sign besides rolls.

use std::sync::Arc;

use crate::judge::Wanted;
use crate::kind::Kind;
use crate::line::{self, How, Outcome};
use crate::request::{self, Nothing, Role, check_inputs, check_name, check_value};
use crate::wrong::{Trouble, Wrong, need};

use super::rolls::told;
use super::seats::Signed;
use super::{Checker, Shown};

impl Checker {
    /// A request that says everything by itself.
    pub(super) fn act(&mut self, kind: Kind, line: &line::Signed) -> Result<Shown, Wrong> {
        match kind {
            Kind::Strike => self.strike(line),
            Kind::Call => self.call(line),
            Kind::Keep => self.keep(line),
            Kind::Set => self.set(line),
            Kind::Rules => self.new_rules(line),
            Kind::Say => self.say(line),
            Kind::Seal => self.new_seal(line),
            Kind::Left => self.left(line),
            Kind::End => {
                self.request::<Nothing>(kind, &line.request, &line.sig)?;
                self.report.ended = true;
                Ok(())
            }
            other => Err(Wrong::new(Trouble::Order, format!("`{other}` is no such request"))),
        }?;
        Ok(Shown::default())
    }

    fn strike(&mut self, line: &line::Signed) -> Result<(), Wrong> {
        let (signed, asked) =
            self.request::<request::Strike>(Kind::Strike, &line.request, &line.sig)?;
        let earlier = asked.of <= signed.after_at;
        let roll = self.chain.kind(asked.of).is_some_and(Kind::is_roll);
        need(earlier && roll, || Wrong::new(Trouble::Request, "it strikes no earlier roll"))?;
        // A roll that was hidden and revealed stands in two lines.
        if let Some((roller, rolled)) = self.chain.rolls.get(&asked.of).copied()
            && self.struck.insert(rolled)
            && let Some(report) = self.report.seats.get_mut(roller)
        {
            report.struck += 1;
        }
        Ok(())
    }

    fn call(&mut self, line: &line::Signed) -> Result<(), Wrong> {
        let (_, asked) = self.request::<request::Call>(Kind::Call, &line.request, &line.sig)?;
        self.check_text(&asked.text)?;
        check_inputs(&asked.inputs)?;
        self.check_to(&asked.to)
    }

    fn keep(&mut self, line: &line::Signed) -> Result<(), Wrong> {
        let (signed, asked) =
            self.request::<request::Keep>(Kind::Keep, &line.request, &line.sig)?;
        check_name(&asked.name)?;
        self.check_text(&asked.text)?;
        check_inputs(&asked.inputs)?;
        self.check_whose(&signed, asked.whose)
    }

    fn set(&mut self, line: &line::Signed) -> Result<(), Wrong> {
        let (signed, asked) = self.request::<request::Set>(Kind::Set, &line.request, &line.sig)?;
        check_name(&asked.name)?;
        check_value(&asked.value)?;
        self.check_whose(&signed, asked.whose)
    }

    fn check_whose(&self, signed: &Signed, whose: Option<u64>) -> Result<(), Wrong> {
        let own = whose == Some(signed.seat as u64);
        let owner = self.seats.get(signed.seat).is_some_and(|seat| seat.role == Role::Owner);
        let known = whose.is_none_or(|seat| seat < self.seats.len() as u64);
        need(known, || Wrong::new(Trouble::Request, "it is for a seat that there is not"))?;
        need(own || owner, || {
            Wrong::new(Trouble::Seat, "only a game master may do this for others")
        })
    }

    fn new_rules(&mut self, line: &line::Signed) -> Result<(), Wrong> {
        let (_, asked) = self.request::<request::Rules>(Kind::Rules, &line.request, &line.sig)?;
        let most = self.table()?.limits.rules;
        need(asked.text.len() as u64 <= most, || {
            let message = "the house rules are longer than the table allows";
            Wrong::new(Trouble::Request, message)
                .instead(format!("at most {most} bytes"), asked.text.len())
        })?;
        self.rules.push((self.chain.seq(), Arc::from(asked.text)));
        self.report.rules += 1;
        Ok(())
    }

    fn say(&mut self, line: &line::Signed) -> Result<(), Wrong> {
        let (_, asked) = self.request::<request::Say>(Kind::Say, &line.request, &line.sig)?;
        self.check_to(&asked.to)
    }

    fn new_seal(&mut self, line: &line::Signed) -> Result<(), Wrong> {
        let (signed, asked) =
            self.request::<request::NewSeal>(Kind::Seal, &line.request, &line.sig)?;
        self.is_not_asked(signed.seat)?;
        if let Some(seat) = self.seats.get_mut(signed.seat) {
            seat.present = true;
            seat.witness = (seat.witness.0 + 1, Some(asked.seal));
        }
        self.lay(&asked.seal)
    }

    fn left(&mut self, line: &line::Signed) -> Result<(), Wrong> {
        let (signed, _) = self.request::<Nothing>(Kind::Left, &line.request, &line.sig)?;
        self.is_not_asked(signed.seat)?;
        if let Some(seat) = self.seats.get_mut(signed.seat) {
            seat.left = true;
        }
        Ok(())
    }

    fn is_not_asked(&self, seat: usize) -> Result<(), Wrong> {
        let asked = self.ask.as_ref().is_some_and(|ask| ask.asks(seat));
        need(!asked, || {
            Wrong::new(Trouble::Order, "that seat was asked as a witness, which is not closed")
        })
    }

    /// Real dice: what they come to is computed, what they show is believed.
    pub(super) fn typed(&mut self, line: &line::Typed) -> Result<Shown, Wrong> {
        let (signed, asked) =
            self.request::<request::Typed>(Kind::Typed, &line.request, &line.sig)?;
        self.check_text(&asked.text)?;
        check_inputs(&asked.inputs)?;
        check_value(&asked.faces)?;
        self.check_for(&signed, &asked.r#for)?;
        let same_library = Some(self.table()?.library()) == self.judge.library();
        let limits = self.table()?.limits;
        let rules = self.rules_at(signed.after_at).cloned();
        let wanted = Wanted {
            text: &asked.text,
            inputs: &asked.inputs,
            rules: rules.as_ref(),
            limits: &limits,
        };
        let comes_to = self.judge.typed(&wanted, &asked.faces);
        if comes_to.as_ref() != Some(&line.outcome) {
            let Outcome(how, why) = &line.outcome;
            let plausible = *how != How::Refused || why == "program";
            need(!same_library && plausible, || {
                let message = "the typed dice do not come to this";
                let expected = comes_to.as_ref().map_or_else(|| "another".into(), told);
                Wrong::new(Trouble::Outcome, message).instead(expected, told(&line.outcome))
            })?;
            self.report.unsure += 1;
        }
        if let Some(report) = self.report.seats.get_mut(signed.seat) {
            report.typed += 1;
        }
        let seq = self.chain.seq();
        self.chain.rolls.insert(seq, (signed.seat, seq));
        Ok(Shown::default())
    }
}
