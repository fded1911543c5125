//! An archive to be unpacked anywhere: `bin`, `share`. The same files make the same archive.

use std::process::Command;

use super::{Release, made};
use crate::tools::{Trouble, run};

pub(super) fn make(release: &Release) -> Result<(), Trouble> {
    let name = release.name();
    let packed = release.file(&format!("{name}.tar.gz"));
    let level = if release.quick { "gzip --fast --no-name" } else { "gzip --best --no-name" };
    let mut tar = Command::new("tar");
    tar.arg("--create").arg("--file").arg(&packed).arg("--use-compress-program").arg(level);
    tar.args(["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.arg(format!("--transform=s,^usr,{name},"));
    tar.arg("--directory").arg(&release.stage).arg("usr");
    run(&mut tar)?;
    made(&packed);
    Ok(())
}
