//! The second address: for whoever runs the server.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::server::App;

pub(crate) fn told(app: Arc<App>) -> Router {
    Router::new().route("/healthz", get(health)).route("/metrics", get(metrics)).with_state(app)
}

async fn health(State(app): State<Arc<App>>) -> Response {
    match (app.is_stopping(), app.metrics.trouble()) {
        (true, _) => (StatusCode::SERVICE_UNAVAILABLE, "stopping\n").into_response(),
        (_, Some(trouble)) => {
            (StatusCode::SERVICE_UNAVAILABLE, format!("nothing can be written: {trouble}\n"))
                .into_response()
        }
        (false, None) => (StatusCode::OK, "ok\n").into_response(),
    }
}

async fn metrics(State(app): State<Arc<App>>) -> Response {
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], app.metrics.text()).into_response()
}
