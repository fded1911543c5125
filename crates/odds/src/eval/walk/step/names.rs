//! Names for states that are new.
//!
//! A state that is a list or a record has a number in the store, and the store numbers what is new in the order in which
//! it comes. So it takes no look into any table to tell that the hand which a step has just made was never there: its
//! number is higher than all before. That is what [`astragal_prob::pool::Steps::new_names`] asks.

use std::ops::RangeInclusive;

use super::{CARRY, PlainSteps};
use crate::plain::{Store, Stored, Word};

/// Gives names to new states.
pub(super) struct Namer<'a> {
    pub(super) kind: Stored,
    /// What has a lower number is not new.
    pub(super) known: usize,
    /// Whether only what all dice lead to is named.
    pub(super) all: bool,
    pub(super) names: &'a mut Vec<u32>,
    pub(super) cost: u64,
}

impl Namer<'_> {
    /// Names a state; none if it may not be new.
    fn name(&mut self, state: Word) -> Option<()> {
        let (_, number) = state.as_stored().filter(|(kind, _)| *kind == self.kind)?;
        (number >= self.known).then_some(())?;
        self.known = number + 1;
        self.names.push(number as u32);
        Some(())
    }

    /// Names the lists with one, two and so on of an item more.
    fn append(
        &mut self,
        mut list: Word,
        item: Word,
        times: u32,
        cost: u64,
        store: &mut Store,
    ) -> Option<()> {
        self.cost += cost * u64::from(times);
        for count in 1..=times {
            list = store.append(list.as_list()?, item);
            if !self.all || count == times {
                self.name(list)?;
            }
        }
        Some(())
    }
}

impl PlainSteps {
    /// The names of what some states lead to, and what that costs; none if one may not be new.
    pub(super) fn new_names(
        &mut self,
        face: usize,
        from: &[(u32, u32)],
        mut namer: Namer<'_>,
        words: &mut Vec<Word>,
        store: &mut Store,
    ) -> (Option<()>, u64) {
        let new = from.iter().try_for_each(|(name, left)| {
            let word = Word::stored(namer.kind, *name);
            self.begin(word, face)?;
            // A hand that is kept as it is: each die appends its face.
            if self.translated.goes_on
                && let Some((item, cost)) =
                    self.runner.appended(&self.translated.program.code, CARRY)
            {
                return namer.append(word, item, *left, cost, store);
            }
            words.clear();
            let least = if namer.all { *left } else { 1 };
            let done = self.next_of_all(word, face, least..=*left, words, store);
            namer.cost += self.translated.cost * (1 + words.len() as u64) + self.runner.folded;
            done?;
            words.iter().try_for_each(|word| namer.name(*word))
        });
        (new, namer.cost)
    }

    /// The values after a step with each of these numbers of dice of the only pool.
    fn next_of_all(
        &mut self,
        word: Word,
        face: usize,
        counts: RangeInclusive<u32>,
        words: &mut Vec<Word>,
        store: &mut Store,
    ) -> Option<()> {
        if self.translated.goes_on {
            let counts = i64::from(*counts.start())..=i64::from(*counts.end());
            return self.runner.run_on(&self.translated.program.code, counts, words, store);
        }
        let mut folded = 0;
        for count in counts {
            words.push(self.next(word, face, &[u64::from(count)], store)?);
            folded += self.runner.folded;
        }
        self.runner.folded = folded;
        Some(())
    }
}
