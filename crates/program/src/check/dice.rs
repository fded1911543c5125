//! Dice, custom faces, groups.

use std::ops::RangeInclusive;
use std::sync::Arc;

use astragal_syntax::span::Span;
use astragal_syntax::tree::{BinaryOp, Expr, ExprKind, Face as WrittenFace, Sides, UnaryOp};
use astragal_value::Number;

use super::expression::settle;
use super::operator::operation;
use super::record::all_fields;
use super::{Checker, Typed, constant, unknown};
use crate::core::{Die, Expr as Core, Face, Kind, Op, RecordShape, Value};
use crate::errors;
use crate::scope::Scope;
use crate::types::{PoolType, RecordType, Type};
use crate::want::{Want, join};

/// Dice that have just been thrown.
pub(super) const FRESH: PoolType =
    PoolType { fixed: false, totals: false, drawn: false, marked: false };

impl<'t> Checker<'t> {
    /// `4d6`, `d%`, `(n)d(s)`, `d{1,1,2}`
    #[inline(never)]
    pub(super) fn dice(
        &mut self,
        scope: &Scope<'t>,
        count: Option<&'t Expr>,
        sides: &'t Sides,
        span: Span,
        want: Option<&Want<'t>>,
    ) -> Typed {
        let number = count.map(|count| self.number(scope, count, "a count of dice"));
        let die = match sides {
            Sides::Number(digits) => match Number::parse(digits) {
                Ok(sides) => Die::Sides(Box::new(constant(Value::Number(sides), span))),
                Err(_) => return self.wrong(errors::literal_too_large(span)),
            },
            Sides::Percent => Die::Percent,
            Sides::Fate => Die::Fate,
            Sides::Computed(sides) => {
                Die::Sides(Box::new(self.number(scope, sides, "the sides of a die")))
            }
            Sides::Faces(faces) => match self.faces(scope, faces, span, want) {
                Some((faces, Type::Number)) => Die::Faces(faces),
                Some((faces, Type::Record(fields))) => return tally(number, faces, &fields, span),
                Some((faces, ty)) => return symbols(number, faces, ty, span),
                None => return unknown(span),
            },
        };
        let count = number.unwrap_or_else(|| constant(Value::whole(1), span));
        let kind = Kind::Dice { count: Box::new(count), die };
        Typed { expr: Core { kind, span }, ty: Type::Pool(FRESH) }
    }

    /// The faces of a custom die and their common type.
    fn faces(
        &mut self,
        scope: &Scope<'t>,
        faces: &'t [WrittenFace],
        span: Span,
        want: Option<&Want<'t>>,
    ) -> Option<(Vec<Face>, Type)> {
        let want = want.map(|want| match want.inner() {
            Want::List(item) => &**item,
            other => other,
        });
        let want = want.filter(|want| want.enumeration().is_some() || want.is_unknown());
        if let Some(names) = self.bare_names(scope, faces, want) {
            self.report(errors::bare_faces(span, &names));
            return None;
        }
        let mut ty = Type::Unknown;
        let mut list = Vec::new();
        for face in faces {
            if let ExprKind::Range(from, to) = &face.value.kind {
                let Some(numbers) = numbers_of(from, to) else {
                    self.report(errors::range_of_faces(face.value.span));
                    return None;
                };
                if join(&ty, &Type::Number).is_none() {
                    self.report(errors::mixed_faces(face.value.span, &Type::Number, &ty));
                    return None;
                }
                ty = Type::Number;
                self.range_of_faces(scope, face, numbers, &mut list);
                continue;
            }
            let value = self.value(scope, &face.value, want);
            match all_fields(&ty, &value.ty).or_else(|| join(&ty, &value.ty)) {
                Some(joined) => ty = joined,
                None => {
                    self.report(errors::mixed_faces(face.value.span, &value.ty, &ty));
                    return None;
                }
            }
            let weight = match &face.weight {
                Some(weight) => self.number(scope, weight, "a weight"),
                None => constant(Value::whole(1), face.value.span),
            };
            list.push((value, weight));
        }
        let same = |(value, weight): (Typed, Core)| Face { value: value.expr, weight };
        match ty {
            Type::Number | Type::Text | Type::Enum(_) => {
                Some((list.into_iter().map(same).collect(), ty))
            }
            Type::Unknown => None,
            Type::Record(ref record) if is_of_numbers(record) => {
                let widened = |(value, weight)| Face { value: self.widened(value, record), weight };
                Some((list.into_iter().map(widened).collect(), ty))
            }
            other => {
                self.report(errors::bad_faces(span, &other));
                None
            }
        }
    }

    /// `1..13: 4` among faces: each number, with that weight.
    fn range_of_faces(
        &mut self,
        scope: &Scope<'t>,
        face: &'t WrittenFace,
        numbers: RangeInclusive<i64>,
        list: &mut Vec<(Typed, Core)>,
    ) {
        let span = face.value.span;
        let mut known: Option<Core> = None;
        for number in numbers {
            let weight = match (&known, &face.weight) {
                (Some(known), _) => known.clone(),
                (None, Some(weight)) => self.number(scope, weight, "a weight"),
                (None, None) => constant(Value::whole(1), span),
            };
            // What is computed is computed for each.
            known = matches!(weight.kind, Kind::Constant(_)).then(|| weight.clone());
            let value = constant(Value::whole(number), span);
            list.push((Typed { expr: value, ty: Type::Number }, weight));
        }
    }

