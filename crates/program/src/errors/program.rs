//! Statements, modules and the program as a whole.

use astragal_syntax::diagnostic::{Diagnostic, Severity};
use astragal_syntax::span::Span;

/// `do end`
pub(crate) fn empty_block(span: Span) -> Diagnostic {
    Diagnostic::error("no-value", span, "this block has no value").help("end it with an expression")
}

/// `do let x = 1 end`
pub(crate) fn no_value(span: Span) -> Diagnostic {
    Diagnostic::error("no-value", span, "a block ends with its value, but this is a statement")
        .help("add an expression after it")
}

/// `let x = 3d6`
pub(crate) fn no_result(span: Span) -> Diagnostic {
    Diagnostic::error("no-result", span, "this program has no result")
        .help("end it with an expression, or name results with `show \"name\" = …`")
}

/// `3d6; 2d6`
pub(crate) fn unused_value(span: Span) -> Diagnostic {
    Diagnostic::hint("unused-value", span, "the value of this line is not used")
        .help("name it with `let`, or make it a result with `show \"name\" = …`")
}

/// `do param x = 1; x end`
pub(crate) fn only_at_top(span: Span, what: &str) -> Diagnostic {
    let message = format!("`{what}` stands only at the top level of a program");
    Diagnostic::error("only-at-top", span, message).help("move it out of the block")
}

/// `show "a" = 1; show "a" = 2`
pub(crate) fn duplicate_result(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error("duplicate-result", span, format!("there are two results `{name}`"))
        .help("give each result its own name")
}

/// `param x = 1; param x = 2; x`
pub(crate) fn duplicate_input(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error("duplicate-input", span, format!("there are two inputs `{name}`"))
        .help("give each `param` its own name")
}

/// `param x = d6; x`
pub(crate) fn input_throws(span: Span) -> Diagnostic {
    Diagnostic::error("input-throws", span, "the default of a `param` cannot throw dice")
        .help("give it a constant, and throw with `let`")
}

/// A used file with `let x = d6`
pub(crate) fn constant_throws(span: Span) -> Diagnostic {
    Diagnostic::error(
        "constant-throws",
        span,
        "a `let` of a module is a constant: it cannot throw dice",
    )
    .help("make it a function: `fn name() = …`")
}

/// A used file with `let a = a`
pub(crate) fn cyclic_constant(span: Span) -> Diagnostic {
    Diagnostic::error("cyclic-constant", span, "this constant depends on itself")
        .help("write its value out")
}

/// A used file with `require`, `given`, `note`, `show` or `param` at its top level
pub(crate) fn not_in_module(span: Span) -> Diagnostic {
    Diagnostic::error("not-in-module", span, "a used file holds only `fn`, `enum`, `let` and `use`")
        .help("move it into a function, or into the program")
}

/// `use "missing.dice"; 1`
pub(crate) fn cannot_use(span: Span, path: &str, reason: &str, is_system: bool) -> Diagnostic {
    let diagnostic =
        Diagnostic::error("cannot-use", span, format!("cannot use `{path}`: {reason}"));
    match is_system {
        true => {
            diagnostic.help(format!("a system needs no `use`: write `{path}.` before its names"))
        }
        false => diagnostic.help("check the path, or copy its definitions into the program"),
    }
}

/// `use "a.dice"` in `a.dice`
pub(crate) fn cyclic_use(span: Span, open: &[String], path: &str) -> Diagnostic {
    let mut chain: Vec<&str> = open.iter().map(String::as_str).collect();
    chain.push(path);
    let message = format!("files use each other in a circle: {}", chain.join(" → "));
    Diagnostic::error("cyclic-use", span, message).help("move what both need into a third file")
}

/// `--system nothing`
pub(crate) fn unknown_system(name: &str, known: &[&str]) -> Diagnostic {
    let message = format!("there is no system `{name}`");
    let known = super::listed(known.iter().copied());
    Diagnostic::new(Severity::Error, "unknown-system", None, message)
        .help(format!("the systems are {known}"))
}

/// A program that is copied into more than the limit of expressions
pub(crate) fn too_much_code(span: Span) -> Diagnostic {
    let message = "this program grows beyond what can be checked".into();
    Diagnostic::new(Severity::OverBudget, "over-budget", Some(span), message).help(
        "functions that take rolls or functions are copied at each call: call them less deeply",
    )
}

/// `let b = {x: a, y: a}; let c = {x: b, y: b}` and so on
pub(crate) fn too_many_fields(span: Span) -> Diagnostic {
    let message = "this record has too many fields, with those of the records in it".into();
    Diagnostic::new(Severity::OverBudget, "over-budget", Some(span), message)
        .help("put equal parts into a list")
}

/// A program with more than a thousand statements in a row
pub(crate) fn too_long(span: Span) -> Diagnostic {
    let message = "too many statements or arms follow each other here".into();
    Diagnostic::new(Severity::OverBudget, "over-budget", Some(span), message)
        .help("put parts into functions")
}

/// `fn f(x) = f([x]); f(1)`
pub(crate) fn too_deep(span: Span) -> Diagnostic {
    let message = "calls and expressions nest too deeply here".into();
    Diagnostic::new(Severity::OverBudget, "over-budget", Some(span), message)
        .help("bind parts with `let`, and let recursion keep the types of its arguments")
}
