//! A table that goes to another server.
//!
//! ```text
//! new server: invite ──▶ its public key ──▶ old server: leave ──▶ parcel ──▶ new server: arrive
//! ```
//!
//! The old house signs that the table goes to the new key (`move`), and writes nothing more: its own file only says where the table is not any more. The new house
//! opens all that the old one had sealed and seals anew, from a secret that the old one does not know (`reseal`), before anybody can ask it for anything. The old
//! house never has the new key, so that it cannot go on beside it; links, seats and their tokens go along, so that devices go on where they were.

use std::fmt;
use std::path::Path;

use astragal_fair::line::{self, Line};
use astragal_fair::{Bytes, Hash, Id, Key, Kind, Signature, hash};
use ed25519_dalek::SigningKey;
use serde::{Deserialize, Serialize};

use crate::house::{House, Kept, head_signature};
use crate::problem::Problem;
use crate::store::{Failed, LinkRole, Row, SecretHash, Shelf, Sqlite, Store, Words, Writes};

/// The form of a parcel.
const FORM: &str = "astragal table parcel v1";

/// All that is known of a table, but for the key of the house that gives it away.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parcel {
    form: String,
    table: Id,
    /// Opens what is sealed.
    secret: Bytes<32>,
    lines: Vec<(String, Signature)>,
    links: Vec<(String, Bytes<32>)>,
    tokens: Vec<(u64, Bytes<32>)>,
    asides: Vec<(u64, String)>,
    words: Vec<Said>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    seq: u64,
    hash: Hash,
    salt: Bytes<16>,
    text: String,
    seat: u64,
    to: String,
}

/// Why a table does not move.
#[derive(Debug)]
pub enum Wrong {
    /// The file with the tables cannot be used.
    Data(Failed),
    /// The file does not have this table.
    Unknown(Id),
    /// The house refuses.
    House(Problem),
    /// The parcel is none.
    Parcel(String),
    /// The parcel is for a key that was not made here.
    Elsewhere(Key),
    /// The table is here already.
    Here(Id),
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Data(failed) => write!(f, "the file with the tables: {failed}"),
            Wrong::Unknown(table) => write!(f, "the file does not know table {table}"),
            Wrong::House(problem) => match &problem.help {
                Some(help) => write!(f, "{}; {help}", problem.detail),
                None => f.write_str(&problem.detail),
            },
            Wrong::Parcel(wrong) => write!(f, "it is no whole parcel: {wrong}"),
            Wrong::Elsewhere(key) => write!(
                f,
                "it is for the house with the key {key}, which was not made here: `astragal table invite` tells the key of this one"
            ),
            Wrong::Here(table) => write!(f, "table {table} is here already"),
        }
    }
}

impl std::error::Error for Wrong {}

impl From<Failed> for Wrong {
    fn from(failed: Failed) -> Wrong {
        Wrong::Data(failed)
    }
}

/// Makes the key of a house for a table that is to come, and tells its public half.
pub fn invite(data: &Path) -> Result<Key, Wrong> {
    let key = fresh()?;
    let house = Bytes(SigningKey::from_bytes(&key).verifying_key().to_bytes());
    Sqlite::open(data)?.invite(&house, &key)?;
    Ok(house)
}

/// Gives a table away: what the new house needs, as a text. From then on nothing is written to it here.
pub fn leave(data: &Path, table: &Id, to: &Key) -> Result<String, Wrong> {
    let mut store = existing(data, table)?;
    let shelf = store.shelf();
    let stored = shelf.table(table)?.ok_or(Wrong::Unknown(*table))?;
    let mut rows = shelf.lines(table, None, usize::MAX >> 1)?;
    let mut house = loaded(&stored.kept, &rows)?;
    // Asked for again, for the same key, it is the same parcel again: files get lost.
    if !house.has_moved() || !went_to(&rows, to) {
        let moved = house.leave(to).map_err(Wrong::House)?;
        let row = Row { seq: moved.seq, text: moved.text, sig: moved.sig };
        let mut writes = Some(Writes { lines: vec![(*table, row.clone())], ..Writes::default() });
        store.batch(&[(*table, None)], &mut |_| writes.take().unwrap_or_default())?;
        rows.push(row);
    }
    let said = |words: Words| {
        let Words { seq, hash, salt, text, seat, to } = words;
        Said { seq, hash, salt, text, seat, to }
    };
    let links = stored.links.into_iter();
    let parcel = Parcel {
        form: FORM.into(),
        table: *table,
        secret: Bytes(stored.kept.secret),
        lines: rows.into_iter().map(|row| (row.text, row.sig)).collect(),
        links: links.map(|(role, secret)| (role.name().to_owned(), Bytes(secret))).collect(),
        tokens: stored.tokens.into_iter().map(|(seat, token)| (seat, Bytes(token))).collect(),
        asides: shelf.asides(table, 0)?,
        words: shelf.words(table, None)?.into_iter().map(said).collect(),
    };
    Ok(astragal_fair::exact::write(&parcel))
}

/// Whether the last line gives the table to this key.
fn went_to(rows: &[Row], to: &Key) -> bool {
    let prev = rows.iter().rev().nth(1).map_or(Hash::ZERO, |row| hash(row.text.as_bytes()));
    let last = rows.last().and_then(|row| line::read(&row.text, row.seq, &prev).ok());
    matches!(last, Some(Line::Move(moved)) if moved.house == *to)
}

