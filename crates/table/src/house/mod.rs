//! The house of one table, without a network, a disk or a clock: what was asked for goes in, lines come out.
//!
//! ```text
//! act ──▶ may it be? ──▶ lines ──▶ apply ──▶ the house after them
//!            │ what has to be thrown first ──▶ (somewhere else, at leisure) ──▶ the same act again, with what fell
//! ```
//!
//! `apply` alone changes what is known: it takes the lines that this house has just written, and those that lie in a store
//! when a server starts. What is written fits `spec/fair.md`; tests give whole evenings to the checker of `crates/fair`.

mod acts;
mod apply;
mod aside;
mod asks;
mod own;
mod rolls;
mod turn;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use astragal_fair::formulas::{head_text, house_value, receipt_text, seal};
use astragal_fair::line::{self, Dice, Limits, Line, Opened, Outcome, Witness};
use astragal_fair::request::{self, Envelope, Role};
use astragal_fair::{Bytes, Hash, Id, Key, Kind, Seal, Signature, Signer, Value, exact, hash};
use ed25519_dalek::{Signer as _, SigningKey};

use crate::problem::Problem;

pub use acts::Signed;
pub use apply::Kept;
pub use aside::{Aside, Audience, readers};
pub use turn::Request;

/// The house of one table.
#[derive(Debug)]
pub struct House {
    id: Id,
    key: SigningKey,
    secret: [u8; 32],
    witness: Witness,
    limits: Limits,
    /// The language and the library of the newest line that names them, and the number of that line.
    engine: (u64, Hash, u64),
    /// The library of this program.
    own_library: Hash,
    prev: Hash,
    at: HashMap<Hash, u64>,
    kinds: Vec<Kind>,
    seats: Vec<Seat>,
    /// Seals that were laid, by their first bytes: none may be laid twice.
    laid: HashSet<u64>,
    rules: Vec<(u64, Arc<str>)>,
    open: Option<Open>,
    hidden: HashMap<u64, u64>,
    ended: bool,
    /// Something was restored: the house seals anew before anything else, as soon as no ask is open.
    must_reseal: bool,
    /// The house does not know the values that it has sealed: the table can be read, and no more.
    lost: bool,
    /// The table went to another house.
    moved: bool,
}

/// A seat, as far as the log has come.
#[derive(Debug)]
struct Seat {
    name: String,
    role: Role,
    signer: Signer,
    key: Key,
    /// The line of each of its requests, and the hash of the request.
    signed: Vec<(u64, Hash)>,
    /// Its newest line.
    newest: u64,
    present: bool,
    left: bool,
    /// Which of the house's seals for it is the current one, that seal, and the line that laid it.
    sealed: (u64, Seal, u64),
    /// The number of its newest seal as a witness, and the seal unless it is spent.
    witness: (u64, Option<Seal>),
    /// The last testimony of it that stands in the log.
    spoke: Option<Spoke>,
}

/// A testimony that stands in the log: for which line, by which seal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spoke {
    of: u64,
    ask: Hash,
    m: u64,
    opened: Opened,
}

/// What a witness is given for its testimony.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Receipt {
    /// The line that asks.
    pub of: u64,
    /// The witness.
    pub seat: u64,
    /// The number of its seal.
    pub m: u64,
    /// By the house.
    pub sig: Signature,
}

/// An ask that is open.
#[derive(Debug)]
struct Open {
    /// The newest line that asked, and its hash.
    line: u64,
    hash: Hash,
    /// The line that bears the request.
    first: u64,
    seat: u64,
    request_hash: Hash,
    after_at: u64,
    /// None for a hidden roll until its request is brought from the store.
    request: Option<String>,
    hidden: bool,
    asked: Vec<(u64, u64, Seal)>,
    heard: BTreeMap<u64, Opened>,
}

/// A line that was written, and what belongs to it.
#[derive(Clone, Debug)]
pub struct Written {
    /// Its number.
    pub seq: u64,
    /// Its kind.
    pub kind: Kind,
    /// Its text, without the line feed.
    pub text: String,
    /// Its hash.
    pub hash: Hash,
    /// The house's signature of the head after it.
    pub sig: Signature,
    /// What only some may see.
    pub aside: Option<Aside>,
    /// The secret from which values are made from now on.
    pub secret: Option<[u8; 32]>,
}

/// What is to be thrown before a line can be written.
#[derive(Clone, Debug)]
pub struct Throw {
    /// The roll key; for typed dice the hash of their request.
    pub id: Bytes<32>,
    /// The program.
    pub text: String,
    /// Its inputs.
    pub inputs: Vec<(String, String)>,
    /// The house rules that hold.
    pub rules: Option<Arc<str>>,
    /// What it may cost.
    pub limits: Limits,
    /// The faces that were typed, if real dice were thrown.
    pub faces: Option<String>,
}

/// What was thrown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thrown {
    /// As in [`Throw`].
    pub id: Bytes<32>,
    /// The dice.
    pub dice: Dice,
    /// What they come to.
    pub outcome: Outcome,
}

