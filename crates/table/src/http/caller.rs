//! Somebody who asks for something of a table: what every such request has in common.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Query, RawPathParams};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::{Peer, table_of, who};
use crate::house::House;
use crate::problem::Problem;
use crate::server::App;
use crate::tables::{Table, Who};

/// A caller within the limits of its address, and the table that its path names.
pub(super) struct Caller {
    pub(super) app: Arc<App>,
    pub(super) table: Arc<Table>,
    pub(super) peer: IpAddr,
    headers: HeaderMap,
}

impl Caller {
    /// Whose secret was shown.
    pub(super) fn who(&self) -> Result<Who, Problem> {
        who::who(&self.table, &self.headers)
    }

    /// The same where a watch link may stand in the address.
    pub(super) fn who_or_key(&self, key: Option<&str>) -> Result<Who, Problem> {
        who::who_or_key(&self.table, &self.headers, key)
    }

    /// What a header says.
    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The seat whose token was shown.
    pub(super) fn seat(&self) -> Result<u64, Problem> {
        who::seat(&self.table, &self.headers)
    }
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Caller, Problem> {
        let Some(&Peer(peer)) = parts.extensions.get() else { return Err(Problem::storage()) };
        app.address(peer)?;
        let id = in_path(parts, app, "table").await?;
        let table = table_of(app, &id).await?;
        if table.with(House::has_moved)? {
            return Err(Problem::moved());
        }
        Ok(Caller { app: Arc::clone(app), table, peer, headers: parts.headers.clone() })
    }
}

/// The hash that a path names.
pub(super) struct Named(pub(super) String);

impl FromRequestParts<Arc<App>> for Named {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Named, Problem> {
        in_path(parts, app, "hash").await.map(Named)
    }
}

/// A part of the path, by its name in the route. What is no text cannot name anything.
async fn in_path(parts: &mut Parts, app: &Arc<App>, name: &str) -> Result<String, Problem> {
    let all = RawPathParams::from_request_parts(parts, app).await.ok();
    let part = all.as_ref().and_then(|all| all.iter().find(|(key, _)| *key == name));
    Ok(part.map_or_else(String::new, |(_, value)| value.to_owned()))
}

/// What stands behind the `?` of an address.
pub(super) struct Behind<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequestParts<Arc<App>> for Behind<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Behind<T>, Problem> {
        let Query(behind) = Query::from_request_parts(parts, app).await.map_err(|wrong| {
            Problem::new(400, "wrong-field", wrong.body_text())
                .help("`/api/openapi.json` tells what may stand behind the `?`")
        })?;
        Ok(Behind(behind))
    }
}
