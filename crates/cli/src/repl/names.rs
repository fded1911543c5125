//! The names that a line may use, shared between the session, which changes them, and the editor, which
//! looks at them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use astragal::Engine;
use astragal_assist::names::Catalogue;

use super::definitions::Definitions;
use super::table::Table;

/// All names.
#[derive(Clone)]
pub(super) struct Names {
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
    pub(super) fn new(engine: &Engine) -> Names {
        Names { shared: Arc::new(Mutex::new(Catalogue::new(engine))), table: Arc::default() }
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
