//! The stream of a listener: first what it has not seen, from the store, then what happens.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;

use astragal_fair::request::Role;
use astragal_fair::{Id, hash};
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::caller::{Behind, Caller};
use super::count::Count;
use super::reading;
use crate::house::{Act, Aside, Audience, head};
use crate::hub::{Frame, line_event};
use crate::metrics::add;
use crate::problem::Problem;
use crate::server::App;
use crate::store::{Failed, Row, Shelf, Words};
use crate::tables::{Table, Who};
use crate::writer::{Job, Order, private_frame, words_frame};

/// Lines that are read at once.
const PAGE: usize = 200;
/// So far before the last line that a listener has, hidden rolls are told again.
const ASIDE: u64 = 64;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Since {
    since: Option<Count>,
    aside: Option<Count>,
    key: Option<String>,
}

pub(super) async fn events(
    caller: Caller,
    headers: HeaderMap,
    Behind(query): Behind<Since>,
) -> Result<Response, Problem> {
    let who = caller.who_or_key(query.key.as_deref())?;
    let since = last_event(&headers)?.or(query.since.map(|Count(line)| line));
    let listener = Listener::join(caller, who, since, query.aside.map(|Count(line)| line))?;
    let stream = futures_util::stream::unfold(listener, |mut listener| async move {
        listener.next().await.map(|bytes| (Ok::<Bytes, Infallible>(bytes), listener))
    });
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((StatusCode::OK, headers, Body::from_stream(stream)).into_response())
}

fn last_event(headers: &HeaderMap) -> Result<Option<u64>, Problem> {
    let Some(value) = headers.get("last-event-id") else { return Ok(None) };
    let number = value.to_str().ok().and_then(|text| text.parse().ok());
    number
        .map(Some)
        .ok_or_else(|| Problem::new(400, "wrong-field", "`Last-Event-ID` is the number of a line"))
}

/// Somebody who listens. It ends when this is dropped.
struct Listener {
    app: Arc<App>,
    table: Arc<Table>,
    receiver: Receiver<Arc<Frame>>,
    peer: IpAddr,
    seat: Option<u64>,
    owner: bool,
    /// The last line that was sent.
    last: Option<u64>,
    /// There may be lines in the store that were not sent.
    behind: bool,
    /// Hidden rolls from this line on are to be told.
    aside: Option<u64>,
    queue: VecDeque<Bytes>,
}

impl Listener {
    fn join(
        Caller { app, table, peer, .. }: Caller,
        who: Who,
        since: Option<u64>,
        aside: Option<u64>,
    ) -> Result<Listener, Problem> {
        let many = |what: &str| {
            Problem::new(429, "too-many-streams", format!("too many streams are open {what}"))
                .help("close those that are not needed")
                .retry(std::time::Duration::from_secs(10))
        };
        if table.hub.listeners() >= app.limits.listeners {
            return Err(many("at this table"));
        }
        if !app.streams.begin(peer, app.limits.streams) {
            return Err(many("from this address"));
        }
        let seat = if let Who::Seat(seat) = who { Some(seat) } else { None };
        let (role, newest, here) = table
            .with(|house| {
                let role = seat.and_then(|seat| house.role(seat));
                (role, (house.seq().saturating_sub(1), house.newest()), house.here())
            })
            .inspect_err(|_| app.streams.end(peer))?;
        let Some(receiver) = table.hub.join(seat) else {
            app.streams.end(peer);
            return Err(Problem::stopping());
        };
        add(&app.metrics.listeners);
        // From here on the count ends with the listener.
        let mut listener = Listener {
            app: Arc::clone(&app),
            table,
            receiver,
            peer,
            seat,
            owner: role == Some(Role::Owner),
            last: since,
            behind: true,
            aside: aside.or(Some(since.map_or(0, |since| since.saturating_sub(ASIDE)))),
            queue: VecDeque::new(),
        };
        listener.greet(newest);
        if seat.is_some_and(|seat| !here.contains(&seat)) {
            listener.is_here();
        }
        if seat.is_some() {
            listener.table.hub.send(listener.table.hub.connected());
        }
        Ok(listener)
    }

