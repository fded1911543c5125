//! The file that makes a container image of the archive beside it.

use super::{Release, made, read, write};
use crate::tools::{Trouble, root};

pub(super) fn make(release: &Release) -> Result<(), Trouble> {
    let template =
        String::from_utf8_lossy(&read(&root().join("packaging/Containerfile"))?).into_owned();
    let file = release.file("Containerfile");
    write(&file, template.replace("@ARCHIVE@", &release.name()))?;
    made(&file);
    Ok(())
}
