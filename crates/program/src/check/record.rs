//! Records and their fields.

use std::sync::Arc;

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Expr, ExprKind, Name};

use super::{Checker, Step, Typed, after, constant, unknown};
use crate::core::{Expr as Core, Kind, Op, RecordShape, Value};
use crate::errors;
use crate::scope::Scope;
use crate::types::{RecordType, Type};
use crate::want::{Asker, Want, WantField, join, record_type};

/// How many fields a record may have, with those of the records in it. Types are compared and told field by field.
const MOST_FIELDS: usize = 6_000;

/// Takes the fields of a type from those that are left; false if there are too few.
fn fits(ty: &Type, left: &mut usize) -> bool {
    let Some(less) = left.checked_sub(1) else { return false };
    *left = less;
    match ty {
        Type::List(item) | Type::Optional(item) => fits(item, left),
        Type::Record(record) => record.fields.iter().all(|(_, ty)| fits(ty, left)),
        _ => true,
    }
}

impl<'t> Checker<'t> {
    /// `{total: 12, success: true}`
    #[inline(never)]
    pub(super) fn record(
        &mut self,
        scope: &Scope<'t>,
        fields: &'t [(Name, Expr)],
        span: Span,
        want: Option<&Want<'t>>,
    ) -> Typed {
        for (number, (name, _)) in fields.iter().enumerate() {
            let earlier = fields.get(..number).unwrap_or_default();
            if earlier.iter().any(|(other, _)| other.text == name.text) {
                return self.wrong(errors::duplicate_field(name));
            }
        }
        match want.map(Want::inner) {
            Some(Want::Record(wanted)) => self.wanted_record(scope, fields, wanted, span),
            Some(Want::Plain(Type::Unknown)) => self.free_record(scope, fields, span, want),
            _ => self.free_record(scope, fields, span, None),
        }
    }

    fn free_record(
        &mut self,
        scope: &Scope<'t>,
        fields: &'t [(Name, Expr)],
        span: Span,
        want: Option<&Want<'t>>,
    ) -> Typed {
        let values = fields.iter().map(|(name, value)| {
            let name: Arc<str> = name.text.as_str().into();
            (name, self.value(scope, value, want))
        });
        let values: Vec<(Arc<str>, Typed)> = values.collect();
        self.bounded_record(values, span)
    }

    /// A record, unless it has too many fields in all: `{a: x, b: x}` has twice those of `x`.
    fn bounded_record(&mut self, values: Vec<(Arc<str>, Typed)>, span: Span) -> Typed {
        let mut left = MOST_FIELDS;
        if values.iter().any(|(_, typed)| !fits(&typed.ty, &mut left)) {
            return self.wrong(errors::too_many_fields(span));
        }
        made_record(values, span)
    }

