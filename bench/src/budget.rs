//! What a budget buys: for every problem, the systems, the corners, and programs that cost more than they seem to, the
//! steps that were paid, the CPU time they took, and the memory. Given a file, for its programs.
//!
//! A step is to cost about the same wherever it is spent (about 10 ns), so that the same number of steps ends after
//! about the same time. What is answered or refused in less than a few milliseconds says nothing about that, and is
//! left out of the span at the end. The last column is the longest time in which nobody asked whether the request is
//! cancelled.

use std::backtrace::Backtrace;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use astragal::{Budget, Diagnostics, Engine, Guard, Watcher};
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
        let Some(cost) = cost(options, &name, file) else {
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
fn cost(options: &Options, name: &str, file: Option<&str>) -> Option<Cost> {
    let mut command = Command::new(place::program());
    command.args(["cost", name]).args(file);
    if let Some(steps) = options.steps {
        command.args(["--steps", &steps.to_string()]);
    }
    let output = command.stderr(Stdio::null()).output().ok()?;
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
pub fn print(options: &Options, name: &str, file: Option<&str>) {
    let Some((ended, steps, looks)) = looked_at(options, name, file, false) else { return };
    let (memory, unasked, seconds) = (peak_memory(), looks.longest, looks.last);
    let told = json!({
        "ended": ended, "steps": steps, "seconds": seconds, "memory": memory, "unasked": unasked,
    });
    println!("{told}");
}

/// Where the longest time ended in which nobody asked, and where it began.
pub fn gap(options: &Options, name: &str, file: Option<&str>) {
    let Some((_, steps, looks)) = looked_at(options, name, file, true) else { return };
    let (longest, end) = (time(looks.longest), time(looks.at));
    let told = |place: Option<Arc<Backtrace>>, none: &str| {
        place.map_or_else(|| none.into(), |place| place.to_string())
    };
    println!("{steps} steps, unasked for {longest} until, after {end},");
    println!("{}", told(looks.place, "the end"));
    println!("since\n{}", told(looks.since, "the beginning"));
}

/// Answers a problem while somebody looks: how it ended, the steps, and what was seen.
fn looked_at(
    options: &Options,
    name: &str,
    file: Option<&str>,
    places: bool,
) -> Option<(&'static str, u64, Looks)> {
    let (_, program) = programs(file).into_iter().find(|(own, _)| own == name)?;
    let engine = Engine::new();
    // The library is read once, before the first question.
    let _ = engine.compile("1");
    let looks = Arc::new(Mutex::new(Looks { places, ..Looks::default() }));
    let start = ProcessTime::now();
    let now = move || start.elapsed().as_secs_f64();
    let used = Arc::clone(&looks);
    let watcher = Watcher::new(move |steps, _| {
        if let Ok(mut looks) = used.lock() {
            looks.used = steps;
        }
    });
    let (seen, guard) = (Arc::clone(&looks), astragal::guard());
    let guard = Guard::new(move |steps, memory| {
        let (seen, watch) = (Arc::clone(&seen), guard.begin(steps, memory));
        Rc::new(move || {
            if let Ok(mut looks) = seen.lock() {
                looks.look(now());
            }
            watch()
        })
    });
    let usual = Budget::default();
    let steps = options.steps.unwrap_or(usual.steps);
    let budget = usual.with_steps(steps).with_watcher(watcher).with_guard(guard);
    let answered = answer(&engine, &program, &budget);
    let mut looks = std::mem::take(&mut *looks.lock().ok()?);
    looks.end(now());
    Some(match &answered {
        Ok(odds) => ("answered", odds.used, looks),
        Err(found) => (ended(found), looks.used, looks),
    })
}

/// What was seen of a request by those who are asked while it goes on.
#[derive(Default)]
struct Looks {
    used: u64,
    last: f64,
    /// The longest time in which nobody asked, and when it ended.
    longest: f64,
    at: f64,
    /// Whether the place is wanted too where the longest time ended.
    places: bool,
    place: Option<Arc<Backtrace>>,
    /// Where somebody asked before, and the last time.
    since: Option<Arc<Backtrace>>,
    before: Option<Arc<Backtrace>>,
}

impl Looks {
    fn look(&mut self, now: f64) {
        let here = self.places.then(|| Arc::new(Backtrace::force_capture()));
        if now - self.last > self.longest {
            (self.longest, self.at) = (now - self.last, now);
            (self.place, self.since) = (here.clone(), self.before.take());
        }
        self.before = here;
        self.last = now;
    }

    fn end(&mut self, now: f64) {
        self.places = false;
        self.look(now);
    }
}

fn ended(found: &Diagnostics) -> &'static str {
    match found.list().first().map(|first| first.code) {
        Some("over-budget") => "refused",
        Some("not-known") => "not known",
        _ => "error",
    }
}
