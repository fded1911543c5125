//! Names that mean nothing, or not what the place needs.

use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::span::Span;
use astragal_syntax::tree::Name;

use super::{listed, near, near_or};
use crate::types::EnumType;

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sort {
    Value,
    Function,
    Enumeration,
    Module,
}

/// `hitt + 1`
pub(crate) fn unknown_name(
    span: Span,
    name: &str,
    known: Vec<&str>,
    owners: &[String],
) -> Diagnostic {
    let diagnostic = Diagnostic::error("unknown-name", span, format!("unknown name `{name}`"));
    if let (Some((help, ours)), []) = (spoken(name), owners) {
        let diagnostic = diagnostic.help(help);
        return if ours.is_empty() { diagnostic } else { diagnostic.edit(span, ours) };
    }
    match owners {
        [] => near_or(
            diagnostic,
            span,
            name,
            known,
            "bind it first: `let NAME = …`, or make it an input: `param NAME = …`",
        ),
        [only] => diagnostic
            .help(format!("as a variant it is written `{only}` here"))
            .edit(span, only.clone()),
        many => diagnostic
            .help(format!("as a variant it is one of {}", listed(many.iter().map(String::as_str)))),
    }
}

/// What is meant by a word that is said at a table, and written otherwise: `DC15`, `w20`, `d`.
fn spoken(name: &str) -> Option<(String, String)> {
    let elsewhere = match name {
        "def" | "function" | "func" | "lambda" => "a function is written `fn f(x) = x + 1`",
        "for" | "foreach" | "while" | "loop" => {
            "again and again is `times(3, d6)`, `map(1..3, x => x + d6)`, or a `repeat`"
        }
        "import" | "include" => {
            "a file is read by `use \"house.dice\"`; systems are there without it"
        }
        "var" | "const" => "a value is named by `let x = 3d6`",
        _ => "",
    };
    if !elsewhere.is_empty() {
        return Some((elsewhere.to_owned(), String::new()));
    }
    let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    match name[..name.len() - digits.len()].to_ascii_lowercase().as_str() {
        "dc" | "ac" | "tn" if number => Some((
            format!("a difficulty is a number, which a roll is compared with: `d20 >= {digits}`"),
            digits.to_owned(),
        )),
        "w" if number => Some((format!("write `d{digits}`"), format!("d{digits}"))),
        "d" if digits.is_empty() => {
            Some(("a die needs its sides, such as `d6`".to_owned(), String::new()))
        }
        _ => None,
    }
}

/// `d-6`
pub(crate) fn negative_sides(span: Span, sides: &str) -> Diagnostic {
    let message = format!("a die cannot have `-{sides}` sides");
    Diagnostic::error("bad-sides", span, message)
        .help(format!("write `d{sides}`"))
        .edit(span, format!("d{sides}"))
}

/// `flor(1.5)`
pub(crate) fn unknown_function(
    span: Span,
    name: &str,
    known: Vec<&str>,
    owners: Vec<String>,
) -> Diagnostic {
    let message = format!("unknown function `{name}`");
    let diagnostic = Diagnostic::error("unknown-function", span, message);
    match owners.as_slice() {
        [] => near_or(diagnostic, span, name, known, "define it first: `fn NAME(…) = …`"),
        [only] => diagnostic.help(format!("did you mean `{only}`?")).edit(span, only.clone()),
        many => {
            diagnostic.help(format!("did you mean one of {}?", listed(many.iter().map(|s| &**s))))
        }
    }
}

/// `cofd.actoin(3)`
pub(crate) fn unknown_member(name: &Name, module: &str, known: Vec<&str>) -> Diagnostic {
    let message = format!("`{module}` has nothing called `{}`", name.text);
    let diagnostic = Diagnostic::error("unknown-member", name.span, message);
    let mut known = known;
    known.sort_unstable();
    if super::nearest(&name.text, known.iter().copied()).is_some() {
        return near(diagnostic, name.span, &name.text, known);
    }
    diagnostic.help(format!("it has {}", listed(known.iter().copied())))
}

/// `Outcome.succes` where `enum Outcome = failure | success`
pub(crate) fn unknown_variant(span: Span, name: &str, of: &EnumType) -> Diagnostic {
    let variants = || of.variants.iter().map(|variant| &**variant);
    let message = format!("`{}` has no variant `{name}`", of.name);
    let diagnostic = Diagnostic::error("unknown-variant", span, message);
    let diagnostic = match super::nearest(name, variants()) {
        Some(found) => diagnostic.help(format!("did you mean `{found}`?")),
        None => diagnostic,
    };
    diagnostic.help(format!("it is one of {}", listed(variants())))
}

/// `floor + 1`
pub(crate) fn not_a_value(span: Span, name: &str, sort: Sort) -> Diagnostic {
    let (what, help) = match sort {
        Sort::Value => ("a value", format!("write `{name}`")),
        Sort::Function => ("a function", format!("call it: `{name}(…)`")),
        Sort::Enumeration => ("an enumeration", format!("name a variant: `{name}.…`")),
        Sort::Module => ("a module", format!("name something in it: `{name}.…`")),
    };
    let diagnostic =
        Diagnostic::error("not-a-value", span, format!("`{name}` is {what}, not a value"))
            .help(help);
    match sort {
        // Where it needs nothing: `adv`.
        Sort::Function => diagnostic.edit(Span { start: span.end, ..span }, "()"),
        _ => diagnostic,
    }
}

/// `fn f(kind: Knd) = 1`
pub(crate) fn unknown_type(span: Span, path: &[Name], known: &[String]) -> Diagnostic {
    let name = path.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(".");
    let diagnostic = Diagnostic::error("unknown-type", span, format!("unknown type `{name}`"));
    let diagnostic = near(diagnostic, span, &name, known.iter().map(String::as_str));
    diagnostic
        .help("types are `number`, `bool`, `text`, enumerations, `[number]`, `number?`, `{a, b}`")
}

/// `{total: 1}.totl`
pub(crate) fn unknown_field(name: &Name, known: Vec<&str>) -> Diagnostic {
    let message = format!("there is no field `{}`", name.text);
    let diagnostic = Diagnostic::error("unknown-field", name.span, message);
    let help = match known.as_slice() {
        [] => "the record has no fields".into(),
        fields => format!("the fields are {}", listed(fields.iter().copied())),
    };
    near(diagnostic, name.span, &name.text, known).help(help)
}

/// `fn f() = 1; fn f() = 2`
pub(crate) fn duplicate_definition(name: &Name, first: Span) -> Diagnostic {
    let message = format!("`{}` is defined twice", name.text);
    Diagnostic::error("duplicate-definition", name.span, message)
        .also(first, "first defined here")
        .help("give one of them another name")
}

/// `enum E = a | a`
pub(crate) fn duplicate_variant(name: &Name) -> Diagnostic {
    let message = format!("the variant `{}` is named twice", name.text);
    Diagnostic::error("duplicate-variant", name.span, message).help("name each variant once")
}

/// `{a: 1, a: 2}`
pub(crate) fn duplicate_field(name: &Name) -> Diagnostic {
    let message = format!("the field `{}` is given twice", name.text);
    Diagnostic::error("duplicate-field", name.span, message).help("give each field once")
}

/// `let x = d6; 3`
pub(crate) fn unused_let(span: Span, name: &str) -> Diagnostic {
    Diagnostic::hint("unused-let", span, format!("`{name}` is never used"))
        .help("use it, or leave the `let` out")
}
