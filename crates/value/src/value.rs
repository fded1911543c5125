//! Values and their order.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::Number;

/// A value of the language. Pools of dice are not values: in lists, records and results a pool is its sum.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Value {
    /// A number.
    Number(Number),
    /// A yes or no.
    Bool(bool),
    /// A text.
    Text(Arc<str>),
    /// A variant of an enumeration.
    Variant(Variant),
    /// A list.
    List(Arc<[Value]>),
    /// A record: its shape and its fields in the shape's order.
    Record(Arc<RecordShape>, Arc<[Value]>),
    /// The absence of an optional value.
    None,
}

/// The names of a record's fields, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordShape {
    /// The names.
    pub fields: Vec<Arc<str>>,
}

/// Values are mostly compared with values of the very same shape: its names need not be looked at.
impl Ord for RecordShape {
    fn cmp(&self, other: &Self) -> Ordering {
        if std::ptr::eq(self, other) { Ordering::Equal } else { self.fields.cmp(&other.fields) }
    }
}

impl PartialOrd for RecordShape {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Values are looked up all the time, next to values of the same shape: the names tell nothing apart.
impl Hash for RecordShape {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.fields.len());
    }
}

/// An enumeration: its name and its variants in order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EnumType {
    /// Its name, with the module it comes from: `cofd.Outcome`.
    pub name: Arc<str>,
    /// Its variants.
    pub variants: Vec<Arc<str>>,
}

/// As for [`RecordShape`].
impl Hash for EnumType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.variants.len());
    }
}

/// One variant of an enumeration.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variant {
    /// Its enumeration.
    pub of: Arc<EnumType>,
    /// Which one.
    pub index: u32,
}

impl Variant {
    /// Its bare name.
    pub fn name(&self) -> &str {
        self.of.variants.get(self.index as usize).map_or("?", |name| name)
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Value {
    /// A text.
    pub fn text(text: impl Into<Arc<str>>) -> Value {
        Value::Text(text.into())
    }

    /// A whole number.
    pub fn whole(n: i64) -> Value {
        Value::Number(n.into())
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<&Number> {
        match self {
            Value::Number(n) => Some(n),
            _ => None,
        }
    }

    /// The truth, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }
}

/// As a player would read it: `12`, `7/2`, `yes`, `dramatic_failure`, `[1, 2]`, `{total: 12}`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(n) => write!(f, "{n}"),
            Value::Bool(true) => f.write_str("yes"),
            Value::Bool(false) => f.write_str("no"),
            Value::Text(text) => f.write_str(text),
            Value::Variant(variant) => f.write_str(variant.name()),
            Value::List(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Value::Record(shape, values) => {
                f.write_str("{")?;
                for (i, (name, value)) in shape.fields.iter().zip(values.iter()).enumerate() {
                    write!(f, "{}{name}: {value}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str("}")
            }
            Value::None => f.write_str("none"),
        }
    }
}
