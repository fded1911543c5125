//! Whether it is a request's turn: numbers, dates, who may.

use astragal_fair::formulas::request_text;
use astragal_fair::line::{How, Outcome};
use astragal_fair::request::{self, Envelope, For, Role, To, check_inputs};
use astragal_fair::{Bytes, Hash, Id, Kind, Signature, Signer, Wrong, hash};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::House;
use crate::problem::Problem;

/// A request that could be read.
#[derive(Clone, Debug)]
pub struct Request<T> {
    /// Who asks, when.
    pub envelope: Envelope,
    /// Exactly as it was signed.
    pub text: String,
    /// Its hash.
    pub hash: Hash,
    /// By its seat.
    pub sig: Signature,
    /// What is asked for.
    pub body: T,
}

impl<T: Serialize + DeserializeOwned> Request<T> {
    /// Reads a request for a table. Its signature is not looked at.
    pub fn read(text: &str, sig: &str, table: &Id) -> Result<Request<T>, Problem> {
        let (envelope, body) = request::read(text, table).map_err(|wrong| Problem::of(&wrong))?;
        let sig = Bytes::read(sig).ok_or_else(|| {
            Problem::new(422, "form", "a signature is 128 lower-case hexadecimal digits").at("sig")
        })?;
        let hash = hash(text.as_bytes());
        Ok(Request { envelope, text: text.to_owned(), hash, sig, body })
    }
}

impl<T> Request<T> {
    /// Whether this key has signed it as a request of this kind.
    pub fn check_signed(&self, kind: Kind, table: &Id, by: &Signer) -> Result<(), Problem> {
        let Envelope { seat, n, after } = self.envelope;
        let text = request_text(kind.signed().name(), table, seat, n, &after, &self.hash);
        if by.has_signed(&text, &self.sig) {
            return Ok(());
        }
        let what = format!("the request is not signed by the key of seat {seat} as `{kind}`");
        Err(Problem::new(403, "signature", what)
            .at("sig")
            .help("sign the text that spec/fair.md gives for a request, with the key of the seat"))
    }
}

/// Whether a request is new.
pub(super) enum Turn {
    /// The same request came before: this line bears it.
    Again(u64),
    /// It is the seat's next; this is the number of the line that it follows.
    New(u64),
}

impl House {
    /// Whether it is the turn of this request.
    pub(super) fn turn(
        &self,
        kind: Kind,
        envelope: &Envelope,
        own: &Hash,
    ) -> Result<Turn, Problem> {
        let number = envelope.seat;
        let seat = self.seat(number).ok_or_else(|| {
            Problem::new(422, "request", format!("there is no seat {number}")).at("request.seat")
        })?;
        let next = seat.signed.len() as u64;
        let known = usize::try_from(envelope.n).ok().and_then(|n| seat.signed.get(n));
        match known {
            Some((line, hash)) if hash == own => return Ok(Turn::Again(*line)),
            Some((line, _)) => {
                let what = format!("line {line} bears another request with this number");
                return Err(Problem::new(409, "number-used", what)
                    .at("request.n")
                    .expected(next)
                    .help("a device signs one number once; two devices must not share a key"));
            }
            None => {}
        }
        self.check_goes_on()?;
        if seat.left {
            return Err(Problem::new(
                409,
                "seat-left",
                format!("seat {number} has left the table"),
            )
            .help("sit down again, with a fresh key"));
        }
        if envelope.n != next {
            return Err(Problem::new(409, "number-not-next", "it is not the seat's next request")
                .at("request.n")
                .expected(next)
                .help("send the requests before it again, each with its own bytes"));
        }
        if kind.is_for_owners() && seat.role != Role::Owner {
            return Err(Problem::new(403, "not-for-you", "only a game master may do this"));
        }
        let after_at = self.after(&envelope.after)?;
        if after_at < seat.newest {
            return Err(Problem::new(
                409,
                "after-old",
                "it follows a line before the seat's newest",
            )
            .at("request.after")
            .expected(seat.newest)
            .help("take the lines that you do not have, and sign anew after the newest"));
        }
        if self.open.as_ref().is_some_and(|open| open.seat == number) {
            return Err(Problem::new(
                409,
                "ask-open",
                "the seat's own roll waits for its witnesses",
            )
            .help("wait for the line that closes it, and sign anew after that"));
        }
        Ok(Turn::New(after_at))
    }

    /// Whether anything can be written at this table at all.
    pub(super) fn check_goes_on(&self) -> Result<(), Problem> {
        if self.moved {
            return Err(Problem::moved());
        }
        if self.ended {
            return Err(Problem::new(409, "ended", "the table was closed")
                .help("its log stays; make a new table"));
        }
        if self.lost {
            return Err(Problem::new(
                409,
                "ended",
                "the house has lost the values that it had sealed",
            )
            .help("its log stays; make a new table"));
        }
        Ok(())
    }

    /// The number of the line that a request follows.
    pub(super) fn after(&self, after: &Hash) -> Result<u64, Problem> {
        self.at.get(after).copied().ok_or_else(|| {
            Problem::new(409, "after-unknown", "it follows a line that is not in this log")
                .at("request.after")
                .expected(self.prev.to_string())
                .help("compare your log with the table's: one of the two has another history")
        })
    }

    pub(super) fn check_text(&self, text: &str) -> Result<(), Problem> {
        let most = self.limits.text;
        if text.len() as u64 <= most {
            return Ok(());
        }
        Err(too_long("the program", "request.text", most, text.len()))
    }

    pub(super) fn check_roll(&self, body: &request::Roll, after_at: u64) -> Result<(), Problem> {
        self.check_text(&body.text)?;
        check_inputs(&body.inputs).map_err(|wrong| inputs(&wrong))?;
        self.check_to(&body.to)?;
        self.check_for(&body.r#for, after_at)
    }

    pub(super) fn check_to(&self, to: &To) -> Result<(), Problem> {
        let unknown =
            |seats: &Vec<u64>| seats.iter().copied().find(|seat| self.seat(*seat).is_none());
        match to {
            To::Seats(seats) if let Some(seat) = unknown(seats) => {
                let what = format!("there is no seat {seat}");
                Err(Problem::new(422, "request", what).at("request.to"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn check_for(&self, r#for: &For, after_at: u64) -> Result<(), Problem> {
        match r#for {
            For::Call(line) if *line > after_at || self.kind(*line) != Some(Kind::Call) => {
                let what = format!("line {line} is no call that this request has seen");
                Err(Problem::new(422, "request", what).at("request.for"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn kind(&self, line: u64) -> Option<Kind> {
        self.kinds.get(usize::try_from(line).ok()?).copied()
    }
}

pub(super) fn inputs(wrong: &Wrong) -> Problem {
    Problem::of(wrong).at("request.inputs")
}

pub(super) fn too_long(what: &str, place: &'static str, most: u64, found: usize) -> Problem {
    Problem::new(422, "request", format!("{what} has {found} bytes, and may have {most}"))
        .at(place)
        .expected(most)
}

/// An outcome that says why nothing was rolled.
pub(super) fn refused(why: &str) -> Outcome {
    Outcome(How::Refused, why.to_owned())
}
