//! A device at a table, honest unless somebody else uses its key.

use ed25519_dalek::SigningKey;

use crate::bytes::{Bytes, Hash, Id, Seal};
use crate::formulas::{seal, testimony_text, witness_value};
use crate::line::Opened;
use crate::request::Role;

use super::signed;

/// A device at a table.
#[derive(Clone, Debug)]
pub struct Device {
    /// Its name.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// Its key.
    pub key: SigningKey,
    /// The secret of its testimony.
    pub secret: [u8; 32],
    /// How many requests it has signed.
    pub n: u64,
    /// The number of its newest witness seal.
    pub m: u64,
    /// Whether that seal is spent.
    pub spent: bool,
    /// The number of the house's current seal for it.
    pub laid: u64,
    /// Whether it is here.
    pub present: bool,
    /// Whether it has left.
    pub left: bool,
}

impl Device {
    /// A device that has not done anything yet.
    pub fn new(name: &str, role: Role, key: Bytes<32>, secret: Bytes<32>) -> Device {
        Device {
            name: name.into(),
            role,
            key: SigningKey::from_bytes(&key.0),
            secret: secret.0,
            n: 0,
            m: 0,
            spent: false,
            laid: 0,
            present: true,
            left: false,
        }
    }

    /// Whether it can be asked to be a witness.
    pub fn can_be_asked(&self) -> bool {
        self.role != Role::Door && self.present && !self.left && !self.spent
    }

    /// Its newest seal.
    pub fn seal(&self, table: &Id) -> Seal {
        seal(&witness_value(&self.secret, table, self.m))
    }

    /// Opens its seal for a line that asks, and lays the next.
    pub fn testify(&mut self, table: &Id, ask: &Hash, seat: u64) -> Opened {
        let (m, value) = (self.m, witness_value(&self.secret, table, self.m));
        self.m += 1;
        self.spent = false;
        let next = self.seal(table);
        let text = testimony_text(table, ask, seat, m, &value, &next);
        (seat, value, next, signed(&self.key, &text))
    }
}
