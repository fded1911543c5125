//! `cargo xtask packages`: every crate that is published, packed, and built from its package alone.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::say;
use crate::tools::{Trouble, cargo, root, run, target};

/// The members of the workspace that do not lie in `crates`.
const OTHERS: [&str; 3] = ["bench", "xtask", "xtask/glue"];

/// Cargo goes in the order of their dependencies, and lets later ones find the packages of earlier ones.
pub(crate) fn packages() -> Result<(), Trouble> {
    let packed = target().join("package");
    // Packages of other versions are not counted below.
    let _ = fs::remove_dir_all(&packed);
    let mut cargo = cargo();
    // What a package needs to be built is in the workspace's lock file; that it is not committed is no matter here.
    cargo.args(["package", "--workspace", "--allow-dirty"]);
    for name in unpublished() {
        cargo.args(["--exclude", &name]);
    }
    with_page(|| run(&mut cargo))?;
    let entries = fs::read_dir(&packed).into_iter().flatten().flatten();
    let sizes = entries.filter(|entry| entry.path().extension().is_some_and(|end| end == "crate"));
    let sizes: Vec<u64> =
        sizes.map(|entry| entry.metadata().map_or(0, |data| data.len())).collect();
    let mega = sizes.iter().sum::<u64>() as f64 / 1e6;
    say(&format!("{} packages, {mega:.2} MB, each built from itself alone", sizes.len()));
    Ok(())
}

/// The page, if it is built, lies in the package of the server while it is packed.
fn with_page(pack: impl FnOnce() -> Result<(), Trouble>) -> Result<(), Trouble> {
    let (built, copy) = (root().join("web/dist"), root().join("crates/serve/page"));
    if !built.join("index.html").is_file() {
        say("SKIPPED: the page in the package of the server (no web/dist: cargo xtask web)");
        return pack();
    }
    // Left there by a chore that was broken off, perhaps.
    let _ = fs::remove_dir_all(&copy);
    run(Command::new("cp").arg("-R").arg(&built).arg(&copy))?;
    let packed = pack();
    let removed = fs::remove_dir_all(&copy);
    packed?;
    removed.map_err(|error| Trouble::Failed(format!("{}: {error}", copy.display())))
}

/// The names of the members that are never published.
fn unpublished() -> Vec<String> {
    let crates = fs::read_dir(root().join("crates")).into_iter().flatten().flatten();
    let folders = crates.map(|entry| entry.path()).chain(OTHERS.map(|folder| root().join(folder)));
    folders.filter_map(|folder| unpublished_name(&folder)).collect()
}

fn unpublished_name(folder: &Path) -> Option<String> {
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
    let says = |line: &&str| matches!(*line, "publish.workspace = true" | "publish = false");
    manifest.lines().find(says)?;
    let name = manifest.lines().find_map(|line| line.strip_prefix("name = "))?;
    Some(name.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_for_work_alone_is_not_published() {
        let names = unpublished();
        for name in [
            "astragal-testing",
            "astragal-wasm",
            "astragal-pen",
            "astragal-seat-wasm",
            "astragal-bench",
            "xtask",
            "astragal-glue",
        ] {
            assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
        }
        for name in ["astragal", "astragal-cli", "astragal-odds", "astragal-engine"] {
            assert!(!names.iter().any(|known| known == name), "{name}: {names:?}");
        }
    }
}
