//! Values of the wrong type.

use std::sync::Arc;

use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::span::Span;
use astragal_syntax::tree::Name;

use super::{kind_of, listed, near};
use crate::core::Op;
use crate::types::Type;
use crate::want::Asker;

/// `1 + true`
pub(crate) fn mismatch(span: Span, what: Asker<'_>, wanted: &Type, found: &Type) -> Diagnostic {
    let message = format!("{what} needs {}, but this is {}", kind_of(wanted), kind_of(found));
    let diagnostic = Diagnostic::error("type-mismatch", span, message);
    match (wanted, found) {
        (Type::Bool, Type::Number | Type::Pool(_)) => {
            diagnostic.help("compare it with something, as in `… >= 1`")
        }
        (Type::Number, Type::Bool) => diagnostic.help("write `if … then 1 else 0`"),
        (Type::List(_), Type::Pool(_)) => diagnostic.help(
            "a pool of dice is one number here: look at its dice with suffixes, as in `4d6cs>=5`, or with `walk`",
        ),
        (wanted, Type::Optional(inner)) if **inner == *wanted => diagnostic.help(
            "say what `none` means: bind it with `let x = …` and ask `if x == none then … else …`",
        ),
        (Type::Enum(of), Type::Text) => diagnostic.help(format!(
            "only a text written here can name a variant: {}",
            listed(of.variants.iter().map(|variant| &**variant))
        )),
        _ => diagnostic.help(format!("give it {}", kind_of(wanted))),
    }
}

/// `d20 + "5"`: the number that a text says, which is written without quotes.
pub(crate) fn number_said(text: &str) -> Option<String> {
    const WORDS: [&str; 21] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    let text = text.trim().trim_start_matches('+');
    let word = WORDS.iter().position(|word| word.eq_ignore_ascii_case(text));
    let digits = text.strip_prefix('-').unwrap_or(text);
    let number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    word.map(|number| number.to_string()).or_else(|| number.then(|| text.to_owned()))
}

/// `if true then 1 else "a"`
pub(crate) fn branches_differ(span: Span, found: &Type, first: Span, other: &Type) -> Diagnostic {
    let message =
        format!("this branch is {}, but the one before is {}", kind_of(found), kind_of(other));
    Diagnostic::error("branches-differ", span, message)
        .also(first, format!("this is {}", kind_of(other)))
        .help("make all branches the same type")
}

/// `[1, "a"]`
pub(crate) fn mixed_list(span: Span, found: &Type, items: &Type) -> Diagnostic {
    let message =
        format!("this item is {}, but the list begins with {}", kind_of(found), kind_of(items));
    Diagnostic::error("mixed-list", span, message)
        .help("the items of a list have one type; a record may mix them")
}

/// `1 == "a"`
pub(crate) fn incomparable(span: Span, left: &Type, right: &Type) -> Diagnostic {
    let message = format!("{} cannot equal {}", kind_of(left), kind_of(right));
    Diagnostic::error("incomparable", span, message).help("compare values of the same type")
}

/// `1 < "a"`
pub(crate) fn incomparable_order(span: Span, left: &Type, right: &Type) -> Diagnostic {
    let message = format!("{} cannot be compared with {}", kind_of(left), kind_of(right));
    Diagnostic::error("incomparable", span, message).help("compare values of the same type")
}

/// `true < false`
pub(crate) fn unordered(span: Span, found: &Type) -> Diagnostic {
    let message = format!("{} has no order: only numbers and texts have one", kind_of(found));
    Diagnostic::error("unordered", span, message).help("compare numbers, or use `==`")
}

/// `[1, 2, 3] > 2`: the question for each item, as `x > 2`.
pub(crate) fn list_compared(span: Span, place: Span, list: &str, asked: &str) -> Diagnostic {
    let message = "a list is not compared, but its items can be";
    let ours = ["any", "all", "count_of"].map(|name| format!("{name}({list}, x => x {asked})"));
    Diagnostic::error("unordered", place, message)
        .help(format!("write `{}`, `{}` or `{}`", ours[0], ours[1], ours[2]))
        .edit(span, ours[0].clone())
        .edit(span, ours[1].clone())
        .edit(span, ours[2].clone())
}

/// `let n = 3; n.total`
pub(crate) fn no_fields(name: &Name, found: &Type) -> Diagnostic {
    let message = format!("{} has no fields, so no `{}`", kind_of(found), name.text);
    Diagnostic::error("no-fields", name.span, message)
        .help("only records have fields: `{total: 3}`")
}

/// `fn f(r: {a}?) = r.a`
pub(crate) fn field_of_optional(name: &Name) -> Diagnostic {
    let message = format!("this may be `none`, which has no field `{}`", name.text);
    Diagnostic::error("may-be-none", name.span, message)
        .help("ask first: `if r == none then … else …`")
}

/// `fn f(r: {a, b}) = r.a; f({a: 1})`
pub(crate) fn missing_field(span: Span, what: Asker<'_>, name: &str) -> Diagnostic {
    Diagnostic::error("missing-field", span, format!("{what} lacks the field `{name}`"))
        .help(format!("add `{name}: …`"))
}

/// `fn f(r: {a}) = r.a; let r = {a: 1, b: 2}; f(r)`
pub(crate) fn unknown_field_given(
    span: Span,
    what: Asker<'_>,
    name: &str,
    known: &[Arc<str>],
) -> Diagnostic {
    let fields = || known.iter().map(|field| &**field);
    let message = format!("{what} has no field `{name}`");
    let diagnostic = Diagnostic::error("unknown-field", span, message);
    let diagnostic = match super::nearest(name, fields()) {
        Some(found) => diagnostic.help(format!("did you mean `{found}`?")),
        None => diagnostic,
    };
    diagnostic.help(format!("the fields are {}", listed(fields())))
}

/// `repeat with a = 0 next b = 1 until true`
pub(crate) fn not_carried(name: &Name, value: Span, known: Vec<&str>) -> Diagnostic {
    let message = format!("`{}` is not carried by this `repeat`", name.text);
    let diagnostic = Diagnostic::error("not-carried", name.span, message)
        .also(value, "this value goes nowhere")
        .help(format!("add it at the start: `repeat with …, {} = …`", name.text));
    near(diagnostic, name.span, &name.text, known)
}

/// `repeat with a = 0, a = 1 next a = 1 until true`
pub(crate) fn duplicate_carried(name: &Name) -> Diagnostic {
    let message = format!("`{}` stands here twice", name.text);
    Diagnostic::error("duplicate-carried", name.span, message).help("name each carried value once")
}

/// `fn f(x) = if x == [] then f([x]) else f([])`: its type never settles.
pub(crate) fn unsettled_type(span: Span, name: &str) -> Diagnostic {
    let message = format!("the type of `{name}` depends on itself and never settles");
    Diagnostic::error("unsettled-type", span, message).help("let every branch yield the same type")
}

/// `{a: 1} + {a: "x"}`
pub(crate) fn record_sum(span: Span, op: Op, left: &Type, right: &Type) -> Diagnostic {
    let sign = if op == Op::Add { "+" } else { "-" };
    let message = format!("`{sign}` works on records of numbers, field by field");
    let wrong = [left, right].into_iter().find(|ty| !is_of_numbers(ty)).unwrap_or(left);
    Diagnostic::error("record-sum", span, message)
        .help(format!("`{wrong}` has a field that is no number; name the fields you mean"))
}

fn is_of_numbers(ty: &Type) -> bool {
    match ty {
        Type::Record(record) => record.fields.iter().all(|(_, ty)| *ty == Type::Number),
        _ => false,
    }
}
