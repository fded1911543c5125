//! Long computations: on a thread of their own, with the time that passes, and Ctrl-C to stop them.
//!
//! The session's thread waits and draws; the computation looks now and then at a flag that Ctrl-C sets.
//! If it does not look soon enough it is left to itself, and the session goes on without its answer.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::stop::Stop;
use crate::terminal::Terminal;

/// How often the waiting thread looks around.
const LOOK: Duration = Duration::from_millis(100);
/// After this time the user is told that something is going on.
const PATIENCE: Duration = Duration::from_secs(1);
/// A stopped computation has this long to notice.
const GRACE: Duration = Duration::from_secs(2);

/// The flag of the running computation, if one runs.
type Running = Arc<Mutex<Option<Arc<AtomicBool>>>>;

/// Runs one computation at a time.
pub(crate) struct Worker {
    running: Running,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gone {
    /// Ctrl-C.
    Interrupted,
    /// The computation broke.
    Broken,
}

impl Worker {
    /// Listens to Ctrl-C: it stops a computation, or else the process.
    pub(crate) fn new() -> Worker {
        let running = Running::default();
        let seen = Arc::clone(&running);
        // Without a handler Ctrl-C ends the session, which is bearable.
        let _ = ctrlc::set_handler(move || match &*lock(&seen) {
            Some(flag) => flag.store(true, Ordering::Relaxed),
            None => std::process::exit(130),
        });
        Worker { running }
    }

    /// The answer of a computation; none if it was interrupted, which is told.
    pub(crate) fn answer<T: Send + 'static>(
        &self,
        terminal: &Terminal,
        computation: impl FnOnce(Arc<AtomicBool>) -> Result<T, Stop> + Send + 'static,
    ) -> Result<Option<T>, Stop> {
        match self.run(computation) {
            Ok(Ok(answer)) => Ok(Some(answer)),
            Ok(Err(stop)) if !stop.is_interrupted() => Err(stop),
            Ok(Err(_)) | Err(Gone::Interrupted) => {
                terminal.tell("(interrupted)");
                Ok(None)
            }
            Err(Gone::Broken) => {
                Err(Stop::Usage("the computation broke off: this is a bug".into()))
            }
        }
    }

    /// The answer of a computation, which is given the flag that stops it.
    fn run<T: Send + 'static>(
        &self,
        computation: impl FnOnce(Arc<AtomicBool>) -> T + Send + 'static,
    ) -> Result<T, Gone> {
        let flag = Arc::new(AtomicBool::new(false));
        *lock(&self.running) = Some(Arc::clone(&flag));
        let (send, receive) = channel();
        let given = Arc::clone(&flag);
        // Nobody may be waiting any more.
        let spawned = std::thread::Builder::new()
            .spawn(move || drop(send.send(computation(given))))
            .map_err(|_| Gone::Broken);
        let answer = spawned.and_then(|_| wait(&receive, &flag));
        *lock(&self.running) = None;
        answer
    }
}

fn lock(running: &Running) -> std::sync::MutexGuard<'_, Option<Arc<AtomicBool>>> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wait<T>(receive: &Receiver<T>, flag: &AtomicBool) -> Result<T, Gone> {
    let begun = Instant::now();
    let mut stopped: Option<Instant> = None;
    let mut progress = Progress::new();
    loop {
        match receive.recv_timeout(LOOK) {
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Disconnected) => return Err(Gone::Broken),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if flag.load(Ordering::Relaxed)
            && stopped.get_or_insert_with(Instant::now).elapsed() > GRACE
        {
            return Err(Gone::Interrupted);
        }
        if begun.elapsed() >= PATIENCE {
            progress.draw(begun.elapsed());
        }
    }
}

/// A turning sign and the time, on standard error if it is a terminal; gone when the answer comes.
struct Progress {
    shown: bool,
    turn: usize,
    terminal: bool,
}

impl Progress {
    fn new() -> Progress {
        Progress { shown: false, turn: 0, terminal: io::stderr().is_terminal() }
    }

    fn draw(&mut self, elapsed: Duration) {
        if self.terminal {
            self.shown = true;
            self.turn = (self.turn + 1) % 4;
            let sign = ["|", "/", "-", "\\"][self.turn];
            write_error(&format!("\r{sign} {} s (Ctrl-C stops it) ", elapsed.as_secs()));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            write_error("\r\x1b[K");
        }
    }
}

fn write_error(text: &str) {
    let mut out = io::stderr().lock();
    // A sign of progress that cannot be drawn is no loss.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_back_and_breaking_is_noticed() {
        let worker = Worker { running: Running::default() };
        assert_eq!(worker.run(|_| 7), Ok(7));
        assert_eq!(worker.run(|_| -> u8 { panic!("on purpose") }), Err(Gone::Broken));
    }

    #[test]
    fn a_computation_that_does_not_listen_is_left_to_itself() {
        let worker = Worker { running: Running::default() };
        let answer = worker.run(|flag| {
            flag.store(true, Ordering::Relaxed);
            std::thread::sleep(Duration::from_secs(60));
        });
        assert_eq!(answer, Err(Gone::Interrupted));
    }
}
