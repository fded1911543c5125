//! `SHA256SUMS`, as `sha256sum --check` reads it.

use std::process::Command;

use super::{Release, made, write};
use crate::tools::{Missing, Trouble};

pub(super) const FILE: &str = "SHA256SUMS";
pub(super) const NO_TOOL: Missing =
    Missing { why: "no sha256sum", cure: "apt-get install coreutils" };

pub(super) fn make(release: &Release) -> Result<(), Trouble> {
    let files = release.ending("");
    let names = files.iter().filter_map(|path| path.file_name()).filter(|name| *name != FILE);
    let mut tool = Command::new("sha256sum");
    tool.current_dir(&release.folder).arg("--").args(names);
    match tool.output() {
        Ok(told) if told.status.success() => {
            write(&release.file(FILE), told.stdout)?;
            made(&release.file(FILE));
            Ok(())
        }
        Ok(_) => Err(Trouble::Failed("`sha256sum` failed".into())),
        Err(_) => Err(NO_TOOL.into()),
    }
}
