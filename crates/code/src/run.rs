//! Running code.

use std::rc::Rc;

use astragal_value::{Op, Value, apply};

use crate::fold::{Choice, Domain};
use crate::limits;
use crate::tree::{Answer, Code, Fold};
use astragal_value::{Store, Word};

/// A place to run code in: the variables, and the terms.
pub struct Runner {
    frame: Vec<Word>,
    terms: Vec<Option<Word>>,
    /// The items of lists that are being gone through, one above the other.
    pub items: Vec<Word>,
    /// The steps of the budget that folds took.
    pub folded: u64,
    /// The throw, by its slot, without which the last run could not go on.
    pub wanted: Option<u32>,
    /// What dice on the table answer, by the slot of their throw: for each question and each hand.
    answers: Vec<(u32, Rc<Vec<Vec<Word>>>)>,
}

impl Runner {
    /// With so many variables, and no terms.
    pub fn new(slots: usize) -> Runner {
        Runner {
            frame: vec![Word::NONE; slots],
            terms: Vec::new(),
            items: Vec::new(),
            folded: 0,
            wanted: None,
            answers: Vec::new(),
        }
    }

    /// Whether a throw is made.
    pub fn is_thrown(&self, slot: u32) -> bool {
        self.frame.get(slot as usize).is_some_and(|word| *word != Word::UNTHROWN)
    }

    /// What dice answer from now on.
    pub fn lay(&mut self, slot: u32, answers: Rc<Vec<Vec<Word>>>) {
        self.answers.retain(|(known, _)| *known != slot);
        self.answers.push((slot, answers));
    }

    /// Works out the terms of a program, whose kept variables are set.
    pub fn work_out(&mut self, terms: &[Code], store: &mut Store) -> Vec<Option<Word>> {
        self.prepare(terms, store);
        self.terms.clone()
    }

    /// The same for a program that is run at once.
    pub fn prepare(&mut self, terms: &[Code], store: &mut Store) {
        self.terms.clear();
        for term in terms {
            self.begin();
            let value = self.run(term, store);
            self.terms.push(value);
        }
    }

    /// Takes over terms that were worked out before.
    pub fn set_terms(&mut self, terms: &[Option<Word>]) {
        self.terms.clear();
        self.terms.extend_from_slice(terms);
    }

    /// Forgets what an earlier run left behind.
    #[inline]
    pub fn begin(&mut self) {
        self.items.clear();
        self.folded = 0;
    }

    /// Sets a variable.
    #[inline]
    pub fn set(&mut self, slot: usize, value: Word) {
        self.frame[slot] = value;
    }

    /// The value; none where it has none, or is not plain.
    pub fn run(&mut self, code: &Code, store: &mut Store) -> Option<Word> {
        self.of(code, store)
    }

    /// `sort` and `reverse`; of both in a row only one list is made.
    fn ordered(&mut self, op: Op, list: &Code, store: &mut Store) -> Option<Word> {
        let (list, sorts) = match list {
            Code::Operation(Op::Sort, inner) if op == Op::Reverse => (inner.first()?, true),
            list => (list, op == Op::Sort),
        };
        // What is sorted is often a list in order with one item more.
        let (list, last) = match list {
            Code::Binary(Op::Append, parts) => {
                (self.part(&parts.0, store)?.as_list()?, Some(self.part(&parts.1, store)?))
            }
            list => (self.part(list, store)?.as_list()?, None),
        };
        if sorts
            && let Some(last) = last
            && let Some((ordered, moved)) =
                store.insert(list, last, op == Op::Reverse, &mut self.items)
        {
            self.folded += moved as u64;
            return Some(ordered);
        }
        let start = self.items.len();
        store.items(list, &mut self.items);
        self.items.extend(last);
        let items = &mut self.items[start..];
        self.folded += items.len() as u64;
        if sorts && !store.sort(items) {
            return None;
        }
        if op == Op::Reverse {
            items.reverse();
        }
        let ordered = store.list(items, list);
        self.items.truncate(start);
        Some(ordered)
    }

