//! Bytes that are written as lower-case hexadecimal digits.

use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

/// So many bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bytes<const N: usize>(pub [u8; N]);

/// The hash of a line, of a request, of words.
pub type Hash = Bytes<32>;
/// A sealed value.
pub type Seal = Bytes<32>;
/// A value that is or was sealed.
pub type Value = Bytes<32>;
/// The public key of a house or a seat.
pub type Key = Bytes<32>;
/// The id of a table.
pub type Id = Bytes<16>;
/// A signature.
pub type Signature = Bytes<64>;

/// SHA-256.
pub fn hash(bytes: &[u8]) -> Hash {
    Bytes(Sha256::digest(bytes).into())
}

impl<const N: usize> Bytes<N> {
    /// Nothing but zeros.
    pub const ZERO: Bytes<N> = Bytes([0; N]);

    /// From lower-case hexadecimal digits.
    pub fn read(text: &str) -> Option<Bytes<N>> {
        let mut bytes = [0; N];
        let lower = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        hex::decode_to_slice(text, &mut bytes).ok().filter(|()| lower)?;
        Some(Bytes(bytes))
    }
}

impl<const N: usize> Default for Bytes<N> {
    fn default() -> Self {
        Bytes::ZERO
    }
}

impl<const N: usize> fmt::Display for Bytes<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl<const N: usize> fmt::Debug for Bytes<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<const N: usize> Serialize for Bytes<N> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&hex::encode(self.0))
    }
}

impl<'de, const N: usize> Deserialize<'de> for Bytes<N> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Bytes::read(&text).ok_or_else(|| {
            D::Error::custom(format!("{N} bytes as hexadecimal digits are expected"))
        })
    }
}
