//! Kills: the server is ended at random moments under load, and comes back; nothing that was answered may be lost.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use astragal_fair::request::Role;

use super::child::Child;
use super::load::checked;
use super::sitter::{Answer, Sitter, Task, made};
use super::wire::{Stream, Wire};

/// How much.
#[derive(Clone, Copy, Debug)]
pub struct Kills {
    /// How often the server is ended.
    pub times: u32,
    /// Tables, each with two seats and somebody who looks on.
    pub tables: usize,
    /// Rolls a second, of all tables together.
    pub rolls: f64,
}

/// What it came to.
#[derive(Clone, Debug, Default)]
pub struct Killed {
    /// Requests that were answered.
    pub answered: usize,
    /// Lines of all logs.
    pub lines: usize,
    /// How long it took from a kill to the next answer of the server, the longest.
    pub longest: Duration,
    /// What is not as it should be.
    pub wrong: Vec<String>,
}

/// Ends a server again and again. `start` starts it on an address.
pub async fn kill(
    kills: Kills,
    data: &Path,
    start: impl Fn(&Path, SocketAddr) -> std::io::Result<Child>,
) -> Result<Killed, String> {
    let words = |error: std::io::Error| error.to_string();
    let mut server = start(data, SocketAddr::from(([127, 0, 0, 1], 0))).map_err(words)?;
    let address = server.address;
    let (resting, ending) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let mut wire = Wire::new(address);
    let (mut tables, mut playing, mut watching) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..kills.tables {
        let table = made(&mut wire, "always").await.map_err(words)?;
        for seat in 0..2 {
            let (link, role) =
                if seat == 0 { (&table.owner, Role::Owner) } else { (&table.player, Role::Player) };
            let sitter = Sitter::sit(address, table.table, link, "somebody", role, true).await?;
            let every = Duration::from_secs_f64(kills.tables as f64 / kills.rolls);
            let after = every.mul_f64(at as f64 / kills.tables as f64);
            let task = Task {
                every: (seat == 0).then_some(every),
                after,
                text: "2d6+3".into(),
                resting: Arc::clone(&resting),
                ending: Arc::clone(&ending),
            };
            playing.push((at, tokio::spawn(sitter.play(task))));
        }
        watching.push(tokio::spawn(watch(address, table.clone(), Arc::clone(&ending))));
        tables.push(table);
    }
    let mut killed = Killed::default();
    for _ in 0..kills.times {
        let mut random = [0; 2];
        getrandom::fill(&mut random).map_err(|error| error.to_string())?;
        let pause = 300 + u64::from(u16::from_le_bytes(random)) % 1200;
        tokio::time::sleep(Duration::from_millis(pause)).await;
        server.kill();
        let begun = Instant::now();
        server = start(data, address).map_err(words)?;
        while wire.ask("GET", "/api/openapi.json", None, None).await.is_err() {}
        killed.longest = killed.longest.max(begun.elapsed());
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    resting.store(true, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_secs(6)).await;
    ending.store(true, Ordering::Relaxed);
    let mut sitters: Vec<(usize, Sitter)> = Vec::new();
    for (at, task) in playing {
        match tokio::time::timeout(Duration::from_secs(30), task).await {
            Ok(Ok(Ok(sitter))) => sitters.push((at, sitter)),
            Ok(Ok(Err(alarm))) => killed.wrong.push(alarm),
            Ok(Err(error)) => killed.wrong.push(error.to_string()),
            Err(_) => killed.wrong.push("a device does not come to its end".into()),
        }
    }
    let mut seen = Vec::new();
    for task in watching {
        seen.push(task.await.unwrap_or_default());
    }
    for (at, table) in tables.iter().enumerate() {
        let path = format!("/api/tables/{}/log", table.table);
        let log = wire.ask("GET", &path, Some(&table.watch), None).await.map_err(words)?.body;
        killed.wrong.extend(checked(&log).err());
        let lines: Vec<&str> = log.lines().collect();
        let lines = &lines[..lines.len().saturating_sub(1)];
        killed.lines += lines.len();
        for (_, sitter) in sitters.iter().filter(|(of, _)| *of == at) {
            compare(sitter, lines, &mut killed);
        }
        let watched = &seen[at];
        let same = watched.len() <= lines.len() && watched.iter().zip(lines).all(|(a, b)| a == b);
        if !same || watched.len() + 3 < lines.len() {
            let what =
                format!("somebody who looked on has {} lines of {}", watched.len(), lines.len());
            killed.wrong.push(what);
        }
    }
    Ok(killed)
}

/// What a device was answered, and what it was sent, stands in the log.
fn compare(sitter: &Sitter, lines: &[&str], killed: &mut Killed) {
    let answered: &BTreeMap<u64, String> = &sitter.answered;
    killed.answered += answered.len();
    for (seq, text) in answered {
        if lines.get(*seq as usize) != Some(&text.as_str()) {
            killed.wrong.push(format!("line {seq} was answered, and is not in the log"));
        }
    }
    let all = sitter.lines.iter().zip(lines).all(|(own, line)| own == line);
    if !all || sitter.lines.len() > lines.len() {
        killed.wrong.push("a device was sent other lines than those in the log".into());
    }
}

/// Somebody who looks on, and comes back after each kill: each line once, in order.
async fn watch(address: SocketAddr, table: Answer, ending: Arc<AtomicBool>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    loop {
        let since = (lines.len() as u64).checked_sub(1);
        let id = table.table.to_string();
        let Ok(Ok(mut stream)) = Stream::open(address, &id, &table.watch, since).await else {
            if ending.load(Ordering::Relaxed) {
                return lines;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        loop {
            let event = tokio::time::timeout(Duration::from_millis(500), stream.next()).await;
            match event {
                Ok(Ok(Some(event))) => {
                    if let Some(id) = event.id {
                        // A line twice or a line too few is seen when the log is compared.
                        let text = event.data.split('\n').next().unwrap_or_default().to_owned();
                        if id == lines.len() as u64 {
                            lines.push(text);
                        } else {
                            lines.push(format!("line {id} came in place of {}", lines.len()));
                        }
                    }
                }
                Err(_) if ending.load(Ordering::Relaxed) => return lines,
                Err(_) => {}
                Ok(_) => break,
            }
        }
    }
}
