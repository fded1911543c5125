//! Suffixes: what is done to the dice on the table, one after the other.
//!
//! Each suffix goes through the dice in throw order. A die that a suffix throws is fresh and plain:
//! earlier suffixes do not act on it, later ones do.

use astragal_program::core::{Comparison, Condition, End, Expr, Kind, Suffix, SuffixKind};
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};

use super::datum::{Pool, PoolDice};
use super::dice::Cast;
use super::endless::is_certain;
use super::word::Found;
use super::{At, Eval, Interpreter};
use crate::faces::DieFaces;
use crate::lying::{Change, Lying, all_but, holds, these};
use crate::recorder::StepId;
use crate::steps::{Said, Suffixes};

/// A condition whose number is known.
#[derive(Clone, Debug)]
pub(super) struct Test {
    pub(super) comparison: Comparison,
    pub(super) with: Number,
}

impl Test {
    pub(super) fn holds(&self, number: &Number) -> bool {
        holds(self.comparison, number, &self.with)
    }
}

impl<'a> Interpreter<'a> {
    /// `whole` is the pool with this suffix.
    pub(super) fn suffixed(
        &mut self,
        whole: &'a Expr,
        inner: &'a Expr,
        suffix: &'a Suffix,
    ) -> Eval<Pool> {
        if !std::mem::take(&mut self.foreseen) {
            self.refuse_endless(whole)?;
        }
        self.foreseen = matches!(inner.kind, Kind::Suffixed { .. });
        let pool = self.pool(inner)?;
        self.acted(whole, pool, suffix)
    }

    /// A pool after a suffix.
    fn acted(&mut self, whole: &'a Expr, mut pool: Pool, suffix: &'a Suffix) -> Eval<Pool> {
        self.begin_use(whole.span, &mut pool);
        self.act(&mut pool, suffix)?;
        if self.recorder.on {
            let number = self.computed(suffix);
            let said = Said { words: suffix.words.clone(), number };
            let total = pool.total().map_or(Value::None, Value::Number);
            self.recorder.suffixed(pool.step, said, total.into());
        }
        Ok(pool)
    }

    /// What a pool with a suffix is worth.
    pub(super) fn suffixed_total(
        &mut self,
        whole: &'a Expr,
        inner: &'a Expr,
        suffix: &'a Suffix,
    ) -> Eval<Found> {
        let pool = match (&inner.kind, known_change(&suffix.kind)) {
            (Kind::Dice { count, die }, Some(change)) => {
                self.meter.step(inner.span)?;
                match self.cast(inner.span, count, die)? {
                    Cast { kind, lying: Some(lying), .. } => {
                        let total = self.changed(inner.span, &kind, lying, suffix, change);
                        return Ok(Found::Whole(total));
                    }
                    Cast { kind, first, lying: None } => {
                        let pool = self.odd_dice(inner.span, kind, first)?;
                        self.acted(whole, pool, suffix)?
                    }
                }
            }
            _ => self.suffixed(whole, inner, suffix)?,
        };
        pool.found().at(whole.span)
    }

    /// The everyday pool: dice are thrown, changed once as they lie there, and only their total is wanted.
    fn changed(
        &mut self,
        span: Span,
        kind: &DieFaces,
        mut lying: Lying,
        suffix: &'a Suffix,
        change: Change,
    ) -> i64 {
        lying.change(self.recorder.dice_mut(), change);
        let total = if matches!(change, Change::Mark(..)) { lying.marks } else { lying.sum };
        let count = lying.count.into();
        let step = self.recorder.pool_with(span, kind, count, &lying, total);
        if let Some(suffixes) = self.recorder.suffixes(step) {
            *suffixes = Suffixes::One(Said { words: suffix.words.clone(), number: None });
        }
        total
    }

    /// The number that the only computed part of a suffix came to, if the words show the part.
    fn computed(&mut self, suffix: &'a Suffix) -> Option<Number> {
        if is_plain(&suffix.kind) || !suffix.words.contains('(') {
            return None;
        }
        let parts = suffix.numbers();
        let mut computed = parts.iter().filter(|part| !matches!(part.kind, Kind::Constant(_)));
        let (Some(part), None) = (computed.next(), computed.next()) else { return None };
        // Only what throws nothing may be evaluated once more.
        if is_certain(part) { self.number(part).ok() } else { None }
    }

