//! A set of variables of one function.

use astragal_program::core::LocalId;

/// A set of variables, as bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Locals(Vec<u64>);

impl Locals {
    pub(crate) fn contains(&self, local: LocalId) -> bool {
        self.0.get(local.0 as usize / 64).is_some_and(|word| word >> (local.0 % 64) & 1 == 1)
    }

    pub(crate) fn insert(&mut self, local: LocalId) {
        let word = local.0 as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (local.0 % 64);
    }

    pub(crate) fn remove(&mut self, local: LocalId) {
        if let Some(word) = self.0.get_mut(local.0 as usize / 64) {
            *word &= !(1 << (local.0 % 64));
        }
    }

    pub(crate) fn extend(&mut self, other: &Locals) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine |= theirs;
        }
    }

    pub(crate) fn with(&self, other: &Locals) -> Locals {
        let mut union = self.clone();
        union.extend(other);
        union
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = LocalId> + '_ {
        let bits = self.0.len() as u32 * 64;
        (0..bits).map(LocalId).filter(|local| self.contains(*local))
    }
}
