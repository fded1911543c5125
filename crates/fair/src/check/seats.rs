//! Seats, and what they sign.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::MOST_SEATS;
use crate::bytes::{Hash, Key, Seal, Signature, Value, hash};
use crate::formulas::{owner_text, request_text};
use crate::kind::Kind;
use crate::line;
use crate::report::SeatReport;
use crate::request::{self, Envelope, Role, check_name};
use crate::signature::Signer;
use crate::wrong::{Trouble, Wrong, need};

use super::{Checker, Shown};

/// A seat, as far as the log has come.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    key: Key,
    signer: Signer,
    pub(super) role: Role,
    /// How many requests it has signed.
    n: u64,
    /// Its newest line.
    pub(super) newest: u64,
    pub(super) present: bool,
    pub(super) left: bool,
    /// The house's seal for it, and the line that laid it.
    pub(super) sealed: (Seal, u64),
    /// What the house retired since the seat's last roll, and in which lines.
    pub(super) retired: Vec<(u64, Value)>,
    /// The number of its newest seal as a witness, and the seal unless it is spent.
    pub(super) witness: (u64, Option<Seal>),
}

impl Seat {
    /// Whether it can be asked to be a witness.
    pub(super) fn can_be_asked(&self) -> bool {
        self.can_speak() && self.present
    }

    /// Whether it could be a witness if it were here.
    pub(super) fn can_speak(&self) -> bool {
        self.role != Role::Door && !self.left && self.witness.1.is_some()
    }

    pub(super) fn facts(&self) -> super::SeatFacts {
        super::SeatFacts {
            key: self.key,
            role: self.role,
            n: self.n,
            newest: self.newest,
            present: self.present,
            left: self.left,
            m: self.witness.0,
            seal: self.witness.1,
            sealed: self.sealed.0,
        }
    }

    pub(super) fn has_signed(&self, text: &str, signature: &Signature) -> bool {
        self.signer.has_signed(text, signature)
    }
}

/// A request whose signature fits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signed {
    pub(super) seat: usize,
    pub(super) n: u64,
    pub(super) after: Hash,
    /// The number of the line that `after` names.
    pub(super) after_at: u64,
    pub(super) hash: Hash,
}

impl Checker {
    /// Somebody sits down.
    pub(super) fn sit(&mut self, line: &line::Seat) -> Result<Shown, Wrong> {
        let (envelope, asked) = request::read::<request::Seat>(&line.request, &self.table()?.id)?;
        let wrong = |message: &str| Wrong::new(Trouble::Seat, message.to_owned());
        let number = self.seats.len();
        need(envelope.seat == number as u64, || {
            wrong("the new seat has not the next number").instead(number, envelope.seat)
        })?;
        need(number < MOST_SEATS, || wrong("there are more than 64 seats"))?;
        check_name(&asked.name)?;
        let known = self.seats.iter().any(|seat| seat.key == asked.key);
        need(!known, || wrong("the key of the new seat is that of another seat"))?;
        self.check_vouched(line, asked.role)?;
        let signer = Signer::of(&asked.key)
            .ok_or_else(|| Wrong::new(Trouble::Signature, "the key of the new seat is no key"))?;
        self.lay(&asked.seal)?;
        let seq = self.chain.seq();
        self.seats.push(Seat {
            key: asked.key,
            signer,
            role: asked.role,
            n: 0,
            newest: 0,
            present: true,
            left: false,
            sealed: (line.sealed, seq),
            retired: Vec::new(),
            witness: (0, Some(asked.seal)),
        });
        self.report.seats.push(SeatReport::new(asked.name, asked.role));
        self.signed(Kind::Seat, &envelope, hash(line.request.as_bytes()), &line.sig)?;
        self.lay(&line.sealed)?;
        Ok(Shown::default())
    }

    /// An owner after the first is let in by an owner.
    fn check_vouched(&self, line: &line::Seat, role: Role) -> Result<(), Wrong> {
        let wrong = |message: &str| Wrong::new(Trouble::Seat, message.to_owned());
        let has_owner = self.seats.iter().any(|seat| seat.role == Role::Owner);
        if role != Role::Owner || !has_owner {
            return need(line.vouched.is_none(), || wrong("nobody has to vouch for that seat"));
        }
        let (by, sig) = line.vouched.as_ref().ok_or_else(|| {
            wrong("the table has a game master, who has not signed that there is to be another")
        })?;
        let owner = usize::try_from(*by).ok().and_then(|at| self.seats.get(at));
        let owner = owner.filter(|seat| seat.role == Role::Owner && !seat.left);
        let owner = owner.ok_or_else(|| wrong("only a game master may let another one in"))?;
        let text = owner_text(&self.table()?.id, *by, &hash(line.request.as_bytes()));
        need(owner.has_signed(&text, sig), || {
            let message = "the game master has not signed that there is to be another";
            Wrong::new(Trouble::Signature, message)
        })
    }

    /// A request in full, and who signed it.
    pub(super) fn request<T: Serialize + DeserializeOwned>(
        &mut self,
        kind: Kind,
        text: &str,
        sig: &Signature,
    ) -> Result<(Signed, T), Wrong> {
        let (envelope, asked) = request::read::<T>(text, &self.table()?.id)?;
        let signed = self.signed(kind, &envelope, hash(text.as_bytes()), sig)?;
        Ok((signed, asked))
    }

    /// Checks that a seat has signed this as its next request. It is enough to know the hash of the request.
    pub(super) fn signed(
        &mut self,
        kind: Kind,
        envelope: &Envelope,
        of: Hash,
        sig: &Signature,
    ) -> Result<Signed, Wrong> {
        let id = self.table()?.id;
        let seq = self.chain.seq();
        let Envelope { seat: number, n, after } = *envelope;
        let at = usize::try_from(number).unwrap_or(usize::MAX);
        let wrong = |trouble: Trouble, message: &str| Wrong::new(trouble, message.to_owned());
        let seat =
            self.seats.get_mut(at).ok_or_else(|| wrong(Trouble::Seat, "there is no such seat"))?;
        need(!seat.left, || wrong(Trouble::Seat, "that seat has left the table"))?;
        need(n == seat.n, || {
            let message =
                "it is not the next request of that seat: one is missing, or stands twice";
            wrong(Trouble::Number, message).instead(seat.n, n)
        })?;
        let after_at = self.chain.at.get(&after).copied();
        let after_at = after_at.ok_or_else(|| {
            wrong(Trouble::After, "its `after` names a line that is not in this log")
        })?;
        need(kind == Kind::Seat || after_at >= seat.newest, || {
            let message = "its `after` is older than the newest line of that seat";
            wrong(Trouble::After, message)
                .instead(format!("line {} or later", seat.newest), format!("line {after_at}"))
        })?;
        let text = request_text(kind.signed().name(), &id, number, n, &after, &of);
        need(seat.has_signed(&text, sig), || {
            wrong(Trouble::Signature, "it is not signed by the device of that seat")
        })?;
        let asks = self.ask.as_ref().is_some_and(|ask| ask.is_by(at));
        need(!asks, || {
            wrong(
                Trouble::Order,
                "witnesses were asked for a roll of that seat, which is not closed",
            )
        })?;
        need(!kind.is_for_owners() || seat.role == Role::Owner, || {
            wrong(Trouble::Seat, "only a game master may do this")
        })?;
        seat.n += 1;
        seat.newest = seq;
        self.signer = Some(number);
        Ok(Signed { seat: at, n, after, after_at, hash: of })
    }
}
