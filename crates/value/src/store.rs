//! Values as single words, and the store of what does not fit into one.
//!
//! A whole number of up to 63 bits is itself, doubled; every other word is odd and says what it is and its
//! number in the store. The store holds each list, record, text and unwieldy number once. A list is kept as
//! the list without its last item and that item, so that appending is one step, and lists that begin alike
//! share their beginnings.
//!
//! Where faces are passed in order, a list is mostly appended to in order too: first a 3, later a 4, then a 5. So
//! each list knows the least and the greatest item that was ever appended to it. An item beyond them makes a list
//! that is new for certain: nothing is looked up, and lists get into the index only when something must be.
//! Each list also knows whether its items are numbers in order, so that a sorted list which gets a new item is not
//! sorted again.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::{Number, RecordShape, Value};
use rustc_hash::{FxHashMap, FxHasher};

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Word(u64);

/// What an odd word is, in its bits 1 to 3; its number is above them.
const NONE: u64 = 0;
const BOOL: u64 = 1;
const LIST: u64 = 2;
const RECORD: u64 = 3;
const OTHER: u64 = 4;
const UNTHROWN: u64 = 5;
const STOPPED: u64 = 6;

impl Word {
    /// No value at all.
    pub const NONE: Word = Word::odd(NONE, 0);
    /// The empty list.
    pub const EMPTY: Word = Word::odd(LIST, 0);
    /// No value: what a throw shows before it is thrown.
    pub const UNTHROWN: Word = Word::odd(UNTHROWN, 0);

    #[inline]
    const fn odd(kind: u64, number: u32) -> Word {
        Word((number as u64) << 4 | kind << 1 | 1)
    }

    /// A number, if it fits.
    #[inline]
    pub fn number(n: i64) -> Option<Word> {
        let doubled = n.checked_mul(2)?;
        Some(Word(doubled as u64))
    }

    /// A yes or no.
    #[inline]
    pub fn bool(truth: bool) -> Word {
        Word::odd(BOOL, u32::from(truth))
    }

    /// The number, if it is one of this size.
    #[inline]
    pub fn as_number(self) -> Option<i64> {
        (self.0 & 1 == 0).then_some(self.0 as i64 >> 1)
    }

    /// The yes or no.
    #[inline]
    pub fn as_bool(self) -> Option<bool> {
        (self.0 & 15 == BOOL << 1 | 1).then_some(self.0 >> 4 == 1)
    }

    /// Whether it may be a number that does not fit.
    pub fn is_large(self) -> bool {
        self.as_kind(OTHER).is_some()
    }

    #[inline]
    fn as_kind(self, kind: u64) -> Option<usize> {
        (self.0 & 15 == kind << 1 | 1).then_some((self.0 >> 4) as usize)
    }

    /// The number of a list in its store.
    #[inline]
    pub fn as_list(self) -> Option<usize> {
        self.as_kind(LIST)
    }

    /// The number of a record in its store.
    #[inline]
    pub fn as_record(self) -> Option<usize> {
        self.as_kind(RECORD)
    }

    /// No value: what stopped before there was one, by its number.
    pub fn stopped(number: usize) -> Word {
        Word::odd(STOPPED, number as u32)
    }

    /// The number of what stopped.
    pub fn as_stopped(self) -> Option<usize> {
        self.as_kind(STOPPED)
    }
}

/// A list: all but the last item, the last item, how many.
#[derive(Clone, Copy, Debug)]
struct Link {
    before: u32,
    /// The number of items, and in the two highest bits whether they are whole numbers that never fall or never
    /// rise.
    length: u32,
    item: Word,
    /// The least and the greatest of the items that were appended to it, as they are ordered by [`rank`].
    least: i32,
    greatest: i32,
}

const RISES: u32 = 1 << 31;
const FALLS: u32 = 1 << 30;

impl Link {
    /// The end of a list to which nothing was appended yet.
    fn new(before: u32, length: u32, item: Word) -> Link {
        Link { before, length, item, least: i32::MAX, greatest: i32::MIN }
    }

    #[inline]
    fn length(&self) -> u32 {
        self.length & !(RISES | FALLS)
    }

    /// How the items are in order if one more comes behind them.
    #[inline]
    fn order_with(&self, item: Word) -> u32 {
        if item.as_number().is_none() {
            return 0;
        }
        let mut order = self.length & (RISES | FALLS);
        // Where a list is in order, its last item is a number, and numbers are ordered as their words.
        if self.length() > 0 {
            let (last, item) = (self.item.0 as i64, item.0 as i64);
            order &= if last > item { FALLS } else { u32::MAX };
            order &= if last < item { RISES } else { u32::MAX };
        }
        order
    }
}

/// Orders words, though very large numbers may be level.
#[inline]
fn rank(word: Word) -> i32 {
    (word.0 as i64).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

/// Where the fields of a record stand, its shape, and another record with the same hash.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: u32,
    shape: u32,
    next: Option<u32>,
}

