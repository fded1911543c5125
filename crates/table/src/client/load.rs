//! Load: many listeners at many tables, rolls at a steady pace, and what that costs the server.

use std::fs::File;
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use astragal_fair::request::Role;
use tokio::sync::Semaphore;

use super::child::Child;
use super::sitter::{Answer, Sitter, Task, made};
use super::wire::{Stream, Wire};

/// How much.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Tables.
    pub tables: usize,
    /// Listeners at each table, seats among them.
    pub listeners: usize,
    /// Seats at each table, of which one rolls.
    pub seats: usize,
    /// Rolls a second, of all tables together.
    pub rolls: f64,
    /// For how long.
    pub time: Duration,
    /// So many ask for heavy odds meanwhile, again and again.
    pub odds: usize,
}

/// Programs that cost as much as they may.
pub const HEAVY: [&str; 4] = [
    "1000d1000kh500",
    "60d20 kh30 + 40d12 kl20",
    "sum(map(1..400, i => (d20 + i) * d100))",
    "(30d6)d(30d6)",
];

/// What it came to.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Rolls that came to their end.
    pub rolls: usize,
    /// Lines that listeners got.
    pub deliveries: u64,
    /// Milliseconds of processor time of the server for each roll with its deliveries.
    pub cpu: f64,
    /// Bytes that the server holds for each listener.
    pub memory: f64,
    /// How long answers took: in the middle, and 99 of 100.
    pub answered: (Duration, Duration),
    /// How long it took until a roller had its result.
    pub done: (Duration, Duration),
    /// How long this machine's disk took to sync 4 KiB meanwhile.
    pub sync: (Duration, Duration),
    /// Heavy odds that were answered meanwhile.
    pub odds: u64,
    /// What is not as it should be.
    pub wrong: Vec<String>,
}

