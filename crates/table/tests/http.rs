//! A whole server over real connections: what `docs/table-api.md` says.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod common;

use std::time::{Duration, Instant};

use astragal_fair::formulas::said;
use astragal_fair::request::{self, Nothing, Role, To};
use astragal_fair::{Bytes, Kind, Made, hash};
use astragal_table::Limits;
use astragal_table::client::{Stream, Wire};
use common::{LIMITS, Served, Table, run, verified};
use serde_json::json;

#[test]
fn three_people_roll_and_every_device_checks_every_line() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::new(&folder.path().join("tables"), LIMITS);
    run(async {
        let table = Table::new(served.address, "always").await;
        let mut mara = table.sit("Mara", Role::Owner, 1).await;
        let ulf = table.sit("Ulf", Role::Player, 2).await;
        let ida = table.sit("Ida", Role::Player, 3).await;
        let others = [tokio::spawn(ulf.go_on()), tokio::spawn(ida.go_on())];
        for _ in 0..3 {
            let answer = mara.roll("4d6kh3", To::All).await;
            assert_eq!(answer.status, 201, "{}", answer.body);
            assert!(answer.body.contains(r#""kind":"ask""#), "{}", answer.body);
            let (_, line) = mara.until("close").await;
            assert!(line.contains(r#""outcome":["value","#), "{line}");
        }
        let report = table.verify().await;
        assert_eq!(report.seats[0].made(Made::Witnessed), 3, "{report:?}");
        assert_eq!(report.seats[1].asked, 3);
        others.iter().for_each(tokio::task::JoinHandle::abort);
    });
}

#[test]
fn who_is_silent_is_named_and_the_roll_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { testimony: Duration::from_millis(300), ..LIMITS };
    let served = Served::new(&folder.path().join("tables"), limits);
    run(async {
        let table = Table::new(served.address, "always").await;
        let mut mara = table.sit("Mara", Role::Owner, 1).await;
        let mut ulf = table.sit("Ulf", Role::Player, 2).await;
        let mut ida = table.sit("Ida", Role::Player, 3).await;
        ulf.silent = true;
        let ida_listens = tokio::spawn(async move {
            ida.until("close").await;
            ida
        });
        mara.roll("d20", To::All).await;
        let begun = Instant::now();
        mara.until("again").await;
        mara.until("close").await;
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
        // He missed, so his testimony is not wanted any more.
        let (ask, _) = ulf.until("ask").await;
        ulf.until("close").await;
        let late = ulf.player.clone().testimony(ask);
        assert_eq!(ulf.post("/testimony", &late).await.json()["code"], "ask-closed");
        // He lays a new seal, and is a witness again.
        ulf.silent = false;
        let seal = ulf.player.seal();
        assert_eq!(ulf.post("/lines?kind=seal", &seal).await.status, 201);
        let mut ida = ida_listens.await.unwrap();
        let listening = [
            tokio::spawn(ulf.go_on()),
            tokio::spawn(async move {
                loop {
                    ida.step().await;
                }
            }),
        ];
        mara.until("seal").await;
        mara.roll("d20", To::All).await;
        mara.until("close").await;
        let report = table.verify().await;
        assert_eq!((report.seats[0].missing, report.seats[0].witnessed), (1, 1), "{report:?}");
        assert_eq!(report.seats[1].missed, 1);
        listening.iter().for_each(tokio::task::JoinHandle::abort);
    });
}

#[test]
fn a_repeated_request_has_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::new(&folder.path().join("tables"), LIMITS);
    run(async {
        let table = Table::new(served.address, "never").await;
        let mut mara = table.sit("Mara", Role::Owner, 1).await;
        let body = mara.player.roll("d20", To::All);
        let first = mara.post("/rolls", &body).await;
        let second = mara.post("/rolls", &body).await;
        assert_eq!((first.status, second.status), (201, 200));
        assert_eq!(first.body, second.body);
        mara.until("roll").await;
        // The same place at the table, once more.
        let mut ulf = table.guest("Ulf", Role::Player, 2).await;
        let body = ulf.sit();
        let first = table.ask("POST", "/seats", table.link("player"), Some(&body)).await;
        let second = table.ask("POST", "/seats", table.link("player"), Some(&body)).await;
        assert_eq!((first.status, second.status), (201, 200), "{}", second.body);
        assert_eq!(first.body, second.body);
        let mut other = body.clone();
        other["token"] = "00112233445566778899aabbccddeeff".into();
        let third = table.ask("POST", "/seats", table.link("player"), Some(&other)).await;
        assert_eq!((third.status, &third.json()["code"]), (409, &json!("seat-exists")));
    });
}

#[test]
fn what_is_wrong_has_a_code_and_a_place() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::new(&folder.path().join("tables"), LIMITS);
    run(async {
        let table = Table::new(served.address, "never").await;
        let mut mara = table.sit("Mara", Role::Owner, 1).await;
        let mut ulf = table.sit("Ulf", Role::Player, 2).await;
        let code = |reply: &astragal_table::client::Reply| {
            assert_eq!(reply.header("content-type"), Some("application/problem+json"), "{reply:?}");
            let told = reply.json();
            assert_eq!(told["status"], reply.status);
            (reply.status, told["code"].as_str().unwrap().to_owned())
        };
        let is = |status: u16, code: &str| (status, code.to_owned());
        let mut wire = Wire::new(served.address);
        let unknown = format!("/api/tables/{}", "0".repeat(32));
        let reply = wire.ask("GET", &unknown, None, None).await.unwrap();
        assert_eq!(code(&reply), is(404, "no-such-table"));
        let reply = wire.ask("GET", "/api/nothing", None, None).await.unwrap();
        assert_eq!(code(&reply), is(404, "no-such-path"));
        let reply = wire.ask("DELETE", "/api/tables", None, None).await.unwrap();
        assert_eq!(code(&reply), is(405, "method"));
        let reply = wire.ask("GET", &table.path(""), None, None).await.unwrap();
        assert_eq!(code(&reply), is(401, "no-secret"));
        let reply = table.ask("GET", "", &"0".repeat(32), None).await;
        assert_eq!(code(&reply), is(401, "unknown-secret"));
        let reply = wire.ask("POST", "/api/tables", None, Some("{")).await.unwrap();
        assert_eq!(code(&reply), is(400, "not-json"));
        let reply = wire.ask("POST", "/api/tables", None, Some("{\"x\":1}")).await.unwrap();
        assert_eq!(code(&reply), is(400, "wrong-field"));
        let large = "x".repeat(70_000);
        let reply = wire.ask("POST", "/api/tables", None, Some(&large)).await.unwrap();
        assert_eq!(code(&reply), is(413, "too-large"));
        let body = ulf.player.roll("d20", To::All);
        let reply = mara.post("/rolls", &body).await;
        assert_eq!(code(&reply), is(403, "not-your-seat"));
        let reply = table.ask("POST", "/rolls", table.link("watch"), Some(&body)).await;
        assert_eq!(code(&reply), is(403, "not-for-you"));
        let mut forged = body.clone();
        forged["sig"] = "0".repeat(128).into();
        let reply = ulf.post("/rolls", &forged).await;
        assert_eq!(code(&reply), is(403, "signature"));
        // What was meant for all is not hidden by signing it so.
        ulf.player.device.n -= 1;
        let salt = ulf.player.fresh();
        let open = request::Roll {
            salt,
            text: "d20".into(),
            inputs: Vec::new(),
            to: To::All,
            r#for: request::For::Nothing,
        };
        let hidden = ulf.player.sign(Kind::Hidden, &open);
        assert_eq!(code(&ulf.post("/rolls", &hidden).await), is(403, "signature"));
        ulf.player.device.n -= 1;
        let strike = ulf.player.sign(Kind::Strike, &request::Strike { of: 1, words: hash(b"") });
        let reply = ulf.post("/lines?kind=strike", &strike).await;
        assert_eq!(reply.json()["code"], "words");
        let reply = ulf.post("/lines?kind=roll", &body).await;
        assert_eq!(code(&reply), is(400, "wrong-field"));
        ulf.player.device.n -= 1;
        let end = ulf.player.sign(Kind::End, &Nothing {});
        assert_eq!(code(&ulf.post("/lines?kind=end", &end).await), is(403, "not-for-you"));
        // A player link seats no game master.
        let mut nora = table.guest("Nora", Role::Owner, 9).await;
        let body = nora.sit();
        let reply = table.ask("POST", "/seats", table.link("player"), Some(&body)).await;
        assert_eq!(code(&reply), is(403, "not-for-you"));
        let reply = table.ask("POST", "/seats", table.link("owner"), Some(&body)).await;
        assert_eq!(code(&reply), is(422, "vouched"));
        table.verify().await;
    });
}

