//! One way to write what comes to the same.
//!
//! What is known is worked out, sums and the highest of several numbers are laid flat, and what two branches have in
//! common stands outside of them: `if a >= 4 then n + 1 else n` is `n + (if a >= 4 then 1 else 0)`.

use astragal_value::{Op, Store, Word};

use super::{Expr, Id, Open};
use crate::run::{binary, operate};

impl Open {
    pub(super) fn word(&mut self, word: Word) -> Option<Id> {
        self.keep(Expr::Word(word))
    }

    /// A variable that is not known.
    pub fn open(&mut self, var: u32) -> Option<Id> {
        self.keep(Expr::Open(var))
    }

    fn number(&mut self, number: i64) -> Option<Id> {
        self.word(Word::number(number)?)
    }

    fn is_number(&self, id: Id) -> bool {
        self.facts(id).range.is_some()
    }

    /// Whole numbers, each times so much, and one more; none if one is no whole number, or the sum may be too large.
    pub fn sum(&mut self, terms: Vec<(Id, i64)>, more: i64) -> Option<Id> {
        let mut known = more;
        let mut flat: Vec<(Id, i64)> = Vec::with_capacity(terms.len());
        for (mut id, times) in terms {
            self.is_number(id).then_some(())?;
            if let Expr::Plus(rest, more) = self.expr(id) {
                known = known.checked_add(more.checked_mul(times)?)?;
                id = *rest;
            }
            match self.expr(id) {
                Expr::Word(word) => {
                    known = known.checked_add(word.as_number()?.checked_mul(times)?)?;
                }
                Expr::Sum(terms) => {
                    for (id, own) in terms {
                        flat.push((*id, own.checked_mul(times)?));
                    }
                }
                _ => flat.push((id, times)),
            }
        }
        flat.sort_unstable();
        let mut terms: Vec<(Id, i64)> = Vec::with_capacity(flat.len());
        for (id, times) in flat {
            match terms.last_mut() {
                Some((last, sum)) if *last == id => *sum = sum.checked_add(times)?,
                _ => terms.push((id, times)),
            }
        }
        terms.retain(|(_, times)| *times != 0);
        let rest = match terms.as_slice() {
            [] => return self.number(known),
            [(id, 1)] => *id,
            _ => self.keep(Expr::Sum(terms.into()))?,
        };
        self.is_number(rest).then_some(())?;
        if known == 0 { Some(rest) } else { self.keep(Expr::Plus(rest, known)) }
    }

