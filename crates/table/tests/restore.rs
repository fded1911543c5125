//! A table comes back from an old backup and a player's log, and seals anew before it rolls.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod common;

use astragal_fair::request::{Role, To};
use astragal_table::client::Wire;
use astragal_table::restore::{Wrong, restore};
use astragal_table::store::backup;
use common::{LIMITS, Served, Table, run};

#[test]
fn a_player_who_has_the_log_brings_the_table_back() {
    let folder = tempfile::tempdir().unwrap();
    let [data, copy, lost] = ["tables", "copy", "lost"].map(|name| folder.path().join(name));
    let served = Served::new(&data, LIMITS);
    run(async {
        let mut table = Table::new(served.address, "always").await;
        let mut mara = table.sit("Mara", Role::Owner, 1).await;
        mara.roll("2d6", To::All).await;
        mara.until("close").await;
        // While it is served.
        backup(&data, &copy).unwrap();
        assert!(backup(&data, &copy).is_err(), "nothing is written over");
        for _ in 0..3 {
            mara.roll("2d6", To::All).await;
            mara.until("close").await;
        }
        let log = table.log().await;
        let newest = mara.next;
        served.stop();
        assert!(matches!(restore(&log, &lost), Err(Wrong::Unknown(_))));
        let cut: String = log.lines().take(5).map(|line| format!("{line}\n")).collect();
        assert!(matches!(restore(&cut, &copy), Err(Wrong::Log(_))), "without its head");
        let done = restore(&log, &copy).unwrap();
        assert_eq!((done.table, done.lines, done.new), (table.id, newest, 6));
        assert_eq!(restore(&log, &copy).unwrap().new, 0);
        // The device goes on where it was: it has seen every line of the log.
        let again = Served::new(&copy, LIMITS);
        table.address = again.address;
        mara.wire = Wire::new(again.address);
        mara.stream = table.listen(&mara.player.token, Some(mara.next - 1)).await;
        // What was sealed before is not used any more.
        mara.until("reseal").await;
        mara.roll("2d6", To::All).await;
        mara.until("close").await;
        let report = table.verify().await;
        assert_eq!((report.reseals, report.vetoes.len()), (1, 0), "{report:?}");
        assert!(matches!(restore(&log, &copy), Err(Wrong::Data(_))), "it is served");
    });
}
