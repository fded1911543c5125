//! What a module defines, found by name.
//!
//! Every program may mention the library's names, so they are put in order once, when the library is read.
//! They hold the numbers of statements instead of references, so that a library can own both its trees and
//! their names.

use std::cmp::Ordering;
use std::sync::Arc;

use astragal_syntax::tree::{File, Name, StatementKind};

use crate::types::EnumType;

/// The definitions of a module in an order of their names.
#[derive(Debug, Default)]
pub(crate) struct Items(Vec<(Box<str>, Item)>);

/// A definition of a module.
#[derive(Debug)]
pub(crate) enum Item {
    Function {
        /// Its name with its module.
        name: Arc<str>,
        statement: usize,
    },
    Enumeration(Arc<EnumType>),
    /// A `let`.
    Constant {
        statement: usize,
    },
}

impl Items {
    /// The definitions of a file. Of several with one name, the last counts.
    pub(crate) fn of(module: &str, file: &File) -> Items {
        let mut items: Vec<(Box<str>, Item)> = Vec::new();
        for (number, statement) in file.block.statements.iter().enumerate() {
            let (name, item) = match &statement.kind {
                StatementKind::Function { name, .. } => {
                    let full = qualified(module, &name.text);
                    (name, Item::Function { name: full, statement: number })
                }
                StatementKind::Enumeration { name, variants } => {
                    (name, Item::Enumeration(Arc::new(enum_type(module, name, variants))))
                }
                StatementKind::Let { name, .. } => (name, Item::Constant { statement: number }),
                _ => continue,
            };
            items.push((name.text.as_str().into(), item));
        }
        items.sort_by(|(a, _), (b, _)| order(a, b));
        items.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                std::mem::swap(later, earlier);
            }
            same
        });
        Items(items)
    }

    /// The definition of a name.
    pub(crate) fn get(&self, name: &str) -> Option<&Item> {
        let place = self.0.binary_search_by(|(known, _)| order(known, name)).ok()?;
        self.0.get(place).map(|(_, item)| item)
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Item)> {
        self.0.iter().map(|(name, item)| (&**name, item))
    }
}

/// The short ones first: most names differ in length, which is soon compared.
fn order(a: &str, b: &str) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// A name with its module.
pub(crate) fn qualified(module: &str, name: &str) -> Arc<str> {
    match module {
        "" => name.into(),
        module => format!("{module}.{name}").into(),
    }
}

/// An enumeration with its full name.
pub(crate) fn enum_type(module: &str, name: &Name, variants: &[Name]) -> EnumType {
    EnumType {
        name: qualified(module, &name.text),
        variants: variants.iter().map(|variant| variant.text.as_str().into()).collect(),
    }
}
