//! What the house says, and what the device makes of it.

use std::time::{Duration, Instant};

use astragal_fair::{Bytes, Hash};
use astragal_seat::{Post, Took, What, Whispered};
use serde::Deserialize;

use super::{Device, Told};
use crate::link::{Link, Server};
use crate::post::Heard;
use crate::stream;
use crate::wire::{Reply, Wire};

impl Device {
    pub(super) fn heard(&mut self, heard: Heard) {
        match heard {
            Heard::Event(event) => self.event(&event),
            Heard::Lost(why) => {
                let (was, _) = (std::mem::replace(&mut self.live, false), self.seat.is_here(false));
                if was {
                    self.tell(Told::Lost(why));
                } else if self.seat.checker().next() == 0 {
                    self.ends(format!("the table cannot be reached: {why}"));
                }
            }
            Heard::Shut(reply) => self.shut(&reply),
            Heard::Replied(post, reply) => self.replied(&post, reply),
        }
    }

    fn shut(&mut self, reply: &Reply) {
        let own = self.listening.at(|at| at.secret != self.secret);
        let unknown = reply.status == 401 && own && self.seat.is_waiting();
        if unknown {
            // It was about to sit down when it ended: the house does not know it yet.
            let secret = self.secret.clone();
            self.listening.at(|at| at.secret = secret);
        } else {
            self.ends(problem(reply).detail);
        }
    }

    fn event(&mut self, event: &stream::Event) {
        match event.kind.as_str() {
            "line" => {
                let (line, head) = event.data.split_once('\n').unwrap_or((&event.data, ""));
                self.line(line, Some(head).filter(|head| !head.is_empty()));
            }
            "words" => {
                if let Ok(words) = serde_json::from_str::<Words>(&event.data)
                    && astragal_fair::formulas::said(&words.salt.0, &words.words) == words.hash
                {
                    self.tell(Told::Words(words.hash, words.words));
                }
            }
            "private" => self.whispered(&event.data),
            "present" => {
                if let Ok(Present { seats, watching }) = serde_json::from_str(&event.data) {
                    self.seat.is_here(true);
                    self.tell(Told::Here(seats, watching));
                    // Who is about to sit down is told when that is done.
                    let new = !std::mem::replace(&mut self.live, true);
                    if new && (self.sits || self.name.is_none()) {
                        self.tell(Told::Live);
                    }
                }
            }
            "behind" => {
                if let Ok(Behind { seq, hash }) = serde_json::from_str(&event.data)
                    && let Err(alarm) = self.seat.stands_at(seq, &hash)
                {
                    self.alarmed(alarm, Some(seq));
                }
            }
            _ => {}
        }
    }

    fn line(&mut self, line: &str, head: Option<&str>) {
        match self.seat.take(line, head) {
            Ok(Took::Line(event)) => {
                let newest = event.seq;
                self.listening.at(|at| at.since = Some(newest));
                let alarms = event.alarms.clone();
                let own = event.seat.is_some() && event.seat == self.seat.number();
                if let What::Hid(shown) = &event.what
                    && self.live
                    && self.sees
                    && own
                    && !matches!(shown.made, "vetoed" | "silent" | "unsealed")
                {
                    self.covered.insert(newest);
                }
                self.tell(Told::Line(line.to_owned(), event));
                head.into_iter().for_each(|head| self.tell(Told::Head(head.to_owned())));
                alarms.into_iter().for_each(|alarm| self.alarmed(alarm, Some(newest)));
                self.sits_now();
            }
            Ok(Took::Known) => {}
            // Lines are missing: they come when the stream is opened again from where this device is.
            Ok(Took::Gap { .. }) => self.listening.again(false),
            Err(alarm) => {
                let line = Some(self.seat.checker().next());
                self.alarmed(alarm, line);
            }
        }
    }

