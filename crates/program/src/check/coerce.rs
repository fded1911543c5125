//! Brings a value to the type that a place wants.

use std::sync::Arc;

use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::span::Span;

use super::expression::settle;
use super::{Checker, Step, Typed, after, constant};
use crate::core::{Expr, Kind, Op, RecordShape, Value};
use crate::errors;
use crate::types::{RecordType, Type};
use crate::want::{Asker, Want, WantField, fits};

impl<'t> Checker<'t> {
    /// The value as what is wanted, or an error that says who wants it.
    pub(super) fn coerce(
        &mut self,
        value: Typed,
        want: &Want<'t>,
        span: Span,
        asker: Asker<'_>,
    ) -> Typed {
        match (&value.ty, want) {
            (Type::Number, Want::Plain(Type::Number))
            | (Type::Bool, Want::Plain(Type::Bool))
            | (Type::Text, Want::Plain(Type::Text)) => return value,
            (Type::Pool(_), Want::Plain(Type::Number)) => return settle(value),
            _ => {}
        }
        let found = value.ty.clone();
        let instead = self.instead(&value, want, span);
        match self.convert(value, want, span) {
            Ok(typed) => typed,
            Err(Misfit::Type) => {
                let mismatch = errors::mismatch(span, asker, &want.ty(), &found);
                self.wrong(with_instead(mismatch, instead, span))
            }
            Err(Misfit::Field(name, fields)) => {
                self.wrong(errors::unknown_field_given(span, asker, &name, &fields))
            }
            Err(Misfit::Lacks(name)) => self.wrong(errors::missing_field(span, asker, &name)),
        }
    }

    /// What was most likely meant by a value that does not fit: `5` by `"5"`, `{skill: 8}` by `8`.
    #[inline(never)]
    fn instead(&self, value: &Typed, want: &Want<'t>, span: Span) -> Option<String> {
        match (&value.ty, want.inner()) {
            (Type::Text, Want::Plain(Type::Number)) => match &value.expr.kind {
                Kind::Constant(Value::Text(text)) => errors::number_said(text),
                _ => None,
            },
            (Type::Number | Type::Pool(_), Want::Record(fields)) => {
                let mut needed = fields.iter().filter(|field| field.default.is_none());
                let only = needed.next().filter(|_| needed.next().is_none())?;
                let number = matches!(only.want, Want::Plain(Type::Number));
                let written = self.modules.sources.slice(span);
                number.then(|| format!("{{{}: {written}}}", only.name))
            }
            _ => None,
        }
    }

    fn convert(&mut self, value: Typed, want: &Want<'t>, span: Span) -> Result<Typed, Misfit> {
        match (&value.ty, want) {
            (Type::Unknown, _) => {
                self.guesses += 1;
                Ok(Typed { expr: value.expr, ty: want.ty() })
            }
            (_, Want::Plain(Type::Unknown)) => Ok(settle(value)),
            (Type::Pool(_), Want::Plain(Type::Number)) => Ok(settle(value)),
            (Type::Optional(inner), Want::Optional(_)) if fits(inner, &want.inner().ty()) => {
                Ok(Typed { expr: value.expr, ty: keep_known(&value.ty, want) })
            }
            (Type::Optional(_), Want::Optional(_)) => Err(Misfit::Type),
            (_, Want::Optional(inner)) => {
                let typed = self.convert(value, inner, span)?;
                Ok(Typed { expr: typed.expr, ty: Type::Optional(Box::new(typed.ty)) })
            }
            (Type::List(item), Want::List(wanted)) => {
                let item = (**item).clone();
                self.convert_list(value, &item, wanted, span)
            }
            (Type::Record(record), Want::Record(fields)) => {
                let record = record.clone();
                self.convert_record(value, &record, fields, span)
            }
            (ty, _) if fits(ty, &want.ty()) => Ok(value),
            (Type::Number | Type::Pool(_), Want::Record(fields)) => {
                self.convert_lone(value, fields, span)
            }
            _ => Err(Misfit::Type),
        }
    }

