//! Work on several threads, while the calling one looks after Python: signals, and whoever wants to know how far it is.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use std::thread;

use pyo3::prelude::*;

use crate::ask::BETWEEN_SIGNALS;

/// More threads than this help nobody.
const MOST: usize = 256;

/// How many threads are used: as many as are wanted, or as there are cores.
pub(crate) fn count(wanted: Option<usize>) -> usize {
    let usual = || thread::available_parallelism().map_or(1, usize::from);
    wanted.unwrap_or_else(usual).clamp(1, MOST)
}

/// Runs the work once on each of so many threads. If a signal says so, or `tell` raises, the flag is set; the work is
/// to look at it.
pub(crate) fn on_threads(
    py: Python<'_>,
    threads: usize,
    flag: &AtomicBool,
    work: impl Fn() + Sync,
    tell: impl Fn(Python<'_>) -> PyResult<()>,
) -> PyResult<()> {
    let (left, ended) = (Mutex::new(threads), Condvar::new());
    let wait = || {
        let Ok(left) = left.lock() else { return true };
        let waited = ended.wait_timeout_while(left, BETWEEN_SIGNALS, |left| *left > 0);
        waited.map_or(true, |(left, _)| *left == 0)
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                work();
                if let Ok(mut left) = left.lock() {
                    *left -= 1;
                }
                ended.notify_all();
            });
        }
        let mut raised = None;
        while !py.detach(wait) {
            if raised.is_none()
                && let Err(error) = py.check_signals().and_then(|()| tell(py))
            {
                flag.store(true, Ordering::SeqCst);
                raised = Some(error);
            }
        }
        raised.map_or_else(|| tell(py), Err)
    })
}
