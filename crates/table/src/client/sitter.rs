//! A device at a table, as people have it: it checks, signs, testifies, and comes back when the server was gone.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use astragal_fair::request::{Role, To};
use astragal_fair::{Id, Kind};
use astragal_seat::{About, Post, Seat, Took, Wish};
use tokio::task::JoinHandle;

use super::wire::{Event, Reply, Stream, Wire};

/// How long a server may be away.
const PATIENCE: Duration = Duration::from_secs(30);

/// A device at a table.
pub struct Sitter {
    /// What the device knows.
    pub seat: Seat,
    /// The lines that were answered, by number: what must never be lost.
    pub answered: BTreeMap<u64, String>,
    /// The lines that came, in order.
    pub lines: Vec<String>,
    /// How long each roll took, to its answer and to its end.
    pub waits: Vec<(Duration, Duration)>,
    address: SocketAddr,
    table: Id,
    stream: Option<Stream>,
    wire: Wire,
    posting: Option<JoinHandle<(Wire, io::Result<Reply>)>>,
    other: Option<Wire>,
    begun: Option<Instant>,
    acknowledged: Option<Duration>,
    ended: Option<Duration>,
    own: bool,
    keep: bool,
}

/// What a device is to do.
#[derive(Clone, Debug)]
pub struct Task {
    /// How often it rolls, if it does.
    pub every: Option<Duration>,
    /// After which pause it begins.
    pub after: Duration,
    /// What it rolls.
    pub text: String,
    /// When it rolls no more.
    pub resting: Arc<AtomicBool>,
    /// When it ends, as soon as nothing of it waits.
    pub ending: Arc<AtomicBool>,
}

/// A table that was made: its id and its links.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The table.
    pub table: Id,
    /// The owner's link.
    pub owner: String,
    /// The players' link.
    pub player: String,
    /// The link of those who look on.
    pub watch: String,
}

/// Makes a table.
pub async fn made(wire: &mut Wire, witness: &str) -> io::Result<Answer> {
    let body = format!(r#"{{"witness":"{witness}"}}"#);
    let told = wire.ask("POST", "/api/tables", None, Some(&body)).await?.json();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let table = astragal_fair::Bytes::read(&text(&told["table"]));
    let links = &told["links"];
    Ok(Answer {
        table: table.ok_or(io::ErrorKind::InvalidData)?,
        owner: text(&links["owner"]),
        player: text(&links["player"]),
        watch: text(&links["watch"]),
    })
}

fn fresh<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has random bytes");
    bytes
}

impl Sitter {
    /// Sits down with a link, and listens.
    pub async fn sit(
        address: SocketAddr,
        table: Id,
        link: &str,
        name: &str,
        role: Role,
        keep: bool,
    ) -> Result<Sitter, String> {
        let mut sitter = Sitter {
            seat: Seat::new(table).forgetful(),
            answered: BTreeMap::new(),
            lines: Vec::new(),
            waits: Vec::new(),
            address,
            table,
            stream: None,
            wire: Wire::new(address),
            posting: None,
            other: Some(Wire::new(address)),
            begun: None,
            acknowledged: None,
            ended: None,
            own: false,
            keep,
        };
        sitter.reads_log(link).await?;
        sitter.seat.sit(&fresh(), name, role, None).map_err(|refusal| format!("{refusal:?}"))?;
        let post = sitter.seat.to_send().pop().ok_or("there is nothing to send")?;
        let sat =
            sitter.wire.ask("POST", &sitter.path(&post.path), Some(link), Some(&post.body)).await;
        let sat = sat.map_err(|error| error.to_string())?;
        if sat.status != 201 {
            return Err(format!("nobody can sit down: {}", sat.body));
        }
        // Others may have been quicker with other lines.
        sitter.reads_log(link).await?;
        sitter.connect().await.map_err(|error| error.to_string())?;
        Ok(sitter)
    }

