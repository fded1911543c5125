//! Witnesses: what they answer, and what comes of it.

use astragal_fair::formulas::{roll_key, seal, testimony_text};
use astragal_fair::line::{self, Asked, Line, Opened};
use astragal_fair::{Value, hash, request};

use super::turn::refused;
use super::{Aside, House, Open, Step, Thrown, envelope_of};
use crate::problem::Problem;

impl House {
    /// A witness answers.
    pub(super) fn hear(
        &mut self,
        of: u64,
        opened: &Opened,
        thrown: Option<&Thrown>,
    ) -> Result<Step, Problem> {
        let (number, value, next, sig) = opened;
        let open = match self.open.as_ref().filter(|open| open.line == of) {
            Some(open) => open,
            None if self.receipt(of, opened).is_some() => return Ok(Step::HeardBefore),
            None => return Err(self.not_asked(of)),
        };
        let asked = open.asked.iter().find(|(seat, ..)| seat == number);
        let Some((_, m, sealed)) = asked else {
            return Err(Problem::new(403, "not-for-you", "that seat was not asked"));
        };
        if let Some(known) = open.heard.get(number) {
            return match known == opened {
                // The last one completed it: it goes on from here, should that have been lost.
                true if self.is_complete() => self.go_on(thrown),
                true => Ok(Step::HeardBefore),
                false => Err(Problem::new(409, "ask-closed", "that seat has testified otherwise")),
            };
        }
        if seal(value) != *sealed {
            return Err(Problem::new(422, "seal", "the value is not the one that was sealed")
                .at("value")
                .expected(sealed.to_string())
                .help(format!("open the value of seal {m} of that seat")));
        }
        self.check_new_seal(next).map_err(|problem| problem.at("next"))?;
        let twice = open.heard.values().any(|(_, _, other, _)| other == next);
        let text = testimony_text(&self.id, &open.hash, *number, *m, value, next);
        let fits = self.seat(*number).is_some_and(|seat| seat.signer.has_signed(&text, sig));
        if twice || !fits {
            let what = "the testimony is not signed by that seat for the line that asks";
            return Err(Problem::new(403, "signature", what).at("sig"));
        }
        if let Some(open) = &mut self.open {
            open.heard.insert(*number, *opened);
        }
        match self.is_complete() {
            true => self.go_on(thrown),
            false => Ok(Step::Heard(Box::new(*opened))),
        }
    }

    fn not_asked(&self, of: u64) -> Problem {
        let problem =
            Problem::new(409, "ask-closed", format!("line {of} does not wait for answers"))
                .at("of")
                .help("lay a new seal: a testimony that came too late is spent");
        match &self.open {
            Some(open) => problem.expected(open.line),
            None => problem,
        }
    }

    fn is_complete(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.heard.len() == open.asked.len())
    }

    /// The time of a line that asks is over.
    pub(super) fn due(&mut self, of: u64, thrown: Option<&Thrown>) -> Result<Step, Problem> {
        match self.open.as_ref().is_some_and(|open| open.line == of) {
            true => self.go_on(thrown),
            false => Ok(Step::Written(Vec::new())),
        }
    }

    /// The next line about the open ask, by those who have answered.
    fn go_on(&mut self, thrown: Option<&Thrown>) -> Result<Step, Problem> {
        let Some(open) = &self.open else { return Ok(Step::Written(Vec::new())) };
        let opened: Vec<Opened> = open.heard.values().copied().collect();
        let silent = open.asked.iter().filter(|(seat, ..)| !open.heard.contains_key(seat));
        let missed: Vec<u64> = silent.map(|(seat, ..)| *seat).collect();
        let roller_silent = missed.contains(&open.seat);
        if !missed.is_empty() && !roller_silent && !opened.is_empty() {
            return Ok(Step::Written(vec![self.again(opened, missed)]));
        }
        let why = roller_silent.then_some("silent");
        match open.hidden {
            true => self.close_hidden(opened, missed, why),
            false => self.close(opened, missed, why, thrown),
        }
    }

    fn again(&mut self, opened: Vec<Opened>, missed: Vec<u64>) -> super::Written {
        let of = self.open.as_ref().map_or(0, |open| open.line);
        let next = |number: u64| self.seat(number).map_or(0, |seat| seat.witness.0 + 1);
        let witnesses: Vec<Asked> =
            opened.iter().map(|(number, ..)| (*number, next(*number))).collect();
        self.write(Line::Again(line::Again { of, opened, missed, witnesses }))
    }

    fn close(
        &mut self,
        opened: Vec<Opened>,
        missed: Vec<u64>,
        why: Option<&str>,
        thrown: Option<&Thrown>,
    ) -> Result<Step, Problem> {
        let lost = || Problem::storage();
        let open = self.open.as_ref().ok_or_else(lost)?;
        let text = open.request.as_deref().ok_or_else(lost)?;
        let (house, sealed) = self.value(open.seat);
        let (dice, outcome) = match why {
            Some(why) => (Vec::new(), refused(why)),
            None => {
                let key = roll_key(&house, &hash(text.as_bytes()), &values(&opened));
                match thrown.filter(|thrown| thrown.id == key) {
                    Some(thrown) => (thrown.dice.clone(), thrown.outcome.clone()),
                    None => {
                        let (_, asked) =
                            envelope_of::<request::Roll>(text, &self.id).ok_or_else(lost)?;
                        let throw = self.wanted(key, &asked, open.after_at);
                        return Ok(Step::Throw(Box::new(throw)));
                    }
                }
            }
        };
        let of = open.line;
        let line = line::Close { of, house, sealed, opened, missed, dice, outcome };
        Ok(Step::Written(vec![self.write(Line::Close(line))]))
    }

    fn close_hidden(
        &mut self,
        opened: Vec<Opened>,
        missed: Vec<u64>,
        why: Option<&str>,
    ) -> Result<Step, Problem> {
        let Some(Open { line: of, seat, request: Some(request), .. }) = &self.open else {
            return Err(Problem::storage());
        };
        let (of, request) = (*of, request.clone());
        let (house, sealed) = self.value(*seat);
        let witnesses = if why.is_some() { Vec::new() } else { values(&opened) };
        let line = line::CloseHidden { of, sealed, opened, missed };
        let written = self.write(Line::CloseHidden(line));
        let refused = why.map(str::to_owned);
        let aside = Aside { request, house: Some(house), witnesses, refused, shown: None };
        Ok(Step::Written(vec![super::Written { aside: Some(aside), ..written }]))
    }
}

fn values(opened: &[Opened]) -> Vec<Value> {
    opened.iter().map(|(_, value, ..)| *value).collect()
}
