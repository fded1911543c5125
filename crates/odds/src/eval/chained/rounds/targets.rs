//! Where the steps of a loop lead: nodes and ends.

use astragal_prob::chain::To;

use super::{Rounds, place};
use crate::code::{Reach, Word, as_record};

/// Not known yet.
const NEW: u32 = u32::MAX;

impl Rounds<'_> {
    /// How many ends are known.
    pub(in crate::eval::chained) fn ends(&self) -> usize {
        self.ends.list.len()
    }

    /// What an end is: the carried values, or what becomes of them.
    pub(in crate::eval::chained) fn end(&self, at: usize) -> &[Word] {
        &self.ends.list[at]
    }

    /// Where a round leads that yields this record. None if what it counts is no whole number, or what
    /// follows the loop is not plain.
    pub(super) fn target(&mut self, record: Word) -> Option<u32> {
        let number = record.as_record()?;
        if let Some(target) = self.by_record.get(number).filter(|target| **target != NEW) {
            return Some(*target);
        }
        let size = self.repeat.state.len();
        let field = |at| self.store.field(record, at);
        let mut fields: Vec<Word> = (0..size).map(field).collect::<Option<_>>()?;
        let until = self.store.field(record, size)?.as_bool()?;
        let target = if until {
            self.end_of(fields.into_iter().map(Reach::Word).collect())?
        } else {
            let mut tick = 0;
            if let Some(at) = self.counter {
                tick = ticked(fields[at])?;
                fields[at] = Word::number(0)?;
            }
            self.forget(&mut fields);
            let to = To::Node(self.start_of(&fields));
            self.targeted(to, tick)
        };
        if self.by_record.len() <= number {
            self.by_record.resize((number + 1).max(2 * self.by_record.len()), NEW);
        }
        self.by_record[number] = target;
        Some(target)
    }

    /// Forgets what is carried but not looked at by the next round: nodes that differ in nothing else are one.
    /// `repeat with mine = 0, theirs = 0 next mine = 3d6, theirs = 3d6 until mine != theirs` has one node.
    pub(super) fn forget(&self, fields: &mut [Word]) {
        for (field, read) in fields.iter_mut().zip(&self.read) {
            if !read {
                *field = Word::NONE;
            }
        }
    }

    /// The end with what is known of these carried values; none if that is too little.
    pub(super) fn end_of(&mut self, mut fields: Vec<Reach>) -> Option<u32> {
        for (field, asked) in fields.iter_mut().zip(&self.repeat.asked) {
            if !asked {
                *field = Reach::Word(Word::NONE);
            }
        }
        let mut tick = 0;
        if let Some(at) = self.counter {
            let Some(Reach::Word(word)) = fields.get_mut(at) else { return None };
            if self.repeat.asked[at] {
                tick = ticked(*word)?;
                *word = Word::number(0)?;
            }
        }
        let place = match &mut self.finish {
            None => {
                let words: Option<Vec<Word>> = fields.iter().map(Reach::word).collect();
                place(&mut self.ends, &words?)
            }
            Some((program, runner)) => {
                let known = as_record(self.shape, fields, &mut self.store);
                let end = runner.reach(&program.code, 0, known, &mut self.store)?;
                let Reach::Word(end) = end else { return None };
                place(&mut self.ends, &[end])
            }
        };
        Some(self.targeted(To::End(place), tick))
    }

    pub(super) fn targeted(&mut self, to: To, tick: i64) -> u32 {
        self.targets.number((to, tick)) as u32
    }
}

/// What is counted; none if it is no whole number, or a large one.
fn ticked(word: Word) -> Option<i64> {
    word.as_number().filter(|tick| tick.abs() < 1 << 14)
}
