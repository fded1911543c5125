//! Chores of this workspace: `cargo xtask` lists them.
//!
//! A chore is made of steps. A step that needs a tool which is not there is skipped, and says what was
//! skipped, why, and how to get the tool; the last line counts everything.

mod cargo_test;
mod fuzz;
mod measure;
mod page;
mod python;
mod ship;
mod step;
mod tools;
mod wasm;
mod web;

use std::io::Write;
use std::process::ExitCode;

use step::{Step, Tally};
use tools::{Missing, Trouble};

const HELP: &str = "\
cargo xtask test             run all tests; the last line counts them
cargo xtask test --no-skips  the same, and fail if anything was skipped
cargo xtask test page        the page's tests alone; `python`: those of the package for Python
cargo xtask fuzz [S] [NAME]  every fuzz target, or one, for S seconds each (60)
cargo xtask law              the law on 20,000 random programs; --seed N, --programs N, --keep
cargo xtask web              build the page into web/dist; `astragal serve`, built after it, has it inside
cargo xtask web --quick      the same for work on the page: soon built again, large, not compressed
cargo xtask ship             the page, then the binary with the page inside; says where it is
cargo xtask measure          how fast the page in web/dist is, in a browser";

/// The steps of `cargo xtask test`, in order.
const TESTS: &[Step] = &[
    Step { name: "cargo test", run: cargo_test::run },
    Step { name: "page", run: page::run },
    Step { name: "python", run: python::run },
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["test"] => test(TESTS, false),
        ["test", "--no-skips"] => test(TESTS, true),
        ["test", name] if TESTS.iter().any(|step| step.name == *name) => test(named(name), false),
        ["law", settings @ ..] => law(settings),
        ["web"] => done(web::build()),
        ["web", "--quick"] => done(web::build_quickly()),
        ["ship"] => done(ship::ship()),
        ["measure"] => done(measure::measure()),
        ["fuzz"] => done(fuzz::run_targets(None, 60)),
        ["fuzz", seconds] if let Ok(seconds) = seconds.parse() => {
            done(fuzz::run_targets(None, seconds))
        }
        ["fuzz", seconds, name] if let Ok(seconds) = seconds.parse() => {
            done(fuzz::run_targets(Some(name), seconds))
        }
        [] | ["help" | "--help" | "-h"] => {
            say(HELP);
            ExitCode::SUCCESS
        }
        [other, ..] => {
            say(&format!("there is no chore `{other}`; there are\n{HELP}"));
            ExitCode::from(2)
        }
    }
}

/// One of the steps, alone.
fn named(name: &str) -> &'static [Step] {
    let place = TESTS.iter().position(|step| step.name == name);
    place.map_or(&[], |place| &TESTS[place..=place])
}

fn test(steps: &[Step], no_skips: bool) -> ExitCode {
    let mut tally = Tally::default();
    for step in steps {
        tally += step.take();
    }
    say(&tally.to_string());
    let bad = tally.failed > 0 || (no_skips && tally.skipped > 0);
    if bad { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The law on many random programs, in a build that is worth its time.
fn law(settings: &[&str]) -> ExitCode {
    let run = ["run", "--release", "--package", "astragal-testing", "--bin", "law", "--"];
    match tools::cargo().args(run).args(settings).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(why) => {
            say(&format!("error: cargo does not run: {why}"));
            ExitCode::FAILURE
        }
    }
}

fn done(chore: Result<(), Trouble>) -> ExitCode {
    match chore {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Trouble::Missing(Missing { why, cure })) => say(&format!("error: {why}\nhelp: {cure}")),
        Err(Trouble::Failed(why)) => say(&format!("error: {why}")),
    }
    ExitCode::FAILURE
}

/// A line on standard output. Who does not listen need not be told.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}
