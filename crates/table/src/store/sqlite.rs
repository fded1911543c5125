//! Tables in one file, by SQLite.
//!
//! Write-ahead log, `synchronous = FULL`: with less, a line that was committed can vanish with the power. One connection writes;
//! some others read. A lock beside the file keeps a second server away.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use astragal_fair::line::Opened;
use astragal_fair::{Bytes, Id, Key};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction, params};

use super::{Failed, LinkRole, Row, SecretHash, Shelf, Store, Stored, Words, Writes};
use crate::house::Kept;

/// The version of the tables below.
const VERSION: i64 = 2;

const SCHEMA: &str = "
create table tables (
    id blob primary key, house_key blob not null, secret blob not null,
    must_reseal integer not null, seq integer not null, made integer not null, used integer not null
) without rowid;
create table lines (
    tab blob not null references tables, seq integer not null, line text not null, sig blob not null,
    primary key (tab, seq)
) without rowid;
create table seats (
    tab blob not null references tables, seat integer not null, token blob not null,
    primary key (tab, seat)
) without rowid;
create table links (
    tab blob not null references tables, role text not null, secret blob not null,
    primary key (tab, role)
) without rowid;
create table aside (
    tab blob not null references tables, seq integer not null, body text not null,
    primary key (tab, seq)
) without rowid;
create table heard (
    tab blob not null references tables, line integer not null, seat integer not null, body text not null,
    primary key (tab, line, seat)
) without rowid;
create table words (
    tab blob not null references tables, seq integer not null, hash blob not null, salt blob not null,
    seat integer not null, audience text not null, words text not null,
    primary key (tab, seq)
) without rowid;
create index words_by_hash on words (tab, hash);
create table invited (house blob primary key, key blob not null) without rowid;
";

/// From the first version: when a table was last written to, and keys for tables that come from elsewhere.
const FROM_1: &str = "
alter table tables add column used integer not null default 0;
update tables set used = unixepoch();
create table invited (house blob primary key, key blob not null) without rowid;
";

/// So many connections read.
const READERS: usize = 4;

impl From<rusqlite::Error> for Failed {
    fn from(error: rusqlite::Error) -> Failed {
        Failed(error.to_string())
    }
}

/// A file of tables.
#[derive(Debug)]
pub struct Sqlite {
    writer: Connection,
    readers: Arc<Readers>,
    /// Held as long as the file is served.
    _lock: File,
}

#[derive(Debug)]
struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Sqlite {
    /// Opens a file of tables, or makes it.
    pub fn open(path: &Path) -> Result<Sqlite, Failed> {
        let lock = locked(path)?;
        let writer = Connection::open(path)?;
        writer.busy_timeout(Duration::from_secs(5))?;
        // Journal and syncs before anything is written, so that the first line is as safe as the last.
        writer.pragma_update(None, "journal_mode", "wal")?;
        writer.pragma_update(None, "synchronous", "full")?;
        writer.pragma_update(None, "foreign_keys", true)?;
        let version: i64 = writer.pragma_query_value(None, "user_version", |row| row.get(0))?;
        match version {
            0 => {
                writer.execute_batch(&format!(
                    "begin; {SCHEMA} pragma user_version = {VERSION}; commit;"
                ))?;
            }
            1 => writer.execute_batch(&format!(
                "begin; {FROM_1} pragma user_version = {VERSION}; commit;"
            ))?,
            VERSION => {}
            newer => {
                return Err(Failed(format!("the file was written by a newer version ({newer})")));
            }
        }
        let readers = Arc::new(Readers { path: path.to_owned(), idle: Mutex::new(Vec::new()) });
        Ok(Sqlite { writer, readers, _lock: lock })
    }

    /// Keeps the key of a house for a table that is to come from elsewhere.
    pub fn invite(&mut self, house: &Key, key: &[u8; 32]) -> Result<(), Failed> {
        self.writer.execute("insert into invited values (?1, ?2)", params![house.0, key])?;
        Ok(())
    }

    /// The key that was kept for it.
    pub fn invited(&self, house: &Key) -> Result<Option<[u8; 32]>, Failed> {
        let found =
            self.writer
                .query_row("select key from invited where house = ?1", [house.0], |row| row.get(0));
        Ok(found.optional()?)
    }

    /// The readers' side.
    pub fn shelf(&self) -> Arc<dyn Shelf> {
        Arc::clone(&self.readers) as Arc<dyn Shelf>
    }

    /// How it syncs, as SQLite names it: 2 is `FULL`.
    pub fn synchronous(&self) -> Result<i64, Failed> {
        Ok(self.writer.pragma_query_value(None, "synchronous", |row| row.get(0))?)
    }
}