    /// The highest or lowest of whole numbers and of one that is known; none if one of them is no whole number.
    pub(super) fn most(&mut self, op: Op, ids: Vec<Id>, known: Option<i64>) -> Option<Id> {
        let better = |a: i64, b: i64| if op == Op::Max { a.max(b) } else { a.min(b) };
        let mut known = known;
        let mut bound = |more: i64| known = Some(known.map_or(more, |known| better(known, more)));
        let mut flat = Vec::with_capacity(ids.len());
        for mut id in ids {
            self.is_number(id).then_some(())?;
            if let Expr::Bound(own, rest, more) = self.expr(id)
                && *own == op
            {
                bound(*more);
                id = *rest;
            }
            match self.expr(id) {
                Expr::Word(word) => bound(word.as_number()?),
                Expr::Most(own, ids) if *own == op => flat.extend_from_slice(ids),
                _ => flat.push(id),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        if let Some(known) = known {
            // Numbers that are never better, and a bound that never is.
            let ends = |range: (i64, i64)| if op == Op::Max { range } else { (range.1, range.0) };
            flat.retain(|id| {
                self.facts(*id).range.is_none_or(|r| better(ends(r).1, known) != known)
            });
            let mut least = flat.iter().filter_map(|id| Some(ends(self.facts(*id).range?).0));
            if least.any(|least| better(least, known) == least) {
                return self.most_of(op, flat);
            }
        }
        match (flat.is_empty(), known) {
            (true, known) => self.number(known?),
            (false, None) => self.most_of(op, flat),
            (false, Some(known)) => {
                let rest = self.most_of(op, flat)?;
                self.keep(Expr::Bound(op, rest, known))
            }
        }
    }

    fn most_of(&mut self, op: Op, flat: Vec<Id>) -> Option<Id> {
        match flat.as_slice() {
            [only] => Some(*only),
            _ => self.keep(Expr::Most(op, flat.into())),
        }
    }

    /// What holds if a condition does, or something else.
    pub(super) fn choice(
        &mut self,
        condition: Id,
        then: Id,
        otherwise: Id,
        store: &mut Store,
    ) -> Option<Id> {
        if let Some(truth) = self.as_word(condition) {
            return Some(if truth.as_bool()? { then } else { otherwise });
        }
        if then == otherwise {
            return Some(then);
        }
        let truth = |id| self.as_word(id).and_then(Word::as_bool);
        if truth(then) == Some(true) && truth(otherwise) == Some(false) {
            return Some(condition);
        }
        let (a, b) = (self.items(then, store), self.items(otherwise, store));
        if let (Some(a), Some(b)) = (a, b)
            && a.len() == b.len()
        {
            let items = a.into_iter().zip(b);
            let items =
                items.map(|(a, b)| self.choice(condition, a, b, store)).collect::<Option<_>>()?;
            return self.list(items, store);
        }
        let (a, b) = (self.fields(then, store), self.fields(otherwise, store));
        if let (Some((shape, a)), Some((other, b))) = (a, b)
            && shape == other
        {
            let fields = a.into_iter().zip(b);
            let fields =
                fields.map(|(a, b)| self.choice(condition, a, b, store)).collect::<Option<_>>()?;
            return self.record(shape, fields, store);
        }
        if self.is_number(then) && self.is_number(otherwise) {
            return self.choice_of_numbers(condition, then, otherwise);
        }
        self.keep(Expr::If(condition, then, otherwise))
    }

    /// What both have in common stands outside.
    fn choice_of_numbers(&mut self, condition: Id, then: Id, otherwise: Id) -> Option<Id> {
        let (a, b) = (self.terms(then), self.terms(otherwise));
        let common: Vec<(Id, i64)> = a.iter().filter(|term| b.contains(term)).copied().collect();
        if common.is_empty() {
            return self.keep(Expr::If(condition, then, otherwise));
        }
        let mut less: Vec<(Id, i64)> = common.iter().map(|(id, times)| (*id, -times)).collect();
        less.push((then, 1));
        let then = self.sum(less.clone(), 0)?;
        less.pop();
        less.push((otherwise, 1));
        let otherwise = self.sum(less, 0)?;
        let choice = self.keep(Expr::If(condition, then, otherwise))?;
        self.sum(common.into_iter().chain([(choice, 1)]).collect(), 0)
    }

    /// The terms of a sum that are not known.
    fn terms(&self, id: Id) -> Vec<(Id, i64)> {
        match self.expr(id) {
            Expr::Word(_) => Vec::new(),
            Expr::Plus(rest, _) => self.terms(*rest),
            Expr::Sum(terms) => terms.to_vec(),
            _ => vec![(id, 1)],
        }
    }

    /// An operation; none if it has no value, or may have none.
    pub(super) fn apply(&mut self, op: Op, ids: Vec<Id>, store: &mut Store) -> Option<Id> {
        self.work += ids.len() as u64;
        let words: Option<Vec<Word>> = ids.iter().map(|id| self.as_word(*id)).collect();
        if let Some(words) = words {
            let value = match words.as_slice() {
                [a, b] => binary(op, *a, *b, store),
                words => operate(op, words, store),
            };
            return self.word(value?);
        }
        let numbers = ids.iter().all(|id| self.is_number(*id));
        match (op, ids.as_slice()) {
            (Op::Add, [a, b]) if numbers => self.sum(vec![(*a, 1), (*b, 1)], 0),
            (Op::Subtract, [a, b]) if numbers => self.sum(vec![(*a, 1), (*b, -1)], 0),
            (Op::Negate, [a]) if numbers => self.sum(vec![(*a, -1)], 0),
            (Op::Floor | Op::Ceil | Op::Round, [a]) if numbers => Some(*a),
            (Op::Multiply, [a, b]) if numbers => match (self.known(*a), self.known(*b)) {
                (Some(times), _) => self.sum(vec![(*b, times)], 0),
                (_, Some(times)) => self.sum(vec![(*a, times)], 0),
                (None, None) => self.keep(Expr::Apply(op, ids.into())),
            },
            (Op::Min | Op::Max, [_, ..]) if numbers => self.most(op, ids, None),
            (Op::Less | Op::AtMost | Op::Greater | Op::AtLeast, [a, b]) if numbers => {
                self.compared(op, *a, *b)
            }
            (Op::Equal | Op::NotEqual, [a, b]) if a == b => self.word(Word::bool(op == Op::Equal)),
            (Op::Equal | Op::NotEqual, [a, b]) if numbers => self.compared(op, *a, *b),
            (Op::Length | Op::Reverse | Op::At | Op::Append | Op::Sort, [list, rest @ ..]) => {
                self.of_list(op, *list, rest, store)
            }
            // These have a value whatever the first operand is.
            (Op::Divide | Op::FloorDivide | Op::Remainder, [_, by]) => {
                self.known(*by).filter(|by| *by != 0)?;
                self.keep(Expr::Apply(op, ids.into()))
            }
            (Op::Power | Op::Range | Op::Word, _) => None,
            _ => self.keep(Expr::Apply(op, ids.into())),
        }
    }

    fn known(&self, id: Id) -> Option<i64> {
        self.as_word(id)?.as_number()
    }

    /// Compares two whole numbers: their difference with 0, what is known of it on the other side.
    fn compared(&mut self, op: Op, a: Id, b: Id) -> Option<Id> {
        let difference = self.sum(vec![(a, 1), (b, -1)], 0)?;
        let (rest, more) = match self.expr(difference) {
            Expr::Plus(rest, more) => (*rest, more.checked_neg()?),
            _ => (difference, 0),
        };
        let (low, high) = self.facts(rest).range?;
        let known = match op {
            Op::Less => decided(high < more, low >= more),
            Op::AtMost => decided(high <= more, low > more),
            Op::Greater => decided(low > more, high <= more),
            Op::AtLeast => decided(low >= more, high < more),
            Op::Equal => decided(low == more && high == more, high < more || low > more),
            _ => decided(high < more || low > more, low == more && high == more),
        };
        match known {
            Some(truth) => self.word(Word::bool(truth)),
            None => {
                let more = self.number(more)?;
                self.keep(Expr::Apply(op, [rest, more].into()))
            }
        }
    }

    /// What is done to a list whose length is known.
    fn of_list(&mut self, op: Op, list: Id, rest: &[Id], store: &mut Store) -> Option<Id> {
        if let Some(sorted) = self.of_sorted(op, list, rest, store) {
            return Some(sorted);
        }
        let mut items = self.items(list, store)?;
        self.work += items.len() as u64;
        match (op, rest) {
            (Op::Length, []) => self.number(items.len() as i64),
            (Op::Append, [item]) => {
                items.push(*item);
                self.list(items, store)
            }
            (Op::At, [place]) => {
                let place = usize::try_from(self.known(*place)?.checked_sub(1)?).ok()?;
                items.get(place).copied()
            }
            (Op::Reverse, []) => {
                items.reverse();
                self.list(items, store)
            }
            // In whatever order they stand, they are sorted alike.
            (Op::Sort, []) if items.iter().all(|id| self.is_number(*id)) => {
                items.sort_unstable();
                let list = self.list(items, store)?;
                self.keep(Expr::Apply(op, [list].into()))
            }
            _ => None,
        }
    }

    /// How long a sorted list is, and its first and last item: those are known without any order.
    fn of_sorted(&mut self, op: Op, list: Id, rest: &[Id], store: &mut Store) -> Option<Id> {
        let Expr::Apply(Op::Sort, inner) = self.expr(list) else { return None };
        let items = self.items(*inner.first()?, store)?;
        match (op, rest) {
            (Op::Length, []) => self.number(items.len() as i64),
            (Op::Sort, []) => Some(list),
            (Op::At, [place]) => match self.known(*place)? {
                1 => self.most(Op::Min, items, None),
                last if last == items.len() as i64 => self.most(Op::Max, items, None),
                _ => None,
            },
            _ => None,
        }
    }

    /// The items of a list whose length is known.
    pub(super) fn items(&mut self, list: Id, store: &mut Store) -> Option<Vec<Id>> {
        match self.expr(list) {
            Expr::List(items) => Some(items.to_vec()),
            Expr::Word(word) => {
                let (mut words, number) = (Vec::new(), word.as_list()?);
                store.items(number, &mut words);
                words.into_iter().map(|word| self.word(word)).collect()
            }
            _ => None,
        }
    }

    /// A list of these items.
    pub fn list(&mut self, items: Vec<Id>, store: &mut Store) -> Option<Id> {
        let words: Option<Vec<Word>> = items.iter().map(|id| self.as_word(*id)).collect();
        match words {
            Some(words) => {
                let list = store.list(&words, 0);
                self.word(list)
            }
            None => self.keep(Expr::List(items.into())),
        }
    }

    /// The fields of a record, and its shape.
    fn fields(&mut self, record: Id, store: &mut Store) -> Option<(u32, Vec<Id>)> {
        match self.expr(record) {
            Expr::Record(shape, fields) => Some((*shape, fields.to_vec())),
            Expr::Word(word) => {
                let shape = store.shape_of(*word)?;
                let words = store.fields(*word)?.to_vec();
                let fields = words.into_iter().map(|word| self.word(word));
                Some((shape, fields.collect::<Option<_>>()?))
            }
            _ => None,
        }
    }

    /// A record of these fields.
    pub fn record(&mut self, shape: u32, fields: Vec<Id>, store: &mut Store) -> Option<Id> {
        let words: Option<Vec<Word>> = fields.iter().map(|id| self.as_word(*id)).collect();
        match words {
            Some(words) => {
                let record = store.record(shape, &words);
                self.word(record)
            }
            None => self.keep(Expr::Record(shape, fields.into())),
        }
    }

    pub(super) fn field(&mut self, record: Id, index: u32, store: &mut Store) -> Option<Id> {
        match self.expr(record) {
            Expr::Record(_, fields) => fields.get(index as usize).copied(),
            Expr::Word(word) => {
                let field = store.field(*word, index as usize)?;
                self.word(field)
            }
            Expr::If(condition, then, otherwise) => {
                let (condition, then, otherwise) = (*condition, *then, *otherwise);
                let then = self.field(then, index, store)?;
                let otherwise = self.field(otherwise, index, store)?;
                self.choice(condition, then, otherwise, store)
            }
            _ => self.keep(Expr::Field(record, index)),
        }
    }
}

fn decided(yes: bool, no: bool) -> Option<bool> {
    if yes { Some(true) } else { no.then_some(false) }
}