    /// Its line is there: from now on it listens as the seat, and so is present.
    fn sits_now(&mut self) {
        let (Some(number), Some(token)) = (self.seat.number(), self.seat.token()) else { return };
        if std::mem::replace(&mut self.sits, true) {
            return;
        }
        self.tell(Told::Sits(number));
        let token = token.to_string();
        let changed =
            self.listening.at(|at| std::mem::replace(&mut at.secret, token.clone()) != token);
        if changed {
            self.live = false;
            self.listening.again(false);
        }
    }

    fn whispered(&mut self, data: &str) {
        let Ok(told) = serde_json::from_str::<Whispered>(data) else { return };
        match self.seat.whispered(&told) {
            Ok(shown) => {
                self.covered.remove(&told.seq);
                self.tell(Told::Whispered(Box::new(told), Box::new(shown)));
            }
            Err(alarm) => self.alarmed(alarm, Some(told.seq)),
        }
    }

    fn replied(&mut self, post: &Post, reply: std::io::Result<Reply>) {
        self.flying.remove(&post.body);
        let later = |seconds: u64| Instant::now() + Duration::from_secs(seconds);
        let testimony = post.path == "testimony";
        let reply = match reply {
            Ok(reply) => reply,
            Err(_) => {
                self.again.insert(post.body.clone(), Instant::now() + Duration::from_millis(500));
                return;
            }
        };
        match reply.status {
            200 if testimony => {
                if let Err(alarm) = self.seat.acknowledged(&reply.body) {
                    self.alarmed(alarm, None);
                }
            }
            200 | 201 => {}
            // That it came too late is told by the lines that come.
            _ if testimony => drop(self.given_up.insert(post.body.clone())),
            429 | 500.. => {
                self.again.insert(post.body.clone(), later(reply.retry_after.unwrap_or(1)));
            }
            _ => match problem(&reply) {
                Problem { code, .. } if code == "seat-not-next" => self.late = true,
                Problem { code, .. } if code == "ask-open" => {
                    self.again.insert(post.body.clone(), later(1));
                }
                Problem { detail, .. } => {
                    self.given_up.insert(post.body.clone());
                    self.ends(format!("the house refuses what this device has signed: {detail}"));
                }
            },
        }
    }
}

/// What a link is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum LinkRole {
    Owner,
    Player,
    Watch,
    /// It is a seat that asks.
    Seat,
}

/// Asks the house, which must be there for that.
pub(super) fn link_role(link: &Link, token: Option<&str>) -> Result<LinkRole, String> {
    #[derive(Deserialize)]
    struct Told {
        you: You,
    }
    #[derive(Deserialize)]
    struct You {
        role: LinkRole,
    }
    let Server { host, port, .. } = &link.server;
    let (mut wire, path) = (Wire::new(link.server.clone()), format!("/api/tables/{}", link.table));
    let mut ask = |secret: &str| {
        let reply = wire.get(&path, secret);
        reply.map_err(|error| format!("{host}:{port} cannot be reached: {error}"))
    };
    // A seat stays when the link is turned over; who was just sitting down when it ended has perhaps no seat yet.
    let own = token.map(&mut ask).transpose()?.filter(|reply| reply.status != 401);
    let reply = own.map_or_else(|| ask(&link.secret), Ok)?;
    if reply.status != 200 {
        return Err(problem(&reply).detail);
    }
    let told: Told = serde_json::from_str(&reply.body)
        .map_err(|_| format!("what answers at {host}:{port} is no server of tables"))?;
    Ok(told.you.role)
}

/// An error of the house, in words.
#[derive(Deserialize)]
struct Problem {
    #[serde(default)]
    code: String,
    #[serde(default)]
    detail: String,
}

fn problem(reply: &Reply) -> Problem {
    let unknown =
        || Problem { code: String::new(), detail: format!("the server says {}", reply.status) };
    serde_json::from_str(&reply.body).unwrap_or_else(|_| unknown())
}

#[derive(Deserialize)]
struct Words {
    hash: Hash,
    salt: Bytes<16>,
    words: String,
}

#[derive(Deserialize)]
struct Present {
    seats: Vec<u64>,
    #[serde(default)]
    watching: u64,
}

#[derive(Deserialize)]
struct Behind {
    seq: u64,
    hash: Hash,
}
