//! Running code on a whole range of numbers at once: what can be said of the result for all of them.
//!
//! ```text
//! hits + x >= 10        for x from 6 to 60, with hits = 4: true
//!                       for x from 0 to 60: true or false
//! ```
//!
//! A throw of many dice has many values, but what looks at them mostly asks whether a total has reached
//! something, and from there on all values are alike. To find that out, one variable is a range, which may be
//! endless, and everything that depends on it is a range, or undecided. Where that is too little to tell, there
//! is no answer, and the caller tries smaller ranges. Every answer holds for each whole number in the range.

use std::rc::Rc;

use astragal_value::Op;

use crate::fold::{Choice, Domain};
use crate::lanes::{chosen, on_lanes};
use crate::run::{Runner, binary};
use crate::tree::{Answer, Code, Fold};
use astragal_value::{Store, Word};

/// A number as large as this stands for anything from here on; its negative for anything below.
pub const FARTHEST: i64 = i64::MAX >> 2;

/// What is known of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It.
    Word(Word),
    /// Some whole number from here to there.
    Range(i64, i64),
    /// The variable itself, and so much added to it; the sum is from here to there.
    Moved(i64, i64, i64),
    /// True or false.
    Either,
    /// A number or a truth in each of many lanes ([`super::lanes`]).
    Row(Rc<Vec<i64>>),
    /// A record with a field that is not known.
    Record(Vec<Reach>),
}

impl Reach {
    /// Some number from here to there; ends beyond reach stand for all that is farther.
    pub fn range(from: i64, to: i64) -> Reach {
        let (from, to) = (from.clamp(-FARTHEST, FARTHEST), to.clamp(-FARTHEST, FARTHEST));
        match Word::number(from) {
            Some(word) if from == to && from.abs() < FARTHEST => Reach::Word(word),
            _ => Reach::Range(from, to),
        }
    }

    /// The word, if it is known.
    pub fn word(&self) -> Option<Word> {
        if let Reach::Word(word) = self { Some(*word) } else { None }
    }

    /// The ends of what may be a range; none if it is no number, or one beyond reach.
    pub fn ends(&self) -> Option<(i64, i64)> {
        match self {
            Reach::Range(from, to) | Reach::Moved(from, to, _) => Some((*from, *to)),
            Reach::Word(word) => {
                word.as_number().filter(|n| n.abs() < FARTHEST).map(|number| (number, number))
            }
            Reach::Either | Reach::Row(_) | Reach::Record(_) => None,
        }
    }

    /// What is the variable and so much more, with this added.
    fn moved(&self, by: i64) -> Option<Reach> {
        let Reach::Moved(from, to, shift) = *self else { return None };
        let from = from.checked_add(by).filter(|from| from.abs() < FARTHEST)?;
        let to = if to == FARTHEST { to } else { to.checked_add(by)?.min(FARTHEST) };
        Some(Reach::Moved(from, to, shift.checked_add(by)?))
    }

    fn truth(yes: bool, no: bool) -> Reach {
        if yes || no { Reach::Word(Word::bool(yes)) } else { Reach::Either }
    }
}

impl Runner {
    /// What is known of the value of code in which a variable is known so far only. The others are as they
    /// are set.
    pub fn reach(
        &mut self,
        code: &Code,
        slot: usize,
        known: Reach,
        store: &mut Store,
    ) -> Option<Reach> {
        self.begin();
        if let Reach::Word(word) = known {
            self.set(slot, word);
            return self.run(code, store).map(Reach::Word);
        }
        self.reach_of(code, vec![(slot as u32, known)], store)
    }

    /// The same where several variables are known so far only.
    pub fn reach_of(
        &mut self,
        code: &Code,
        open: Vec<(u32, Reach)>,
        store: &mut Store,
    ) -> Option<Reach> {
        Ranges { runner: self, open, terms: &[] }.of(code, store)
    }

    /// The same where terms, which are worked out first, may depend on these variables too.
    pub fn reach_with(
        &mut self,
        code: &Code,
        terms: &[Code],
        open: Vec<(u32, Reach)>,
        store: &mut Store,
    ) -> Option<Reach> {
        let mut known = Vec::with_capacity(terms.len());
        for term in terms {
            let reach = Ranges { runner: self, open: open.clone(), terms: &known }.of(term, store);
            known.push(reach);
        }
        Ranges { runner: self, open, terms: &known }.of(code, store)
    }
}

