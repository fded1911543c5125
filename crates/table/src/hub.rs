//! Who listens at a table, and what they are sent.
//!
//! A frame is made once and shared by all who get it. Who is too slow loses frames, never lines: it sees the gap in the numbers, and reads
//! them from the store.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::broadcast;

use crate::house::Audience;

/// Frames that wait for somebody slow.
const WAITING: usize = 64;

/// Something to be sent.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The line that it is, or that it belongs to.
    pub(crate) seq: Option<u64>,
    /// Whether it is that line itself.
    pub(crate) line: bool,
    /// Who gets it.
    pub(crate) to: Audience,
    /// As it goes over the line.
    pub(crate) bytes: Bytes,
}

impl Frame {
    /// For all, and of no line.
    pub(crate) fn plain(bytes: impl Into<Bytes>) -> Frame {
        Frame { seq: None, line: false, to: Audience::All, bytes: bytes.into() }
    }
}

/// Who listens at a table.
#[derive(Debug)]
pub(crate) struct Hub {
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// None after the server has begun to stop.
    sender: Option<broadcast::Sender<Arc<Frame>>>,
    /// Streams of each seat, and when that was last so.
    seats: HashMap<u64, (usize, Instant)>,
    watching: usize,
    begun: Instant,
}

impl Hub {
    pub(crate) fn new() -> Hub {
        Hub {
            inner: Mutex::new(Inner {
                sender: Some(broadcast::channel(WAITING).0),
                seats: HashMap::new(),
                watching: 0,
                begun: Instant::now(),
            }),
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody listens from now on; none when the server stops.
    pub(crate) fn join(&self, seat: Option<u64>) -> Option<broadcast::Receiver<Arc<Frame>>> {
        let mut inner = self.inner();
        let receiver = inner.sender.as_ref()?.subscribe();
        match seat {
            Some(seat) => inner.seats.entry(seat).or_insert((0, Instant::now())).0 += 1,
            None => inner.watching += 1,
        }
        Some(receiver)
    }

    /// Somebody stops listening.
    pub(crate) fn leave(&self, seat: Option<u64>) {
        let mut inner = self.inner();
        match seat.and_then(|seat| inner.seats.get_mut(&seat)) {
            Some(streams) => *streams = (streams.0.saturating_sub(1), Instant::now()),
            None => inner.watching = inner.watching.saturating_sub(1),
        }
    }

    /// A seat has just sat down: it has a moment to open its stream.
    pub(crate) fn sits(&self, seat: u64) {
        self.inner().seats.entry(seat).or_insert((0, Instant::now()));
    }

    /// How many listen.
    pub(crate) fn listeners(&self) -> usize {
        let inner = self.inner();
        inner.watching + inner.seats.values().map(|(streams, _)| streams).sum::<usize>()
    }

    /// The seats that are connected, or were a moment ago. None as long as nobody can know, after a start.
    pub(crate) fn here(&self, gone: Duration) -> Option<Vec<u64>> {
        let inner = self.inner();
        if inner.begun.elapsed() < gone {
            return None;
        }
        let here =
            inner.seats.iter().filter(|(_, (streams, at))| *streams > 0 || at.elapsed() < gone);
        Some(here.map(|(seat, _)| *seat).collect())
    }

    /// Who is connected now, as an event.
    pub(crate) fn connected(&self) -> Frame {
        let inner = self.inner();
        let connected = inner.seats.iter().filter(|(_, (streams, _))| *streams > 0);
        let mut seats: Vec<u64> = connected.map(|(seat, _)| *seat).collect();
        seats.sort_unstable();
        let data = serde_json::json!({"seats": seats, "watching": inner.watching});
        Frame::plain(format!("event: present\ndata: {data}\n\n"))
    }

    /// The seats that are connected now.
    pub(crate) fn is_online(&self, seat: u64) -> bool {
        self.inner().seats.get(&seat).is_some_and(|(streams, _)| *streams > 0)
    }

    pub(crate) fn send(&self, frame: Frame) {
        if let Some(sender) = &self.inner().sender {
            // Nobody may be listening.
            let _ = sender.send(Arc::new(frame));
        }
    }

    /// The server stops: everybody is told, and streams end.
    pub(crate) fn close(&self) {
        self.send(Frame::plain("event: bye\ndata: {}\n\n"));
        self.inner().sender = None;
    }
}

/// The event of a line.
pub(crate) fn line_event(seq: u64, text: &str, head: &str) -> String {
    format!("id: {seq}\nevent: line\ndata: {text}\ndata: {head}\n\n")
}
