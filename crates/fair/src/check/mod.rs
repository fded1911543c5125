//! Checks a log in one pass, line by line.
//!
//! ```text
//! lines ──▶ chain ──▶ signed by its seat ──▶ seals, witnesses ──▶ key ──▶ program ──▶ dice, outcome
//! ```
//!
//! What is kept is what later lines may refer to: the hash and the kind of each line, the seals, hidden rolls that wait. A device takes
//! each line as it comes; `astragal verify` takes a file.

mod acts;
mod asks;
mod facts;
mod house;
mod rolls;
mod seats;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::bytes::{Bytes, Hash, Seal, hash};
use crate::formulas::head_text;
use crate::judge::Judge;
use crate::kind::Kind;
use crate::line::{self, Line};
use crate::report::{Made, Report};
use crate::wrong::{Trouble, Wrong, need};
use crate::{LONGEST_LINE, exact};

use asks::Open;
pub use facts::{OpenAsk, SeatFacts};
use house::Table;
pub use rolls::Rolled;
use rolls::Waiting;
use seats::Seat;

/// Takes a log line by line.
#[derive(Clone, Debug)]
pub struct Checker {
    chain: Chain,
    table: Option<Table>,
    seats: Vec<Seat>,
    /// All seals that were laid.
    seals: HashSet<Seal>,
    /// Who signed the newest line, if a seat did.
    signer: Option<u64>,
    /// Hidden rolls, by their lines.
    hidden: HashMap<u64, Waiting>,
    /// The ask that is open.
    ask: Option<Open>,
    /// Rolls that were struck, by the lines in which they were rolled.
    struck: HashSet<u64>,
    /// House rules, and since which line they hold.
    rules: Vec<(u64, Arc<str>)>,
    judge: Judge,
    report: Report,
    /// The head was read.
    finished: bool,
}

/// The lines so far.
#[derive(Clone, Debug, Default)]
struct Chain {
    prev: Hash,
    /// The number of each line, by its hash.
    at: HashMap<Hash, u64>,
    kinds: Vec<Kind>,
    /// Whose roll a line tells of, and the line in which it was rolled.
    rolls: HashMap<u64, (usize, u64)>,
}

impl Chain {
    fn seq(&self) -> u64 {
        self.kinds.len() as u64
    }

    fn kind(&self, line: u64) -> Option<Kind> {
        self.kinds.get(usize::try_from(line).ok()?).copied()
    }
}

/// A line that fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Its number; the head has none.
    pub seq: Option<u64>,
    /// Its kind; the head has none.
    pub kind: Option<Kind>,
    /// If it shows dice, their key.
    pub key: Option<Bytes<32>>,
    /// If it ends a roll, who took part.
    pub made: Option<Made>,
    /// If it is about a roll that is rolled, hidden or shown, that roll.
    pub roll: Option<Rolled>,
}

/// What a line about a roll comes to.
#[derive(Clone, Debug, Default)]
struct Shown {
    key: Option<Bytes<32>>,
    made: Option<Made>,
    roll: Option<Rolled>,
}

impl Default for Checker {
    fn default() -> Checker {
        Checker::new()
    }
}

impl Checker {
    /// Before the first line.
    pub fn new() -> Checker {
        Checker::with(Judge::best())
    }

    /// The same for who has no engine at hand: dice are held against their key, and all outcomes but refusals are counted as not judged.
    pub fn without_engine() -> Checker {
        Checker::with(Judge::Blind)
    }

    fn with(judge: Judge) -> Checker {
        Checker {
            chain: Chain::default(),
            table: None,
            seats: Vec::new(),
            seals: HashSet::new(),
            signer: None,
            hidden: HashMap::new(),
            ask: None,
            struck: HashSet::new(),
            rules: Vec::new(),
            judge,
            report: Report::default(),
            finished: false,
        }
    }

    /// Takes the next line, without its line feed. After an error the checker is of no further use.
    pub fn line(&mut self, text: &str) -> Result<Taken, Wrong> {
        need(!self.finished, || Wrong::new(Trouble::Head, "there is something after the head"))?;
        let fits = text.len() < LONGEST_LINE;
        need(fits, || Wrong::new(Trouble::Form, "it is longer than 1048576 bytes"))?;
        if text.starts_with(r#"{"kind":"head""#) {
            self.head(text)?;
            return Ok(Taken { seq: None, kind: None, key: None, made: None, roll: None });
        }
        self.step(text).map(|(_, taken)| taken)
    }

    /// The same for a line of the chain, with what stands in it.
    pub(crate) fn step(&mut self, text: &str) -> Result<(Line, Taken), Wrong> {
        let seq = self.chain.seq();
        let line = line::read(text, seq, &self.chain.prev)?;
        let kind = line.kind();
        self.check_order(kind)?;
        self.signer = None;
        let own = hash(text.as_bytes());
        let Shown { key, made, roll } = self.take(&line, &own)?;
        self.chain.kinds.push(kind);
        self.chain.at.insert(own, seq);
        self.chain.prev = own;
        self.report.lines += 1;
        Ok((line, Taken { seq: Some(seq), kind: Some(kind), key, made, roll }))
    }

