//! The command line with the page inside, without the names of functions.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::{Release, failed, make_folder};
use crate::say;
use crate::tools::{Missing, Trouble, cargo, run, target};
use crate::web;

/// Builds it, copies it to the stage and strips the copy: what is measured keeps its names.
pub(super) fn make(release: &Release) -> Result<(), Trouble> {
    let built = if release.quick { debug()? } else { ship()? };
    let _ = fs::remove_dir_all(&release.stage);
    let staged = release.binary();
    staged.parent().map_or(Ok(()), make_folder)?;
    fs::copy(&built, &staged).map_err(|error| failed(&built, &error))?;
    strip(&staged)
}

/// As `cargo test` has built it.
fn debug() -> Result<PathBuf, Trouble> {
    run(cargo().args(["build", "--quiet", "--profile", "test", "--package", "astragal-cli"]))?;
    Ok(target().join("debug").join("astragal"))
}

fn ship() -> Result<PathBuf, Trouble> {
    match web::build() {
        Ok(()) => {}
        Err(Trouble::Missing(Missing { why, cure })) => {
            say(&format!("SKIPPED: the page inside the binary ({why}: {cure})"));
        }
        Err(failed) => return Err(failed),
    }
    web::timed("binary", "optimised: minutes", || {
        run(cargo().args(["build", "--profile", "ship", "--package", "astragal-cli"]))
    })?;
    let name = format!("astragal{}", std::env::consts::EXE_SUFFIX);
    Ok(target().join("ship").join(name))
}

fn strip(binary: &PathBuf) -> Result<(), Trouble> {
    let before = size(binary);
    run(Command::new("strip").arg(binary))
        .map_err(|_| Missing { why: "no strip", cure: "apt-get install binutils" })?;
    let mega = |bytes: u64| bytes as f64 / 1e6;
    say(&format!("binary    {:.1} MB, stripped {:.1} MB", mega(before), mega(size(binary))));
    Ok(())
}

fn size(path: &PathBuf) -> u64 {
    fs::metadata(path).map_or(0, |data| data.len())
}
