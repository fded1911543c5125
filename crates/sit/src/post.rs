//! Threads that talk to the house: what they are given goes out, what comes back goes into one queue.

use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use astragal_fair::Id;
use astragal_seat::Post;

use crate::link::Server;
use crate::stream::{self, Event};
use crate::wire::{Reply, Wire, events};

/// The longest pause before a stream is opened again.
const SLOWEST: Duration = Duration::from_secs(10);

/// What comes back.
pub(crate) enum Heard {
    /// Something happened at the table.
    Event(Event),
    /// The stream has ended, and is opened again.
    Lost(String),
    /// The link or the seat does not open the table.
    Shut(Reply),
    /// What was posted is answered, or was not.
    Replied(Post, io::Result<Reply>),
}

/// A thread that posts, one after the other: testimonies have one of their own, for they may not wait.
pub(crate) fn poster<T: From<Heard> + Send + 'static>(
    server: &Server,
    table: &Id,
    back: Sender<T>,
) -> Sender<(Post, String)> {
    let (jobs, posts): (_, Receiver<(Post, String)>) = channel();
    let (mut wire, path) = (Wire::new(server.clone()), format!("/api/tables/{table}/"));
    thread::spawn(move || {
        while let Ok((post, secret)) = posts.recv() {
            let reply = wire.post(&format!("{path}{}", post.path), &secret, &post.body);
            if back.send(Heard::Replied(post, reply).into()).is_err() {
                return;
            }
        }
    });
    jobs
}

/// Where a stream goes on, and what ends it.
#[derive(Default)]
pub(crate) struct Where {
    /// The secret that it is opened with.
    pub(crate) secret: String,
    /// The newest line that is there.
    pub(crate) since: Option<u64>,
    socket: Option<TcpStream>,
    over: bool,
}

/// The stream of a table, opened again and again.
#[derive(Clone, Default)]
pub(crate) struct Listening(Arc<Mutex<Where>>);

impl Listening {
    /// Looks at or changes where it goes on.
    pub(crate) fn at<T>(&self, of: impl FnOnce(&mut Where) -> T) -> T {
        of(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Ends the connection: it is opened again, or not if all is over.
    pub(crate) fn again(&self, over: bool) {
        let socket = self.at(|at| {
            at.over |= over;
            at.socket.take()
        });
        if let Some(socket) = socket {
            // It may be gone already.
            let _ = socket.shutdown(Shutdown::Both);
        }
    }

    /// Begins to listen.
    pub(crate) fn begin<T: From<Heard> + Send + 'static>(
        &self,
        server: &Server,
        table: &Id,
        back: Sender<T>,
    ) {
        let (own, server) = (self.clone(), server.clone());
        let path = format!("/api/tables/{table}/events");
        thread::spawn(move || {
            let mut pause = Duration::from_millis(100);
            while !own.at(|at| at.over) {
                let told = own.listen(&server, &path, &back, &mut pause);
                if own.at(|at| at.over) || back.send(told.into()).is_err() {
                    return;
                }
                thread::sleep(pause);
                pause = (pause * 2).min(SLOWEST);
            }
        });
    }

    /// Hears one stream to its end; why it ended.
    fn listen<T: From<Heard>>(
        &self,
        server: &Server,
        path: &str,
        back: &Sender<T>,
        pause: &mut Duration,
    ) -> Heard {
        let (secret, since) = self.at(|at| (at.secret.clone(), at.since));
        // Whoever begins wants what was shown to this seat before, too.
        let path = if since.is_none() { format!("{path}?aside=0") } else { path.to_owned() };
        let mut from = match events(server, &path, &secret, since) {
            Ok(Ok(events)) => {
                self.at(|at| at.socket = Some(events.socket));
                events.from
            }
            Ok(Err(reply)) if reply.status < 429 => return Heard::Shut(reply),
            Ok(Err(reply)) => {
                *pause = Duration::from_secs(reply.retry_after.unwrap_or(1)).min(SLOWEST);
                return Heard::Lost(format!("the server says {}", reply.status));
            }
            Err(error) => return Heard::Lost(error.to_string()),
        };
        loop {
            match stream::next(&mut from) {
                Ok(Some(event)) => {
                    *pause = Duration::from_millis(100);
                    if back.send(Heard::Event(event).into()).is_err() {
                        return Heard::Lost("nobody listens".into());
                    }
                }
                Ok(None) => return Heard::Lost("the stream has ended".into()),
                Err(error) => return Heard::Lost(error.to_string()),
            }
        }
    }
}
