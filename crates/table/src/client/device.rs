//! A device at a table: it signs, testifies, and remembers the newest line.

use astragal_fair::formulas::request_text;
use astragal_fair::line::{self, Line, Opened};
use astragal_fair::request::{self, Envelope, For, NewSeal, Role, To};
use astragal_fair::simulate::{Device, signed};
use astragal_fair::{Bytes, Hash, Id, Kind, hash};
use serde::Serialize;
use serde_json::{Value as Json, json};

/// A device at a table.
#[derive(Clone, Debug)]
pub struct Player {
    /// The table.
    pub table: Id,
    /// The number of its seat.
    pub seat: u64,
    /// Its keys and counters.
    pub device: Device,
    /// The token of the seat.
    pub token: String,
    /// The hash of the newest line that it has.
    pub newest: Hash,
    drawn: u64,
    seed: u64,
}

impl Player {
    /// A device that wants to sit down.
    pub fn new(table: Id, seat: u64, name: &str, role: Role, newest: Hash, seed: u64) -> Player {
        let of = |what: &str| hash(format!("player {seed} {what}").as_bytes());
        let mut token = of("token").to_string();
        token.truncate(32);
        let device = Device::new(name, role, of("key"), of("secret"));
        Player { table, seat, device, token, newest, drawn: 0, seed }
    }

    /// Fresh bytes.
    pub fn fresh(&mut self) -> Bytes<32> {
        self.drawn += 1;
        hash(format!("player {} draws {}", self.seed, self.drawn).as_bytes())
    }

    /// A request of a kind, signed: the next of this seat.
    pub fn sign<T: Serialize>(&mut self, kind: Kind, body: &T) -> Json {
        let envelope = Envelope { seat: self.seat, n: self.device.n, after: self.newest };
        self.device.n += 1;
        let text = request::written(&self.table, &envelope, body);
        let of = hash(text.as_bytes());
        let Envelope { seat, n, after } = envelope;
        let what = request_text(kind.signed().name(), &self.table, seat, n, &after, &of);
        json!({"request": text, "sig": signed(&self.device.key, &what).to_string()})
    }

    /// What is sent to sit down.
    pub fn sit(&mut self) -> Json {
        let key = Bytes(self.device.key.verifying_key().to_bytes());
        let seal = self.device.seal(&self.table);
        let (name, role) = (self.device.name.clone(), self.device.role);
        let mut body = self.sign(Kind::Seat, &request::Seat { name, role, key, seal });
        body["token"] = self.token.clone().into();
        body
    }

    /// A roll, as it is sent.
    pub fn roll(&mut self, text: &str, to: To) -> Json {
        let salt = self.fresh();
        let kind = if to == To::All { Kind::Roll } else { Kind::Hidden };
        let text = text.to_owned();
        let asked = request::Roll { salt, text, inputs: Vec::new(), to, r#for: For::Nothing };
        self.sign(kind, &asked)
    }

    /// A new witness seal, after the last one was spent.
    pub fn seal(&mut self) -> Json {
        self.device.m += 1;
        self.device.spent = false;
        let seal = self.device.seal(&self.table);
        self.sign(Kind::Seal, &NewSeal { seal })
    }

    /// A testimony for the newest line, which asks.
    pub fn testify(&mut self) -> Opened {
        let (table, ask, seat) = (self.table, self.newest, self.seat);
        self.device.testify(&table, &ask, seat)
    }

    /// The same, as it is sent.
    pub fn testimony(&mut self, of: u64) -> Json {
        let (_, value, next, sig) = self.testify();
        json!({"of": of, "value": value.to_string(), "next": next.to_string(), "sig": sig.to_string()})
    }

    /// Takes a line, which is the next: whether it asks this seat.
    pub fn takes(&mut self, seq: u64, text: &str, prev: &Hash) -> Result<bool, String> {
        let line = line::read(text, seq, prev).map_err(|wrong| format!("line {seq}: {wrong}"))?;
        self.newest = hash(text.as_bytes());
        let asks = |asked: &[line::Asked]| asked.iter().any(|(seat, _)| *seat == self.seat);
        Ok(match &line {
            Line::Ask(line) => asks(&line.witnesses),
            Line::AskHidden(line) => asks(&line.witnesses),
            Line::Again(line) => asks(&line.witnesses),
            _ => false,
        })
    }
}
