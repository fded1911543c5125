//! `if`, and what a condition tells about optional values.

use astragal_syntax::span::Span;
use astragal_syntax::tree::{BinaryOp, Comparison, Expr, ExprKind, UnaryOp};

use super::expression::settle;
use super::{Checker, Typed};
use crate::core::{Branch, Expr as Core, Kind};
use crate::errors;
use crate::scope::{Binding, Scope, Variable};
use crate::types::Type;
use crate::want::{Want, join};

impl<'t> Checker<'t> {
    /// `if a then b else c`
    #[inline(never)]
    pub(super) fn conditional(
        &mut self,
        scope: &Scope<'t>,
        condition: &'t Expr,
        then: &'t Expr,
        otherwise: &'t Expr,
        span: Span,
        want: Option<&Want<'t>>,
    ) -> Typed {
        let tested = self.truth(scope, condition, "a condition");
        let yes = self.expression(&self.narrowed(scope, condition, true), then, want);
        let no = self.expression(&self.narrowed(scope, condition, false), otherwise, want);
        let places = [then.span, otherwise.span];
        let (mut branches, ty) = self.together(vec![yes, no], &places, want);
        let otherwise = Box::new(branches.pop().unwrap_or(tested.clone()));
        let then = Box::new(branches.pop().unwrap_or(tested.clone()));
        let condition = Box::new(tested);
        let kind = Kind::If { condition, then, otherwise, origin: Branch::If };
        Typed { expr: Core { kind, span }, ty }
    }

    /// Values of which one is taken, brought to one type: their common one, or else what is wanted.
    pub(super) fn together(
        &mut self,
        values: Vec<Typed>,
        places: &[Span],
        want: Option<&Want<'t>>,
    ) -> (Vec<Core>, Type) {
        let mut ty = Type::Unknown;
        for (value, place) in values.iter().zip(places) {
            match join(&ty, &value.ty) {
                Some(joined) => ty = joined,
                None => {
                    ty = match want.filter(|want| !want.is_unknown()) {
                        Some(want) => want.ty(),
                        None => {
                            let first = places.first().copied().unwrap_or(*place);
                            self.report(errors::branches_differ(*place, &value.ty, first, &ty));
                            Type::Unknown
                        }
                    };
                    break;
                }
            }
        }
        let all_pools = matches!(ty, Type::Pool(_));
        let target = match want {
            Some(want) if want.ty() == ty => want.clone(),
            _ => Want::of(&ty),
        };
        let exprs = values
            .into_iter()
            .zip(places)
            .map(|(value, place)| {
                let value = if all_pools { value } else { settle(value) };
                self.coerce(value, &target, *place, "this branch".into()).expr
            })
            .collect();
        (exprs, ty)
    }

    /// The scope where the condition holds, or does not: names that are then not `none` have a value.
    pub(super) fn narrowed(
        &self,
        scope: &Scope<'t>,
        condition: &'t Expr,
        holds: bool,
    ) -> Scope<'t> {
        let mut names = Vec::new();
        present(condition, holds, &mut names);
        names.into_iter().fold(scope.clone(), |scope, name| self.without_none(&scope, name))
    }

    /// The scope where a name is known not to be `none`.
    pub(super) fn without_none(&self, scope: &Scope<'t>, name: &'t str) -> Scope<'t> {
        match scope.get(name) {
            Some(Binding::Variable(Variable {
                frame,
                id,
                ty: Type::Optional(inner),
                declared,
            })) => {
                let ty = (**inner).clone();
                let (frame, id, declared) = (*frame, *id, *declared);
                scope.with(name, Binding::Variable(Variable { frame, id, ty, declared }))
            }
            _ => scope.clone(),
        }
    }
}

/// The names that are not `none` if the condition holds, or does not.
fn present<'t>(condition: &'t Expr, holds: bool, names: &mut Vec<&'t str>) {
    match &condition.kind {
        ExprKind::Paren(inner) => present(inner, holds, names),
        ExprKind::Unary(UnaryOp::Not, inner) => present(inner, !holds, names),
        ExprKind::Binary(BinaryOp::And, a, b) if holds => {
            present(a, true, names);
            present(b, true, names);
        }
        ExprKind::Binary(BinaryOp::Or, a, b) if !holds => {
            present(a, false, names);
            present(b, false, names);
        }
        ExprKind::Binary(BinaryOp::Compare(how), a, b) => {
            let differs = match how {
                Comparison::NotEqual => holds,
                Comparison::Equal => !holds,
                _ => return,
            };
            match (&a.kind, &b.kind) {
                (ExprKind::Name(name), ExprKind::None) | (ExprKind::None, ExprKind::Name(name))
                    if differs =>
                {
                    names.push(name);
                }
                _ => {}
            }
        }
        _ => {}
    }
}