/// Nobody else serves this file as long as the lock is held.
fn locked(path: &Path) -> Result<File, Failed> {
    let mut name = path.as_os_str().to_owned();
    name.push("-lock");
    let lock =
        File::create(&name).map_err(|error| Failed(format!("{}: {error}", path.display())))?;
    lock.try_lock().map_err(|_| Failed("another server has this file open".into()))?;
    Ok(lock)
}

/// Copies a file of tables, also while it is served.
pub fn backup(from: &Path, to: &Path) -> Result<(), Failed> {
    if to.exists() {
        return Err(Failed(format!("{} is there already", to.display())));
    }
    let open = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    open.busy_timeout(Duration::from_secs(5))?;
    open.execute("vacuum into ?1", [to.to_string_lossy()])?;
    // It is a copy from some moment: whoever serves it seals anew first.
    let copy = Connection::open(to)?;
    copy.execute("update tables set must_reseal = 1", [])?;
    Ok(())
}

impl Store for Sqlite {
    fn batch(
        &mut self,
        _tables: &[(Id, Option<u64>)],
        work: &mut dyn FnMut(Vec<(Id, Row)>) -> Writes,
    ) -> Result<(), Failed> {
        let transaction =
            self.writer.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        // The lock on the file says that nobody else has written.
        let writes = work(Vec::new());
        write(&transaction, &writes)?;
        Ok(transaction.commit()?)
    }
}

fn write(to: &Transaction<'_>, writes: &Writes) -> Result<(), Failed> {
    for id in &writes.gone {
        for of in ["lines", "seats", "links", "aside", "heard", "words"] {
            to.prepare_cached(&format!("delete from {of} where tab = ?1"))?.execute([id.0])?;
        }
        to.prepare_cached("delete from tables where id = ?1")?.execute([id.0])?;
    }
    for (id, kept) in &writes.tables {
        to.prepare_cached(
            "insert into tables values (?1, ?2, ?3, ?4, -1, unixepoch(), unixepoch())",
        )?
        .execute(params![id.0, kept.key, kept.secret, kept.must_reseal])?;
    }
    for (id, secret) in &writes.secrets {
        to.prepare_cached("update tables set secret = ?2, must_reseal = 0 where id = ?1")?
            .execute(params![id.0, secret])?;
    }
    for id in &writes.restored {
        to.prepare_cached("update tables set must_reseal = 1 where id = ?1")?.execute([id.0])?;
    }
    for (id, row) in &writes.lines {
        to.prepare_cached("insert into lines values (?1, ?2, ?3, ?4)")?.execute(params![
            id.0,
            number(row.seq),
            row.text,
            row.sig.0
        ])?;
    }
    for (id, seq) in tops(&writes.lines) {
        to.prepare_cached("update tables set seq = ?2, used = unixepoch() where id = ?1")?
            .execute(params![id.0, number(seq)])?;
    }
    for (id, seq, body) in &writes.asides {
        to.prepare_cached("insert or replace into aside values (?1, ?2, ?3)")?.execute(params![
            id.0,
            number(*seq),
            body
        ])?;
    }
    for (id, line, opened) in &writes.heard {
        let body = astragal_fair::exact::write(opened);
        to.prepare_cached("insert or replace into heard values (?1, ?2, ?3, ?4)")?
            .execute(params![id.0, number(*line), number(opened.0), body])?;
    }
    for id in &writes.closed {
        to.prepare_cached("delete from heard where tab = ?1")?.execute([id.0])?;
    }
    people(to, writes)
}

/// Links, tokens, words.
fn people(to: &Transaction<'_>, writes: &Writes) -> Result<(), Failed> {
    for (id, role) in &writes.ended_links {
        to.prepare_cached("delete from links where tab = ?1 and role = ?2")?
            .execute(params![id.0, role.name()])?;
    }
    for (id, role, secret) in &writes.links {
        to.prepare_cached("insert into links values (?1, ?2, ?3)")?.execute(params![
            id.0,
            role.name(),
            secret
        ])?;
    }
    for (id, seat, token) in &writes.tokens {
        to.prepare_cached("insert into seats values (?1, ?2, ?3)")?.execute(params![
            id.0,
            number(*seat),
            token
        ])?;
    }
    for (id, words) in &writes.words {
        to.prepare_cached("insert into words values (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?.execute(
            params![
                id.0,
                number(words.seq),
                words.hash.0,
                words.salt.0,
                number(words.seat),
                words.to,
                words.text
            ],
        )?;
    }
    for (id, hash) in &writes.unsaid {
        to.prepare_cached("delete from words where tab = ?1 and hash = ?2")?
            .execute(params![id.0, hash.0])?;
    }
    Ok(())
}