    /// A literal where a record type is expected: defaults fill in, unknown fields are refused.
    fn wanted_record(
        &mut self,
        scope: &Scope<'t>,
        fields: &'t [(Name, Expr)],
        wanted: &[WantField<'t>],
        span: Span,
    ) -> Typed {
        let mut given: Vec<(usize, Typed)> = Vec::new();
        let mut fine = true;
        for (name, value) in fields {
            let Some(place) = wanted.iter().position(|field| *field.name == *name.text) else {
                let known: Vec<&str> = wanted.iter().map(|field| &*field.name).collect();
                self.report(errors::unknown_field(name, known));
                self.expression(scope, value, Some(&Want::Plain(Type::Unknown)));
                fine = false;
                continue;
            };
            let Some(field) = wanted.get(place) else { continue };
            let asker = Asker::Named(&field.name);
            given.push((place, self.expected(scope, value, &field.want, asker)));
        }
        let mut steps: Vec<(Step, Span)> = Vec::new();
        if !given.is_sorted_by_key(|(place, _)| *place) {
            given = given
                .into_iter()
                .map(|(place, typed)| (place, self.keep(typed, None, &mut steps)))
                .collect();
            given.sort_by_key(|(place, _)| *place);
        }
        let mut values = Vec::new();
        let mut given = given.into_iter().peekable();
        for (place, field) in wanted.iter().enumerate() {
            let typed = match given.next_if(|(number, _)| *number == place) {
                Some((_, typed)) => typed,
                None => match self.field_default(field) {
                    Some(typed) => typed,
                    None if fine => {
                        self.wrong(errors::missing_field(span, "this record".into(), &field.name))
                    }
                    None => unknown(span),
                },
            };
            values.push((field.name.clone(), typed));
        }
        let record = self.bounded_record(values, span);
        Typed { expr: after(steps, record.expr), ty: record.ty }
    }

    /// A record with all these fields, 0 where it lacks one.
    pub(super) fn widened(&mut self, value: Typed, wanted: &RecordType) -> Core {
        let span = value.expr.span;
        let mut steps = Vec::new();
        let plain = match (&value.expr.kind, &value.ty) {
            (_, Type::Record(own)) if **own == *wanted => return value.expr,
            (Kind::Record { fields, .. }, _) => {
                fields.iter().all(|field| matches!(field.kind, Kind::Constant(_)))
            }
            _ => false,
        };
        let whole = if plain { value } else { self.keep(value, None, &mut steps) };
        let field = |(name, _): &(Arc<str>, Type)| {
            let found = match &whole.expr.kind {
                Kind::Record { shape, fields } => {
                    let place = shape.fields.iter().position(|field| field == name);
                    place.and_then(|place| fields.get(place).cloned())
                }
                _ => field_of(&whole, name, span),
            };
            found.unwrap_or_else(|| constant(Value::whole(0), span))
        };
        let shape = RecordShape { fields: wanted.fields.iter().map(|(n, _)| n.clone()).collect() };
        let fields = wanted.fields.iter().map(field).collect();
        after(steps, Core { kind: Kind::Record { shape: Arc::new(shape), fields }, span })
    }

    /// `{hits: 1} + {hits: 2, glory: 1}`: field by field; a field that one lacks counts 0.
    pub(super) fn field_by_field(
        &mut self,
        op: Op,
        left: Typed,
        right: Typed,
        span: Span,
    ) -> Typed {
        let Some(Type::Record(all)) = all_fields(&left.ty, &right.ty) else {
            return self.wrong(errors::record_sum(span, op, &left.ty, &right.ty));
        };
        let number = |ty: &Type| matches!(ty, Type::Number | Type::Unknown);
        if !all.fields.iter().all(|(_, ty)| number(ty)) {
            return self.wrong(errors::record_sum(span, op, &left.ty, &right.ty));
        }
        let mut steps = Vec::new();
        let left = self.keep(left, None, &mut steps);
        let right = self.keep(right, None, &mut steps);
        let sum = |(name, _): &(Arc<str>, Type)| {
            let (a, b) = (field_of(&left, name, span), field_of(&right, name, span));
            let expr = match (a, b) {
                (Some(a), None) => a,
                (None, Some(b)) if op == Op::Add => b,
                (a, b) => {
                    let zero = || constant(Value::whole(0), span);
                    let operands = vec![a.unwrap_or_else(zero), b.unwrap_or_else(zero)];
                    Core { kind: Kind::Operation { op, operands }, span }
                }
            };
            (name.clone(), Typed { expr, ty: Type::Number })
        };
        let record = made_record(all.fields.iter().map(sum).collect(), span);
        Typed { expr: after(steps, record.expr), ty: record.ty }
    }

    /// `r.total`
    pub(super) fn record_field(
        &mut self,
        scope: &Scope<'t>,
        base: &'t Expr,
        name: &'t Name,
        span: Span,
    ) -> Typed {
        if let ExprKind::Name(owner) = &base.kind
            && self.is_unheard_of(scope, owner)
        {
            self.unknown_owner(scope, owner, base.span);
            return unknown(span);
        }
        let record = self.expression(scope, base, None);
        match &record.ty {
            Type::Unknown => unknown(span),
            Type::Record(ty) => {
                let found =
                    ty.fields.iter().enumerate().find(|(_, (field, _))| **field == *name.text);
                match found {
                    Some((index, (_, ty))) => {
                        let ty = ty.clone();
                        let kind = Kind::Field { record: Box::new(record.expr), index };
                        Typed { expr: Core { kind, span }, ty }
                    }
                    None => {
                        let known: Vec<&str> = ty.fields.iter().map(|(name, _)| &**name).collect();
                        self.wrong(errors::unknown_field(name, known))
                    }
                }
            }
            Type::Optional(_) => self.wrong(errors::field_of_optional(name)),
            other => {
                let diagnostic = errors::no_fields(name, other);
                self.wrong(diagnostic)
            }
        }
    }
}

/// The type of records that have the fields of both, in the order of their first mention; none if
/// these are no records or a field has two types.
pub(super) fn all_fields(a: &Type, b: &Type) -> Option<Type> {
    let (Type::Record(a), Type::Record(b)) = (a, b) else { return None };
    let mut fields = a.fields.clone();
    for (name, ty) in &b.fields {
        match fields.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = join(known, ty)?,
            None => fields.push((name.clone(), ty.clone())),
        }
    }
    Some(record_type(fields))
}

/// The field of this name; none if it is not there.
fn field_of(record: &Typed, name: &str, span: Span) -> Option<Core> {
    let Type::Record(ty) = &record.ty else { return None };
    let index = ty.fields.iter().position(|(field, _)| **field == *name)?;
    let kind = Kind::Field { record: Box::new(record.expr.clone()), index };
    Some(Core { kind, span })
}

/// A record of these fields.
pub(super) fn made_record(values: Vec<(Arc<str>, Typed)>, span: Span) -> Typed {
    let ty = record_type(values.iter().map(|(name, typed)| (name.clone(), typed.ty.clone())));
    let shape = RecordShape { fields: values.iter().map(|(name, _)| name.clone()).collect() };
    let fields = values.into_iter().map(|(_, typed)| typed.expr).collect();
    Typed { expr: Core { kind: Kind::Record { shape: Arc::new(shape), fields }, span }, ty }
}
