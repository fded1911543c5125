//! How far a single command is: a line on standard error, once it takes long.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use astragal::Watcher;

use crate::terminal::Terminal;

/// A computation that takes longer than this says how far it is.
pub(crate) const PATIENCE: Duration = Duration::from_secs(1);
/// The time between two lines.
const BETWEEN: Duration = Duration::from_millis(200);

/// Tells how far a computation is; none where nobody would see it.
pub(crate) fn watcher(terminal: &Terminal) -> Option<Watcher> {
    if !io::stderr().is_terminal() {
        return None;
    }
    let next = Mutex::new(Instant::now() + PATIENCE);
    let terminal = terminal.clone();
    Some(Watcher::new(move |used, allowed| {
        let now = Instant::now();
        let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
        if now >= *next {
            *next = now + BETWEEN;
            terminal.progress(&format!("working: {} of the budget", percent(used, allowed)));
        }
    }))
}

fn percent(used: u64, allowed: u64) -> String {
    format!("{}%", u128::from(used) * 100 / u128::from(allowed.max(1)))
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn percentages_are_rounded_down() {
        assert_eq!(percent(199, 1000), "19%");
        assert_eq!(percent(u64::MAX, u64::MAX), "100%");
        assert_eq!(percent(0, 0), "0%");
    }
}
