//! The table of contents of the checker: one line for each form of expression.

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Expr, ExprKind};
use astragal_value::Number;

use super::name::{of_variant, variant};
use super::{Checker, Typed, constant, unknown};
use crate::core::{Expr as Core, Kind, Reading, Value};
use crate::errors;
use crate::scope::Scope;
use crate::types::Type;
use crate::want::{Asker, Want};

impl<'t> Checker<'t> {
    /// The expression as it stands. `want` guides literals and bare names; whoever wants something
    /// brings the result there with [`Checker::coerce`].
    pub(super) fn expression(
        &mut self,
        scope: &Scope<'t>,
        expr: &'t Expr,
        want: Option<&Want<'t>>,
    ) -> Typed {
        if self.spend(expr.span).is_none() {
            return unknown(expr.span);
        }
        self.depth += 1;
        let typed = self.form(scope, expr, want);
        self.depth -= 1;
        self.guesses += usize::from(matches!(typed.ty, Type::Unknown));
        typed
    }

    fn form(&mut self, scope: &Scope<'t>, expr: &'t Expr, want: Option<&Want<'t>>) -> Typed {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Number(digits) => self.number_literal(digits, span),
            ExprKind::Bool(truth) => plain(Value::Bool(*truth), Type::Bool, span),
            ExprKind::None => none(want, span),
            ExprKind::Text(text) => self.text(scope, text, want),
            ExprKind::Name(name) => self.name(scope, name, span, want),
            ExprKind::Field(base, name) => self.field(scope, expr, base, name),
            ExprKind::Call { function, arguments } => self.call(scope, function, arguments, span),
            ExprKind::List(items) => self.list(scope, items, span, want),
            ExprKind::Range(from, to) => self.range(scope, from, to, span),
            ExprKind::Record(fields) => self.record(scope, fields, span, want),
            ExprKind::Group(members) => self.group(scope, members, span),
            ExprKind::Dice { count, sides } => {
                self.dice(scope, count.as_deref(), sides, span, want)
            }
            ExprKind::Suffixed { .. } => self.suffixed(scope, expr),
            ExprKind::Labelled { value, label } => self.labelled(scope, value, label, span),
            ExprKind::Unary(op, operand) => self.unary(scope, *op, operand, span),
            ExprKind::Binary(op, left, right) => self.binary(scope, *op, left, right, span),
            ExprKind::If { condition, then, otherwise } => {
                self.conditional(scope, condition, then, otherwise, span, want)
            }
            ExprKind::Match { subject, arms } => self.matching(scope, subject, arms, span, want),
            ExprKind::Best { goal, value, aim } => {
                self.best(scope, (*goal, value, aim.as_deref()), span, want)
            }
            ExprKind::Choose { who, arms } => self.choice(scope, *who, arms, span, want),
            ExprKind::Pick { who, list } => self.pick(scope, *who, list, span, want),
            ExprKind::Block(block) => self.block(scope, block, span, want),
            ExprKind::Repeat(repeat) => self.repeat(scope, repeat, span),
            ExprKind::Given { value, condition } => self.given(scope, value, condition, span, want),
            ExprKind::Lambda { .. } => self.wrong(errors::function_as_value(span)),
            ExprKind::Paren(inner) => self.expression(scope, inner, want),
            ExprKind::Missing => unknown(span),
        }
    }

    #[inline(never)]
    fn number_literal(&mut self, digits: &str, span: Span) -> Typed {
        match Number::parse(digits) {
            Ok(number) => plain(Value::Number(number), Type::Number, span),
            Err(_) => self.wrong(errors::literal_too_large(span)),
        }
    }

    /// The expression, brought to what is wanted.
    pub(super) fn expected(
        &mut self,
        scope: &Scope<'t>,
        expr: &'t Expr,
        want: &Want<'t>,
        asker: Asker<'_>,
    ) -> Typed {
        let typed = self.expression(scope, expr, Some(want));
        self.coerce(typed, want, expr.span, asker)
    }

    /// The expression as a number; a pool is its sum.
    pub(super) fn number(&mut self, scope: &Scope<'t>, expr: &'t Expr, what: &str) -> Core {
        self.expected(scope, expr, &Want::Plain(Type::Number), what.into()).expr
    }

    /// The expression as a truth.
    pub(super) fn truth(&mut self, scope: &Scope<'t>, expr: &'t Expr, what: &str) -> Core {
        self.expected(scope, expr, &Want::Plain(Type::Bool), what.into()).expr
    }

    /// The expression as a value: a pool is its sum.
    pub(super) fn value(
        &mut self,
        scope: &Scope<'t>,
        expr: &'t Expr,
        want: Option<&Want<'t>>,
    ) -> Typed {
        settle(self.expression(scope, expr, want))
    }
}

/// A finished value.
pub(super) fn plain(value: Value, ty: Type, span: Span) -> Typed {
    Typed { expr: constant(value, span), ty }
}

/// A pool as its sum; anything else as it is.
pub(super) fn settle(typed: Typed) -> Typed {
    if !matches!(typed.ty, Type::Pool(_)) {
        return typed;
    }
    Typed { expr: total(typed.expr), ty: Type::Number }
}

/// The sum is read behind the steps that come before the dice, so that a name bound there may be a sum too.
fn total(expr: Core) -> Core {
    let Core { kind, span } = expr;
    let inner = |body: Box<Core>| Box::new(total(*body));
    let kind = match kind {
        Kind::Let { local, value, body } => Kind::Let { local, value, body: inner(body) },
        Kind::Require { condition, message, body } => {
            Kind::Require { condition, message, body: inner(body) }
        }
        Kind::Given { condition, body } => Kind::Given { condition, body: inner(body) },
        Kind::Note { message, body } => Kind::Note { message, body: inner(body) },
        kind => Kind::Read { pool: Box::new(Core { kind, span }), reading: Reading::Total },
    };
    Core { kind, span }
}

/// `none`: the absence of a value, or the variant of that name where its enumeration is expected.
fn none(want: Option<&Want<'_>>, span: Span) -> Typed {
    if let Some(Want::Plain(Type::Enum(of))) = want
        && let Some(found) = variant(of, "none")
    {
        return of_variant(found, span);
    }
    plain(Value::None, Type::Optional(Box::new(Type::Unknown)), span)
}
