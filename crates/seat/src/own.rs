//! What a device is: its keys, and what it has signed.
//!
//! The secret of its testimony is never stored. Who is started again has another one, lays a new seal with it, and leaves the old one closed: so
//! no copy of a state, however old, can open one seal for two requests.

use std::fmt;

use astragal_fair::formulas::{request_text, seal, testimony_text, witness_value};
use astragal_fair::line::Opened;
use astragal_fair::{Bytes, Hash, Id, Key, Kind, Seal, Signature};
use ed25519_dalek::{Signer, SigningKey};

use crate::post::{Testimony, Waiting};

/// A device that sits, or is about to.
pub(crate) struct Own {
    pub(crate) key: SigningKey,
    secret: [u8; 32],
    /// Who it is to the server.
    pub(crate) token: Bytes<16>,
    /// How many requests it has signed.
    pub(crate) n: u64,
    /// The first seal that is made of this secret.
    pub(crate) first_seal: Option<u64>,
    /// The request that it has signed and not seen in a line.
    pub(crate) waiting: Option<Waiting>,
    /// What it has last testified.
    pub(crate) testimony: Option<Testimony>,
}

/// Nobody prints a key by accident.
impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a device, {} signed", self.n)
    }
}

impl Own {
    /// From 80 fresh bytes: key, secret and token.
    pub(crate) fn new(fresh: &[u8; 80]) -> Own {
        let mut token = [0; 16];
        token.copy_from_slice(&fresh[64..]);
        Own {
            key: SigningKey::from_bytes(&half(&fresh[..32])),
            secret: half(&fresh[32..64]),
            token: Bytes(token),
            n: 0,
            first_seal: Some(0),
            waiting: None,
            testimony: None,
        }
    }

    /// The same device after it was started again, with a fresh secret: it has laid no seal with it.
    pub(crate) fn again(key: [u8; 32], fresh: [u8; 32], token: Bytes<16>) -> Own {
        Own {
            key: SigningKey::from_bytes(&key),
            secret: fresh,
            token,
            n: 0,
            first_seal: None,
            waiting: None,
            testimony: None,
        }
    }

    pub(crate) fn public(&self) -> Key {
        Bytes(self.key.verifying_key().to_bytes())
    }

    /// Its seal with this number.
    pub(crate) fn seal(&self, table: &Id, m: u64) -> Seal {
        seal(&witness_value(&self.secret, table, m))
    }

    /// Whether it can open the seal with this number.
    pub(crate) fn has_laid(&self, m: u64) -> bool {
        self.first_seal.is_some_and(|first| first <= m)
    }

    /// Opens a seal for a line that asks, and lays the next.
    pub(crate) fn testify(&self, table: &Id, ask: &Hash, seat: u64, m: u64) -> Opened {
        let value = witness_value(&self.secret, table, m);
        let next = self.seal(table, m + 1);
        let sig = self.signed(&testimony_text(table, ask, seat, m, &value, &next));
        (seat, value, next, sig)
    }

    /// Signs its next request, which counts as signed from then on.
    pub(crate) fn sign(
        &mut self,
        kind: Kind,
        (table, seat, after): (&Id, u64, &Hash),
        request: &str,
    ) -> Signature {
        let of = astragal_fair::hash(request.as_bytes());
        let text = request_text(kind.signed().name(), table, seat, self.n, after, &of);
        self.n += 1;
        self.signed(&text)
    }

    pub(crate) fn signed(&self, text: &str) -> Signature {
        Bytes(self.key.sign(text.as_bytes()).to_bytes())
    }
}

/// 32 of some bytes.
fn half(bytes: &[u8]) -> [u8; 32] {
    let mut half = [0; 32];
    half.copy_from_slice(bytes);
    half
}
