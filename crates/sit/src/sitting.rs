//! Plays one seat: connects, checks every line, testifies, and repeats what was not answered.
//!
//! One thread owns the device. What people wish, what the house says and what the clock says comes to it through one queue; so there is one order in which things
//! happen, and nothing is locked.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use astragal_fair::request::{Role, To};
use astragal_fair::{Alarm, Hash};
use astragal_seat::{Event, Post, Refusal, Seat, Shown, Took, What, Whispered, Wish};
use serde::Deserialize;

use crate::keep::Keep;
use crate::link::{Link, Server};
use crate::post::{Heard, Listening, poster};
use crate::stream;
use crate::wire::{Reply, Wire};

/// How often the clock is looked at.
const TICK: Duration = Duration::from_millis(200);
/// After so long without an answer that is said.
const SLOW: Duration = Duration::from_secs(8);
/// The newest head is kept that often, so that a house that cuts lines off is noticed later.
const KEEPS: Duration = Duration::from_secs(5);

/// Who comes to a table.
#[derive(Debug)]
pub struct Arrival {
    /// Where to.
    pub link: Link,
    /// Under which name; none looks on.
    pub name: Option<String>,
    /// Where its seat is kept, and what was kept there.
    pub keep: Option<(Keep, Option<String>)>,
}

/// What a person is told.
#[derive(Debug)]
pub enum Told {
    /// A line that fits, as it came, and what it says.
    Line(String, Box<Event>),
    /// A newest head, signed by the house.
    Head(String),
    /// A hidden roll, shown to this seat: as it came, and what it says.
    Whispered(Box<Whispered>, Box<Shown>),
    /// Words beside the log, and their hash.
    Words(Hash, String),
    /// Who is connected now.
    Here(Vec<u64>, u64),
    /// All lines are there; what follows happens now.
    Live,
    /// It sits, with this number.
    Sits(u64),
    /// The connection is lost, and why. It is opened again.
    Lost(String),
    /// The house does not answer. The same is sent again.
    Slow,
    /// A wish is not signed, and why.
    Refused(Refusal),
    /// Something was seen that must not be.
    Alarm(Alarm, Option<u64>),
    /// It cannot go on, and why.
    Over(String),
}

enum Input {
    Heard(Heard),
    Wish(Wish),
    /// Tell when nothing waits any more.
    Settled(Sender<bool>),
    Leave,
}

impl From<Heard> for Input {
    fn from(heard: Heard) -> Input {
        Input::Heard(heard)
    }
}

/// Somebody at a table.
#[derive(Debug)]
pub struct Sitting {
    queue: Sender<Input>,
    device: Option<JoinHandle<()>>,
}

impl Sitting {
    /// Comes to a table. What happens is told to `sink`, from a thread of its own.
    pub fn begin(
        arrival: Arrival,
        sink: impl FnMut(Told) + Send + 'static,
    ) -> Result<Sitting, String> {
        let (queue, inputs) = channel();
        let device = Device::new(arrival, queue.clone(), Box::new(sink))?;
        let device = thread::spawn(move || device.run(&inputs));
        Ok(Sitting { queue, device: Some(device) })
    }

    /// What this seat wants, after all that it has wanted before.
    pub fn wish(&self, wish: Wish) {
        // Who is over hears of nothing.
        let _ = self.queue.send(Input::Wish(wish));
    }

    /// Waits until all wishes are in the log and own rolls have ended. False if that takes longer, or is over.
    pub fn settles(&self, patience: Duration) -> bool {
        let (back, told) = channel();
        self.queue.send(Input::Settled(back)).is_ok()
            && told.recv_timeout(patience).unwrap_or(false)
    }

    /// Whether nothing more can happen here: that was told.
    pub fn is_over(&self) -> bool {
        self.device.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Goes away; the seat stays.
    pub fn leave(mut self) {
        let _ = self.queue.send(Input::Leave);
        if let Some(device) = self.device.take() {
            // If it has ended by a panic, that was told.
            let _ = device.join();
        }
    }
}

/// The thread that has the device.
struct Device {
    seat: Seat,
    name: Option<String>,
    keep: Option<Keep>,
    secret: String,
    /// What the link is good for.
    role: LinkRole,
    wishes: VecDeque<Wish>,
    waiting: Vec<Sender<bool>>,
    /// What was sent and is not answered.
    flying: HashSet<String>,
    /// What is sent again, and when.
    again: HashMap<String, Instant>,
    /// What the house refused for good.
    given_up: HashSet<String>,
    /// Somebody was quicker to sit down.
    late: bool,
    /// Whether the hidden roll that was signed last is for this seat too: a blind one is not.
    sees: bool,
    /// Own hidden rolls of which the dice are still to come.
    covered: HashSet<u64>,
    live: bool,
    sits: bool,
    over: bool,
    /// Since when the oldest request waits.
    since: Option<Instant>,
    slow: bool,
    kept_head: Option<String>,
    kept_at: Instant,
    listening: Listening,
    requests: Sender<(Post, String)>,
    testimonies: Sender<(Post, String)>,
    sink: Box<dyn FnMut(Told) + Send>,
}

fn fresh<const N: usize>() -> Result<[u8; N], String> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| format!("the system has no random bytes: {error}"))?;
    Ok(bytes)
}