    fn round(&mut self, fold: &Fold, item: Word, carried: Word, store: &mut Store) -> Option<Word> {
        self.folded += fold.cost;
        (self.folded <= limits::LONGEST_FOLD).then_some(())?;
        self.frame[fold.item as usize] = item;
        self.frame[fold.carry as usize] = carried;
        let before = store.long();
        let value = self.part(&fold.body, store);
        // Long numbers and texts are written down word by word, and kept.
        self.folded += (store.long() - before) / 8;
        value
    }
}

impl Domain<Word, Store> for Runner {
    fn word(&mut self, word: Word) -> Option<Word> {
        Some(word)
    }

    fn term(&mut self, term: u32) -> Option<Word> {
        self.terms.get(term as usize).copied().flatten()
    }

    fn local(&mut self, slot: u32, _: &mut Store) -> Option<Word> {
        self.frame.get(slot as usize).copied()
    }

    fn bind(&mut self, slot: u32, value: Word) {
        self.frame[slot as usize] = value;
    }

    fn choice(&mut self, parts: &Choice, store: &mut Store) -> Option<Word> {
        let holds = self.part(&parts.0, store)?.as_bool()?;
        self.part(if holds { &parts.1 } else { &parts.2 }, store)
    }

    fn binary(&mut self, op: Op, a: Word, b: Word, store: &mut Store) -> Option<Word> {
        binary(op, a, b, store)
    }

    fn operation(&mut self, op: Op, operands: &[Code], store: &mut Store) -> Option<Word> {
        if matches!(op, Op::Sort | Op::Reverse) {
            return self.ordered(op, operands.first()?, store);
        }
        let mut words = Vec::with_capacity(operands.len());
        for operand in operands {
            words.push(self.part(operand, store)?);
        }
        operate(op, &words, store)
    }

    fn list(&mut self, items: &[Code], store: &mut Store) -> Option<Word> {
        let mut list = Word::EMPTY;
        for item in items {
            let item = self.part(item, store)?;
            list = store.append(list.as_list()?, item);
        }
        Some(list)
    }

    fn record(&mut self, shape: u32, fields: &[Code], store: &mut Store) -> Option<Word> {
        let start = self.items.len();
        for field in fields {
            let field = self.part(field, store)?;
            self.items.push(field);
        }
        let record = store.record(shape, &self.items[start..]);
        self.items.truncate(start);
        Some(record)
    }

    #[inline]
    fn field(&mut self, record: &Code, index: u32, store: &mut Store) -> Option<Word> {
        let record = match record {
            Code::Local(slot) => *self.frame.get(*slot as usize)?,
            record => self.of(record, store)?,
        };
        store.field(record, index as usize)
    }

    fn fold(&mut self, fold: &Fold, store: &mut Store) -> Option<Word> {
        if let Code::Binary(Op::Range, ends) = &fold.list {
            let from = self.part(&ends.0, store)?.as_number()?;
            let to = self.part(&ends.1, store)?.as_number()?;
            if to.checked_sub(from)? >= limits::LONGEST_RANGE {
                return None;
            }
            let mut carried = self.part(&fold.first, store)?;
            for item in from..=to {
                carried = self.round(fold, Word::number(item)?, carried, store)?;
            }
            return Some(carried);
        }
        let start = self.items.len();
        let list = self.part(&fold.list, store)?.as_list()?;
        store.items(list, &mut self.items);
        let end = self.items.len();
        let mut carried = self.part(&fold.first, store)?;
        for at in start..end {
            carried = self.round(fold, self.items[at], carried, store)?;
        }
        self.items.truncate(start);
        Some(carried)
    }

    fn thrown(&mut self, slot: u32) -> Option<Word> {
        let word = self.frame.get(slot as usize).copied()?;
        if word == Word::UNTHROWN {
            self.wanted = Some(slot);
            return None;
        }
        Some(word)
    }

