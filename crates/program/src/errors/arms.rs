//! `match` and its arms.

use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::span::Span;

use super::kind_of;
use crate::types::Type;

/// `match 1 end`
pub(crate) fn no_arms(span: Span) -> Diagnostic {
    Diagnostic::error("no-arms", span, "this `match` has no arms").help("add one: `else => …`")
}

/// `match true true => 1 end`
pub(crate) fn not_exhaustive(span: Span, ty: &Type, missing: &str) -> Diagnostic {
    let message = match ty {
        Type::Number | Type::Pool(_) | Type::Text => format!("the arms do not cover {missing}"),
        _ => format!("no arm covers {missing}"),
    };
    Diagnostic::error("not-exhaustive", span, message).help("add an arm for it, or `else => …`")
}

/// `match 1 else => 1; 2 => 2 end`
pub(crate) fn unreachable_arm(span: Span) -> Diagnostic {
    Diagnostic::hint("unreachable-arm", span, "this arm is never reached: those above cover it")
        .help("move it up, or leave it out")
}

/// `match 1 "a" => 1; else => 2 end`
pub(crate) fn pattern_misfit(span: Span, ty: &Type) -> Diagnostic {
    let message = format!("this pattern never fits {}", kind_of(ty));
    Diagnostic::error("pattern-misfit", span, message).help("use a pattern of the same type")
}

/// `match 1 low => 1; else => 2 end`
pub(crate) fn name_pattern(span: Span, name: &str, ty: &Type) -> Diagnostic {
    let message = format!("`{name}` names a variant, but the value is {}", kind_of(ty));
    let diagnostic = Diagnostic::error("pattern-misfit", span, message);
    match ty {
        Type::Text => diagnostic.help(format!("write the text: `\"{name}\"`")),
        _ => diagnostic.help("patterns are literals, ranges and variants; compare names with `if`"),
    }
}

/// `match 1 5..2 => 1; else => 2 end`
pub(crate) fn empty_range(span: Span) -> Diagnostic {
    Diagnostic::error("empty-range", span, "this range holds nothing")
        .help("write the smaller end first")
}
