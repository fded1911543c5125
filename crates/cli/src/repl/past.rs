//! What a session was before its last lines, for `:undo`.

use super::definitions::Definitions;
use super::table::Table;

/// How many lines can be undone.
const LEVELS: usize = 100;

/// Everything that `:undo` brings back.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    pub(super) definitions: Definitions,
    pub(super) settings: Vec<(String, String)>,
    pub(super) table: Table,
}

impl Snapshot {
    /// Whether there is nothing between them to undo. A last result is no change.
    pub(super) fn is_same(&self, other: &Snapshot) -> bool {
        self.definitions.text() == other.definitions.text()
            && self.settings == other.settings
            && self.table == other.table
    }
}

/// The lines that changed something, each with what was before it.
#[derive(Default)]
pub(super) struct Past {
    levels: Vec<(String, Snapshot)>,
}

impl Past {
    pub(super) fn push(&mut self, line: &str, before: Snapshot) {
        if self.levels.len() == LEVELS {
            self.levels.remove(0);
        }
        self.levels.push((line.to_owned(), before));
    }

    pub(super) fn pop(&mut self) -> Option<(String, Snapshot)> {
        self.levels.pop()
    }
}
