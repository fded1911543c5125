//! What is left of expressions when their first variable becomes known.

use astragal_value::{Store, Word};
use rustc_hash::FxHashMap;

use super::{Expr, Id, Open};

/// Expressions in which one variable more is known.
pub struct Next<'a> {
    before: &'a Open,
    after: Open,
    var: u32,
    word: Word,
    /// What has become of expressions that do not depend on the variable, and of the others with its value.
    same: FxHashMap<Id, Id>,
    left: FxHashMap<Id, Id>,
}

impl<'a> Next<'a> {
    /// The variable that becomes known; all before it are known.
    pub fn of(before: &'a Open, var: u32) -> Next<'a> {
        let after = Open::new(before.ranges.clone());
        let (same, left) = (FxHashMap::default(), FxHashMap::default());
        Next { before, after, var, word: Word::NONE, same, left }
    }

    /// The variable has this value from now on.
    pub fn set(&mut self, word: Word) {
        self.word = word;
        self.left.clear();
    }

    /// The expressions that are left, and what was looked at for them.
    pub fn work(&self) -> u64 {
        self.after.work
    }

    /// About how many bytes they take.
    pub fn bytes(&self) -> u64 {
        const EACH: u64 = 24;
        self.after.bytes() + EACH * (self.same.len() + self.left.capacity()) as u64
    }

    /// The expressions that are left.
    pub fn into_open(self) -> Open {
        self.after
    }

    /// What is left of an expression; none if it has no form or no value.
    pub fn left_of(&mut self, id: Id, store: &mut Store) -> Option<Id> {
        let facts = self.before.facts(id);
        let known = if facts.first == self.var { &self.left } else { &self.same };
        if let Some(known) = known.get(&id) {
            return Some(*known);
        }
        let left = self.rebuilt(id, store)?;
        let known = if facts.first == self.var { &mut self.left } else { &mut self.same };
        known.insert(id, left);
        Some(left)
    }

    fn rebuilt(&mut self, id: Id, store: &mut Store) -> Option<Id> {
        let before = self.before;
        match before.expr(id) {
            Expr::Word(word) => self.after.word(*word),
            Expr::Open(var) if *var == self.var => self.after.word(self.word),
            Expr::Open(var) => self.after.open(*var),
            Expr::Sum(terms) => {
                let mut left = Vec::with_capacity(terms.len());
                for (id, times) in terms {
                    left.push((self.left_of(*id, store)?, *times));
                }
                self.after.sum(left, 0)
            }
            Expr::Plus(id, more) => {
                let left = self.left_of(*id, store)?;
                self.after.sum(vec![(left, 1)], *more)
            }
            Expr::Most(op, ids) => {
                let left = self.all_left(ids, store)?;
                self.after.most(*op, left, None)
            }
            Expr::Bound(op, id, known) => {
                let left = self.left_of(*id, store)?;
                self.after.most(*op, vec![left], Some(*known))
            }
            Expr::If(condition, then, otherwise) => {
                let condition = self.left_of(*condition, store)?;
                match self.after.as_word(condition) {
                    Some(truth) => {
                        self.left_of(if truth.as_bool()? { *then } else { *otherwise }, store)
                    }
                    None => {
                        let then = self.left_of(*then, store)?;
                        let otherwise = self.left_of(*otherwise, store)?;
                        self.after.choice(condition, then, otherwise, store)
                    }
                }
            }
            Expr::Apply(op, ids) => {
                let left = self.all_left(ids, store)?;
                self.after.apply(*op, left, store)
            }
            Expr::List(ids) => {
                let left = self.all_left(ids, store)?;
                self.after.list(left, store)
            }
            Expr::Record(shape, ids) => {
                let left = self.all_left(ids, store)?;
                self.after.record(*shape, left, store)
            }
            Expr::Field(id, index) => {
                let left = self.left_of(*id, store)?;
                self.after.field(left, *index, store)
            }
        }
    }

    fn all_left(&mut self, ids: &[Id], store: &mut Store) -> Option<Vec<Id>> {
        ids.iter().map(|id| self.left_of(*id, store)).collect()
    }
}