/// What comes of an act.
#[derive(Debug)]
pub enum Step {
    /// These lines. None if there is nothing to say.
    Written(Vec<Written>),
    /// The same request came before: this line bears it.
    Repeated(u64),
    /// This has to be thrown first.
    Throw(Box<Throw>),
    /// Witnesses are asked for another roll: it has to wait until that is closed.
    Wait,
    /// A testimony was taken, and others are missing. It must be kept before the receipt is given.
    Heard(Box<Opened>),
    /// The same testimony came before.
    HeardBefore,
}

/// What somebody wants of a house.
#[derive(Clone, Debug)]
pub enum Act {
    /// Sits down.
    Sit(Request<request::Seat>, Option<(u64, Signature)>),
    /// Rolls.
    Roll(Request<request::Roll>),
    /// Types real dice.
    Typed(Request<request::Typed>),
    /// Shows a hidden roll, which lies here.
    Reveal(Request<request::Reveal>, Option<Box<Aside>>),
    /// Any other request that a seat signs.
    Sign(Request<Signed>),
    /// Testifies for a line that asks.
    Hear(u64, Opened),
    /// The time of a line that asks is over.
    Due(u64),
    /// These seats are connected now.
    Present(Vec<u64>),
    /// Whatever the house has to say first, with fresh bytes for a secret.
    Settle([u8; 32]),
}

impl House {
    /// A new table, and its first line.
    pub fn new(
        key: SigningKey,
        secret: [u8; 32],
        nonce: Bytes<16>,
        witness: Witness,
        library: Hash,
    ) -> (House, Written) {
        let house = Bytes(key.verifying_key().to_bytes());
        let id = astragal_fair::formulas::table_id(&house, &nonce);
        let limits = Limits::USUAL;
        let language = astragal_fair::LANGUAGE;
        let first = line::Table {
            v: astragal_fair::VERSION,
            table: id,
            house,
            nonce,
            language,
            library,
            witness,
            limits,
        };
        let mut made = House::empty(key, secret, &first, library);
        let written = made.write(Line::Table(first));
        (made, written)
    }

    fn empty(key: SigningKey, secret: [u8; 32], first: &line::Table, library: Hash) -> House {
        House {
            id: first.table,
            key,
            secret,
            witness: first.witness,
            limits: first.limits,
            engine: (first.language, first.library, 0),
            own_library: library,
            prev: Hash::ZERO,
            at: HashMap::new(),
            kinds: Vec::new(),
            seats: Vec::new(),
            laid: HashSet::new(),
            rules: Vec::new(),
            open: None,
            hidden: HashMap::new(),
            ended: false,
            must_reseal: false,
            lost: false,
            moved: false,
        }
    }

    /// Does something, or says why not. Nothing is changed by what is refused.
    pub fn act(&mut self, act: &Act, thrown: Option<&Thrown>) -> Result<Step, Problem> {
        match act {
            Act::Sit(request, vouched) => self.sit(request, *vouched),
            Act::Roll(request) => self.roll(request, thrown),
            Act::Typed(request) => self.typed(request, thrown),
            Act::Reveal(request, aside) => self.reveal(request, aside.as_deref(), thrown),
            Act::Sign(request) => self.sign(request),
            Act::Hear(of, opened) => self.hear(*of, opened, thrown),
            Act::Due(of) => self.due(*of, thrown),
            Act::Present(online) => self.present(online),
            Act::Settle(fresh) => Ok(self.settle(fresh)),
        }
    }

    /// Writes a line, and knows it from then on.
    fn write(&mut self, line: Line) -> Written {
        let (seq, kind) = (self.seq(), line.kind());
        let text = line_text(seq, &self.prev, kind, &line);
        let own = hash(text.as_bytes());
        self.apply(&line, own);
        Written { seq, kind, hash: own, sig: self.head_sig(), text, aside: None, secret: None }
    }

    fn head_sig(&self) -> Signature {
        let text = head_text(&self.id, self.seq().saturating_sub(1), &self.prev);
        Bytes(self.key.sign(text.as_bytes()).to_bytes())
    }

    /// The number of the next line.
    pub fn seq(&self) -> u64 {
        self.kinds.len() as u64
    }

    /// The hash of the newest line.
    pub fn newest(&self) -> Hash {
        self.prev
    }

    /// The id of the table.
    pub fn id(&self) -> Id {
        self.id
    }

    /// When witnesses are asked.
    pub fn witness(&self) -> Witness {
        self.witness
    }

    /// Whether the table was closed.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Whether the house still knows the values that it has sealed.
    pub fn can_go_on(&self) -> bool {
        !self.lost
    }

    /// Whether the table went to another house.
    pub fn has_moved(&self) -> bool {
        self.moved
    }

    /// The key of a seat.
    pub fn signer(&self, seat: u64) -> Option<Signer> {
        self.seat(seat).map(|seat| seat.signer.clone())
    }

    /// How many seats there are.
    pub fn seats(&self) -> u64 {
        self.seats.len() as u64
    }

