//! Suffixes that throw: explosions, rerolls, unique dice.
//!
//! Each finishes one die, with all its rerolls or its whole chain, before the next. A rerolled die keeps
//! its place, extra dice come after all others.

use std::collections::HashSet;

use astragal_program::core::{Condition, ExplodeStyle, Expr, Order, SuffixKind};
use astragal_program::fault::{FaultKind, NeverStops};
use astragal_syntax::span::Span;
use astragal_value::{Number, OpError, Value};

use super::datum::{Pool, PoolDice, PoolDie, Thrown};
use super::suffix::Test;
use super::{At, Eval, Interpreter, endless};
use crate::dice::Dice;
use crate::faces::DieFaces;
use crate::lying::MANY;
use crate::recorder::{Behind, StepId};

/// When a die explodes.
enum Trigger {
    /// On its highest face as thrown.
    Highest,
    /// On what it shows.
    Shows(Test),
}

impl Trigger {
    fn fires(&self, table: &Dice, die: &PoolDie, kind: &DieFaces) -> bool {
        match self {
            Trigger::Highest => match die.behind {
                Behind::Die(id) => table.face(id).is_some_and(|face| kind.is_highest(face)),
                Behind::Total(..) => false,
            },
            Trigger::Shows(test) => test.holds(&die.shows),
        }
    }

