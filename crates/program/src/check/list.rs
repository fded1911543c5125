//! Lists and ranges.

use astragal_syntax::span::Span;
use astragal_syntax::tree::Expr;

use super::{Checker, Typed};
use crate::core::{Expr as Core, Kind, Op};
use crate::errors;
use crate::scope::Scope;
use crate::types::Type;
use crate::want::{Want, join};

impl<'t> Checker<'t> {
    /// `[4, 2]`
    #[inline(never)]
    pub(super) fn list(
        &mut self,
        scope: &Scope<'t>,
        items: &'t [Expr],
        span: Span,
        want: Option<&Want<'t>>,
    ) -> Typed {
        let wanted = match want.map(Want::inner) {
            Some(Want::List(item)) if !item.is_unknown() => Some(&**item),
            Some(Want::Plain(Type::Unknown)) => want,
            _ => None,
        };
        let mut ty = wanted.map_or(Type::Unknown, Want::ty);
        let mut values = Vec::new();
        for item in items {
            let typed = match wanted {
                Some(wanted) => self.expected(scope, item, wanted, "an item of this list".into()),
                None => self.value(scope, item, None),
            };
            match join(&ty, &typed.ty) {
                Some(joined) => ty = joined,
                None => {
                    self.report(errors::mixed_list(item.span, &typed.ty, &ty));
                    ty = Type::Unknown;
                }
            }
            values.push(typed);
        }
        let target = Want::of(&ty);
        let items = values
            .into_iter()
            .zip(items)
            .map(|(value, item)| self.coerce(value, &target, item.span, "an item".into()).expr)
            .collect();
        Typed { expr: Core { kind: Kind::List(items), span }, ty: Type::List(Box::new(ty)) }
    }

    /// `1..15`
    #[inline(never)]
    pub(super) fn range(
        &mut self,
        scope: &Scope<'t>,
        from: &'t Expr,
        to: &'t Expr,
        span: Span,
    ) -> Typed {
        let from = self.number(scope, from, "the start of a range");
        let to = self.number(scope, to, "the end of a range");
        let kind = Kind::Operation { op: Op::Range, operands: vec![from, to] };
        Typed { expr: Core { kind, span }, ty: Type::List(Box::new(Type::Number)) }
    }
}
