//! The package for npm, as a tarball.

use std::process::Command;

use super::{Release, made};
use crate::tools::{Missing, Trouble, node, root, run};

const NO_SOURCE: Missing = Missing {
    why: "no npm/package.json",
    cure: "the package for npm is not a part of these sources",
};

pub(super) fn make(release: &Release) -> Result<(), Trouble> {
    let folder = root().join("npm");
    if !folder.join("package.json").is_file() {
        return Err(NO_SOURCE.into());
    }
    node()?;
    let mut npm = Command::new("npm");
    npm.current_dir(folder).args(["pack", "--silent", "--pack-destination"]).arg(&release.folder);
    run(&mut npm)?;
    release.ending(".tgz").iter().for_each(|path| made(path));
    Ok(())
}