    /// Takes all lines that the log has and the device has not.
    async fn reads_log(&mut self, link: &str) -> Result<(), String> {
        let log = self.wire.ask("GET", &self.path("log"), Some(link), None).await;
        let log = log.map_err(|error| error.to_string())?;
        for line in log.body.lines().filter(|line| !line.starts_with(r#"{"kind":"head""#)) {
            self.take(line, None)?;
        }
        Ok(())
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/tables/{}/{rest}", self.table)
    }

    /// The secret of the seat.
    pub fn token(&self) -> String {
        self.seat.token().map(|token| token.to_string()).unwrap_or_default()
    }

    async fn connect(&mut self) -> io::Result<()> {
        let since = self.seat.checker().next().checked_sub(1);
        let (table, token) = (self.table.to_string(), self.token());
        let opened = Stream::open(self.address, &table, &token, since).await?;
        self.stream = Some(opened.map_err(|status| io::Error::other(format!("status {status}")))?);
        Ok(())
    }

    fn take(&mut self, line: &str, head: Option<&str>) -> Result<(), String> {
        let took = self.seat.take(line, head).map_err(|alarm| format!("{alarm:?} at {line}"))?;
        if let Took::Gap { next } = took {
            return Err(format!("line {next} is missing before {line}"));
        }
        if self.keep && matches!(took, Took::Line(_)) {
            self.lines.push(line.to_owned());
        }
        if let Took::Line(event) = took {
            if let Some(alarm) = event.alarms.first() {
                return Err(format!("{alarm:?} at {line}"));
            }
            let kind = event.kind;
            let done = [
                Kind::Close.name(),
                Kind::Roll.name(),
                Kind::CloseHidden.name(),
                Kind::Hidden.name(),
            ];
            if self.own && done.contains(&kind) && !self.seat.is_waiting() {
                self.own = false;
                self.ended = self.begun.map(|begun| begun.elapsed());
                self.waited();
            }
        }
        Ok(())
    }

    /// Counts a roll when both its answer and its end are there: either may come first.
    fn waited(&mut self) {
        if let (Some(acknowledged), Some(ended)) = (self.acknowledged, self.ended) {
            self.waits.push((acknowledged, ended));
            (self.begun, self.acknowledged, self.ended) = (None, None, None);
        }
    }

    fn hears(&mut self, event: &Event) -> Result<(), String> {
        match event.kind.as_str() {
            "line" => {
                let (line, head) = event.data.split_once('\n').unwrap_or((&event.data, ""));
                self.take(line, Some(head))
            }
            "present" => {
                self.seat.is_here(true);
                Ok(())
            }
            "private" => {
                let told = serde_json::from_str(&event.data).map_err(|wrong| wrong.to_string())?;
                self.seat.whispered(&told).map(drop).map_err(|alarm| format!("{alarm:?}"))
            }
            "behind" => Err(format!("the server is behind: {}", event.data)),
            _ => Ok(()),
        }
    }

    /// Plays until it is told to end; an alarm is an error.
    pub async fn play(mut self, task: Task) -> Result<Sitter, String> {
        let mut next = Instant::now() + task.after;
        let mut gone: Option<Instant> = None;
        loop {
            if self.stream.is_none() {
                match self.connect().await {
                    Ok(()) => gone = None,
                    Err(error) if gone.get_or_insert_with(Instant::now).elapsed() > PATIENCE => {
                        return Err(format!("the server does not come back: {error}"));
                    }
                    Err(_) => {
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                }
            }
            let idle = !self.seat.is_waiting() && self.posting.is_none();
            if idle
                && task.ending.load(Ordering::Relaxed)
                && self.seat.checker().open_ask().is_none()
            {
                return Ok(self);
            }
            self.wants(&task, &mut next)?;
            self.send().await?;
            self.listens(next).await?;
        }
    }

    /// Wishes for what is due.
    fn wants(&mut self, task: &Task, next: &mut Instant) -> Result<(), String> {
        if self.seat.is_waiting() {
            return Ok(());
        }
        let open = self.seat.checker().open_ask().map(|ask| ask.roller);
        if open.is_some() && open == self.seat.number() {
            return Ok(());
        }
        let refused = |refusal| format!("{refusal:?}");
        if self.seat.needs_seal() {
            return self.seat.wish(&Wish::Seal, &fresh()).map_err(refused);
        }
        let Some(every) = task.every.filter(|_| !task.resting.load(Ordering::Relaxed)) else {
            return Ok(());
        };
        if *next > Instant::now() {
            return Ok(());
        }
        *next = (*next + every).max(Instant::now());
        let roll = Wish::Roll {
            text: task.text.clone(),
            inputs: Vec::new(),
            to: To::All,
            about: About::Nothing,
        };
        (self.begun, self.own) = (Some(Instant::now()), true);
        (self.acknowledged, self.ended) = (None, None);
        self.seat.wish(&roll, &fresh()).map_err(refused)
    }

    /// Sends what is to be sent: testimony at once, requests beside what goes on.
    async fn send(&mut self) -> Result<(), String> {
        for Post { path, body } in self.seat.to_send() {
            let (path_of, token) = (self.path(&path), self.token());
            if path == "testimony" {
                let reply = self.wire.ask("POST", &path_of, Some(&token), Some(&body)).await;
                match reply {
                    Ok(reply) if reply.status == 200 => {
                        let received = self.seat.acknowledged(&reply.body);
                        received.map_err(|alarm| format!("{alarm:?}: {}", reply.body))?;
                    }
                    // Too late, or the server is gone: the line that comes next tells.
                    Ok(reply) if matches!(reply.status, 409 | 503) => {
                        tokio::time::sleep(Duration::from_millis(10)).await;
                    }
                    Ok(reply) => return Err(format!("a testimony is refused: {}", reply.body)),
                    Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
                }
            } else if self.posting.is_none()
                && let Some(mut wire) = self.other.take()
            {
                self.posting = Some(tokio::spawn(async move {
                    let reply = wire.ask("POST", &path_of, Some(&token), Some(&body)).await;
                    if reply.as_ref().map_or(true, |reply| reply.status >= 500) {
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                    (wire, reply)
                }));
            }
        }
        Ok(())
    }

    /// Takes what comes next, for a moment at most.
    async fn listens(&mut self, next: Instant) -> Result<(), String> {
        let Some(stream) = &mut self.stream else { return Ok(()) };
        let pause = next.saturating_duration_since(Instant::now());
        let pause = pause.clamp(Duration::from_millis(5), Duration::from_millis(250));
        let posting = async {
            match &mut self.posting {
                Some(posting) => posting.await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            event = stream.next() => match event {
                Ok(Some(event)) => return self.hears(&event),
                _ => {
                    self.stream = None;
                    self.seat.is_here(false);
                }
            },
            done = posting => {
                self.posting = None;
                let (wire, reply) = done.map_err(|error| error.to_string())?;
                self.other = Some(wire);
                return self.replied(reply);
            }
            () = tokio::time::sleep(pause) => {}
        }
        Ok(())
    }

    fn replied(&mut self, reply: io::Result<Reply>) -> Result<(), String> {
        let Ok(reply) = reply else { return Ok(()) };
        match reply.status {
            200 | 201 => {
                self.acknowledged = self.begun.map(|begun| begun.elapsed());
                self.waited();
                let line = reply.body.lines().next().unwrap_or_default();
                if self.keep
                    && let Some(seq) = astragal_fair::line::number(line)
                {
                    self.answered.insert(seq, line.to_owned());
                }
                Ok(())
            }
            429 | 503 => Ok(()),
            _ => Err(format!("a request is refused: {}", reply.body)),
        }
    }
}
