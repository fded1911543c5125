//! A server in this process, and people at its tables.

#![allow(dead_code, reason = "each file of tests uses some of it")]

use std::net::SocketAddr;
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

use astragal_fair::line::Line;
use astragal_fair::request::{Role, To};
use astragal_fair::{Checker, Hash, Id, Report, hash, line};
use astragal_table::client::{Event, Player, Reply, Stream, Wire};
use astragal_table::{Limits, Options, Server, Stopper};
use serde_json::Value as Json;

/// A server, which ends with the test.
pub struct Served {
    pub address: SocketAddr,
    pub told: SocketAddr,
    stopper: Stopper,
    thread: Option<JoinHandle<()>>,
}

/// Generous with one address, and quick with who is gone.
pub const LIMITS: Limits = Limits { gone: Duration::from_millis(600), ..Limits::OPEN };

impl Served {
    pub fn new(data: &Path, limits: Limits) -> Served {
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        let options = Options {
            data: Some(data.to_owned()),
            metrics: Some(any),
            limits,
            ..Options::new(any)
        };
        let (sender, receiver) = std::sync::mpsc::channel();
        // In a thread of its own: a test is a runtime already.
        let thread = std::thread::spawn(move || {
            let server = Server::bind(&options).unwrap();
            let told = server.metrics_address().unwrap();
            sender.send((server.address(), told, server.stopper())).unwrap();
            server.run();
        });
        let (address, told, stopper) = receiver.recv().unwrap();
        Served { address, told, stopper, thread: Some(thread) }
    }

    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.end();
    }
}

/// A table on a server.
pub struct Table {
    pub address: SocketAddr,
    pub id: Id,
    pub links: Json,
    pub first: String,
}

impl Table {
    pub async fn new(address: SocketAddr, witness: &str) -> Table {
        let body = format!(r#"{{"witness":"{witness}"}}"#);
        let made = Wire::new(address).ask("POST", "/api/tables", None, Some(&body)).await.unwrap();
        assert_eq!(made.status, 201, "{}", made.body);
        let told = made.json();
        Table {
            address,
            id: astragal_fair::Bytes::read(told["table"].as_str().unwrap()).unwrap(),
            links: told["links"].clone(),
            first: told["line"].as_str().unwrap().to_owned(),
        }
    }

    pub fn link(&self, role: &str) -> &str {
        self.links[role].as_str().unwrap()
    }

    pub fn path(&self, rest: &str) -> String {
        format!("/api/tables/{}{rest}", self.id)
    }

    pub async fn ask(&self, method: &str, rest: &str, secret: &str, body: Option<&Json>) -> Reply {
        let body = body.map(Json::to_string);
        let mut wire = Wire::new(self.address);
        wire.ask(method, &self.path(rest), Some(secret), body.as_deref()).await.unwrap()
    }

    pub async fn log(&self) -> String {
        self.ask("GET", "/log", self.link("watch"), None).await.body
    }

    pub async fn newest(&self) -> Hash {
        let told = self.ask("GET", "", self.link("watch"), None).await.json();
        astragal_fair::Bytes::read(told["hash"].as_str().unwrap()).unwrap()
    }

    /// What `astragal verify` says of the log.
    pub async fn verify(&self) -> Report {
        verified(&self.log().await)
    }

    pub async fn listen(&self, secret: &str, since: Option<u64>) -> Stream {
        Stream::open(self.address, &self.id.to_string(), secret, since).await.unwrap().unwrap()
    }

    /// Somebody with a device who has not sat down yet.
    pub async fn guest(&self, name: &str, role: Role, seed: u64) -> Player {
        let seats = self.ask("GET", "", self.link("watch"), None).await.json();
        let seat = seats["next_seat"].as_u64().unwrap();
        Player::new(self.id, seat, name, role, self.newest().await, seed)
    }

    /// Somebody sits down and listens.
    pub async fn sit(&self, name: &str, role: Role, seed: u64) -> Seated {
        let mut player = self.guest(name, role, seed).await;
        let seat = player.seat;
        let link = if role == Role::Player { "player" } else { "owner" };
        let body = player.sit();
        let sat = self.ask("POST", "/seats", self.link(link), Some(&body)).await;
        assert_eq!(sat.status, 201, "{}", sat.body);
        let stream = self.listen(&player.token, None).await;
        let wire = Wire::new(self.address);
        let (id, checker) = (self.id, Checker::new());
        let (prev, next) = (Hash::ZERO, 0);
        let events = Vec::new();
        let mut seated =
            Seated { id, player, stream, wire, checker, prev, next, events, silent: false };
        // What it signs next follows the line in which it sat down.
        for _ in 0..=seat {
            seated.until("seat").await;
        }
        seated
    }
}

pub fn verified(log: &str) -> Report {
    let mut checker = Checker::new();
    for line in log.lines() {
        checker.line(line).unwrap_or_else(|wrong| panic!("{wrong}: {wrong:?}\n{line}"));
    }
    checker.finish().unwrap()
}

/// Somebody at a table, whose device checks every line as it comes.
pub struct Seated {
    pub id: Id,
    pub player: Player,
    pub stream: Stream,
    pub wire: Wire,
    pub checker: Checker,
    pub prev: Hash,
    pub next: u64,
    /// All events that were no lines.
    pub events: Vec<Event>,
    /// It does not answer when it is asked.
    pub silent: bool,
}

impl Seated {
    pub async fn post(&mut self, rest: &str, body: &Json) -> Reply {
        let path = format!("/api/tables/{}{rest}", self.id);
        let token = self.player.token.clone();
        self.wire.ask("POST", &path, Some(&token), Some(&body.to_string())).await.unwrap()
    }