#[test]
fn words_lie_beside_the_log_and_can_be_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::new(&folder.path().join("tables"), LIMITS);
    run(async {
        let table = Table::new(served.address, "never").await;
        let mut mara = table.sit("Mara", Role::Owner, 1).await;
        let mut ulf = table.sit("Ulf", Role::Player, 2).await;
        let salt = [7; 16];
        for (to, words) in [(To::All, "hello"), (To::Owner, "psst")] {
            let hash = said(&salt, words);
            let mut body = ulf.player.sign(Kind::Say, &request::Say { to, words: hash });
            let without = ulf.post("/lines?kind=say", &body).await;
            assert_eq!(without.json()["code"], "words");
            body["words"] = json!({"salt": Bytes(salt).to_string(), "words": words});
            let said = ulf.post("/lines?kind=say", &body).await;
            assert_eq!(said.status, 201, "{}", said.body);
            ulf.until("say").await;
            assert_eq!(ulf.event("words").await["words"], words);
            mara.until("say").await;
            assert_eq!(mara.event("words").await["words"], words);
        }
        let seen = |reply: astragal_table::client::Reply| {
            let all = reply.json();
            let all =
                all.as_array().unwrap().iter().map(|it| it["words"].as_str().unwrap().to_owned());
            all.collect::<Vec<_>>()
        };
        let watch = table.link("watch");
        assert_eq!(seen(table.ask("GET", "/words", watch, None).await), ["hello"]);
        let token = mara.player.token.clone();
        assert_eq!(seen(table.ask("GET", "/words", &token, None).await), ["hello", "psst"]);
        let path = format!("/words/{}", said(&salt, "hello"));
        assert_eq!(table.ask("DELETE", &path, watch, None).await.status, 403);
        assert_eq!(table.ask("DELETE", &path, &token, None).await.status, 204);
        assert_eq!(seen(table.ask("GET", "/words", watch, None).await), Vec::<String>::new());
        table.verify().await;
    });
}

