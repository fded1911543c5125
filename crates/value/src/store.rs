//! The store of values that do not fit into a single word.
//!
//! It holds each list, record, text and unwieldy number once, by its number ([`Word`]).

mod lists;
mod parted;
mod segments;
mod word;

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::{Number, RecordShape, Value};
use lists::Lists;
use parted::Parted;
use rustc_hash::FxHasher;
pub use word::Word;
use word::{OTHER, RECORD};

/// Where the fields of a record stand, its shape, and another record with the same hash.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: u32,
    shape: u32,
    next: Option<u32>,
}

/// Every value that is no single word.
#[derive(Clone, Debug, Default)]
pub struct Store {
    lists: Lists,
    places: Vec<Place>,
    fields: Vec<Word>,
    /// The last record with a hash.
    known_places: Parted<u64, u32>,
    shapes: Vec<Arc<RecordShape>>,
    others: Vec<Value>,
    known_others: Parted<Value, u32>,
    /// Room to make a record in.
    room: Vec<Word>,
    /// Bytes of numbers that are no words, and of texts.
    long: u64,
}

impl Store {
    /// A store with the empty list alone.
    pub fn new() -> Store {
        Store::default()
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> u64 {
        let places = self.places.len() * 3 * size_of::<Place>();
        let others = self.others.len() * 6 * size_of::<Value>();
        let fields = self.fields.len() * size_of::<Word>();
        (self.lists.bytes() + places + fields + others) as u64 + self.long
    }

    /// The bytes of numbers that are no words, and of texts.
    pub fn long(&self) -> u64 {
        self.long
    }

    /// How many values there are that are neither words nor made of them, such as texts.
    pub fn others(&self) -> u64 {
        self.others.len() as u64
    }

    /// The list with one item more. A hand of dice is appended to hundreds of thousands of times.
    #[inline(always)]
    pub fn append(&mut self, list: usize, item: Word) -> Word {
        self.lists.append(list, item)
    }

    /// The list with one more number at its place, if all are numbers in order; and how many items were moved.
    /// Behind what is in `moved` already there is room to work.
    pub fn insert(
        &mut self,
        list: usize,
        item: Word,
        falls: bool,
        moved: &mut Vec<Word>,
    ) -> Option<(Word, usize)> {
        self.lists.insert(list, item, falls, moved)
    }

    /// How many items a list has.
    #[inline]
    pub fn length(&self, list: usize) -> usize {
        self.lists.length(list)
    }

    /// An item of a list, counted from 1.
    pub fn at(&self, list: usize, place: i64) -> Option<Word> {
        self.lists.at(list, place)
    }

    /// The items of a list, in order, behind what is in `items` already.
    pub fn items(&self, list: usize, items: &mut Vec<Word>) {
        self.lists.items(list, items);
    }

    /// The list of these items, which may begin as another one does.
    pub fn list(&mut self, items: &[Word], near: usize) -> Word {
        self.lists.list(items, near)
    }

    /// The record with these fields.
    pub fn record(&mut self, shape: u32, fields: &[Word]) -> Word {
        let mut hasher = FxHasher::default();
        (shape, fields).hash(&mut hasher);
        let hash = hasher.finish();
        let last = self.known_places.get(&hash).copied();
        let mut found = last;
        while let Some(number) = found {
            let place = self.places[number as usize];
            if place.shape == shape && self.fields_at(place) == fields {
                return Word::odd(RECORD, number);
            }
            found = place.next;
        }
        let number = self.places.len() as u32;
        self.known_places.insert(hash, number);
        self.places.push(Place { start: self.fields.len() as u32, shape, next: last });
        self.fields.extend_from_slice(fields);
        Word::odd(RECORD, number)
    }

    fn fields_at(&self, place: Place) -> &[Word] {
        let count = self.shapes[place.shape as usize].fields.len();
        &self.fields[place.start as usize..][..count]
    }

    /// The fields of a record.
    pub fn fields(&self, record: Word) -> Option<&[Word]> {
        self.places.get(record.as_record()?).map(|place| self.fields_at(*place))
    }

    /// The number of the shape of a record.
    pub fn shape_of(&self, record: Word) -> Option<u32> {
        self.places.get(record.as_record()?).map(|place| place.shape)
    }

    /// A field of a record.
    #[inline]
    pub fn field(&self, record: Word, index: usize) -> Option<Word> {
        let place = self.places.get(record.as_record()?)?;
        self.fields.get(place.start as usize + index).copied()
    }

    /// Whether a value is a list, or a record with one.
    pub fn has_list(&self, word: Word) -> bool {
        let parts = self.fields(word).unwrap_or(std::slice::from_ref(&word));
        parts.iter().any(|part| part.as_list().is_some())
    }

    /// The record with other fields.
    pub fn with_fields(
        &mut self,
        record: Word,
        change: impl FnOnce(&mut [Word]) -> Option<()>,
    ) -> Option<Word> {
        let place = *self.places.get(record.as_record()?)?;
        let mut changed = std::mem::take(&mut self.room);
        changed.clear();
        changed.extend_from_slice(self.fields_at(place));
        let changes = change(&mut changed);
        let record = changes.map(|()| self.record(place.shape, &changed));
        self.room = changed;
        record
    }

    /// The record with another field.
    pub fn with_field(&mut self, record: Word, index: usize, field: Word) -> Option<Word> {
        self.with_fields(record, |fields| {
            *fields.get_mut(index)? = field;
            Some(())
        })
    }

    /// The record with nothing in place of fields other than these.
    pub fn with_only(&mut self, record: Word, asked: Option<&[usize]>) -> Word {
        let Some(asked) = asked else { return record };
        let pruned = self.with_fields(record, |fields| {
            let others = fields.iter_mut().enumerate().filter(|(at, _)| !asked.contains(at));
            others.for_each(|(_, field)| *field = Word::NONE);
            Some(())
        });
        pruned.unwrap_or(record)
    }

    /// The number of a shape.
    pub fn shape(&mut self, shape: &Arc<RecordShape>) -> u32 {
        let known =
            self.shapes.iter().position(|known| Arc::ptr_eq(known, shape) || known == shape);
        known.unwrap_or_else(|| {
            self.shapes.push(Arc::clone(shape));
            self.shapes.len() - 1
        }) as u32
    }

    /// The word of a value.
    pub fn word(&mut self, value: &Value) -> Word {
        match value {
            Value::None => Word::NONE,
            Value::Bool(truth) => Word::bool(*truth),
            Value::Number(n) => match n.to_i64().and_then(Word::number) {
                Some(word) => word,
                None => self.other(value),
            },
            Value::List(items) => {
                let items: Vec<Word> = items.iter().map(|item| self.word(item)).collect();
                self.list(&items, 0)
            }
            Value::Record(shape, fields) => {
                let shape = self.shape(shape);
                let fields: Vec<Word> = fields.iter().map(|field| self.word(field)).collect();
                self.record(shape, &fields)
            }
            _ => self.other(value),
        }
    }

    fn other(&mut self, value: &Value) -> Word {
        if let Some(number) = self.known_others.get(value) {
            return Word::odd(OTHER, *number);
        }
        let number = self.others.len() as u32;
        self.long += match value {
            Value::Number(number) => number.bits() as u64 / 4,
            Value::Text(text) => text.len() as u64,
            _ => 0,
        };
        self.known_others.insert(value.clone(), number);
        self.others.push(value.clone());
        Word::odd(OTHER, number)
    }

    /// Whether these values hold no more parts than this. Lists share their beginnings and their items here, and no
    /// more as values: thirty lists, each twice the one before, are a thousand million items.
    pub fn are_small(&self, words: impl IntoIterator<Item = Word>, most: usize) -> bool {
        let (mut left, mut open) = (most, Vec::new());
        for word in words {
            open.push(word);
            while let Some(word) = open.pop() {
                let parts = match (word.as_list(), self.fields(word)) {
                    (Some(list), _) => self.length(list),
                    (None, Some(fields)) => fields.len(),
                    (None, None) => 0,
                };
                let Some(rest) = left.checked_sub(1 + parts) else { return false };
                left = rest;
                match word.as_list() {
                    Some(list) => self.items(list, &mut open),
                    None => open.extend_from_slice(self.fields(word).unwrap_or_default()),
                }
            }
        }
        true
    }

    /// The value of a word.
    pub fn value(&self, word: Word) -> Value {
        if let Some(n) = word.as_number() {
            return Value::Number(Number::from(n));
        }
        if let Some(truth) = word.as_bool() {
            return Value::Bool(truth);
        }
        if let Some(list) = word.as_list() {
            let mut items = Vec::new();
            self.items(list, &mut items);
            return Value::List(items.into_iter().map(|item| self.value(item)).collect());
        }
        if let Some(place) = word.as_record().map(|number| self.places[number]) {
            let fields = self.fields_at(place).iter().map(|field| self.value(*field)).collect();
            return Value::Record(Arc::clone(&self.shapes[place.shape as usize]), fields);
        }
        word.as_kind(OTHER)
            .and_then(|number| self.others.get(number).cloned())
            .unwrap_or(Value::None)
    }

    /// Sorts numbers, or texts; whether they are.
    pub fn sort(&self, items: &mut [Word]) -> bool {
        if items.iter().all(|item| item.as_number().is_some()) {
            items.sort_unstable_by_key(|item| item.0 as i64);
            return true;
        }
        if items.windows(2).any(|pair| self.order(pair[0], pair[1]).is_none()) {
            return false;
        }
        items.sort_by(|a, b| self.order(*a, *b).unwrap_or(Ordering::Equal));
        true
    }

    /// The order of two numbers or texts.
    pub fn order(&self, a: Word, b: Word) -> Option<Ordering> {
        if let (Some(a), Some(b)) = (a.as_number(), b.as_number()) {
            return Some(a.cmp(&b));
        }
        match (self.value(a), self.value(b)) {
            (a @ Value::Number(_), b @ Value::Number(_))
            | (a @ Value::Text(_), b @ Value::Text(_)) => Some(a.cmp(&b)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_are_equal_words_and_come_back() {
        let whole = |n: i64| Value::whole(n);
        let list = |items: &[Value]| Value::List(items.iter().cloned().collect());
        let shape = Arc::new(RecordShape { fields: vec!["a".into(), "b".into()] });
        let record = |a: Value, b: Value| Value::Record(Arc::clone(&shape), [a, b].into());
        let half = Value::Number(Number::from(1).divide(&Number::from(2)).unwrap());
        let values = [
            Value::None,
            Value::Bool(true),
            whole(-7),
            whole(i64::MAX),
            half.clone(),
            Value::text("six"),
            list(&[]),
            list(&[Value::None]),
            list(&[whole(1), whole(2)]),
            list(&[whole(1), list(&[whole(2)])]),
            record(whole(1), half),
            record(list(&[]), whole(0)),
        ];
        let mut store = Store::new();
        let words: Vec<Word> = values.iter().map(|value| store.word(value)).collect();
        for (value, word) in values.iter().zip(&words) {
            assert_eq!(store.value(*word), *value);
            assert_eq!(store.word(value), *word);
        }
        for (at, word) in words.iter().enumerate() {
            assert!(!words[..at].contains(word));
        }
    }

    #[test]
    fn a_number_is_inserted_as_if_sorted() {
        let mut store = Store::new();
        let words = |items: &[i64]| -> Vec<Word> {
            items.iter().filter_map(|n| Word::number(*n)).collect()
        };
        for items in [&[][..], &[4], &[1, 3, 3, 9], &[9, 3, 3, 1], &[2, 2], &[1, 5, 2], &[-4, 7]] {
            for (new, falls) in (-5..11).flat_map(|new| [(new, false), (new, true)]) {
                let list = store.list(&words(items), 0).as_list().unwrap();
                let mut sorted = [items, &[new]].concat();
                sorted.sort_unstable();
                let in_order = items.is_sorted_by(|a, b| if falls { a >= b } else { a <= b });
                if falls {
                    sorted.reverse();
                }
                let mut moved = words(&[8]);
                let item = Word::number(new).unwrap();
                let found = store.insert(list, item, falls, &mut moved).map(|(list, _)| list);
                let expected = in_order.then(|| store.list(&words(&sorted), 0));
                assert_eq!((found, moved), (expected, words(&[8])), "{items:?} {new}");
            }
        }
    }

    #[test]
    fn a_list_shares_the_beginning_of_another() {
        let mut store = Store::new();
        let words =
            |items: &[i64]| items.iter().filter_map(|n| Word::number(*n)).collect::<Vec<_>>();
        let long = store.list(&words(&[9, 7, 4, 2]), 0).as_list().unwrap();
        for items in [&[9, 7, 4, 2, 1][..], &[9, 7, 5, 4, 2], &[9, 7], &[], &[8, 9, 7, 4, 2]] {
            let near = store.list(&words(items), long);
            assert_eq!(near, store.list(&words(items), 0));
            let whole: Vec<Value> = items.iter().map(|n| Value::whole(*n)).collect();
            assert_eq!(store.value(near), Value::List(whole.into()));
        }
    }
}
