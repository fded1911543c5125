//! The wheel and the source distribution for Python.

use std::path::PathBuf;
use std::process::Command;

use super::{Release, made};
use crate::tools::{Missing, Trouble, answer, root, run, target};

const FOLDER: &str = "crates/py";
const NO_SOURCE: Missing =
    Missing { why: "no crates/py", cure: "the package for Python is not a part of these sources" };
const NO_MATURIN: Missing = Missing { why: "no maturin", cure: "pip install maturin" };

pub(super) fn make(release: &Release) -> Result<(), Trouble> {
    let folder = root().join(FOLDER);
    if !folder.join("pyproject.toml").is_file() {
        return Err(NO_SOURCE.into());
    }
    // The one that is installed, or that the tests have put into an environment of their own.
    let own = target().join("python/tools/bin/maturin");
    let found = [PathBuf::from("maturin"), own].into_iter();
    let mut found = found.filter(|tool| answer(tool, &["--version"]).is_some());
    let mut maturin = Command::new(found.next().ok_or(NO_MATURIN)?);
    maturin.current_dir(folder).args(["build", "--sdist", "--out"]).arg(&release.folder);
    // Of the cargo that runs this chore, maturin needs to know nothing.
    maturin.env_remove("CARGO").env_remove("CARGO_MANIFEST_DIR");
    run(&mut maturin)?;
    for ending in [".whl", &format!("astragal-{}.tar.gz", super::VERSION)] {
        release.ending(ending).iter().for_each(|path| made(path));
    }
    Ok(())
}