#[test]
fn a_log_is_given_out_as_a_table_with_the_words_that_one_may_read() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::new(&folder.path().join("tables"), LIMITS);
    run(async {
        let table = Table::new(served.address, "never").await;
        let mut mara = table.sit("Mara", Role::Owner, 1).await;
        mara.roll("2d6 + 100", To::All).await;
        let (seq, _) = mara.until("roll").await;
        let salt = [7; 16];
        let asked = request::Say { to: To::Owner, words: said(&salt, "psst, \"you\"") };
        let mut body = mara.player.sign(Kind::Say, &asked);
        body["words"] = json!({"salt": Bytes(salt).to_string(), "words": "psst, \"you\""});
        assert_eq!(mara.post("/lines?kind=say", &body).await.status, 201);
        let token = mara.player.token.clone();
        // The header goes where the secret does.
        let wanted = async |secret: &str, kind: &str| {
            let secret = format!("{secret}\r\naccept: text/html;q=0.3, {kind};q=0.9, */*");
            table.ask("GET", "/log", &secret, None).await.body
        };
        let csv = wanted(&token, "text/csv").await;
        assert!(csv.starts_with("line,who,kind,program,"), "{csv}");
        assert!(csv.contains(&format!("\r\n{seq},Mara,roll,2d6 + 100,,d6 ")), "{csv}");
        assert!(csv.contains(",say,,,,,\"psst, \"\"you\"\"\","), "{csv}");
        let watched = wanted(table.link("watch"), "text/csv").await;
        assert!(watched.contains("Mara,say,") && !watched.contains("psst"), "{watched}");
        let markdown = wanted(&token, "text/markdown").await;
        assert!(markdown.contains(&format!("| {seq} | Mara | `2d6 + 100` | d6 ")), "{markdown}");
        assert!(wanted(&token, "text/plain").await.starts_with(r#"{"seq":0,"#));
    });
}

#[test]
fn a_stream_resumes_after_the_line_that_was_seen() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("tables");
    let served = Served::new(&data, LIMITS);
    run(async {
        let table = Table::new(served.address, "never").await;
        let mut mara = table.sit("Mara", Role::Owner, 1).await;
        for _ in 0..5 {
            mara.roll("d6", To::All).await;
            mara.until("roll").await;
        }
        let mut late = table.listen(table.link("watch"), Some(3)).await;
        let mut ids = Vec::new();
        while ids.len() < 3 {
            ids.extend(late.next().await.unwrap().unwrap().id);
        }
        assert_eq!(ids, [4, 5, 6]);
        // A listener that knows more than the server is told so.
        let mut ahead = table.listen(table.link("watch"), Some(99)).await;
        let behind = loop {
            let event = ahead.next().await.unwrap().unwrap();
            if event.kind == "behind" {
                break event;
            }
        };
        let told: serde_json::Value = serde_json::from_str(&behind.data).unwrap();
        assert_eq!(
            (&told["seq"], told["hash"].as_str().unwrap()),
            (&json!(6), &*mara.prev.to_string())
        );
        // A new link ends the old one, and a watch link may stand in an address.
        let key = table.link("watch").to_owned();
        let mut wire = Wire::new(served.address);
        let by_key =
            wire.ask("GET", &table.path(&format!("/log?key={key}")), None, None).await.unwrap();
        assert_eq!(by_key.status, 200);
        verified(&by_key.body);
        let owner = table.link("owner").to_owned();
        let by_owner =
            wire.ask("GET", &table.path(&format!("/log?key={owner}")), None, None).await.unwrap();
        assert_eq!(by_owner.status, 403);
        let new = table.ask("POST", "/links", &owner, Some(&json!({"role": "watch"}))).await;
        assert_eq!(new.status, 201, "{}", new.body);
        assert_eq!(table.ask("GET", "/log", &key, None).await.status, 401);
        let new = new.json()["secret"].as_str().unwrap().to_owned();
        assert_eq!(table.ask("GET", "/log", &new, None).await.status, 200);
    });
}

