//! Where tables are kept.
//!
//! A store has two sides. The *writer* is one, and takes batches: one transaction, synced when it returns. Within it the rows of
//! its tables are locked, so that a store that several servers share can first say what the others have written; then lines are made, and what has to be
//! written is a few lists, each of which is one statement to a database that takes lists. *Readers* are many, and read lines in the order of their numbers, which is
//! the only order that there is. `tests/store.rs` says what holds for every store.

mod sqlite;

use std::fmt;
use std::time::Duration;

use astragal_fair::line::Opened;
use astragal_fair::{Bytes, Hash, Id, Signature};

use crate::house::Kept;

pub use sqlite::{Sqlite, backup};

/// SHA-256 of a secret that a link or a seat has.
pub type SecretHash = [u8; 32];

/// Why something could not be written or read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed(pub String);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failed {}

/// A line as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number.
    pub seq: u64,
    /// Its text.
    pub text: String,
    /// The house's signature of the head after it.
    pub sig: Signature,
}

/// What a link is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkRole {
    /// Sits down as anything.
    Owner,
    /// Sits down as a player.
    Player,
    /// Looks on.
    Watch,
}

impl LinkRole {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            LinkRole::Owner => "owner",
            LinkRole::Player => "player",
            LinkRole::Watch => "watch",
        }
    }

    /// From its name.
    pub fn of(name: &str) -> Option<LinkRole> {
        [LinkRole::Owner, LinkRole::Player, LinkRole::Watch]
            .into_iter()
            .find(|role| role.name() == name)
    }
}

/// Words beside the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// The line that names them.
    pub seq: u64,
    /// Their hash, as in the line.
    pub hash: Hash,
    /// The salt of the hash.
    pub salt: Bytes<16>,
    /// The words.
    pub text: String,
    /// Who said them.
    pub seat: u64,
    /// Who may read them: as `to` is written in a request.
    pub to: String,
}

/// All that a batch writes. Each list is one statement.
#[derive(Clone, Debug, Default)]
pub struct Writes {
    /// Tables that are forgotten with all that belongs to them, before anything else is written.
    pub gone: Vec<Id>,
    /// New tables.
    pub tables: Vec<(Id, Kept)>,
    /// New secrets of tables, which end the need to seal anew.
    pub secrets: Vec<(Id, [u8; 32])>,
    /// Tables that must seal anew.
    pub restored: Vec<Id>,
    /// Lines, those of one table in their order.
    pub lines: Vec<(Id, Row)>,
    /// What is kept of hidden rolls, by line; later ones replace earlier ones.
    pub asides: Vec<(Id, u64, String)>,
    /// Testimonies for lines that ask.
    pub heard: Vec<(Id, u64, Opened)>,
    /// Tables none of whose testimonies are needed any more: they stand in the log.
    pub closed: Vec<Id>,
    /// Links whose role has a new one.
    pub ended_links: Vec<(Id, LinkRole)>,
    /// New links.
    pub links: Vec<(Id, LinkRole, SecretHash)>,
    /// Tokens of seats.
    pub tokens: Vec<(Id, u64, SecretHash)>,
    /// Words.
    pub words: Vec<(Id, Words)>,
    /// Words that are deleted.
    pub unsaid: Vec<(Id, Hash)>,
}

/// A table as it is kept, without its lines.
#[derive(Clone, Debug)]
pub struct Stored {
    /// What the house needs.
    pub kept: Kept,
    /// Its links.
    pub links: Vec<(LinkRole, SecretHash)>,
    /// The tokens of its seats.
    pub tokens: Vec<(u64, SecretHash)>,
    /// Testimonies that stand in no line yet.
    pub heard: Vec<(u64, Opened)>,
}

/// The writer's side.
pub trait Store: Send {
    /// One transaction over these tables, of each of which lines up to a number are known here (none of a new one). `work` is given the lines that others
    /// have written since, by table and number, and says what to write. When this returns without an error, all of it is on the disk; otherwise nothing is.
    fn batch(
        &mut self,
        tables: &[(Id, Option<u64>)],
        work: &mut dyn FnMut(Vec<(Id, Row)>) -> Writes,
    ) -> Result<(), Failed>;
}

/// The readers' side.
pub trait Shelf: Send + Sync {
    /// A table.
    fn table(&self, id: &Id) -> Result<Option<Stored>, Failed>;

    /// At most so many lines after one, in order; from the first on if there is none.
    fn lines(&self, id: &Id, since: Option<u64>, most: usize) -> Result<Vec<Row>, Failed>;

    /// Tables that have had no line for so long.
    fn silent(&self, time: Duration) -> Result<Vec<Id>, Failed>;

    /// What is kept of a hidden roll.
    fn aside(&self, id: &Id, seq: u64) -> Result<Option<String>, Failed>;

    /// The same for all lines from one on, in order.
    fn asides(&self, id: &Id, from: u64) -> Result<Vec<(u64, String)>, Failed>;

    /// Words that lines after one name, in order.
    fn words(&self, id: &Id, since: Option<u64>) -> Result<Vec<Words>, Failed>;
}
