//! How likely a path is, and what the paths come to.

use std::rc::Rc;

use astragal_prob::Natural;
use astragal_prob::{Sums, common_multiple};

use astragal_code::limits::MOST_PARTS;

use super::Atom;
use crate::code::{Store, Word};

/// The chance of a path.
#[derive(Clone)]
pub(super) struct Chance {
    weight: Natural,
    total: Rc<Natural>,
}

impl Chance {
    pub(super) fn certain() -> Chance {
        Chance { weight: Natural::ONE, total: Rc::new(Natural::ONE) }
    }

    /// The total after a throw with this one.
    pub(super) fn total_with(&self, total: &Natural) -> Rc<Natural> {
        Rc::new(if self.total.is_one() { total.clone() } else { &*self.total * total })
    }

    pub(super) fn and(&self, weight: &Natural, total: &Rc<Natural>) -> Chance {
        let weight = if self.weight.is_one() { weight.clone() } else { &self.weight * weight };
        Chance { weight, total: Rc::clone(total) }
    }
}

/// The values that paths end with. Paths mostly share their total, so weights are added as they are.
#[derive(Default)]
pub(super) struct Ends(Vec<(Rc<Natural>, Sums<Word>)>);

impl Ends {
    pub(super) fn add(&mut self, value: Word, chance: &Chance) {
        let same = |total: &Rc<Natural>| Rc::ptr_eq(total, &chance.total) || *total == chance.total;
        match self.0.iter_mut().rev().find(|(total, _)| same(total)) {
            Some((_, sums)) => sums.add(value, chance.weight.clone()),
            None => {
                let mut sums = Sums::default();
                sums.add(value, chance.weight.clone());
                self.0.push((Rc::clone(&chance.total), sums));
            }
        }
    }

    /// The values with weights over one total; none if they are too large to be told one by one.
    pub(super) fn atom(self, store: &Store) -> Option<Atom> {
        let words = self.0.iter().flat_map(|(_, sums)| &sums.list).map(|(word, _)| *word);
        store.are_small(words, MOST_PARTS).then_some(())?;
        let total = common_multiple(self.0.iter().map(|(total, _)| &**total));
        let mut all = Sums::default();
        for (own, sums) in self.0 {
            let factor = &total / &*own;
            for (word, weight) in sums.list {
                all.add(word, if factor.is_one() { weight } else { weight * &factor });
            }
        }
        let outcomes = all.list.into_iter().map(|(word, weight)| (store.value(word), weight));
        Some(Atom { outcomes: outcomes.collect(), total })
    }
}
