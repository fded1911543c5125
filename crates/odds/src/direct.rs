//! What names no variable is worked out at once.
//!
//! `4d6kh3 + 2` binds nothing: each pool in it is thrown for itself, so the law of the whole is a sum of laws, and
//! there is nothing to plan, to forget or to split. So are products, quotients and random numbers of dice, questions
//! about such numbers, and branches by such questions. Such a program, or a list of such numbers, is read straight
//! off its core form. Anything else, and anything that goes wrong, is left to the evaluator, which says the same of
//! these programs in more steps.

use std::cell::RefCell;

use astragal_prob::pool::{Die, Pool, Reading, Source, Stage, Trigger, read};
use astragal_prob::{Law, Meter, Rational};
use astragal_program::core::{self, Expr, Kind, Op, SuffixKind};
use astragal_value::{Number, Value};

use crate::eval::{comparison, comparison_of, to_end, to_style};
use crate::small::in_words;
use crate::state::{State, States, Sym};
use crate::ways;

/// What a program yields.
pub(crate) enum Yield {
    /// A number with this law.
    Number(Law),
    /// A yes with this chance.
    Truth(Rational),
    /// Independent numbers, as one state.
    Several(State),
}

/// The result of a program; none if it is not that simple.
pub(crate) fn directly(body: &Expr, inputs: &[Option<Value>], meter: &Meter) -> Option<Yield> {
    let single = matches!(body.kind, Kind::Read { .. });
    let direct = Direct { inputs, meter, single, known: RefCell::new(Vec::new()) };
    let Kind::List(items) = &body.kind else {
        if asks(body) {
            return direct.truth(body).map(Yield::Truth);
        }
        return direct.number(body).map(Yield::Number);
    };
    let laws = items.iter().map(|item| direct.number(item)).collect::<Option<Vec<Law>>>()?;
    let mut state = State::default();
    let list = Sym::List(laws.into_iter().map(|law| state.number(law)).collect());
    state.stack.push(list);
    Some(Yield::Several(state))
}

/// Whether the expression is a question.
fn asks(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Operation { op, .. } => *op == Op::Not || comparison(*op).is_some(),
        Kind::If { then, otherwise, .. } => asks(then) || asks(otherwise),
        _ => false,
    }
}

/// The states of a yes or no.
pub(crate) fn states_of(chance: &Rational) -> States {
    let cases = [(false, Rational::ONE - chance), (true, chance.clone())];
    let possible = cases.into_iter().filter(|(_, chance)| !chance.is_zero());
    let state = |(truth, chance)| {
        let mut state = State::default();
        state.stack.push(Sym::Value(Value::Bool(truth)));
        (state, chance)
    };
    States { list: possible.map(state).collect(), ..States::default() }
}

/// One state with a number.
pub(crate) fn state_of(law: Law) -> State {
    let mut state = State::default();
    let number = state.number(law);
    state.stack.push(number);
    state
}

