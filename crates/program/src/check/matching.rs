//! `match`: a chain of branches, and the proof that one of them is taken.
//!
//! ```text
//! match 2d6
//!   ..5 => "does not work"
//!   6..11 => "bad effect"
//!   12.. => "disaster"
//! end
//! ```
//!
//! These arms cover every whole number, so no `else` is needed; a fraction between them, such as 5.5,
//! is refused when it occurs.

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Arm, Expr, ExprKind, Name, Pattern, PatternKind};
use astragal_value::Number;

use super::name::{of_variant, variant};
use super::operator::{logic, operation};
use super::{Checker, Typed, after, constant, unknown};
use crate::core::{Branch, Expr as Core, Kind, Op, Value};
use crate::cover::{Cover, Extent, Piece};
use crate::errors;
use crate::scope::{Binding, Scope};
use crate::types::Type;
use crate::want::Want;

impl<'t> Checker<'t> {
    /// `match x … end`
    #[inline(never)]
    pub(super) fn matching(
        &mut self,
        scope: &Scope<'t>,
        subject: &'t Expr,
        arms: &'t [Arm],
        span: Span,
        want: Option<&Want<'t>>,
    ) -> Typed {
        let looked_at = self.value(scope, subject, None);
        let ty = looked_at.ty.clone();
        let mut steps = Vec::new();
        let value = self.keep(looked_at, None, &mut steps).expr;
        let mut cover = Cover::default();
        let (mut conditions, mut values, mut places) = (Vec::new(), Vec::new(), Vec::new());
        let mut complete = None;
        let chain = self.chain;
        for (number, arm) in arms.iter().enumerate() {
            if self.over_budget {
                return unknown(span);
            }
            conditions.push(self.arm_condition(scope, arm, &ty, &value, &mut cover));
            self.lengthen(arm.value.span);
            let inner = match &subject.kind {
                ExprKind::Name(name) if cover.none => self.without_none(scope, name),
                _ => scope.clone(),
            };
            values.push(self.expression(&inner, &arm.value, want));
            places.push(arm.value.span);
            if complete.is_none() && matches!(cover.extent(&ty), Extent::All) {
                complete = Some(number);
            }
        }
        self.chain = chain;
        if arms.is_empty() {
            return self.wrong(errors::no_arms(span));
        }
        let extent = cover.extent(&ty);
        if let Extent::Part(missing) = &extent {
            self.report(errors::not_exhaustive(subject.span, &ty, missing));
        }
        let (values, result) = self.together(values, &places, want);
        let mut arms: Vec<(Core, Core)> = conditions.into_iter().zip(values).collect();
        arms.truncate(complete.map_or(arms.len(), |last| last + 1));
        let chain = self.chain(arms, &value, extent, span);
        Typed { expr: after(steps, chain), ty: result }
    }

    /// The arms as branches; the last one is taken without a question if nothing is left.
    fn chain(
        &mut self,
        mut arms: Vec<(Core, Core)>,
        value: &Core,
        extent: Extent,
        span: Span,
    ) -> Core {
        let Some((condition, last)) = arms.pop() else { return unknown(span).expr };
        let end = match extent {
            Extent::All | Extent::Part(_) => last,
            Extent::WholeNumbers => {
                let words = constant(Value::text("no arm of the match fits "), span);
                let message =
                    operation(Op::Join, vec![words, value.clone()], Type::Text, span).expr;
                let kind = Kind::Require {
                    condition: Box::new(condition),
                    message: Box::new(message),
                    body: Box::new(last),
                };
                Core { kind, span }
            }
        };
        arms.into_iter().rev().fold(end, |otherwise, (condition, then)| {
            let span = then.span;
            let kind = Kind::If {
                condition: Box::new(condition),
                then: Box::new(then),
                otherwise: Box::new(otherwise),
                origin: Branch::Arm,
            };
            Core { kind, span }
        })
    }

    /// Whether the value fits any of an arm's patterns.
    fn arm_condition(
        &mut self,
        scope: &Scope<'t>,
        arm: &'t Arm,
        ty: &Type,
        value: &Core,
        cover: &mut Cover,
    ) -> Core {
        let mut fresh = false;
        let mut conditions = Vec::new();
        let chain = self.chain;
        for pattern in &arm.patterns {
            self.lengthen(pattern.span);
            if self.over_budget {
                break;
            }
            let before = cover.none;
            let Some((piece, condition)) = self.pattern(scope, pattern, ty, value, before) else {
                fresh = true;
                continue;
            };
            fresh |= cover.add(piece, ty);
            conditions.push(condition);
        }
        self.chain = chain;
        let span = arm.patterns.first().map_or(arm.value.span, |pattern| pattern.span);
        if !fresh {
            self.report(errors::unreachable_arm(span));
        }
        let yes = constant(Value::Bool(true), span);
        conditions
            .into_iter()
            .rev()
            .reduce(|rest, first| logic(first, yes.clone(), rest, span).expr)
            .unwrap_or(constant(Value::Bool(false), span))
    }

