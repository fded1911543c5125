//! A table in memory: a house and its seats, all keys in one hand.
//!
//! It writes logs as an honest house and honest devices would, by [`Table::roll`] and its like. Whoever wants to lie uses the small
//! parts that these are made of, with the keys of those who collude. Everything follows from a seed.

mod acts;
mod device;
mod evening;
pub mod forge;
pub mod lies;
pub mod luck;
mod rolls;
mod wild;

use std::collections::HashMap;
use std::sync::Arc;

use ed25519_dalek::{Signer, SigningKey};
use serde::Serialize;

use crate::bytes::{Bytes, Hash, Id, Key, Seal, Signature, Value, hash};
use crate::exact;
use crate::formulas::{head_text, house_value, owner_text, request_text, seal, table_id};
use crate::judge::LANGUAGE;
use crate::kind::Kind;
use crate::line::{self, Asked, Limits, Witness};
use crate::programs::{Programs, library};
use crate::request::{self, Envelope, Role};

pub use device::Device;
pub use evening::{evening, long, short};
pub use rolls::Secret;
pub use wild::wild;

/// A table, with everybody's keys.
#[derive(Debug)]
pub struct Table {
    /// Its id.
    pub id: Id,
    /// The key of the house.
    pub house: SigningKey,
    /// The secret of the house, from which its values are made.
    pub secret: [u8; 32],
    /// The lines so far.
    pub lines: Vec<String>,
    /// The devices.
    pub seats: Vec<Device>,
    /// When witnesses are asked.
    pub witness: Witness,
    /// What a roll may cost.
    pub limits: Limits,
    /// House rules and since when they hold.
    pub rules: Vec<(u64, Arc<str>)>,
    /// What was hidden, by line.
    pub hidden: HashMap<u64, Secret>,
    /// Rolls programs.
    pub programs: Programs,
    drawn: u64,
    seed: u64,
}

impl Table {
    /// A new table: its first line.
    pub fn new(seed: u64, witness: Witness) -> Table {
        Table::with_limits(seed, witness, Limits::USUAL)
    }

    /// The same with other limits.
    pub fn with_limits(seed: u64, witness: Witness, limits: Limits) -> Table {
        let mut table = Table {
            id: Bytes::ZERO,
            house: SigningKey::from_bytes(&[0; 32]),
            secret: [0; 32],
            lines: Vec::new(),
            seats: Vec::new(),
            witness,
            limits,
            rules: Vec::new(),
            hidden: HashMap::new(),
            programs: Programs::default(),
            drawn: 0,
            seed,
        };
        table.house = SigningKey::from_bytes(&table.fresh().0);
        table.secret = table.fresh().0;
        let house = Bytes(table.house.verifying_key().to_bytes());
        let nonce = Bytes([3; 16]);
        table.id = table_id(&house, &nonce);
        let first = line::Table {
            v: 1,
            table: table.id,
            house,
            nonce,
            language: LANGUAGE,
            library: library(),
            witness,
            limits,
        };
        table.write(Kind::Table, &first);
        table
    }

    /// The same table once more: a backup.
    pub fn clone_of(other: &Table) -> Table {
        Table {
            house: other.house.clone(),
            lines: other.lines.clone(),
            seats: other.seats.clone(),
            rules: other.rules.clone(),
            hidden: other.hidden.clone(),
            programs: Programs::default(),
            ..*other
        }
    }

    /// Fresh bytes, as a device would take them from its system.
    pub fn fresh(&mut self) -> Bytes<32> {
        self.drawn += 1;
        hash(format!("simulated {} {}", self.seed, self.drawn).as_bytes())
    }

    /// The hash of the newest line.
    pub fn prev(&self) -> Hash {
        self.lines.last().map_or(Bytes::ZERO, |line| hash(line.as_bytes()))
    }

    /// The number of the next line.
    pub fn seq(&self) -> u64 {
        self.lines.len() as u64
    }

    /// Writes a line and gives its number.
    pub fn write<T: Serialize>(&mut self, kind: Kind, content: &T) -> u64 {
        let line = line::written(self.seq(), &self.prev(), kind, content);
        self.lines.push(line);
        self.seq() - 1
    }

    /// The head of the log, signed by the house.
    pub fn head(&self) -> String {
        let (seq, hash) = (self.seq().saturating_sub(1), self.prev());
        let sig = signed(&self.house, &head_text(&self.id, seq, &hash));
        exact::write(&line::Head { kind: "head".into(), table: self.id, seq, hash, sig })
    }

