//! A table, brought back from a log that a player has.
//!
//! The log has all that is public. What is secret, the key of the house and the secret of its values, must be in the file already, as in a backup
//! that is older than the log: without them nobody can open what was sealed, and the table is at its end. The house seals anew before it rolls, since
//! values that were opened after the backup would otherwise be sealed again.

use std::fmt;
use std::path::Path;

use astragal_fair::{Checker, Id, hash};

use crate::house::House;
use crate::store::{Failed, Row, Sqlite, Store, Writes};

/// What was brought back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restored {
    /// The table.
    pub table: Id,
    /// How many lines it has.
    pub lines: u64,
    /// How many of them the file did not have.
    pub new: u64,
}

/// Why nothing was brought back.
#[derive(Debug)]
pub enum Wrong {
    /// The log is not right.
    Log(String),
    /// The file cannot be used.
    Data(Failed),
    /// The file does not have this table.
    Unknown(Id),
    /// The file has another history of this table, from this line on.
    Fork(u64),
    /// The file has more lines than the log.
    Shorter,
    /// The secret of the file does not open what was sealed.
    Lost,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Log(wrong) => write!(f, "the log is not right: {wrong}; `astragal verify` tells more"),
            Wrong::Data(failed) => write!(f, "the file with the tables: {failed}"),
            Wrong::Unknown(table) => write!(
                f,
                "the file does not know table {table}, and a log holds no keys: restore a backup of the file first"
            ),
            Wrong::Fork(line) => write!(f, "the file has another line {line}: one of the two has another history"),
            Wrong::Shorter => f.write_str("the file has more lines than the log: there is nothing to restore"),
            Wrong::Lost => f.write_str(
                "the file does not have the secret that opens what was sealed since: the table is at its end",
            ),
        }
    }
}

impl std::error::Error for Wrong {}

impl From<Failed> for Wrong {
    fn from(failed: Failed) -> Wrong {
        Wrong::Data(failed)
    }
}

/// Checks a log, and brings the lines that the file does not have into it.
pub fn restore(log: &str, data: &Path) -> Result<Restored, Wrong> {
    let (table, lines) = checked(log)?;
    if !data.exists() {
        return Err(Wrong::Unknown(table));
    }
    let mut store = Sqlite::open(data)?;
    let shelf = store.shelf();
    let stored = shelf.table(&table)?.ok_or(Wrong::Unknown(table))?;
    let known = shelf.lines(&table, None, usize::MAX >> 1)?;
    if known.len() > lines.len() {
        return Err(Wrong::Shorter);
    }
    for (row, line) in known.iter().zip(&lines) {
        if row.text != *line {
            return Err(Wrong::Fork(row.seq));
        }
    }
    let library = astragal_fair::library();
    let house = House::load(&stored.kept, library, lines.iter().copied()).map_err(Wrong::Log)?;
    if !house.can_go_on() {
        return Err(Wrong::Lost);
    }
    let key = &stored.kept.key;
    let rows = (0u64..).zip(&lines).skip(known.len()).map(|(seq, text)| {
        let sig = crate::house::head_signature(key, &table, seq, &hash(text.as_bytes()));
        (table, Row { seq, text: (*text).to_owned(), sig })
    });
    let writes = Writes { lines: rows.collect(), restored: vec![table], ..Writes::default() };
    let new = writes.lines.len() as u64;
    let mut writes = Some(writes);
    store.batch(&[(table, None)], &mut |_| writes.take().unwrap_or_default())?;
    Ok(Restored { table, lines: lines.len() as u64, new })
}

/// The lines of a log that is right, without its head.
fn checked(log: &str) -> Result<(Id, Vec<&str>), Wrong> {
    let mut checker = Checker::new();
    for (number, line) in log.lines().enumerate() {
        checker.line(line).map_err(|wrong| Wrong::Log(format!("line {number}: {wrong}")))?;
    }
    let report = checker.finish().map_err(|wrong| Wrong::Log(wrong.to_string()))?;
    let table = report.table.ok_or_else(|| Wrong::Log("it has no lines".into()))?;
    let is_head = |line: &&str| line.starts_with(r#"{"kind":"head""#);
    Ok((table, log.lines().filter(|line| !is_head(line)).collect()))
}
