//! The page's tests: in a real browser, against the real binary with the page inside.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::say;
use crate::step::{Outcome, Tally};
use crate::tools::{Missing, Trouble, cargo, chromium, in_web, node, root, run as finish, target};
use crate::wasm::Toolchain;
use crate::web;

pub(crate) fn run() -> Outcome {
    let chromium = match needed() {
        Ok(chromium) => chromium,
        Err(missing) => return Outcome::Skipped(missing),
    };
    match web::build().and_then(|()| web::timed("binary", "with the page inside", binary)) {
        Ok(()) => {
            let mut tally = types();
            tally += in_browser(&chromium);
            Outcome::Ran(tally)
        }
        Err(Trouble::Missing(missing)) => Outcome::Skipped(missing),
        Err(Trouble::Failed(why)) => {
            say(&format!("error: {why}"));
            Outcome::Ran(Tally::FAILED)
        }
    }
}

/// Asks for everything before anything is built; gives the browser.
fn needed() -> Result<PathBuf, Missing> {
    node()?;
    let chromium = chromium()?;
    Toolchain::find()?;
    Ok(chromium)
}

/// The binary, as `cargo test` has built it, now with the page inside.
pub(crate) fn binary() -> Result<(), Trouble> {
    finish(cargo().args(["build", "--quiet", "--profile", "test", "--package", "astragal-cli"]))
}

/// The page's types and accessible markup, as the compiler sees them.
fn types() -> Tally {
    match finish(in_web("npm").args(["run", "--silent", "check"])) {
        Ok(()) => Tally::PASSED,
        Err(_) => Tally::FAILED,
    }
}

/// Many browsers at once on few cores: now and then one waits longer than a test does. The files of tests that failed
/// are run once more, one at a time; what passes then is told, and counts. A page that is wrong fails again.
fn in_browser(chromium: &Path) -> Tally {
    let mut failed = BTreeSet::new();
    let mut together = browser_tests(chromium, "--test-concurrency=2");
    together.args(all_files());
    let tally = Tally::of(&mut together, |line| {
        failed.extend(failed_file(line).map(String::from));
        counted(line)
    });
    if failed.is_empty() || tally.failed > MOST_UNSTEADY {
        return tally;
    }
    let again = Tally::of(browser_tests(chromium, "--test-concurrency=1").args(&failed), counted);
    let files = failed.into_iter().collect::<Vec<_>>().join(", ");
    say(&format!(
        "UNSTEADY: page: of {files}, {} failed beside others and {} alone",
        tally.failed, again.failed
    ));
    together_and_alone(tally, again)
}

/// More tests than this do not fail by chance.
const MOST_UNSTEADY: u64 = 6;

/// What failed alone has failed; what failed only beside others has passed.
fn together_and_alone(together: Tally, alone: Tally) -> Tally {
    let all = together.passed + together.failed;
    Tally { passed: all.saturating_sub(alone.failed), failed: alone.failed, ..together }
}

fn browser_tests(chromium: &Path, at_once: &str) -> Command {
    let binary = target().join("debug").join(format!("astragal{}", std::env::consts::EXE_SUFFIX));
    let mut node = in_web("node");
    node.args(["--test", "--test-reporter=spec", at_once]);
    node.env("ASTRAGAL", binary).env("CHROMIUM", chromium);
    node
}

fn all_files() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("web/tests")).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut files: Vec<String> = names
        .filter(|name| name.ends_with(".test.mjs"))
        .map(|name| format!("tests/{name}"))
        .collect();
    files.sort();
    files
}

/// Where Node says that a test has failed: `test at tests/keep.test.mjs:153:1`.
fn failed_file(line: &str) -> Option<&str> {
    line.strip_prefix("test at ")?.split(':').next()
}

/// What a line at the end of Node's report says: `ℹ pass 12`.
pub(crate) fn counted(line: &str) -> Option<Tally> {
    let (what, count) = line.strip_prefix("ℹ ")?.split_once(' ')?;
    let count = count.parse().ok()?;
    let none = Tally::default();
    match what {
        "pass" => Some(Tally { passed: count, ..none }),
        "fail" | "cancelled" => Some(Tally { failed: count, ..none }),
        "skipped" | "todo" => Some(Tally { skipped: count, ..none }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_of_a_report_are_counted() {
        assert_eq!(counted("ℹ pass 12"), Some(Tally { passed: 12, ..Tally::default() }));
        assert_eq!(counted("ℹ cancelled 1"), Some(Tally::FAILED));
        assert_eq!(counted("ℹ tests 13"), None);
        assert_eq!(counted("✔ offline (12ms)"), None);
    }

    #[test]
    fn what_failed_beside_others_and_alone_has_failed() {
        let place = "test at tests/keep.test.mjs:153:1";
        assert_eq!(failed_file(place), Some("tests/keep.test.mjs"));
        assert_eq!(failed_file("✖ a file tab is a step (12ms)"), None);
        let tally = |passed, failed| Tally { passed, failed, skipped: 0 };
        assert_eq!(together_and_alone(tally(364, 2), tally(9, 1)), tally(365, 1));
        assert_eq!(together_and_alone(tally(364, 2), tally(10, 0)), tally(366, 0));
    }
}