/// Every value that is no single word.
#[derive(Clone, Debug)]
pub struct Store {
    links: Vec<Link>,
    /// The links up to `indexed` by what is before the last item, and that item.
    known_links: FxHashMap<(u32, Word), u32>,
    indexed: usize,
    places: Vec<Place>,
    fields: Vec<Word>,
    /// The last record with a hash.
    known_places: FxHashMap<u64, u32>,
    shapes: Vec<Arc<RecordShape>>,
    others: Vec<Value>,
    known_others: FxHashMap<Value, u32>,
    /// Room to make a record in.
    room: Vec<Word>,
    /// Bytes of numbers that are no words, and of texts.
    long: u64,
}

impl Default for Store {
    /// The empty list alone.
    fn default() -> Store {
        Store {
            // The empty list is a link too, number 0; no other has its length.
            links: vec![Link::new(0, RISES | FALLS, Word::NONE)],
            known_links: FxHashMap::default(),
            indexed: 1,
            places: Vec::new(),
            fields: Vec::new(),
            known_places: FxHashMap::default(),
            shapes: Vec::new(),
            room: Vec::new(),
            others: Vec::new(),
            known_others: FxHashMap::default(),
            long: 0,
        }
    }
}

impl Store {
    /// A store with the empty list alone.
    pub fn new() -> Store {
        Store::default()
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> u64 {
        let links = self.links.len() * size_of::<Link>() + self.indexed * 2 * size_of::<Place>();
        let places = self.places.len() * 3 * size_of::<Place>();
        let others = self.others.len() * 6 * size_of::<Value>();
        (links + places + self.fields.len() * size_of::<Word>() + others) as u64 + self.long
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
        let rank = rank(item);
        let link = &self.links[list];
        if link.least <= rank
            && rank <= link.greatest
            && let Some(known) = self.find(list, item)
        {
            return Word::odd(LIST, known);
        }
        let number = self.links.len() as u32;
        let link = &mut self.links[list];
        link.least = link.least.min(rank);
        link.greatest = link.greatest.max(rank);
        let length = (link.length() + 1) | link.order_with(item);
        self.links.push(Link::new(list as u32, length, item));
        Word::odd(LIST, number)
    }

    /// Room for so many lists more.
    pub fn expect_lists(&mut self, lists: usize) {
        self.links.reserve(lists);
    }

    /// The list with one item more, if it is there.
    #[inline(never)]
    fn find(&mut self, list: usize, item: Word) -> Option<u32> {
        for number in self.indexed..self.links.len() {
            let link = &self.links[number];
            self.known_links.insert((link.before, link.item), number as u32);
        }
        self.indexed = self.links.len();
        self.known_links.get(&(list as u32, item)).copied()
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
        item.as_number()?;
        let wanted = if falls { FALLS } else { RISES };
        (self.links[list].length & wanted > 0).then_some(())?;
        let (mut place, start) = (list, moved.len());
        loop {
            let link = &self.links[place];
            let (last, new) = (link.item.0 as i64, item.0 as i64);
            if link.length() == 0 || last == new || (last < new) != falls {
                break;
            }
            moved.push(link.item);
            place = link.before as usize;
        }
        let mut list = self.append(place, item);
        let count = moved.len() - start;
        while moved.len() > start {
            let item = moved.pop().unwrap_or(Word::NONE);
            list = self.append(list.as_list()?, item);
        }
        Some((list, count))
    }

    /// How many items a list has.
    #[inline]
    pub fn length(&self, list: usize) -> usize {
        self.links[list].length() as usize
    }

    /// An item of a list, counted from 1.
    pub fn at(&self, mut list: usize, place: i64) -> Option<Word> {
        let place = u32::try_from(place).ok().filter(|place| *place > 0)?;
        while self.links[list].length() > place {
            list = self.links[list].before as usize;
        }
        (self.links[list].length() == place).then_some(self.links[list].item)
    }

    /// The items of a list, in order, behind what is in `items` already.
    pub fn items(&self, mut list: usize, items: &mut Vec<Word>) {
        let start = items.len();
        while self.links[list].length() > 0 {
            items.push(self.links[list].item);
            list = self.links[list].before as usize;
        }
        items[start..].reverse();
    }

    /// The list of these items, which may begin as another one does.
    pub fn list(&mut self, items: &[Word], near: usize) -> Word {
        let mut begins = near;
        while self.length(begins) > items.len() {
            begins = self.links[begins].before as usize;
        }
        // The longest beginning of the other list that these items begin with too.
        let mut place = begins;
        while self.links[place].length() > 0 {
            let link = self.links[place];
            place = link.before as usize;
            if items[link.length() as usize - 1] != link.item {
                begins = place;
            }
        }
        let known = self.length(begins);
        items[known..].iter().fold(Word::odd(LIST, begins as u32), |list, item| {
            self.append(list.as_list().unwrap_or(0), *item)
        })
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
        let next = self.others.len() as u32;
        let number = *self.known_others.entry(value.clone()).or_insert(next);
        if number == next {
            self.long += match value {
                Value::Number(number) => number.bits() as u64 / 4,
                Value::Text(text) => text.len() as u64,
                _ => 0,
            };
            self.others.push(value.clone());
        }
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
