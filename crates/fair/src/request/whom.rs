//! Who may see a roll, and what it is for.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::is_rising;
use crate::bytes::{Bytes, Hash};

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
