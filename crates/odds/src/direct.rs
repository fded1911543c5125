//! Dice and their sums, where nothing is named.
//!
//! `4d6kh3 + 2` binds nothing: each pool in it is thrown for itself, so the law of the whole is a sum of laws, and
//! there is nothing to plan, to forget or to split. Such a program, or a list of such numbers, is read straight off its
//! core form. Anything else, and anything that goes wrong, is left to the evaluator, which says the same of these
//! programs in more steps.

use std::cell::RefCell;

use astragal_prob::pool::{Die, Pool, Reading, Source, Stage, Trigger, read};
use astragal_prob::{Law, Meter, Rational};
use astragal_program::core::{self, Expr, Kind, Op, SuffixKind};
use astragal_value::{Number, Value};

use crate::eval::{comparison_of, to_end, to_style};
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
    marks: Vec<(astragal_prob::pool::Condition, i8)>,
}

impl Direct<'_> {
    /// The law of a number.
    fn number(&self, expr: &Expr) -> Option<Law> {
        match &expr.kind {
            Kind::Labelled { value, .. } => self.number(value),
            Kind::Operation { op, operands } => self.operation(*op, operands),
            Kind::Read { pool, reading } => {
                let Marked { pool, marks } = self.pool(pool)?;
                let reading = match reading {
                    core::Reading::Total if marks.is_empty() => Reading::Sum,
                    core::Reading::Total => Reading::Marks(marks),
                    core::Reading::Median => Reading::Median,
                    core::Reading::NthHighest(n) => Reading::NthHighest(self.count(n)?),
                    core::Reading::NthLowest(n) => Reading::NthLowest(self.count(n)?),
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
        match die {
            core::Die::Sides(sides) => Die::fair(self.count(sides)?, self.meter).ok()?,
            core::Die::Percent => Die::fair(100, self.meter).ok()?,
            core::Die::Fate => Die::new([-1, 0, 1].map(|face| (Rational::from(face), 1))),
            core::Die::Faces(faces) => {
                let face = |face: &core::Face| {
                    let weight = self.count(&face.weight).filter(|weight| *weight > 0)?;
                    Some((self.constant(&face.value)?.to_rational(), weight))
                };
                Die::new(faces.iter().map(face).collect::<Option<Vec<_>>>()?)
            }
        }
    }

    /// Adds what a suffix does. One that may go on for ever, or looks at all dice at once, is not that simple.
    fn suffix(&self, kind: &SuffixKind, marked: &mut Marked) -> Option<()> {
        let stage = match kind {
            SuffixKind::Keep(end, n) => Stage::Keep(to_end(*end), self.count(n)?),
            SuffixKind::Drop(end, n) => Stage::Drop(to_end(*end), self.count(n)?),
            SuffixKind::Explode { style, trigger, limit } => {
                let limit = Some(self.count(limit.as_deref()?)?);
                let trigger = match trigger {
                    Some(condition) => Trigger::When(self.condition(condition)?),
                    None => Trigger::Highest,
                };
                Stage::Explode { trigger, style: to_style(*style), limit }
            }
            SuffixKind::Reroll { once: true, condition } => {
                Stage::Reroll { when: self.condition(condition)?, once: true }
            }
            SuffixKind::AtLeast(n) => Stage::AtLeast(self.constant(n)?.to_rational()),
            SuffixKind::AtMost(n) => Stage::AtMost(self.constant(n)?.to_rational()),
            SuffixKind::CountFor(condition) => {
                marked.marks.push((self.condition(condition)?, 1));
                return Some(());
            }
            SuffixKind::CountAgainst(condition) => {
                marked.marks.push((self.condition(condition)?, -1));
                return Some(());
            }
            SuffixKind::Ascending | SuffixKind::Descending => return Some(()),
            SuffixKind::Reroll { once: false, .. }
            | SuffixKind::InAll { .. }
            | SuffixKind::Unique => return None,
        };
        marked.pool.stages.push(stage);
        Some(())
    }

    fn condition(&self, condition: &core::Condition) -> Option<astragal_prob::pool::Condition> {
        let value = self.constant(&condition.value)?.to_rational();
        Some(astragal_prob::pool::Condition { op: comparison_of(condition.comparison), value })
    }
}
