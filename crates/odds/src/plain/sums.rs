//! Weights of values, those of equal values added up.

use astragal_prob::Natural;
use rustc_hash::FxHashMap;

use super::store::Word;

/// Values in the order in which they were first met, with their weights.
#[derive(Default)]
pub(crate) struct Sums {
    places: FxHashMap<Word, usize>,
    pub(crate) list: Vec<(Word, Natural)>,
}

impl Sums {
    pub(crate) fn add(&mut self, value: Word, weight: Natural) {
        match self.places.get(&value) {
            Some(place) => self.list[*place].1 += weight,
            None => {
                self.places.insert(value, self.list.len());
                self.list.push((value, weight));
            }
        }
    }
}
