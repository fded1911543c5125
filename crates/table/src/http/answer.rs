//! Bodies: JSON in, JSON and JSON lines out, problems as `problem+json`.

use axum::body::Bytes;
use axum::extract::FromRequest;
use axum::extract::Request;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use crate::problem::Problem;

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut body = json!({
            "type": "about:blank",
            "title": status.canonical_reason().unwrap_or("Error"),
            "status": status.as_u16(),
            "code": self.code,
            "detail": self.detail,
        });
        let parts: [(&str, Option<Json>); 3] = [
            ("place", self.place.map(Json::from)),
            ("expected", self.expected.map(|expected| *expected)),
            ("help", self.help.map(Json::from)),
        ];
        let more = self.more.map(|more| (more.0, Some(more.1)));
        for (name, value) in parts.into_iter().chain(more) {
            if let Some(value) = value {
                body[name] = value;
            }
        }
        let mut response = (status, body.to_string()).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(after) = self.retry {
            let seconds = after.as_secs_f64().ceil().max(1.0) as u64;
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// A body of JSON, in a known shape.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Problem> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let json = kind.is_none_or(|kind| {
            let kind = kind.split(';').next().unwrap_or_default().trim();
            kind.eq_ignore_ascii_case("application/json")
        });
        if !json {
            return Err(Problem::new(415, "not-json", "the body is not called JSON")
                .help("send `Content-Type: application/json`"));
        }
        let bytes = Bytes::from_request(request, state).await.map_err(|why| too_large(&why))?;
        let bytes: &[u8] = if bytes.is_empty() { b"{}" } else { &bytes };
        serde_json::from_slice(bytes).map(Body).map_err(|wrong| match wrong.classify() {
            serde_json::error::Category::Data => {
                Problem::new(400, "wrong-field", format!("the body has another shape: {wrong}"))
                    .help("`/api/openapi.json` tells what is sent where")
            }
            _ => Problem::new(400, "not-json", format!("the body is no JSON: {wrong}")),
        })
    }
}

fn too_large(why: &BytesRejection) -> Problem {
    match why.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            Problem::new(413, "too-large", "the body is too large").help("64 KiB is the most")
        }
        _ => Problem::new(400, "not-json", "the body could not be read"),
    }
}

/// JSON lines, never kept by anybody in between.
pub(crate) fn lines(status: StatusCode, text: impl Into<axum::body::Body>) -> Response {
    let headers =
        [(header::CONTENT_TYPE, "application/jsonl"), (header::CACHE_CONTROL, "no-store")];
    (status, headers, text.into()).into_response()
}

/// JSON.
pub(crate) fn told(status: StatusCode, value: &Json) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    (status, headers, value.to_string()).into_response()
}