/// Code on what is known of its variables.
struct Ranges<'a> {
    runner: &'a mut Runner,
    /// The variables that are not decided.
    open: Vec<(u32, Reach)>,
    /// What is known of the first terms; the runner knows the others.
    terms: &'a [Option<Reach>],
}

impl Ranges<'_> {
    /// Whether it is a variable or a throw of which only something is known.
    fn is_open(&self, code: &Code) -> bool {
        let slot = match code {
            Code::Local(slot) | Code::Throw(slot) => *slot,
            Code::Answer(asked) => asked.dice,
            _ => return false,
        };
        self.open.iter().any(|(open, _)| *open == slot)
    }
}

impl Domain<Reach, Store> for Ranges<'_> {
    fn word(&mut self, word: Word) -> Option<Reach> {
        Some(Reach::Word(word))
    }

    fn term(&mut self, term: u32) -> Option<Reach> {
        match self.terms.get(term as usize) {
            Some(known) => known.clone(),
            None => self.runner.term(term).map(Reach::Word),
        }
    }

    fn local(&mut self, slot: u32, store: &mut Store) -> Option<Reach> {
        match self.open.iter().find(|(open, _)| *open == slot) {
            Some((_, known)) => Some(known.clone()),
            None => self.runner.local(slot, store).map(Reach::Word),
        }
    }

    fn bind(&mut self, slot: u32, value: Reach) {
        self.open.retain(|(open, _)| *open != slot);
        match value {
            Reach::Word(word) => self.runner.bind(slot, word),
            value => self.open.push((slot, value)),
        }
    }

    fn choice(&mut self, parts: &Choice, store: &mut Store) -> Option<Reach> {
        match self.of(&parts.0, store)? {
            Reach::Word(truth) => {
                self.of(if truth.as_bool()? { &parts.1 } else { &parts.2 }, store)
            }
            Reach::Either => either(self.of(&parts.1, store)?, self.of(&parts.2, store)?),
            Reach::Row(truths) => {
                let (then, otherwise) = (self.of(&parts.1, store)?, self.of(&parts.2, store)?);
                chosen(&truths, then, otherwise, store)
            }
            Reach::Range(..) | Reach::Moved(..) | Reach::Record(_) => None,
        }
    }

    fn binary(&mut self, op: Op, a: Reach, b: Reach, store: &mut Store) -> Option<Reach> {
        match (&a, &b) {
            (Reach::Word(a), Reach::Word(b)) => binary(op, *a, *b, store).map(Reach::Word),
            (moved @ Reach::Moved(..), Reach::Word(n)) if op == Op::Add => {
                moved.moved(n.as_number()?)
            }
            (Reach::Word(n), moved @ Reach::Moved(..)) if op == Op::Add => {
                moved.moved(n.as_number()?)
            }
            (moved @ Reach::Moved(..), Reach::Word(n)) if op == Op::Subtract => {
                moved.moved(n.as_number()?.checked_neg()?)
            }
            (Reach::Row(_), _) | (_, Reach::Row(_)) => on_lanes(op, &a, &b),
            _ => on_ranges(op, a.ends()?, b.ends()?),
        }
    }

    fn operation(&mut self, op: Op, operands: &[Code], store: &mut Store) -> Option<Reach> {
        match (op, operands) {
            (Op::Not, [operand]) => match self.of(operand, store)? {
                Reach::Word(truth) => Some(Reach::Word(Word::bool(!truth.as_bool()?))),
                Reach::Either => Some(Reach::Either),
                truths @ Reach::Row(_) => {
                    on_lanes(Op::Equal, &truths, &Reach::Word(Word::bool(false)))
                }
                Reach::Range(..) | Reach::Moved(..) | Reach::Record(_) => None,
            },
            (Op::Negate, [operand]) => {
                let negated = self.of(operand, store)?;
                self.binary(Op::Subtract, Reach::Word(Word::number(0)?), negated, store)
            }
            (Op::Min | Op::Max, [first, others @ ..]) => {
                let first = self.of(first, store)?;
                others.iter().try_fold(first, |so_far, next| {
                    let next = self.of(next, store)?;
                    self.binary(op, so_far, next, store)
                })
            }
            _ if operands.iter().any(|part| part.any(&mut |part| self.is_open(part))) => None,
            _ => self.runner.operation(op, operands, store).map(Reach::Word),
        }
    }

    fn list(&mut self, items: &[Code], store: &mut Store) -> Option<Reach> {
        match items.iter().any(|item| item.any(&mut |part| self.is_open(part))) {
            true => None,
            false => self.runner.list(items, store).map(Reach::Word),
        }
    }

    fn record(&mut self, shape: u32, fields: &[Code], store: &mut Store) -> Option<Reach> {
        let mut reached = Vec::with_capacity(fields.len());
        for field in fields {
            reached.push(self.of(field, store)?);
        }
        Some(as_record(shape, reached, store))
    }

    fn field(&mut self, record: &Code, index: u32, store: &mut Store) -> Option<Reach> {
        match self.of(record, store)? {
            Reach::Word(record) => store.field(record, index as usize).map(Reach::Word),
            Reach::Record(fields) => fields.into_iter().nth(index as usize),
            Reach::Range(..) | Reach::Moved(..) | Reach::Either | Reach::Row(_) => None,
        }
    }

    fn thrown(&mut self, slot: u32) -> Option<Reach> {
        match self.open.iter().find(|(open, _)| *open == slot) {
            Some((_, known)) => Some(known.clone()),
            None => self.runner.thrown(slot).map(Reach::Word),
        }
    }

    fn answer(&mut self, asked: Answer) -> Option<Reach> {
        match self.is_open(&Code::Answer(asked)) {
            true => None,
            false => self.runner.answer(asked).map(Reach::Word),
        }
    }

    fn fold(&mut self, fold: &Fold, store: &mut Store) -> Option<Reach> {
        match fold.any(&mut |part| self.is_open(part)) {
            true => None,
            false => self.runner.fold(fold, store).map(Reach::Word),
        }
    }
}