    /// Faces that are names and mean nothing, if all faces are: `d{hit, miss}`.
    fn bare_names(
        &self,
        scope: &Scope<'t>,
        faces: &'t [WrittenFace],
        want: Option<&Want<'t>>,
    ) -> Option<Vec<&'t str>> {
        let bare = |face: &'t WrittenFace| match &face.value.kind {
            ExprKind::Name(name) if self.is_unheard_of(scope, name) => Some(name.as_str()),
            _ => None,
        };
        faces.iter().map(bare).collect::<Option<Vec<_>>>().filter(|_| want.is_none())
    }

    /// `{2d20, d12}`: each member is one die; `{2d6 + d8}`: loose dice.
    #[inline(never)]
    pub(super) fn group(&mut self, scope: &Scope<'t>, members: &'t [Expr], span: Span) -> Typed {
        if let [only] = members {
            return self.single_member(scope, only, span);
        }
        let numbers = members
            .iter()
            .map(|member| self.number(scope, member, "a member of a group"))
            .collect();
        gather(numbers, span)
    }

    fn single_member(&mut self, scope: &Scope<'t>, member: &'t Expr, span: Span) -> Typed {
        let mut terms = Vec::new();
        summands(member, &mut terms);
        if terms.len() > 1
            && let Some(label) = terms.iter().find(|term| is_labelled_die(term))
        {
            return self.wrong(errors::label_in_pool(label.span));
        }
        let values: Vec<Typed> =
            terms.iter().map(|term| self.expression(scope, term, None)).collect();
        if values.iter().any(|value| value.ty == Type::Unknown) {
            return unknown(span);
        }
        let mut flags = Some(FRESH);
        for value in &values {
            flags = match (flags, &value.ty) {
                (Some(flags), Type::Pool(pool)) if !pool.marked || values.len() == 1 => {
                    Some(PoolType {
                        fixed: flags.fixed || pool.fixed,
                        totals: flags.totals || pool.totals,
                        drawn: flags.drawn || pool.drawn,
                        marked: flags.marked || pool.marked,
                    })
                }
                _ => None,
            };
        }
        if let Some(flags) = flags {
            let pools = values.into_iter().map(|value| value.expr).collect();
            return Typed { expr: Core { kind: Kind::Merge(pools), span }, ty: Type::Pool(flags) };
        }
        let mut sum: Option<Core> = None;
        for (value, term) in values.into_iter().zip(&terms) {
            let want = Want::Plain(Type::Number);
            let number =
                self.coerce(settle(value), &want, term.span, "a member of a group".into()).expr;
            sum = Some(match sum {
                Some(sum) => operation(Op::Add, vec![sum, number], Type::Number, member.span).expr,
                None => number,
            });
        }
        gather(sum.into_iter().collect(), span)
    }
}

/// The most faces that a range may stand for.
const MOST_FACES: i64 = 1000;

/// The whole numbers of a range between two plain numbers, if it is not too long.
fn numbers_of(from: &Expr, to: &Expr) -> Option<RangeInclusive<i64>> {
    let (from, to) = (plain_number(from)?, plain_number(to)?);
    (to.checked_sub(from)? < MOST_FACES && from <= to).then_some(from..=to)
}

fn plain_number(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Number(digits) => digits.parse().ok(),
        ExprKind::Unary(UnaryOp::Negate, inner) => plain_number(inner).and_then(i64::checked_neg),
        _ => None,
    }
}

fn gather(numbers: Vec<Core>, span: Span) -> Typed {
    let ty = Type::Pool(PoolType { totals: true, ..FRESH });
    Typed { expr: Core { kind: Kind::Gather(numbers), span }, ty }
}

/// Dice with faces that are not numbers.
fn symbols(count: Option<Core>, faces: Vec<Face>, ty: Type, span: Span) -> Typed {
    let ty = if count.is_some() { Type::List(Box::new(ty)) } else { ty };
    Typed { expr: Core { kind: Kind::Symbols { count: count.map(Box::new), faces }, span }, ty }
}

/// Dice with faces that are records of numbers.
fn tally(count: Option<Core>, faces: Vec<Face>, fields: &Arc<RecordType>, span: Span) -> Typed {
    let count = Box::new(count.unwrap_or_else(|| constant(Value::whole(1), span)));
    let shape =
        RecordShape { fields: fields.fields.iter().map(|(name, _)| name.clone()).collect() };
    let kind = Kind::Tally { count, shape: Arc::new(shape), faces };
    Typed { expr: Core { kind, span }, ty: Type::Record(Arc::clone(fields)) }
}

fn is_of_numbers(record: &RecordType) -> bool {
    let number = |ty: &Type| matches!(ty, Type::Number | Type::Unknown);
    !record.fields.is_empty() && record.fields.iter().all(|(_, ty)| number(ty))
}

/// The terms of a sum, left to right.
fn summands<'t>(expr: &'t Expr, terms: &mut Vec<&'t Expr>) {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Add, left, right) => {
            summands(left, terms);
            summands(right, terms);
        }
        _ => terms.push(expr),
    }
}

fn is_labelled_die(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Labelled { value, .. } => {
            matches!(value.kind, ExprKind::Dice { .. } | ExprKind::Suffixed { .. })
        }
        _ => false,
    }
}