    /// What is known of each seat: name, role, present, left, number of the next request.
    pub fn seated(&self) -> impl Iterator<Item = (&str, Role, bool, bool, u64)> {
        self.seats
            .iter()
            .map(|seat| (&*seat.name, seat.role, seat.present, seat.left, seat.signed.len() as u64))
    }

    /// The role of a seat.
    pub fn role(&self, seat: u64) -> Option<Role> {
        self.seat(seat).map(|seat| seat.role)
    }

    /// The seats that are here, by the log.
    pub fn here(&self) -> Vec<u64> {
        (0..)
            .zip(&self.seats)
            .filter(|(_, seat)| seat.present && !seat.left)
            .map(|(at, _)| at)
            .collect()
    }

    /// The line that asks, if one is open, and its hash.
    pub fn asks(&self) -> Option<(u64, Hash)> {
        self.open.as_ref().map(|open| (open.line, open.hash))
    }

    /// The receipt for a testimony that was taken, in exactly these bytes.
    pub fn receipt(&self, of: u64, opened: &Opened) -> Option<Receipt> {
        let seat = opened.0;
        let waits = self.open.as_ref().filter(|open| open.line == of).and_then(|open| {
            let (_, m, _) = open.asked.iter().find(|(asked, ..)| *asked == seat)?;
            (open.heard.get(&seat) == Some(opened)).then_some((*m, open.hash))
        });
        let stands = || {
            let spoke = self.seat(seat)?.spoke?;
            (spoke.of == of && spoke.opened == *opened).then_some((spoke.m, spoke.ask))
        };
        let (m, ask) = waits.or_else(stands)?;
        let (_, value, next, _) = opened;
        let text = receipt_text(&self.id, &ask, seat, m, value, next);
        Some(Receipt { of, seat, m, sig: Bytes(self.key.sign(text.as_bytes()).to_bytes()) })
    }

    fn seat(&self, seat: u64) -> Option<&Seat> {
        self.seats.get(usize::try_from(seat).ok()?)
    }

    fn seat_mut(&mut self, seat: u64) -> Option<&mut Seat> {
        self.seats.get_mut(usize::try_from(seat).ok()?)
    }

    /// The value that is sealed for a seat, and the next seal.
    fn value(&self, seat: u64) -> (Value, Seal) {
        let laid = self.seat(seat).map_or(0, |seat| seat.sealed.0);
        let of = |n: u64| house_value(&self.secret, &self.id, seat as u32, n);
        (of(laid), seal(&of(laid + 1)))
    }

    /// The house rules that hold for a request.
    fn rules_at(&self, line: u64) -> Option<&Arc<str>> {
        self.rules.iter().rev().find(|(since, _)| *since <= line).map(|(_, text)| text)
    }

    fn lay(&mut self, seal: &Seal) {
        self.laid.insert(first_bytes(seal));
    }

    fn was_laid(&self, seal: &Seal) -> bool {
        self.laid.contains(&first_bytes(seal))
    }
}

fn first_bytes(seal: &Seal) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&seal.0[..8]);
    u64::from_le_bytes(bytes)
}

/// The house's signature of a head.
pub fn head_signature(key: &[u8; 32], table: &Id, seq: u64, line: &Hash) -> Signature {
    Bytes(SigningKey::from_bytes(key).sign(head_text(table, seq, line).as_bytes()).to_bytes())
}

/// The head of a log, as its last line.
pub fn head(table: Id, seq: u64, hash: Hash, sig: Signature) -> String {
    exact::write(&line::Head { kind: "head".into(), table, seq, hash, sig })
}

fn line_text(seq: u64, prev: &Hash, kind: Kind, line: &Line) -> String {
    match line {
        Line::Table(line) => line::written(seq, prev, kind, line),
        Line::Seat(line) => line::written(seq, prev, kind, line),
        Line::Roll(line) => line::written(seq, prev, kind, line),
        Line::Hidden(line) => line::written(seq, prev, kind, line),
        Line::Ask(line) => line::written(seq, prev, kind, line),
        Line::AskHidden(line) => line::written(seq, prev, kind, line),
        Line::Again(line) => line::written(seq, prev, kind, line),
        Line::Close(line) => line::written(seq, prev, kind, line),
        Line::CloseHidden(line) => line::written(seq, prev, kind, line),
        Line::Reveal(line) => line::written(seq, prev, kind, line),
        Line::Typed(line) => line::written(seq, prev, kind, line),
        Line::Act(_, line) => line::written(seq, prev, kind, line),
        Line::Present(line) => line::written(seq, prev, kind, line),
        Line::Reseal(line) => line::written(seq, prev, kind, line),
        Line::Language(line) => line::written(seq, prev, kind, line),
        Line::Move(line) => line::written(seq, prev, kind, line),
    }
}

/// The envelope of a request that stands in a line of this table.
fn envelope_of<T>(text: &str, id: &Id) -> Option<(Envelope, T)>
where
    T: serde::Serialize + serde::de::DeserializeOwned,
{
    request::read(text, id).ok()
}
