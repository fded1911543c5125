//! A map that may become large.
//!
//! A map that is full moves to a new place of twice the size, and where it is large that takes so long that somebody
//! who wants to stop the request would notice. A large map here is made of many, and each of them moves by itself.

use std::hash::{BuildHasher, Hash};

use rustc_hash::{FxBuildHasher, FxHashMap};

/// With so many entries a map is parted,
const LARGE: usize = 1 << 15;
/// into so many.
const PARTS: usize = 1 << 8;

/// A map, or the parts of a large one.
#[derive(Clone, Debug)]
pub(super) struct Parted<K, V> {
    whole: FxHashMap<K, V>,
    parts: Vec<FxHashMap<K, V>>,
    len: usize,
}

impl<K, V> Default for Parted<K, V> {
    fn default() -> Self {
        Parted { whole: FxHashMap::default(), parts: Vec::new(), len: 0 }
    }
}

/// The part of a key. A map itself looks at the lowest and the highest bits of its hash.
fn part_of(key: &impl Hash) -> usize {
    (FxBuildHasher.hash_one(key) >> 40) as usize % PARTS
}

impl<K: Eq + Hash, V> Parted<K, V> {
    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        self.len * (3 * size_of::<(K, V)>() / 2)
    }

    #[inline]
    pub(super) fn get(&self, key: &K) -> Option<&V> {
        if self.parts.is_empty() { &self.whole } else { &self.parts[part_of(key)] }.get(key)
    }

    /// Remembers a value, also in place of another.
    #[inline]
    pub(super) fn insert(&mut self, key: K, value: V) {
        if self.len == LARGE && self.parts.is_empty() {
            self.part();
        }
        let map =
            if self.parts.is_empty() { &mut self.whole } else { &mut self.parts[part_of(&key)] };
        self.len += usize::from(map.insert(key, value).is_none());
    }

    #[cold]
    fn part(&mut self) {
        self.parts.resize_with(PARTS, FxHashMap::default);
        for (key, value) in std::mem::take(&mut self.whole) {
            self.parts[part_of(&key)].insert(key, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_found_in_large_maps_too() {
        let mut map = Parted::default();
        let most = 3 * LARGE as u64;
        for key in 0..most {
            map.insert(key, key + 1);
            map.insert(key / 2, key / 2 + 1);
        }
        assert_eq!(map.parts.len(), PARTS);
        assert!((0..most).all(|key| map.get(&key) == Some(&(key + 1))));
        assert_eq!((map.len, map.get(&most)), (most as usize, None));
    }
}
