//! All that is limited, in one place. Each limit is answered with a code and, where waiting helps, with `Retry-After`.
//!
//! What a roll may cost stands in the first line of its table and is counted in throws and steps, never in time.

use std::time::Duration;

/// A bucket of tokens: so many at once, and so many again each second.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// At once.
    pub burst: f64,
    /// Each second.
    pub second: f64,
}

/// The limits of a server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of the body of a request.
    pub body: usize,
    /// Bytes of words beside the log.
    pub words: usize,
    /// Tables that an address may make.
    pub tables: Rate,
    /// Seats of a table.
    pub seats: usize,
    /// Streams of a table.
    pub listeners: usize,
    /// What a seat may sign.
    pub seat: Rate,
    /// What the seats of a table may sign together.
    pub table: Rate,
    /// What may be asked from one address.
    pub address: Rate,
    /// Odds from one address.
    pub odds: Rate,
    /// Open streams of an address.
    pub streams: usize,
    /// Connections of an address.
    pub connections: usize,
    /// All connections.
    pub all_connections: usize,
    /// Steps of odds; one is about ten nanoseconds.
    pub odds_steps: u64,
    /// Odds that may wait.
    pub odds_waiting: usize,
    /// Lines of a table.
    pub lines: u64,
    /// Requests of a table that wait for an open ask.
    pub waiting: usize,
    /// How long witnesses have.
    pub testimony: Duration,
    /// How long witnesses have after the server was started: they have to come back first.
    pub testimony_after_start: Duration,
    /// After how long without a stream a seat is gone.
    pub gone: Duration,
    /// How long an idle table is kept in memory.
    pub idle: Duration,
    /// How long a table is kept that nobody writes to; none is for ever.
    pub silence: Option<Duration>,
    /// Jobs that the writer takes at once.
    pub batch: usize,
    /// So long the writer waits for more before it writes: one sync for many costs a third less, and nobody sees it.
    pub gather: Duration,
    /// Jobs that may wait for the writer.
    pub jobs: usize,
    /// How long the head of a request may take.
    pub head: Duration,
    /// How long a stop may take.
    pub stop: Duration,
}

const fn rate(burst: f64, second: f64) -> Rate {
    Rate { burst, second }
}

impl Limits {
    /// What fits most servers.
    pub const USUAL: Limits = Limits {
        body: 65_536,
        words: 4_096,
        tables: rate(10.0, 10.0 / 3600.0),
        seats: 32,
        listeners: 256,
        seat: rate(10.0, 5.0),
        table: rate(40.0, 20.0),
        address: rate(200.0, 50.0),
        odds: rate(5.0, 2.0),
        streams: 64,
        connections: 256,
        all_connections: 16_384,
        odds_steps: 200_000_000,
        odds_waiting: 64,
        lines: 100_000,
        waiting: 32,
        testimony: Duration::from_millis(1500),
        testimony_after_start: Duration::from_secs(5),
        gone: Duration::from_secs(5),
        idle: Duration::from_secs(600),
        silence: Some(Duration::from_secs(180 * 86_400)),
        batch: 512,
        gather: Duration::from_millis(2),
        jobs: 16_384,
        head: Duration::from_secs(10),
        stop: Duration::from_millis(1800),
    };

    /// For loads from one address: nothing is counted, what it costs is measured.
    pub const OPEN: Limits = Limits {
        tables: rate(1e9, 1e9),
        seat: rate(1e9, 1e9),
        table: rate(1e9, 1e9),
        address: rate(1e9, 1e9),
        odds: rate(1e9, 1e9),
        listeners: 100_000,
        streams: 1_000_000,
        connections: 1_000_000,
        all_connections: 1_000_000,
        ..Limits::USUAL
    };
}
