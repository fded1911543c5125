//! Seals, values, keys, and the texts that are signed.
//!
//! Each formula has a tag of its own, so that what is published before never gives away what comes after: a seal
//! and a roll key are made of the same value and have nothing to do with each other.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::bytes::{Bytes, Hash, Id, Key, Seal, Value};

/// The id of a table: no other house can have it.
pub fn table_id(house: &Key, nonce: &Bytes<16>) -> Id {
    let all = hashed(b"astragal table v1\0", &[&house.0, &nonce.0]);
    let mut id = [0; 16];
    id.copy_from_slice(&all.0[..16]);
    Bytes(id)
}

/// What the house seals for a seat, the `n`-th time.
pub fn house_value(secret: &[u8; 32], table: &Id, seat: u32, n: u64) -> Value {
    let parts: [&[u8]; 3] = [&table.0, &seat.to_le_bytes(), &n.to_le_bytes()];
    keyed(secret, b"astragal house value v1\0", &parts)
}

/// What a seat seals as a witness, the `m`-th time.
pub fn witness_value(secret: &[u8; 32], table: &Id, m: u64) -> Value {
    keyed(secret, b"astragal witness value v1\0", &[&table.0, &m.to_le_bytes()])
}

/// What lies on the table before a value is opened.
pub fn seal(value: &Value) -> Seal {
    hashed(b"astragal sealed v1\0", &[&value.0])
}

/// The key of a roll: its dice are stream v2 of it.
pub fn roll_key(house: &Value, request: &Hash, witnesses: &[Value]) -> Bytes<32> {
    let mut parts: Vec<&[u8]> = vec![&request.0];
    parts.extend(witnesses.iter().map(|value| &value.0[..]));
    keyed(&house.0, b"astragal roll key v1\0", &parts)
}

/// The hash under which words are kept beside the log. The salt keeps short words from being guessed when they are deleted.
pub fn said(salt: &[u8; 16], words: &str) -> Hash {
    hashed(b"astragal said v1\0", &[salt, words.as_bytes()])
}

/// What a seat signs for a request.
pub fn request_text(kind: &str, table: &Id, seat: u64, n: u64, after: &Hash, of: &Hash) -> String {
    format!("astragal request v1\n{kind}\n{table}\n{seat}\n{n}\n{after}\n{of}\n")
}

/// What a witness signs.
pub fn testimony_text(
    table: &Id,
    ask: &Hash,
    seat: u64,
    m: u64,
    value: &Value,
    next: &Seal,
) -> String {
    format!("astragal testimony v1\n{table}\n{ask}\n{seat}\n{m}\n{value}\n{next}\n")
}

/// What the house signs for a testimony that it has received.
pub fn receipt_text(
    table: &Id,
    ask: &Hash,
    seat: u64,
    m: u64,
    value: &Value,
    next: &Seal,
) -> String {
    format!("astragal receipt v1\n{table}\n{ask}\n{seat}\n{m}\n{value}\n{next}\n")
}

/// What an owner signs for a seat that is to be another owner.
pub fn owner_text(table: &Id, by: u64, request: &Hash) -> String {
    format!("astragal owner v1\n{table}\n{by}\n{request}\n")
}

/// What the house signs for the last line of a log.
pub fn head_text(table: &Id, seq: u64, line: &Hash) -> String {
    format!("astragal head v1\n{table}\n{seq}\n{line}\n")
}

/// What the house signs to hand a table over to another house.
pub fn move_text(table: &Id, seq: u64, prev: &Hash, house: &Key) -> String {
    format!("astragal move v1\n{table}\n{seq}\n{prev}\n{house}\n")
}

/// SHA-256 of a tag and parts.
pub(crate) fn hashed(tag: &[u8], parts: &[&[u8]]) -> Hash {
    let mut hasher = Sha256::new_with_prefix(tag);
    parts.iter().for_each(|part| hasher.update(part));
    Bytes(hasher.finalize().into())
}

/// HMAC-SHA-256 of a tag and parts.
fn keyed(key: &[u8; 32], tag: &[u8], parts: &[&[u8]]) -> Bytes<32> {
    // A key shorter than a block is filled up with zeros, which is what HMAC says of it too.
    let mut block = [0; 64];
    block[..32].copy_from_slice(key);
    let mut mac = Hmac::<Sha256>::new(&block.into());
    mac.update(tag);
    parts.iter().for_each(|part| mac.update(part));
    Bytes(mac.finalize().into_bytes().into())
}