/// A record of what is known; a word if all of it is.
pub fn as_record(shape: u32, fields: Vec<Reach>, store: &mut Store) -> Reach {
    if fields.iter().any(|field| field.word().is_none()) {
        return Reach::Record(fields);
    }
    let words: Vec<Word> = fields.iter().filter_map(Reach::word).collect();
    Reach::Word(store.record(shape, &words))
}

/// One of two, of which it is not known which.
fn either(a: Reach, b: Reach) -> Option<Reach> {
    if a == b {
        return Some(a);
    }
    let is_truth = |reach: &Reach| match reach {
        Reach::Word(word) => word.as_bool().is_some(),
        Reach::Either => true,
        Reach::Range(..) | Reach::Moved(..) | Reach::Row(_) | Reach::Record(_) => false,
    };
    if is_truth(&a) && is_truth(&b) {
        return Some(Reach::Either);
    }
    let ((a, b), (c, d)) = (a.ends()?, b.ends()?);
    Some(Reach::range(a.min(c), b.max(d)))
}

/// An operation on numbers in ranges. Sums of what is within reach do not overflow; a range that begins beyond
/// reach tells nothing.
fn on_ranges(op: Op, (a, b): (i64, i64), (c, d): (i64, i64)) -> Option<Reach> {
    if a.max(c) == FARTHEST || b.min(d) == -FARTHEST {
        return None;
    }
    Some(match op {
        Op::Add => Reach::range(a + c, b + d),
        Op::Subtract => Reach::range(a - d, b - c),
        Op::Multiply if c == d => {
            let (from, to) = (a.saturating_mul(c), b.saturating_mul(c));
            Reach::range(from.min(to), from.max(to))
        }
        Op::Multiply if a == b => return on_ranges(op, (c, d), (a, b)),
        Op::FloorDivide if c == d && 0 < c && -FARTHEST < a && b < FARTHEST => {
            Reach::range(a.div_euclid(c), b.div_euclid(c))
        }
        Op::Min => Reach::range(a.min(c), b.min(d)),
        Op::Max => Reach::range(a.max(c), b.max(d)),
        Op::Equal => Reach::truth(false, b < c || d < a),
        Op::NotEqual => Reach::truth(b < c || d < a, false),
        Op::Less => Reach::truth(b < c, a >= d),
        Op::AtMost => Reach::truth(b <= c, a > d),
        Op::Greater => Reach::truth(a > d, b <= c),
        Op::AtLeast => Reach::truth(a >= d, b < c),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look thrown, the same each time.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, most: u64) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % most
        }
    }

    fn number(n: i64) -> Code {
        Code::Word(Word::number(n).unwrap())
    }

    /// A number that may depend on the variable in slot 0.
    fn some_number(numbers: &mut Numbers, depth: u32) -> Code {
        let choice = if depth == 0 { numbers.below(2) } else { numbers.below(9) };
        let mut part = || some_number(numbers, depth - 1);
        match choice {
            0 => number(numbers.below(9) as i64 - 4),
            1 => Code::Local(0),
            2 => Code::Binary(Op::Add, Box::new((part(), part()))),
            3 => Code::Binary(Op::Subtract, Box::new((part(), part()))),
            4 => Code::Binary(Op::Multiply, Box::new((part(), number(-2)))),
            5 => Code::Binary(Op::FloorDivide, Box::new((part(), number(3)))),
            6 => Code::Operation(Op::Max, vec![part(), part(), part()]),
            7 => Code::Operation(Op::Negate, vec![part()]),
            _ => {
                let condition = some_truth(numbers, depth - 1);
                let (a, b) = (some_number(numbers, depth - 1), some_number(numbers, depth - 1));
                Code::If(Box::new((condition, a, b)))
            }
        }
    }

    fn some_truth(numbers: &mut Numbers, depth: u32) -> Code {
        const OPS: [Op; 6] =
            [Op::Equal, Op::NotEqual, Op::Less, Op::AtMost, Op::Greater, Op::AtLeast];
        let op = OPS[numbers.below(6) as usize];
        let operands = (some_number(numbers, depth), some_number(numbers, depth));
        let compared = Code::Binary(op, Box::new(operands));
        if numbers.below(4) == 0 { Code::Operation(Op::Not, vec![compared]) } else { compared }
    }

    fn holds(reach: &Reach, word: Word, x: i64) -> bool {
        match reach {
            Reach::Word(known) => *known == word,
            Reach::Range(from, to) => word.as_number().is_some_and(|n| (*from..=*to).contains(&n)),
            Reach::Moved(from, to, shift) => {
                word.as_number().is_some_and(|n| n == x + shift && (*from..=*to).contains(&n))
            }
            Reach::Either => word.as_bool().is_some(),
            Reach::Row(_) | Reach::Record(_) => false,
        }
    }

    #[test]
    fn what_is_said_of_a_range_holds_for_each_number_in_it() {
        let mut numbers = Numbers(5);
        let mut store = Store::new();
        let mut runner = Runner::new(1);
        let mut told = 0;
        for round in 0..4000 {
            let code = match round % 3 {
                0 => some_truth(&mut numbers, 3),
                _ => some_number(&mut numbers, 3),
            };
            let from = numbers.below(12) as i64 - 6;
            let to = from + 1 + numbers.below(8) as i64;
            for (to, last) in [(to, to), (FARTHEST, from + 40)] {
                let known = Reach::Moved(from, to, 0);
                let Some(reach) = runner.reach(&code, 0, known, &mut store) else { continue };
                told += 1;
                for x in from..=last {
                    runner.set(0, Word::number(x).unwrap());
                    let word = runner.run(&code, &mut store).unwrap();
                    assert!(holds(&reach, word, x), "{code:?} at {x}: {word:?}, not {reach:?}");
                }
            }
        }
        assert!(told > 4000);
    }

    #[test]
    fn nothing_is_said_of_a_list_with_a_throw_that_is_only_a_range() {
        let mut store = Store::new();
        let mut runner = Runner::new(1);
        runner.set(0, Word::number(3).unwrap());
        let list = Code::List(vec![Code::Throw(0)]);
        for code in [list.clone(), Code::Operation(Op::Reverse, vec![list])] {
            let reach = runner.reach(&code, 0, Reach::Moved(1, 6, 0), &mut store);
            assert_eq!(reach, None, "{code:?}");
        }
    }
}
