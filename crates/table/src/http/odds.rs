//! Odds and checks, for clients without the engine.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::Peer;
use super::answer::{Body, told};
use crate::metrics::add;
use crate::problem::Problem;
use crate::server::App;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    text: String,
    #[serde(default)]
    inputs: BTreeMap<String, String>,
}

pub(super) async fn odds(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Body(asked): Body<Asked>,
) -> Result<Response, Problem> {
    answer(&app, peer, "odds", asked).await
}

pub(super) async fn check(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Body(asked): Body<Asked>,
) -> Result<Response, Problem> {
    answer(&app, peer, "check", asked).await
}

async fn answer(app: &App, Peer(peer): Peer, ask: &str, asked: Asked) -> Result<Response, Problem> {
    app.of_odds.take(peer).map_err(|wait| {
        add(&app.metrics.odds_refused);
        Problem::new(429, "too-often", "too many odds are asked for from this address").retry(wait)
    })?;
    let steps = app.limits.odds_steps;
    let request = json!({"ask": ask, "text": asked.text, "inputs": asked.inputs, "steps": steps});
    let done = app.odds.ask(request.to_string()).ok_or_else(|| {
        add(&app.metrics.odds_refused);
        Problem::new(503, "busy", "too many odds wait already")
            .help("ask again in a moment")
            .retry(std::time::Duration::from_secs(2))
    })?;
    let text = done.await.map_err(|_| Problem::stopping())?;
    let value: Json = serde_json::from_str(&text).map_err(|_| Problem::storage())?;
    add(&app.metrics.odds);
    if value["ok"] == true {
        return Ok(told(StatusCode::OK, &value));
    }
    let diagnostics = value["diagnostics"].clone();
    let message = diagnostics[0]["message"].as_str().unwrap_or("the program is wrong").to_owned();
    let problem = Problem::new(422, "program", message).at("text");
    Err(Problem { more: Some(Box::new(("diagnostics", diagnostics))), ..problem })
}
