//! Dice drawn from a bag: `13d{1..13: 4} drawn`.
//!
//! `drawn` looks like a suffix, but it says how the dice come to the table, so it stands right behind them
//! and before anything is done to them.

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Expr, ExprKind, Suffix, SuffixKind};

use super::{Checker, Typed, unknown};
use crate::core::{Expr as Core, Kind};
use crate::errors;
use crate::scope::Scope;
use crate::types::{PoolType, Type};
use crate::want::Want;

impl<'t> Checker<'t> {
    /// The dice `base`, drawn without what is named; `span` is the place of all of it.
    pub(super) fn drawn(
        &mut self,
        scope: &Scope<'t>,
        base: &'t Expr,
        suffix: &'t Suffix,
        span: Span,
    ) -> Typed {
        let SuffixKind::Drawn(without) = &suffix.kind else { return unknown(span) };
        let single = matches!(base.kind, ExprKind::Dice { count: None, .. });
        let dice = self.expression(scope, base, None);
        let face = match &dice.ty {
            Type::Pool(_) => Type::Number,
            Type::List(face) if !single => (**face).clone(),
            other => other.clone(),
        };
        let gone: Vec<Option<Core>> =
            without.iter().map(|gone| self.gone(scope, gone, &face)).collect();
        let (Some(without), false) = (gone.into_iter().collect(), dice.ty == Type::Unknown) else {
            return unknown(span);
        };
        let ty = match dice.ty {
            Type::Pool(pool) => Type::Pool(PoolType { drawn: true, ..pool }),
            other => other,
        };
        let words = astragal_syntax::suffix_words(&suffix.kind);
        let kind = Kind::Drawn { dice: Box::new(dice.expr), without, words };
        Typed { expr: Core { kind, span }, ty }
    }

    /// What is out of a bag with such faces: dice on the table, or a list of faces.
    fn gone(&mut self, scope: &Scope<'t>, gone: &'t Expr, face: &Type) -> Option<Core> {
        if matches!(face, Type::Record(_)) {
            self.report(errors::sum_of_records(gone.span));
            return None;
        }
        let want = Want::Plain(Type::List(Box::new(face.clone())));
        let typed = self.expression(scope, gone, Some(&want));
        match (&typed.ty, face) {
            (Type::Unknown, _) => None,
            (Type::Pool(pool), Type::Number) if pool.marked => {
                self.report(errors::marks_in_bag(gone.span));
                None
            }
            (Type::Pool(_), Type::Number) => Some(typed.expr),
            (Type::List(_), _) => {
                Some(self.coerce(typed, &want, gone.span, "what is out of the bag".into()).expr)
            }
            (other, _) => {
                self.report(errors::not_in_bags(gone.span, other));
                None
            }
        }
    }
}
