//! The page's tests: in a real browser, against the real binary with the page inside.

use std::path::{Path, PathBuf};

use crate::say;
use crate::step::{Outcome, Tally};
use crate::tools::{Missing, Trouble, cargo, chromium, in_web, node, run as finish, target};
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

fn in_browser(chromium: &Path) -> Tally {
    let binary = target().join("debug").join(format!("astragal{}", std::env::consts::EXE_SUFFIX));
    let mut npm = in_web("npm");
    npm.args(["run", "--silent", "test"]);
    npm.env("ASTRAGAL", binary).env("CHROMIUM", chromium);
    Tally::of(&mut npm, counted)
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
}
