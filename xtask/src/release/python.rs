//! The wheel and the source distribution for Python.

use super::{Release, made};
use crate::python::maturin;
use crate::tools::{Missing, Trouble, root, run};

const FOLDER: &str = "crates/py";
const NO_SOURCE: Missing =
    Missing { why: "no crates/py", cure: "the package for Python is not a part of these sources" };

pub(super) fn make(release: &Release) -> Result<(), Trouble> {
    let folder = root().join(FOLDER);
    if !folder.join("pyproject.toml").is_file() {
        return Err(NO_SOURCE.into());
    }
    let mut maturin = maturin()?;
    maturin.current_dir(folder).args(["build", "--sdist", "--out"]).arg(&release.folder);
    // Of the cargo that runs this chore, maturin needs to know nothing.
    maturin.env_remove("CARGO").env_remove("CARGO_MANIFEST_DIR");
    run(&mut maturin)?;
    for ending in [".whl", &format!("astragal-{}.tar.gz", super::VERSION)] {
        release.ending(ending).iter().for_each(|path| made(path));
    }
    Ok(())
}
