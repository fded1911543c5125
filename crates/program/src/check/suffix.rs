//! Suffixes: what may be done to which dice.
//!
//! Labels and suffixes may be mixed (`2d6[fire]kh1`). A label says what a number contributes, so it is
//! put around the finished pool.

use astragal_syntax::span::Span;
use astragal_syntax::tree::{
    Condition as WrittenCondition, ExplodeLimit, Expr, ExprKind, Suffix as WrittenSuffix,
    SuffixKind as WrittenKind,
};

use super::dice::FRESH;
use super::expression::settle;
use super::operator::label_of;
use super::{Checker, Typed, constant, unknown};
use crate::core::{Condition, ExplodeStyle, Expr as Core, Kind, Suffix, SuffixKind, Value};
use crate::errors::{self, Frozen};
use crate::scope::Scope;
use crate::types::{PoolType, Type};

impl<'t> Checker<'t> {
    /// A pool with its suffixes, left to right.
    #[inline(never)]
    pub(super) fn suffixed(&mut self, scope: &Scope<'t>, expr: &'t Expr) -> Typed {
        // Most pools have one suffix: no list is made of it.
        if let ExprKind::Suffixed { pool, suffix } = &expr.kind
            && !matches!(pool.kind, ExprKind::Suffixed { .. } | ExprKind::Labelled { .. })
            && !draws(suffix)
        {
            let pool = self.expression(scope, pool, None);
            return self.one_suffix(scope, pool, suffix, expr.span, &mut None);
        }
        self.chained(scope, expr)
    }

    fn chained(&mut self, scope: &Scope<'t>, expr: &'t Expr) -> Typed {
        let mut suffixes = Vec::new();
        let mut labels = Vec::new();
        let mut base = expr;
        loop {
            base = match &base.kind {
                ExprKind::Suffixed { pool, suffix } => {
                    suffixes.push((suffix, base.span));
                    pool
                }
                ExprKind::Labelled { value, label } => {
                    labels.push((label, base.span));
                    value
                }
                _ => break,
            };
        }
        suffixes.reverse();
        let mut suffixes = suffixes.into_iter().peekable();
        let is_dice = matches!(base.kind, ExprKind::Dice { .. });
        let mut pool = match suffixes.next_if(|(suffix, _)| is_dice && draws(suffix)) {
            Some((suffix, span)) => self.drawn(scope, base, suffix, span),
            None => self.expression(scope, base, None),
        };
        let mut marks: Option<Span> = None;
        for (suffix, span) in suffixes {
            pool = self.one_suffix(scope, pool, suffix, span, &mut marks);
        }
        labels.into_iter().rev().fold(pool, |pool, (label, span)| match pool.ty {
            Type::Unknown => unknown(span),
            _ => label_of(settle(pool), label, span),
        })
    }

    /// `marks` is where the first `cs` or `cf` stands.
    fn one_suffix(
        &mut self,
        scope: &Scope<'t>,
        pool: Typed,
        suffix: &'t WrittenSuffix,
        span: Span,
        marks: &mut Option<Span>,
    ) -> Typed {
        let flags = match &pool.ty {
            Type::Pool(flags) => *flags,
            Type::Unknown => FRESH,
            other => {
                let words = astragal_syntax::suffix_words(&suffix.kind);
                return self.wrong(errors::not_a_pool(suffix.span, pool.expr.span, &words, other));
            }
        };
        if draws(suffix) {
            return self.wrong(errors::drawn_late(suffix.span));
        }
        let fine = self.allowed(flags, suffix, *marks) && self.can_differ(&pool.expr, suffix);
        let kind = self.suffix_kind(scope, &suffix.kind, suffix.span);
        if !fine || pool.ty == Type::Unknown {
            return unknown(span);
        }
        let counts = is_mark(&suffix.kind);
        if counts {
            marks.get_or_insert(suffix.span);
        }
        let words = astragal_syntax::suffix_words(&suffix.kind);
        let suffix = Suffix { kind, words, span: suffix.span };
        let ty = Type::Pool(PoolType { marked: flags.marked || counts, ..flags });
        Typed {
            expr: Core { kind: Kind::Suffixed { pool: Box::new(pool.expr), suffix }, span },
            ty,
        }
    }

    /// Whether dice in this state take this suffix.
    fn allowed(&mut self, flags: PoolType, suffix: &WrittenSuffix, marks: Option<Span>) -> bool {
        let words = || astragal_syntax::suffix_words(&suffix.kind);
        if flags.marked && !may_follow_marks(&suffix.kind) {
            let edit = marks.map(|start| {
                let counts = Span { end: suffix.span.start, ..start };
                let sources = &self.modules.sources;
                let order = [suffix.span, counts].map(|span| sources.slice(span).trim());
                (start.to(suffix.span), order.join(" "))
            });
            self.report(errors::after_count(suffix.span, &words(), edit));
            return false;
        }
        if throws_dice(&suffix.kind) && (flags.fixed || flags.totals || flags.drawn) {
            let why = match flags {
                PoolType { drawn: true, .. } => Frozen::Drawn,
                PoolType { totals: true, .. } => Frozen::Totals,
                _ => Frozen::OnTheTable,
            };
            let short = self.modules.sources.slice(suffix.span).to_string();
            self.report(errors::frozen_dice(suffix.span, &words(), &short, why));
            return false;
        }
        true
    }

