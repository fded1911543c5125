//! Operators: arithmetic on numbers, comparisons, truth.

use astragal_syntax::span::Span;
use astragal_syntax::tree::{BinaryOp, Comparison, Expr, ExprKind, Sides, SuffixKind, UnaryOp};
use astragal_value::Number;

use super::expression::{plain, settle};
use super::{Checker, Typed, unknown};
use crate::core::{Branch, Expr as Core, Kind, Op, Value};
use crate::errors;
use crate::scope::Scope;
use crate::types::Type;
use crate::want::{Want, join};

impl<'t> Checker<'t> {
    /// `-x`, `not x`
    #[inline(never)]
    pub(super) fn unary(
        &mut self,
        scope: &Scope<'t>,
        op: UnaryOp,
        operand: &'t Expr,
        span: Span,
    ) -> Typed {
        match op {
            UnaryOp::Negate => {
                let value = self.number(scope, operand, "`-`");
                if let Kind::Constant(Value::Number(number)) = &value.kind {
                    return plain(Value::Number(number.negate()), Type::Number, span);
                }
                operation(Op::Negate, vec![value], Type::Number, span)
            }
            UnaryOp::Not => {
                let value = self.truth(scope, operand, "`not`");
                operation(Op::Not, vec![value], Type::Bool, span)
            }
        }
    }

    /// `a + b`, `a >= b`, `a and b`
    #[inline(never)]
    pub(super) fn binary(
        &mut self,
        scope: &Scope<'t>,
        op: BinaryOp,
        left: &'t Expr,
        right: &'t Expr,
        span: Span,
    ) -> Typed {
        match op {
            BinaryOp::Add | BinaryOp::Subtract => self.sum(scope, op, left, right, span),
            BinaryOp::Multiply => self.arithmetic(scope, Op::Multiply, "`*`", left, right, span),
            BinaryOp::Divide => self.arithmetic(scope, Op::Divide, "`/`", left, right, span),
            BinaryOp::FloorDivide => {
                self.arithmetic(scope, Op::FloorDivide, "`//`", left, right, span)
            }
            BinaryOp::Remainder => self.arithmetic(scope, Op::Remainder, "`%`", left, right, span),
            BinaryOp::Power => self.arithmetic(scope, Op::Power, "`^`", left, right, span),
            BinaryOp::And | BinaryOp::Or => self.truths(scope, op, left, right, span),
            BinaryOp::Compare(Comparison::Equal) => {
                self.equality(scope, Op::Equal, left, right, span)
            }
            BinaryOp::Compare(Comparison::NotEqual) => {
                self.equality(scope, Op::NotEqual, left, right, span)
            }
            BinaryOp::Compare(how) => self.ordering(scope, how, left, right, span),
        }
    }

    fn arithmetic(
        &mut self,
        scope: &Scope<'t>,
        op: Op,
        what: &str,
        left: &'t Expr,
        right: &'t Expr,
        span: Span,
    ) -> Typed {
        let want = Want::Plain(Type::Number);
        let (a, b) = (left.span, right.span);
        let left = self.expression(scope, left, Some(&want));
        let right = self.expression(scope, right, Some(&want));
        let left = self.coerce(left, &want, a, what.into()).expr;
        let right = self.coerce(right, &want, b, what.into()).expr;
        operation(op, vec![left, right], Type::Number, span)
    }

    /// `==` and `!=`. A bare name or a text takes the enumeration of the other side.
    fn equality(
        &mut self,
        scope: &Scope<'t>,
        op: Op,
        left: &'t Expr,
        right: &'t Expr,
        span: Span,
    ) -> Typed {
        self.count_or_sum(left, right, Comparison::Equal, span);
        let (a, b) = if self.takes_type(scope, left) && !self.takes_type(scope, right) {
            let b = self.value(scope, right, None);
            (self.value(scope, left, Some(&Want::of(&b.ty))), b)
        } else {
            let a = self.value(scope, left, None);
            let want = Want::of(&a.ty);
            let b = self.value(scope, right, Some(&want));
            (a, b)
        };
        match join(&a.ty, &b.ty) {
            Some(ty) => {
                let want = Want::of(&ty);
                let a = self.coerce(a, &want, left.span, "this comparison".into()).expr;
                let b = self.coerce(b, &want, right.span, "this comparison".into()).expr;
                operation(op, vec![a, b], Type::Bool, span)
            }
            None => self.wrong(errors::incomparable(span, &a.ty, &b.ty)),
        }
    }

