//! What a place expects, and how types come together.
//!
//! ```text
//! fn side(s: {skill, advantage = 0, method: Method = keep}) = …
//! side({skill: 8})          the literal lacks two fields: they take the parameter's defaults
//! ```
//!
//! A [`Type`] cannot say that, because defaults are expressions; a [`Want`] is a type whose record
//! fields may have defaults.

use std::fmt;
use std::sync::Arc;

use astragal_syntax::tree::Expr;

use crate::scope::Scope;
use crate::types::{EnumType, PoolType, RecordType, Type};

/// An expected type.
#[derive(Clone)]
pub(crate) enum Want<'t> {
    /// A type without parts. `Unknown` takes anything, even names that mean nothing.
    Plain(Type),
    List(Box<Want<'t>>),
    Optional(Box<Want<'t>>),
    Record(Vec<WantField<'t>>),
}

/// Who expects something, in messages.
#[derive(Clone, Copy)]
pub(crate) enum Asker<'a> {
    /// `a count of dice`
    Words(&'a str),
    /// A parameter, a field or a function, shown in backticks.
    Named(&'a str),
}

impl<'a> From<&'a str> for Asker<'a> {
    fn from(words: &'a str) -> Self {
        Asker::Words(words)
    }
}

impl fmt::Display for Asker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Asker::Words(words) => f.write_str(words),
            Asker::Named(name) => write!(f, "`{name}`"),
        }
    }
}

/// An expected field.
#[derive(Clone)]
pub(crate) struct WantField<'t> {
    pub(crate) name: Arc<str>,
    pub(crate) want: Want<'t>,
    /// Its value where the caller gives none, in the scope of the function.
    pub(crate) default: Option<(&'t Expr, Scope<'t>)>,
}

impl Want<'_> {
    /// The same type, without defaults.
    pub(crate) fn of(ty: &Type) -> Self {
        match ty {
            Type::List(item) => Want::List(Box::new(Want::of(item))),
            Type::Optional(inner) => Want::Optional(Box::new(Want::of(inner))),
            Type::Record(record) => Want::Record(
                record
                    .fields
                    .iter()
                    .map(|(name, ty)| WantField {
                        name: name.clone(),
                        want: Want::of(ty),
                        default: None,
                    })
                    .collect(),
            ),
            plain => Want::Plain(plain.clone()),
        }
    }

    /// The type.
    pub(crate) fn ty(&self) -> Type {
        match self {
            Want::Plain(ty) => ty.clone(),
            Want::List(item) => Type::List(Box::new(item.ty())),
            Want::Optional(inner) => Type::Optional(Box::new(inner.ty())),
            Want::Record(fields) => {
                record_type(fields.iter().map(|f| (f.name.clone(), f.want.ty())))
            }
        }
    }

    /// Without the `?`.
    pub(crate) fn inner(&self) -> &Self {
        match self {
            Want::Optional(inner) => inner.inner(),
            other => other,
        }
    }

    /// The expected enumeration, if it is one.
    pub(crate) fn enumeration(&self) -> Option<&Arc<EnumType>> {
        match self.inner() {
            Want::Plain(Type::Enum(of)) => Some(of),
            _ => None,
        }
    }

    /// Whether anything goes.
    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self.inner(), Want::Plain(Type::Unknown))
    }
}

/// A record type.
pub(crate) fn record_type(fields: impl IntoIterator<Item = (Arc<str>, Type)>) -> Type {
    Type::Record(Arc::new(RecordType { fields: fields.into_iter().collect() }))
}

/// Whether values of one type are values of the other as they are.
pub(crate) fn fits(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::Unknown, _) | (_, Type::Unknown) => true,
        (Type::Pool(_), Type::Pool(_)) => true,
        (Type::List(a), Type::List(b)) => fits(a, b),
        (Type::Optional(a), Type::Optional(b)) => fits(a, b),
        (a, Type::Optional(b)) => !matches!(a, Type::Pool(_)) && fits(a, b),
        (Type::Record(a), Type::Record(b)) => {
            a.fields.len() == b.fields.len()
                && a.fields
                    .iter()
                    .zip(&b.fields)
                    .all(|((left, a), (right, b))| left == right && fits(a, b))
        }
        (a, b) => a == b,
    }
}

/// The type of a value that is one of two: the branches of an `if`, the items of a list.
pub(crate) fn join(a: &Type, b: &Type) -> Option<Type> {
    Some(match (a, b) {
        (Type::Unknown, other) | (other, Type::Unknown) => other.clone(),
        (Type::Pool(a), Type::Pool(b)) => Type::Pool(PoolType {
            fixed: a.fixed || b.fixed,
            totals: a.totals || b.totals,
            drawn: a.drawn || b.drawn,
            marked: a.marked || b.marked,
        }),
        (Type::Pool(_), Type::Number) | (Type::Number, Type::Pool(_)) => Type::Number,
        (Type::List(a), Type::List(b)) => Type::List(Box::new(join(a, b)?)),
        (Type::Optional(a), Type::Optional(b)) => Type::Optional(Box::new(join(a, b)?)),
        (Type::Optional(a), b) | (b, Type::Optional(a)) => {
            Type::Optional(Box::new(join(a, &settled(b))?))
        }
        (Type::Record(a), Type::Record(b)) => join_records(a, b)?,
        (a, b) if a == b => a.clone(),
        _ => return None,
    })
}

fn join_records(a: &RecordType, b: &RecordType) -> Option<Type> {
    if a.fields.len() != b.fields.len() {
        return None;
    }
    let fields: Option<Vec<_>> = a
        .fields
        .iter()
        .map(|(name, left)| {
            let (_, right) = b.fields.iter().find(|(other, _)| other == name)?;
            Some((name.clone(), join(left, right)?))
        })
        .collect();
    Some(record_type(fields?))
}

/// The type in a list, a record, a result or a text: a pool is its sum there.
pub(crate) fn settled(ty: &Type) -> Type {
    match ty {
        Type::Pool(_) => Type::Number,
        other => other.clone(),
    }
}

/// The type of a variable that holds it: the dice of a pool lie on the table.
pub(crate) fn bound(ty: &Type) -> Type {
    match ty {
        Type::Pool(pool) => Type::Pool(PoolType { fixed: true, ..*pool }),
        other => other.clone(),
    }
}

/// Whether one type is the other with its unknown parts filled in.
pub(crate) fn fills(open: &Type, filled: &Type) -> bool {
    match (open, filled) {
        (Type::Unknown, _) => true,
        (Type::List(a), Type::List(b)) | (Type::Optional(a), Type::Optional(b)) => fills(a, b),
        (Type::Record(a), Type::Record(b)) => {
            a.fields.len() == b.fields.len()
                && a.fields
                    .iter()
                    .zip(&b.fields)
                    .all(|((left, a), (right, b))| left == right && fills(a, b))
        }
        (a, b) => a == b,
    }
}

/// Whether a part of it is not known.
pub(crate) fn has_unknown(ty: &Type) -> bool {
    match ty {
        Type::Unknown => true,
        Type::List(inner) | Type::Optional(inner) => has_unknown(inner),
        Type::Record(record) => record.fields.iter().any(|(_, ty)| has_unknown(ty)),
        Type::Number | Type::Bool | Type::Text | Type::Enum(_) | Type::Pool(_) => false,
    }
}
