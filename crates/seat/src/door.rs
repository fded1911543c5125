//! The same for who speaks JSON: one request as text, one answer as text.
//!
//! | `do` | with | what it does |
//! |---|---|---|
//! | `look` | `table` | begins to look on at the table of a link |
//! | `restore` | `state`, `fresh` (32 bytes) | takes up what was kept |
//! | `take` | `line`, `head` | takes a line as it came: `took` is `line` (with the event), `known` or `gap` |
//! | `private` | `details` | checks details of a hidden roll |
//! | `receipt` | `receipt` | the house's answer to a testimony |
//! | `stands` | `seq`, `hash` | the house says that this is its newest line |
//! | `here` | `here` | whether it is connected |
//! | `sit` | `fresh` (80 bytes), `name`, `role`, `vouched` | signs the request for a seat |
//! | `wish` | `fresh` (48 bytes), `wish` | signs what its person wants |
//! | `vouch` | `request` | lets in another owner: `[seat, signature]` |
//! | `vouched` | `by`, `sig` | an owner has let in this device |
//! | `state` | | what has to be kept before it is sent, and its version |
//! | `saved` | `version` | it is kept |
//! | `aloud` | `line`, `challenge` | four words to read to each other |
//! | `said` | `hash`, `salt`, `words` | whether these are the words that a line names |
//!
//! Bytes are hexadecimal digits. Every answer has `ok`; `status`, once there is a table; and what has to go to the house now in `send`. What went wrong is `alarm`, `refusal` or
//! `error`, each with `code` and `message`.

use astragal_fair::formulas::said;
use astragal_fair::request::Role;
use astragal_fair::{Alarm, Bytes, Hash, Id, Signature, aloud};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::seat::{Seat, Whispered};
use crate::state::Unreadable;
use crate::wish::{Refusal, Wish};

/// A device behind JSON.
#[derive(Debug, Default)]
pub struct Door {
    seat: Option<Seat>,
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
enum Asked {
    Look {
        table: Id,
    },
    Restore {
        state: String,
        fresh: Bytes<32>,
    },
    Take {
        line: String,
        head: Option<String>,
    },
    Private {
        details: Whispered,
    },
    Receipt {
        receipt: String,
    },
    Stands {
        seq: u64,
        hash: Hash,
    },
    Here {
        here: bool,
    },
    Sit {
        fresh: Bytes<80>,
        name: String,
        role: Role,
        #[serde(default)]
        vouched: Option<(u64, Signature)>,
    },
    Wish {
        fresh: Bytes<48>,
        wish: Wish,
    },
    Vouch {
        request: String,
    },
    Vouched {
        by: u64,
        sig: Signature,
    },
    State {},
    Saved {
        version: u64,
    },
    Aloud {
        line: u64,
        challenge: String,
    },
    Said {
        hash: Hash,
        salt: Bytes<16>,
        words: String,
    },
}

/// What goes wrong.
enum No {
    Alarm(Alarm),
    Refusal(Refusal),
    Error(&'static str, String),
}

impl From<Alarm> for No {
    fn from(alarm: Alarm) -> No {
        No::Alarm(alarm)
    }
}

impl From<Refusal> for No {
    fn from(refusal: Refusal) -> No {
        No::Refusal(refusal)
    }
}

impl From<Unreadable> for No {
    fn from(unreadable: Unreadable) -> No {
        No::Error("state", unreadable.to_string())
    }
}

impl Door {
    /// Before there is a table.
    pub fn new() -> Door {
        Door::default()
    }

    /// Answers a request.
    pub fn answer(&mut self, request: &str) -> String {
        let told = serde_json::from_str(request)
            .map_err(|error| No::Error("request", error.to_string()))
            .and_then(|asked| self.does(asked));
        let mut answer = match told {
            Ok(told) => json!({"ok": true, "told": told}),
            Err(no) => refused(&no),
        };
        if let Some(seat) = &self.seat {
            answer["status"] = status(seat);
            answer["send"] = json!(seat.to_send());
        }
        answer.to_string()
    }

    fn does(&mut self, asked: Asked) -> Result<Json, No> {
        match asked {
            Asked::Look { table } => self.seat = Some(Seat::new(table)),
            Asked::Restore { state, fresh } => {
                self.seat = Some(Seat::restored(&state, fresh.0)?);
            }
            other => return self.seat()?.does(other),
        }
        Ok(Json::Null)
    }

    fn seat(&mut self) -> Result<&mut Seat, No> {
        self.seat.as_mut().ok_or_else(|| No::Error("no-table", "look at a table first".into()))
    }
}

impl Seat {
    fn does(&mut self, asked: Asked) -> Result<Json, No> {
        match asked {
            Asked::Take { line, head } => return Ok(json!(self.take(&line, head.as_deref())?)),
            Asked::Private { details } => return Ok(json!(self.whispered(&details)?)),
            Asked::Receipt { receipt } => self.acknowledged(&receipt)?,
            Asked::Stands { seq, hash } => self.stands_at(seq, &hash)?,
            Asked::Here { here } => self.is_here(here),
            Asked::Sit { fresh, name, role, vouched } => {
                self.sit(&fresh.0, &name, role, vouched)?;
            }
            Asked::Wish { fresh, wish } => self.wish(&wish, &fresh.0)?,
            Asked::Vouch { request } => return Ok(json!(self.vouch(&request)?)),
            Asked::Vouched { by, sig } => self.is_vouched(by, sig)?,
            Asked::State {} => {
                return Ok(json!({"state": self.state(), "version": self.version()}));
            }
            Asked::Saved { version } => self.saved(version),
            Asked::Aloud { line, challenge } => {
                let hash = self.checker().hash_of(line);
                let hash = hash.ok_or_else(|| No::Error("no-line", format!("no line {line}")))?;
                return Ok(json!(aloud(&hash, &challenge)));
            }
            Asked::Said { hash, salt, words } => return Ok(json!(said(&salt.0, &words) == hash)),
            // The door has done these.
            Asked::Look { .. } | Asked::Restore { .. } => {}
        }
        Ok(Json::Null)
    }
}

fn status(seat: &Seat) -> Json {
    json!({
        "next": seat.checker().next(),
        "number": seat.number(),
        "token": seat.token(),
        "waiting": seat.is_waiting(),
        "needs_seal": seat.needs_seal(),
        "version": seat.version(),
        "kept": seat.is_saved(),
        "ask": seat.checker().open_ask().map(|ask| ask.line),
        "stopped": seat.stopped().map(Alarm::code),
    })
}

fn refused(no: &No) -> Json {
    let told = |code: &str, message: String| json!({"code": code, "message": message});
    match no {
        No::Alarm(alarm) => {
            let mut alarm_told = told(alarm.code(), alarm.to_string());
            if let Alarm::Wrong(wrong) = alarm {
                alarm_told["in"] = json!(wrong.trouble.code());
                alarm_told["expected"] = json!(wrong.expected);
                alarm_told["found"] = json!(wrong.found);
            }
            json!({"ok": false, "alarm": alarm_told})
        }
        No::Refusal(why) => json!({"ok": false, "refusal": told(why.code(), why.to_string())}),
        No::Error(code, message) => {
            json!({"ok": false, "error": told(code, message.clone())})
        }
    }
}
