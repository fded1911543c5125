//! What a seat signs, exactly as it is signed.
//!
//! A request begins with the table, the seat, its number and the newest line that the device has seen. That line's hash
//! proves which seals lay on the table before, names a history, and dates the request.

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::bytes::{Bytes, Hash, Id, Key, Seal};
use crate::exact;
use crate::wrong::{Trouble, Wrong, need};

/// The most inputs of a program.
const MOST_INPUTS: usize = 64;
/// The most characters of a name.
const LONGEST_NAME: usize = 64;
/// The most characters of an input's value.
const LONGEST_INPUT: usize = 256;
/// The most characters of typed faces, or of what is set.
const LONGEST_VALUE: usize = 4_096;

/// Who asks, when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// The seat.
    pub seat: u64,
    /// The number of what it signs, from 0.
    pub n: u64,
    /// The newest line that it has seen.
    pub after: Hash,
}

/// Somebody sits down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
    /// What the others call them.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// The key of their device.
    pub key: Key,
    /// Their first seal as a witness.
    pub seal: Seal,
}

/// What a seat may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A game master.
    Owner,
    /// A player.
    Player,
    /// A way in from a chat: the house has its key.
    Door,
}

/// A roll.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Roll {
    /// Fresh random bytes: what the house cannot know when it seals its value.
    pub salt: Bytes<32>,
    /// The program.
    pub text: String,
    /// Its inputs.
    pub inputs: Vec<(String, String)>,
    /// Who may see it.
    pub to: To,
    /// What it is for.
    pub r#for: For,
}

/// A hidden roll is to be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reveal {
    /// Its line.
    pub of: u64,
}

/// Real dice, typed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Typed {
    /// The program.
    pub text: String,
    /// Its inputs.
    pub inputs: Vec<(String, String)>,
    /// What the dice show, in the order of throws: `3,6,2`.
    pub faces: String,
    /// What it is for.
    pub r#for: For,
}

/// A roll is declared void.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strike {
    /// Its line.
    pub of: u64,
    /// Why: words beside the log.
    pub words: Hash,
}

/// Seats are asked to roll this.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The program.
    pub text: String,
    /// Its inputs.
    pub inputs: Vec<(String, String)>,
    /// Who is asked.
    pub to: To,
    /// What for: words beside the log.
    pub label: Option<Hash>,
}

/// A roll to keep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keep {
    /// Whose; none is the table's.
    pub whose: Option<u64>,
    /// What it is called.
    pub name: String,
    /// The program.
    pub text: String,
    /// Its inputs.
    pub inputs: Vec<(String, String)>,
}

/// A number with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Set {
    /// Whose; none is the table's.
    pub whose: Option<u64>,
    /// What it is called.
    pub name: String,
    /// What it is.
    pub value: String,
}

/// House rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Definitions in the language.
    pub text: String,
}

/// Words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Say {
    /// Who may read them.
    pub to: To,
    /// The words, beside the log.
    pub words: Hash,
}

/// A witness is here, with a new seal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewSeal {
    /// The seal.
    pub seal: Seal,
}

/// A request that says nothing more: `left`, `end`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// Who may see something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum To {
    /// Everyone.
    All,
    /// The owners.
    Owner,
    /// The roller alone.
    Myself,
    /// These seats, in rising order.
    Seats(Vec<u64>),
}

impl Serialize for To {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            To::All => to.serialize_str("all"),
            To::Owner => to.serialize_str("owner"),
            To::Myself => to.serialize_str("self"),
            To::Seats(seats) => seats.serialize(to),
        }
    }
}

impl<'de> Deserialize<'de> for To {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(from)?;
        let seats = |list: &Vec<serde_json::Value>| {
            list.iter().map(serde_json::Value::as_u64).collect::<Option<Vec<u64>>>()
        };
        match (value.as_str(), value.as_array().and_then(seats)) {
            (Some("all"), _) => Ok(To::All),
            (Some("owner"), _) => Ok(To::Owner),
            (Some("self"), _) => Ok(To::Myself),
            (_, Some(seats)) if is_rising(&seats) && !seats.is_empty() => Ok(To::Seats(seats)),
            _ => Err(D::Error::custom("`to` is all, owner, self or a rising list of seats")),
        }
    }
}

