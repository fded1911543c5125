//! Refusing what can never stop, before anything is thrown.
//!
//! `d6!>=1`, `d6 rr<=6` and `7d6u` cannot come to an end whatever the dice show. The evaluator looks
//! at a pool with all its suffixes before it throws the first die, as far as counts, sides and
//! conditions are known without throwing; what is known only later, as in `d(2d6) rr<=6`, is looked at
//! again when the suffix acts. A pool without dice stops at once and is never refused, nor is one whose
//! dice were clamped to where nothing fires.

use astragal_program::core::{
    Comparison, Condition, Die, ExplodeStyle, Expr, Kind, Reading, Suffix, SuffixKind,
};
use astragal_program::fault::{FaultKind, NeverStops};
use astragal_syntax::span::Span;

use super::suffix::Test;
use super::{At, Eval, Interpreter};
use crate::faces::DieFaces;

/// Refuses a die whose every face explodes. No test stands for the highest face.
pub(super) fn explosion(kind: &DieFaces, test: Option<&Test>) -> Result<(), FaultKind> {
    let all = match test {
        Some(test) => kind.all(&test.with, |number| test.holds(number)),
        None => kind.different() == 1,
    };
    if all { Err(FaultKind::NeverStops(NeverStops::Explode)) } else { Ok(()) }
}

/// Whether every face of a die that explodes so explodes again.
pub(crate) fn never_ends(kind: &DieFaces, comparison: Comparison, with: i64) -> bool {
    explosion(kind, Some(&Test { comparison, with: with.into() })).is_err()
}

/// Refuses a die whose every face is rerolled.
pub(super) fn reroll(kind: &DieFaces, test: &Test) -> Result<(), FaultKind> {
    if kind.all(&test.with, |number| test.holds(number)) {
        return Err(FaultKind::NeverStops(NeverStops::Reroll));
    }
    Ok(())
}

/// Refuses dice if more of them than a die has faces can show no other faces than that die. Others may turn out
/// to differ.
pub(super) fn unique<'d>(dice: impl Iterator<Item = (u64, &'d DieFaces)>) -> Result<(), FaultKind> {
    let all: Vec<(u64, &DieFaces)> = dice.collect();
    let crowded = |kind: &DieFaces| {
        let within = all.iter().filter(|(_, other)| kind.covers(other));
        within.fold(0u64, |sum, (count, _)| sum.saturating_add(*count)) > kind.different()
    };
    match all.iter().any(|(_, kind)| crowded(kind)) {
        true => Err(FaultKind::NeverStops(NeverStops::Unique)),
        false => Ok(()),
    }
}

/// Dice that are about to be thrown.
#[derive(Default)]
struct Coming {
    /// How many of which.
    dice: Vec<(u64, DieFaces)>,
    /// They may show something else than their faces by now.
    reshaped: bool,
}

impl Coming {
    fn each(&self, check: impl Fn(&DieFaces) -> Result<(), FaultKind>) -> Result<(), FaultKind> {
        self.dice.iter().try_for_each(|(_, kind)| check(kind))
    }

    /// So many equal dice remain; of a mixed pool it is not known which.
    fn remain(&mut self, remaining: impl Fn(u64) -> Option<u64>) {
        match self.dice.as_mut_slice() {
            [(dice, _)] if remaining(*dice).is_some_and(|left| left > 0) => {
                *dice = remaining(*dice).unwrap_or(*dice);
            }
            _ => self.dice.clear(),
        }
    }
}

impl<'a> Interpreter<'a> {
    /// Looks at a pool with all its suffixes, before its dice are thrown.
    pub(super) fn refuse_endless(&mut self, whole: &'a Expr) -> Eval<()> {
        if can_be_endless(whole) {
            self.coming(whole)?;
        }
        Ok(())
    }

    /// The dice that a pool will throw, as far as they are known. Refuses what is known not to stop.
    fn coming(&mut self, expr: &'a Expr) -> Eval<Coming> {
        match &expr.kind {
            Kind::Dice { count, die } => Ok(self.coming_dice(expr.span, count, die)),
            Kind::Merge(members) => {
                let mut all = Coming::default();
                for member in members {
                    let coming = self.coming(member)?;
                    all.dice.extend(coming.dice);
                    all.reshaped |= coming.reshaped;
                }
                Ok(all)
            }
            Kind::Suffixed { pool, suffix } => {
                let coming = self.coming(pool)?;
                self.foresee(coming, suffix)
            }
            _ => Ok(Coming::default()),
        }
    }