    /// The whole log, with its head.
    pub fn log(&self) -> String {
        let lines: String = self.lines.iter().map(|line| format!("{line}\n")).collect();
        lines + &self.head() + "\n"
    }

    /// Somebody sits down.
    pub fn sit(&mut self, name: &str, role: Role) -> u64 {
        let number = self.seats.len() as u64;
        let device = Device::new(name, role, self.fresh(), self.fresh());
        self.seats.push(device);
        let key: Key = Bytes(self.device(number).key.verifying_key().to_bytes());
        let id = self.id;
        let seal = self.device(number).seal(&id);
        let asked = request::Seat { name: name.into(), role, key, seal };
        let (request, sig) = self.sign(number, Kind::Seat, &asked);
        let sealed = self.current_seal(number);
        let before = (0..number).zip(&self.seats);
        let mut owners = before.filter(|(_, seat)| seat.role == Role::Owner && !seat.left);
        let owner = owners.next().filter(|_| role == Role::Owner);
        let vouched = owner.map(|(by, owner)| {
            let text = owner_text(&self.id, by, &hash(request.as_bytes()));
            (by, signed(&owner.key, &text))
        });
        self.write(Kind::Seat, &line::Seat { request, sig, vouched, sealed });
        number
    }

    /// A device.
    pub fn device(&mut self, seat: u64) -> &mut Device {
        &mut self.seats[seat as usize]
    }

    /// A request of a seat, signed, after the newest line.
    pub fn sign<T: Serialize>(&mut self, seat: u64, kind: Kind, asked: &T) -> (String, Signature) {
        let after = self.prev();
        self.sign_after(seat, kind, asked, after)
    }

    /// The same after another line.
    pub fn sign_after<T: Serialize>(
        &mut self,
        seat: u64,
        kind: Kind,
        asked: &T,
        after: Hash,
    ) -> (String, Signature) {
        let id = self.id;
        let device = self.device(seat);
        let (n, key) = (device.n, device.key.clone());
        device.n += 1;
        let text = request::written(&id, &Envelope { seat, n, after }, asked);
        let of = hash(text.as_bytes());
        let sig = signed(&key, &request_text(kind.signed().name(), &id, seat, n, &after, &of));
        (text, sig)
    }

    /// The value that the house has sealed for a seat.
    pub fn value(&self, seat: u64) -> Value {
        let laid = self.seats[seat as usize].laid;
        house_value(&self.secret, &self.id, seat as u32, laid)
    }

    /// The seal of that value.
    pub fn current_seal(&self, seat: u64) -> Seal {
        seal(&self.value(seat))
    }

    /// The house opens its value for a seat and seals the next.
    pub fn open(&mut self, seat: u64) -> (Value, Seal) {
        let value = self.value(seat);
        self.device(seat).laid += 1;
        (value, self.current_seal(seat))
    }

    /// Whether a roll of this seat needs witnesses.
    pub fn needs_witnesses(&self, roller: u64) -> bool {
        match self.witness {
            Witness::Always => true,
            Witness::Owner => self.seats[roller as usize].role != Role::Player,
            Witness::Never => false,
        }
    }

    /// Whether the roller must be asked and cannot be.
    pub fn is_unsealed(&self, roller: u64) -> bool {
        let device = &self.seats[roller as usize];
        self.needs_witnesses(roller) && device.role != Role::Door && device.spent
    }

    /// Who must be asked for a roll of this seat: all who can be, and the roller.
    pub fn witnesses(&self, roller: u64) -> Vec<Asked> {
        if !self.needs_witnesses(roller) || self.is_unsealed(roller) {
            return Vec::new();
        }
        let asked = |at: u64, seat: &Device| match at == roller {
            true => seat.role != Role::Door,
            false => seat.can_be_asked(),
        };
        let can = (0..).zip(&self.seats).filter(|(at, seat)| asked(*at, seat));
        can.map(|(at, seat)| (at, seat.m)).collect()
    }

    /// The house rules now.
    pub fn newest_rules(&self) -> Option<Arc<str>> {
        self.rules.last().map(|(_, text)| Arc::clone(text))
    }
}

/// A text, signed.
pub fn signed(key: &SigningKey, text: &str) -> Signature {
    Bytes(key.sign(text.as_bytes()).to_bytes())
}
