//! The binary with its manual pages, completions and papers, laid out as under `/usr`.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Release, failed, make_folder, read, write};
use crate::tools::{Trouble, root, run};

/// A shell and where it looks for completions.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "bash-completion/completions/astragal"),
    ("zsh", "zsh/vendor-completions/_astragal"),
    ("fish", "fish/vendor_completions.d/astragal.fish"),
];
/// Shells without a place of their own.
const OTHERS: [(&str, &str); 3] =
    [("nushell", "astragal.nu"), ("elvish", "astragal.elv"), ("powershell", "astragal.ps1")];

const PAPERS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

pub(super) fn make(release: &Release) -> Result<(), Trouble> {
    let share = release.stage.join("usr/share");
    manual(release, &share.join("man/man1"))?;
    for (shell, place) in SHELLS {
        write(&share.join(place), completions(release, shell)?)?;
    }
    for (shell, name) in OTHERS {
        write(&share.join("doc/astragal/completions").join(name), completions(release, shell)?)?;
    }
    for paper in PAPERS {
        write(&share.join("doc/astragal").join(paper), read(&root().join(paper))?)?;
    }
    Ok(())
}

/// One page a command, packed as distributions have them: without the time, so that equal pages are equal files.
fn manual(release: &Release, folder: &Path) -> Result<(), Trouble> {
    make_folder(folder)?;
    run(Command::new(release.binary()).arg("man").arg("--dir").arg(folder))?;
    let pages = fs::read_dir(folder).map_err(|error| failed(folder, &error))?;
    let pages: Vec<_> = pages.flatten().map(|entry| entry.path()).collect();
    run(Command::new("gzip").args(["--no-name", "--best", "--force"]).args(pages))
}

/// What the binary itself says to a shell.
fn completions(release: &Release, shell: &str) -> Result<Vec<u8>, Trouble> {
    let said = Command::new(release.binary()).args(["completions", shell]).output();
    match said {
        Ok(said) if said.status.success() && !said.stdout.is_empty() => Ok(said.stdout),
        _ => Err(Trouble::Failed(format!("`astragal completions {shell}` says nothing"))),
    }
}
