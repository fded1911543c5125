//! What is too much for code.

/// Folds take so many steps,
pub const LONGEST_FOLD: u64 = 1 << 20;
/// over ranges of so many numbers: longer ones are refused elsewhere.
pub const LONGEST_RANGE: i64 = 100_000;
/// Lists within lists are unfolded up to so many parts.
pub const MOST_PARTS: usize = 1 << 21;
/// Code makes long numbers and texts until all its values take so many bytes.
pub const MOST_STORED: u64 = 400 << 20;