#[test]
fn a_table_goes_on_after_a_restart_and_presence_is_logged() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("tables");
    let served = Served::new(&data, LIMITS);
    run(async {
        let mut table = Table::new(served.address, "always").await;
        let mut mara = table.sit("Mara", Role::Owner, 1).await;
        let ulf = table.sit("Ulf", Role::Player, 2).await;
        mara.until("seat").await;
        drop(ulf.stream);
        let (_, line) = mara.until("present").await;
        assert!(line.contains(r#""seats":[0]"#), "{line}");
        mara.roll("2d6", To::All).await;
        mara.until("close").await;
        served.stop();
        let again = Served::new(&data, LIMITS);
        table.address = again.address;
        mara.wire = Wire::new(again.address);
        mara.stream = table.listen(&mara.player.token, Some(mara.next - 1)).await;
        mara.roll("2d6", To::All).await;
        mara.until("close").await;
        let report = table.verify().await;
        assert_eq!(report.seats[0].alone, 2, "{report:?}");
        assert_eq!(report.reseals, 0);
    });
}

#[test]
fn limits_are_answered_with_a_time_to_wait() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::new(&folder.path().join("tables"), Limits::USUAL);
    run(async {
        let table = Table::new(served.address, "never").await;
        let mut mara = table.sit("Mara", Role::Owner, 1).await;
        let mut statuses = Vec::new();
        for _ in 0..14 {
            let reply = mara.roll("d6", To::All).await;
            statuses.push(reply.status);
            if reply.status == 429 {
                assert!(reply.header("retry-after").is_some());
                assert_eq!(reply.json()["code"], "too-often");
                mara.player.device.n -= 1;
            } else {
                mara.until("roll").await;
            }
        }
        assert!(
            statuses.contains(&429) && statuses[..10].iter().all(|status| *status == 201),
            "{statuses:?}"
        );
        for _ in 0..12 {
            let reply =
                Wire::new(served.address).ask("POST", "/api/tables", None, Some("{}")).await;
            statuses.push(reply.unwrap().status);
        }
        assert_eq!(statuses.last(), Some(&429));
        let mut streams = Vec::new();
        let last = loop {
            let id = table.id.to_string();
            match Stream::open(served.address, &id, table.link("watch"), None).await.unwrap() {
                Ok(stream) if streams.len() < 100 => streams.push(stream),
                Ok(_) => break 200,
                Err(status) => break status,
            }
        };
        assert_eq!((last, streams.len()), (429, 63));
    });
}

#[test]
fn odds_have_a_queue_and_a_budget() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::new(&folder.path().join("tables"), LIMITS);
    run(async {
        let mut wire = Wire::new(served.address);
        let body = r#"{"text":"4d6kh3"}"#;
        let told = wire.ask("POST", "/api/odds", None, Some(body)).await.unwrap();
        assert_eq!(told.status, 200, "{}", told.body);
        assert!(told.body.contains("15869/1296"), "{}", told.body);
        let wrong =
            wire.ask("POST", "/api/check", None, Some(r#"{"text":"4d6 +"}"#)).await.unwrap();
        let heavy = r#"{"text":"1000d1000kh500"}"#;
        let heavy = wire.ask("POST", "/api/odds", None, Some(heavy)).await.unwrap();
        for reply in [wrong, heavy] {
            assert_eq!(
                (reply.status, &reply.json()["code"]),
                (422, &json!("program")),
                "{}",
                reply.body
            );
            assert!(reply.json()["diagnostics"].is_array(), "{}", reply.body);
        }
        let metrics = Wire::new(served.told).ask("GET", "/metrics", None, None).await.unwrap();
        assert!(metrics.body.contains("astragal_odds_total 3"), "{}", metrics.body);
        let health = Wire::new(served.told).ask("GET", "/healthz", None, None).await.unwrap();
        assert_eq!((health.status, &*health.body), (200, "ok\n"));
    });
}
