//! What a device keeps, so that it can be started again.
//!
//! The order is: sign, keep, send. A state that was kept after signing has the request in it, and sends the same bytes again. The secret of its testimony is not in
//! it: a device that was started again lays a new seal with a fresh one, and never opens a seal of before. So an old copy of a state can open no seal twice; what it
//! signs, it signs only after all lines that it knows are there again, and it stops for ever when a line stands in its name that it does not know.

use std::fmt;

use astragal_fair::line::Head;
use astragal_fair::{Bytes, Checker, Hash, Id, Watch, exact};
use serde::{Deserialize, Serialize};

use crate::own::Own;
use crate::post::{Testimony, Waiting};
use crate::seat::Seat;

/// The version of what is kept.
const VERSION: u64 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    v: u64,
    table: Id,
    version: u64,
    /// The seed of its key.
    key: Bytes<32>,
    token: Bytes<16>,
    /// How many requests it has signed.
    n: u64,
    waiting: Option<Waiting>,
    testimony: Option<Testimony>,
    /// The hash of the first line.
    first: Option<Hash>,
    /// The newest head.
    head: Option<String>,
}

/// Why a state cannot be taken up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable;

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this is not what a device of this version has kept; sit down anew")
    }
}

impl std::error::Error for Unreadable {}

impl Seat {
    /// What has to be kept before anything is sent: JSON, with the key of the seat in it. Nothing, if it does not sit.
    pub fn state(&self) -> Option<String> {
        let own = self.own.as_ref()?;
        let state = State {
            v: VERSION,
            table: self.checker().id()?,
            version: self.version,
            key: Bytes(own.key.to_bytes()),
            token: own.token,
            n: own.n,
            waiting: own.waiting.clone(),
            testimony: own.testimony.clone(),
            first: self.first,
            head: self.head().map(str::to_owned),
        };
        Some(exact::write(&state))
    }

    /// The device of a state, with 32 fresh bytes. It takes all lines from the first on, and signs nothing before the one that it remembers is there again.
    pub fn restored(state: &str, fresh: [u8; 32]) -> Result<Seat, Unreadable> {
        Seat::restored_with(state, fresh, Checker::new())
    }

    /// The same without an engine, even if there is one.
    pub fn restored_without_engine(state: &str, fresh: [u8; 32]) -> Result<Seat, Unreadable> {
        Seat::restored_with(state, fresh, Checker::without_engine())
    }

    fn restored_with(state: &str, fresh: [u8; 32], checker: Checker) -> Result<Seat, Unreadable> {
        let state: State = serde_json::from_str(state).map_err(|_| Unreadable)?;
        let head = state.head.as_deref().map(exact::read::<Head>);
        let head = head.transpose().map_err(|_| Unreadable)?;
        if state.v != VERSION {
            return Err(Unreadable);
        }
        let mut own = Own::again(state.key.0, fresh, state.token);
        let mut watch = Watch::new(checker, Some(state.table));
        watch.begins(own.public());
        if let Some(head) = head {
            watch.remembers(head.seq, head.hash);
        }
        if let Some(waiting) = &state.waiting {
            watch.sends(&waiting.request);
        }
        if let Some(testimony) = &state.testimony {
            watch.answers(testimony.of, testimony.opened);
        }
        (own.n, own.waiting, own.testimony) = (state.n, state.waiting, state.testimony);
        let mut seat = Seat::with(watch);
        seat.own = Some(own);
        seat.first = state.first;
        seat.version = state.version;
        seat.saved(state.version);
        Ok(seat)
    }
}