/// The newest line of each table.
fn tops(lines: &[(Id, Row)]) -> Vec<(Id, u64)> {
    let mut tops = std::collections::HashMap::new();
    for (id, row) in lines {
        tops.insert(*id, row.seq);
    }
    tops.into_iter().collect()
}

/// SQLite's whole numbers have a sign.
fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn whole(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

impl Readers {
    fn with<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, rusqlite::Error>,
    ) -> Result<T, Failed> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => self.open()?,
        };
        let found = read(&connection)?;
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < READERS {
            idle.push(connection);
        }
        Ok(found)
    }

    fn open(&self) -> Result<Connection, Failed> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        Ok(connection)
    }
}

impl Shelf for Readers {
    fn table(&self, id: &Id) -> Result<Option<Stored>, Failed> {
        self.with(|from| {
            let kept = from
                .prepare_cached("select house_key, secret, must_reseal from tables where id = ?1")?
                .query_row([id.0], |row| {
                    Ok(Kept { key: row.get(0)?, secret: row.get(1)?, must_reseal: row.get(2)? })
                })
                .optional()?;
            let Some(kept) = kept else { return Ok(None) };
            let mut links = Vec::new();
            let mut found = from.prepare_cached("select role, secret from links where tab = ?1")?;
            let mut rows = found.query([id.0])?;
            while let Some(row) = rows.next()? {
                let (role, secret): (String, SecretHash) = (row.get(0)?, row.get(1)?);
                links.extend(LinkRole::of(&role).map(|role| (role, secret)));
            }
            let mut found = from.prepare_cached("select seat, token from seats where tab = ?1")?;
            let tokens = found
                .query_map([id.0], |row| Ok((whole(row.get(0)?), row.get(1)?)))?
                .collect::<Result<_, _>>()?;
            let mut heard = Vec::new();
            let mut found = from.prepare_cached("select line, body from heard where tab = ?1")?;
            let mut rows = found.query([id.0])?;
            while let Some(row) = rows.next()? {
                let (line, body): (i64, String) = (row.get(0)?, row.get(1)?);
                let opened: Option<Opened> = serde_json::from_str(&body).ok();
                heard.extend(opened.map(|opened| (whole(line), opened)));
            }
            Ok(Some(Stored { kept, links, tokens, heard }))
        })
    }

    fn lines(&self, id: &Id, since: Option<u64>, most: usize) -> Result<Vec<Row>, Failed> {
        self.with(|from| {
            from.prepare_cached(
                "select seq, line, sig from lines where tab = ?1 and seq > ?2 order by seq limit ?3",
            )?
            .query_map(params![id.0, since.map_or(-1, number), number(most as u64)], |row| {
                let seq = whole(row.get(0)?);
                Ok(Row { seq, text: row.get(1)?, sig: Bytes(row.get(2)?) })
            })?
            .collect()
        })
    }

    fn silent(&self, time: Duration) -> Result<Vec<Id>, Failed> {
        self.with(|from| {
            from.prepare_cached("select id from tables where used < unixepoch() - ?1")?
                .query_map([number(time.as_secs())], |row| Ok(Bytes(row.get(0)?)))?
                .collect()
        })
    }

    fn aside(&self, id: &Id, seq: u64) -> Result<Option<String>, Failed> {
        self.with(|from| {
            from.prepare_cached("select body from aside where tab = ?1 and seq = ?2")?
                .query_row(params![id.0, number(seq)], |row| row.get(0))
                .optional()
        })
    }

    fn asides(&self, id: &Id, from_line: u64) -> Result<Vec<(u64, String)>, Failed> {
        self.with(|from| {
            from.prepare_cached(
                "select seq, body from aside where tab = ?1 and seq >= ?2 order by seq",
            )?
            .query_map(params![id.0, number(from_line)], |row| {
                Ok((whole(row.get(0)?), row.get(1)?))
            })?
            .collect()
        })
    }

    fn words(&self, id: &Id, since: Option<u64>) -> Result<Vec<Words>, Failed> {
        self.with(|from| {
            from.prepare_cached(
                "select seq, hash, salt, seat, audience, words from words \
                 where tab = ?1 and seq > ?2 order by seq",
            )?
            .query_map(params![id.0, since.map_or(-1, number)], |row| {
                Ok(Words {
                    seq: whole(row.get(0)?),
                    hash: Bytes(row.get(1)?),
                    salt: Bytes(row.get(2)?),
                    seat: whole(row.get(3)?),
                    to: row.get(4)?,
                    text: row.get(5)?,
                })
            })?
            .collect()
        })
    }
}
