//! A set of numbered things that lie elsewhere, looked up by hash.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// The numbers, by open addressing; there are twice as many places as numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    places: Vec<u32>,
    count: usize,
}

/// An empty place.
const EMPTY: u32 = u32::MAX;

impl Index {
    /// How many numbers it has.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Adds the next numbers up to `count`, of things that are known to be new.
    pub(super) fn reach(&mut self, count: usize, hash_of: impl Fn(u32) -> u64) {
        let mut size = self.places.len().max(64);
        while count * 2 >= size {
            size *= 2;
        }
        let from = if size > self.places.len() {
            self.places = vec![EMPTY; size];
            0
        } else {
            self.count
        };
        for number in from..count {
            let mut place = (hash_of(number as u32) >> 32) as usize & (size - 1);
            while self.places[place] != EMPTY {
                place = (place + 1) & (size - 1);
            }
            self.places[place] = number as u32;
        }
        self.count = count;
    }

    /// The number of the thing with this hash that is the same.
    pub(super) fn find(&self, hash: u64, is_same: impl Fn(u32) -> bool) -> Option<u32> {
        let mask = self.places.len().checked_sub(1)?;
        let mut place = (hash >> 32) as usize & mask;
        loop {
            match self.places[place] {
                EMPTY => return None,
                number if is_same(number) => return Some(number),
                _ => place = (place + 1) & mask,
            }
        }
    }

    /// The number of the thing with this hash that is the same, or else the next number, which it gets.
    pub(super) fn find_or_add(
        &mut self,
        hash: u64,
        is_same: impl Fn(u32) -> bool,
        hash_of: impl Fn(u32) -> u64,
    ) -> (u32, bool) {
        if self.count * 2 >= self.places.len() {
            self.reach(self.count, hash_of);
        }
        let mask = self.places.len() - 1;
        let mut place = (hash >> 32) as usize & mask;
        loop {
            match self.places[place] {
                EMPTY => {
                    let number = self.count as u32;
                    self.places[place] = number;
                    self.count += 1;
                    return (number, true);
                }
                number if is_same(number) => return (number, false),
                _ => place = (place + 1) & mask,
            }
        }
    }
}

/// The hash of some words.
pub(super) fn hash(words: impl IntoIterator<Item = u64>) -> u64 {
    let mut hasher = FxHasher::default();
    words.into_iter().for_each(|word| hasher.write_u64(word));
    // The upper half is used, and a product mixes well there.
    hasher.finish().wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
