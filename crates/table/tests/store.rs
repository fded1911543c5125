//! What holds for every store. A new kind of store is one more call of `contract`.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

use std::sync::Arc;
use std::time::Duration;

use astragal_fair::line::Opened;
use astragal_fair::{Bytes, Id, hash};
use astragal_table::house::Kept;
use astragal_table::store::{Failed, LinkRole, Row, Shelf, Sqlite, Store, Words, Writes};

const A: Id = Bytes([1; 16]);
const B: Id = Bytes([2; 16]);

fn write(store: &mut dyn Store, writes: Writes) -> Result<(), Failed> {
    let mut writes = Some(writes);
    store.batch(&[(A, None), (B, None)], &mut |newer| {
        assert!(newer.is_empty(), "nobody else has written");
        writes.take().expect("work is done once")
    })
}

fn kept(byte: u8) -> Kept {
    Kept { key: [byte; 32], secret: [byte + 1; 32], must_reseal: false }
}

fn row(seq: u64) -> Row {
    Row { seq, text: format!("line {seq} ✦"), sig: Bytes([seq as u8; 64]) }
}

fn tables() -> Writes {
    Writes {
        tables: vec![(A, kept(1)), (B, kept(5))],
        links: vec![(A, LinkRole::Owner, [1; 32]), (A, LinkRole::Watch, [2; 32])],
        lines: vec![(A, row(0)), (B, row(0)), (A, row(1))],
        ..Writes::default()
    }
}

fn contract(store: &mut dyn Store, shelf: &Arc<dyn Shelf>) {
    assert!(shelf.table(&A).unwrap().is_none());
    write(store, tables()).unwrap();
    lines(store, shelf);
    secrets(store, shelf);
    beside(store, shelf);
    forgotten(store, shelf);
}

/// A table goes with all that belongs to it, and may come back in the same batch.
fn forgotten(store: &mut dyn Store, shelf: &Arc<dyn Shelf>) {
    assert_eq!(shelf.silent(Duration::from_secs(600)).unwrap(), []);
    std::thread::sleep(Duration::from_millis(2100));
    write(store, Writes { lines: vec![(B, row(299))], ..Writes::default() }).unwrap();
    assert_eq!(shelf.silent(Duration::from_secs(1)).unwrap(), [A], "B has a new line");
    write(store, Writes { gone: vec![A], ..Writes::default() }).unwrap();
    assert!(shelf.table(&A).unwrap().is_none() && shelf.words(&A, None).unwrap().is_empty());
    assert!(
        shelf.lines(&A, None, 9).unwrap().is_empty() && shelf.asides(&A, 0).unwrap().is_empty()
    );
    let (tables, lines) = (vec![(B, kept(7))], vec![(B, row(0))]);
    write(store, Writes { gone: vec![B], tables, lines, ..Writes::default() }).unwrap();
    assert_eq!(shelf.lines(&B, None, 9).unwrap(), [row(0)]);
    write(
        store,
        Writes { tables: vec![(A, kept(1))], lines: vec![(A, row(300))], ..Writes::default() },
    )
    .unwrap();
}

/// A file of the first version is brought up to date.
#[test]
fn an_older_file_is_taken_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables");
    let mut store = Sqlite::open(&path).unwrap();
    write(&mut store, tables()).unwrap();
    drop(store);
    let file = rusqlite::Connection::open(&path).unwrap();
    file.execute_batch(
        "alter table tables drop column used; drop table invited; pragma user_version = 1",
    )
    .unwrap();
    drop(file);
    let mut store = Sqlite::open(&path).unwrap();
    let shelf = store.shelf();
    assert_eq!(shelf.lines(&A, None, 9).unwrap(), [row(0), row(1)]);
    assert_eq!(
        shelf.silent(Duration::from_secs(600)).unwrap(),
        [],
        "silence is counted from now on"
    );
    store.invite(&Bytes([8; 32]), &[9; 32]).unwrap();
    assert_eq!(store.invited(&Bytes([8; 32])).unwrap(), Some([9; 32]));
    write(&mut store, Writes { gone: vec![A], ..Writes::default() }).unwrap();
    write(&mut store, tables_of_a()).unwrap();
}

fn tables_of_a() -> Writes {
    Writes { tables: vec![(A, kept(1))], ..Writes::default() }
}

