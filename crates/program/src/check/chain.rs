//! Chains: `a + b - c`, `a and b and c`, `a or b or c`.
//!
//! A long one is a tree that leans to the left, one level higher with each operator. Nobody nested anything, so it must not
//! cost stack as if somebody had: its members are checked one after the other, and a chain of more than a few
//! is put together in halves, so that a thousand members make ten levels. Members keep their order, so that dice are
//! thrown as they are written.
//!
//! ```text
//! a - b + c - d   =   (a - b) + (c - d)         a + b - c + d   =   (a + b) - (c - d)
//! ```

use astragal_syntax::span::Span;
use astragal_syntax::tree::{BinaryOp, Expr, ExprKind};

use super::operator::{logic, operation};
use super::{Checker, Typed, constant, unknown};
use crate::core::{Expr as Core, Op, Value};
use crate::errors;
use crate::scope::Scope;
use crate::types::Type;
use crate::want::Want;

/// Chains of so many members stay as they are written.
const FEW: usize = 16;

/// An operator with what stands at its right.
struct Link<'t> {
    op: BinaryOp,
    member: &'t Expr,
    /// From the beginning of the chain to the end of the member.
    span: Span,
}

/// The first member of a chain that ends with `last`, and the links after it in order.
fn unchained<'t>(
    mut first: &'t Expr,
    last: Link<'t>,
    same: fn(BinaryOp) -> bool,
) -> (&'t Expr, Vec<Link<'t>>) {
    let mut links = vec![last];
    while let ExprKind::Binary(op, left, right) = &first.kind
        && same(*op)
    {
        links.push(Link { op: *op, member: right, span: first.span });
        first = left;
    }
    links.reverse();
    (first, links)
}

impl<'t> Checker<'t> {
    /// `a + b - c`: numbers, or records field by field.
    #[inline(never)]
    pub(super) fn sum(
        &mut self,
        scope: &Scope<'t>,
        op: BinaryOp,
        left: &'t Expr,
        right: &'t Expr,
        span: Span,
    ) -> Typed {
        let additive = |op| matches!(op, BinaryOp::Add | BinaryOp::Subtract);
        let (first, links) = unchained(left, Link { op, member: right, span }, additive);
        if let Some(refused) =
            links.first().and_then(|link| self.negative_sides(scope, first, link))
        {
            return refused;
        }
        let want = Want::Plain(Type::Number);
        let mut terms = vec![(op, self.expression(scope, first, Some(&want)), first.span)];
        for link in &links {
            if self.spend(link.span).is_none() {
                return unknown(span);
            }
            let term = self.expression(scope, link.member, Some(&want));
            terms.push((link.op, term, link.member.span));
        }
        if terms.iter().any(|(_, term, _)| matches!(term.ty, Type::Record(_))) {
            return self.sum_of_records(terms, span);
        }
        // Who stands at its right has to fit the sign; the first stands at the left of the second.
        let signs = links.iter().map(|link| link.op);
        let signs: Vec<BinaryOp> =
            links.first().map(|link| link.op).into_iter().chain(signs).collect();
        let members = terms.into_iter().zip(signs).map(|((op, term, place), sign)| {
            let expr = self.coerce(term, &want, place, symbol(sign).into()).expr;
            Member { op, expr, span: place }
        });
        let members = members.collect();
        Typed { expr: halves(members, span), ty: Type::Number }
    }

    /// One after the other: each pair of records is a record of its own.
    fn sum_of_records(&mut self, terms: Vec<(BinaryOp, Typed, Span)>, span: Span) -> Typed {
        let mut terms = terms.into_iter();
        let Some((_, mut sum, mut place)) = terms.next() else { return unknown(span) };
        for (sign, term, at) in terms {
            let whole = Span { end: at.end, ..place };
            self.lengthen(whole);
            sum = self.sum_of_two(sign, (sum, place), (term, at), whole);
            place = whole;
        }
        sum
    }

