//! The wheel and the source distribution for Python.

use std::process::Command;

use super::{Release, made};
use crate::tools::{Missing, Trouble, answer, root, run};

const FOLDER: &str = "crates/py";
const NO_SOURCE: Missing =
    Missing { why: "no crates/py", cure: "the package for Python is not a part of these sources" };
const NO_MATURIN: Missing = Missing { why: "no maturin", cure: "pip install maturin" };

pub(super) fn make(release: &Release) -> Result<(), Trouble> {
    let folder = root().join(FOLDER);
    if !folder.join("pyproject.toml").is_file() {
        return Err(NO_SOURCE.into());
    }
    answer("maturin", &["--version"]).ok_or(NO_MATURIN)?;
    let mut maturin = Command::new("maturin");
    maturin.current_dir(folder).args(["build", "--sdist", "--out"]).arg(&release.folder);
    // Of the cargo that runs this chore, maturin needs to know nothing.
    maturin.env_remove("CARGO").env_remove("CARGO_MANIFEST_DIR");
    run(&mut maturin)?;
    for ending in [".whl", &format!("astragal-{}.tar.gz", super::VERSION)] {
        release.ending(ending).iter().for_each(|path| made(path));
    }
    Ok(())
}
