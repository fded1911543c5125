//! Stream v2, without a program: which sides a key draws.

use astragal_roll::Seeded;

use crate::line::Dice;

/// Dice with more sides are not thrown at a table: their numbers would not survive every reader of JSON.
pub(crate) const MOST_SIDES: u64 = (1 << 53) - 1;

/// Whether these are the first throws of a stream, written as they should be: all that can be said of dice without the engine that threw them.
pub(crate) fn are_drawn(dice: &Dice, key: [u8; 32], most: u64) -> bool {
    let mut stream = Seeded::from_key(key);
    let count: usize = dice.iter().map(|run| run.len().saturating_sub(1)).sum();
    let apart = dice.windows(2).all(|pair| pair[0].first() != pair[1].first());
    let drawn = dice.iter().all(|run| match run.split_first() {
        Some((sides @ 1..=MOST_SIDES, shown)) if !shown.is_empty() => {
            shown.iter().all(|side| stream.ticket(*sides) + 1 == *side)
        }
        _ => false,
    });
    apart && drawn && count as u64 <= most
}
