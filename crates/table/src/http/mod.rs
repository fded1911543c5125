//! HTTP: what `docs/table-api.md` tells, as routes.
//!
//! | where | what |
//! |---|---|
//! | `connection` | connections, within limits; how they end when the server stops |
//! | `answer` | problems as `problem+json`; bodies as JSON |
//! | `caller` | what all requests to a table have in common |
//! | `count` | numbers, as they come in |
//! | `who` | secrets, and what they are good for |
//! | `make`, `sign`, `read`, `events`, `care`, `odds` | the routes |
//! | `told` | the second address |

mod answer;
mod caller;
mod care;
mod connection;
mod count;
mod events;
mod make;
mod odds;
mod read;
mod sign;
mod told;
mod who;

use std::net::IpAddr;
use std::sync::Arc;

use astragal_fair::{Bytes, Id};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, delete, get, post};
use tower_http::catch_panic::CatchPanicLayer;

use crate::problem::Problem;
use crate::server::App;
use crate::tables::Table;

pub(crate) use connection::serve;
pub(crate) use told::told;

/// Where somebody asks from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// The document of this interface.
pub const OPENAPI: &str = include_str!("../../openapi.json");

/// All routes: method, path. The document has the same ones; a test compares.
pub const ROUTES: &[(&str, &str)] = &[
    ("post", "/api/tables"),
    ("get", "/api/tables/{table}"),
    ("post", "/api/tables/{table}/seats"),
    ("post", "/api/tables/{table}/rolls"),
    ("post", "/api/tables/{table}/testimony"),
    ("post", "/api/tables/{table}/lines"),
    ("get", "/api/tables/{table}/events"),
    ("get", "/api/tables/{table}/log"),
    ("get", "/api/tables/{table}/words"),
    ("delete", "/api/tables/{table}/words/{hash}"),
    ("post", "/api/tables/{table}/links"),
    ("post", "/api/odds"),
    ("post", "/api/check"),
    ("get", "/api/openapi.json"),
];

/// The routes of a server. Without tables it gives out the page alone.
pub(crate) fn router(app: Arc<App>) -> Router {
    let tables = app.tables.is_some();
    let mut router = Router::new();
    if tables {
        router = router
            .route("/api/tables", post(make::make))
            .route("/api/tables/{table}", get(read::table))
            .route("/api/tables/{table}/seats", post(make::sit))
            .route("/api/tables/{table}/rolls", post(sign::roll))
            .route("/api/tables/{table}/testimony", post(sign::testify))
            .route("/api/tables/{table}/lines", post(sign::line))
            .route("/api/tables/{table}/events", get(events::events))
            .route("/api/tables/{table}/log", get(read::log))
            .route("/api/tables/{table}/words", get(read::words))
            .route("/api/tables/{table}/words/{hash}", delete(care::unsay))
            .route("/api/tables/{table}/links", post(care::link))
            .route("/api/odds", post(odds::odds))
            .route("/api/check", post(odds::check))
            .route("/api/openapi.json", get(document))
            .route("/api/{*rest}", any(no_path))
            .method_not_allowed_fallback(wrong_method);
    }
    router
        .fallback(page)
        .layer(DefaultBodyLimit::max(app.limits.body))
        .layer(CatchPanicLayer::custom(|_| {
            Problem::new(500, "internal", "something went wrong here").into_response()
        }))
        .with_state(app)
}

async fn document() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

async fn no_path() -> Problem {
    Problem::new(404, "no-such-path", "there is nothing at this address")
        .help("`/api/openapi.json` lists all addresses")
}

async fn wrong_method(method: Method) -> Problem {
    Problem::new(405, "method", format!("this address does not take {method}"))
}

/// What the page needs to know of a request.
fn asked(request: &Request) -> astragal_serve::Request {
    let header = |name: &str| {
        let value = request.headers().get(name);
        value.map_or_else(String::new, |value| {
            String::from_utf8_lossy(value.as_bytes()).into_owned()
        })
    };
    astragal_serve::Request {
        method: request.method().as_str().to_owned(),
        path: request.uri().path().to_owned(),
        query: request.uri().query().unwrap_or_default().to_owned(),
        host: header("host"),
        secure: header("x-forwarded-proto") == "https",
        encodings: header("accept-encoding"),
    }
}

/// Everything else is the page.
async fn page(State(app): State<Arc<App>>, request: Request) -> Response {
    let asked = asked(&request);
    let asked = if app.tables.is_some() { asked.at_a_table() } else { asked };
    // A preview may take a moment, and a file takes none.
    let answer = if asked.is_slow() {
        tokio::task::spawn_blocking(move || astragal_serve::answer(&asked)).await
    } else {
        Ok(astragal_serve::answer(&asked))
    };
    let Ok(answer) = answer else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let mut response = Response::new(axum::body::Body::from(answer.body));
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or_default();
    for (name, value) in answer.headers {
        if let Ok(value) = value.parse() {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// A table by its id, read if need be.
async fn table_of(app: &Arc<App>, id: &str) -> Result<Arc<Table>, Problem> {
    let unknown = || {
        Problem::new(404, "no-such-table", "there is no such table")
            .help("a table's id is 32 lower-case hexadecimal digits; ask for the link again")
    };
    let id: Id = Bytes::read(id).ok_or_else(unknown)?;
    let tables = app.tables.as_ref().ok_or_else(unknown)?;
    if let Some(table) = tables.known(&id) {
        return Ok(table);
    }
    let app = Arc::clone(app);
    let read = tokio::task::spawn_blocking(move || match &app.tables {
        Some(tables) => tables.read(&id),
        None => Ok(None),
    });
    read.await.map_err(|_| Problem::storage())??.ok_or_else(unknown)
}

/// Reads from the store, away from the tasks that feed listeners.
async fn reading<T: Send + 'static>(
    app: &Arc<App>,
    read: impl FnOnce(&dyn crate::store::Shelf) -> Result<T, crate::store::Failed> + Send + 'static,
) -> Result<T, Problem> {
    let shelf = app.shelf.clone().ok_or_else(Problem::storage)?;
    let read = tokio::task::spawn_blocking(move || read(&*shelf));
    read.await.map_err(|_| Problem::storage())?.map_err(|_| Problem::storage())
}
