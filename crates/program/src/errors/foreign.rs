//! Functions that other tools and languages have, and what is written here instead.

use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::span::Span;
use astragal_syntax::tree::{Argument, Expr, ExprKind};

/// A call of a function that is not known here.
pub(crate) struct Call<'a> {
    pub(crate) name: &'a str,
    pub(crate) function: Span,
    pub(crate) whole: Span,
    pub(crate) arguments: &'a [Argument],
    /// No operator stands beside it.
    pub(crate) alone: bool,
}

/// What is said of a function that others have: none if nobody has it.
pub(crate) fn foreign_function(call: &Call<'_>) -> Option<Diagnostic> {
    let message = format!("unknown function `{}`", call.name);
    let diagnostic = Diagnostic::error("unknown-function", call.function, message);
    let values: Vec<&Expr> = call.arguments.iter().map(|argument| &argument.value).collect();
    Some(match (call.name.to_ascii_lowercase().as_str(), values.as_slice()) {
        ("average" | "avg" | "expected" | "ev", [_]) => named(diagnostic, call, "mean"),
        ("stdev" | "std" | "sd", [_]) => named(diagnostic, call, "deviation"),
        ("var", [_]) => named(diagnostic, call, "variance"),
        ("probability" | "prob" | "p", [_]) => named(diagnostic, call, "chance"),
        ("quantile", [_, _]) => named(diagnostic, call, "percentile"),
        ("highest" | "best" | "keep_highest", values) => kept(diagnostic, call, "kh", values),
        ("lowest" | "worst" | "keep_lowest", values) => kept(diagnostic, call, "kl", values),
        ("explode", [dice]) if is_dice(dice) => {
            around(diagnostic.help("dice explode by a suffix: `d6!`"), call, dice, "!")
        }
        ("range" | "seq", [from, to]) => range(diagnostic, call, from, to),
        ("rand" | "random" | "randint", [sides]) => {
            let diagnostic = diagnostic.help("a random number is a die, such as `d6`");
            match &sides.kind {
                ExprKind::Number(sides) => diagnostic.edit(call.whole, format!("d{sides}")),
                _ => diagnostic,
            }
        }
        ("rand" | "random" | "randint", _) => {
            diagnostic.help("a random number is a die, such as `d6`")
        }
        ("sqrt" | "root", [_]) => diagnostic
            .help("numbers are exact, and a root is not: compare squares, as in `x ^ 2 >= n`"),
        ("roll" | "throw" | "dice" | "print" | "echo", [roll]) => {
            around(diagnostic.help("a roll needs no function"), call, roll, "")
        }
        ("total", [roll]) => around(diagnostic.help("dice are their sum"), call, roll, ""),
        ("len" | "size" | "count", [_]) => named(diagnostic, call, "length"),
        ("count" | "count_if", [_, _]) => named(diagnostic, call, "count_of"),
        ("ceiling", [_]) => named(diagnostic, call, "ceil"),
        ("int" | "trunc", [_]) => named(diagnostic, call, "floor"),
        _ => return None,
    })
}

fn named(diagnostic: Diagnostic, call: &Call<'_>, ours: &str) -> Diagnostic {
    diagnostic.help(format!("it is called `{ours}` here")).edit(call.function, ours)
}

/// `highest(4d6)`, `highest(4d6, 3)`, `highest(3, 4d6)`
fn kept(diagnostic: Diagnostic, call: &Call<'_>, keep: &str, values: &[&Expr]) -> Diagnostic {
    let number = |expr: &Expr| match &expr.kind {
        ExprKind::Number(digits) => Some(digits.to_string()),
        _ => None,
    };
    let (dice, count) = match values {
        [dice] => (*dice, Some("1".to_owned())),
        [dice, count] if number(count).is_some() => (*dice, number(count)),
        [count, dice] => (*dice, number(count)),
        _ => return diagnostic.help(format!("dice are kept by a suffix: `4d6{keep}3`")),
    };
    let ours = format!("{keep}{}", count.clone().unwrap_or_else(|| "1".into()));
    let diagnostic = diagnostic.help(format!("dice are kept by a suffix: `4d6{ours}`"));
    if count.is_some() && is_dice(dice) {
        return around(diagnostic, call, dice, &ours);
    }
    diagnostic
}

/// `range(1, 5)`
fn range(diagnostic: Diagnostic, call: &Call<'_>, from: &Expr, to: &Expr) -> Diagnostic {
    let simple = |expr: &Expr| matches!(expr.kind, ExprKind::Number(_) | ExprKind::Name(_));
    let diagnostic = diagnostic.help("the numbers from 1 to 5 are the list `1..5`");
    if !simple(from) || !simple(to) {
        return diagnostic;
    }
    let between = Span { start: from.span.end, end: to.span.start, ..call.whole };
    let (open, close) = if call.alone { ("", "") } else { ("(", ")") };
    let before = Span { end: from.span.start, ..call.whole };
    let after = Span { start: to.span.end, ..call.whole };
    diagnostic.edit(before, open).edit(between, "..").edit(after, close)
}

/// The call becomes its argument, with something behind it.
fn around(diagnostic: Diagnostic, call: &Call<'_>, value: &Expr, behind: &str) -> Diagnostic {
    let before = Span { end: value.span.start, ..call.whole };
    let after = Span { start: value.span.end, ..call.whole };
    let bare = call.alone || !matches!(value.kind, ExprKind::Binary(..) | ExprKind::Range(..));
    match bare {
        true => diagnostic.edit(before, "").edit(after, behind),
        false => diagnostic.edit(before, "(").edit(after, ")"),
    }
}

/// Dice that take a suffix as they stand.
fn is_dice(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Dice { .. } | ExprKind::Suffixed { .. } | ExprKind::Group(_))
}

/// `sum(4d6kh3)`
pub(crate) fn sum_of_dice(call: Span, dice: Span) -> Diagnostic {
    let before = Span { end: dice.start, ..call };
    let after = Span { start: dice.end, ..call };
    Diagnostic::error("type-mismatch", call, "`sum` needs a list, but this is a pool of dice")
        .help("a pool of dice is its sum already")
        .edit(before, "")
        .edit(after, "")
}
