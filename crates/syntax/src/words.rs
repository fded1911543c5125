//! A few words, mostly so few that they need no memory of their own.
//!
//! `keep highest 3`: the words of a suffix are made when a program is checked and go into the record of each
//! roll. To ask the allocator for them, or to count who shares them, would cost more than to copy them.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A few words.
#[derive(Clone, PartialEq, Eq)]
pub struct Words(Held);

/// As many bytes as make the whole three machine words.
const SHORT: usize = 22;

#[derive(Clone, PartialEq, Eq)]
enum Held {
    Short { length: u8, bytes: [u8; SHORT] },
    Long(Arc<str>),
}

impl Words {
    /// None yet.
    pub fn new() -> Words {
        Words(Held::Short { length: 0, bytes: [0; SHORT] })
    }

    /// The words.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Held::Short { length, bytes } => {
                let text = bytes.get(..usize::from(*length)).unwrap_or_default();
                std::str::from_utf8(text).unwrap_or_default()
            }
            Held::Long(text) => text,
        }
    }

    /// More words.
    pub fn push(&mut self, more: &str) {
        if let Held::Short { length, bytes } = &mut self.0 {
            let start = usize::from(*length);
            if let Some(place) = bytes.get_mut(start..start + more.len()) {
                place.copy_from_slice(more.as_bytes());
                *length += more.len() as u8;
                return;
            }
        }
        self.0 = Held::Long([self.as_str(), more].concat().into());
    }
}

impl Default for Words {
    fn default() -> Words {
        Words::new()
    }
}

impl From<&str> for Words {
    fn from(text: &str) -> Words {
        let mut words = Words::new();
        words.push(text);
        words
    }
}

impl Deref for Words {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_words_read_the_same() {
        let mut words = Words::new();
        let mut text = String::new();
        for more in ["", "explode", " on ", ">= ", "10", " up to ", "(luck + 1)", " times", "é"] {
            words.push(more);
            text.push_str(more);
            assert_eq!(&*words, text);
            assert_eq!(words, Words::from(text.as_str()));
        }
    }
}
