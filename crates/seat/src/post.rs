//! What is sent to the house: where to, and the exact bytes. The paths are those of `docs/table-api.md`.

use astragal_fair::line::Opened;
use astragal_fair::{Bytes, Kind, Signature};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Something to send. The same bytes are sent again until the house has answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Post {
    /// Below `/api/tables/{id}/`: `rolls`, `lines?kind=say`.
    pub path: String,
    /// JSON.
    pub body: String,
}

/// A signed request whose line is not there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Waiting {
    /// What is signed: `hidden` for a roll that is not for all.
    pub(crate) kind: String,
    pub(crate) request: String,
    pub(crate) sig: Signature,
    /// Words beside the log that it names.
    pub(crate) words: Option<Words>,
    /// By whom a new owner is let in.
    pub(crate) vouched: Option<(u64, Signature)>,
}

/// Words beside the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Words {
    pub(crate) salt: Bytes<16>,
    pub(crate) words: String,
}

/// An opened seal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Testimony {
    /// The line that asked.
    pub(crate) of: u64,
    /// Its hash.
    pub(crate) ask: Bytes<32>,
    /// The number of the seal.
    pub(crate) m: u64,
    pub(crate) opened: Opened,
    /// The house has acknowledged it.
    pub(crate) received: bool,
}

impl Waiting {
    pub(crate) fn post(&self, token: &Bytes<16>) -> Post {
        let (request, sig) = (&self.request, &self.sig);
        let kind = Kind::of(&self.kind);
        if kind == Some(Kind::Seat) {
            let body =
                json!({"request": request, "sig": sig, "token": token, "vouched": self.vouched});
            return Post { path: "seats".into(), body: body.to_string() };
        }
        let mut body = json!({"request": request, "sig": sig});
        if let Some(words) = &self.words {
            body["words"] = json!(words);
        }
        let path = match kind {
            Some(Kind::Roll | Kind::Hidden) => "rolls".into(),
            _ => format!("lines?kind={}", self.kind),
        };
        Post { path, body: body.to_string() }
    }
}

impl Testimony {
    pub(crate) fn post(&self) -> Post {
        let (_, value, next, sig) = &self.opened;
        let body = json!({"of": self.of, "value": value, "next": next, "sig": sig});
        Post { path: "testimony".into(), body: body.to_string() }
    }
}
