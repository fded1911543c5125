//! `astragal table`: one command, one file; its log is what `astragal verify` reads.

#![cfg(feature = "server")]

mod common;

use std::path::Path;

use common::astragal;
use common::served::Served;
use serde_json::Value as Json;

fn served(data: &Path) -> Served {
    let data = data.to_str().expect("a path that is text");
    let quiet = ["--metrics", "localhost:0", "--no-open", "--json", "--data", data];
    Served::new(&[&["table", "--listen", "127.0.0.1:0"], &quiet[..]].concat())
}

fn ask(served: &Served, head: &str, body: &str) -> String {
    let length = body.len();
    let request = format!(
        "{head} HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    served.send(request.as_bytes())
}

#[test]
fn a_table_is_made_and_its_log_verified() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let served = served(&path("tables"));
    let page = ask(&served, "GET /t/", "");
    assert!(page.starts_with("HTTP/1.1 200") || page.starts_with("HTTP/1.1 503"), "{page}");
    let made = ask(&served, "POST /api/tables", "{}");
    assert!(made.starts_with("HTTP/1.1 201"), "{made}");
    let told: Json =
        serde_json::from_str(made.split("\r\n\r\n").nth(1).expect("a body")).expect("JSON");
    let (table, key) =
        (told["table"].as_str().expect("an id"), told["links"]["watch"].as_str().expect("a link"));
    let log = ask(&served, &format!("GET /api/tables/{table}/log?key={key}"), "");
    let log = log.split("\r\n\r\n").nth(1).expect("a body");
    std::fs::write(path("log"), log).expect("a file");
    let text = |name: &str| path(name).display().to_string();
    let ran = astragal(&["verify", &text("log")]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    // A second server on the same file is refused; a copy is made while the first one runs.
    let ran =
        astragal(&["table", "--no-open", "--listen", "127.0.0.1:0", "--data", &text("tables")]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("another server has this file open"), "{}", ran.err);
    let ran = astragal(&["table", "backup", &text("copy"), "--data", &text("tables")]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = astragal(&["table", "restore", &text("log"), "--data", &text("copy"), "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let told: Json = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((&told["table"], &told["new"]), (&Json::from(table), &Json::from(0)));
    let ran = astragal(&["table", "restore", &text("log"), "--data", &text("nothing")]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("a log holds no keys"), "{}", ran.err);
}

#[test]
fn a_table_moves_to_another_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = |name: &str| folder.path().join(name).display().to_string();
    let old = served(&folder.path().join("old"));
    let made = ask(&old, "POST /api/tables", "{}");
    let told: Json =
        serde_json::from_str(made.split("\r\n\r\n").nth(1).expect("a body")).expect("JSON");
    let (table, key) =
        (told["table"].as_str().expect("an id"), told["links"]["watch"].as_str().expect("a link"));
    let refuses = |words: &[&str], why: &str| {
        let ran = astragal(words);
        assert_eq!(ran.code, 2, "{words:?}");
        assert!(ran.err.contains(why), "{}", ran.err);
    };
    let ran = astragal(&["table", "invite", "--data", &text("new"), "--json"]);
    let invited: Json = serde_json::from_str(&ran.out).expect("JSON");
    let to = invited["key"].as_str().expect("a key");
    let (parcel, from) = (text("parcel"), text("old"));
    let moving = ["table", "move", &parcel, "--data", &from, "--table", table, "--to", to];
    refuses(&moving, "another server has this file open");
    drop(old);
    refuses(&["table", "move", &parcel, "--data", &from], "`--table ID`");
    refuses(
        &["table", "move", &parcel, "--data", &from, "--table", "x", "--to", to],
        "32 lower-case",
    );
    refuses(&["table", "move", "--data", &from, "--table", table, "--to", to], "needs a file");
    refuses(&["table", "invite", "file", "--data", &from], "takes no file");
    let ran = astragal(&moving);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = astragal(&["table", "accept", &parcel, "--data", &text("new")]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains(&format!("table {table} is here, with 3 lines")), "{}", ran.out);
    refuses(&["table", "accept", &parcel, "--data", &text("new")], "is here already");
    let new = served(&folder.path().join("new"));
    let log = ask(&new, &format!("GET /api/tables/{table}/log?key={key}"), "");
    std::fs::write(text("log"), log.split("\r\n\r\n").nth(1).expect("a body")).expect("a file");
    let ran = astragal(&["verify", &text("log")]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}
