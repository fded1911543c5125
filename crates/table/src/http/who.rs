//! Secrets, and what they are good for.

use axum::http::{HeaderMap, header};
use sha2::{Digest, Sha256};

use crate::problem::Problem;
use crate::store::{LinkRole, SecretHash};
use crate::tables::{Table, Who};

/// What is kept of a secret. It has 128 random bits, so that a slow hash would add nothing.
pub(crate) fn secret_hash(secret: &str) -> SecretHash {
    Sha256::digest(secret.as_bytes()).into()
}

/// Whether a text is a secret: 32 lower-case hexadecimal digits.
pub(crate) fn is_secret(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// A new secret.
pub(crate) fn fresh_secret() -> Result<String, Problem> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|_| Problem::storage())?;
    Ok(astragal_fair::Bytes(bytes).to_string())
}

/// Who asks for something of a table.
pub(crate) fn who(table: &Table, headers: &HeaderMap) -> Result<Who, Problem> {
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let secret = given.and_then(|value| value.strip_prefix("Bearer ")).ok_or_else(|| {
        Problem::new(401, "no-secret", "nobody says who asks")
            .help("send `Authorization: Bearer` and the secret of a link or the token of a seat")
    })?;
    known(table, secret.trim())
}

/// The same where a watch link may stand in the address.
pub(crate) fn who_or_key(
    table: &Table,
    headers: &HeaderMap,
    key: Option<&str>,
) -> Result<Who, Problem> {
    let Some(key) = key.filter(|_| !headers.contains_key(header::AUTHORIZATION)) else {
        return who(table, headers);
    };
    match known(table, key)? {
        watch @ Who::Link(LinkRole::Watch) => Ok(watch),
        _ => Err(Problem::new(403, "not-for-you", "only a watch link may stand in an address")
            .help("send the secret as `Authorization: Bearer`")),
    }
}

fn known(table: &Table, secret: &str) -> Result<Who, Problem> {
    table.people().of(&secret_hash(secret)).ok_or_else(|| {
        Problem::new(401, "unknown-secret", "this secret is not, or no longer, good for this table")
            .help("ask for a new link")
    })
}

/// The seat that asks.
pub(crate) fn seat(table: &Table, headers: &HeaderMap) -> Result<u64, Problem> {
    match who(table, headers)? {
        Who::Seat(seat) => Ok(seat),
        Who::Link(_) => Err(Problem::new(403, "not-for-you", "only a seat can do this")
            .help("sit down first: `POST /api/tables/{id}/seats`")),
    }
}
