//! `cargo test --workspace`, with its results counted.

use crate::step::{Outcome, Tally};
use crate::tools::cargo;

pub(crate) fn run() -> Outcome {
    // The glue has no tests, and dozens of dependencies that only the page needs.
    let arguments = ["test", "--workspace", "--exclude", "astragal-glue", "--no-fail-fast"];
    Outcome::Ran(Tally::of(cargo().args(arguments), counted))
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
