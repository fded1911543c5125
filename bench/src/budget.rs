//! What a budget buys: for every problem, the systems, the corners, and programs that cost more than they seem to, the
//! steps that were paid, the CPU time they took, and the memory. Given a file, for its programs.
//!
//! A step is to cost about the same wherever it is spent (about 10 ns), so that the same number of steps ends after
//! about the same time. What is answered or refused in less than a few milliseconds says nothing about that, and is
//! left out of the span at the end. The last column is the longest time in which nobody asked whether the request is
//! cancelled.

use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use astragal::{Budget, Diagnostics, Engine, Watcher};
use cpu_time::ProcessTime;
use serde_json::{Value as Json, json};

use crate::solve::{answer, peak_memory};
use crate::table::{Table, time};
use crate::{Options, corners, place, problems, systems};

/// Steps cost about the same where more CPU than this was spent.
const TELLING: f64 = 0.02;

/// The table of all programs, or of those in a file.
pub fn table(options: &Options, file: Option<&str>) -> String {
    let mut table = Table::new(["problem", "", "steps", "CPU", "ns a step", "peak", "unasked"]);
    let mut prices: Vec<f64> = Vec::new();
    for (name, _) in programs(file).into_iter().filter(|(name, _)| options.wants(name)) {
        let Some(cost) = cost(&name, file) else {
            let [a, b, c, d, e] = [(); 5].map(|()| String::new());
            table.row([name, "no end".into(), a, b, c, d, e]);
            continue;
        };
        let price = cost.seconds * 1e9 / cost.steps.max(1) as f64;
        if cost.seconds > TELLING {
            prices.push(price);
        }
        table.row([
            name,
            cost.ended,
            cost.steps.to_string(),
            time(cost.seconds),
            format!("{price:.1}"),
            format!("{:.0} MiB", cost.memory),
            time(cost.unasked),
        ]);
    }
    let least = prices.iter().copied().fold(f64::INFINITY, f64::min);
    let most = prices.iter().copied().fold(0.0, f64::max);
    format!(
        "{table}\nWhere it takes more than {TELLING} s, a step costs {least:.1} to {most:.1} ns.\n"
    )
}

/// All programs by name, or those of a file.
fn programs(file: Option<&str>) -> Vec<(String, String)> {
    let owned = |(name, program): (&str, &str)| (name.to_owned(), program.to_owned());
    if let Some(file) = file {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        return problems::sections(&text).map(owned).collect();
    }
    let listed = problems::all_sections().map(owned);
    let corners = corners::programs().into_iter().map(|(heading, program)| {
        let name = heading.rsplit_once(": ").map_or(heading.as_str(), |(name, _)| name);
        (name.to_owned(), program)
    });
    listed.chain(systems::programs()).chain(corners).collect()
}

struct Cost {
    ended: String,
    steps: u64,
    seconds: f64,
    memory: f64,
    unasked: f64,
}

/// What a problem costs, in a process of its own.
fn cost(name: &str, file: Option<&str>) -> Option<Cost> {
    let mut command = Command::new(place::program());
    let output = command.args(["cost", name]).args(file).stderr(Stdio::null()).output().ok()?;
    let told: Json = serde_json::from_slice(&output.stdout).ok()?;
    Some(Cost {
        ended: told["ended"].as_str()?.to_owned(),
        steps: told["steps"].as_u64()?,
        seconds: told["seconds"].as_f64()?,
        memory: told["memory"].as_f64().unwrap_or(0.0),
        unasked: told["unasked"].as_f64()?,
    })
}

/// What such a process does.
pub fn print(name: &str, file: Option<&str>) {
    let Some((_, program)) = programs(file).into_iter().find(|(own, _)| own == name) else {
        return;
    };
    let engine = Engine::new();
    // The library is read once, before the first question.
    let _ = engine.compile("1");
    let start = ProcessTime::now();
    let looks = Arc::new(Mutex::new(Looks::default()));
    let seen = Arc::clone(&looks);
    let look = move |used, _| {
        if let Ok(mut looks) = seen.lock() {
            looks.look(used, start.elapsed().as_secs_f64());
        }
    };
    let budget = Budget::default().with_watcher(Watcher::new(look)).with_guard(astragal::guard());
    let answered = answer(&engine, &program, &budget);
    let seconds = start.elapsed().as_secs_f64();
    let Ok(mut looks) = looks.lock() else { return };
    let used = looks.used;
    looks.look(used, seconds);
    let (ended, steps) = match &answered {
        Ok(odds) => ("answered", odds.used),
        Err(found) => (ended(found), looks.used),
    };
    let (memory, unasked) = (peak_memory(), looks.longest);
    let told = json!({
        "ended": ended, "steps": steps, "seconds": seconds, "memory": memory, "unasked": unasked,
    });
    println!("{told}");
}

/// What a watcher saw.
#[derive(Default)]
struct Looks {
    used: u64,
    last: f64,
    longest: f64,
}

impl Looks {
    fn look(&mut self, used: u64, now: f64) {
        self.used = used;
        self.longest = self.longest.max(now - self.last);
        self.last = now;
    }
}

fn ended(found: &Diagnostics) -> &'static str {
    match found.list().first().map(|first| first.code) {
        Some("over-budget") => "refused",
        Some("not-known") => "not known",
        _ => "error",
    }
}
