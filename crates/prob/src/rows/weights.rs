//! Weights in order, which stay rows until somebody looks at one.

use super::Rows;
use crate::number::Natural;
use dashu_int::Word;
use std::ops::{Deref, Range};
use std::sync::{Arc, OnceLock};

/// A shared list of natural numbers.
#[derive(Clone)]
pub(crate) struct Weights(Arc<List>);

struct List {
    len: usize,
    /// The first of the numbers, as rows; the others are the same from the other end.
    rows: Option<Rows>,
    numbers: OnceLock<Vec<Natural>>,
}

impl Weights {
    /// `len` numbers that are these rows; where there are fewer rows, the list is a palindrome.
    pub(crate) fn mirrored(rows: Rows, len: usize) -> Weights {
        Weights(Arc::new(List { len, rows: Some(rows), numbers: OnceLock::new() }))
    }

    /// Numbers that are these rows.
    pub(crate) fn of(rows: Rows) -> Weights {
        let len = rows.len();
        Weights::mirrored(rows, len)
    }

    /// These numbers with a known sum, as machine words if it is small.
    pub(crate) fn in_words(numbers: Vec<Natural>, total: &Natural) -> Weights {
        if u64::try_from(total).is_err() {
            return numbers.into();
        }
        Weights::of(Rows::of_words(numbers.iter().map(super::lowest_limb).collect()))
    }

    /// The numbers, if each is known as a machine word.
    pub(crate) fn words(&self) -> Option<&[u64]> {
        let rows = self.0.rows.as_ref().filter(|rows| rows.len() == self.0.len)?;
        rows.words()
    }

    /// The same numbers from the other end.
    pub(crate) fn reversed(&self) -> Weights {
        match &self.0.rows {
            Some(rows) if rows.len() == self.0.len => Weights::of(rows.reversed()),
            // Fewer rows are those of a palindrome.
            Some(_) => self.clone(),
            None => self.iter().rev().cloned().collect::<Vec<_>>().into(),
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len
    }

    /// The lowest 64 bits of one number.
    pub(crate) fn lowest_limb(&self, place: usize) -> u64 {
        match &self.0.rows {
            Some(rows) if place < rows.len() => rows.row(place)[0],
            Some(rows) => rows.row(self.0.len - 1 - place)[0],
            None => super::lowest_limb(&self[place]),
        }
    }

    /// One number, without writing out all others.
    pub(crate) fn number(&self, place: usize, words: &mut Vec<Word>) -> Natural {
        match &self.0.rows {
            Some(rows) if place < rows.len() => rows.natural(place, words),
            Some(rows) => rows.natural(self.0.len - 1 - place, words),
            None => self[place].clone(),
        }
    }

    /// The sum of the numbers at some places, without writing them out.
    pub(crate) fn sum(&self, places: Range<usize>) -> Natural {
        if let Some(numbers) = self.0.numbers.get() {
            return numbers[places].iter().fold(Natural::ZERO, |sum, number| sum + number);
        }
        let mut words = Vec::new();
        places.fold(Natural::ZERO, |sum, place| sum + self.number(place, &mut words))
    }

    /// How many are not zero.
    pub(crate) fn taken(&self) -> usize {
        match &self.0.rows {
            Some(rows) => {
                let again = self.0.len - rows.len();
                let taken = |count: usize| match rows.words() {
                    Some(words) => words[..count].iter().filter(|word| **word != 0).count(),
                    None => (0..count).filter(|row| !rows.is_zero(*row)).count(),
                };
                taken(rows.len()) + if again == 0 { 0 } else { taken(again) }
            }
            None => self.iter().filter(|weight| !weight.is_zero()).count(),
        }
    }
}

impl List {
    fn write_out(&self) -> Vec<Natural> {
        let Some(rows) = &self.rows else { return Vec::new() };
        let mut numbers = Vec::with_capacity(self.len);
        numbers.extend(rows.naturals());
        for place in numbers.len()..self.len {
            numbers.push(numbers[self.len - 1 - place].clone());
        }
        numbers
    }
}

impl Deref for Weights {
    type Target = [Natural];

    fn deref(&self) -> &[Natural] {
        self.0.numbers.get_or_init(|| self.0.write_out())
    }
}

impl From<Vec<Natural>> for Weights {
    fn from(numbers: Vec<Natural>) -> Self {
        let len = numbers.len();
        Weights(Arc::new(List { len, rows: None, numbers: OnceLock::from(numbers) }))
    }
}

impl PartialEq for Weights {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || self.len() == other.len()
                && match (self.words(), other.words()) {
                    (Some(mine), Some(theirs)) => mine == theirs,
                    _ => **self == **other,
                }
    }
}

impl Eq for Weights {}

impl std::fmt::Debug for Weights {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
