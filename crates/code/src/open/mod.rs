//! What code comes to while some of its variables are open, and what is left of that as they become known.
//!
//! ```text
//! [max(a, b, c, d), min(a, b, c, d), a + b + c + d]      a = 4: [max(4, b, c, d), min(4, b, c, d), 4 + b + c + d]
//! ```
//!
//! Of all throws of `a` and `b` only the highest, the lowest and the sum are left over. So code that reads many numbers
//! need not be run for each throw of all of them: one number after the other becomes known, and where the same is left,
//! throws have met. That shows if the same is written in the same way: calls and lists are gone, sums have one constant
//! and terms in order, and so have the highest and lowest of several numbers ([`simple`]). Each expression is kept once.
//!
//! In contrast to [`residue`](crate::Runner::residue), which leaves code as it was written and so can be run for any of
//! it, what has no such form (a list whose length is open, an operation that may fail) has none at all.

mod build;
mod next;
mod simple;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use astragal_value::{Op, Word};
use rustc_hash::FxHashMap;

pub use build::Weave;
pub use next::Next;

/// Which expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(u32);

/// An expression over open variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Expr {
    /// A finished value.
    Word(Word),
    /// An open variable.
    Open(u32),
    /// Numbers, each times so much, in order, none of them known.
    Sum(Box<[(Id, i64)]>),
    /// A number that is not known, and more that is.
    Plus(Id, i64),
    /// The highest or lowest of several numbers, in order, none of them known.
    Most(Op, Box<[Id]>),
    /// The higher or lower of a number that is not known and one that is.
    Bound(Op, Id, i64),
    /// A condition that is not known, and what holds then and otherwise.
    If(Id, Id, Id),
    /// Any other operation.
    Apply(Op, Box<[Id]>),
    /// A list.
    List(Box<[Id]>),
    /// By the number of its shape.
    Record(u32, Box<[Id]>),
    /// A field of a record that is not known.
    Field(Id, u32),
}

/// What is known of an expression.
#[derive(Clone, Copy, Debug)]
struct Facts {
    /// The first of the open variables that it depends on.
    first: u32,
    /// Between which numbers it lies, if it is a whole number for certain.
    range: Option<(i64, i64)>,
    /// How deep it is.
    depth: u32,
}

/// It depends on no open variable.
const NEVER: u32 = u32::MAX;
/// Deeper expressions have no form here.
const DEEPEST: u32 = 250;

/// Expressions over open variables, each of them once.
pub struct Open {
    all: Vec<(Rc<Expr>, Facts)>,
    known: FxHashMap<Rc<Expr>, Id>,
    /// What is known of the variables: between which numbers they lie.
    ranges: Rc<[Option<(i64, i64)>]>,
    /// How many parts were looked at.
    pub work: u64,
}

impl Open {
    /// No expressions yet over variables that lie between these numbers, where they are whole numbers.
    pub fn new(ranges: Rc<[Option<(i64, i64)>]>) -> Open {
        Open { all: Vec::new(), known: FxHashMap::default(), ranges, work: 0 }
    }

    /// How many expressions there are.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// About how many bytes they take.
    pub fn bytes(&self) -> u64 {
        const EACH: u64 = 160;
        EACH * self.all.len() as u64
    }

    /// The value of an expression that is known.
    pub fn as_word(&self, id: Id) -> Option<Word> {
        match self.expr(id) {
            Expr::Word(word) => Some(*word),
            _ => None,
        }
    }

    /// Whether something in it that is open is used more than once: what is used once only is a matter of laws.
    pub fn shares(&self, root: Id) -> bool {
        let mut seen = vec![false; self.all.len()];
        let mut waiting = vec![root];
        while let Some(id) = waiting.pop() {
            if self.facts(id).first == NEVER {
                continue;
            }
            if std::mem::replace(&mut seen[id.0 as usize], true) {
                return true;
            }
            self.expr(id).parts(&mut |part| waiting.push(part));
        }
        false
    }

    fn expr(&self, id: Id) -> &Expr {
        &self.all[id.0 as usize].0
    }

    fn facts(&self, id: Id) -> Facts {
        self.all[id.0 as usize].1
    }

