//! `cargo xtask fuzz`: every fuzz target for a while, one after the other.
//!
//! Nothing here is `unsafe`, so that no sanitizer is needed, and without one the stable compiler will do: coverage is
//! all that libFuzzer asks of it. What a run finds worth keeping goes to `fuzz/corpus`, which is not kept; the small
//! corpus that is kept lies in `fuzz/seeds`. A program that breaks a promise is left in `fuzz/artifacts`.

use std::path::Path;

use crate::tools::{Missing, Trouble, cargo, root, run};

/// The targets, with the longest text that is tried.
const TARGETS: &[(&str, usize)] =
    &[("parse", 400), ("print_parse", 400), ("check", 300), ("odds_against_roll", 160)];

/// Runs the targets, or the one with this name, each for so many seconds.
pub(crate) fn run_targets(only: Option<&str>, seconds: u64) -> Result<(), Trouble> {
    let known = cargo().args(["fuzz", "--version"]).output();
    if !known.is_ok_and(|output| output.status.success()) {
        return Err(
            Missing { why: "there is no `cargo fuzz`", cure: "cargo install cargo-fuzz" }.into()
        );
    }
    for (target, longest) in TARGETS.iter().filter(|(name, _)| only.is_none_or(|it| it == *name)) {
        fuzz(&root().join("fuzz"), target, *longest, seconds)?;
    }
    Ok(())
}

fn fuzz(folder: &Path, target: &str, longest: usize, seconds: u64) -> Result<(), Trouble> {
    let (corpus, seeds) = (folder.join("corpus").join(target), folder.join("seeds").join(target));
    std::fs::create_dir_all(&corpus).map_err(|error| Trouble::Failed(error.to_string()))?;
    let mut cargo = cargo();
    cargo.args(["fuzz", "run", "--sanitizer", "none", "--fuzz-dir"]).arg(folder).arg(target);
    cargo.arg(&corpus).arg(&seeds).arg("--");
    cargo.arg(format!("-dict={}", folder.join("tokens.dict").display()));
    cargo.args([format!("-max_total_time={seconds}"), format!("-max_len={longest}")]);
    cargo.args(["-timeout=20", "-rss_limit_mb=2048", "-print_final_stats=1"]);
    run(&mut cargo)
}
