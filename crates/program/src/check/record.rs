//! Records and their fields.

use std::sync::Arc;

use astragal_syntax::span::Span;
use astragal_syntax::tree::{Expr, Name};

use super::{Checker, Step, Typed, after, unknown};
use crate::core::{Expr as Core, Kind, RecordShape};
use crate::errors;
use crate::scope::Scope;
use crate::types::Type;
use crate::want::{Want, WantField, record_type};

impl<'t> Checker<'t> {
    /// `{total: 12, success: true}`
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
            let what = format!("`{}`", field.name);
            given.push((place, self.expected(scope, value, &field.want, &what)));
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
                        self.wrong(errors::missing_field(span, "this record", &field.name))
                    }
                    None => unknown(span),
                },
            };
            values.push((field.name.clone(), typed));
        }
        let record = made_record(values, span);
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

/// A record of these fields.
pub(super) fn made_record(values: Vec<(Arc<str>, Typed)>, span: Span) -> Typed {
    let ty = record_type(values.iter().map(|(name, typed)| (name.clone(), typed.ty.clone())));
    let shape = RecordShape { fields: values.iter().map(|(name, _)| name.clone()).collect() };
    let fields = values.into_iter().map(|(_, typed)| typed.expr).collect();
    Typed { expr: Core { kind: Kind::Record { shape: Arc::new(shape), fields }, span }, ty }
}
