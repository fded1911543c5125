//! What seats sign besides rolls.

use astragal_fair::formulas::owner_text;
use astragal_fair::line::{self, Line};
use astragal_fair::request::{
    self, Call, Envelope, Keep, NewSeal, Nothing, Role, Rules, Say, Set, Strike, To, check_inputs,
    check_name, check_value,
};
use astragal_fair::{Hash, Id, Kind, Signature};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::turn::{Request, Turn, inputs, refused, too_long};
use super::{House, Step, Throw, Thrown, envelope_of};
use crate::problem::Problem;

/// A request that says everything by itself.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names are those of the kinds")]
pub enum Signed {
    Strike(Strike),
    Call(Call),
    Keep(Keep),
    Set(Set),
    Rules(Rules),
    Say(Say),
    Seal(NewSeal),
    Left,
    End,
}

impl Signed {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Signed::Strike(_) => Kind::Strike,
            Signed::Call(_) => Kind::Call,
            Signed::Keep(_) => Kind::Keep,
            Signed::Set(_) => Kind::Set,
            Signed::Rules(_) => Kind::Rules,
            Signed::Say(_) => Kind::Say,
            Signed::Seal(_) => Kind::Seal,
            Signed::Left => Kind::Left,
            Signed::End => Kind::End,
        }
    }

    /// The hash of the words that belong to it.
    pub fn words(&self) -> Option<Hash> {
        match self {
            Signed::Strike(asked) => Some(asked.words),
            Signed::Say(asked) => Some(asked.words),
            Signed::Call(asked) => asked.label,
            _ => None,
        }
    }

    /// Who may read them.
    pub fn to(&self) -> To {
        match self {
            Signed::Say(asked) => asked.to.clone(),
            _ => To::All,
        }
    }

    /// A request of one of these kinds; none if it is no such kind.
    pub fn read(
        kind: Kind,
        text: &str,
        sig: &str,
        id: &Id,
    ) -> Option<Result<Request<Signed>, Problem>> {
        Some(match kind {
            Kind::Strike => of(text, sig, id, Signed::Strike),
            Kind::Call => of(text, sig, id, Signed::Call),
            Kind::Keep => of(text, sig, id, Signed::Keep),
            Kind::Set => of(text, sig, id, Signed::Set),
            Kind::Rules => of(text, sig, id, Signed::Rules),
            Kind::Say => of(text, sig, id, Signed::Say),
            Kind::Seal => of(text, sig, id, Signed::Seal),
            Kind::Left => of(text, sig, id, |_: Nothing| Signed::Left),
            Kind::End => of(text, sig, id, |_: Nothing| Signed::End),
            _ => return None,
        })
    }

    /// Who asked for it, when.
    pub(super) fn envelope(kind: Kind, text: &str, id: &Id) -> Option<Envelope> {
        let no_signature = "00".repeat(64);
        Some(Signed::read(kind, text, &no_signature, id)?.ok()?.envelope)
    }
}

fn of<T>(
    text: &str,
    sig: &str,
    id: &Id,
    make: impl FnOnce(T) -> Signed,
) -> Result<Request<Signed>, Problem>
where
    T: Serialize + DeserializeOwned,
{
    let Request { envelope, text, hash, sig, body } = Request::read(text, sig, id)?;
    Ok(Request { envelope, text, hash, sig, body: make(body) })
}

impl House {
    /// Somebody sits down.
    pub(super) fn sit(
        &mut self,
        request: &Request<request::Seat>,
        vouched: Option<(u64, Signature)>,
    ) -> Result<Step, Problem> {
        let Envelope { seat, n, after } = request.envelope;
        let known = self.seat(seat).and_then(|seat| seat.signed.first().copied());
        if let Some((line, _)) = known.filter(|(_, hash)| *hash == request.hash) {
            return Ok(Step::Repeated(line));
        }
        self.check_goes_on()?;
        if seat != self.seats() {
            return Err(Problem::new(409, "seat-not-next", "somebody else was quicker")
                .at("request.seat")
                .expected(self.seats())
                .help("sign anew with the expected number, after a line that you have"));
        }
        if n != 0 {
            return Err(Problem::new(409, "number-not-next", "the first request of a seat is 0")
                .at("request.n")
                .expected(0));
        }
        self.after(&after)?;
        check_name(&request.body.name).map_err(|wrong| Problem::of(&wrong).at("request.name"))?;
        if self.seats.iter().any(|seat| seat.key == request.body.key) {
            return Err(Problem::new(409, "seat-exists", "another seat has this key")
                .at("request.key")
                .help("a device makes a fresh key for each seat"));
        }
        self.check_new_seal(&request.body.seal)?;
        self.check_vouched(request, vouched)?;
        let sealed = self.first_seal(seat);
        let (request, sig) = (request.text.clone(), request.sig);
        let line = Line::Seat(line::Seat { request, sig, vouched, sealed });
        Ok(Step::Written(vec![self.write(line)]))
    }

