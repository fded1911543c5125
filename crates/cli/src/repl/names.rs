//! The names that a line may use, shared between the session, which changes them, and the editor, which
//! looks at them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use astragal::Engine;
use astragal_assist::names::Catalogue;

use super::definitions::Definitions;
use super::table::Table;

/// All names.
#[derive(Clone)]
pub(crate) struct Names {
    /// The commands of another session than the usual one, and what they do.
    commands: Arc<[(String, String)]>,
    shared: Arc<Mutex<Catalogue>>,
    table: Arc<Mutex<AtTable>>,
}

/// Who is at the table, and how they are.
#[derive(Clone, Debug, Default)]
pub(super) struct AtTable {
    pub(super) names: Vec<String>,
    pub(super) conditions: Vec<String>,
}

impl Names {
    pub(crate) fn new(engine: &Engine) -> Names {
        let shared = Arc::new(Mutex::new(Catalogue::new(engine)));
        Names { commands: Arc::default(), shared, table: Arc::default() }
    }

    /// The same for a session that has other commands.
    #[cfg(feature = "sit")]
    pub(crate) fn with_commands(self, commands: impl Iterator<Item = (String, String)>) -> Names {
        Names { commands: commands.collect(), ..self }
    }

    /// The commands of another session; none are those of the usual one.
    pub(super) fn commands(&self) -> &[(String, String)] {
        &self.commands
    }

    /// Looks at the names. Nothing is ever left half done, so a poisoned lock is a good one.
    pub(super) fn look(&self) -> MutexGuard<'_, Catalogue> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set(&self, open: Option<&str>, own: &Definitions) {
        self.look().set(open, own.list());
    }

    pub(super) fn at_table(&self) -> AtTable {
        self.table.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_table(&self, table: &Table) {
        let mut conditions: Vec<String> = table.conditions().map(str::to_owned).collect();
        conditions.sort();
        conditions.dedup();
        let names = table.names().map(str::to_owned).collect();
        self.set_at_table(AtTable { names, conditions });
    }

    pub(super) fn set_at_table(&self, table: AtTable) {
        *self.table.lock().unwrap_or_else(PoisonError::into_inner) = table;
    }
}
