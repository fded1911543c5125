//! Suffixes that throw: explosions, rerolls, unique dice.
//!
//! Each finishes one die, with all its rerolls or its whole chain, before the next. A rerolled die keeps
//! its place, extra dice come after all others.

use std::collections::HashSet;
use std::rc::Rc;

use astragal_program::core::{Condition, ExplodeStyle, Expr, Order, SuffixKind};
use astragal_program::fault::{FaultKind, NeverStops};
use astragal_syntax::span::Span;
use astragal_value::{Number, OpError, Value};

use super::datum::{Pool, PoolDie};
use super::suffix::Test;
use super::{At, Eval, Interpreter, endless};
use crate::faces::DieFaces;
use crate::recorder::Behind;

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
    pub(super) fn explode(
        &mut self,
        span: Span,
        pool: &mut Pool,
        style: ExplodeStyle,
        trigger: Option<&'a Condition>,
        limit: Option<&'a Expr>,
    ) -> Eval<()> {
        let trigger = self.trigger(trigger)?;
        let limit = limit.map(|limit| self.count(limit)).transpose()?;
        if limit.is_none() {
            self.refuse_endless_explosion(span, pool, &trigger)?;
        }
        for index in 0..pool.dice.len() {
            self.chain(span, pool, index, style, &trigger, limit.unwrap_or(u64::MAX))?;
        }
        Ok(())
    }

    fn trigger(&mut self, trigger: Option<&'a Condition>) -> Eval<Trigger> {
        Ok(match trigger {
            Some(condition) => Trigger::Shows(self.test(condition)?),
            None => Trigger::Highest,
        })
    }

    /// An explosion or a reroll with a limit for all dice together: each has its turn, and is finished
    /// before the next, as long as throws are left.
    pub(super) fn in_all(
        &mut self,
        span: Span,
        pool: &mut Pool,
        act: &'a SuffixKind,
        most: &'a Expr,
        first: Order,
    ) -> Eval<()> {
        let turns = turns(pool, first);
        match act {
            SuffixKind::Explode { style, trigger, limit } => {
                let trigger = self.trigger(trigger.as_ref())?;
                let limit = limit.as_deref().map(|limit| self.count(limit)).transpose()?;
                let mut left = self.count(most)?;
                for index in turns {
                    let limit = limit.unwrap_or(u64::MAX).min(left);
                    left -= self.chain(span, pool, index, *style, &trigger, limit)?;
                }
                Ok(())
            }
            SuffixKind::Reroll { once, condition } => {
                let test = self.test(condition)?;
                let mut left = self.count(most)?;
                for index in turns {
                    let limit = if *once { 1.min(left) } else { left };
                    left -= self.throw_while(span, pool, index, &test, limit)?;
                }
                Ok(())
            }
            // The checker limits nothing else.
            _ => Err(OpError::Mismatch).at(span),
        }
    }

    /// The whole chain of one die; how many throws it took.
    fn chain(
        &mut self,
        span: Span,
        pool: &mut Pool,
        index: usize,
        style: ExplodeStyle,
        trigger: &Trigger,
        limit: u64,
    ) -> Eval<u64> {
        let Some(kind) = pool.dice[index].kind.clone() else { return Ok(0) };
        if limit == 0 || !trigger.fires(&pool.dice[index], &kind) {
            return Ok(0);
        }
        let mut last = index;
        for thrown in 1..=limit {
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
                return Ok(thrown);
            }
        }
        Ok(limit)
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

    /// A fresh die that comes from another.
    fn replacement(
        &mut self,
        span: Span,
        pool: &Pool,
        index: usize,
        kind: &Rc<DieFaces>,
    ) -> Eval<PoolDie> {
        let from = match pool.dice[index].behind {
            Behind::Die(id) => Some(id),
            Behind::Total(..) => None,
        };
        self.throw(span, pool.step, kind, from)
    }

    pub(super) fn reroll(
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
            self.throw_while(span, pool, index, &test, if once { 1 } else { u64::MAX })?;
        }
        Ok(())
    }

    /// Throws a die again while the test holds, at most so often; how many throws it took.
    fn throw_while(
        &mut self,
        span: Span,
        pool: &mut Pool,
        index: usize,
        test: &Test,
        limit: u64,
    ) -> Eval<u64> {
        let Some(kind) = pool.dice[index].kind.clone() else { return Ok(0) };
        let mut thrown = 0;
        while thrown < limit && test.holds(&pool.dice[index].shows) {
            self.throw_again(span, pool, index, &kind)?;
            thrown += 1;
        }
        Ok(thrown)
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

    pub(super) fn unique(&mut self, span: Span, pool: &mut Pool) -> Eval<()> {
        endless::unique(kinds(pool, |_, _| true)).at(span)?;
        let mut shown: HashSet<Number> = HashSet::with_capacity(pool.dice.len());
        for index in 0..pool.dice.len() {
            let Some(kind) = pool.dice[index].kind.clone() else { continue };
            if shown.contains(&pool.dice[index].shows) && kind.all_among(&shown) {
                return Err(FaultKind::NeverStops(NeverStops::Unique)).at(span);
            }
            while !shown.insert(pool.dice[index].shows.clone()) {
                self.throw_again(span, pool, index, &kind)?;
            }
        }
        Ok(())
    }

    fn refuse_endless_explosion(&self, span: Span, pool: &Pool, trigger: &Trigger) -> Eval<()> {
        let test = match trigger {
            Trigger::Highest => None,
            Trigger::Shows(test) => Some(test),
        };
        kinds(pool, |die, kind| trigger.fires(die, kind))
            .try_for_each(|(_, kind)| endless::explosion(kind, test))
            .at(span)
    }

    fn refuse_endless_reroll(&self, span: Span, pool: &Pool, test: &Test) -> Eval<()> {
        kinds(pool, |die, _| test.holds(&die.shows))
            .try_for_each(|(_, kind)| endless::reroll(kind, test))
            .at(span)
    }
}

/// The runs of equal dice of which at least one passes: how many, and which die.
fn kinds(
    pool: &Pool,
    passes: impl Fn(&PoolDie, &DieFaces) -> bool,
) -> impl Iterator<Item = (u64, &DieFaces)> {
    let same = |a: &PoolDie, b: &PoolDie| match (&a.kind, &b.kind) {
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        _ => false,
    };
    pool.dice.chunk_by(same).filter_map(move |run| {
        let kind = run.first()?.kind.as_deref()?;
        run.iter().any(|die| passes(die, kind)).then_some((run.len() as u64, kind))
    })
}

/// The places of the dice in the order of their turns; equal ones as thrown.
fn turns(pool: &Pool, first: Order) -> Vec<usize> {
    let mut turns: Vec<usize> = (0..pool.dice.len()).collect();
    match first {
        Order::Thrown => {}
        Order::Lowest => turns.sort_by(|&a, &b| pool.dice[a].shows.cmp(&pool.dice[b].shows)),
        Order::Highest => turns.sort_by(|&a, &b| pool.dice[b].shows.cmp(&pool.dice[a].shows)),
    }
    turns
}
