//! Looking after a table: new links, words that are deleted.

use astragal_fair::request::Role;
use astragal_fair::{Bytes, Hash};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::oneshot;

use super::answer::{Body, told};
use super::caller::{Caller, Named};
use super::reading;
use super::who::{fresh_secret, secret_hash};
use crate::problem::Problem;
use crate::store::LinkRole;
use crate::tables::Who;
use crate::writer::Order;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewLink {
    role: String,
}

pub(super) async fn link(caller: Caller, Body(wanted): Body<NewLink>) -> Result<Response, Problem> {
    let who = caller.who()?;
    let Caller { app, table, .. } = caller;
    let allowed = match who {
        Who::Link(role) => role == LinkRole::Owner,
        Who::Seat(seat) => table.with(|house| house.role(seat))? == Some(Role::Owner),
    };
    if !allowed {
        return Err(Problem::new(403, "not-for-you", "only a game master may do this"));
    }
    let role = LinkRole::of(&wanted.role).filter(|role| *role != LinkRole::Owner);
    let role = role.ok_or_else(|| {
        Problem::new(400, "wrong-field", "a new link is one for `player` or `watch`").at("role")
    })?;
    app.of_table.take(table.id).map_err(|wait| {
        Problem::new(429, "too-often", "too much is asked for by this table").retry(wait)
    })?;
    let secret = fresh_secret()?;
    let (answer, done) = oneshot::channel();
    app.orders()?.send(Order::Link(table, role, secret_hash(&secret), answer))?;
    done.await.map_err(|_| Problem::stopping())??;
    Ok(told(StatusCode::CREATED, &json!({"role": role.name(), "secret": secret})))
}

pub(super) async fn unsay(caller: Caller, Named(hash): Named) -> Result<Response, Problem> {
    let by = caller.seat()?;
    let Caller { app, table, .. } = caller;
    let unknown = || Problem::new(404, "no-such-words", "there are no such words at this table");
    let hash: Hash = Bytes::read(&hash).ok_or_else(unknown)?;
    let id = table.id;
    let all = reading(&app, move |shelf| shelf.words(&id, None)).await?;
    let words = all.iter().find(|words| words.hash == hash).ok_or_else(unknown)?;
    let owner = table.with(|house| house.role(by))? == Some(Role::Owner);
    if words.seat != by && !owner {
        return Err(Problem::new(
            403,
            "not-for-you",
            "only a game master or whoever said it may delete it",
        ));
    }
    let (answer, done) = oneshot::channel();
    app.orders()?.send(Order::Unsay(table, hash, answer))?;
    done.await.map_err(|_| Problem::stopping())??;
    Ok(StatusCode::NO_CONTENT.into_response())
}
