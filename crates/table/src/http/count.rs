//! Numbers of lines, seats and the like, as they come in.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

/// The largest whole number that every reader of JSON has exactly.
const MOST: u64 = (1 << 53) - 1;

/// A whole number from 0 to 2⁵³ − 1. JSON writes the same number as `3` and as `3.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Count(pub(super) u64);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Count, D::Error> {
        deserializer.deserialize_u64(Counting)
    }
}

struct Counting;

impl Visitor<'_> for Counting {
    type Value = Count;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "a whole number from 0 to {MOST}")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Count, E> {
        if number > MOST {
            return Err(E::invalid_value(Unexpected::Unsigned(number), &self));
        }
        Ok(Count(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Count, E> {
        if number.fract() != 0.0 || !(0.0..=MOST as f64).contains(&number) {
            return Err(E::invalid_value(Unexpected::Float(number), &self));
        }
        Ok(Count(number as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_read_however_json_writes_them() {
        let read = |text: &str| serde_json::from_str::<Count>(text).ok().map(|Count(n)| n);
        assert_eq!(read("3"), Some(3));
        assert_eq!(read("3.0"), Some(3));
        assert_eq!(read("9007199254740991"), Some(MOST));
        for wrong in
            ["9007199254740992", "9007199254740992.0", "-1", "-1.0", "0.5", "1e300", "\"3\""]
        {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