    /// An expression as it is; none if it is too deep.
    fn keep(&mut self, expr: Expr) -> Option<Id> {
        self.work += 1;
        if let Some(known) = self.known.get(&expr) {
            return Some(*known);
        }
        let facts = self.facts_of(&expr)?;
        let id = Id(u32::try_from(self.all.len()).ok()?);
        let expr = Rc::new(expr);
        self.all.push((Rc::clone(&expr), facts));
        self.known.insert(expr, id);
        Some(id)
    }

    fn facts_of(&mut self, expr: &Expr) -> Option<Facts> {
        let mut facts = Facts { first: NEVER, range: self.range_of(expr), depth: 0 };
        if let Expr::Open(var) = expr {
            facts.first = *var;
        }
        let mut looked_at = 0;
        expr.parts(&mut |part| {
            let part = self.facts(part);
            facts.first = facts.first.min(part.first);
            facts.depth = facts.depth.max(part.depth + 1);
            looked_at += 1;
        });
        self.work += looked_at;
        (facts.depth <= DEEPEST).then_some(facts)
    }

    /// Between which numbers an expression lies, if it is a whole number for certain.
    fn range_of(&self, expr: &Expr) -> Option<(i64, i64)> {
        let of = |id: &Id| self.facts(*id).range;
        match expr {
            Expr::Word(word) => word.as_number().map(|number| (number, number)),
            Expr::Open(var) => self.ranges.get(*var as usize).copied().flatten(),
            Expr::Sum(terms) => terms.iter().try_fold((0i64, 0i64), |(low, high), (id, times)| {
                let (least, most) = of(id)?;
                let ends = [least.checked_mul(*times)?, most.checked_mul(*times)?];
                let (least, most) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
                Some((low.checked_add(least)?, high.checked_add(most)?))
            }),
            Expr::Plus(id, more) => {
                let (low, high) = of(id)?;
                Some((low.checked_add(*more)?, high.checked_add(*more)?))
            }
            Expr::Most(op, ids) => {
                let mut ranges = ids.iter().map(of);
                let first = ranges.next()??;
                ranges.try_fold(first, |all, range| Some(most_of(*op, all, range?)))
            }
            Expr::Bound(op, id, known) => Some(most_of(*op, of(id)?, (*known, *known))),
            Expr::If(_, then, otherwise) => {
                let (a, b) = (of(then)?, of(otherwise)?);
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            Expr::Apply(op, ids) => match (op, ids.as_ref()) {
                (Op::FloorDivide, [a, by]) => {
                    let ((low, high), by) = (of(a)?, of(by)?.0);
                    (by > 0).then(|| (low.div_euclid(by), high.div_euclid(by)))
                }
                (Op::Remainder, [a, by]) => {
                    let (_, by) = (of(a)?, of(by)?.0);
                    (by > 0).then(|| (0, by - 1))
                }
                (Op::Multiply, [a, b]) => {
                    let ((a, b), (c, d)) = (of(a)?, of(b)?);
                    let ends = [(a, c), (a, d), (b, c), (b, d)];
                    let ends = ends.map(|(one, other)| one.checked_mul(other));
                    let ends = ends.into_iter().collect::<Option<Vec<i64>>>()?;
                    Some((*ends.iter().min()?, *ends.iter().max()?))
                }
                (Op::Abs, [a]) => {
                    let (low, high) = of(a)?;
                    let most = low.checked_abs()?.max(high.checked_abs()?);
                    Some((low.max(0).max(high.checked_neg()?.max(0)), most))
                }
                _ => None,
            },
            Expr::List(_) | Expr::Record(..) | Expr::Field(..) => None,
        }
    }
}

/// Between which numbers the higher or lower of two numbers lies.
fn most_of(op: Op, a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
    let of = |a, b| if op == Op::Max { i64::max(a, b) } else { i64::min(a, b) };
    (of(a.0, b.0), of(a.1, b.1))
}

impl Expr {
    /// Calls `see` with each part.
    fn parts(&self, see: &mut impl FnMut(Id)) {
        match self {
            Expr::Word(_) | Expr::Open(_) => {}
            Expr::Sum(terms) => terms.iter().for_each(|(id, _)| see(*id)),
            Expr::Plus(id, _) | Expr::Bound(_, id, _) | Expr::Field(id, _) => see(*id),
            Expr::If(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(|id| see(*id));
            }
            Expr::Most(_, ids) | Expr::Apply(_, ids) | Expr::List(ids) | Expr::Record(_, ids) => {
                ids.iter().for_each(|id| see(*id));
            }
        }
    }
}
