//! The package for Python: built as a wheel, installed into empty environments, tested as people use it.
//!
//! ```text
//! crates/py ─ maturin ─> wheel ─┬─ an environment with nothing else: it works alone
//!                               └─ one with numpy, pandas, Dask, Ray and others: pytest
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::say;
use crate::step::{Outcome, Tally};
use crate::tools::{Missing, Trouble, answer, root, run as finish, target};
use crate::web::timed;

/// What says hello from an environment that has nothing but the package.
const ALONE: &str = "import astragal as ag; o = ag.odds('4d6kh3'); assert str(o[18]) == '7/432'; \
    assert '<img' in o._repr_html_(); r = ag.roll('4d6kh3', faces=[3, 6, 2, 5]); assert r.value == 14; \
    print('the wheel works alone:', ag.__version__)";

pub(crate) fn run() -> Outcome {
    let python = match python() {
        Ok(python) => python,
        Err(missing) => return Outcome::Skipped(missing),
    };
    match tested(&python) {
        Ok(tally) => Outcome::Ran(tally),
        Err(Trouble::Missing(missing)) => Outcome::Skipped(missing),
        Err(Trouble::Failed(why)) => {
            say(&format!("error: {why}"));
            Outcome::Ran(Tally::FAILED)
        }
    }
}

fn tested(python: &str) -> Result<Tally, Trouble> {
    let tools = tools(python)?;
    let wheel = timed("wheel", "the engine for Python", || build(&tools))?;
    timed("alone", "the wheel in an empty environment", || {
        let alone = environment(python, "alone", &[])?;
        install(&alone, &wheel)?;
        finish(Command::new(&alone).args(["-c", ALONE]))
    })?;
    let list = package("tests/requirements.txt");
    let env = environment(python, "env", &["-r", &list.to_string_lossy()])?;
    install(&env, &wheel)?;
    let mut pytest = Command::new(&env);
    pytest.args(["-m", "pytest", "-q", "--color=no", "tests"]).current_dir(package(""));
    let mut tally = Tally::PASSED;
    tally += Tally::of(&mut pytest, counted);
    Ok(tally)
}

/// maturin, in an environment of its own.
pub(crate) fn maturin() -> Result<Command, Trouble> {
    let mut maturin = Command::new(tools(&python()?)?);
    maturin.args(["-m", "maturin"]);
    Ok(maturin)
}

fn tools(python: &str) -> Result<PathBuf, Trouble> {
    environment(python, "tools", &["maturin>=1.9.4,<2"])
}

/// A file of the package.
fn package(path: &str) -> PathBuf {
    root().join("crates/py").join(path)
}

/// A Python that the package is made for, and that can make environments.
pub(crate) fn python() -> Result<String, Missing> {
    let names = std::env::var("PYTHON").into_iter().chain(["python3".into(), "python".into()]);
    let recent = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
    let mut found = names.filter(|name| answer(name, &["-c", recent]).is_some());
    found.next().ok_or(Missing {
        why: "no Python 3.10 or newer with venv",
        cure: "apt-get install python3-venv, or PYTHON=/path/to/it",
    })
}

/// The Python of an environment in the target folder, with these packages. It is made anew if the packages are others.
pub(crate) fn environment(python: &str, name: &str, packages: &[&str]) -> Result<PathBuf, Trouble> {
    let folder = target().join("python").join(name);
    let inside = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let wanted = packages
        .iter()
        .map(|name| fs::read_to_string(name).unwrap_or_else(|_| (*name).to_owned()))
        .collect::<Vec<_>>()
        .join("\n");
    let note = folder.join("wanted.txt");
    if inside.is_file() && fs::read_to_string(&note).is_ok_and(|known| known == wanted) {
        return Ok(inside);
    }
    let what = format!("an environment for Python, `{name}`");
    timed("packages", &what, || {
        finish(Command::new(python).args(["-m", "venv", "--clear"]).arg(&folder))?;
        if !packages.is_empty() && finish(pip(&inside).args(packages)).is_err() {
            let cure = "pip has to reach a package index; see what it says above";
            return Err(Trouble::Missing(Missing { why: "its tools cannot be installed", cure }));
        }
        fs::write(&note, &wanted).map_err(|error| Trouble::Failed(error.to_string()))
    })?;
    Ok(inside)
}

fn pip(python: &Path) -> Command {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    pip
}

/// The wheel, which is soon built again: not the one that is given out.
fn build(tools: &Path) -> Result<PathBuf, Trouble> {
    let wheels = target().join("python/wheels");
    let failed = |error: std::io::Error| Trouble::Failed(format!("{}: {error}", wheels.display()));
    if wheels.exists() {
        fs::remove_dir_all(&wheels).map_err(failed)?;
    }
    let mut maturin = Command::new(tools);
    maturin.args(["-m", "maturin", "build", "--quiet", "--profile", "release", "--out"]);
    finish(maturin.arg(&wheels).current_dir(package("")))?;
    let mut built = fs::read_dir(&wheels).map_err(failed)?.filter_map(Result::ok);
    let wheel = built.next().map(|entry| entry.path());
    wheel.ok_or_else(|| Trouble::Failed("maturin made no wheel".into()))
}

fn install(python: &Path, wheel: &Path) -> Result<(), Trouble> {
    finish(pip(python).args(["--force-reinstall", "--no-deps"]).arg(wheel))
}

/// What the last line of pytest says: `12 passed, 1 skipped in 3.21s`.
pub(crate) fn counted(line: &str) -> Option<Tally> {
    let (counts, time) = line.trim_matches(['=', ' ']).rsplit_once(" in ")?;
    time.split_once('s')?.0.parse::<f64>().ok()?;
    let mut tally = Tally::default();
    for part in counts.split(", ") {
        let (count, what) = part.split_once(' ')?;
        let count: u64 = count.parse().ok()?;
        match what {
            "passed" | "xfailed" => tally.passed += count,
            "failed" | "error" | "errors" | "xpassed" => tally.failed += count,
            "skipped" => tally.skipped += count,
            // Warnings and what was not chosen are no tests.
            _ => {}
        }
    }
    Some(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_pytest_is_counted() {
        let tally = Tally { passed: 12, failed: 1, skipped: 2 };
        assert_eq!(counted("12 passed, 1 failed, 2 skipped, 3 warnings in 3.21s"), Some(tally));
        let long = "== 1 failed, 12 passed, 2 skipped in 63.21s (0:01:03) ==";
        assert_eq!(counted(long), Some(tally));
        assert_eq!(counted("tests/test_odds.py ....... [ 50%]"), None);
        assert_eq!(counted("something in 3 steps"), None);
    }
}
