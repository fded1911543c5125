//! Parts of a body that are worked out for thousands of hands, on machine words.
//!
//! Most of what is asked of a hand are small numbers and sequences of them: how many dice show a face, which is the highest. Here
//! that is computed without dice, without large numbers and without scopes. What is met besides has no value here, and
//! the part is left to [`Machine::value`](crate::run::Machine::value): nothing is ever decided in this file alone.

use std::rc::Rc;

use astragal_prob::pool::End;
use astragal_prob::{Comparison, Integer, Meter};
use rustc_hash::FxHashMap;

use crate::builtin::{self, Builtin};
use crate::run::Machine;
use crate::scope::Scopes;
use crate::tree::{
    Binary, Expr, ExprKind, Part, Signature, Statement, StatementKind, Unary, Variable,
};
use crate::value::Value;

/// Sequences are no longer than that here.
const LONGEST: usize = 10_000;

/// A number or a sequence of small numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Number(i64),
    Items(Rc<[i64]>),
}

impl Word {
    /// None of a die, or of large numbers.
    pub(crate) fn of(value: &Value) -> Option<Word> {
        match value {
            Value::Number(number) => i64::try_from(number).ok().map(Word::Number),
            Value::Sequence(items) => {
                let items: Option<Rc<[i64]>> =
                    items.iter().map(|item| i64::try_from(item).ok()).collect();
                items.map(Word::Items)
            }
            Value::Die(_) => None,
        }
    }

    pub(crate) fn value(&self) -> Value {
        match self {
            Word::Number(number) => Value::Number(Integer::from(*number)),
            Word::Items(items) => {
                Value::Sequence(items.iter().map(|item| Integer::from(*item)).collect())
            }
        }
    }

    fn total(&self) -> Option<i64> {
        match self {
            Word::Number(number) => Some(*number),
            Word::Items(items) => items.iter().try_fold(0_i64, |sum, item| sum.checked_add(*item)),
        }
    }

    fn items(&self) -> &[i64] {
        match self {
            Word::Number(number) => std::slice::from_ref(number),
            Word::Items(items) => items,
        }
    }
}

/// How a statement ends.
pub(crate) enum Done {
    On,
    Result(Word),
}

/// The variables of a body.
pub(crate) struct Quick<'m> {
    meter: &'m Meter,
    lowest_first: bool,
    variables: Vec<Option<Word>>,
    /// The built-in functions that the program has not replaced.
    built_in: Rc<BuiltIn>,
}

/// Built-in functions by their signatures.
pub(crate) type BuiltIn = FxHashMap<Signature, Builtin>;

/// The built-in functions that a program calls and has not replaced.
pub(crate) fn built_in(machine: &Machine<'_>) -> BuiltIn {
    let signatures = machine.program.signatures.iter().enumerate();
    signatures
        .filter(|(signature, _)| !machine.functions.contains_key(signature))
        .filter_map(|(signature, name)| Some((signature, builtin::named(name)?)))
        .collect()
}

