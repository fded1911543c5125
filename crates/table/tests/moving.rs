//! A table goes to another server, and devices go on where they were; a table that nobody writes to is forgotten.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod common;

use std::path::Path;
use std::time::Duration;

use astragal_fair::request::{Reveal, Role, To};
use astragal_fair::{Bytes, Kind};
use astragal_table::Limits;
use astragal_table::client::Wire;
use astragal_table::moving::{Wrong, arrive, invite, leave};
use common::{LIMITS, Seated, Served, Table, run};

/// The same device at the server on this file.
async fn goes_on(mara: &mut Seated, table: &mut Table, data: &Path) -> Served {
    let served = Served::new(data, LIMITS);
    table.address = served.address;
    mara.wire = Wire::new(served.address);
    mara.stream = table.listen(&mara.player.token, Some(mara.next - 1)).await;
    served
}

#[test]
fn a_table_moves_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let [here, there] = ["here", "there"].map(|name| folder.path().join(name));
    let served = Served::new(&here, LIMITS);
    run(async {
        let mut table = Table::new(served.address, "always").await;
        let mut mara = table.sit("Mara", Role::Owner, 1).await;
        mara.roll("2d6", To::Owner).await;
        let (hidden, _) = mara.until("close-hidden").await;
        mara.event("private").await;
        let to = invite(&there).unwrap();
        assert!(matches!(leave(&here, &table.id, &to), Err(Wrong::Data(_))), "it is served");
        served.stop();
        let nobody = Bytes([7; 16]);
        assert!(matches!(leave(&here, &nobody, &to), Err(Wrong::Unknown(_))));
        assert!(matches!(leave(&here, &table.id, &Bytes([0; 32])), Err(Wrong::House(_))));
        let parcel = leave(&here, &table.id, &to).unwrap();
        assert_eq!(leave(&here, &table.id, &to).unwrap(), parcel, "files get lost");
        let other = invite(&there).unwrap();
        assert!(matches!(leave(&here, &table.id, &other), Err(Wrong::House(_))), "it is gone");
        // It is for that house alone, as it is, and once.
        let stranger = folder.path().join("stranger");
        invite(&stranger).unwrap();
        assert!(matches!(arrive(&stranger, &parcel), Err(Wrong::Elsewhere(key)) if key == to));
        let forged = parcel.replacen("2d6", "3d6", 1).replacen("Mara", "Mira", 1);
        assert!(matches!(arrive(&there, &forged), Err(Wrong::Parcel(_))));
        let (id, lines) = arrive(&there, &parcel).unwrap();
        assert_eq!((id, lines), (table.id, mara.next + 2));
        assert!(matches!(arrive(&there, &parcel), Err(Wrong::Here(_))));
        let old = Served::new(&here, LIMITS);
        table.address = old.address;
        let refused = table.ask("GET", "/log", table.link("watch"), None).await;
        assert_eq!((refused.status, &refused.json()["code"]), (409, &"moved".into()));
        old.stop();
        // Links, seats, words and what is hidden are there; the house has another key, and seals anew.
        let new = goes_on(&mut mara, &mut table, &there).await;
        mara.until("move").await;
        mara.until("reseal").await;
        let body = mara.player.sign(Kind::Reveal, &Reveal { of: hidden });
        assert_eq!(mara.post("/lines?kind=reveal", &body).await.status, 201);
        mara.until("reveal").await;
        mara.roll("2d6", To::All).await;
        mara.until("close").await;
        let report = table.verify().await;
        assert_eq!((report.moves, report.reseals, report.vetoes.len()), (1, 1, 0), "{report:?}");
        new.stop();
        // Back again.
        let back = invite(&here).unwrap();
        let parcel = leave(&there, &table.id, &back).unwrap();
        arrive(&here, &parcel).unwrap();
        let _old = goes_on(&mut mara, &mut table, &here).await;
        mara.until("reseal").await;
        mara.roll("2d6", To::All).await;
        mara.until("close").await;
        assert_eq!(table.verify().await.moves, 2);
    });
}

#[test]
fn a_table_to_which_nobody_writes_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("tables");
    let served = Served::new(&data, LIMITS);
    run(async {
        let table = Table::new(served.address, "always").await;
        served.stop();
        std::thread::sleep(Duration::from_millis(2200));
        let new = |silence| Served::new(&data, Limits { silence, ..LIMITS });
        // It is for ever, or long enough; then it is not.
        for (silence, status) in [(None, 200), (Some(60), 200), (Some(1), 404)] {
            let served = new(silence.map(Duration::from_secs));
            std::thread::sleep(Duration::from_millis(500));
            let table = Table {
                address: served.address,
                links: table.links.clone(),
                first: String::new(),
                ..table
            };
            let found = table.ask("GET", "", table.link("watch"), None).await;
            assert_eq!(found.status, status, "{silence:?}: {}", found.body);
            served.stop();
        }
    });
}