/// Takes up a table: its id and how many lines it has now.
pub fn arrive(data: &Path, parcel: &str) -> Result<(Id, u64), Wrong> {
    let wrong = |error: String| Wrong::Parcel(error);
    let parcel: Parcel = serde_json::from_str(parcel).map_err(|error| wrong(error.to_string()))?;
    if parcel.form != FORM {
        return Err(wrong(format!("it is not a `{FORM}`")));
    }
    let table = parcel.table;
    let key = checked(&parcel)?;
    let mut store = existing(data, &table)?;
    let shelf = store.shelf();
    let Some(house_key) = store.invited(&key)? else { return Err(Wrong::Elsewhere(key)) };
    let mut writes = Writes::default();
    if shelf.table(&table)?.is_some() {
        came_back(&*shelf, &parcel)?;
        writes.gone.push(table);
    }
    let kept = Kept { key: house_key, secret: parcel.secret.0, must_reseal: true };
    let mut rows: Vec<Row> = (0..)
        .zip(&parcel.lines)
        .map(|(seq, (text, sig))| Row { seq, text: text.clone(), sig: *sig })
        .collect();
    let mut house = loaded(&kept, &rows)?;
    let secret = fresh()?;
    let sealed = house.arrive(&secret).map_err(Wrong::House)?;
    if let Some(moved) = rows.last_mut() {
        // The head of this line is the first that the new house signs.
        moved.sig = head_signature(&house_key, &table, moved.seq, &hash(moved.text.as_bytes()));
    }
    rows.push(Row { seq: sealed.seq, text: sealed.text, sig: sealed.sig });
    let lines = rows.len() as u64;
    fill(&mut writes, parcel, Kept { secret, must_reseal: false, ..kept }, rows)?;
    let mut writes = Some(writes);
    store.batch(&[(table, None)], &mut |_| writes.take().unwrap_or_default())?;
    Ok((table, lines))
}

/// All that is to be written.
fn fill(writes: &mut Writes, parcel: Parcel, kept: Kept, rows: Vec<Row>) -> Result<(), Wrong> {
    let table = parcel.table;
    writes.tables.push((table, kept));
    writes.lines = rows.into_iter().map(|row| (table, row)).collect();
    for (role, secret) in parcel.links {
        let role = LinkRole::of(&role).ok_or_else(|| Wrong::Parcel(format!("a link of {role}")))?;
        writes.links.push((table, role, secret.0));
    }
    let token =
        |(seat, token): (u64, Bytes<32>)| -> (Id, u64, SecretHash) { (table, seat, token.0) };
    writes.tokens = parcel.tokens.into_iter().map(token).collect();
    writes.asides = parcel.asides.into_iter().map(|(seq, body)| (table, seq, body)).collect();
    let words = parcel.words.into_iter().map(|said| {
        let Said { seq, hash, salt, text, seat, to } = said;
        (table, Words { seq, hash, salt, text, seat, to })
    });
    writes.words = words.collect();
    Ok(())
}

/// Every line is right, and the last one gives the table to a key: this one.
fn checked(parcel: &Parcel) -> Result<Key, Wrong> {
    let mut checker = astragal_fair::Checker::new();
    for (number, (text, _)) in parcel.lines.iter().enumerate() {
        let taken = checker.line(text);
        taken.map_err(|wrong| Wrong::Parcel(format!("line {number}: {wrong}")))?;
    }
    let count = parcel.lines.len();
    let prev =
        parcel.lines.iter().rev().nth(1).map_or(Hash::ZERO, |(text, _)| hash(text.as_bytes()));
    let last =
        parcel.lines.last().and_then(|(text, _)| line::read(text, count as u64 - 1, &prev).ok());
    let is_its_own = checker.id() == Some(parcel.table);
    match last {
        Some(Line::Move(moved)) if is_its_own => Ok(moved.house),
        _ => Err(Wrong::Parcel(format!("its last line is no `{}` of its table", Kind::Move))),
    }
}

/// A table that went away from here may come back: with all the lines that it had here.
fn came_back(shelf: &dyn Shelf, parcel: &Parcel) -> Result<(), Wrong> {
    let here = shelf.lines(&parcel.table, None, usize::MAX >> 1)?;
    let moved = here.last().is_some_and(|row| row.text.contains(r#""kind":"move""#));
    let same = here.len() <= parcel.lines.len()
        && here.iter().zip(&parcel.lines).all(|(row, (text, _))| row.text == *text);
    if moved && same && here.len() < parcel.lines.len() {
        Ok(())
    } else {
        Err(Wrong::Here(parcel.table))
    }
}

fn loaded(kept: &Kept, rows: &[Row]) -> Result<House, Wrong> {
    let texts = rows.iter().map(|row| &*row.text);
    House::load(kept, astragal_fair::library(), texts).map_err(Wrong::Parcel)
}

/// The file, which must be there: a mistyped name makes no new one.
fn existing(data: &Path, table: &Id) -> Result<Sqlite, Wrong> {
    if !data.exists() {
        return Err(Wrong::Unknown(*table));
    }
    Ok(Sqlite::open(data)?)
}

fn fresh() -> Result<[u8; 32], Wrong> {
    let mut bytes = [0; 32];
    let filled = getrandom::fill(&mut bytes);
    filled.map_err(|error| Wrong::Data(Failed(error.to_string())))?;
    Ok(bytes)
}
