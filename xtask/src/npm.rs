//! The npm package: packed, and tested as its users have it, from the packed file in an empty folder.

use std::path::{Path, PathBuf};

use crate::say;
use crate::step::{Outcome, Tally};
use crate::tools::{Missing, Trouble, cargo, chromium, in_npm, node, root, run as finish, target};
use crate::wasm::Toolchain;
use crate::web::{self, install_in, timed};

/// Packs the package, and says where the file is. The page's build has made the engine in it.
pub(crate) fn pack() -> Result<(), Trouble> {
    node()?;
    if !has_engine() {
        web::build()?;
    }
    let folder = packed()?;
    say(&format!("{} has the package", folder.display()));
    Ok(())
}

pub(crate) fn run() -> Outcome {
    let chromium = match needed() {
        Ok(chromium) => chromium,
        Err(missing) => return Outcome::Skipped(missing),
    };
    match prepare() {
        Ok(folder) => {
            let mut tally = types();
            tally += as_users_do(&chromium, &folder);
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

/// The engine as the page's tests have just built it, or built now; the command line to compare with; the packed file.
fn prepare() -> Result<PathBuf, Trouble> {
    if !has_engine() {
        web::build()?;
    }
    timed("binary", "to compare with", || {
        finish(cargo().args(["build", "--quiet", "--profile", "test", "--package", "astragal-cli"]))
    })?;
    packed()
}

fn has_engine() -> bool {
    root().join("npm/wasm/glue.js").is_file()
}

/// The package as one file in a folder of the build.
fn packed() -> Result<PathBuf, Trouble> {
    let folder = target().join("npm");
    let failed = |error: std::io::Error| Trouble::Failed(format!("{}: {error}", folder.display()));
    // Files of other versions are none of this one.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(failed)?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        std::fs::copy(root().join(licence), root().join("npm").join(licence)).map_err(failed)?;
    }
    timed("packages", "what the package is made and tested with", || install_in("npm"))?;
    timed("scripts", "from TypeScript", || {
        finish(in_npm("npm").args(["run", "--silent", "build"]))
    })?;
    finish(in_npm("npm").args(["pack", "--silent", "--pack-destination"]).arg(&folder))?;
    Ok(folder)
}

/// The types are those of the schemas, and what uses them is right.
fn types() -> Tally {
    match finish(in_npm("npm").args(["run", "--silent", "check"])) {
        Ok(()) => Tally::PASSED,
        Err(_) => Tally::FAILED,
    }
}

fn as_users_do(chromium: &Path, folder: &Path) -> Tally {
    let binary = target().join("debug").join(format!("astragal{}", std::env::consts::EXE_SUFFIX));
    let mut npm = in_npm("npm");
    npm.args(["run", "--silent", "test"]);
    npm.env("ASTRAGAL", binary).env("CHROMIUM", chromium).env("PACKED", folder);
    Tally::of(&mut npm, crate::page::counted)
}
