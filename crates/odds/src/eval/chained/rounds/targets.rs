//! Where the steps of a loop lead: nodes, ends, and ends with an endless number.

use std::rc::Rc;

use astragal_prob::chain::To;
use astragal_prob::{Law, Natural};

use super::Rounds;
use crate::eval::hoisted::Column;
use crate::plain::{Reach, Word, as_record};

/// An end with a number that has a law: which of the carried values it is, the endless throw from some value on
/// and so much more.
pub(in crate::eval::chained) struct OpenEnd {
    pub(in crate::eval::chained) at: usize,
    pub(in crate::eval::chained) from: i64,
    pub(in crate::eval::chained) shift: i64,
    pub(in crate::eval::chained) law: Rc<Law>,
    /// The chance of those values of the throw, as a weight and a total.
    pub(in crate::eval::chained) tail: (Natural, Natural),
}

/// How many words tell whether an end is open.
pub(super) const OPEN: usize = 3;

/// Not known yet.
const NEW: u32 = u32::MAX;

impl Rounds<'_> {
    /// How many ends are known.
    pub(in crate::eval::chained) fn ends(&self) -> usize {
        self.ends.known.len()
    }

    /// What an end is: the carried values, or what becomes of them.
    pub(in crate::eval::chained) fn end(&self, at: usize) -> &[Word] {
        let row = self.ends.row(at);
        if self.finish.is_some() { row } else { &row[..row.len() - OPEN] }
    }

    /// Whether an end is open.
    pub(in crate::eval::chained) fn open_end(&self, at: usize) -> Option<OpenEnd> {
        let [.., field, from, law] = self.ends.row(at) else { return None };
        let at_field = usize::try_from(field.as_number()?).ok()?;
        let shift = self.end(at)[at_field].as_number()?;
        let law = self.laws.get(usize::try_from(law.as_number()?).ok()?)?;
        let (from, tail) = (from.as_number()?, self.tails.get(&at)?.clone());
        Some(OpenEnd { at: at_field, from, shift, law: Rc::clone(law), tail })
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
                let mut words = words?;
                words.extend([Word::NONE; OPEN]);
                self.ends.place(&words)
            }
            Some((program, runner)) => {
                let known = as_record(self.shape, fields, &mut self.store);
                let end = runner.reach(&program.code, 0, known, &mut self.store)?;
                let Reach::Word(end) = end else { return None };
                self.ends.place(&[end])
            }
        };
        Some(self.targeted(To::End(place), tick))
    }

    /// The end with one number that is an endless throw from some value on, and something more; none if it
    /// is not so.
    pub(super) fn opened(
        &mut self,
        fields: Vec<Reach>,
        column: &Column,
        from: usize,
        law: &Rc<Law>,
    ) -> Option<u32> {
        if self.finish.is_some() || self.counter.is_some() {
            return None;
        }
        let mut words = Vec::with_capacity(fields.len() + OPEN);
        let mut open = None;
        for (at, (field, asked)) in fields.iter().zip(&self.repeat.asked).enumerate() {
            words.push(match field {
                _ if !asked => Word::NONE,
                Reach::Moved(_, _, shift) if open.is_none() => {
                    open = Some(at);
                    Word::number(*shift)?
                }
                field => field.word()?,
            });
        }
        let known = self.laws.iter().position(|known| Rc::ptr_eq(known, law));
        let law = known.unwrap_or_else(|| {
            self.laws.push(Rc::clone(law));
            self.laws.len() - 1
        });
        for number in [open? as i64, column.numbers[from], law as i64] {
            words.push(Word::number(number)?);
        }
        let place = self.ends.place(&words);
        self.tails.entry(place).or_insert_with(|| (column.weight_from(from), column.total.clone()));
        Some(self.targeted(To::End(place), 0))
    }

    pub(super) fn targeted(&mut self, to: To, tick: i64) -> u32 {
        *self.known_targets.entry((to, tick)).or_insert_with(|| {
            self.targets.push((to, tick));
            self.targets.len() as u32 - 1
        })
    }
}

/// What is counted; none if it is no whole number, or a large one.
fn ticked(word: Word) -> Option<i64> {
    word.as_number().filter(|tick| tick.abs() < 1 << 14)
}
