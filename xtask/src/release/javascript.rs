//! The package for npm, as a tarball: `cargo xtask npm` makes it, with the engine that the page's build has made.

use std::fs;
use std::process::Command;

use super::{Release, failed, made};
use crate::tools::{Missing, Trouble, node, root, run, target};

const NO_SOURCE: Missing = Missing {
    why: "no npm/package.json",
    cure: "the package for npm is not a part of these sources",
};

pub(super) fn make(release: &Release) -> Result<(), Trouble> {
    if !root().join("npm/package.json").is_file() {
        return Err(NO_SOURCE.into());
    }
    node()?;
    let packed = target().join("npm");
    // Tarballs of other versions are no part of this release.
    let _ = fs::remove_dir_all(&packed);
    let chores = std::env::current_exe().map_err(|error| failed(&packed, &error))?;
    run(Command::new(chores).arg("npm"))?;
    for entry in fs::read_dir(&packed).map_err(|error| failed(&packed, &error))?.flatten() {
        let file = release.file(&entry.file_name().to_string_lossy());
        fs::copy(entry.path(), &file).map_err(|error| failed(&file, &error))?;
        made(&file);
    }
    Ok(())
}