    /// A number in the place of a record that needs no other field: `opposed(8, 6)` for
    /// `opposed({skill: 8}, {skill: 6})`.
    fn convert_lone(
        &mut self,
        value: Typed,
        wanted: &[WantField<'t>],
        span: Span,
    ) -> Result<Typed, Misfit> {
        let mut needed = wanted.iter().filter(|field| field.default.is_none());
        let (Some(field), None) = (needed.next(), needed.next()) else { return Err(Misfit::Type) };
        let value = settle(value);
        let ty = crate::want::record_type(vec![(field.name.clone(), value.ty.clone())]);
        let shape = Arc::new(RecordShape { fields: [field.name.clone()].into_iter().collect() });
        let kind = Kind::Record { shape, fields: vec![value.expr] };
        self.convert(Typed { expr: Expr { kind, span }, ty }, &Want::Record(wanted.to_vec()), span)
    }

    /// Items are converted one by one, if they have to be.
    fn convert_list(
        &mut self,
        value: Typed,
        item: &Type,
        wanted: &Want<'t>,
        span: Span,
    ) -> Result<Typed, Misfit> {
        if fits(item, &wanted.ty()) {
            let ty = keep_known(&value.ty, &Want::List(Box::new(wanted.clone())));
            return Ok(Typed { expr: value.expr, ty });
        }
        let carry = self.local(None, Type::List(Box::new(wanted.ty())));
        let each = self.local(None, item.clone());
        let before = Typed { expr: Expr { kind: Kind::Local(each.id), span }, ty: item.clone() };
        let converted = self.convert(before, wanted, span)?;
        let list = Expr { kind: Kind::Local(carry.id), span };
        let operands = vec![list, converted.expr];
        let body = Expr { kind: Kind::Operation { op: Op::Append, operands }, span };
        let kind = Kind::Fold {
            list: Box::new(value.expr),
            first: Box::new(constant(Value::List(Arc::new([])), span)),
            carry: carry.id,
            item: each.id,
            body: Box::new(body),
        };
        Ok(Typed { expr: Expr { kind, span }, ty: Type::List(Box::new(converted.ty)) })
    }

    /// A record with its fields in the wanted order, and defaults for those it lacks.
    fn convert_record(
        &mut self,
        value: Typed,
        record: &RecordType,
        wanted: &[WantField<'t>],
        span: Span,
    ) -> Result<Typed, Misfit> {
        let want = Want::Record(wanted.to_vec());
        if fits(&value.ty, &want.ty()) {
            let ty = keep_known(&value.ty, &want);
            return Ok(Typed { expr: value.expr, ty });
        }
        if let Some((name, _)) =
            record.fields.iter().find(|(name, _)| !wanted.iter().any(|field| field.name == *name))
        {
            let known = wanted.iter().map(|field| field.name.clone()).collect();
            return Err(Misfit::Field(name.clone(), known));
        }
        let whole = self.local(None, value.ty.clone());
        let mut fields = Vec::new();
        let mut types = Vec::new();
        for field in wanted {
            let typed = match record.fields.iter().position(|(name, _)| *name == field.name) {
                Some(index) => {
                    let local = Expr { kind: Kind::Local(whole.id), span };
                    let kind = Kind::Field { record: Box::new(local), index };
                    let ty = record.fields.get(index).map_or(Type::Unknown, |(_, ty)| ty.clone());
                    self.convert(Typed { expr: Expr { kind, span }, ty }, &field.want, span)?
                }
                None => self.field_default(field).ok_or(Misfit::Lacks(field.name.clone()))?,
            };
            types.push((field.name.clone(), typed.ty));
            fields.push(typed.expr);
        }
        let shape =
            Arc::new(RecordShape { fields: types.iter().map(|(n, _)| n.clone()).collect() });
        let record = Expr { kind: Kind::Record { shape, fields }, span };
        let expr = after(vec![(Step::Let(whole.id, value.expr), span)], record);
        Ok(Typed { expr, ty: crate::want::record_type(types) })
    }

    /// The value of a field that the caller leaves out.
    pub(super) fn field_default(&mut self, field: &WantField<'t>) -> Option<Typed> {
        let (default, scope) = field.default.as_ref()?;
        Some(self.expected(scope, default, &field.want, Asker::Named(&field.name)))
    }
}

/// A mismatch, with what to write instead.
#[cold]
#[inline(never)]
fn with_instead(mut mismatch: Diagnostic, instead: Option<String>, span: Span) -> Diagnostic {
    let Some(ours) = instead else { return mismatch };
    mismatch.help = vec![format!("write `{ours}`")];
    mismatch.edit(span, ours)
}

/// Why a value does not fit.
enum Misfit {
    Type,
    /// A field that is not wanted, and those that are.
    Field(Arc<str>, Vec<Arc<str>>),
    /// A field that is wanted and has no default.
    Lacks(Arc<str>),
}

/// The wanted type; where it leaves something open, the type that the value has.
fn keep_known(found: &Type, want: &Want<'_>) -> Type {
    let wanted = want.ty();
    crate::want::join(&wanted, found).unwrap_or(wanted)
}
