//! The types of the language.

use std::fmt;
use std::sync::Arc;

pub use astragal_value::EnumType;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Type {
    /// An exact rational number.
    Number,
    /// A yes or no.
    Bool,
    /// A text.
    Text,
    /// An enumeration.
    Enum(Arc<EnumType>),
    /// A list of one type.
    List(Box<Type>),
    /// A record with named fields.
    Record(Arc<RecordType>),
    /// The type or `none`.
    Optional(Box<Type>),
    /// Dice on the table.
    Pool(PoolType),
    /// Not known (yet): the items of `[]`, a parameter of a function that nobody calls. It fits
    /// everything; no instance that runs has a variable of it, but for the items of an empty list.
    Unknown,
}

/// The fields of a record type, in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RecordType {
    /// Names and types.
    pub fields: Vec<(Arc<str>, Type)>,
}

/// What may still be done with a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PoolType {
    /// Its dice lie on the table (bound by `let`): it may not explode, be rerolled or made unique.
    pub fixed: bool,
    /// Its dice are totals: it may not explode, be rerolled or made unique.
    pub totals: bool,
    /// Its dice are drawn from a bag: it may not explode, be rerolled or made unique.
    pub drawn: bool,
    /// `cs` or `cf` marked it: only marks, sorting and labels may follow.
    pub marked: bool,
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Number => f.write_str("number"),
            Type::Bool => f.write_str("bool"),
            Type::Text => f.write_str("text"),
            Type::Enum(of) => f.write_str(&of.name),
            Type::List(item) => write!(f, "[{item}]"),
            Type::Record(record) => {
                f.write_str("{")?;
                for (i, (name, ty)) in record.fields.iter().enumerate() {
                    write!(f, "{}{name}: {ty}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str("}")
            }
            Type::Optional(inner) => write!(f, "{inner}?"),
            Type::Pool(_) => f.write_str("pool"),
            Type::Unknown => f.write_str("unknown"),
        }
    }
}