    fn coming_dice(&mut self, span: Span, count: &'a Expr, die: &'a Die) -> Coming {
        if !is_certain(count) || !is_certain_die(die) {
            return Coming::default();
        }
        match (self.count(count), self.die(span, die)) {
            (Ok(count), Ok(kind)) if count > 0 => {
                Coming { dice: vec![(count, kind)], reshaped: false }
            }
            // A fault is reported where it happens: when the dice are thrown.
            _ => Coming::default(),
        }
    }

    /// What a suffix will make of the dice.
    fn foresee(&mut self, mut coming: Coming, suffix: &'a Suffix) -> Eval<Coming> {
        match &suffix.kind {
            SuffixKind::Explode { trigger, limit, style } => {
                if limit.is_none() {
                    self.foresee_explosion(&coming, trigger.as_ref(), suffix.span)?;
                }
                coming.reshaped |= *style != ExplodeStyle::Separate;
            }
            SuffixKind::Reroll { once, condition } => {
                let known = !once && !coming.reshaped;
                if let Some(test) = self.certain_test(condition).filter(|_| known) {
                    coming.each(|kind| reroll(kind, &test)).at(suffix.span)?;
                }
            }
            // A limit in all always stops.
            SuffixKind::InAll { act, .. } => {
                coming.reshaped |= !matches!(
                    **act,
                    SuffixKind::Reroll { .. }
                        | SuffixKind::Explode { style: ExplodeStyle::Separate, .. }
                );
            }
            // Dice that show something else by now need not take their faces from each other.
            SuffixKind::Unique if coming.reshaped => {}
            SuffixKind::Unique => {
                unique(coming.dice.iter().map(|(count, kind)| (*count, kind))).at(suffix.span)?;
            }
            SuffixKind::Keep(_, count) => {
                let kept = self.certain_count(count);
                coming.remain(|dice| Some(kept?.min(dice)));
            }
            SuffixKind::Drop(_, count) => {
                let gone = self.certain_count(count);
                coming.remain(|dice| dice.checked_sub(gone?));
            }
            SuffixKind::AtLeast(_) | SuffixKind::AtMost(_) => coming.reshaped = true,
            SuffixKind::CountFor(_)
            | SuffixKind::CountAgainst(_)
            | SuffixKind::Ascending
            | SuffixKind::Descending => {}
        }
        Ok(coming)
    }

    fn foresee_explosion(
        &mut self,
        coming: &Coming,
        trigger: Option<&'a Condition>,
        span: Span,
    ) -> Eval<()> {
        match trigger {
            None => coming.each(|kind| explosion(kind, None)).at(span),
            Some(_) if coming.reshaped => Ok(()),
            Some(condition) => match self.certain_test(condition) {
                Some(test) => coming.each(|kind| explosion(kind, Some(&test))).at(span),
                None => Ok(()),
            },
        }
    }

    fn certain_test(&mut self, condition: &'a Condition) -> Option<Test> {
        if is_certain(&condition.value) { self.test(condition).ok() } else { None }
    }

    fn certain_count(&mut self, count: &'a Expr) -> Option<u64> {
        if is_certain(count) { self.count(count).ok() } else { None }
    }
}

/// Whether a pool has a suffix that may go on for ever.
fn can_be_endless(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Suffixed { pool, suffix } => {
            matches!(
                suffix.kind,
                SuffixKind::Explode { limit: None, .. }
                    | SuffixKind::Reroll { once: false, .. }
                    | SuffixKind::Unique
            ) || can_be_endless(pool)
        }
        _ => false,
    }
}

/// Whether an expression is cheap, throws nothing and says nothing.
pub(crate) fn is_certain(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Constant(_) | Kind::Local(_) => true,
        Kind::Operation { operands, .. } => operands.iter().all(is_certain),
        Kind::Field { record, .. } => is_certain(record),
        Kind::Read { pool, reading: Reading::Total } => is_certain(pool),
        _ => false,
    }
}

fn is_certain_die(die: &Die) -> bool {
    match die {
        Die::Sides(sides) => is_certain(sides),
        Die::Percent | Die::Fate => true,
        Die::Faces(faces) => {
            faces.iter().all(|face| is_certain(&face.value) && is_certain(&face.weight))
        }
    }
}
