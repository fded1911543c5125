//! Where the lines of earlier sessions are kept: the user's folder for such things.

use std::path::PathBuf;

use reedline::FileBackedHistory;

/// How many lines are kept.
const LINES: usize = 1000;

/// The history of earlier sessions; one that is forgotten if it is not wanted or has no place.
pub(super) fn history(wanted: bool) -> FileBackedHistory {
    let file = if wanted { file(|name| std::env::var_os(name).map(PathBuf::from)) } else { None };
    let kept = file.and_then(|file| FileBackedHistory::with_file(LINES, file).ok());
    kept.unwrap_or_default()
}

/// `~/.local/state/astragal/history`, or what the system's variables say instead.
fn file(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let folder = |name: &str| variable(name).filter(|path| path.is_absolute());
    let state = folder("XDG_STATE_HOME")
        .or_else(|| folder("LOCALAPPDATA"))
        .or_else(|| Some(folder("HOME")?.join(".local").join("state")))?;
    Some(state.join("astragal").join("history"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_the_users() {
        let only = |wanted: &'static str, path: &'static str| {
            file(move |name| (name == wanted).then(|| PathBuf::from(path)))
        };
        assert_eq!(only("HOME", "/h"), Some("/h/.local/state/astragal/history".into()));
        assert_eq!(only("XDG_STATE_HOME", "/s"), Some("/s/astragal/history".into()));
        assert_eq!(only("XDG_STATE_HOME", "relative"), None);
        assert_eq!(only("OTHER", "/x"), None);
    }
}
