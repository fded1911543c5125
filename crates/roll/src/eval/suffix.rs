//! Suffixes: what is done to the dice on the table, one after the other.
//!
//! Each suffix goes through the dice in throw order and finishes one die, with all its rerolls and its
//! whole chain, before the next. A die that a suffix throws is fresh and plain: earlier suffixes do not
//! act on it, later ones do. A rerolled die keeps its place, extra dice come after all others.

use std::rc::Rc;

use astragal_program::core::{Comparison, Condition, End, ExplodeStyle, Expr, Suffix, SuffixKind};
use astragal_syntax::span::Span;
use astragal_value::{Number, OpError, Value};

use super::datum::{Datum, Pool, PoolDie};
use super::{At, Eval, Interpreter};
use crate::explanation::Base;
use crate::faces::DieFaces;
use crate::recorder::Behind;

/// A condition whose number is known.
#[derive(Clone, Debug)]
pub(super) struct Test {
    pub(super) comparison: Comparison,
    pub(super) with: Number,
}

impl Test {
    pub(super) fn holds(&self, number: &Number) -> bool {
        match self.comparison {
            Comparison::Equal => number == &self.with,
            Comparison::NotEqual => number != &self.with,
            Comparison::Less => number < &self.with,
            Comparison::AtMost => number <= &self.with,
            Comparison::Greater => number > &self.with,
            Comparison::AtLeast => number >= &self.with,
        }
    }
}

/// When a die explodes.
enum Trigger {
    /// On its highest face as thrown.
    Highest,
    /// On what it shows.
    Shows(Test),
}

impl Trigger {
    fn fires(&self, die: &PoolDie, kind: &DieFaces) -> bool {
        match self {
            Trigger::Highest => kind.highest().as_ref() == Some(&die.face),
            Trigger::Shows(test) => test.holds(&die.shows),
        }
    }

    /// Whether a fresh die of this face goes on.
    fn goes_on(&self, face: &Number, kind: &DieFaces) -> bool {
        match self {
            Trigger::Highest => kind.highest().as_ref() == Some(face),
            Trigger::Shows(test) => test.holds(face),
        }
    }
}

impl<'a> Interpreter<'a> {
    /// `whole` is the pool with this suffix.
    pub(super) fn suffixed(
        &mut self,
        whole: &'a Expr,
        inner: &'a Expr,
        suffix: &'a Suffix,
    ) -> Eval {
        self.refuse_endless(whole)?;
        let Datum::Pool(pool) = self.eval(inner)? else {
            return Err(OpError::Mismatch).at(inner.span);
        };
        let mut pool = Rc::unwrap_or_clone(pool);
        self.begin_use(whole.span, &mut pool);
        self.act(&mut pool, suffix)?;
        self.recorder.suffixed(pool.step, &suffix.words);
        self.show_total(&pool);
        Ok(Datum::Pool(Rc::new(pool)))
    }

    /// A pool that lies on the table is used once more: a new step shows what becomes of its dice here.
    fn begin_use(&mut self, span: Span, pool: &mut Pool) {
        let Some(fixed) = pool.fixed.take() else { return };
        if !self.recorder.on {
            return;
        }
        let before = self.recorder.base(pool.step);
        pool.step = self.recorder.pool(span, || match (fixed.name, before) {
            (Some(name), _) => Base::Words(name),
            (None, Some(base)) => base,
            (None, None) => Base::Source(span),
        });
        for die in &mut pool.dice {
            if !fixed.held {
                self.recorder.holds(die.behind);
            }
            die.place =
                self.recorder.joins(pool.step, die.behind, Value::Number(die.shows.clone()));
        }
    }

    fn act(&mut self, pool: &mut Pool, suffix: &'a Suffix) -> Eval<()> {
        let span = suffix.span;
        match &suffix.kind {
            SuffixKind::Keep(end, count) => self.keep(pool, *end, count),
            SuffixKind::Drop(end, count) => self.drop(pool, *end, count),
            SuffixKind::Explode { style, trigger, limit } => {
                self.explode(span, pool, *style, trigger.as_ref(), limit.as_deref())
            }
            SuffixKind::Reroll { once, condition } => self.reroll(span, pool, *once, condition),
            SuffixKind::AtLeast(bound) => self.clamp(pool, bound, |shows, bound| shows < bound),
            SuffixKind::AtMost(bound) => self.clamp(pool, bound, |shows, bound| shows > bound),
            SuffixKind::CountFor(condition) => self.mark(pool, condition, 1),
            SuffixKind::CountAgainst(condition) => self.mark(pool, condition, -1),
            SuffixKind::Unique => self.unique(span, pool),
            SuffixKind::Ascending => self.sort(pool, false),
            SuffixKind::Descending => self.sort(pool, true),
        }
    }

