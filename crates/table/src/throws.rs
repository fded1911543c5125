//! Threads that throw dice: what a roll costs is bounded by its table, and nobody who listens waits for it.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use astragal_fair::{Programs, Wanted};

use crate::house::{Throw, Thrown};

/// What is done with what was thrown.
type Then = Box<dyn FnOnce(Thrown) + Send>;

/// The threads.
#[derive(Clone, Debug)]
pub(crate) struct Throwers {
    sender: Sender<(Throw, Then)>,
}

/// A queue that several threads take from.
pub(crate) type Shared<T> = Arc<Mutex<Receiver<T>>>;

/// The next of a queue; none when nobody can send any more.
pub(crate) fn next<T>(queue: &Shared<T>) -> Option<T> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

impl Throwers {
    pub(crate) fn start(threads: usize) -> std::io::Result<Throwers> {
        let (sender, receiver) = channel::<(Throw, Then)>();
        let queue: Shared<(Throw, Then)> = Arc::new(Mutex::new(receiver));
        for number in 0..threads {
            let queue = Arc::clone(&queue);
            std::thread::Builder::new().name(format!("throws {number}")).spawn(move || {
                let mut programs = Programs::default();
                while let Some((throw, then)) = next(&queue) {
                    then(thrown(&mut programs, &throw));
                }
            })?;
        }
        Ok(Throwers { sender })
    }

    /// Throws, and goes on with that.
    pub(crate) fn throw(&self, throw: Throw, then: impl FnOnce(Thrown) + Send + 'static) {
        // The threads live as long as this does.
        let _ = self.sender.send((throw, Box::new(then)));
    }
}

/// What falls.
pub fn thrown(programs: &mut Programs, throw: &Throw) -> Thrown {
    let wanted = Wanted {
        text: &throw.text,
        inputs: &throw.inputs,
        rules: throw.rules.as_ref(),
        limits: &throw.limits,
    };
    let (dice, outcome) = match &throw.faces {
        Some(faces) => (Vec::new(), programs.typed(&wanted, faces)),
        None => programs.roll(&wanted, throw.id.0),
    };
    Thrown { id: throw.id, dice, outcome }
}
