//! Values as single words.
//!
//! A whole number of up to 63 bits is itself, doubled; every other word is odd and says what it is and its
//! number in the store.

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Word(pub(super) u64);

/// What an odd word is, in its bits 1 to 3; its number is above them.
const NONE: u64 = 0;
const BOOL: u64 = 1;
pub(super) const LIST: u64 = 2;
pub(super) const RECORD: u64 = 3;
pub(super) const OTHER: u64 = 4;
const UNTHROWN: u64 = 5;
const STOPPED: u64 = 6;

impl Word {
    /// No value at all.
    pub const NONE: Word = Word::odd(NONE, 0);
    /// The empty list.
    pub const EMPTY: Word = Word::odd(LIST, 0);
    /// No value: what a throw shows before it is thrown.
    pub const UNTHROWN: Word = Word::odd(UNTHROWN, 0);

    #[inline]
    pub(super) const fn odd(kind: u64, number: u32) -> Word {
        Word((number as u64) << 4 | kind << 1 | 1)
    }

    /// A number, if it fits.
    #[inline]
    pub fn number(n: i64) -> Option<Word> {
        let doubled = n.checked_mul(2)?;
        Some(Word(doubled as u64))
    }

    /// A yes or no.
    #[inline]
    pub fn bool(truth: bool) -> Word {
        Word::odd(BOOL, u32::from(truth))
    }

    /// The number, if it is one of this size.
    #[inline]
    pub fn as_number(self) -> Option<i64> {
        (self.0 & 1 == 0).then_some(self.0 as i64 >> 1)
    }

    /// The yes or no.
    #[inline]
    pub fn as_bool(self) -> Option<bool> {
        (self.0 & 15 == BOOL << 1 | 1).then_some(self.0 >> 4 == 1)
    }

    /// Whether it may be a number that does not fit.
    pub fn is_large(self) -> bool {
        self.as_kind(OTHER).is_some()
    }

    #[inline]
    pub(super) fn as_kind(self, kind: u64) -> Option<usize> {
        (self.0 & 15 == kind << 1 | 1).then_some((self.0 >> 4) as usize)
    }

    /// The number of a list in its store.
    #[inline]
    pub fn as_list(self) -> Option<usize> {
        self.as_kind(LIST)
    }

    /// The number of a record in its store.
    #[inline]
    pub fn as_record(self) -> Option<usize> {
        self.as_kind(RECORD)
    }

    /// No value: what stopped before there was one, by its number.
    pub fn stopped(number: usize) -> Word {
        Word::odd(STOPPED, number as u32)
    }

    /// The number of what stopped.
    pub fn as_stopped(self) -> Option<usize> {
        self.as_kind(STOPPED)
    }
}