    fn first_seal(&self, seat: u64) -> astragal_fair::Seal {
        use astragal_fair::formulas::{house_value, seal};
        seal(&house_value(&self.secret, &self.id, seat as u32, 0))
    }

    /// An owner after the first is let in by an owner.
    fn check_vouched(
        &self,
        request: &Request<request::Seat>,
        vouched: Option<(u64, Signature)>,
    ) -> Result<(), Problem> {
        let has_owner = self.seats.iter().any(|seat| seat.role == Role::Owner);
        let wrong = |what: &str| Problem::new(422, "vouched", what).at("vouched");
        let needed = request.body.role == Role::Owner && has_owner;
        let (by, sig) = match vouched {
            Some(_) if !needed => return Err(wrong("nobody has to vouch for that seat")),
            None if needed => {
                return Err(wrong("a game master has to sign that there is to be another")
                    .help("ask one for the signature for a new owner over this request"));
            }
            None => return Ok(()),
            Some(vouched) => vouched,
        };
        let owner = self.seat(by).filter(|seat| seat.role == Role::Owner && !seat.left);
        let text = owner_text(&self.id, by, &request.hash);
        match owner.is_some_and(|owner| owner.signer.has_signed(&text, &sig)) {
            true => Ok(()),
            false => Err(wrong("no game master at this table has signed that")),
        }
    }

    pub(super) fn check_new_seal(&self, seal: &astragal_fair::Seal) -> Result<(), Problem> {
        match self.was_laid(seal) {
            true => Err(Problem::new(422, "seal", "this seal was laid before")
                .at("request.seal")
                .help("seal the next value; none may be used twice")),
            false => Ok(()),
        }
    }

    /// Any request that says everything by itself.
    pub(super) fn sign(&mut self, request: &Request<Signed>) -> Result<Step, Problem> {
        let kind = request.body.kind();
        let after_at = match self.turn(kind, &request.envelope, &request.hash)? {
            Turn::Again(line) => return Ok(Step::Repeated(line)),
            Turn::New(after_at) => after_at,
        };
        let number = request.envelope.seat;
        match &request.body {
            Signed::Strike(asked) => self.check_strike(asked.of, after_at)?,
            Signed::Call(asked) => {
                self.check_text(&asked.text)?;
                check_inputs(&asked.inputs).map_err(|wrong| inputs(&wrong))?;
                self.check_to(&asked.to)?;
            }
            Signed::Keep(asked) => {
                named(&asked.name)?;
                self.check_text(&asked.text)?;
                check_inputs(&asked.inputs).map_err(|wrong| inputs(&wrong))?;
                self.check_whose(number, asked.whose)?;
            }
            Signed::Set(asked) => {
                named(&asked.name)?;
                check_value(&asked.value)
                    .map_err(|wrong| Problem::of(&wrong).at("request.value"))?;
                self.check_whose(number, asked.whose)?;
            }
            Signed::Rules(asked) => {
                let most = self.limits.rules;
                if asked.text.len() as u64 > most {
                    return Err(too_long("the rules", "request.text", most, asked.text.len()));
                }
            }
            Signed::Say(asked) => self.check_to(&asked.to)?,
            Signed::Seal(asked) => self.check_new_seal(&asked.seal)?,
            Signed::Left | Signed::End => {}
        }
        let asked = self
            .open
            .as_ref()
            .is_some_and(|open| open.asked.iter().any(|(seat, ..)| *seat == number));
        let waits = match kind {
            Kind::Seal | Kind::Left => asked,
            Kind::End => self.open.is_some(),
            _ => false,
        };
        if waits {
            return Ok(Step::Wait);
        }
        let line = line::Signed { request: request.text.clone(), sig: request.sig };
        Ok(Step::Written(vec![self.write(Line::Act(kind, line))]))
    }

