//! The table of rolls, beside other rollers.
//!
//! The crates caith, tyche and xdy live in `peers/`, a program of its own with its own lock file, which is
//! built with the same settings and run right after our own rolls.

use std::fmt::Write;
use std::hint::black_box;
use std::process::{Command, Stdio};

use astragal::Engine;
use astragal::faces::Seeded;

use crate::table::{Table, grouped, time};
use crate::{measure, place};

/// The last is the one whose dice are counted one by one.
const PROGRAMS: &[&str] = &["1d20+5", "4d6kh3", "10d10!cs>=8", MANY];
const MANY: &str = "1000d6";
const PEERS: [&str; 3] = ["caith", "tyche", "xdy"];

/// Seconds of CPU a roll.
struct Ours {
    /// From the text to a roll with its record.
    whole: f64,
    recorded: f64,
    bare: f64,
}

/// What a peer takes for a program, as far as it can say it.
struct Theirs {
    tool: String,
    program: String,
    whole: Option<f64>,
    prepared: Option<f64>,
}

/// The table of rolls.
pub fn table() -> String {
    let ours: Vec<Ours> = PROGRAMS.iter().map(|program| roll(program)).collect();
    let mut text = String::new();
    let peers = peers().unwrap_or_else(|why| {
        let _ = writeln!(text, "the peers cannot be asked: {why}\n");
        Vec::new()
    });
    let names = PEERS.map(|tool| format!("{tool} {}", version(tool)));
    let mut table = Table::new(["", "astragal", &names[0], &names[1], &names[2]]);
    for (program, ours) in PROGRAMS.iter().zip(&ours) {
        let theirs = |pick: fn(&Theirs) -> Option<f64>| {
            PEERS.map(|tool| {
                let found = peers.iter().find(|row| row.tool == tool && row.program == *program);
                found.and_then(pick).map_or("–".into(), time)
            })
        };
        let [caith, tyche, xdy] = theirs(|row| row.whole);
        table.row([format!("{program}: parse, check, roll"), time(ours.whole), caith, tyche, xdy]);
        let [caith, tyche, xdy] = theirs(|row| row.prepared);
        table.row([format!("{program}: prepared"), time(ours.recorded), caith, tyche, xdy]);
        let none = || "–".to_owned();
        let bare = format!("{program}: prepared, no record");
        table.row([bare, time(ours.bare), none(), none(), none()]);
    }
    let _ = write!(text, "{table}\n{}", in_a_second(&ours));
    text
}

fn in_a_second(ours: &[Ours]) -> String {
    let rate = |seconds: f64| grouped((1.0 / seconds).round() as u64);
    let first = &ours[0];
    let mut text = format!(
        "rolls of {} a second: {} from the text, {} prepared, {} without a record\n",
        PROGRAMS[0],
        rate(first.whole),
        rate(first.recorded),
        rate(first.bare),
    );
    if let Some(many) = ours.last() {
        let _ = writeln!(text, "{MANY} without a record: {:.2} ns a die", many.bare * 1e9 / 1000.0);
    }
    text
}

fn roll(program: &str) -> Ours {
    let engine = Engine::new();
    let mut faces = Seeded::new(1, 0);
    let prepared = match engine.compile(program) {
        Ok(prepared) => prepared,
        Err(found) => panic!("{program}: {found}"),
    };
    Ours {
        whole: measure::each(|| {
            let rolled = engine.compile(black_box(program)).and_then(|p| p.roll(&mut faces));
            assert!(black_box(rolled).is_ok(), "{program}");
        }),
        recorded: measure::each(|| {
            assert!(black_box(prepared.roll(&mut faces)).is_ok(), "{program}");
        }),
        bare: measure::each(|| {
            assert!(black_box(prepared.value(&mut faces)).is_ok(), "{program}");
        }),
    }
}

/// Builds and runs the peers.
fn peers() -> Result<Vec<Theirs>, String> {
    let folder = place::built("peers");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(["build", "--quiet", "--release", "--locked", "--manifest-path"]);
    cargo.arg(place::bench("peers/Cargo.toml")).arg("--target-dir").arg(&folder);
    let built = cargo.stdout(Stdio::null()).status().map_err(|error| error.to_string())?;
    if !built.success() {
        return Err("they do not build".to_owned());
    }
    let output = Command::new(folder.join("release/astragal-bench-peers")).output();
    let output = output.map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().filter_map(read).collect())
}

fn read(line: &str) -> Option<Theirs> {
    let mut cells = line.split('\t');
    Some(Theirs {
        tool: cells.next()?.to_owned(),
        program: cells.next()?.to_owned(),
        whole: cells.next()?.parse().ok(),
        prepared: cells.next()?.parse().ok(),
    })
}

/// The version of a peer, from the lock file.
fn version(tool: &str) -> &'static str {
    const LOCK: &str = include_str!("../peers/Cargo.lock");
    let after = LOCK.split_once(&format!("name = \"{tool}\"\nversion = \""));
    after.and_then(|(_, rest)| rest.split_once('"')).map_or("", |(version, _)| version)
}
