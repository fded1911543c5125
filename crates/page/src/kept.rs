//! The last answer that held something back, for those who ask for more of it.

use std::cell::RefCell;

use astragal::Odds;

thread_local! {
    static KEPT: RefCell<Option<(String, Odds)>> = const { RefCell::new(None) };
}

/// Keeps the odds that answer a question, in place of others.
pub(crate) fn keep(question: String, odds: Odds) {
    KEPT.set(Some((question, odds)));
}

/// Looks at the odds that answer a question, if they are kept.
pub(crate) fn with<T>(question: &str, look: impl FnOnce(&Odds) -> T) -> Option<T> {
    KEPT.with_borrow(|kept| {
        let (_, odds) = kept.as_ref().filter(|(known, _)| known == question)?;
        Some(look(odds))
    })
}
