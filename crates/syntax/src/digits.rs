//! The digits of a number, as written.
//!
//! Nearly every number of a dice program has one to three digits, and most programs are little else than such
//! numbers. Short ones are therefore held in place, without memory of their own.

use std::fmt;
use std::ops::Deref;

/// The digits of a number: `12`, `0.5`.
#[derive(Clone)]
pub struct Digits(Held);

/// As many bytes as the other form takes anyway.
const SHORT: usize = 14;

#[derive(Clone)]
enum Held {
    Short { length: u8, bytes: [u8; SHORT] },
    Long(Box<str>),
}

impl Digits {
    /// The digits.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Held::Short { length, bytes } => {
                let text = bytes.get(..usize::from(*length)).unwrap_or_default();
                std::str::from_utf8(text).unwrap_or_default()
            }
            Held::Long(text) => text,
        }
    }
}

impl From<&str> for Digits {
    fn from(text: &str) -> Digits {
        let mut bytes = [0; SHORT];
        match (bytes.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(place), Ok(length)) => {
                place.copy_from_slice(text.as_bytes());
                Digits(Held::Short { length, bytes })
            }
            _ => Digits(Held::Long(text.into())),
        }
    }
}

impl From<String> for Digits {
    fn from(text: String) -> Digits {
        text.as_str().into()
    }
}

impl Deref for Digits {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq for Digits {
    fn eq(&self, other: &Digits) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Digits {}

impl PartialEq<str> for Digits {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl fmt::Debug for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_ones_are_what_was_written() {
        for text in ["", "7", "0.5", "12345678901234", "123456789012345", &"9".repeat(300)] {
            assert_eq!(Digits::from(text).as_str(), text);
            assert_eq!(Digits::from(text.to_owned()), Digits::from(text));
        }
        assert_ne!(Digits::from("7"), Digits::from("07"));
    }
}
