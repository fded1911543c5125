//! Calls that do not fit their function.

use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::span::Span;
use astragal_syntax::tree::{Name, Parameter};

use super::{arguments, near};

/// `let n = 3; n(1)`
pub(crate) fn not_a_function(span: Span) -> Diagnostic {
    Diagnostic::error("not-a-function", span, "this is not a function")
        .help("only functions are called; multiply with `*`")
}

/// `[x => x]`
pub(crate) fn function_as_value(span: Span) -> Diagnostic {
    Diagnostic::error("function-as-value", span, "a function is not a value here")
        .help("pass it to a function, as in `map(list, x => x + 1)`, or name it with `let`")
}

/// `fn f(a) = a; f(1, b: 2)`
/// It may mean the only parameter that is missing: `srd.check(5, dc: 15)`
pub(crate) fn unknown_argument(
    name: &Name,
    function: &str,
    all: &[Parameter],
    missing: Option<&str>,
) -> Diagnostic {
    let message = format!("`{function}` has no parameter `{}`", name.text);
    let diagnostic = Diagnostic::error("unknown-argument", name.span, message);
    let diagnostic =
        near(diagnostic, name.span, &name.text, all.iter().map(|p| p.name.text.as_str()));
    let diagnostic = match missing {
        Some(missing) if diagnostic.edits.is_empty() => diagnostic
            .help(format!("did you mean `{missing}`, which it needs?"))
            .edit(name.span, missing),
        _ => diagnostic,
    };
    diagnostic.help(usage(function, all))
}

/// `fn f(a) = a; f(1, 2)`
pub(crate) fn too_many_arguments(span: Span, function: &str, all: &[Parameter]) -> Diagnostic {
    let message = format!("`{function}` takes {}", arguments(all.len()));
    Diagnostic::error("too-many-arguments", span, message).help(usage(function, all))
}

/// `fn f(a) = a; f(1, a: 2)`
pub(crate) fn duplicate_argument(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error("duplicate-argument", span, format!("`{name}` is given twice"))
        .help("give each argument once")
}

/// `fn f(a) = a; f()`
pub(crate) fn missing_argument(
    span: Span,
    function: &str,
    name: &str,
    all: &[Parameter],
) -> Diagnostic {
    let message = format!("`{function}` needs `{name}`");
    Diagnostic::error("missing-argument", span, message).help(usage(function, all))
}

/// `map([1], (a, b) => a)`
pub(crate) fn lambda_arguments(span: Span, takes: usize, given: usize, place: Span) -> Diagnostic {
    let message = format!("this function takes {}, but is given {given}", arguments(takes));
    Diagnostic::error("wrong-number-of-arguments", place, message)
        .also(span, "called here")
        .help("name as many parameters before `=>` as it is given, without names at the call")
}

/// `floor()`
pub(crate) fn wrong_number(span: Span, name: &str, given: usize, usage: &str) -> Diagnostic {
    let message = format!("`{name}` cannot be called with {}", arguments(given));
    Diagnostic::error("wrong-number-of-arguments", span, message)
        .help(format!("it is called as `{usage}`"))
}

/// `floor(x: 1)`
pub(crate) fn unnamed_only(span: Span, name: &str, usage: &str) -> Diagnostic {
    let message = format!("the arguments of `{name}` have no names");
    Diagnostic::error("unnamed-only", span, message).help(format!("it is called as `{usage}`"))
}

/// `fold([1], 0, 1)`
pub(crate) fn needs_function(span: Span, name: &str, example: &str) -> Diagnostic {
    Diagnostic::error("needs-function", span, format!("`{name}` needs a function here"))
        .help(format!("write one, as in `{example}`"))
}

/// `let p = 3d6 cs>=5; mean(p cf=1)`
pub(crate) fn known_marks(span: Span, name: &str, pool: &str) -> Diagnostic {
    let fact = format!("in `{name}` only the total of what was counted in `{pool}` is known");
    Diagnostic::error("known-marks", span, fact).help(format!(
        "count inside, as in `{name}(3d6cs>=5)`, or bind what is counted before, as in `let hits = {pool} cf=1`"
    ))
}

/// `walk(3d6, 0, (sum, face, count) => sum + d6)`
pub(crate) fn walk_throws(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error("walk-throws", span, format!("the step of `{name}` throws dice"))
        .help("a walk only looks at dice that lie on the table: throw others before it, with `let`")
}

/// `walk(5d10cs>=8, 0, (n, face, count) => n + count)`
pub(crate) fn walk_of_marks(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error("walk-of-marks", span, format!("`{name}` goes by faces, not by marks"))
        .help("leave out `cs` and `cf`, and look at `face` in the step")
}

/// `fn f(roll r) = f(r); f(d6)`
pub(crate) fn endless_copy(span: Span, name: &str, definition: Span) -> Diagnostic {
    let message = format!(
        "`{name}` takes a roll unthrown or a function, so it cannot call itself: it would be copied without end"
    );
    Diagnostic::error("endless-copy", span, message)
        .also(definition, "defined here")
        .help("throw it once with `let`, or carry state with `repeat`")
}

/// `fn f(a, a) = a`
pub(crate) fn duplicate_parameter(name: &Name) -> Diagnostic {
    let message = format!("there are two parameters `{}`", name.text);
    Diagnostic::error("duplicate-parameter", name.span, message).help("name each parameter once")
}

/// `fn f(a = 1, b) = a + b`
pub(crate) fn default_before(name: &Name) -> Diagnostic {
    let message = format!("`{}` needs a default, because a parameter before it has one", name.text);
    Diagnostic::error("default-order", name.span, message)
        .help("put the parameters with defaults last")
}

/// How a function is called.
fn usage(function: &str, parameters: &[Parameter]) -> String {
    let list: Vec<String> = parameters
        .iter()
        .map(|parameter| {
            let roll = if parameter.roll { "roll " } else { "" };
            let optional = if parameter.default.is_some() { ": …" } else { "" };
            format!("{roll}{}{optional}", parameter.name.text)
        })
        .collect();
    format!("it is called as `{function}({})`", list.join(", "))
}