struct Direct<'a> {
    inputs: &'a [Option<Value>],
    meter: &'a Meter,
    /// Whether nothing is read but once.
    single: bool,
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
            Kind::If { condition, then, otherwise, .. } => {
                let chance = self.truth(condition)?;
                let (then, otherwise) = (self.number(then)?, self.number(otherwise)?);
                let parts = [(Rational::ONE - &chance, otherwise), (chance, then)];
                let possible: Vec<_> =
                    parts.into_iter().filter(|(chance, _)| !chance.is_zero()).collect();
                Law::mixture(&possible, self.meter).ok()
            }
            Kind::Read { pool, reading: core::Reading::Total }
                if let Kind::Dice { count, die } = &pool.kind
                    && self.constant(count).is_none() =>
            {
                let each =
                    Pool { groups: vec![(1, Source::Die(self.die(die)?))], stages: Vec::new() };
                let (count, each) = (self.number(count)?, self.read(each, Reading::Sum)?);
                Law::compose(&count, &each, self.meter).ok()
            }
            Kind::Read { pool, reading: core::Reading::Total }
                if let Kind::Dice { count, die: core::Die::Sides(sides) } = &pool.kind
                    && self.constant(sides).is_none() =>
            {
                self.of_sides(self.count(count)?, &self.number(sides)?)
            }
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

    /// The sum of some dice whose size is thrown first.
    fn of_sides(&self, count: u64, sides: &Law) -> Option<Law> {
        let mut parts = Vec::new();
        for (sides, chance) in sides.as_table()?.chances() {
            let sides = sides.is_int().then(|| u64::try_from(sides.numerator()).ok())??;
            let each = Law::uniform(Some(sides).filter(|sides| *sides > 0)?, self.meter).ok()?;
            parts.push((chance, each.times(count, self.meter).ok()?));
        }
        Law::mixture(&parts, self.meter).ok()
    }

    fn operation(&self, op: Op, operands: &[Expr]) -> Option<Law> {
        match (op, operands) {
            (Op::Add, [a, b]) => self.number(a)?.sum(&self.number(b)?, self.meter).ok(),
            (Op::Subtract, [a, b]) => {
                let (a, b) = (self.number(a)?, self.number(b)?.negate(self.meter).ok()?);
                a.sum(&b, self.meter).ok()
            }
            (Op::Negate, [a]) => self.number(a)?.negate(self.meter).ok(),
            (Op::Min | Op::Max, [first, rest @ ..]) => {
                rest.iter().try_fold(self.number(first)?, |best, next| {
                    let next = self.number(next)?;
                    let law = match op {
                        Op::Max => best.max(&next, self.meter),
                        _ => best.min(&next, self.meter),
                    };
                    law.ok()
                })
            }
            (Op::Multiply, [a, b]) => match (self.constant(a), self.constant(b)) {
                (Some(factor), _) => self.times(b, factor),
                (_, Some(factor)) => self.times(a, factor),
                _ => self.combined(op, operands),
            },
            (Op::Divide, [a, b]) => {
                let divisor = self.constant(b).map(Number::to_rational)?;
                let factor = (!divisor.is_zero()).then(|| Rational::ONE / divisor)?;
                self.number(a)?.affine(&factor, &Rational::ZERO, self.meter).ok()
            }
            (Op::FloorDivide | Op::Remainder, [_, _])
            | (Op::Floor | Op::Ceil | Op::Round | Op::Abs, [_]) => self.combined(op, operands),
            _ => None,
        }
    }

    fn combined(&self, op: Op, operands: &[Expr]) -> Option<Law> {
        let laws = operands.iter().map(|operand| self.number(operand));
        in_words(op, &laws.collect::<Option<Vec<Law>>>()?, self.meter).ok()?
    }

    /// The chance of a yes.
    fn truth(&self, expr: &Expr) -> Option<Rational> {
        match &expr.kind {
            Kind::Labelled { value, .. } => self.truth(value),
            Kind::Constant(value) => {
                Some(if value.as_bool()? { Rational::ONE } else { Rational::ZERO })
            }
            Kind::If { condition, then, otherwise, .. } => {
                let chance = self.truth(condition)?;
                let (then, otherwise) = (self.truth(then)?, self.truth(otherwise)?);
                Some(&chance * then + (Rational::ONE - &chance) * otherwise)
            }
            Kind::Operation { op: Op::Not, operands } if let [asked] = operands.as_slice() => {
                Some(Rational::ONE - self.truth(asked)?)
            }
            Kind::Operation { op, operands } if let [a, b] = operands.as_slice() => {
                let comparison = comparison(*op)?;
                if let Some(bound) = self.constant(b) {
                    let bound = bound.to_rational();
                    return self.number(a)?.compare(comparison, &bound, self.meter).ok();
                }
                let (a, b) = (self.number(a)?, self.number(b)?);
                Law::independent_compare(comparison, &a, &b, self.meter).ok()
            }
            _ => None,
        }
    }

    fn times(&self, expr: &Expr, factor: &Number) -> Option<Law> {
        self.number(expr)?.affine(&factor.to_rational(), &Rational::ZERO, self.meter).ok()
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
        u64::try_from(self.constant(expr)?.to_i64()?).ok()
    }

    fn read(&self, pool: Pool, reading: Reading) -> Option<Law> {
        if self.single {
            return read(&pool, &reading, self.meter).ok();
        }
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
