//! Where the user's files are: what a session keeps, and what it begins with.

use std::path::{Path, PathBuf};

/// A file that a session keeps: `~/.local/state/astragal/history`, or where the system's variables say.
pub(crate) fn state(name: &str) -> Option<PathBuf> {
    file(Kind::State, name, variable)
}

/// The table's file: the one that was named, or the usual one.
pub(crate) fn table(named: Option<&Path>) -> Option<PathBuf> {
    named.map(Path::to_path_buf).or_else(|| state("table.toml"))
}

/// A file that a session begins with: `~/.config/astragal/start.dice`.
pub(crate) fn config(name: &str) -> Option<PathBuf> {
    file(Kind::Config, name, variable)
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from)
}

#[derive(Clone, Copy)]
enum Kind {
    State,
    Config,
}

fn file(kind: Kind, name: &str, variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let folder = |name: &str| variable(name).filter(|path| path.is_absolute());
    let (own, elsewhere, at_home) = match kind {
        Kind::State => ("XDG_STATE_HOME", "LOCALAPPDATA", ".local/state"),
        Kind::Config => ("XDG_CONFIG_HOME", "APPDATA", ".config"),
    };
    let found = folder(own).or_else(|| folder(elsewhere));
    let found = found.or_else(|| Some(folder("HOME")?.join(at_home)))?;
    Some(found.join("astragal").join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_the_users() {
        let only = |wanted: &'static str, path: &'static str| {
            file(Kind::State, "history", move |name| (name == wanted).then(|| path.into()))
        };
        assert_eq!(only("HOME", "/h"), Some("/h/.local/state/astragal/history".into()));
        assert_eq!(only("XDG_STATE_HOME", "/s"), Some("/s/astragal/history".into()));
        assert_eq!(only("XDG_STATE_HOME", "relative"), None);
        assert_eq!(only("OTHER", "/x"), None);
        let start = file(Kind::Config, "start.dice", |name| (name == "HOME").then(|| "/h".into()));
        assert_eq!(start, Some("/h/.config/astragal/start.dice".into()));
    }
}
