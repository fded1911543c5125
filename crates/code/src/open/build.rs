//! From code to expressions over open variables: one more meaning of code.

use astragal_value::{Op, Store, Word};

use super::{Id, Open};
use crate::fold::{Choice, Domain};
use crate::limits;
use crate::tree::{Code, Fold};

/// Code on its way to an expression.
pub struct Weave {
    open: Open,
    frame: Vec<Option<Id>>,
    terms: Vec<Option<Word>>,
}

impl Weave {
    /// With so many variables of code, and what its terms are.
    pub fn new(open: Open, slots: usize, terms: Vec<Option<Word>>) -> Weave {
        Weave { open, frame: vec![None; slots], terms }
    }

    /// What the variables of code are is made of these.
    pub fn expressions(&mut self) -> &mut Open {
        &mut self.open
    }

    /// Sets a variable of the code.
    pub fn set(&mut self, slot: usize, value: Id) {
        self.frame[slot] = Some(value);
    }

    /// A finished value.
    pub fn constant(&mut self, word: Word) -> Option<Id> {
        self.open.word(word)
    }

    /// What code comes to, with all expressions; none if that has no form.
    pub fn woven(mut self, code: &Code, store: &mut Store) -> Option<(Open, Id)> {
        let root = self.of(code, store)?;
        Some((self.open, root))
    }

    fn all(&mut self, codes: &[Code], store: &mut Store) -> Option<Vec<Id>> {
        codes.iter().map(|code| self.part(code, store)).collect()
    }
}

impl Domain<Id, Store> for Weave {
    fn word(&mut self, word: Word) -> Option<Id> {
        self.open.word(word)
    }

    fn term(&mut self, term: u32) -> Option<Id> {
        let word = self.terms.get(term as usize).copied().flatten()?;
        self.open.word(word)
    }

    fn local(&mut self, slot: u32, _: &mut Store) -> Option<Id> {
        self.frame.get(slot as usize).copied().flatten()
    }

    fn bind(&mut self, slot: u32, value: Id) {
        self.frame[slot as usize] = Some(value);
    }

    fn choice(&mut self, parts: &Choice, store: &mut Store) -> Option<Id> {
        let condition = self.part(&parts.0, store)?;
        if let Some(truth) = self.open.as_word(condition) {
            return self.part(if truth.as_bool()? { &parts.1 } else { &parts.2 }, store);
        }
        let then = self.part(&parts.1, store)?;
        let otherwise = self.part(&parts.2, store)?;
        self.open.choice(condition, then, otherwise, store)
    }

    fn binary(&mut self, op: Op, a: Id, b: Id, store: &mut Store) -> Option<Id> {
        (self.open.work <= limits::LONGEST_FOLD).then_some(())?;
        self.open.apply(op, vec![a, b], store)
    }

    fn operation(&mut self, op: Op, operands: &[Code], store: &mut Store) -> Option<Id> {
        let operands = self.all(operands, store)?;
        self.open.apply(op, operands, store)
    }

    fn list(&mut self, items: &[Code], store: &mut Store) -> Option<Id> {
        let items = self.all(items, store)?;
        self.open.list(items, store)
    }

    fn record(&mut self, shape: u32, fields: &[Code], store: &mut Store) -> Option<Id> {
        let fields = self.all(fields, store)?;
        self.open.record(shape, fields, store)
    }

    fn field(&mut self, record: &Code, index: u32, store: &mut Store) -> Option<Id> {
        let record = self.part(record, store)?;
        self.open.field(record, index, store)
    }

    fn fold(&mut self, fold: &Fold, store: &mut Store) -> Option<Id> {
        let list = self.part(&fold.list, store)?;
        let items = self.open.items(list, store)?;
        let mut carried = self.part(&fold.first, store)?;
        for item in items {
            self.open.work += fold.cost;
            (self.open.work <= limits::LONGEST_FOLD).then_some(())?;
            self.bind(fold.item, item);
            self.bind(fold.carry, carried);
            carried = self.part(&fold.body, store)?;
        }
        Some(carried)
    }
}