/// What a roll is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum For {
    /// Nobody said.
    Nothing,
    /// An earlier line of kind `call`.
    Call(u64),
    /// Words beside the log.
    Label(Hash),
}

impl Serialize for For {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            For::Nothing => to.serialize_none(),
            For::Call(line) => to.serialize_u64(*line),
            For::Label(words) => words.serialize(to),
        }
    }
}

impl<'de> Deserialize<'de> for For {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(from)?;
        match (value.as_u64(), value.as_str().and_then(Bytes::read)) {
            (Some(line), _) => Ok(For::Call(line)),
            (_, Some(words)) => Ok(For::Label(words)),
            _ if value.is_null() => Ok(For::Nothing),
            _ => Err(D::Error::custom("`for` is null, the number of a call or a hash")),
        }
    }
}

/// Whether seats are in rising order.
pub(crate) fn is_rising(seats: &[u64]) -> bool {
    seats.windows(2).all(|pair| pair[0] < pair[1])
}

/// The text of a request.
pub fn written<T: Serialize>(table: &Id, envelope: &Envelope, asked: &T) -> String {
    let Envelope { seat, n, after } = envelope;
    let rest = exact::write(asked);
    let comma = if rest == "{}" { "" } else { "," };
    format!(
        r#"{{"v":1,"table":"{table}","seat":{seat},"n":{n},"after":"{after}"{comma}{}"#,
        &rest[1..]
    )
}

/// A request for this table from its text.
pub(crate) fn read<T>(text: &str, table: &Id) -> Result<(Envelope, T), Wrong>
where
    T: Serialize + DeserializeOwned,
{
    let form = || Wrong::new(Trouble::Form, "its request does not begin as a request does");
    let whole = |digits: &str| {
        let number: Option<u64> = digits.parse().ok();
        number.filter(|number| number.to_string() == digits).ok_or_else(form)
    };
    let rest = text.strip_prefix(r#"{"v":1,"table":""#).ok_or_else(form)?;
    let (found, rest) = rest.split_once(r#"","seat":"#).ok_or_else(form)?;
    need(found == table.to_string(), || {
        Wrong::new(Trouble::Request, "its request is for another table").instead(table, found)
    })?;
    let (seat, rest) = rest.split_once(r#","n":"#).ok_or_else(form)?;
    let (n, rest) = rest.split_once(r#","after":""#).ok_or_else(form)?;
    let (after, rest) = rest.split_once('"').ok_or_else(form)?;
    let after = Bytes::read(after).ok_or_else(form)?;
    let rest = if rest == "}" { "}" } else { rest.strip_prefix(',').ok_or_else(form)? };
    let asked: T = exact::read(&format!("{{{rest}"))?;
    let envelope = Envelope { seat: whole(seat)?, n: whole(n)?, after };
    // What was cut off and put together again is compared once more as a whole.
    need(written(table, &envelope, &asked) == text, form)?;
    Ok((envelope, asked))
}

/// A name of a seat, an input, a kept roll.
pub(crate) fn check_name(name: &str) -> Result<(), Wrong> {
    let length = name.chars().count();
    let fits = (1..=LONGEST_NAME).contains(&length) && !name.chars().any(char::is_control);
    need(fits, || {
        Wrong::new(
            Trouble::Request,
            "a name has 1 to 64 characters, none of them a control character",
        )
    })
}

/// The inputs of a program.
pub(crate) fn check_inputs(inputs: &[(String, String)]) -> Result<(), Wrong> {
    let wrong = |what: &str| Wrong::new(Trouble::Request, what.to_owned());
    need(inputs.len() <= MOST_INPUTS, || wrong("there are more than 64 inputs"))?;
    for (at, (name, value)) in inputs.iter().enumerate() {
        check_name(name)?;
        let fits = value.chars().count() <= LONGEST_INPUT;
        need(fits, || wrong("an input has more than 256 characters"))?;
        let twice = inputs[..at].iter().any(|(before, _)| before == name);
        need(!twice, || wrong("an input stands twice"))?;
    }
    Ok(())
}

/// Typed faces, or what is set.
pub(crate) fn check_value(value: &str) -> Result<(), Wrong> {
    let fits = value.chars().count() <= LONGEST_VALUE;
    need(fits, || Wrong::new(Trouble::Request, "a value has more than 4096 characters"))
}
