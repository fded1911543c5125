//! `cargo test --workspace`, with its results counted.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::say;
use crate::step::{Outcome, Tally};

pub(crate) fn run() -> Outcome {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["test", "--workspace", "--no-fail-fast"];
    let child = Command::new(cargo).args(arguments).stdout(Stdio::piped()).spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => {
            say(&format!("cargo does not start: {error}"));
            return Outcome::Ran(Tally { failed: 1, ..Tally::default() });
        }
    };
    let mut tally = Tally::default();
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            tally += counted(&line).unwrap_or_default();
            say(&line);
        }
    }
    let went_well = child.wait().is_ok_and(|status| status.success());
    if !went_well && tally.failed == 0 {
        // Something did not even compile, or a test binary died.
        tally.failed = 1;
    }
    Outcome::Ran(tally)
}

/// What a result line of a test binary says:
/// `test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s`
fn counted(line: &str) -> Option<Tally> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let count = |what: &str| {
        let part = counts.split("; ").find_map(|part| part.trim().strip_suffix(what))?;
        part.trim().parse().ok()
    };
    Some(Tally { passed: count("passed")?, failed: count("failed")?, skipped: count("ignored")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_lines_are_counted() {
        let line = "test result: FAILED. 3 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; \
                    finished in 0.00s";
        assert_eq!(counted(line), Some(Tally { passed: 3, failed: 2, skipped: 1 }));
        assert_eq!(counted("test a ... ok"), None);
    }
}
