//! What the paths through an expression come to.

use astragal_code::limits::MOST_PARTS;
use astragal_prob::{Natural, Numbered, Rational};

use super::Atom;
use super::sums::Sums;
use crate::code::{Store, Word};

/// The values that paths end with.
#[derive(Default)]
pub(super) struct Ends {
    words: Numbered<Word>,
    sums: Sums,
}

impl Ends {
    pub(super) fn none() -> Ends {
        let mut none = Ends::default();
        none.sums.begin(0);
        none
    }

    pub(super) fn add(&mut self, value: Word, weight: Natural, total: &Natural) {
        let number = self.words.number(value) as u32;
        self.sums.add(number, weight, total);
    }

    fn weights(self) -> impl Iterator<Item = (Word, Natural)> {
        let words = self.words.list;
        self.sums.list.into_iter().map(move |(number, weight)| (words[number as usize], weight))
    }

    /// The values with their chances.
    pub(super) fn chances(self) -> Vec<(Word, Rational)> {
        let total = self.sums.total.clone();
        let chance = |weight: Natural| Rational::from_parts(weight.into(), total.clone());
        self.weights().map(|(word, weight)| (word, chance(weight))).collect()
    }

    /// The values with weights over one total; none if they are too large to be told one by one.
    pub(super) fn atom(self, store: &Store) -> Option<Atom> {
        store.are_small(self.words.list.iter().copied(), MOST_PARTS).then_some(())?;
        let total = self.sums.total.clone();
        let outcomes = self.weights().map(|(word, weight)| (store.value(word), weight));
        Some(Atom { outcomes: outcomes.collect(), total })
    }
}