    pub(super) fn test(&mut self, condition: &'a Condition) -> Eval<Test> {
        Ok(Test { comparison: condition.comparison, with: self.number(&condition.value)? })
    }

    fn keep(&mut self, pool: &mut Pool, end: End, count: &'a Expr) -> Eval<()> {
        let count = self.count(count)?;
        let all = pool.dice.len();
        let extra = all.saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
        let (bottom, top) = match end {
            End::Highest => (extra, 0),
            End::Lowest => (0, extra),
            End::Middle => (extra / 2, extra - extra / 2),
        };
        self.leave(pool, bottom, all - top);
        Ok(())
    }

    fn drop(&mut self, pool: &mut Pool, end: End, count: &'a Expr) -> Eval<()> {
        let count = self.count(count)?;
        let all = pool.dice.len();
        let gone = usize::try_from(count).unwrap_or(usize::MAX).min(all);
        match end {
            End::Highest => self.leave(pool, 0, all - gone),
            End::Lowest => self.leave(pool, gone, all),
            End::Middle => self.leave_around(pool, gone),
        }
        Ok(())
    }

    /// Leaves the dice whose ranks, from the lowest, are in the range.
    fn leave(&mut self, pool: &mut Pool, from: usize, to: usize) {
        self.leave_ranks(pool, |rank| (from..to).contains(&rank));
    }

    /// Drops so many from the middle.
    fn leave_around(&mut self, pool: &mut Pool, gone: usize) {
        let from = (pool.dice.len() - gone) / 2;
        self.leave_ranks(pool, |rank| !(from..from + gone).contains(&rank));
    }

    fn leave_ranks(&mut self, pool: &mut Pool, stays: impl Fn(usize) -> bool) {
        let mut order: Vec<usize> = (0..pool.dice.len()).collect();
        order.sort_by(|&a, &b| pool.dice[a].shows.cmp(&pool.dice[b].shows));
        let mut staying = vec![false; order.len()];
        for (rank, &index) in order.iter().enumerate() {
            staying[index] = stays(rank);
        }
        let step = pool.step;
        let mut index = 0;
        pool.dice.retain(|die| {
            let stays = staying[index];
            index += 1;
            if !stays {
                self.recorder.drops(step, die.place, die.behind);
            }
            stays
        });
    }

    fn explode(
        &mut self,
        span: Span,
        pool: &mut Pool,
        style: ExplodeStyle,
        trigger: Option<&'a Condition>,
        limit: Option<&'a Expr>,
    ) -> Eval<()> {
        let trigger = match trigger {
            Some(condition) => Trigger::Shows(self.test(condition)?),
            None => Trigger::Highest,
        };
        let limit = limit.map(|limit| self.count(limit)).transpose()?;
        if limit.is_none() {
            self.refuse_endless_explosion(span, pool, &trigger)?;
        }
        for index in 0..pool.dice.len() {
            self.chain(span, pool, index, style, &trigger, limit.unwrap_or(u64::MAX))?;
        }
        Ok(())
    }

    /// The whole chain of one die.
    fn chain(
        &mut self,
        span: Span,
        pool: &mut Pool,
        index: usize,
        style: ExplodeStyle,
        trigger: &Trigger,
        limit: u64,
    ) -> Eval<()> {
        let Some(kind) = pool.dice[index].kind.clone() else { return Ok(()) };
        if limit == 0 || !trigger.fires(&pool.dice[index], &kind) {
            return Ok(());
        }
        let mut last = index;
        for _ in 0..limit {
            let die = &pool.dice[last];
            self.recorder.fate(pool.step, die.place, die.behind, |fates| fates.exploded = true);
            let face = match style {
                ExplodeStyle::Compound => self.compound(span, pool, index, &kind)?,
                ExplodeStyle::Separate | ExplodeStyle::Penetrate => {
                    let face = self.extra(span, pool, last, style, &kind)?;
                    last = pool.dice.len() - 1;
                    face
                }
            };
            if !trigger.goes_on(&face, &kind) {
                break;
            }
        }
        Ok(())
    }

    /// One more throw, added to its die.
    fn compound(
        &mut self,
        span: Span,
        pool: &mut Pool,
        index: usize,
        kind: &DieFaces,
    ) -> Eval<Number> {
        let face = self.bare_face(span, kind)?;
        let die = &mut pool.dice[index];
        die.shows = die.shows.add(&face).at(span)?;
        self.recorder.compounds(die.behind, Value::Number(face.clone()));
        self.recorder.shows(pool.step, die.place, die.behind, &die.shows);
        Ok(face)
    }