    /// Whether an expression means something only once its type is known.
    fn takes_type(&self, scope: &Scope<'t>, expr: &'t Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => !self.lookup(scope, name).is_some_and(|b| b.is_value()),
            ExprKind::Text(_) | ExprKind::None => true,
            ExprKind::Paren(inner) => self.takes_type(scope, inner),
            _ => false,
        }
    }

    /// `<`, `<=`, `>`, `>=`: numbers, or texts.
    fn ordering(
        &mut self,
        scope: &Scope<'t>,
        how: Comparison,
        left: &'t Expr,
        right: &'t Expr,
        span: Span,
    ) -> Typed {
        self.count_or_sum(left, right, how, span);
        let a = self.value(scope, left, None);
        let b = self.value(scope, right, None);
        let op = match how {
            Comparison::Less => Op::Less,
            Comparison::AtMost => Op::AtMost,
            Comparison::Greater => Op::Greater,
            Comparison::AtLeast => Op::AtLeast,
            Comparison::Equal => Op::Equal,
            Comparison::NotEqual => Op::NotEqual,
        };
        match (&a.ty, &b.ty) {
            (Type::Number, Type::Number)
            | (Type::Text, Type::Text)
            | (Type::Unknown, Type::Number | Type::Text | Type::Unknown)
            | (Type::Number | Type::Text, Type::Unknown) => {
                operation(op, vec![a.expr, b.expr], Type::Bool, span)
            }
            (Type::Number, Type::Text) | (Type::Text, Type::Number) => {
                self.wrong(errors::incomparable_order(span, &a.ty, &b.ty))
            }
            (Type::Number | Type::Text | Type::Unknown, other) => {
                self.wrong(errors::unordered(right.span, other))
            }
            (Type::List(item), Type::Number) if **item == Type::Number => {
                self.list_compared(left.span, span)
            }
            (other, _) => self.wrong(errors::unordered(left.span, other)),
        }
    }

    /// `[1, 2, 3] > 2`
    #[cold]
    #[inline(never)]
    fn list_compared(&mut self, list: Span, span: Span) -> Typed {
        let sources = &self.modules.sources;
        let asked = sources.slice(Span { start: list.end, ..span }).trim().to_owned();
        let written = sources.slice(list).to_owned();
        self.wrong(errors::list_compared(span, list, &written, &asked))
    }

    /// `10d10 >= 8` asks of the sum; perhaps the dice were meant.
    fn count_or_sum(&mut self, left: &Expr, right: &Expr, how: Comparison, span: Span) {
        let (Some((count, sides)), Some(value)) = (loose_dice(left), literal_number(right)) else {
            return;
        };
        if count < Number::from(2) || value < Number::ONE || value > sides {
            return;
        }
        if how == Comparison::NotEqual {
            return;
        }
        let sign = how.sign();
        let gap = Span { start: left.span.end, end: right.span.end, ..span };
        self.report(errors::count_or_sum(span, gap, &format!("cs{sign}{value}")));
    }

    /// `2d6[fire]`
    #[inline(never)]
    pub(super) fn labelled(
        &mut self,
        scope: &Scope<'t>,
        value: &'t Expr,
        label: &'t str,
        span: Span,
    ) -> Typed {
        let typed = settle(self.expression(scope, value, None));
        if typed.ty == Type::Unknown {
            return unknown(span);
        }
        let number = self.coerce(typed, &Want::Plain(Type::Number), value.span, "a label".into());
        label_of(number, label, span)
    }
}

/// A number under a label.
pub(super) fn label_of(number: Typed, label: &str, span: Span) -> Typed {
    let kind = Kind::Labelled { label: label.into(), value: Box::new(number.expr) };
    Typed { expr: Core { kind, span }, ty: Type::Number }
}

/// An operation.
pub(super) fn operation(op: Op, operands: Vec<Core>, ty: Type, span: Span) -> Typed {
    Typed { expr: Core { kind: Kind::Operation { op, operands }, span }, ty }
}

/// `and`, `or`: a branch that a reader does not see as one.
pub(super) fn logic(condition: Core, then: Core, otherwise: Core, span: Span) -> Typed {
    let kind = Kind::If {
        condition: Box::new(condition),
        then: Box::new(then),
        otherwise: Box::new(otherwise),
        origin: Branch::Logic,
    };
    Typed { expr: Core { kind, span }, ty: Type::Bool }
}

/// Count and sides of dice whose sum is not that of a few kept ones.
fn loose_dice(expr: &Expr) -> Option<(Number, Number)> {
    match &expr.kind {
        ExprKind::Paren(inner) => loose_dice(inner),
        ExprKind::Dice { count: Some(count), sides } => {
            let sides = match sides {
                Sides::Number(digits) => Number::parse(digits).ok()?,
                Sides::Percent => Number::from(100),
                Sides::Fate | Sides::Computed(_) | Sides::Faces(_) => return None,
            };
            Some((literal_number(count)?, sides))
        }
        ExprKind::Suffixed { pool, suffix } => match &suffix.kind {
            SuffixKind::Explode { .. } | SuffixKind::Reroll { .. } | SuffixKind::InAll { .. } => {
                loose_dice(pool)
            }
            _ => None,
        },
        _ => None,
    }
}

fn literal_number(expr: &Expr) -> Option<Number> {
    match &expr.kind {
        ExprKind::Number(digits) => Number::parse(digits).ok(),
        ExprKind::Paren(inner) => literal_number(inner),
        _ => None,
    }
}
