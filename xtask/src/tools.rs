//! Other programs: found, run, or said to be missing.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A tool that is not there: what, and how to get it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Missing {
    pub(crate) why: &'static str,
    pub(crate) cure: &'static str,
}

/// Why a chore did not end well.
pub(crate) enum Trouble {
    Missing(Missing),
    Failed(String),
}

impl From<Missing> for Trouble {
    fn from(missing: Missing) -> Trouble {
        Trouble::Missing(missing)
    }
}

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Where builds go.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The cargo that runs this chore.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// A tool of Node, run in the page's folder.
pub(crate) fn in_web(program: &str) -> Command {
    tool_in("web", program)
}

/// The same in the folder of the npm package.
pub(crate) fn in_npm(program: &str) -> Command {
    tool_in("npm", program)
}

/// A tool of Node, run in a folder of the workspace.
pub(crate) fn tool_in(folder: &str, program: &str) -> Command {
    // On Windows npm and npx are scripts, which only start by their full name.
    let windows = cfg!(windows) && program != "node";
    let mut command =
        Command::new(if windows { format!("{program}.cmd") } else { program.to_owned() });
    command.current_dir(root().join(folder));
    command
}

/// Runs it to its end; what it prints is seen.
pub(crate) fn run(command: &mut Command) -> Result<(), Trouble> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Trouble::Failed(format!("`{name}` failed ({status})"))),
        Err(error) => Err(Trouble::Failed(format!("`{name}` does not start: {error}"))),
    }
}

/// What it prints, if it ends well.
pub(crate) fn answer(program: impl AsRef<OsStr>, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}

/// Whether Node is there, in a version that the page's tools accept.
pub(crate) fn node() -> Result<(), Missing> {
    let is_recent =
        answer("node", &["--version"]).and_then(|text| major(&text)).is_some_and(|n| n >= 20);
    let has_npm = answer(in_web("npm").get_program(), &["--version"]).is_some();
    if is_recent && has_npm {
        return Ok(());
    }
    Err(Missing {
        why: "no Node 20 or newer with npm",
        cure: "https://nodejs.org/en/download has Node 22; Debian 12's own package is Node 18, which is too old",
    })
}

/// `v20.20.2` is 20.
fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// A Chromium for the page's tests: the one that `CHROMIUM` names, or the first that is found.
pub(crate) fn chromium() -> Result<PathBuf, Missing> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from).filter(|path| path.is_file());
    let names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
    let found = || names.iter().find_map(|name| in_path(name));
    named.or_else(found).ok_or(Missing { why: "no chromium", cure: "apt-get install chromium" })
}

fn in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_node_are_read() {
        assert_eq!(major("v20.20.2"), Some(20));
        assert_eq!(major("v9.0.0"), Some(9));
        assert_eq!(major("node"), None);
    }
}
