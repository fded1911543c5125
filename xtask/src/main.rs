//! Chores of this workspace: `cargo xtask` lists them.
//!
//! A chore is made of steps. A step that needs a tool which is not there is skipped, and says what was
//! skipped, why, and how to get the tool; the last line counts everything.

mod cargo_test;
mod step;

use std::io::Write;
use std::process::ExitCode;

use step::{Step, Tally};

const HELP: &str = "\
cargo xtask test             run all tests; the last line counts them
cargo xtask test --no-skips  the same, and fail if anything was skipped";

/// The steps of `cargo xtask test`, in order.
const TESTS: &[Step] = &[Step { name: "cargo test", run: cargo_test::run }];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["test"] => test(false),
        ["test", "--no-skips"] => test(true),
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

fn test(no_skips: bool) -> ExitCode {
    let mut tally = Tally::default();
    for step in TESTS {
        tally += step.take();
    }
    say(&tally.to_string());
    let bad = tally.failed > 0 || (no_skips && tally.skipped > 0);
    if bad { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// A line on standard output. Who does not listen need not be told.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}
