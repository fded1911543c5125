//! Where the lines of earlier sessions are kept: the user's folder for such things.

use reedline::FileBackedHistory;

use crate::places;

/// How many lines are kept.
const LINES: usize = 1000;

/// The history of earlier sessions; one that is forgotten if it is not wanted or has no place.
pub(super) fn history(wanted: bool) -> FileBackedHistory {
    let file = if wanted { places::state("history") } else { None };
    let kept = file.and_then(|file| FileBackedHistory::with_file(LINES, file).ok());
    kept.unwrap_or_default()
}