    /// Dice that multiply cannot be told to differ: there may be more of them than faces.
    fn can_differ(&mut self, pool: &Core, suffix: &WrittenSuffix) -> bool {
        let refused = matches!(suffix.kind, WrittenKind::Unique) && multiplies(pool);
        if refused {
            self.report(errors::unique_after_explosion(suffix.span));
        }
        !refused
    }

    fn suffix_kind(&mut self, scope: &Scope<'t>, kind: &'t WrittenKind, span: Span) -> SuffixKind {
        let one = || Box::new(constant(Value::whole(1), span));
        match kind {
            WrittenKind::Keep(end, count) => {
                let count = count.as_deref().map(|n| self.amount(scope, n, "a count of dice"));
                SuffixKind::Keep(*end, count.unwrap_or_else(one))
            }
            WrittenKind::Drop(end, count) => {
                let count = count.as_deref().map(|n| self.amount(scope, n, "a count of dice"));
                SuffixKind::Drop(*end, count.unwrap_or_else(one))
            }
            WrittenKind::Explode { style, trigger, limit } => SuffixKind::Explode {
                style: *style,
                trigger: trigger.as_ref().map(|condition| self.condition(scope, condition)),
                limit: match limit {
                    ExplodeLimit::Endless => None,
                    ExplodeLimit::Once => Some(one()),
                    ExplodeLimit::UpTo(limit) => Some(self.amount(scope, limit, "a limit")),
                },
            },
            WrittenKind::Reroll { once, condition } => {
                SuffixKind::Reroll { once: *once, condition: self.condition(scope, condition) }
            }
            WrittenKind::InAll { act, most, first } => SuffixKind::InAll {
                act: Box::new(self.suffix_kind(scope, act, span)),
                most: self.amount(scope, most, "a limit"),
                first: *first,
            },
            WrittenKind::AtLeast(bound) => {
                SuffixKind::AtLeast(self.amount(scope, bound, "the lowest value"))
            }
            WrittenKind::AtMost(bound) => {
                SuffixKind::AtMost(self.amount(scope, bound, "the highest value"))
            }
            WrittenKind::CountFor(condition) => {
                SuffixKind::CountFor(self.condition(scope, condition))
            }
            WrittenKind::CountAgainst(condition) => {
                SuffixKind::CountAgainst(self.condition(scope, condition))
            }
            // Behind dice it is read with them, and elsewhere it was refused.
            WrittenKind::Unique | WrittenKind::Drawn(_) => SuffixKind::Unique,
            WrittenKind::Ascending => SuffixKind::Ascending,
            WrittenKind::Descending => SuffixKind::Descending,
        }
    }

    fn condition(&mut self, scope: &Scope<'t>, condition: &'t WrittenCondition) -> Condition {
        let value = self.amount(scope, &condition.value, "a condition on dice");
        Condition { comparison: condition.comparison, value }
    }

    fn amount(&mut self, scope: &Scope<'t>, expr: &'t Expr, what: &str) -> Box<Core> {
        Box::new(self.number(scope, expr, what))
    }
}

fn draws(suffix: &WrittenSuffix) -> bool {
    matches!(suffix.kind, WrittenKind::Drawn(_))
}

fn is_mark(kind: &WrittenKind) -> bool {
    matches!(kind, WrittenKind::CountFor(_) | WrittenKind::CountAgainst(_))
}

fn may_follow_marks(kind: &WrittenKind) -> bool {
    is_mark(kind) || matches!(kind, WrittenKind::Ascending | WrittenKind::Descending)
}

fn throws_dice(kind: &WrittenKind) -> bool {
    matches!(
        kind,
        WrittenKind::Explode { .. }
            | WrittenKind::Reroll { .. }
            | WrittenKind::InAll { .. }
            | WrittenKind::Unique
    )
}

/// Whether a pool may have more dice than were thrown at first.
fn multiplies(pool: &Core) -> bool {
    match &pool.kind {
        Kind::Suffixed { pool, suffix } => adds_dice(&suffix.kind) || multiplies(pool),
        Kind::Merge(members) => members.iter().any(multiplies),
        Kind::Let { body, .. }
        | Kind::Enter { body, .. }
        | Kind::Note { body, .. }
        | Kind::Given { body, .. }
        | Kind::Require { body, .. } => multiplies(body),
        Kind::If { then, otherwise, .. } => multiplies(then) || multiplies(otherwise),
        _ => false,
    }
}

fn adds_dice(kind: &SuffixKind) -> bool {
    match kind {
        SuffixKind::Explode { style, .. } => *style != ExplodeStyle::Compound,
        SuffixKind::InAll { act, .. } => adds_dice(act),
        _ => false,
    }
}
