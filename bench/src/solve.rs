//! One problem in a process of its own: from the text to the exact distribution, timed, and checked.
//!
//! A fresh process starts with nothing remembered, its memory can be read, and it can be stopped.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use astragal::{Budget, Diagnostics, Engine, Odds};
use serde_json::{Value as Json, json};

use crate::{digest, measure, place, problems};

/// More than the doors allow by default, so that a slow answer is told from none.
const STEPS: u64 = 100_000_000_000;
/// A problem without an answer by then is stopped.
const PATIENCE: Duration = Duration::from_secs(60);
/// Runs are repeated for so long.
const WITHIN: Duration = Duration::from_millis(400);

/// What is known of a problem, or of its twin without a cap.
pub struct Solved {
    /// Seconds of CPU.
    pub seconds: f64,
    /// The most memory that was in use, in MiB.
    pub memory: Option<f64>,
    /// None if not everything is listed.
    pub digest: Option<String>,
    /// The exact mean.
    pub mean: Option<String>,
    /// The mean as a decimal number.
    pub about: Option<f64>,
}

/// The answer, by a new process.
pub fn solve(name: &str) -> Result<Solved, String> {
    let mut command = Command::new(place::program());
    let output = command.args(["solve", name]).stderr(Stdio::null()).output();
    let output = output.map_err(|error| error.to_string())?;
    let told: Json = serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("ended without an answer ({})", output.status))?;
    if let Some(failure) = told["failure"].as_str() {
        return Err(failure.to_owned());
    }
    let text = |key: &str| told[key].as_str().map(str::to_owned);
    Ok(Solved {
        seconds: told["seconds"].as_f64().unwrap_or(f64::INFINITY),
        memory: told["memory"].as_f64(),
        digest: text("digest"),
        mean: text("mean"),
        about: told["about"].as_f64(),
    })
}

/// What such a process does.
pub fn print(name: &str) {
    let told = match problems::program(name) {
        None => json!({"failure": "no such problem"}),
        Some(program) => told(program).unwrap_or_else(|failure| json!({"failure": failure})),
    };
    println!("{told}");
}

fn told(program: &str) -> Result<Json, String> {
    let engine = Engine::new();
    let budget = patient();
    let first =
        |found: Diagnostics| found.list().first().map_or(String::new(), |d| d.message.clone());
    let (seconds, answered) = measure::best(WITHIN, || answer(&engine, program, &budget));
    let answered = answered.map_err(first)?;
    let memory = peak_memory();
    let only = answered.only();
    let mean = only.mean();
    Ok(json!({
        "seconds": seconds,
        "memory": memory,
        "digest": digest::digest(only),
        "mean": mean.as_ref().map(ToString::to_string),
        "about": mean.as_ref().map(|mean| mean.to_f64_fast()),
    }))
}

/// The whole way that is measured.
pub fn answer(engine: &Engine, program: &str, budget: &Budget) -> Result<Odds, Diagnostics> {
    engine.compile(program)?.odds(budget)
}

/// A budget that ends after a while.
pub fn patient() -> Budget {
    let cancel = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancel);
    std::thread::spawn(move || {
        std::thread::sleep(PATIENCE);
        flag.store(true, Ordering::Relaxed);
    });
    Budget::of_steps(STEPS).with_cancel(cancel)
}

/// The most memory this process has had, in MiB, where the system tells.
pub fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024.0)
}
