//! Lists the files of the built page, so that they become a part of the binary.
//!
//! `web/dist` is filled by `cargo xtask web`. If it is empty or missing, the list is empty, and the server
//! says so: a machine without Node builds everything else. The page is made, not written: it lies in this package only as a
//! copy, `page`, that `cargo xtask packages` puts there while it packs. So who installs the package has the page.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let package = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let [copy, built] = ["page", "../../web/dist"].map(|folder| package.join(folder));
    let dist = if copy.is_dir() { copy } else { built };
    println!("cargo::rerun-if-changed={}", dist.display());
    let mut files = Vec::new();
    if dist.is_dir() {
        collect(&dist, &mut files)?;
        files.sort();
    }
    let mut list = String::from("[\n");
    for file in files {
        let name = file.strip_prefix(&dist).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        let _ = writeln!(list, "    ({name:?}, include_bytes!({:?})),", file.display().to_string());
    }
    list.push(']');
    fs::write(Path::new(&variable("OUT_DIR")).join("files.rs"), list)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), files)?;
        } else if !entry.file_name().to_string_lossy().starts_with('.') {
            files.push(entry.path());
        }
    }
    Ok(())
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}
