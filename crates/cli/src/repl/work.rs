//! Long computations: on a thread of their own, with the time that passes, and Ctrl-C to stop them.
//!
//! The session's thread waits and draws; the computation looks now and then at a flag that Ctrl-C sets. If it does
//! not look at once it is left to itself, and the session goes on without its answer. The next computation waits until
//! it has noticed, so that never more than one is at work.

use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use super::quiet::Quiet;
use crate::stop::Stop;
use crate::terminal::Terminal;

/// How often the waiting thread looks around.
const LOOK: Duration = Duration::from_millis(20);
/// After this time the user is told that something is going on.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often that is drawn.
const DRAW: Duration = Duration::from_millis(100);
/// A stopped computation has this long to notice.
const GRACE: Duration = Duration::from_millis(80);

/// The flag of the running computation, if one runs.
type Running = Arc<Mutex<Option<Arc<AtomicBool>>>>;

thread_local! {
    /// What stops the computation on this thread.
    static FLAG: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// What stops the computation on this thread, if anything does.
pub(crate) fn flag() -> Option<Arc<AtomicBool>> {
    FLAG.with_borrow(Clone::clone)
}

/// Runs one computation at a time.
pub(crate) struct Worker {
    running: Running,
    /// One that was left to itself.
    left: Mutex<Option<JoinHandle<()>>>,
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
        Worker { running, left: Mutex::default() }
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
        let _quiet = Quiet::new();
        let answer = self.compute(computation, &flag);
        *lock(&self.running) = None;
        // Whatever came after Ctrl-C is not the whole answer.
        if flag.load(Ordering::Relaxed) && answer.is_ok() { Err(Gone::Interrupted) } else { answer }
    }

    fn compute<T: Send + 'static>(
        &self,
        computation: impl FnOnce(Arc<AtomicBool>) -> T + Send + 'static,
        flag: &Arc<AtomicBool>,
    ) -> Result<T, Gone> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let mut progress = Progress::new();
        while left.as_ref().is_some_and(|before| !before.is_finished()) {
            if flag.load(Ordering::Relaxed) {
                return Err(Gone::Interrupted);
            }
            progress.draw("the one before is still stopping");
            std::thread::sleep(LOOK);
        }
        *left = None;
        let (send, receive) = channel();
        let given = Arc::clone(flag);
        let work = move || {
            FLAG.set(Some(Arc::clone(&given)));
            // Nobody may be waiting any more.
            drop(send.send(computation(given)));
        };
        let thread = Builder::new().spawn(work).map_err(|_| Gone::Broken)?;
        let answer = wait(&receive, flag, &mut progress);
        if answer.as_ref().err() == Some(&Gone::Interrupted) {
            *left = Some(thread);
        }
        answer
    }
}

fn lock(running: &Running) -> std::sync::MutexGuard<'_, Option<Arc<AtomicBool>>> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wait<T>(receive: &Receiver<T>, flag: &AtomicBool, progress: &mut Progress) -> Result<T, Gone> {
    let mut stopped: Option<Instant> = None;
    loop {
        match receive.recv_timeout(LOOK) {
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Disconnected) => return Err(Gone::Broken),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if flag.load(Ordering::Relaxed)
            && stopped.get_or_insert_with(Instant::now).elapsed() >= GRACE
        {
            return Err(Gone::Interrupted);
        }
        progress.draw("Ctrl-C stops it");
    }
}

/// A turning sign and the time, on standard error if it is a terminal; gone when the answer comes.
struct Progress {
    begun: Instant,
    drawn: Option<Instant>,
    turn: usize,
    terminal: bool,
}

impl Progress {
    fn new() -> Progress {
        let terminal = io::stderr().is_terminal();
        Progress { begun: Instant::now(), drawn: None, turn: 0, terminal }
    }

    fn draw(&mut self, hint: &str) {
        let elapsed = self.begun.elapsed();
        let due = self.drawn.is_none_or(|drawn| drawn.elapsed() >= DRAW);
        if self.terminal && due && elapsed >= PATIENCE {
            self.drawn = Some(Instant::now());
            self.turn = (self.turn + 1) % 4;
            let sign = ["|", "/", "-", "\\"][self.turn];
            write_error(&format!("\r\x1b[K{sign} {} s ({hint}) ", elapsed.as_secs()));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.drawn.is_some() {
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

    fn worker() -> Worker {
        Worker { running: Running::default(), left: Mutex::default() }
    }

    #[test]
    fn answers_come_back_and_breaking_is_noticed() {
        assert_eq!(worker().run(|_| 7), Ok(7));
        assert_eq!(worker().run(|_| -> u8 { panic!("on purpose") }), Err(Gone::Broken));
        assert!(worker().run(|_| flag().is_some()).is_ok_and(|known| known));
    }

    #[test]
    fn a_computation_that_does_not_listen_is_left_to_itself_and_waited_for_by_the_next() {
        let worker = worker();
        let (end, ended) = channel::<()>();
        let answer = worker.run(move |flag| {
            flag.store(true, Ordering::Relaxed);
            let _ = ended.recv();
        });
        assert_eq!(answer, Err(Gone::Interrupted));
        let alive = |worker: &Worker| {
            let left = worker.left.lock().unwrap_or_else(PoisonError::into_inner);
            left.as_ref().is_some_and(|left| !left.is_finished())
        };
        assert!(alive(&worker));
        drop(end);
        assert_eq!(worker.run(|_| 7), Ok(7));
        assert!(!alive(&worker));
    }

    #[test]
    fn what_comes_after_an_interrupt_is_no_answer() {
        let answer = worker().run(|flag| flag.store(true, Ordering::Relaxed));
        assert_eq!(answer, Err(Gone::Interrupted));
    }
}