    /// One more die, a separate one.
    fn extra(
        &mut self,
        span: Span,
        pool: &mut Pool,
        last: usize,
        style: ExplodeStyle,
        kind: &Rc<DieFaces>,
    ) -> Eval<Number> {
        let mut die = self.replacement(span, pool, last, kind)?;
        let face = die.face.clone();
        if style == ExplodeStyle::Penetrate {
            die.shows = face.subtract(&Number::ONE).at(span)?;
            self.recorder.shows(pool.step, die.place, die.behind, &die.shows);
        }
        pool.dice.push(die);
        Ok(face)
    }

    /// A fresh die that comes from another and has its labels.
    fn replacement(
        &mut self,
        span: Span,
        pool: &Pool,
        index: usize,
        kind: &Rc<DieFaces>,
    ) -> Eval<PoolDie> {
        let before = &pool.dice[index];
        let from = match before.behind {
            Behind::Die(id) => Some(id),
            Behind::Total(..) => None,
        };
        let mut die = self.throw(span, pool.step, kind, from)?;
        die.labels = before.labels.clone();
        for label in &die.labels {
            self.recorder.label(die.behind, label);
        }
        Ok(die)
    }

    fn reroll(
        &mut self,
        span: Span,
        pool: &mut Pool,
        once: bool,
        condition: &'a Condition,
    ) -> Eval<()> {
        let test = self.test(condition)?;
        if !once {
            self.refuse_endless_reroll(span, pool, &test)?;
        }
        for index in 0..pool.dice.len() {
            let Some(kind) = pool.dice[index].kind.clone() else { continue };
            while test.holds(&pool.dice[index].shows) {
                self.throw_again(span, pool, index, &kind)?;
                if once {
                    break;
                }
            }
        }
        Ok(())
    }

    fn throw_again(
        &mut self,
        span: Span,
        pool: &mut Pool,
        index: usize,
        kind: &Rc<DieFaces>,
    ) -> Eval<()> {
        let die = self.replacement(span, pool, index, kind)?;
        let before = &pool.dice[index];
        self.recorder.fate(pool.step, before.place, before.behind, |fates| fates.rerolled = true);
        pool.dice[index] = die;
        Ok(())
    }

    fn clamp(
        &mut self,
        pool: &mut Pool,
        bound: &'a Expr,
        beyond: fn(&Number, &Number) -> bool,
    ) -> Eval<()> {
        let bound = self.number(bound)?;
        for die in &mut pool.dice {
            if beyond(&die.shows, &bound) {
                die.shows = bound.clone();
                self.recorder.fate(pool.step, die.place, die.behind, |fates| fates.clamped = true);
                self.recorder.shows(pool.step, die.place, die.behind, &bound);
            }
        }
        Ok(())
    }

    fn mark(&mut self, pool: &mut Pool, condition: &'a Condition, mark: i64) -> Eval<()> {
        let test = self.test(condition)?;
        pool.marked = true;
        for die in &mut pool.dice {
            if test.holds(&die.shows) {
                die.marks += mark;
                self.recorder.fate(pool.step, die.place, die.behind, |fates| {
                    let marks =
                        if mark > 0 { &mut fates.counted_for } else { &mut fates.counted_against };
                    *marks += 1;
                });
            }
        }
        Ok(())
    }

    fn unique(&mut self, span: Span, pool: &mut Pool) -> Eval<()> {
        self.refuse_endless_unique(span, pool)?;
        for index in 0..pool.dice.len() {
            let Some(kind) = pool.dice[index].kind.clone() else { continue };
            while pool.dice[..index].iter().any(|die| die.shows == pool.dice[index].shows) {
                self.throw_again(span, pool, index, &kind)?;
            }
        }
        Ok(())
    }

    /// Sorting is for the eyes: it changes what the explanation shows, not the order of throws.
    fn sort(&mut self, pool: &mut Pool, descending: bool) -> Eval<()> {
        let moved = self.recorder.sort(pool.step, descending);
        for die in &mut pool.dice {
            die.place = moved.get(die.place).copied().unwrap_or(die.place);
        }
        Ok(())
    }

    fn refuse_endless_explosion(&self, span: Span, pool: &Pool, trigger: &Trigger) -> Eval<()> {
        let test = match trigger {
            Trigger::Highest => None,
            Trigger::Shows(test) => Some(test),
        };
        for die in &pool.dice {
            if let Some(kind) = &die.kind {
                super::endless::explosion(kind, test).at(span)?;
            }
        }
        Ok(())
    }

    fn refuse_endless_reroll(&self, span: Span, pool: &Pool, test: &Test) -> Eval<()> {
        for die in &pool.dice {
            if let Some(kind) = &die.kind {
                super::endless::reroll(kind, test).at(span)?;
            }
        }
        Ok(())
    }

    fn refuse_endless_unique(&self, span: Span, pool: &Pool) -> Eval<()> {
        for (earlier, die) in pool.dice.iter().enumerate() {
            if let Some(kind) = &die.kind {
                super::endless::unique(kind, earlier as u64).at(span)?;
            }
        }
        Ok(())
    }
}