/// What a link is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum LinkRole {
    Owner,
    Player,
    Watch,
    /// It is a seat that asks.
    Seat,
}

/// Asks the house, which must be there for that.
fn link_role(link: &Link, token: Option<&str>) -> Result<LinkRole, String> {
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

impl Device {
    fn new(
        Arrival { link, name, keep }: Arrival,
        queue: Sender<Input>,
        sink: Box<dyn FnMut(Told) + Send>,
    ) -> Result<Device, String> {
        let (keep, state) = keep.map_or((None, None), |(keep, state)| (Some(keep), state));
        let seat = match &state {
            Some(state) => Seat::restored(state, fresh()?).map_err(|why| why.to_string())?,
            None => Seat::new(link.table),
        };
        let token = seat.token().map(|token| token.to_string());
        let role = link_role(&link, token.as_deref())?;
        if name.is_some() && state.is_none() && role == LinkRole::Watch {
            return Err(
                "this link is for watching; who wants to sit down needs a link for players".into(),
            );
        }
        let listening = Listening::default();
        let own = seat.token().filter(|_| state.is_some()).map(|token| token.to_string());
        // Who was sitting down when it ended has no seat perhaps; the link opens the table for it.
        listening.at(|at| at.secret = own.unwrap_or_else(|| link.secret.clone()));
        listening.begin(&link.server, &link.table, queue.clone());
        Ok(Device {
            seat,
            name,
            keep,
            role,
            wishes: VecDeque::new(),
            waiting: Vec::new(),
            flying: HashSet::new(),
            again: HashMap::new(),
            given_up: HashSet::new(),
            late: false,
            sees: false,
            covered: HashSet::new(),
            live: false,
            sits: false,
            over: false,
            since: None,
            slow: false,
            kept_head: None,
            kept_at: Instant::now(),
            requests: poster(&link.server, &link.table, queue.clone()),
            testimonies: poster(&link.server, &link.table, queue),
            secret: link.secret,
            listening,
            sink,
        })
    }

    fn tell(&mut self, told: Told) {
        (self.sink)(told);
    }

    fn run(mut self, inputs: &Receiver<Input>) {
        while !self.over {
            match inputs.recv_timeout(TICK) {
                Ok(Input::Leave) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(Input::Wish(wish)) => self.wishes.push_back(wish),
                Ok(Input::Settled(back)) => self.waiting.push(back),
                Ok(Input::Heard(heard)) => self.heard(heard),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if !self.over
                && let Err(why) = self.push()
            {
                self.ends(why);
            }
            self.answers_those_who_wait();
        }
        self.keeps_head();
        self.listening.again(true);
        self.tells_those_who_wait(false);
    }

    fn ends(&mut self, why: String) {
        self.over = true;
        self.tell(Told::Over(why));
    }

    fn alarmed(&mut self, alarm: Alarm, line: Option<u64>) {
        let last = self.seat.stopped().is_some();
        self.tell(Told::Alarm(alarm, line));
        if last {
            self.ends("this device signs nothing more at this table".into());
        }
    }

    fn answers_those_who_wait(&mut self) {
        let asking = self.seat.checker().open_ask().map(|ask| ask.roller);
        let own = asking.is_some() && asking == self.seat.number();
        let sits = self.sits || self.name.is_none();
        let settled =
            self.wishes.is_empty() && !self.seat.is_waiting() && !own && self.covered.is_empty();
        if self.live && sits && settled {
            self.tells_those_who_wait(true);
        }
    }

    fn tells_those_who_wait(&mut self, done: bool) {
        for back in self.waiting.drain(..) {
            // Who waits no longer does not hear it.
            let _ = back.send(done);
        }
    }

    // What the house says.

    fn heard(&mut self, heard: Heard) {
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

    // What goes to the house.

    /// Signs, keeps and sends what may be signed, kept and sent now.
    fn push(&mut self) -> Result<(), String> {
        self.sit()?;
        self.sign()?;
        if !self.seat.is_saved() {
            self.keeps()?;
        }
        self.sends();
        self.looks_at_the_clock();
        if self.kept_at.elapsed() > KEEPS {
            self.keeps_head();
        }
        Ok(())
    }

    /// Takes a place, when all lines are there.
    fn sit(&mut self) -> Result<(), String> {
        let Some(name) = self.name.clone().filter(|_| self.live && !self.sits) else {
            return Ok(());
        };
        if self.seat.token().is_some() && !self.late {
            return Ok(());
        }
        // Whoever comes first with an owner's link is the game master; another one would need the first one's word.
        let owner = self.role == LinkRole::Owner && !self.has_owner();
        let role = if owner { Role::Owner } else { Role::Player };
        match self.seat.sit(&fresh()?, &name, role, None) {
            Ok(()) => self.late = false,
            Err(Refusal::Waiting | Refusal::Behind) => {}
            Err(refusal) => return Err(refusal.to_string()),
        }
        Ok(())
    }

    fn has_owner(&self) -> bool {
        let checker = self.seat.checker();
        let mut seats = (0..checker.seats()).filter_map(|number| checker.seat(number));
        seats.any(|seat| seat.role == Role::Owner)
    }

    /// One wish at a time, a new seal before all others.
    fn sign(&mut self) -> Result<(), String> {
        if self.name.is_none() && self.wishes.pop_front().is_some() {
            self.tell(Told::Refused(Refusal::NotSeated));
        }
        if !self.live || !self.sits || self.seat.is_waiting() {
            return Ok(());
        }
        if self.seat.needs_seal() {
            // It may be asked just now; then later.
            let _ = self.seat.wish(&Wish::Seal, &fresh()?);
            return Ok(());
        }
        let Some(wish) = self.wishes.front() else { return Ok(()) };
        match self.seat.wish(wish, &fresh()?) {
            Ok(()) => {
                self.sees = self.will_see(wish);
                self.wishes.pop_front();
            }
            Err(
                Refusal::Waiting
                | Refusal::Behind
                | Refusal::Asking
                | Refusal::Asked
                | Refusal::Unsealed
                | Refusal::NotSeated,
            ) => {}
            Err(refusal) => {
                self.wishes.pop_front();
                self.tell(Told::Refused(refusal));
            }
        }
        Ok(())
    }

    /// Whether the house will show this seat what it rolls by that.
    fn will_see(&self, wish: &Wish) -> bool {
        let Wish::Roll { to, .. } = wish else { return false };
        let own = self.seat.number();
        let role = own.and_then(|own| self.seat.checker().seat(own)).map(|seat| seat.role);
        match to {
            To::All => false,
            To::Owner => role == Some(Role::Owner),
            To::Myself => true,
            To::Seats(seats) => own.is_some_and(|own| seats.contains(&own)),
        }
    }

    fn keeps(&mut self) -> Result<(), String> {
        let (Some(state), version) = (self.seat.state(), self.seat.version()) else {
            return Ok(());
        };
        if let (Some(keep), Some(name)) = (&self.keep, &self.name) {
            keep.save(name, &state)
                .map_err(|error| format!("the seat's key cannot be kept: {error}"))?;
        }
        self.kept_head = self.seat.head().map(str::to_owned);
        self.seat.saved(version);
        Ok(())
    }

    /// The newest head is worth keeping too, and nothing waits for it.
    fn keeps_head(&mut self) {
        self.kept_at = Instant::now();
        if self.seat.head() != self.kept_head.as_deref()
            && self.seat.stopped().is_none()
            && self.sits
        {
            // What must be kept is kept elsewhere.
            let _ = self.keeps();
        }
    }

    fn sends(&mut self) {
        let secret = if self.sits {
            self.seat.token().map(|token| token.to_string()).unwrap_or_default()
        } else {
            self.secret.clone()
        };
        for post in self.seat.to_send() {
            let waits = self.again.get(&post.body).is_some_and(|at| *at > Instant::now());
            if waits
                || self.late
                || self.given_up.contains(&post.body)
                || !self.flying.insert(post.body.clone())
            {
                continue;
            }
            self.again.remove(&post.body);
            let way = if post.path == "testimony" { &self.testimonies } else { &self.requests };
            // A thread that has ended takes nothing more: then this is over too.
            let _ = way.send((post, secret.clone()));
        }
    }

    fn looks_at_the_clock(&mut self) {
        if !self.seat.is_waiting() {
            (self.since, self.slow) = (None, false);
            return;
        }
        let slow = self.since.get_or_insert_with(Instant::now).elapsed() > SLOW;
        if slow && !std::mem::replace(&mut self.slow, true) {
            self.tell(Told::Slow);
        }
    }
}

#[derive(Deserialize)]
struct Words {
    hash: Hash,
    salt: astragal_fair::Bytes<16>,
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
