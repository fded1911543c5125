//! `cargo xtask release`: everything that is given out, in one folder.
//!
//! ```text
//! page ─ binary, stripped ─┬─ manual, completions ─┬─ archive ─ container file
//!                          └─ bill of materials ───┴─ Debian package
//! crates/py ─ maturin ─ wheel, sdist          npm/ ─ npm ─ tarball          all of them ─ checksums
//! ```
//!
//! A part whose tool is not there is skipped with a line. `--check` then installs each file into an empty place and
//! uses it ([`check`]). `--quick` makes and checks the same from the binary that the tests have built: the short version, a part
//! of `cargo xtask test`.

mod archive;
mod bill;
mod binary;
mod check;
mod checksums;
mod container;
mod debian;
mod javascript;
mod python;
mod staging;

use std::fs;
use std::path::{Path, PathBuf};

use crate::say;
use crate::step::{Outcome, Tally, told};
use crate::tools::{Missing, Trouble, answer, target};

/// The version of everything here.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A release that is being made, or looked at.
pub(crate) struct Release {
    /// What is given out lies here.
    folder: PathBuf,
    /// Not given out: what the files are made of.
    stage: PathBuf,
    /// As for the tests: from a debug build, packed quickly.
    quick: bool,
    /// `x86_64-unknown-linux-gnu`
    host: String,
}

/// A part of a release.
type Part = (&'static str, fn(&Release) -> Result<(), Trouble>);

/// In this order: later ones use what earlier ones made.
const PARTS: &[Part] = &[
    ("binary", binary::make),
    ("staging", staging::make),
    ("bill of materials", bill::make),
    ("archive", archive::make),
    ("debian package", debian::make),
    ("container file", container::make),
    ("wheel and sdist", python::make),
    ("npm tarball", javascript::make),
    ("checksums", checksums::make),
];

/// What the short version leaves out: these have tests of their own.
const LONG: &[&str] = &["wheel", "sdist", "npm"];

/// Makes it all; says how it went, part by part.
pub(crate) fn make(quick: bool) -> Tally {
    with(quick, |release| {
        // What is left of an earlier release is no part of this one.
        let _ = fs::remove_dir_all(&release.folder);
        if let Err(trouble) = make_folder(&release.folder) {
            return told("release", Err(trouble));
        }
        each(release, PARTS)
    })
}

/// Installs and uses what was made.
pub(crate) fn check(quick: bool) -> Tally {
    with(quick, |release| each(release, check::CHECKS))
}

/// The short version, as a step of the tests.
pub(crate) fn quickly() -> Outcome {
    if !cfg!(target_os = "linux") {
        let cure = "run it on Linux, where the packages are made";
        return Outcome::Skipped(Missing { why: "no Linux", cure });
    }
    let mut tally = make(true);
    if tally.failed == 0 {
        tally += check(true);
    }
    Outcome::Ran(tally)
}

fn with(quick: bool, work: impl FnOnce(&Release) -> Tally) -> Tally {
    let name = if quick { "release-files-quick" } else { "release-files" };
    let folder = target().join(name);
    let Some(host) = host() else {
        return told("release", Err(Trouble::Failed("`rustc -vV` names no host".into())));
    };
    work(&Release { stage: target().join(name.replace("files", "stage")), folder, quick, host })
}

fn each(release: &Release, parts: &[Part]) -> Tally {
    let mut tally = Tally::default();
    for (name, part) in parts {
        if release.quick && LONG.iter().any(|long| name.contains(long)) {
            continue;
        }
        tally += told(name, part(release));
    }
    tally
}

/// The machine that is built for.
fn host() -> Option<String> {
    let told = answer("rustc", &["-vV"])?;
    told.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}

impl Release {
    /// `astragal-0.1.0-x86_64-unknown-linux-gnu`
    fn name(&self) -> String {
        format!("astragal-{VERSION}-{}", self.host)
    }

    /// A file that is given out.
    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The files whose names end so.
    fn ending(&self, ending: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        let mut found: Vec<PathBuf> =
            paths.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
        found.sort();
        found
    }

    /// Where the staged binary lies.
    fn binary(&self) -> PathBuf {
        self.stage.join("usr/bin/astragal")
    }

    /// A folder for a check, empty.
    fn empty(&self, name: &str) -> Result<PathBuf, Trouble> {
        let folder = self.stage.with_extension("checks").join(name);
        // What was left there may not be there at all.
        let _ = fs::remove_dir_all(&folder);
        make_folder(&folder)?;
        Ok(folder)
    }
}

/// Says what was made, and how large it is.
fn made(path: &Path) {
    let size = fs::metadata(path).map_or(0, |data| data.len());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    say(&format!("{:>10.2} MB  {name}", size as f64 / 1e6));
}

fn failed(path: &Path, error: &std::io::Error) -> Trouble {
    Trouble::Failed(format!("{}: {error}", path.display()))
}

fn make_folder(path: &Path) -> Result<(), Trouble> {
    fs::create_dir_all(path).map_err(|error| failed(path, &error))
}

/// Writes a file, and the folders that lead to it.
fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Trouble> {
    path.parent().map_or(Ok(()), make_folder)?;
    fs::write(path, content).map_err(|error| failed(path, &error))
}

fn read(path: &Path) -> Result<Vec<u8>, Trouble> {
    fs::read(path).map_err(|error| failed(path, &error))
}
