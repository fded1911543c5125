//! Plays one seat: connects, checks every line, testifies, and repeats what was not answered.
//!
//! One thread owns the device. What people wish, what the house says and what the clock says comes to it through one queue; so there is one order in which things
//! happen, and nothing is locked.

mod heard;
mod sent;

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use astragal_fair::{Alarm, Hash};
use astragal_seat::{Event, Post, Refusal, Seat, Shown, Whispered, Wish};

use crate::keep::Keep;
use crate::link::Link;
use crate::post::{Heard, Listening, poster};

use heard::{LinkRole, link_role};

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
}
