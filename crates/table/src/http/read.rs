//! Reading a table.

use astragal_fair::hash;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::answer::{lines, told};
use super::caller::{Behind, Caller};
use super::count::Count;
use super::reading;
use crate::export;
use crate::house::{Audience, head};
use crate::problem::Problem;
use crate::store::Words;
use crate::tables::Who;
use crate::writer::audience;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Since {
    since: Option<Count>,
    key: Option<String>,
}

pub(super) async fn table(caller: Caller) -> Result<Response, Problem> {
    let you = match caller.who()? {
        Who::Link(role) => json!({"role": role.name(), "seat": null}),
        Who::Seat(seat) => json!({"role": "seat", "seat": seat}),
    };
    let table = &caller.table;
    let value = table.with(|house| {
        let seats: Vec<Json> = (0u64..)
            .zip(house.seated())
            .map(|(seat, (name, role, present, left, n))| {
                let online = table.hub.is_online(seat);
                json!({
                    "seat": seat, "name": name, "role": role, "present": present, "left": left,
                    "online": online, "n": n,
                })
            })
            .collect();
        json!({
            "table": table.id.to_string(),
            "you": you,
            "seq": house.seq().saturating_sub(1),
            "hash": house.newest().to_string(),
            "witness": house.witness(),
            "ended": house.has_ended(),
            "next_seat": house.seats(),
            "ask": house.asks().map(|(line, _)| line),
            "seats": seats,
        })
    })?;
    Ok(told(StatusCode::OK, &value))
}

pub(super) async fn log(caller: Caller, Behind(query): Behind<Since>) -> Result<Response, Problem> {
    caller.who_or_key(query.key.as_deref())?;
    let id = caller.table.id;
    let since = query.since.map(|Count(line)| line);
    let form = form(&caller);
    if form != Form::Lines {
        let words = readable(&caller, caller.who_or_key(query.key.as_deref())?).await?;
        let rows =
            reading(&caller.app, move |shelf| shelf.lines(&id, None, usize::MAX >> 1)).await?;
        let told = tokio::task::spawn_blocking(move || {
            let texts = rows.iter().map(|row| &*row.text);
            let said = words.into_iter().map(|words| (words.hash, words.text)).collect();
            match form {
                Form::Csv => export::csv(&export::entries(&id, texts, &said)),
                _ => export::markdown(&export::entries(&id, texts, &said)),
            }
        });
        let told = told.await.map_err(|_| Problem::storage())?;
        return Ok(([(header::CONTENT_TYPE, form.name())], told).into_response());
    }
    let text = reading(&caller.app, move |shelf| {
        let rows = shelf.lines(&id, since, usize::MAX >> 1)?;
        let mut text = String::with_capacity(rows.iter().map(|row| row.text.len() + 1).sum());
        for row in &rows {
            text += &row.text;
            text.push('\n');
        }
        if let Some(row) = rows.last() {
            text += &head(id, row.seq, hash(row.text.as_bytes()), row.sig);
            text.push('\n');
        }
        Ok(text)
    });
    Ok(lines(StatusCode::OK, text.await?))
}

/// In which form a log is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Lines,
    Csv,
    Markdown,
}

impl Form {
    fn name(self) -> &'static str {
        match self {
            Form::Lines => "application/jsonl",
            Form::Csv => "text/csv; charset=utf-8",
            Form::Markdown => "text/markdown; charset=utf-8",
        }
    }
}

/// The first of `Accept` that there is.
fn form(caller: &Caller) -> Form {
    let wanted = caller.header("accept");
    let known = |kind: &str| match kind.split(';').next().unwrap_or_default().trim() {
        "text/csv" => Some(Form::Csv),
        "text/markdown" => Some(Form::Markdown),
        "application/jsonl" => Some(Form::Lines),
        _ => None,
    };
    wanted.split(',').find_map(known).unwrap_or(Form::Lines)
}

/// The words that somebody may read.
async fn readable(caller: &Caller, who: Who) -> Result<Vec<Words>, Problem> {
    let Caller { app, table, .. } = caller;
    let id = table.id;
    let all = reading(app, move |shelf| shelf.words(&id, None)).await?;
    let seat = if let Who::Seat(seat) = who { Some(seat) } else { None };
    let owner = seat.map(|seat| table.with(|house| house.role(seat))).transpose()?.flatten();
    let owner = owner == Some(astragal_fair::request::Role::Owner);
    let may = |audience: Audience| audience.has(seat, owner);
    Ok(all.into_iter().filter(|words| audience(&words.to, words.seat).is_some_and(may)).collect())
}

pub(super) async fn words(caller: Caller) -> Result<Response, Problem> {
    let readable = readable(&caller, caller.who()?).await?;
    let told_words: Vec<Json> = readable
        .iter()
        .map(|words| {
            json!({
                "seq": words.seq, "hash": words.hash.to_string(), "salt": words.salt.to_string(),
                "words": words.text,
            })
        })
        .collect();
    Ok(told(StatusCode::OK, &Json::from(told_words)))
}
