//! Witnesses who vanish, come late, lie, or come twice: each roll is over in two seconds, says who was missing, and is never drawn a second time.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod common;

use std::time::{Duration, Instant};

use astragal_fair::Bytes;
use astragal_fair::request::{Role, To};
use astragal_table::Limits;
use astragal_table::client::Player;
use common::{Seated, Served, Table, run};
use serde_json::Value as Json;

/// The usual time for witnesses; who is gone is called so late that they are asked in vain.
const LIMITS: Limits =
    Limits { testimony: Limits::USUAL.testimony, gone: Duration::from_secs(60), ..Limits::OPEN };
/// What a roll may take with witnesses of any kind, on a machine that has other things to do.
const LONGEST: Duration = Duration::from_millis(2500);

/// Mara, who rolls; Ulf and Ida, who are asked.
async fn three(served: &Served) -> (Table, [Seated; 3]) {
    let table = Table::new(served.address, "always").await;
    let mara = table.sit("Mara", Role::Owner, 1).await;
    let ulf = table.sit("Ulf", Role::Player, 2).await;
    let ida = table.sit("Ida", Role::Player, 3).await;
    (table, [mara, ulf, ida])
}

/// Mara rolls, and is told what came of it; the others do what they do meanwhile.
async fn rolls(mara: &mut Seated) -> (String, Duration) {
    let begun = Instant::now();
    let body = mara.player.roll("d20", To::All);
    let answered = mara.post("/rolls", &body).await;
    assert_eq!(answered.status, 201, "{}", answered.body);
    let (_, close) = mara.until("close").await;
    let took = begun.elapsed();
    // Asked for again in the same bytes it is the same line, and nothing else is rolled.
    let again = mara.post("/rolls", &body).await;
    assert_eq!((again.status, &again.body), (200, &answered.body));
    assert!(took < LONGEST, "{took:?}");
    (close, took)
}

fn lying(mut testimony: Json, field: &str) -> Json {
    testimony[field] = Bytes([9; 32]).to_string().into();
    testimony
}

#[test]
fn who_vanishes_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::new(&folder.path().join("tables"), LIMITS);
    run(async {
        let (table, [mut mara, ulf, ida]) = three(&served).await;
        drop((ulf, ida));
        let (close, took) = rolls(&mut mara).await;
        assert!(close.contains(r#""missed":[]"#), "the roller went on alone: {close}");
        assert!(took >= Duration::from_millis(1400), "they had their time: {took:?}");
        // Their seals are spent: they are not asked again, and nobody waits for them.
        let (_, took) = rolls(&mut mara).await;
        assert!(took < Duration::from_millis(1200), "{took:?}");
        let report = table.verify().await;
        assert_eq!(
            (report.seats[0].witnessed, report.seats[1].missed, report.seats[2].missed),
            (0, 1, 1)
        );
    });
}

#[test]
fn who_lies_or_comes_late_is_missing_and_gets_no_second_draw() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::new(&folder.path().join("tables"), LIMITS);
    run(async {
        let (table, [mut mara, mut ulf, mut ida]) = three(&served).await;
        ulf.silent = true;
        let honest = tokio::spawn(async move {
            for _ in 0..2 {
                ida.step().await;
            }
            ida.until("close").await;
        });
        let liar = tokio::spawn(async move {
            let (ask, _) = ulf.until("ask").await;
            let good = ulf.player.clone().testimony(ask);
            for (lie, code) in [("value", "seal"), ("next", "signature")] {
                let told = ulf.post("/testimony", &lying(good.clone(), lie)).await;
                assert_eq!(told.json()["code"], code, "{}", told.body);
            }
            // In the name of another, with one's own token.
            let mut other: Player = ulf.player.clone();
            other.seat = 2;
            let told = ulf.post("/testimony", &other.testimony(ask)).await;
            assert!(told.status >= 400, "{}", told.body);
            // The truth, after his time.
            tokio::time::sleep(Duration::from_millis(1700)).await;
            assert_eq!(ulf.post("/testimony", &good).await.json()["code"], "ask-closed");
            ulf
        });
        let (close, _) = rolls(&mut mara).await;
        assert!(close.contains(r#""opened":[[0,"#), "{close}");
        liar.await.unwrap();
        honest.await.unwrap();
        let report = table.verify().await;
        assert_eq!(
            (report.seats[0].missing, report.seats[1].missed, report.seats[2].missed),
            (1, 1, 0)
        );
    });
}

#[test]
fn who_comes_twice_is_heard_once() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::new(&folder.path().join("tables"), LIMITS);
    run(async {
        let (table, [mut mara, mut ulf, mut ida]) = three(&served).await;
        (ulf.silent, ida.silent) = (true, true);
        let twice = tokio::spawn(async move {
            let (ask, _) = ulf.until("ask").await;
            let good = ulf.player.testimony(ask);
            let first = ulf.post("/testimony", &good).await;
            let second = ulf.post("/testimony", &good).await;
            assert_eq!((first.status, &first.body), (second.status, &second.body));
            assert_eq!(first.status, 200);
            // Another one for the same seal, well signed: what was said first stands.
            let other = ulf.player.clone().testimony(ask);
            let told = ulf.post("/testimony", &other).await;
            assert!(told.status >= 400, "{}", told.body);
            // The last one makes it complete.
            let (ask, _) = ida.until("ask").await;
            let good = ida.player.testimony(ask);
            assert_eq!(ida.post("/testimony", &good).await.status, 200);
            ulf.until("close").await;
        });
        let (close, _) = rolls(&mut mara).await;
        twice.await.unwrap();
        assert!(close.contains(r#""missed":[]"#));
        assert_eq!(table.verify().await.seats[0].witnessed, 1);
    });
}
