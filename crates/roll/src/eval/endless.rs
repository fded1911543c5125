//! Refusing what can never stop, before anything is thrown.
//!
//! `d6!>=1`, `d6 rr<=6` and `7d6u` cannot come to an end whatever the dice show. The evaluator looks
//! at a pool with all its suffixes before it throws the first die, as far as counts, sides and
//! conditions are known without throwing; what is known only later, as in `d(2d6) rr<=6`, is looked at
//! again when the suffix acts. A pool without dice stops at once and is never refused.

use astragal_program::core::{Condition, Die, Expr, Kind, Reading, Suffix, SuffixKind};
use astragal_program::fault::{FaultKind, NeverStops};
use astragal_syntax::span::Span;

use super::suffix::Test;
use super::{At, Eval, Interpreter};
use crate::faces::DieFaces;

/// Dice that are about to be thrown: how many of which.
type Coming = Vec<(u64, DieFaces)>;

/// Refuses a die whose every face explodes. No test stands for the highest face.
pub(super) fn explosion(kind: &DieFaces, test: Option<&Test>) -> Result<(), FaultKind> {
    let all = match test {
        Some(test) => kind.all(&test.with, |number| test.holds(number)),
        None => kind.different() == 1,
    };
    if all { Err(FaultKind::NeverStops(NeverStops::Explode)) } else { Ok(()) }
}

/// Refuses a die whose every face is rerolled.
pub(super) fn reroll(kind: &DieFaces, test: &Test) -> Result<(), FaultKind> {
    if kind.all(&test.with, |number| test.holds(number)) {
        return Err(FaultKind::NeverStops(NeverStops::Reroll));
    }
    Ok(())
}

/// Refuses a die that comes after as many dice as it has different faces.
pub(super) fn unique(kind: &DieFaces, earlier: u64) -> Result<(), FaultKind> {
    if earlier >= kind.different() {
        return Err(FaultKind::NeverStops(NeverStops::Unique));
    }
    Ok(())
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
                let mut all = Vec::new();
                for member in members {
                    all.extend(self.coming(member)?);
                }
                Ok(all)
            }
            Kind::Labelled { value, .. } => self.coming(value),
            Kind::Suffixed { pool, suffix } => {
                let coming = self.coming(pool)?;
                self.foresee(coming, suffix)
            }
            _ => Ok(Vec::new()),
        }
    }

    fn coming_dice(&mut self, span: Span, count: &'a Expr, die: &'a Die) -> Coming {
        if !is_certain(count) || !is_certain_die(die) {
            return Vec::new();
        }
        match (self.count(count), self.die(span, die)) {
            (Ok(count), Ok(kind)) if count > 0 => vec![(count, kind)],
            // A fault is reported where it happens: when the dice are thrown.
            _ => Vec::new(),
        }
    }

    /// What a suffix will make of the dice.
    fn foresee(&mut self, mut coming: Coming, suffix: &'a Suffix) -> Eval<Coming> {
        let span = suffix.span;
        match &suffix.kind {
            SuffixKind::Explode { trigger: Some(condition), limit: None, .. } => {
                if let Some(test) = self.certain_test(condition) {
                    all(&coming, |kind| explosion(kind, Some(&test))).at(span)?;
                }
            }
            SuffixKind::Explode { trigger: None, limit: None, .. } => {
                all(&coming, |kind| explosion(kind, None)).at(span)?;
            }
            SuffixKind::Reroll { once: false, condition } => {
                if let Some(test) = self.certain_test(condition) {
                    all(&coming, |kind| reroll(kind, &test)).at(span)?;
                }
            }
            SuffixKind::Unique => all_unique(&coming).at(span)?,
            SuffixKind::Keep(_, count) => {
                match (coming.as_mut_slice(), self.certain_count(count)) {
                    ([(dice, _)], Some(kept)) if kept > 0 => *dice = kept.min(*dice),
                    _ => coming.clear(),
                }
            }
            SuffixKind::Drop(_, count) => {
                match (coming.as_mut_slice(), self.certain_count(count)) {
                    ([(dice, _)], Some(gone)) if gone < *dice => *dice -= gone,
                    _ => coming.clear(),
                }
            }
            SuffixKind::Explode { limit: Some(_), .. }
            | SuffixKind::Reroll { once: true, .. }
            | SuffixKind::AtLeast(_)
            | SuffixKind::AtMost(_)
            | SuffixKind::CountFor(_)
            | SuffixKind::CountAgainst(_)
            | SuffixKind::Ascending
            | SuffixKind::Descending => {}
        }
        Ok(coming)
    }

    fn certain_test(&mut self, condition: &'a Condition) -> Option<Test> {
        if is_certain(&condition.value) { self.test(condition).ok() } else { None }
    }

    fn certain_count(&mut self, count: &'a Expr) -> Option<u64> {
        if is_certain(count) { self.count(count).ok() } else { None }
    }
}

fn all(
    coming: &Coming,
    check: impl Fn(&DieFaces) -> Result<(), FaultKind>,
) -> Result<(), FaultKind> {
    coming.iter().try_for_each(|(_, kind)| check(kind))
}

fn all_unique(coming: &Coming) -> Result<(), FaultKind> {
    let mut earlier: u64 = 0;
    for (count, kind) in coming {
        earlier = earlier.saturating_add(*count);
        unique(kind, earlier - 1)?;
    }
    Ok(())
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
fn is_certain(expr: &Expr) -> bool {
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
