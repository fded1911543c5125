//! What seats sign: rolls, testimony, everything else.

use std::sync::Arc;

use astragal_fair::formulas::said;
use astragal_fair::line::Opened;
use astragal_fair::request::{self, For, To};
use astragal_fair::{Bytes, Hash, Kind, exact, hash};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::oneshot;

use super::answer::{Body, lines, told};
use super::caller::{Behind, Caller};
use super::count::Count;
use super::reading;
use crate::house::{Act, Aside, Request, Signed as Said, head};
use crate::problem::Problem;
use crate::server::App;
use crate::store::Words;
use crate::tables::Table;
use crate::writer::{Done, Job, Order};

/// A request, as it is sent.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sent {
    request: String,
    sig: String,
    #[serde(default)]
    words: Option<SentWords>,
}

/// Words, as they are sent.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SentWords {
    salt: String,
    words: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfKind {
    kind: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Testimony {
    of: Count,
    value: Bytes<32>,
    next: Bytes<32>,
    sig: Bytes<64>,
}

pub(super) async fn roll(caller: Caller, Body(sent): Body<Sent>) -> Result<Response, Problem> {
    let (app, table, seat) = begin(caller)?;
    let request: Request<request::Roll> = Request::read(&sent.request, &sent.sig, &table.id)?;
    let kind = if request.body.to == To::All { Kind::Roll } else { Kind::Hidden };
    check(&app, &table, seat, kind, &request)?;
    let to = request.body.to.clone();
    let words = words(&app, &sent, label(request.body.r#for), &to, seat)?;
    let job = Job { words, ..Job::new(&table, Act::Roll(request)) };
    Signed { app: &app, table: &table }.line(answered(&app, job).await?).await
}

pub(super) async fn line(
    caller: Caller,
    Behind(OfKind { kind }): Behind<OfKind>,
    Body(sent): Body<Sent>,
) -> Result<Response, Problem> {
    let (app, table, seat) = begin(caller)?;
    let unknown = || {
        Problem::new(400, "wrong-field", "there is no such kind of line")
            .at("kind")
            .help("call, keep, set, rules, say, strike, typed, reveal, seal, left, end")
    };
    let kind = Kind::of(&kind).ok_or_else(unknown)?;
    let id = table.id;
    let job = match kind {
        Kind::Typed => {
            let request: Request<request::Typed> = Request::read(&sent.request, &sent.sig, &id)?;
            check(&app, &table, seat, kind, &request)?;
            let words = words(&app, &sent, label(request.body.r#for), &To::All, seat)?;
            Job { words, ..Job::new(&table, Act::Typed(request)) }
        }
        Kind::Reveal => {
            let request: Request<request::Reveal> = Request::read(&sent.request, &sent.sig, &id)?;
            check(&app, &table, seat, kind, &request)?;
            words(&app, &sent, None, &To::All, seat)?;
            let of = request.body.of;
            let aside = reading(&app, move |shelf| shelf.aside(&id, of)).await?;
            let aside = aside.as_deref().and_then(Aside::read).map(Box::new);
            Job::new(&table, Act::Reveal(request, aside))
        }
        _ => {
            let request = Said::read(kind, &sent.request, &sent.sig, &id).ok_or_else(unknown)??;
            check(&app, &table, seat, kind, &request)?;
            let words = words(&app, &sent, request.body.words(), &request.body.to(), seat)?;
            Job { words, ..Job::new(&table, Act::Sign(request)) }
        }
    };
    Signed { app: &app, table: &table }.line(answered(&app, job).await?).await
}

pub(super) async fn testify(
    caller: Caller,
    Body(sent): Body<Testimony>,
) -> Result<Response, Problem> {
    let seat = caller.seat()?;
    let Caller { app, table, .. } = caller;
    let opened: Opened = (seat, sent.value, sent.next, sent.sig);
    let done = answered(&app, Job::new(&table, Act::Hear(sent.of.0, opened))).await?;
    let Done::Heard(receipt) = done else { return Err(Problem::storage()) };
    let receipt = serde_json::to_value(receipt).map_err(|_| Problem::storage())?;
    Ok(told(StatusCode::OK, &receipt))
}

/// The table and the seat of somebody who wants to write a line, within limits.
fn begin(caller: Caller) -> Result<(Arc<App>, Arc<Table>, u64), Problem> {
    let seat = caller.seat()?;
    let Caller { app, table, .. } = caller;
    let often = |what: &str, wait| {
        Problem::new(429, "too-often", format!("too much is asked for by this {what}")).retry(wait)
    };
    app.of_seat.take((table.id, seat)).map_err(|wait| {
        crate::metrics::add(&app.metrics.refused);
        often("seat", wait)
    })?;
    app.of_table.take(table.id).map_err(|wait| {
        crate::metrics::add(&app.metrics.refused);
        often("table", wait)
    })?;
    Ok((app, table, seat))
}

/// Whether a request comes from the seat whose token was shown, and is signed by it.
fn check<T>(
    app: &App,
    table: &Table,
    seat: u64,
    kind: Kind,
    request: &Request<T>,
) -> Result<(), Problem> {
    if request.envelope.seat != seat {
        return Err(Problem::new(403, "not-your-seat", "the request is that of another seat")
            .at("request.seat")
            .expected(seat));
    }
    let by = table.with(|house| house.signer(seat))?.ok_or_else(Problem::storage)?;
    app.signed(request.check_signed(kind, &table.id, &by))
}

fn label(r#for: For) -> Option<Hash> {
    match r#for {
        For::Label(hash) => Some(hash),
        For::Nothing | For::Call(_) => None,
    }
}

/// Words, if they are those that the request names.
fn words(
    app: &App,
    sent: &Sent,
    named: Option<Hash>,
    to: &To,
    seat: u64,
) -> Result<Option<Words>, Problem> {
    let wrong = |what: &str| Problem::new(422, "words", what).at("words");
    let (hash, words) = match (named, &sent.words) {
        (None, None) => return Ok(None),
        (None, Some(_)) => return Err(wrong("the request names no words")),
        (Some(_), None) => return Err(wrong("the words that the request names are missing")),
        (Some(hash), Some(words)) => (hash, words),
    };
    let salt: Bytes<16> = Bytes::read(&words.salt)
        .ok_or_else(|| wrong("a salt is 32 lower-case hexadecimal digits"))?;
    if words.words.len() > app.limits.words {
        return Err(wrong("the words are too long").expected(app.limits.words));
    }
    if said(&salt.0, &words.words) != hash {
        return Err(
            wrong("the words are not those that the request names").expected(hash.to_string())
        );
    }
    let to = exact::write(to);
    Ok(Some(Words { seq: 0, hash, salt, text: words.words.clone(), seat, to }))
}

/// Sends a job to the writer, and waits for what comes of it.
pub(super) async fn answered(app: &App, job: Job) -> Result<Done, Problem> {
    let (answer, done) = oneshot::channel();
    let job = Job { answer: Some(answer), ..job };
    app.orders()?.send(Order::Job(Box::new(job)))?;
    done.await.map_err(|_| Problem::stopping())?
}

/// How a line is answered.
pub(super) struct Signed<'a> {
    pub(super) app: &'a Arc<App>,
    pub(super) table: &'a Arc<Table>,
}

impl Signed<'_> {
    /// The line with its head: the same bytes, whether it is new or stands there.
    pub(super) async fn line(&self, done: Done) -> Result<Response, Problem> {
        match done {
            Done::Line(body) => Ok(lines(StatusCode::CREATED, body)),
            Done::Repeated(seq) => {
                let id = self.table.id;
                let rows =
                    reading(self.app, move |shelf| shelf.lines(&id, seq.checked_sub(1), 1)).await?;
                let row = rows.first().ok_or_else(Problem::storage)?;
                let head = head(id, row.seq, hash(row.text.as_bytes()), row.sig);
                Ok(lines(StatusCode::OK, format!("{}\n{head}\n", row.text)))
            }
            Done::Heard(_) | Done::Nothing => Err(Problem::storage()),
        }
    }
}