impl<'m> Quick<'m> {
    /// With the values of variables as they are now.
    pub(crate) fn new(
        machine: &Machine<'m>,
        built_in: &Rc<BuiltIn>,
        read: &[Variable],
    ) -> Quick<'m> {
        let mut quick = Quick {
            meter: machine.meter,
            lowest_first: machine.settings.lowest_first,
            variables: vec![None; machine.program.variables.len()],
            built_in: Rc::clone(built_in),
        };
        read.iter().for_each(|variable| quick.load(*variable, &machine.scopes));
        quick
    }

    fn load(&mut self, variable: Variable, scopes: &Scopes) {
        self.variables[variable] = scopes.read(variable).and_then(|(value, _)| Word::of(value));
    }

    pub(crate) fn set(&mut self, variable: Variable, word: Option<Word>) {
        self.variables[variable] = word;
    }

    pub(crate) fn get(&self, variable: Variable) -> Option<&Word> {
        self.variables[variable].as_ref()
    }

    pub(crate) fn block(&mut self, statements: &[Statement]) -> Option<Done> {
        for statement in statements {
            if let Done::Result(word) = self.statement(statement)? {
                return Some(Done::Result(word));
            }
        }
        Some(Done::On)
    }

    pub(crate) fn statement(&mut self, statement: &Statement) -> Option<Done> {
        self.meter.charge(1).ok()?;
        match &statement.kind {
            StatementKind::Assign(variable, value) => {
                let word = self.value(value)?;
                self.variables[*variable] = Some(word);
            }
            StatementKind::Loop { variable, over, body } => {
                for item in self.value(over)?.items() {
                    self.variables[*variable] = Some(Word::Number(*item));
                    if let Done::Result(word) = self.block(body)? {
                        return Some(Done::Result(word));
                    }
                }
            }
            StatementKind::If { condition, then, otherwise } => {
                let Word::Number(holds) = self.value(condition)? else { return None };
                return self.block(if holds != 0 { then } else { otherwise });
            }
            StatementKind::Result(value) => return self.value(value).map(Done::Result),
            StatementKind::Output(..) | StatementKind::Set(_) | StatementKind::Function(_) => {
                return None;
            }
        }
        Some(Done::On)
    }

    pub(crate) fn value(&mut self, expr: &Expr) -> Option<Word> {
        match &expr.kind {
            ExprKind::Number(number) => i64::try_from(number).ok().map(Word::Number),
            ExprKind::Variable(variable) => self.variables[*variable].clone(),
            ExprKind::Sequence(parts) => self.sequence(parts),
            ExprKind::Unary(operator, value) => unary(*operator, self.value(value)?),
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.meter.charge(1).ok()?;
                match operator {
                    Binary::At => self.at(&left, &right),
                    _ => binary(*operator, &left, &right),
                }
            }
            ExprKind::Call(signature, arguments) => {
                let known = *self.built_in.get(signature)?;
                let mut words = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    words.push(self.value(argument)?);
                }
                self.meter.charge(2).ok()?;
                self.call(known, &words)
            }
        }
    }

    fn sequence(&mut self, parts: &[Part]) -> Option<Word> {
        let mut items = Vec::new();
        for part in parts {
            let first = self.value(&part.first)?;
            let begin = items.len();
            match &part.last {
                None => items.extend_from_slice(first.items()),
                Some(last) => {
                    let (first, last) = (first.total()?, self.value(last)?.total()?);
                    let count = last.checked_sub(first)?;
                    if count > LONGEST as i64 {
                        return None;
                    }
                    items.extend(first..=last);
                }
            }
            if let Some(times) = &part.times {
                let times = self.value(times)?.total()?;
                let block = items.split_off(begin);
                let times = usize::try_from(times.max(0)).ok()?;
                if block.len().checked_mul(times)? > LONGEST {
                    return None;
                }
                (0..times).for_each(|_| items.extend_from_slice(&block));
            }
            if items.len() > LONGEST {
                return None;
            }
        }
        self.meter.charge(items.len() as u64 / 8).ok()?;
        Some(Word::Items(items.into()))
    }

    /// `positions @ value`.
    fn at(&self, positions: &Word, value: &Word) -> Option<Word> {
        let digits;
        let items = match value {
            Word::Items(items) => &**items,
            Word::Number(number) => {
                digits = self.digits(*number);
                &digits
            }
        };
        let mut sum = 0_i64;
        for position in positions.items() {
            let place = usize::try_from(*position).ok().and_then(|place| place.checked_sub(1));
            let item = place.and_then(|place| items.get(place)).copied();
            sum = sum.checked_add(item.unwrap_or(0))?;
        }
        Some(Word::Number(sum))
    }

    fn digits(&self, number: i64) -> Vec<i64> {
        let text = number.unsigned_abs().to_string();
        let digits = text.bytes().map(|digit| i64::from(digit - b'0') * number.signum());
        if self.lowest_first { digits.rev().collect() } else { digits.collect() }
    }

    /// Where arguments are such that nothing is cast.
    fn call(&self, known: Builtin, words: &[Word]) -> Option<Word> {
        let number = |number: i64| Some(Word::Number(number));
        match (known, words) {
            (Builtin::Absolute, [Word::Number(one)]) => number(one.checked_abs()?),
            (Builtin::Contains, [items, Word::Number(one)]) => {
                number(i64::from(items.items().contains(one)))
            }
            (Builtin::Count, [values, items]) => {
                let often =
                    |item: &i64| values.items().iter().filter(|value| *value == item).count();
                let all: usize = items.items().iter().map(often).sum();
                number(i64::try_from(all).ok()?)
            }
            (Builtin::Extreme(end), [Word::Number(one), Word::Number(other)]) => {
                number(if end == End::Highest { *one.max(other) } else { *one.min(other) })
            }
            (Builtin::Reverse, [word]) => {
                Some(Word::Items(word.items().iter().rev().copied().collect()))
            }
            (Builtin::Sort, [word]) => {
                let mut items = word.items().to_vec();
                items.sort_unstable();
                if !self.lowest_first {
                    items.reverse();
                }
                Some(Word::Items(items.into()))
            }
            _ => None,
        }
    }
}

fn unary(operator: Unary, word: Word) -> Option<Word> {
    Some(match operator {
        Unary::Plus => word,
        Unary::Die => return None,
        Unary::Minus => Word::Number(word.total()?.checked_neg()?),
        Unary::Not => Word::Number(i64::from(word.total()? == 0)),
        Unary::Size => Word::Number(match &word {
            Word::Number(number) => {
                i64::from(number.unsigned_abs().checked_ilog10().unwrap_or(0)) + 1
            }
            Word::Items(items) => i64::try_from(items.len()).ok()?,
        }),
    })
}

fn binary(operator: Binary, left: &Word, right: &Word) -> Option<Word> {
    if let Binary::Compare(comparison) = operator {
        return compared(comparison, left, right).map(Word::Number);
    }
    let (left, right) = (left.total()?, right.total()?);
    let number = match operator {
        Binary::Both => i64::from(left != 0 && right != 0),
        Binary::Either => i64::from(left != 0 || right != 0),
        Binary::Add => left.checked_add(right)?,
        Binary::Subtract => left.checked_sub(right)?,
        Binary::Multiply => left.checked_mul(right)?,
        Binary::Divide if right == 0 => 0,
        Binary::Divide => left.checked_div(right)?,
        Binary::Power => left.checked_pow(u32::try_from(right).ok()?)?,
        Binary::At | Binary::Dice | Binary::Compare(_) => return None,
    };
    Some(Word::Number(number))
}

fn compared(comparison: Comparison, left: &Word, right: &Word) -> Option<i64> {
    let count = |items: &[i64], holds: &dyn Fn(&i64) -> bool| {
        i64::try_from(items.iter().filter(|item| holds(item)).count()).ok()
    };
    match (left, right) {
        (Word::Number(left), Word::Number(right)) => Some(comparison.holds(left, right).into()),
        (Word::Items(left), Word::Items(right)) => Some(comparison.holds(left, right).into()),
        (Word::Items(items), Word::Number(number)) => {
            count(items, &|item| comparison.holds(item, number))
        }
        (Word::Number(number), Word::Items(items)) => {
            count(items, &|item| comparison.holds(number, item))
        }
    }
}
