//! Things by the order in which they were met: each has a number, and is found by it and the other way round.

use std::borrow::Borrow;
use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::growing::Growing;
use crate::meter::{Meter, OverBudget};

/// Different things, in the order in which they were met.
#[derive(Clone, Debug)]
pub struct Numbered<T> {
    numbers: FxHashMap<T, usize>,
    /// The things by their numbers.
    pub list: Vec<T>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered { numbers: FxHashMap::default(), list: Vec::new() }
    }
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    /// The number of something, which may be new.
    #[inline]
    pub fn number(&mut self, thing: T) -> usize {
        if let Some(number) = self.known(&thing) {
            return number;
        }
        let number = self.list.len();
        self.list.push(thing.clone());
        self.numbers.insert(thing, number);
        number
    }

    /// The number of something that was met before.
    #[inline]
    pub fn known<Q: Eq + Hash + ?Sized>(&self, thing: &Q) -> Option<usize>
    where
        T: Borrow<Q>,
    {
        self.numbers.get(thing).copied()
    }

    /// Makes room for something more, where there may be very many.
    pub fn make_room(&mut self, meter: &Meter) -> Result<(), OverBudget> {
        self.list.make_room(1, meter)?;
        self.numbers.make_room(1, meter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_things_have_one_number() {
        let mut words: Numbered<Box<str>> = Numbered::default();
        let numbers = ["one", "two", "one"].map(|word| words.number(word.into()));
        assert_eq!(numbers, [0, 1, 0]);
        assert_eq!(words.known("two"), Some(1));
        assert_eq!(words.known("three"), None);
        assert_eq!(words.list, ["one".into(), "two".into()]);
    }
}