    fn sum_of_two(
        &mut self,
        sign: BinaryOp,
        (left, a): (Typed, Span),
        (right, b): (Typed, Span),
        span: Span,
    ) -> Typed {
        match (&left.ty, &right.ty) {
            (Type::Record(_), Type::Record(_)) => {
                let op = if sign == BinaryOp::Subtract { Op::Subtract } else { Op::Add };
                self.field_by_field(op, left, right, span)
            }
            (Type::Record(_), Type::Unknown) | (Type::Unknown, Type::Record(_)) => unknown(span),
            _ => {
                let want = Want::Plain(Type::Number);
                let left = self.coerce(left, &want, a, symbol(sign).into()).expr;
                let right = self.coerce(right, &want, b, symbol(sign).into()).expr;
                Typed { expr: joined(sign, left, right, span), ty: Type::Number }
            }
        }
    }

    /// `a and b and c`: what is at the right only where all at the left hold; with `or`, only where none does.
    #[inline(never)]
    pub(super) fn truths(
        &mut self,
        scope: &Scope<'t>,
        op: BinaryOp,
        left: &'t Expr,
        right: &'t Expr,
        span: Span,
    ) -> Typed {
        let all = op == BinaryOp::And;
        let same = if all { |op| op == BinaryOp::And } else { |op| op == BinaryOp::Or };
        let (first, links) = unchained(left, Link { op, member: right, span }, same);
        let expr = self.truth(scope, first, symbol(op));
        let mut members = vec![Member { op, expr, span: first.span }];
        let mut within = self.narrowed(scope, first, all);
        for Link { member, span, .. } in links {
            if self.spend(span).is_none() {
                return unknown(span);
            }
            let expr = self.truth(&within, member, symbol(op));
            within = self.narrowed(&within, member, all);
            members.push(Member { op, expr, span: member.span });
        }
        Typed { expr: halves(members, span), ty: Type::Bool }
    }

    /// `d-6`
    fn negative_sides(
        &mut self,
        scope: &Scope<'t>,
        first: &'t Expr,
        link: &Link<'t>,
    ) -> Option<Typed> {
        let (ExprKind::Name(name), ExprKind::Number(sides)) = (&first.kind, &link.member.kind)
        else {
            return None;
        };
        let refused = link.op == BinaryOp::Subtract
            && name.eq_ignore_ascii_case("d")
            && self.is_unheard_of(scope, name);
        refused.then(|| self.wrong(errors::negative_sides(link.span, sides)))
    }
}

/// A member that was checked, and what is done with it; what the first one has there is of no matter.
struct Member {
    op: BinaryOp,
    expr: Core,
    span: Span,
}

/// The members of a chain in one expression. `span` is that of the whole.
fn halves(mut members: Vec<Member>, span: Span) -> Core {
    if members.len() <= FEW {
        return in_a_row(members, span);
    }
    let mut second = members.split_off(members.len() / 2);
    let (op, begin) =
        second.first().map_or((BinaryOp::Add, span.start), |it| (it.op, it.span.start));
    if op == BinaryOp::Subtract {
        second.iter_mut().for_each(|member| member.op = opposite(member.op));
    }
    let end = members.last().map_or(span.end, |member| member.span.end);
    let first = halves(members, Span { end, ..span });
    let second = halves(second, Span { start: begin, ..span });
    joined(op, first, second, span)
}

fn in_a_row(members: Vec<Member>, span: Span) -> Core {
    let nothing = constant(Value::Bool(true), span);
    let mut members = members.into_iter();
    let first = members.next().map_or(nothing, |member| member.expr);
    members.fold(first, |left, Member { op, expr, span: place }| {
        joined(op, left, expr, Span { end: place.end, ..span })
    })
}

fn opposite(sign: BinaryOp) -> BinaryOp {
    if sign == BinaryOp::Subtract { BinaryOp::Add } else { BinaryOp::Subtract }
}

fn joined(op: BinaryOp, left: Core, right: Core, span: Span) -> Core {
    let truth = |truth| constant(Value::Bool(truth), span);
    let typed = match op {
        BinaryOp::And => logic(left, right, truth(false), span),
        BinaryOp::Or => logic(left, truth(true), right, span),
        BinaryOp::Subtract => operation(Op::Subtract, vec![left, right], Type::Number, span),
        _ => operation(Op::Add, vec![left, right], Type::Number, span),
    };
    typed.expr
}

/// How the operator is named where a member does not fit it.
fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::And => "`and`",
        BinaryOp::Or => "`or`",
        BinaryOp::Subtract => "`-`",
        _ => "`+`",
    }
}