    /// A pool that lies on the table is used once more: a new step shows what becomes of its dice here.
    fn begin_use(&mut self, span: Span, pool: &mut Pool) {
        let Some(fixed) = pool.fixed.take() else { return };
        let dice = pool.dice.each(self.recorder.dice());
        if !self.recorder.on {
            pool.step = StepId::NOWHERE;
            return;
        }
        pool.step = self.recorder.pool_again(span, fixed.name, pool.step);
        for die in dice {
            if !pool.held {
                self.recorder.holds(die.behind);
            }
            die.place = self.recorder.joins(pool.step, die.behind, &die.shows);
        }
        pool.held = true;
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
            SuffixKind::InAll { act, most, first } => self.in_all(span, pool, act, most, *first),
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
        let kept = usize::try_from(self.count(count)?).unwrap_or(usize::MAX);
        self.drop_ranks(pool, all_but(end, pool.dice.len(), kept));
        Ok(())
    }

    fn drop(&mut self, pool: &mut Pool, end: End, count: &'a Expr) -> Eval<()> {
        let gone = usize::try_from(self.count(count)?).unwrap_or(usize::MAX);
        self.drop_ranks(pool, these(end, pool.dice.len(), gone));
        Ok(())
    }

    fn clamp(
        &mut self,
        pool: &mut Pool,
        bound: &'a Expr,
        beyond: fn(&Number, &Number) -> bool,
    ) -> Eval<()> {
        let bound = self.number(bound)?;
        for die in pool.dice.each(self.recorder.dice()) {
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
        if let PoolDice::Thrown(thrown) = &mut pool.dice {
            let passes = |shows: i64| test.holds(&shows.into());
            thrown.lying.mark(self.recorder.dice_mut(), passes, mark);
            return Ok(());
        }
        for die in pool.dice.each(self.recorder.dice()) {
            if test.holds(&die.shows) {
                die.marks += mark;
                self.recorder.fate(pool.step, die.place, die.behind, |fates| fates.count(mark));
            }
        }
        Ok(())
    }

    /// Sorting is for the eyes: it changes what the explanation shows, not the order of throws.
    fn sort(&mut self, pool: &mut Pool, descending: bool) -> Eval<()> {
        let moved = self.recorder.sort(pool.step, descending);
        for die in pool.dice.each(self.recorder.dice()) {
            die.place = moved.get(die.place as usize).copied().unwrap_or(die.place);
        }
        Ok(())
    }
}

/// What a suffix that throws nothing does, if its number stands there.
fn known_change(kind: &SuffixKind) -> Option<Change> {
    let known = |expr: &Expr| match &expr.kind {
        Kind::Constant(Value::Number(number)) => number.to_i64(),
        _ => None,
    };
    let count = |expr: &Expr| usize::try_from(known(expr)?).ok();
    Some(match kind {
        SuffixKind::Keep(end, kept) => Change::Keep(*end, count(kept)?),
        SuffixKind::Drop(end, gone) => Change::Drop(*end, count(gone)?),
        SuffixKind::CountFor(condition) => {
            Change::Mark(condition.comparison, known(&condition.value)?, 1)
        }
        SuffixKind::CountAgainst(condition) => {
            Change::Mark(condition.comparison, known(&condition.value)?, -1)
        }
        SuffixKind::Explode { .. }
        | SuffixKind::Reroll { .. }
        | SuffixKind::InAll { .. }
        | SuffixKind::AtLeast(_)
        | SuffixKind::AtMost(_)
        | SuffixKind::Unique
        | SuffixKind::Ascending
        | SuffixKind::Descending => return None,
    })
}

/// Whether nothing in a suffix is computed; some that are more involved are not looked into.
fn is_plain(kind: &SuffixKind) -> bool {
    let plain = |expr: &Expr| matches!(expr.kind, Kind::Constant(_));
    match kind {
        SuffixKind::Keep(_, value)
        | SuffixKind::Drop(_, value)
        | SuffixKind::AtLeast(value)
        | SuffixKind::AtMost(value) => plain(value),
        SuffixKind::Reroll { condition, .. }
        | SuffixKind::CountFor(condition)
        | SuffixKind::CountAgainst(condition)
        | SuffixKind::Explode { trigger: Some(condition), limit: None, .. } => {
            plain(&condition.value)
        }
        SuffixKind::Explode { trigger: None, limit: None, .. }
        | SuffixKind::Unique
        | SuffixKind::Ascending
        | SuffixKind::Descending => true,
        SuffixKind::Explode { limit: Some(_), .. } | SuffixKind::InAll { .. } => false,
    }
}
