//! Rolls: at once, or by asking witnesses first.

use astragal_fair::formulas::roll_key;
use astragal_fair::line::{self, Asked, Line, Witness};
use astragal_fair::request::{self, Role, To};
use astragal_fair::{Bytes, Kind, hash};

use super::turn::{Request, Turn, refused};
use super::{Aside, House, Step, Throw, Thrown, envelope_of};
use crate::problem::Problem;

impl House {
    /// A roll. While witnesses are asked for another one, it waits.
    pub(super) fn roll(
        &mut self,
        request: &Request<request::Roll>,
        thrown: Option<&Thrown>,
    ) -> Result<Step, Problem> {
        let hidden = request.body.to != To::All;
        let kind = if hidden { Kind::Hidden } else { Kind::Roll };
        let after_at = match self.turn(kind, &request.envelope, &request.hash)? {
            Turn::Again(line) => return Ok(Step::Repeated(line)),
            Turn::New(after_at) => after_at,
        };
        self.check_roll(&request.body, after_at)?;
        if self.open.is_some() {
            return Ok(Step::Wait);
        }
        let seat = request.envelope.seat;
        let why = self.refusal(seat, after_at);
        let asked = if why.is_none() { self.witnesses_of(seat) } else { Vec::new() };
        match (asked.is_empty(), hidden) {
            (false, false) => Ok(Step::Written(vec![self.ask(request, asked)])),
            (false, true) => Ok(Step::Written(vec![self.ask_hidden(request, asked)])),
            (true, true) => Ok(Step::Written(vec![self.hide(request, why)])),
            (true, false) => self.throw(request, after_at, why, thrown),
        }
    }

    /// A roll for which nobody is asked.
    fn throw(
        &mut self,
        request: &Request<request::Roll>,
        after_at: u64,
        why: Option<&str>,
        thrown: Option<&Thrown>,
    ) -> Result<Step, Problem> {
        let (house, sealed) = self.value(request.envelope.seat);
        let key = roll_key(&house, &request.hash, &[]);
        let (dice, outcome) = match (why, thrown.filter(|thrown| thrown.id == key)) {
            (Some(why), _) => (Vec::new(), refused(why)),
            (None, Some(thrown)) => (thrown.dice.clone(), thrown.outcome.clone()),
            (None, None) => {
                let throw = self.wanted(key, &request.body, after_at);
                return Ok(Step::Throw(Box::new(throw)));
            }
        };
        let (request, sig) = (request.text.clone(), request.sig);
        let line = line::Roll { request, sig, house, sealed, dice, outcome };
        Ok(Step::Written(vec![self.write(Line::Roll(line))]))
    }

    /// A hidden roll for which nobody is asked. What it comes to is found out later: the line does not wait for it, so that nobody can tell
    /// a long roll from a short one.
    fn hide(&mut self, request: &Request<request::Roll>, why: Option<&str>) -> super::Written {
        let (house, sealed) = self.value(request.envelope.seat);
        let line = line::Hidden {
            seat: request.envelope.seat,
            n: request.envelope.n,
            after: request.envelope.after,
            hash: request.hash,
            sig: request.sig,
            sealed,
        };
        let written = self.write(Line::Hidden(line));
        let aside = Aside {
            request: request.text.clone(),
            house: Some(house),
            witnesses: Vec::new(),
            refused: why.map(str::to_owned),
            shown: None,
        };
        super::Written { aside: Some(aside), ..written }
    }

    fn ask(&mut self, request: &Request<request::Roll>, witnesses: Vec<Asked>) -> super::Written {
        let (request, sig) = (request.text.clone(), request.sig);
        self.write(Line::Ask(line::Ask { request, sig, witnesses }))
    }

    fn ask_hidden(
        &mut self,
        request: &Request<request::Roll>,
        witnesses: Vec<Asked>,
    ) -> super::Written {
        let line = line::AskHidden {
            seat: request.envelope.seat,
            n: request.envelope.n,
            after: request.envelope.after,
            hash: request.hash,
            sig: request.sig,
            witnesses,
        };
        let written = self.write(Line::AskHidden(line));
        if let Some(open) = &mut self.open {
            open.request = Some(request.text.clone());
        }
        let (house, refused, shown) = (None, None, None);
        let request = request.text.clone();
        let aside = Aside { request, house, witnesses: Vec::new(), refused, shown };
        super::Written { aside: Some(aside), ..written }
    }

    /// Why a request is not rolled, whatever its program.
    fn refusal(&self, seat: u64, after_at: u64) -> Option<&'static str> {
        let of = self.seat(seat)?;
        let unsealed =
            self.needs_witnesses(of.role) && of.role != Role::Door && of.witness.1.is_none();
        match () {
            () if after_at < of.sealed.2 => Some("late"),
            () if after_at < self.engine.2 => Some("language"),
            () if unsealed => Some("unsealed"),
            () => None,
        }
    }

    /// Whether a roll needs witnesses: by rule and role, whoever is here.
    fn needs_witnesses(&self, role: Role) -> bool {
        match self.witness {
            Witness::Always => true,
            Witness::Owner => role != Role::Player,
            Witness::Never => false,
        }
    }

    /// Who has to be asked: all who can be, and the roller, here or not.
    fn witnesses_of(&self, roller: u64) -> Vec<Asked> {
        if !self.role(roller).is_some_and(|role| self.needs_witnesses(role)) {
            return Vec::new();
        }
        let seats = (0..).zip(&self.seats);
        let can = seats.filter(|(at, seat)| {
            let speaks = seat.role != Role::Door && !seat.left && seat.witness.1.is_some();
            speaks && (seat.present || *at == roller)
        });
        can.map(|(at, seat)| (at, seat.witness.0)).collect()
    }

    pub(super) fn wanted(&self, key: Bytes<32>, asked: &request::Roll, after_at: u64) -> Throw {
        Throw {
            id: key,
            text: asked.text.clone(),
            inputs: asked.inputs.clone(),
            rules: self.rules_at(after_at).cloned(),
            limits: self.limits,
            faces: None,
        }
    }

    /// What has to be thrown for a hidden roll; none if it was refused, or its witnesses are still asked.
    pub fn throw_of(&self, aside: &Aside) -> Option<Throw> {
        let house = aside.house.filter(|_| aside.refused.is_none())?;
        let (envelope, asked) = envelope_of::<request::Roll>(&aside.request, &self.id)?;
        let after_at = self.at.get(&envelope.after).copied()?;
        let key = roll_key(&house, &hash(aside.request.as_bytes()), &aside.witnesses);
        Some(self.wanted(key, &asked, after_at))
    }
}
