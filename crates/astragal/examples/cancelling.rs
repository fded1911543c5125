//! Cancelling: another thread sets a flag, and the request ends within a moment. A watcher says how far it is.

#![allow(clippy::print_stdout, reason = "an example talks")]

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use astragal::{Budget, Engine, Watcher};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let stop = Arc::new(AtomicBool::new(false));
    let told = Arc::new(AtomicU64::new(0));
    let (seen, enough) = (Arc::clone(&told), Arc::clone(&stop));
    // Here whoever watches stops it, once work has begun; a program with buttons would do so when one is pressed.
    let watcher = Watcher::new(move |used, _allowed| {
        seen.store(used, Ordering::Relaxed);
        enough.store(true, Ordering::Relaxed);
    });
    let budget =
        Budget::of_steps(u64::MAX / 2).with_cancel(Arc::clone(&stop)).with_watcher(watcher);

    let program = Engine::new().compile("let x = 200d1000; let y = 200d999; x * y")?;
    let asked = thread::spawn(move || program.odds(&budget));
    let answered = asked.join().map_err(|_| "nothing panics here")?;

    let Err(stopped) = answered else { return Err("this would take hours".into()) };
    println!("{stopped}");
    println!("stopped after {} steps", told.load(Ordering::Relaxed));
    assert_eq!(stopped.list()[0].code, "cancelled");
    Ok(())
}
