//! Chores of this workspace: `cargo xtask` lists them.
//!
//! A chore is made of steps. A step that needs a tool which is not there is skipped, and says what was
//! skipped, why, and how to get the tool; the last line counts everything.

mod cargo_test;
mod contract;
mod docs;
mod fuzz;
mod measure;
mod npm;
mod oldest;
mod packages;
mod page;
mod python;
mod release;
mod semver;
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
cargo xtask test page        the page's tests alone
cargo xtask test npm         those of the npm package alone
cargo xtask test python      those of the package for Python alone
cargo xtask test contract    the table's server against its document alone
cargo xtask fuzz [S] [NAME]  every fuzz target, or one, for S seconds each (60)
cargo xtask law              the law on 20,000 random programs; --seed N, --programs N, --keep
cargo xtask table-forge      forge the logs of tables, grind their rolls, time their checker; --quick
cargo xtask table-load       a table's server under load, and what that costs; --quick, --seats 3, --odds 8, --seconds N
cargo xtask table-kill       a table's server, killed again and again under load; --quick, --times N
cargo xtask web              build the page into web/dist; `astragal serve`, built after it, has it inside
cargo xtask web --quick      the same for work on the page: soon built again, large, not compressed
cargo xtask npm              pack the npm package, after the page is built; says where it is
cargo xtask ship             the page, then the binary with the page inside; says where it is
cargo xtask release          all that is given out, into target/release-files: binary, archive, Debian package, container file,
                             wheel, npm tarball, bill of materials, checksums; what cannot be made here is skipped
cargo xtask release --check  the same, then each of them installed into an empty place and used
cargo xtask release --quick  the short version: from the tests' binary, made and checked in seconds
cargo xtask packages         `cargo package` for every crate that is published, in order, each built from its package
cargo xtask docs             the documentation of every library here, without a warning
cargo xtask oldest           the library, checked by the oldest compiler that is promised
cargo xtask semver [REV]     what of the public API has changed since a revision, or the last tag
cargo xtask measure          how fast the page in web/dist is, in a browser";

/// The steps of `cargo xtask test`, in order.
const TESTS: &[Step] = &[
    Step { name: "cargo test", run: cargo_test::run },
    Step { name: "page", run: page::run },
    Step { name: "npm", run: npm::run },
    Step { name: "python", run: python::run },
    Step { name: "contract", run: contract::run },
    Step { name: "release", run: release::quickly },
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["test"] => test(TESTS, false),
        ["test", "--no-skips"] => test(TESTS, true),
        ["test", name] if TESTS.iter().any(|step| step.name == *name) => test(named(name), false),
        ["law", settings @ ..] => law(settings),
        ["table-forge", settings @ ..] => table_forge(settings),
        ["table-load", settings @ ..] => table_load("load", settings),
        ["table-kill", settings @ ..] => table_load("kill", settings),
        ["web"] => done(web::build()),
        ["web", "--quick"] => done(web::build_quickly()),
        ["npm"] => done(npm::pack()),
        ["ship"] => done(ship::ship()),
        ["release"] => counted(release::make(false)),
        ["release", "--check"] => {
            let mut tally = release::make(false);
            tally += release::check(false);
            counted(tally)
        }
        ["release", "--quick"] => test(named("release"), false),
        ["docs"] => done(docs::docs()),
        ["oldest"] => done(oldest::oldest()),
        ["packages"] => done(packages::packages()),
        ["semver"] => done(semver::semver(None)),
        ["semver", revision] => done(semver::semver(Some(revision))),
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

fn counted(tally: Tally) -> ExitCode {
    say(&tally.to_string());
    if tally.failed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The law on many random programs, in a build that is worth its time.
fn law(settings: &[&str]) -> ExitCode {
    run(&["--package", "astragal-testing", "--bin", "law"], settings)
}

/// Logs of tables, forged in every way that is known.
fn table_forge(settings: &[&str]) -> ExitCode {
    let binary = ["--package", "astragal-fair", "--features", "simulate", "--bin", "table-forge"];
    run(&binary, settings)
}

/// A server of tables under load, or killed under load.
fn table_load(verb: &str, settings: &[&str]) -> ExitCode {
    let binary = ["--package", "astragal-table", "--features", "client", "--bin", "table-load"];
    run(&binary, &[&[verb], settings].concat())
}

/// Runs a binary of the workspace, in a build that is worth its time.
fn run(binary: &[&str], settings: &[&str]) -> ExitCode {
    let run = [&["run", "--release"][..], binary, &["--"]].concat();
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A forge and its readers call chores by name, years after somebody renamed one.
    #[test]
    fn every_chore_that_is_called_elsewhere_is_there() {
        let files = [
            ".github/workflows/checks.yml",
            ".github/workflows/release.yml",
            "CONTRIBUTING.md",
            "README.md",
            ".ci/run",
        ];
        let mut called = 0;
        for file in files {
            let text = std::fs::read_to_string(tools::root().join(file)).unwrap_or_default();
            for rest in text.split("cargo xtask ").skip(1) {
                let chore: String = rest.chars().take_while(char::is_ascii_lowercase).collect();
                called += 1;
                assert!(HELP.contains(&format!("cargo xtask {chore}")), "{file}: {chore}");
            }
        }
        assert!(called > 10, "{called}");
    }
}