fn lines(store: &mut dyn Store, shelf: &Arc<dyn Shelf>) {
    // Of two tables, in any order between them.
    let more = (2..300).flat_map(|seq| [(A, row(seq)), (B, row(seq - 1))]);
    write(store, Writes { lines: more.collect(), ..Writes::default() }).unwrap();
    let seqs = |since, most| {
        let rows = shelf.lines(&A, since, most).unwrap();
        rows.iter().map(|row| row.seq).collect::<Vec<_>>()
    };
    assert_eq!(seqs(None, 3), [0, 1, 2]);
    assert_eq!(seqs(Some(0), 2), [1, 2]);
    assert_eq!(seqs(Some(297), 9), [298, 299]);
    assert_eq!(seqs(None, 1000), (0..300).collect::<Vec<_>>());
    assert_eq!(shelf.lines(&B, Some(297), 9).unwrap(), [row(298)]);
    assert_eq!(shelf.lines(&Bytes([9; 16]), None, 9).unwrap(), []);
    // A number stands once; a batch is written whole or not at all.
    let twice = Writes { lines: vec![(A, row(300)), (A, row(7))], ..Writes::default() };
    assert!(write(store, twice).is_err());
    assert_eq!(seqs(Some(299), 9), Vec::<u64>::new());
    // A line of a table that there is not, too.
    let nowhere = Writes { lines: vec![(Bytes([9; 16]), row(0))], ..Writes::default() };
    assert!(write(store, nowhere).is_err());
    write(store, Writes { lines: vec![(A, row(300))], ..Writes::default() }).unwrap();
    assert_eq!(seqs(Some(299), 9), [300]);
}

fn secrets(store: &mut dyn Store, shelf: &Arc<dyn Shelf>) {
    let stored = |id| shelf.table(id).unwrap().unwrap();
    assert_eq!((stored(&A).kept.key, stored(&B).kept.secret), ([1; 32], [6; 32]));
    write(store, Writes { restored: vec![A], ..Writes::default() }).unwrap();
    assert!(stored(&A).kept.must_reseal && !stored(&B).kept.must_reseal);
    write(store, Writes { secrets: vec![(A, [7; 32])], ..Writes::default() }).unwrap();
    assert!(!stored(&A).kept.must_reseal && stored(&A).kept.secret == [7; 32]);
    let turned = Writes {
        ended_links: vec![(A, LinkRole::Watch)],
        links: vec![(A, LinkRole::Watch, [3; 32])],
        tokens: vec![(A, 0, [4; 32]), (A, 1, [5; 32])],
        ..Writes::default()
    };
    write(store, turned).unwrap();
    let mut links = stored(&A).links;
    links.sort_by_key(|(_, secret)| *secret);
    assert_eq!(links, [(LinkRole::Owner, [1; 32]), (LinkRole::Watch, [3; 32])]);
    assert_eq!(stored(&A).tokens, [(0, [4; 32]), (1, [5; 32])]);
    assert!(stored(&B).tokens.is_empty());
}

fn beside(store: &mut dyn Store, shelf: &Arc<dyn Shelf>) {
    let asides = vec![(A, 4, "first".to_owned()), (A, 9, "other".to_owned())];
    write(store, Writes { asides, ..Writes::default() }).unwrap();
    write(store, Writes { asides: vec![(A, 4, "later".into())], ..Writes::default() }).unwrap();
    assert_eq!(shelf.aside(&A, 4).unwrap().as_deref(), Some("later"));
    assert_eq!(shelf.aside(&B, 4).unwrap(), None);
    assert_eq!(shelf.asides(&A, 5).unwrap(), [(9, "other".to_owned())]);
    let opened: Opened = (1, Bytes([1; 32]), Bytes([2; 32]), Bytes([3; 64]));
    write(store, Writes { heard: vec![(A, 9, opened)], ..Writes::default() }).unwrap();
    assert_eq!(shelf.table(&A).unwrap().unwrap().heard, [(9, opened)]);
    write(store, Writes { closed: vec![A], ..Writes::default() }).unwrap();
    assert_eq!(shelf.table(&A).unwrap().unwrap().heard, []);
    let said = |seq: u64, text: &str| Words {
        seq,
        hash: hash(text.as_bytes()),
        salt: Bytes([4; 16]),
        text: text.into(),
        seat: 1,
        to: "\"all\"".into(),
    };
    let words = vec![(A, said(11, "hello")), (A, said(12, "psst"))];
    write(store, Writes { words, ..Writes::default() }).unwrap();
    assert_eq!(shelf.words(&A, None).unwrap(), [said(11, "hello"), said(12, "psst")]);
    assert_eq!(shelf.words(&A, Some(11)).unwrap(), [said(12, "psst")]);
    write(store, Writes { unsaid: vec![(A, hash(b"hello"))], ..Writes::default() }).unwrap();
    assert_eq!(shelf.words(&A, None).unwrap(), [said(12, "psst")]);
}

#[test]
fn sqlite_keeps_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables");
    let mut store = Sqlite::open(&path).unwrap();
    let shelf = store.shelf();
    contract(&mut store, &shelf);
    assert_eq!(store.synchronous().unwrap(), 2, "FULL");
    // One server a file; what was written is there for the next one.
    assert!(Sqlite::open(&path).unwrap_err().0.contains("another server"));
    drop(store);
    let again = Sqlite::open(&path).unwrap();
    assert_eq!(again.shelf().lines(&A, Some(299), 9).unwrap(), [row(300)]);
}
