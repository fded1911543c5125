//! Instructions instead of seconds: a count that no other work on the machine disturbs.
//!
//! A few problems run under callgrind, which counts only inside [`measured`]: from the text to the exact
//! distribution, without loading the library and without formatting the answer. `instructions.json` holds a
//! ceiling for each. Where a count has risen above its ceiling, the command fails and shows what rose.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode};

use astragal::{Budget, Diagnostics, Engine, Odds};

use crate::table::{Table, grouped};
use crate::{Options, place, problems, solve, systems};

/// One of each kind of work, none that takes long under callgrind.
const COUNTED: &[&str] = &[
    "A01", "A08", "B02", "B03", "C05", "C12", "C15", "C17", "D03", "D05", "D10", "E03", "E04",
    "E06", "F02", "F06", "G03", "G04", "G07", "H01", "W01", "S04", "S05", "S06", "S15", "S16",
    "S18", "S20", "S24",
];
/// A new ceiling is so many thousandths above the count, for other compilers and processors.
const SLACK: u64 = 30;

/// Counts, and compares with the ceilings or sets them anew.
pub fn compare(options: &Options) -> ExitCode {
    let file = place::bench("instructions.json");
    let mut ceilings = ceilings(&file);
    let mut table = Table::new(["", "instructions", "ceiling", ""]).with_words();
    let mut risen = 0;
    for id in COUNTED.iter().filter(|id| options.wants(id)) {
        let count = match count(id) {
            Ok(count) => count,
            Err(why) => {
                eprintln!("{id}: {why}");
                return ExitCode::FAILURE;
            }
        };
        if options.update {
            ceilings.insert((*id).to_owned(), count + count * SLACK / 1000);
        }
        let ceiling = ceilings.get(*id).copied();
        let rose = ceiling.is_none_or(|ceiling| count > ceiling);
        risen += usize::from(rose);
        let said = match ceiling {
            Some(ceiling) if rose => format!("rose by {:.1} %", percent(count, ceiling)),
            Some(_) => String::new(),
            None => "has no ceiling".to_owned(),
        };
        let ceiling = ceiling.map_or("–".into(), grouped);
        table.row([(*id).to_owned(), grouped(count), ceiling, said]);
    }
    print!("{table}");
    if options.update {
        write(&file, &ceilings);
    }
    if risen == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn percent(count: u64, ceiling: u64) -> f64 {
    (count as f64 / ceiling as f64 - 1.0) * 100.0
}

fn ceilings(file: &Path) -> BTreeMap<String, u64> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

fn write(file: &Path, ceilings: &BTreeMap<String, u64>) {
    let text = serde_json::to_string_pretty(ceilings).expect("names and numbers are JSON");
    std::fs::write(file, text + "\n").expect("the ceilings can be written");
}

/// The instructions of one answer.
fn count(id: &str) -> Result<u64, String> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no"]);
    // The stack is changed on the way, and is large: without these valgrind warns of each change.
    valgrind.args(["--toggle-collect=*count*measured*", "--max-stackframe=100000000"]);
    let output = valgrind.arg(place::program()).args(["call", id]).output();
    let output = output.map_err(|error| format!("valgrind cannot be run: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said.lines().find_map(|line| line.split_once("Collected : "));
    let count = line.and_then(|(_, count)| count.trim().parse().ok()).filter(|count| *count > 0);
    count.ok_or_else(|| format!("valgrind counted nothing ({}): {said}", output.status))
}

/// What valgrind runs: one answer.
pub fn call(id: &str) {
    let program = problems::program(id).map(str::to_owned).or_else(|| systems::program(id));
    let program = &program.expect("a problem of the list, or a question of the systems");
    let engine = Engine::new();
    let budget = solve::patient();
    // What the library reads and keeps at the first mention is no part of the answer.
    black_box(engine.compile(program).is_ok());
    black_box(measured(&engine, program, &budget).is_ok());
}

/// The work that counts. It must be a function of its own in the compiled program.
#[inline(never)]
fn measured(engine: &Engine, program: &str, budget: &Budget) -> Result<Odds, Diagnostics> {
    black_box(solve::answer(engine, program, budget))
}