    fn answer(&mut self, asked: Answer) -> Option<Word> {
        let hand = self.frame.get(asked.dice as usize)?.as_number()?;
        let (_, answers) = self.answers.iter().find(|(known, _)| *known == asked.dice)?;
        answers.get(asked.question as usize)?.get(usize::try_from(hand).ok()?).copied()
    }

    /// Most parts are leaves, and for these no call is made.
    #[inline]
    fn part(&mut self, code: &Code, store: &mut Store) -> Option<Word> {
        match code {
            Code::Word(word) => Some(*word),
            Code::Local(slot) => self.frame.get(*slot as usize).copied(),
            Code::Field(record, index) => self.field(record, *index, store),
            code => self.of(code, store),
        }
    }
}

/// An operation on any number of words.
pub(crate) fn operate(op: Op, words: &[Word], store: &mut Store) -> Option<Word> {
    match (op, words) {
        (Op::Not, [a]) => Some(Word::bool(!a.as_bool()?)),
        (Op::Negate, [a]) if a.as_number().is_some() => {
            a.as_number()?.checked_neg().and_then(Word::number)
        }
        (Op::Floor | Op::Ceil | Op::Round, [a]) if a.as_number().is_some() => Some(*a),
        (Op::Length, [list]) => Word::number(store.length(list.as_list()?) as i64),
        (Op::Min | Op::Max, _) if words.iter().all(|word| word.as_number().is_some()) => {
            let numbers = words.iter().filter_map(|word| word.as_number());
            Word::number(if op == Op::Min { numbers.min()? } else { numbers.max()? })
        }
        _ => general(op, words, store),
    }
}

pub fn binary(op: Op, a: Word, b: Word, store: &mut Store) -> Option<Word> {
    let (Some(x), Some(y)) = (a.as_number(), b.as_number()) else {
        return match op {
            Op::Equal => Some(Word::bool(a == b)),
            Op::NotEqual => Some(Word::bool(a != b)),
            Op::Append => Some(store.append(a.as_list()?, b)),
            Op::At => store.at(a.as_list()?, b.as_number()?),
            Op::Less => Some(Word::bool(store.order(a, b)?.is_lt())),
            Op::AtMost => Some(Word::bool(store.order(a, b)?.is_le())),
            Op::Greater => Some(Word::bool(store.order(a, b)?.is_gt())),
            Op::AtLeast => Some(Word::bool(store.order(a, b)?.is_ge())),
            _ => general(op, &[a, b], store),
        };
    };
    let number = match op {
        Op::Add => x.checked_add(y),
        Op::Subtract => x.checked_sub(y),
        Op::Multiply => x.checked_mul(y),
        Op::FloorDivide if y > 0 => Some(x.div_euclid(y)),
        Op::Remainder if y > 0 => Some(x.rem_euclid(y)),
        Op::Min => Some(x.min(y)),
        Op::Max => Some(x.max(y)),
        Op::Equal => return Some(Word::bool(x == y)),
        Op::NotEqual => return Some(Word::bool(x != y)),
        Op::Less => return Some(Word::bool(x < y)),
        Op::AtMost => return Some(Word::bool(x <= y)),
        Op::Greater => return Some(Word::bool(x > y)),
        Op::AtLeast => return Some(Word::bool(x >= y)),
        _ => None,
    };
    match number.and_then(Word::number) {
        Some(word) => Some(word),
        None => general(op, &[a, b], store),
    }
}

/// By way of the values themselves.
#[cold]
fn general(op: Op, words: &[Word], store: &mut Store) -> Option<Word> {
    // All texts on the way to a long one are kept: that is better done by a state, which has only the last.
    let is_little = store.bytes() < limits::MOST_STORED;
    (is_little && store.are_small(words.iter().copied(), limits::MOST_PARTS)).then_some(())?;
    let values: Vec<Value> = words.iter().map(|word| store.value(*word)).collect();
    let value = apply(op, &values).ok()?;
    Some(store.word(&value))
}