    /// The first words: how soon to come back, and whether the listener knows more than we do.
    fn greet(&mut self, (seq, newest): (u64, astragal_fair::Hash)) {
        let mut jitter = [0; 2];
        // Without randomness all come back at once, which is no harm.
        let _ = getrandom::fill(&mut jitter);
        let retry = 1000 + u64::from(u16::from_le_bytes(jitter) % 1500);
        let mut text = format!(": a table\nretry: {retry}\n\n");
        if self.last.is_some_and(|last| last > seq) {
            let data = serde_json::json!({"seq": seq, "hash": newest.to_string()});
            text += &format!("event: behind\ndata: {data}\n\n");
            if self.seat.is_some() {
                self.app.is_behind(&self.table);
            }
            self.last = None;
        }
        self.queue.push_back(text.into());
    }

    /// The house is told at once that somebody is back.
    fn is_here(&self) {
        if let Some(here) = self.table.hub.here(self.app.limits.gone)
            && let Ok(orders) = self.app.orders()
        {
            let _ = orders.send(Order::Job(Box::new(Job::new(&self.table, Act::Present(here)))));
        }
    }

    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(bytes) = self.queue.pop_front() {
                return Some(bytes);
            }
            if self.behind {
                // A store that cannot be read ends the stream; the listener comes back.
                self.catch_up().await.ok()?;
                continue;
            }
            match self.receiver.recv().await {
                Ok(frame) => {
                    if let Some(bytes) = self.hears(&frame) {
                        return Some(bytes);
                    }
                }
                Err(RecvError::Lagged(_)) => {
                    add(&self.app.metrics.lagged);
                    self.behind = true;
                    let last = self.last.map_or(0, |last| last.saturating_sub(ASIDE));
                    self.aside = Some(self.aside.map_or(last, |aside| aside.min(last)));
                }
                Err(RecvError::Closed) => return None,
            }
        }
    }

    fn hears(&mut self, frame: &Frame) -> Option<Bytes> {
        let Some(seq) = frame.seq.filter(|_| frame.line) else {
            return self.may_see(&frame.to).then(|| frame.bytes.clone());
        };
        let next = self.last.map_or(0, |last| last + 1);
        if seq == next {
            self.last = Some(seq);
            return Some(frame.bytes.clone());
        }
        self.behind |= seq > next;
        None
    }

    fn may_see(&self, to: &Audience) -> bool {
        to.has(self.seat, self.owner)
    }

    /// Reads what was missed.
    async fn catch_up(&mut self) -> Result<(), Problem> {
        let (id, since, aside) = (self.table.id, self.last, self.aside);
        let page = reading(&self.app, move |shelf| Page::read(shelf, &id, since, aside)).await?;
        let mut text = String::new();
        let mut words = page.words.into_iter().peekable();
        for row in &page.rows {
            while let Some(said) = words.next_if(|said| said.seq <= row.seq) {
                let frame = words_frame(&said).filter(|frame| self.may_see(&frame.to));
                text.extend(frame.iter().map(|frame| String::from_utf8_lossy(&frame.bytes)));
            }
            let head = head(id, row.seq, hash(row.text.as_bytes()), row.sig);
            text += &line_event(row.seq, &row.text, &head);
            self.last = Some(row.seq);
        }
        if page.rows.len() < PAGE {
            self.behind = false;
            // The sign that what comes from here on is happening now.
            text += &String::from_utf8_lossy(&self.table.hub.connected().bytes);
            self.aside = None;
            for (seq, aside) in page.asides {
                let aside = Aside::read(&aside);
                let frame = aside.and_then(|aside| private_frame(&self.table, seq, &aside));
                let frame = frame.filter(|frame| self.may_see(&frame.to));
                text.extend(frame.iter().map(|frame| String::from_utf8_lossy(&frame.bytes)));
            }
        }
        if !text.is_empty() {
            self.queue.push_back(text.into());
        }
        Ok(())
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.table.hub.leave(self.seat);
        self.app.streams.end(self.peer);
        self.app.metrics.listeners.fetch_sub(1, std::sync::atomic::Ordering::Relaxed);
        if self.seat.is_some() {
            self.table.hub.send(self.table.hub.connected());
        }
    }
}

/// Lines, and what lies beside them.
struct Page {
    rows: Vec<Row>,
    words: Vec<Words>,
    asides: Vec<(u64, String)>,
}

impl Page {
    fn read(
        shelf: &dyn Shelf,
        id: &Id,
        since: Option<u64>,
        aside: Option<u64>,
    ) -> Result<Page, Failed> {
        // Words and hidden rolls first: lines that come in between bring theirs as frames.
        let words = shelf.words(id, since)?;
        let asides = aside.map_or(Ok(Vec::new()), |from| shelf.asides(id, from))?;
        Ok(Page { rows: shelf.lines(id, since, PAGE)?, words, asides })
    }
}