    /// After the last line: what was found.
    pub fn finish(mut self) -> Result<Report, Wrong> {
        need(self.finished, || {
            let message = "the log does not end with its head, signed by the house: it was cut off, or is not complete";
            Wrong::new(Trouble::Head, message)
        })?;
        self.report.open_ask = self.ask.map(|ask| ask.line);
        Ok(self.report)
    }

    /// What was found so far.
    pub fn so_far(&self) -> &Report {
        &self.report
    }

    /// Where a line with this hash stands.
    pub fn find(&self, line: &Hash) -> Option<u64> {
        self.chain.at.get(line).copied()
    }

    /// The hash of the line with this number.
    pub fn hash_of(&self, line: u64) -> Option<Hash> {
        self.chain.at.iter().find(|(_, at)| **at == line).map(|(hash, _)| *hash)
    }

    /// Whether such a line may stand here at all.
    fn check_order(&self, kind: Kind) -> Result<(), Wrong> {
        let wrong = |message: &str| Wrong::new(Trouble::Order, message.to_owned());
        let first = self.chain.seq() == 0;
        need(first == (kind == Kind::Table), || {
            wrong("a log begins with a line of kind `table`, and has no other")
        })?;
        need(!self.report.ended, || wrong("the table was closed; nothing may follow"))?;
        let moved = self.chain.kinds.last() == Some(&Kind::Move);
        need(!moved || kind == Kind::Reseal, || {
            wrong("the table went to another house, which must seal anew first")
                .instead(Kind::Reseal, kind)
        })?;
        let waits = self.ask.is_some() && kind.waits_for_witnesses();
        need(!waits, || {
            wrong("witnesses were asked for another roll, which is not closed")
                .instead("close", kind)
        })
    }

    fn take(&mut self, line: &Line, own: &Hash) -> Result<Shown, Wrong> {
        let shown = match line {
            Line::Roll(line) => self.roll(line)?,
            Line::Hidden(line) => self.hidden(line)?,
            Line::Ask(line) => self.ask(line, own)?,
            Line::AskHidden(line) => self.ask_hidden(line, own)?,
            Line::Again(line) => self.again(line, own)?,
            Line::Close(line) => self.close(line)?,
            Line::CloseHidden(line) => self.close_hidden(line)?,
            Line::Reveal(line) => self.reveal(line)?,
            Line::Table(line) => self.begin(line)?,
            Line::Seat(line) => self.sit(line)?,
            Line::Typed(line) => self.typed(line)?,
            Line::Act(kind, line) => self.act(*kind, line)?,
            Line::Present(line) => self.present(line)?,
            Line::Reseal(line) => self.reseal(line)?,
            Line::Language(line) => self.language(line)?,
            Line::Move(line) => self.moved(line)?,
        };
        Ok(shown)
    }

    /// A seal is laid. None may be laid twice: its value may be known.
    fn lay(&mut self, seal: &Seal) -> Result<(), Wrong> {
        need(self.seals.insert(*seal), || {
            Wrong::new(Trouble::Seal, "this seal was laid before; its value may be known")
        })
    }

    /// The table, which every line but the first has.
    fn table(&self) -> Result<&Table, Wrong> {
        self.table.as_ref().ok_or_else(|| Wrong::new(Trouble::Order, "there is no table"))
    }

    fn head(&mut self, text: &str) -> Result<(), Wrong> {
        self.report.head = Some(self.signed_head(text)?);
        self.finished = true;
        Ok(())
    }

    /// Number and hash of the newest line, if this is its head, signed by the house.
    pub(crate) fn signed_head(&self, text: &str) -> Result<(u64, Hash), Wrong> {
        let head: line::Head = exact::read(text)?;
        let table = self.table()?;
        let wrong = |message: &str| Wrong::new(Trouble::Head, message.to_owned());
        need(head.table == table.id, || wrong("the head is that of another table"))?;
        let moved = self.chain.kinds.last() == Some(&Kind::Move);
        need(!moved, || wrong("the table went to another house, which must seal anew first"))?;
        let last = self.chain.seq().saturating_sub(1);
        need((head.seq, head.hash) == (last, self.chain.prev), || {
            let stands = format!("line {} with hash {}", head.seq, head.hash);
            let expected = format!("line {last} with hash {}", self.chain.prev);
            wrong("the head is not that of this log: lines were cut off, added or changed")
                .instead(expected, stands)
        })?;
        let text = head_text(&head.table, head.seq, &head.hash);
        need(table.house.has_signed(&text, &head.sig), || {
            Wrong::new(Trouble::Signature, "the head is not signed by the house")
        })?;
        Ok((head.seq, head.hash))
    }
}
