//! Making a table, and sitting down at it.

use std::sync::Arc;

use astragal_fair::line::Witness;
use astragal_fair::request::{self, Role};
use astragal_fair::{Bytes, Kind, Signature, Signer, library};
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::Response;
use ed25519_dalek::SigningKey;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::oneshot;

use super::Peer;
use super::answer::{Body, told};
use super::caller::Caller;
use super::count::Count;
use super::sign::{Signed, answered};
use super::who::{fresh_secret, is_secret, secret_hash};
use crate::house::{Act, House, Request, head};
use crate::problem::Problem;
use crate::server::App;
use crate::store::LinkRole;
use crate::tables::{People, Who, fresh_kept};
use crate::writer::{Done, Job, Order};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Make {
    #[serde(default = "always")]
    witness: Witness,
}

fn always() -> Witness {
    Witness::Always
}

pub(super) async fn make(
    State(app): State<Arc<App>>,
    Extension(Peer(peer)): Extension<Peer>,
    Body(wanted): Body<Make>,
) -> Result<Response, Problem> {
    app.address(peer)?;
    app.new_tables.take(peer).map_err(|wait| {
        Problem::new(429, "too-many-tables", "too many tables were made from this address")
            .retry(wait)
    })?;
    let kept = fresh_kept().ok_or_else(Problem::storage)?;
    let mut nonce = Bytes([0; 16]);
    getrandom::fill(&mut nonce.0).map_err(|_| Problem::storage())?;
    let key = SigningKey::from_bytes(&kept.key);
    let (house, first) = House::new(key, kept.secret, nonce, wanted.witness, library());
    let id = house.id();
    let mut secrets = Vec::new();
    for role in [LinkRole::Owner, LinkRole::Player, LinkRole::Watch] {
        secrets.push((role, fresh_secret()?));
    }
    let links: Vec<_> = secrets.iter().map(|(role, secret)| (*role, secret_hash(secret))).collect();
    let (answer, done) = oneshot::channel();
    let body = json!({
        "table": id.to_string(),
        "links": secrets.iter().map(|(role, secret)| (role.name().to_owned(), json!(secret)))
            .collect::<serde_json::Map<_, _>>(),
        "line": first.text,
        "head": head(id, first.seq, first.hash, first.sig),
    });
    let order = Order::Make(id, Box::new(kept), Box::new(first), links.clone(), answer);
    app.orders()?.send(order)?;
    done.await.map_err(|_| Problem::stopping())??;
    let people = People { links, tokens: Vec::new() };
    app.tables.as_ref().ok_or_else(Problem::storage)?.add(house, people);
    Ok(told(StatusCode::CREATED, &body))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sit {
    request: String,
    sig: String,
    token: String,
    #[serde(default)]
    vouched: Option<(Count, Signature)>,
}

pub(super) async fn sit(caller: Caller, Body(body): Body<Sit>) -> Result<Response, Problem> {
    let who = caller.who()?;
    let Caller { app, table, .. } = caller;
    let request: Request<request::Seat> = Request::read(&body.request, &body.sig, &table.id)?;
    let allowed = match who {
        Who::Link(LinkRole::Owner) => true,
        Who::Link(LinkRole::Player) => request.body.role == Role::Player,
        Who::Link(LinkRole::Watch) | Who::Seat(_) => false,
    };
    if !allowed {
        let what = format!("this secret is not good for a seat as {:?}", request.body.role);
        return Err(Problem::new(403, "not-for-you", what.to_lowercase())
            .help("a player link seats players, an owner link all"));
    }
    if !is_secret(&body.token) {
        return Err(Problem::new(
            400,
            "wrong-field",
            "a token is 32 lower-case hexadecimal digits",
        )
        .at("token")
        .help("make it of 16 fresh random bytes"));
    }
    let token = secret_hash(&body.token);
    let by = Signer::of(&request.body.key).ok_or_else(|| {
        Problem::new(422, "form", "the key is no key that can sign").at("request.key")
    })?;
    app.signed(request.check_signed(Kind::Seat, &table.id, &by))?;
    if request.envelope.seat >= app.limits.seats as u64 {
        return Err(Problem::new(429, "too-many-seats", "the table has no more seats"));
    }
    let seat = request.envelope.seat;
    let job = Job {
        token: Some(token),
        ..Job::new(&table, Act::Sit(request, body.vouched.map(|(Count(seat), sig)| (seat, sig))))
    };
    let done = answered(&app, job).await?;
    if let Done::Repeated(_) = done {
        // The same request once more: it must be the same device.
        let same = table.people().tokens.contains(&(seat, token));
        if !same {
            return Err(Problem::new(409, "seat-exists", "that seat was taken with another token"));
        }
    }
    Signed { app: &app, table: &table }.line(done).await
}