    fn test(&self) -> Option<&Test> {
        match self {
            Trigger::Highest => None,
            Trigger::Shows(test) => Some(test),
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

/// How the dice of a pool explode.
struct Explosion {
    span: Span,
    step: StepId,
    style: ExplodeStyle,
    trigger: Trigger,
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
        if let PoolDice::Thrown(thrown) = &mut pool.dice
            && style == ExplodeStyle::Separate
            && thrown.kind.total() < 1 << 32
            && self.meter.most_dice() < MANY
            && thrown.lying.are_last(self.recorder.dice())
        {
            return self.explode_lying(span, thrown, pool.step, &trigger, limit);
        }
        let dice = pool.dice.each(self.recorder.dice());
        if limit.is_none() {
            self.refuse_endless_explosion(span, dice, &trigger)?;
        }
        let explosion = Explosion { span, step: pool.step, style, trigger };
        for index in 0..dice.len() {
            self.chain(&explosion, dice, index, limit.unwrap_or(u64::MAX))?;
        }
        Ok(())
    }

    /// Dice that lie on the table explode there.
    fn explode_lying(
        &mut self,
        span: Span,
        thrown: &mut Thrown,
        step: StepId,
        trigger: &Trigger,
        limit: Option<u64>,
    ) -> Eval<()> {
        let Thrown { kind, lying } = thrown;
        let highest = kind.highest().and_then(|highest| highest.to_i64());
        let fires = |shows: i64| match trigger {
            Trigger::Highest => Some(shows) == highest,
            Trigger::Shows(test) => test.holds(&shows.into()),
        };
        let told = self.recorder.on;
        let table = self.recorder.dice_mut();
        if limit.is_none() && lying.any(table, fires) {
            endless::explosion(kind, trigger.test()).at(span)?;
        }
        let (meter, faces) = (&mut self.meter, &mut *self.faces);
        lying.explode(table, told, fires, limit.unwrap_or(u64::MAX), |table| {
            meter.dice(1, span)?;
            faces.throw_all(kind, table.thrown(kind, 1)).at(span)
        })?;
        self.recorder.holds_so_many(step, lying.count);
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
        let (step, dice) = (pool.step, pool.dice.each(self.recorder.dice()));
        let turns = turns(dice, first);
        match act {
            SuffixKind::Explode { style, trigger, limit } => {
                let trigger = self.trigger(trigger.as_ref())?;
                let limit = limit.as_deref().map(|limit| self.count(limit)).transpose()?;
                let mut left = self.count(most)?;
                let explosion = Explosion { span, step, style: *style, trigger };
                for index in turns {
                    let limit = limit.unwrap_or(u64::MAX).min(left);
                    left -= self.chain(&explosion, dice, index, limit)?;
                }
                Ok(())
            }
            SuffixKind::Reroll { once, condition } => {
                let test = self.test(condition)?;
                let mut left = self.count(most)?;
                for index in turns {
                    let limit = if *once { 1.min(left) } else { left };
                    left -= self.throw_while(span, step, &mut dice[index], &test, limit)?;
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
        explosion: &Explosion,
        dice: &mut Vec<PoolDie>,
        index: usize,
        limit: u64,
    ) -> Eval<u64> {
        let Explosion { span, step, style, ref trigger } = *explosion;
        let Some(kind) = dice[index].kind.clone() else { return Ok(0) };
        if limit == 0 || !trigger.fires(self.recorder.dice(), &dice[index], &kind) {
            return Ok(0);
        }
        let mut last = index;
        for thrown in 1..=limit {
            let die = &dice[last];
            self.recorder.fate(step, die.place, die.behind, |fates| fates.exploded = true);
            let face = match style {
                ExplodeStyle::Compound => self.compound(span, step, &mut dice[index], &kind)?,
                ExplodeStyle::Separate | ExplodeStyle::Penetrate => {
                    let face = self.extra(explosion, dice, last, &kind)?;
                    last = dice.len() - 1;
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
        step: StepId,
        die: &mut PoolDie,
        kind: &DieFaces,
    ) -> Eval<Number> {
        let face = self.bare_face(span, kind)?;
        die.shows = die.shows.add(&face).at(span)?;
        self.recorder.compounds(die.behind, &face);
        self.recorder.shows(step, die.place, die.behind, &die.shows);
        Ok(face)
    }

    /// One more die, a separate one.
    fn extra(
        &mut self,
        explosion: &Explosion,
        dice: &mut Vec<PoolDie>,
        last: usize,
        kind: &DieFaces,
    ) -> Eval<Number> {
        let Explosion { span, step, style, .. } = *explosion;
        let mut die = self.replacement(span, step, &dice[last], kind)?;
        let face = die.shows.clone();
        if style == ExplodeStyle::Penetrate {
            die.shows = face.subtract(&Number::ONE).at(span)?;
            self.recorder.shows(step, die.place, die.behind, &die.shows);
        }
        dice.push(die);
        Ok(face)
    }

    /// A fresh die that comes from another.
    fn replacement(
        &mut self,
        span: Span,
        step: StepId,
        before: &PoolDie,
        kind: &DieFaces,
    ) -> Eval<PoolDie> {
        let from = match before.behind {
            Behind::Die(id) => Some(id),
            Behind::Total(..) => None,
        };
        self.throw(span, step, kind, from)
    }

    pub(super) fn reroll(
        &mut self,
        span: Span,
        pool: &mut Pool,
        once: bool,
        condition: &'a Condition,
    ) -> Eval<()> {
        let test = self.test(condition)?;
        let dice = pool.dice.each(self.recorder.dice());
        if !once {
            refuse_endless_reroll(span, dice, &test)?;
        }
        for die in dice {
            self.throw_while(span, pool.step, die, &test, if once { 1 } else { u64::MAX })?;
        }
        Ok(())
    }

    /// Throws a die again while the test holds, at most so often; how many throws it took.
    fn throw_while(
        &mut self,
        span: Span,
        step: StepId,
        die: &mut PoolDie,
        test: &Test,
        limit: u64,
    ) -> Eval<u64> {
        let Some(kind) = die.kind.clone() else { return Ok(0) };
        let mut thrown = 0;
        while thrown < limit && test.holds(&die.shows) {
            self.throw_again(span, step, die, &kind)?;
            thrown += 1;
        }
        Ok(thrown)
    }

    fn throw_again(
        &mut self,
        span: Span,
        step: StepId,
        die: &mut PoolDie,
        kind: &DieFaces,
    ) -> Eval<()> {
        let fresh = self.replacement(span, step, die, kind)?;
        self.recorder.fate(step, die.place, die.behind, |fates| fates.rerolled = true);
        *die = fresh;
        Ok(())
    }

    pub(super) fn unique(&mut self, span: Span, pool: &mut Pool) -> Eval<()> {
        let (step, dice) = (pool.step, pool.dice.each(self.recorder.dice()));
        // A die that shows something else than its faces, as after `min5`, takes none of them from the others.
        let own =
            |die: &PoolDie, kind: &DieFaces| kind.find(&Value::Number(die.shows.clone())).is_some();
        if dice.iter().all(|die| die.kind.as_ref().is_none_or(|kind| own(die, kind))) {
            endless::unique(kinds(dice, |_, _| true)).at(span)?;
        }
        let mut shown: HashSet<Number> = HashSet::with_capacity(dice.len());
        for die in dice {
            let Some(kind) = die.kind.clone() else { continue };
            if shown.contains(&die.shows) && kind.all_among(&shown) {
                return Err(FaultKind::NeverStops(NeverStops::Unique)).at(span);
            }
            while !shown.insert(die.shows.clone()) {
                self.throw_again(span, step, die, &kind)?;
            }
        }
        Ok(())
    }

    fn refuse_endless_explosion(
        &self,
        span: Span,
        dice: &[PoolDie],
        trigger: &Trigger,
    ) -> Eval<()> {
        kinds(dice, |die, kind| trigger.fires(self.recorder.dice(), die, kind))
            .try_for_each(|(_, kind)| endless::explosion(kind, trigger.test()))
            .at(span)
    }
}

fn refuse_endless_reroll(span: Span, dice: &[PoolDie], test: &Test) -> Eval<()> {
    kinds(dice, |die, _| test.holds(&die.shows))
        .try_for_each(|(_, kind)| endless::reroll(kind, test))
        .at(span)
}

/// The runs of equal dice of which at least one passes: how many, and which die.
fn kinds(
    dice: &[PoolDie],
    passes: impl Fn(&PoolDie, &DieFaces) -> bool,
) -> impl Iterator<Item = (u64, &DieFaces)> {
    let same = |a: &PoolDie, b: &PoolDie| a.kind.is_some() && a.kind == b.kind;
    dice.chunk_by(same).filter_map(move |run| {
        let kind = run.first()?.kind.as_ref()?;
        run.iter().any(|die| passes(die, kind)).then_some((run.len() as u64, kind))
    })
}

/// The places of the dice in the order of their turns; equal ones as thrown.
fn turns(dice: &[PoolDie], first: Order) -> Vec<usize> {
    let mut turns: Vec<usize> = (0..dice.len()).collect();
    match first {
        Order::Thrown => {}
        Order::Lowest => turns.sort_by(|&a, &b| dice[a].shows.cmp(&dice[b].shows)),
        Order::Highest => turns.sort_by(|&a, &b| dice[b].shows.cmp(&dice[a].shows)),
    }
    turns
}
