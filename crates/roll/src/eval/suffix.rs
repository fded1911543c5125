//! Suffixes: what is done to the dice on the table, one after the other.
//!
//! Each suffix goes through the dice in throw order. A die that a suffix throws is fresh and plain:
//! earlier suffixes do not act on it, later ones do.

use astragal_program::core::{Comparison, Condition, End, Expr, Kind, Suffix, SuffixKind};
use astragal_syntax::span::Span;
use astragal_value::Number;

use super::datum::Pool;
use super::endless::is_certain;
use super::{Eval, Interpreter};
use crate::steps::Said;
use crate::recorder::StepId;

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
        let mut pool = self.pool(inner)?;
        self.begin_use(whole.span, &mut pool);
        self.act(&mut pool, suffix)?;
        if self.recorder.on {
            let number = self.computed(suffix);
            self.recorder.suffixed(pool.step, || Said { words: suffix.words.clone(), number });
            self.show_total(&pool);
        }
        Ok(pool)
    }

    /// The number that the only computed part of a suffix came to, if the words show the part.
    fn computed(&mut self, suffix: &'a Suffix) -> Option<Number> {
        if !suffix.words.as_bytes().contains(&b'(') {
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
        if !self.recorder.on {
            pool.step = StepId::NOWHERE;
            return;
        }
        pool.step = self.recorder.pool_again(span, fixed.name, pool.step);
        for die in pool.dice.each(self.recorder.dice()) {
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
        let step = pool.step;
        let dice = pool.dice.each(self.recorder.dice());
        let mut order: Vec<u32> = (0..dice.len() as u32).collect();
        order.sort_by(|&a, &b| dice[a as usize].shows.cmp(&dice[b as usize].shows));
        let mut staying = vec![false; order.len()];
        for (rank, &index) in order.iter().enumerate() {
            staying[index as usize] = stays(rank);
        }
        let mut index = 0;
        dice.retain(|die| {
            let stays = staying[index];
            index += 1;
            if !stays {
                self.recorder.drops(step, die.place, die.behind);
            }
            stays
        });
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
        for die in pool.dice.each(self.recorder.dice()) {
            if test.holds(&die.shows) {
                die.marks += mark;
                self.recorder.fate(pool.step, die.place, die.behind, |fates| {
                    let marks =
                        if mark > 0 { &mut fates.counted_for } else { &mut fates.counted_against };
                    *marks = marks.saturating_add(1);
                });
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
