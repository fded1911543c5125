//! The document of the interface names the routes that there are, and its codes are those of `docs/table-api.md`.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod common;

use std::collections::BTreeSet;

use astragal_table::client::Wire;
use astragal_table::http::{OPENAPI, ROUTES};
use common::{LIMITS, Served, run};
use serde_json::Value as Json;

fn document() -> Json {
    serde_json::from_str(OPENAPI).expect("the document is JSON")
}

#[test]
fn it_names_the_routes_that_there_are() {
    let document = document();
    let mut told = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            told.insert((method.clone(), path.clone()));
        }
    }
    let routes = ROUTES.iter().map(|(method, path)| ((*method).to_owned(), (*path).to_owned()));
    assert_eq!(told, routes.collect());
}

/// Each route answers as a route: not with 404 for its path, nor with 405 for its method; any other method is refused.
#[test]
fn the_server_has_these_routes_and_no_other_methods() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::new(&folder.path().join("tables"), LIMITS);
    run(async {
        let mut wire = Wire::new(served.address);
        for (method, path) in ROUTES {
            let path = path.replace("{table}", &"0".repeat(32)).replace("{hash}", &"0".repeat(64));
            let body = (*method == "post").then_some("{}");
            let reply = wire.ask(&method.to_uppercase(), &path, None, body).await.unwrap();
            let code = reply.json()["code"].as_str().unwrap_or_default().to_owned();
            assert!(code != "no-such-path" && code != "method", "{method} {path}: {}", reply.body);
            let reply = wire.ask("PATCH", &path, None, None).await.unwrap();
            assert_eq!(reply.status, 405, "{path}");
        }
        let reply = wire.ask("GET", "/api/openapi.json", None, None).await.unwrap();
        assert_eq!(reply.json(), document());
    });
}

#[test]
fn the_page_in_words_has_the_same_codes_and_paths() {
    let words = include_str!("../../../docs/table-api.md");
    let document = document();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let named = path.replace("{table}", "{id}");
            assert!(words.contains(&named), "{method} {named} is not told in words");
            for answer in operation["responses"].as_object().unwrap().values() {
                let codes = answer["description"].as_str().unwrap_or_default();
                let problem = answer["content"]["application/problem+json"].is_object();
                for code in codes.split(", ").filter(|_| problem) {
                    assert!(words.contains(code), "{code} is not told in words");
                }
            }
        }
    }
}