/// Puts a server under load.
pub async fn load(server: &Child, load: Load, folder: &Path) -> Result<Figures, String> {
    let address = server.address;
    let mut wire = Wire::new(address);
    let mut tables = Vec::new();
    for _ in 0..load.tables {
        tables.push(made(&mut wire, "always").await.map_err(|error| error.to_string())?);
    }
    let (_, before) = server.used();
    let flags = Flags::default();
    let room = Arc::new(Semaphore::new(64));
    let (mut sitters, mut watchers) = (Vec::new(), Vec::new());
    for (at, table) in tables.iter().enumerate() {
        let (table, flags, room) = (table.clone(), flags.clone(), Arc::clone(&room));
        sitters.push(tokio::spawn(seated(address, table, at, load, flags, room)));
    }
    let mut rollers = Vec::new();
    for seated in sitters {
        rollers.extend(seated.await.map_err(|error| error.to_string())??);
    }
    for table in &tables {
        for _ in load.seats..load.listeners {
            let _room = Arc::clone(&room).acquire_owned().await;
            let since = Some(load.seats as u64);
            let stream = Stream::open(address, &table.table.to_string(), &table.watch, since).await;
            let stream = stream.map_err(|error| error.to_string())?;
            let stream = stream.map_err(|status| format!("a stream is refused: {status}"))?;
            watchers.push(tokio::spawn(watch(stream, load.seats as u64, flags.clone())));
        }
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let (begun, held) = server.used();
    flags.go.store(true, Ordering::Relaxed);
    for at in 0..load.odds {
        tokio::spawn(heavy(address, at, flags.clone()));
    }
    let syncing = sync_times(folder, load.time);
    tokio::time::sleep(load.time).await;
    flags.resting.store(true, Ordering::Relaxed);
    // What is under way comes to its end, however long that takes: witnesses and who look on stay until then.
    let mut figures = Figures::default();
    let (mut answered, mut done) = (Vec::new(), Vec::new());
    let (rolling, witnessing): (Vec<_>, Vec<_>) =
        rollers.into_iter().partition(|(seat, _)| *seat == 0);
    let mut ended = begun;
    for (at, (_, playing)) in rolling.into_iter().chain(witnessing).enumerate() {
        if at == load.tables {
            ended = server.used().0;
            flags.over.store(true, Ordering::Relaxed);
        }
        match tokio::time::timeout(Duration::from_secs(20), playing).await {
            Ok(Ok(Ok(sitter))) => {
                figures.rolls += sitter.waits.len();
                answered.extend(sitter.waits.iter().map(|(answered, _)| *answered));
                done.extend(sitter.waits.iter().map(|(_, done)| *done));
            }
            Ok(Ok(Err(alarm))) => figures.wrong.push(alarm),
            Ok(Err(error)) => figures.wrong.push(error.to_string()),
            Err(_) => figures.wrong.push("a device does not come to its end".into()),
        }
    }
    if !flags.over.swap(true, Ordering::Relaxed) {
        ended = server.used().0;
    }
    figures.odds = flags.odds.load(Ordering::Relaxed);
    figures.deliveries = flags.deliveries.load(Ordering::Relaxed);
    figures.cpu = (ended - begun) * 1000.0 / figures.rolls.max(1) as f64;
    figures.memory = held.saturating_sub(before) as f64 / (load.tables * load.listeners) as f64;
    (figures.answered, figures.done) = (middle(&mut answered), middle(&mut done));
    figures.sync = middle(&mut syncing.join().unwrap_or_default());
    figures.wrong.extend(flags.wrong.lock().unwrap_or_else(PoisonError::into_inner).drain(..));
    check_ends(address, &tables, watchers, load, &mut figures).await;
    Ok(figures)
}

/// What all tasks share.
#[derive(Clone, Default)]
struct Flags {
    go: Arc<AtomicBool>,
    resting: Arc<AtomicBool>,
    /// All rolls have come to their end.
    over: Arc<AtomicBool>,
    deliveries: Arc<AtomicU64>,
    odds: Arc<AtomicU64>,
    wrong: Arc<Mutex<Vec<String>>>,
}

/// Asks for heavy odds until all rest; what is answered is told apart from what is turned away.
async fn heavy(address: SocketAddr, at: usize, flags: Flags) {
    let mut wire = Wire::new(address);
    let mut programs = HEAVY.iter().cycle().skip(at);
    while !flags.resting.load(Ordering::Relaxed) {
        let text = programs.next().copied().unwrap_or_default();
        let body = serde_json::json!({ "text": text }).to_string();
        match wire.ask("POST", "/api/odds", None, Some(&body)).await {
            Ok(reply) if matches!(reply.status, 200 | 422) => {
                flags.odds.fetch_add(1, Ordering::Relaxed);
            }
            Ok(reply) if reply.status == 503 => {
                tokio::time::sleep(Duration::from_millis(100)).await
            }
            other => {
                let mut wrong = flags.wrong.lock().unwrap_or_else(PoisonError::into_inner);
                wrong.push(format!("odds are answered with {other:?}"));
            }
        }
    }
}

/// The number of a seat, and what it does.
type Playing = (usize, tokio::task::JoinHandle<Result<Sitter, String>>);

/// The seats of a table: they play as soon as all tables are there.
async fn seated(
    address: SocketAddr,
    table: Answer,
    at: usize,
    load: Load,
    flags: Flags,
    room: Arc<Semaphore>,
) -> Result<Vec<Playing>, String> {
    let _room = room.acquire_owned().await;
    let mut playing = Vec::new();
    let every = Duration::from_secs_f64(load.tables as f64 / load.rolls);
    for seat in 0..load.seats {
        let (link, role) =
            if seat == 0 { (&table.owner, Role::Owner) } else { (&table.player, Role::Player) };
        let sitter = Sitter::sit(address, table.table, link, "somebody", role, false).await?;
        let flags = flags.clone();
        let after = every.mul_f64(at as f64 / load.tables as f64);
        let task = async move {
            let never = Task {
                every: None,
                after: Duration::ZERO,
                text: "4d6kh3".into(),
                resting: Arc::clone(&flags.resting),
                ending: Arc::clone(&flags.go),
            };
            // Until all are there, it only listens.
            let sitter = sitter.play(never.clone()).await?;
            let every = (seat == 0).then_some(every);
            let ending = if seat == 0 { flags.resting } else { flags.over };
            sitter.play(Task { every, after, ending, ..never }).await
        };
        playing.push((seat, tokio::spawn(task)));
    }
    Ok(playing)
}

/// Somebody who looks on, and counts: the number of the last line.
async fn watch(mut stream: Stream, mut last: u64, flags: Flags) -> u64 {
    loop {
        let event = tokio::time::timeout(Duration::from_secs(1), stream.next()).await;
        match event {
            Ok(Ok(Some(event))) => {
                if let Some(id) = event.id {
                    if id != last + 1 {
                        let mut wrong = flags.wrong.lock().unwrap_or_else(PoisonError::into_inner);
                        wrong.push(format!("line {id} came after line {last}"));
                    }
                    last = id;
                    flags.deliveries.fetch_add(1, Ordering::Relaxed);
                }
            }
            Err(_) if !flags.over.load(Ordering::Relaxed) => {}
            _ => return last,
        }
    }
}

/// Every listener has the last line of its table.
async fn check_ends(
    address: SocketAddr,
    tables: &[Answer],
    watchers: Vec<tokio::task::JoinHandle<u64>>,
    load: Load,
    figures: &mut Figures,
) {
    let mut lasts = Vec::new();
    for watcher in watchers {
        lasts.push(watcher.await.unwrap_or_default());
    }
    let mut wire = Wire::new(address);
    let each = load.listeners - load.seats;
    for (at, table) in tables.iter().enumerate() {
        let path = format!("/api/tables/{}/log", table.table);
        let Ok(log) = wire.ask("GET", &path, Some(&table.watch), None).await else {
            figures.wrong.push("a log cannot be read".into());
            continue;
        };
        let all = log.body.lines().count().saturating_sub(1);
        // That the seats have gone home may be written after those who look on have.
        let home = |line: &&str| line.contains(r#""kind":"present""#);
        let tail = log.body.lines().take(all).collect::<Vec<_>>();
        let tail = tail.iter().rev().take_while(|line| home(line)).count();
        let lines = all as u64;
        let fits = lines - tail as u64..=lines;
        let watching = lasts.get(at * each..(at + 1) * each).unwrap_or_default();
        for last in watching.iter().filter(|last| !fits.contains(&(**last + 1))) {
            figures.wrong.push(format!("a listener has {} of {lines} lines", last + 1));
        }
        // A part of the logs is checked whole: the devices have checked all of them already.
        if at % 50 == 0 {
            figures.wrong.extend(checked(&log.body).err());
        }
    }
}

/// A log, checked as `astragal verify` does.
pub(super) fn checked(log: &str) -> Result<(), String> {
    let mut checker = astragal_fair::Checker::new();
    for line in log.lines() {
        checker.line(line).map_err(|wrong| format!("{wrong}: {line}"))?;
    }
    checker.finish().map(drop).map_err(|wrong| wrong.to_string())
}

/// In the middle, and 99 of 100.
fn middle(durations: &mut [Duration]) -> (Duration, Duration) {
    durations.sort_unstable();
    let at = |part: usize| {
        durations.get((durations.len() * part / 100).min(durations.len().saturating_sub(1)))
    };
    (at(50).copied().unwrap_or_default(), at(99).copied().unwrap_or_default())
}

/// How long the disk takes meanwhile.
fn sync_times(folder: &Path, time: Duration) -> std::thread::JoinHandle<Vec<Duration>> {
    let path = folder.join("sync-probe");
    std::thread::spawn(move || {
        let (mut times, begun) = (Vec::new(), Instant::now());
        let Ok(mut file) = File::create(&path) else { return times };
        while begun.elapsed() < time {
            let started = Instant::now();
            if file.write_all(&[0; 4096]).and_then(|()| file.sync_data()).is_ok() {
                times.push(started.elapsed());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let _ = std::fs::remove_file(&path);
        times
    })
}
