//! Dice and their sums, where nothing is named.
//!
//! `4d6kh3 + 2` binds nothing: each pool in it is thrown for itself, so the law of the whole is a sum of laws, and
//! there is nothing to plan, to forget or to split. Such a program, or a list of such numbers, is read straight off its
//! core form. Anything else, and anything that goes wrong, is left to the evaluator, which says the same of these
//! programs in more steps.

use std::cell::RefCell;

use astragal_prob::pool::{Condition, Die, Pool, Reading, Source, read};
use astragal_prob::{Law, Meter};
use astragal_program::core::{self, Expr, Kind, Op, SuffixKind};
use astragal_value::{Number, Value};

use crate::asked::{Act, reading_of};
use crate::eval::{act_of, die_of};
use crate::ways;

/// What a program yields.
pub(crate) enum Yield {
    Number(Law),
    /// A list of independent numbers.
    List(Vec<Law>),
}

/// The result of a program; none if it is not that simple.
pub(crate) fn directly(body: &Expr, inputs: &[Option<Value>], meter: &Meter) -> Option<Yield> {
    let direct = Direct { inputs, meter, known: RefCell::new(Vec::new()) };
    match &body.kind {
        Kind::List(items) => {
            items.iter().map(|item| direct.number(item)).collect::<Option<_>>().map(Yield::List)
        }
        _ => direct.number(body).map(Yield::Number),
    }
}

struct Direct<'a> {
    inputs: &'a [Option<Value>],
    meter: &'a Meter,
    /// What was read off pools before.
    known: RefCell<Vec<(Pool, Reading, Law)>>,
}

/// Dice, and the marks that a sum counts instead of what they show.
struct Marked {
    pool: Pool,
    marks: Vec<(Condition, i8)>,
}

impl Direct<'_> {
    /// The law of a number.
    fn number(&self, expr: &Expr) -> Option<Law> {
        match &expr.kind {
            Kind::Labelled { value, .. } => self.number(value),
            Kind::Operation { op, operands } => self.operation(*op, operands),
            Kind::Read { pool, reading } => {
                let Marked { pool, marks } = self.pool(pool)?;
                let rank = reading.number().map_or(Some(0), |number| self.count(number))?;
                let reading = match reading_of(reading, rank) {
                    Reading::Sum if !marks.is_empty() => Reading::Marks(marks),
                    reading => reading,
                };
                self.read(pool, reading)
            }
            _ => self.constant(expr).map(|number| Law::constant(number.to_rational())),
        }
    }

    fn operation(&self, op: Op, operands: &[Expr]) -> Option<Law> {
        match (op, operands) {
            (Op::Add, [a, b]) => self.number(a)?.sum(&self.number(b)?, self.meter).ok(),
            (Op::Subtract, [a, b]) => {
                let (a, b) = (self.number(a)?, self.number(b)?.negate(self.meter).ok()?);
                a.sum(&b, self.meter).ok()
            }
            (Op::Negate, [a]) => self.number(a)?.negate(self.meter).ok(),
            _ => None,
        }
    }

    /// A number that is known as it stands.
    fn constant<'e>(&'e self, expr: &'e Expr) -> Option<&'e Number> {
        match &expr.kind {
            Kind::Constant(value) => value.as_number(),
            Kind::Labelled { value, .. } => self.constant(value),
            Kind::Input { index, default } => match self.inputs.get(*index) {
                Some(Some(value)) => value.as_number(),
                _ => self.constant(default),
            },
            _ => None,
        }
    }

    fn count(&self, expr: &Expr) -> Option<u64> {
        self.constant(expr)?.to_u64()
    }

    fn read(&self, pool: Pool, reading: Reading) -> Option<Law> {
        let known = |(other, how, _): &&(Pool, Reading, Law)| *how == reading && *other == pool;
        if let Some((.., law)) = self.known.borrow().iter().find(known) {
            return Some(law.clone());
        }
        let law = read(&pool, &reading, self.meter).ok()?;
        let mut known = self.known.borrow_mut();
        if known.len() < ways::READINGS_AT_HAND {
            known.push((pool, reading, law.clone()));
        }
        Some(law)
    }

    fn pool(&self, expr: &Expr) -> Option<Marked> {
        let unmarked =
            |groups| Marked { pool: Pool { groups, stages: Vec::new() }, marks: Vec::new() };
        match &expr.kind {
            Kind::Dice { count, die } => {
                let (count, die) = (self.count(count)?, self.die(die)?);
                Some(unmarked(vec![(count, Source::Die(die))]))
            }
            Kind::Gather(members) => {
                let total = |member| Some((1, Source::Total(self.number(member)?)));
                Some(unmarked(members.iter().map(total).collect::<Option<_>>()?))
            }
            Kind::Times { count, each } => {
                let (count, each) = (self.count(count)?, self.number(each)?);
                Some(unmarked(vec![(count, Source::Total(each))]))
            }
            Kind::Merge(members) if let [member] = members.as_slice() => self.pool(member),
            Kind::Merge(members) => {
                let mut groups = Vec::with_capacity(members.len());
                for member in members {
                    let Marked { pool, marks } = self.pool(member)?;
                    // Dice that are done something to before they lie side by side are decided first.
                    if !(pool.stages.is_empty() && marks.is_empty()) {
                        return None;
                    }
                    groups.extend(pool.groups);
                }
                Some(unmarked(groups))
            }
            Kind::Suffixed { pool, suffix } => {
                let mut marked = self.pool(pool)?;
                self.suffix(&suffix.kind, &mut marked)?;
                Some(marked)
            }
            _ => None,
        }
    }

    fn die(&self, die: &core::Die) -> Option<Die> {
        let number = |part| self.constant(part).cloned().map(Value::Number);
        let numbers: Vec<Value> = die.parts().into_iter().map(number).collect::<Option<_>>()?;
        die_of(die, &numbers, false, self.meter).ok()?
    }

    /// Adds what a suffix does. One that may go on for ever, or looks at all dice at once, is not that simple.
    fn suffix(&self, kind: &SuffixKind, marked: &mut Marked) -> Option<()> {
        let is_simple = match kind {
            SuffixKind::Ascending | SuffixKind::Descending => return Some(()),
            SuffixKind::Explode { limit, .. } => limit.is_some(),
            SuffixKind::Reroll { once, .. } => *once,
            SuffixKind::InAll { .. } | SuffixKind::Unique => false,
            SuffixKind::Keep(..)
            | SuffixKind::Drop(..)
            | SuffixKind::AtLeast(_)
            | SuffixKind::AtMost(_)
            | SuffixKind::CountFor(_)
            | SuffixKind::CountAgainst(_) => true,
        };
        let numbers = kind.numbers().into_iter().map(|number| self.constant(number).cloned());
        match act_of(kind, numbers.collect::<Option<_>>()?).filter(|_| is_simple)? {
            Act::Stage(stage) => marked.pool.stages.push(stage),
            Act::Mark(condition, worth) => marked.marks.push((condition, worth)),
        }
        Some(())
    }
}