    pub async fn roll(&mut self, text: &str, to: To) -> Reply {
        let body = self.player.roll(text, to);
        self.post("/rolls", &body).await
    }

    /// Takes events until a line of this kind has come; testifies when asked.
    pub async fn until(&mut self, kind: &str) -> (u64, String) {
        loop {
            if let Some((seq, text)) = self.step().await
                && text.contains(&format!(r#""kind":"{kind}""#))
            {
                return (seq, text);
            }
        }
    }

    /// Takes events until one of this kind has come.
    pub async fn event(&mut self, kind: &str) -> Json {
        loop {
            if let Some(at) = self.events.iter().position(|event| event.kind == kind) {
                return serde_json::from_str(&self.events.remove(at).data).unwrap();
            }
            self.step().await;
        }
    }

    /// Takes the next event; a line comes back.
    pub async fn step(&mut self) -> Option<(u64, String)> {
        let wait = Duration::from_secs(20);
        let event = tokio::time::timeout(wait, self.stream.next()).await.expect("an event in time");
        let event = event.unwrap().expect("the stream goes on");
        if event.kind != "line" {
            self.events.push(event);
            return None;
        }
        let (text, head) = event.data.split_once('\n').unwrap();
        assert_eq!(event.id, Some(self.next));
        self.checker.line(text).unwrap_or_else(|wrong| panic!("{wrong}: {text}"));
        // A log does not end with a move: its head counts from the next line on.
        if !text.contains(r#""kind":"move""#) {
            check_head(&self.checker, head);
        }
        let asks = self.player.takes(self.next, text, &self.prev).unwrap();
        self.prev = hash(text.as_bytes());
        self.next += 1;
        if asks && !self.silent {
            let body = self.player.testimony(self.next - 1);
            let reply = self.post("/testimony", &body).await;
            assert_eq!(reply.status, 200, "{}", reply.body);
        }
        Some((self.next - 1, text.to_owned()))
    }

    /// Takes events for a while, without an end.
    pub async fn go_on(mut self) {
        loop {
            self.step().await;
        }
    }
}

/// The head is signed: a copy of the checker takes it.
fn check_head(checker: &Checker, head: &str) {
    checker.clone().line(head).unwrap();
}

/// The content of a line.
pub fn content(seq: u64, prev: &Hash, text: &str) -> Line {
    line::read(text, seq, prev).unwrap()
}

/// Runs a test.
pub fn run<T>(test: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        tokio::time::timeout(Duration::from_secs(120), test).await.expect("the test ends in time")
    })
}