    /// What a pattern covers, and its condition. None if it does not fit the type.
    fn pattern(
        &mut self,
        scope: &Scope<'t>,
        pattern: &'t Pattern,
        ty: &Type,
        value: &Core,
        none_is_gone: bool,
    ) -> Option<(Piece, Core)> {
        let span = pattern.span;
        let inner = match ty {
            Type::Optional(inner) => inner,
            other => other,
        };
        let equal = |constant: Core| {
            operation(Op::Equal, vec![value.clone(), constant], Type::Bool, span).expr
        };
        let (piece, condition, wanted) = match &pattern.kind {
            PatternKind::Else => return Some((Piece::All, constant(Value::Bool(true), span))),
            PatternKind::None if let Some((piece, constant)) = none_variant(ty, span) => {
                (piece, equal(constant), ty.clone())
            }
            PatternKind::None => {
                if !matches!(ty, Type::Optional(_) | Type::Unknown) {
                    self.report(errors::pattern_misfit(span, ty));
                    return None;
                }
                return Some((Piece::None, equal(constant(Value::None, span))));
            }
            PatternKind::Number(digits) => {
                let number = self.bound_of(digits, span)?;
                let condition = equal(constant(Value::Number(number.clone()), span));
                (Piece::Range(Some(number.clone()), Some(number)), condition, Type::Number)
            }
            PatternKind::Range(from, to) => {
                let (piece, condition) = self.range_pattern(from, to, value, span)?;
                let guarded = matches!(ty, Type::Optional(_)) && !none_is_gone;
                (
                    piece,
                    if guarded { present(value, condition, span) } else { condition },
                    Type::Number,
                )
            }
            PatternKind::Text(text) => {
                let (piece, value) = self.text_pattern(text, inner, span)?;
                let wanted = if matches!(piece, Piece::Text(_)) { &Type::Text } else { inner };
                (piece, equal(value), wanted.clone())
            }
            PatternKind::Bool(truth) => {
                (Piece::Bool(*truth), equal(constant(Value::Bool(*truth), span)), Type::Bool)
            }
            PatternKind::Variant(path) => {
                let (index, of, condition) = self.variant_pattern(scope, path, inner, span)?;
                (Piece::Variant(index), equal(condition), of)
            }
        };
        if *inner != Type::Unknown && *inner != wanted {
            self.report(errors::pattern_misfit(span, ty));
            return None;
        }
        Some((piece, condition))
    }

    /// A text, or the variant it names where the value is of an enumeration.
    fn text_pattern(&mut self, text: &str, ty: &Type, span: Span) -> Option<(Piece, Core)> {
        let Type::Enum(of) = ty else {
            return Some((Piece::Text(text.into()), constant(Value::text(text), span)));
        };
        match variant(of, text) {
            Some(found) => Some((Piece::Variant(found.index), of_variant(found, span).expr)),
            None => {
                self.report(errors::unknown_variant(span, text, of));
                None
            }
        }
    }

    fn bound_of(&mut self, digits: &str, span: Span) -> Option<Number> {
        let (digits, negative) = match digits.strip_prefix('-') {
            Some(rest) => (rest.trim_start(), true),
            None => (digits, false),
        };
        match Number::parse(digits) {
            Ok(number) => Some(if negative { number.negate() } else { number }),
            Err(_) => {
                self.report(errors::literal_too_large(span));
                None
            }
        }
    }

    fn range_pattern(
        &mut self,
        from: &Option<String>,
        to: &Option<String>,
        value: &Core,
        span: Span,
    ) -> Option<(Piece, Core)> {
        let from = from.as_ref().map(|digits| self.bound_of(digits, span));
        let to = to.as_ref().map(|digits| self.bound_of(digits, span));
        let (from, to) =
            (from.map_or(Some(None), |n| n.map(Some))?, to.map_or(Some(None), |n| n.map(Some))?);
        if let (Some(from), Some(to)) = (&from, &to)
            && from > to
        {
            self.report(errors::empty_range(span));
            return None;
        }
        let side = |op: Op, bound: &Number| {
            let bound = constant(Value::Number(bound.clone()), span);
            operation(op, vec![value.clone(), bound], Type::Bool, span).expr
        };
        let above = from.as_ref().map(|bound| side(Op::AtLeast, bound));
        let below = to.as_ref().map(|bound| side(Op::AtMost, bound));
        let condition = match (above, below) {
            (Some(above), Some(below)) => {
                logic(above, below, constant(Value::Bool(false), span), span).expr
            }
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => constant(Value::Bool(true), span),
        };
        Some((Piece::Range(from, to), condition))
    }

    fn variant_pattern(
        &mut self,
        scope: &Scope<'t>,
        path: &'t [Name],
        ty: &Type,
        span: Span,
    ) -> Option<(u32, Type, Core)> {
        let (name, owner) = path.split_last()?;
        let of = if owner.is_empty() {
            match ty {
                Type::Enum(of) => of.clone(),
                Type::Unknown => return Some((u32::MAX, Type::Unknown, unknown(span).expr)),
                other => {
                    self.report(errors::name_pattern(span, &name.text, other));
                    return None;
                }
            }
        } else {
            match self.enumeration(scope, owner) {
                Some(Binding::Enumeration(of)) => of,
                _ => {
                    self.report(errors::unknown_type(span, owner, &[]));
                    return None;
                }
            }
        };
        match variant(&of, &name.text) {
            Some(found) => {
                let index = found.index;
                Some((index, Type::Enum(of), of_variant(found, span).expr))
            }
            None => {
                self.report(errors::unknown_variant(name.span, &name.text, &of));
                None
            }
        }
    }
}

/// The condition, asked only of a value that is not `none`.
fn present(value: &Core, condition: Core, span: Span) -> Core {
    let none = constant(Value::None, span);
    let there = operation(Op::NotEqual, vec![value.clone(), none], Type::Bool, span).expr;
    logic(there, condition, constant(Value::Bool(false), span), span).expr
}

/// `none` as the variant of that name.
fn none_variant(ty: &Type, span: Span) -> Option<(Piece, Core)> {
    let Type::Enum(of) = ty else { return None };
    let found = variant(of, "none")?;
    Some((Piece::Variant(found.index), of_variant(found, span).expr))
}
