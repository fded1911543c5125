//! What the checker has to say, each message with its code and, as its documentation, the shortest
//! program that brings it about.
//!
//! The fact comes first, in lower case and without a full stop; the user's text stands in backticks; a
//! help line proposes an edit.

mod arms;
mod calls;
mod choices;
mod dice;
mod foreign;
mod names;
mod program;
mod types;

pub(crate) use arms::*;
pub(crate) use calls::*;
pub(crate) use choices::*;
pub(crate) use dice::*;
pub(crate) use foreign::*;
pub(crate) use names::*;
pub(crate) use program::*;
pub(crate) use types::*;

use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::span::Span;

use crate::types::Type;

/// A type with its article, as a message says it.
fn kind_of(ty: &Type) -> String {
    match ty {
        Type::Number => "a number".into(),
        Type::Bool => "a yes or no".into(),
        Type::Text => "a text".into(),
        Type::Enum(of) => format!("a `{}`", of.name),
        Type::List(item) if **item == Type::Unknown => "a list".into(),
        Type::List(_) => format!("a list `{ty}`"),
        Type::Record(_) => format!("a record `{ty}`"),
        Type::Optional(inner) if **inner == Type::Unknown => "`none`".into(),
        Type::Optional(inner) => format!("{} or `none`", kind_of(inner)),
        Type::Pool(_) => "a pool of dice".into(),
        Type::Unknown => "something unknown".into(),
    }
}

/// So many arguments.
fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".into(),
        1 => "one argument".into(),
        n => format!("{n} arguments"),
    }
}

/// Names as a list: `` `a`, `b` ``.
fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// Adds "did you mean" and the edit, if a known name is near.
fn near<'a>(
    diagnostic: Diagnostic,
    span: Span,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    match nearest(name, known) {
        Some(found) => diagnostic.help(format!("did you mean `{found}`?")).edit(span, found),
        None => diagnostic,
    }
}

/// As [`near`], or else another help line, with the name for `NAME`.
fn near_or<'a>(
    diagnostic: Diagnostic,
    span: Span,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    otherwise: &str,
) -> Diagnostic {
    let diagnostic = near(diagnostic, span, name, known);
    if diagnostic.help.is_empty() {
        return diagnostic.help(otherwise.replace("NAME", name));
    }
    diagnostic
}

/// The known name that is nearest, if it is near.
fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    astragal_syntax::suggest(name, known.into_iter())
}