    fn check_strike(&self, of: u64, after_at: u64) -> Result<(), Problem> {
        let roll = of <= after_at && self.kind(of).is_some_and(Kind::is_roll);
        match roll {
            true => Ok(()),
            false => Err(Problem::new(422, "request", format!("line {of} is no earlier roll"))
                .at("request.of")),
        }
    }

    fn check_whose(&self, number: u64, whose: Option<u64>) -> Result<(), Problem> {
        if whose.is_some_and(|seat| seat >= self.seats()) {
            return Err(Problem::new(422, "request", "it is for a seat that there is not")
                .at("request.whose"));
        }
        let owner = self.role(number) == Some(Role::Owner);
        match whose == Some(number) || owner {
            true => Ok(()),
            false => {
                Err(Problem::new(403, "not-for-you", "only a game master may do this for others")
                    .at("request.whose"))
            }
        }
    }

    /// Real dice.
    pub(super) fn typed(
        &mut self,
        request: &Request<request::Typed>,
        thrown: Option<&Thrown>,
    ) -> Result<Step, Problem> {
        let after_at = match self.turn(Kind::Typed, &request.envelope, &request.hash)? {
            Turn::Again(line) => return Ok(Step::Repeated(line)),
            Turn::New(after_at) => after_at,
        };
        let asked = &request.body;
        self.check_text(&asked.text)?;
        check_inputs(&asked.inputs).map_err(|wrong| inputs(&wrong))?;
        check_value(&asked.faces).map_err(|wrong| Problem::of(&wrong).at("request.faces"))?;
        self.check_for(&asked.r#for, after_at)?;
        let Some(thrown) = thrown.filter(|thrown| thrown.id == request.hash) else {
            return Ok(Step::Throw(Box::new(Throw {
                id: request.hash,
                text: asked.text.clone(),
                inputs: asked.inputs.clone(),
                rules: self.rules_at(after_at).cloned(),
                limits: self.limits,
                faces: Some(asked.faces.clone()),
            })));
        };
        let line = line::Typed {
            request: request.text.clone(),
            sig: request.sig,
            outcome: thrown.outcome.clone(),
        };
        Ok(Step::Written(vec![self.write(Line::Typed(line))]))
    }

    /// A hidden roll is shown.
    pub(super) fn reveal(
        &mut self,
        request: &Request<request::Reveal>,
        aside: Option<&super::Aside>,
        thrown: Option<&Thrown>,
    ) -> Result<Step, Problem> {
        let after_at = match self.turn(Kind::Reveal, &request.envelope, &request.hash)? {
            Turn::Again(line) => return Ok(Step::Repeated(line)),
            Turn::New(after_at) => after_at,
        };
        let of = request.body.of;
        let unknown = || {
            Problem::new(422, "request", format!("line {of} is no earlier hidden roll"))
                .at("request.of")
        };
        let roller =
            self.hidden.get(&of).copied().filter(|_| of <= after_at).ok_or_else(unknown)?;
        let aside = aside.ok_or_else(unknown)?;
        let house = aside.house.ok_or_else(unknown)?;
        let (envelope, asked) =
            envelope_of::<request::Roll>(&aside.request, &self.id).ok_or_else(unknown)?;
        let by = request.envelope.seat;
        let owner = self.role(by) == Some(Role::Owner) && asked.to != To::Myself;
        if envelope.seat != roller || by != roller && !owner {
            return Err(Problem::new(
                403,
                "not-for-you",
                "only the roller or a game master may reveal this",
            ));
        }
        let (dice, outcome) = match (&aside.shown, &aside.refused) {
            (Some(shown), _) => shown.clone(),
            (None, Some(why)) => (Vec::new(), refused(why)),
            (None, None) => {
                let throw = self.throw_of(aside).ok_or_else(unknown)?;
                match thrown.filter(|thrown| thrown.id == throw.id) {
                    Some(thrown) => (thrown.dice.clone(), thrown.outcome.clone()),
                    None => return Ok(Step::Throw(Box::new(throw))),
                }
            }
        };
        let roll = aside.request.clone();
        let (request, sig) = (request.text.clone(), request.sig);
        let line = line::Reveal { request, sig, roll, house, dice, outcome };
        Ok(Step::Written(vec![self.write(Line::Reveal(line))]))
    }
}

fn named(name: &str) -> Result<(), Problem> {
    check_name(name).map_err(|wrong| Problem::of(&wrong).at("request.name"))
}
