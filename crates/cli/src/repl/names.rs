//! The names that a line may use, shared between the session, which changes them, and the editor, which
//! looks at them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use astragal::Engine;
use astragal_assist::names::Catalogue;

use super::definitions::Definitions;

/// All names.
#[derive(Clone)]
pub(super) struct Names {
    shared: Arc<Mutex<Catalogue>>,
}

impl Names {
    pub(super) fn new(engine: &Engine) -> Names {
        Names { shared: Arc::new(Mutex::new(Catalogue::new(engine))) }
    }

    /// Looks at the names. Nothing is ever left half done, so a poisoned lock is a good one.
    pub(super) fn look(&self) -> MutexGuard<'_, Catalogue> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set(&self, open: Option<&str>, own: &Definitions) {
        self.look().set(open, own.list());
    }
}
