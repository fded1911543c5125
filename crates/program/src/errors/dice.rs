//! Dice, pools and suffixes.

use astragal_syntax::diagnostic::Diagnostic;
use astragal_syntax::span::Span;

use super::kind_of;
use crate::types::Type;

/// Why dice cannot be thrown again.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Frozen {
    /// They were bound by `let` or passed to a function.
    OnTheTable,
    /// They are totals of other dice.
    Totals,
}

/// `(2 + 3)kh1`
pub(crate) fn not_a_pool(span: Span, base: Span, words: &str, found: &Type) -> Diagnostic {
    let message = format!("`{words}` needs dice, but this is {}", kind_of(found));
    let diagnostic = Diagnostic::error("not-a-pool", span, message)
        .also(base, format!("this is {}", kind_of(found)));
    match found {
        Type::Number => diagnostic.help(
            "put the suffix right after its dice, as in `4d6kh3 + 2`; to take it of several totals, write `{a, b}kh1`",
        ),
        Type::List(_) => diagnostic.help("dice whose faces are not numbers take no suffixes"),
        _ => diagnostic.help("suffixes follow dice, as in `4d6kh3`"),
    }
}

/// `median(3)`
pub(crate) fn needs_pool(span: Span, name: &str, found: &Type) -> Diagnostic {
    let message = format!("`{name}` needs dice, but this is {}", kind_of(found));
    Diagnostic::error("needs-pool", span, message)
        .help(format!("give it dice, as in `4d6`, or a group, as in `{name}({{a, b, c}}…)`"))
}

/// `5d10cs>=8kh2`
pub(crate) fn after_count(span: Span, words: &str, edit: Option<(Span, String)>) -> Diagnostic {
    let message = format!("`{words}` cannot follow a count: the dice are counted already");
    let diagnostic = Diagnostic::error("after-count", span, message);
    match edit {
        Some((place, order)) => {
            diagnostic.help(format!("count last: `{order}`")).edit(place, order)
        }
        None => diagnostic.help("put it before `cs` or `cf`"),
    }
}

/// `let p = 4d6; p!`
pub(crate) fn frozen_dice(span: Span, words: &str, short: &str, why: Frozen) -> Diagnostic {
    match why {
        Frozen::OnTheTable => {
            let message = format!("`{words}` throws dice, but these lie on the table already");
            Diagnostic::error("frozen-dice", span, message)
                .help(format!("throw them so in the first place, as in `let p = 4d6 {short}`"))
        }
        Frozen::Totals => {
            let message = format!("`{words}` throws dice again, but these are totals, not dice");
            Diagnostic::error("frozen-dice", span, message)
                .help(format!("put it after the dice within, as in `{{2d6 {short}, d8}}`"))
        }
    }
}

/// `d{1, "a"}`
pub(crate) fn mixed_faces(span: Span, found: &Type, other: &Type) -> Diagnostic {
    let message = format!("this face is {}, but the die has {}", kind_of(found), kind_of(other));
    Diagnostic::error("mixed-faces", span, message)
        .help("make all faces numbers, or all texts, or all variants of one enumeration")
}

/// `d{hit, miss}`
pub(crate) fn bare_faces(span: Span, names: &[&str]) -> Diagnostic {
    let mut different: Vec<&str> = Vec::new();
    names.iter().for_each(|name| {
        if !different.contains(name) {
            different.push(name);
        }
    });
    let message = format!("unknown name `{}`", different.first().unwrap_or(&""));
    let variants: Vec<String> = names.iter().map(|name| format!("Face.{name}")).collect();
    let help = format!(
        "name the faces first, `enum Face = {}`, then write `d{{{}}}`; or make them texts",
        different.join(" | "),
        variants.join(", ")
    );
    Diagnostic::error("unknown-name", span, message).help(help)
}

/// `d{true}`
pub(crate) fn bad_faces(span: Span, found: &Type) -> Diagnostic {
    let message = format!("a die cannot show {}", kind_of(found));
    Diagnostic::error("bad-faces", span, message)
        .help("faces are numbers, texts, variants, or records of numbers such as `{hits: 1}`")
}

/// `{2d6[fire] + d8}kh2`
pub(crate) fn label_in_pool(span: Span) -> Diagnostic {
    Diagnostic::error("label-in-pool", span, "a label cannot mark some of a pool's loose dice")
        .help("label the whole: `{2d6 + d8}kh2[fire]`")
}

/// `10d10 >= 8`
pub(crate) fn count_or_sum(span: Span, gap: Span, count: &str) -> Diagnostic {
    Diagnostic::hint("count-or-sum", span, "this compares the sum of the dice")
        .help(format!("to count dice, write `{count}`"))
        .edit(gap, format!(" {count}"))
}

/// `99…9` with 20,000 digits
pub(crate) fn literal_too_large(span: Span) -> Diagnostic {
    Diagnostic::error("number-too-large", span, "this number has more digits than can be handled")
        .help("write a smaller number")
}

/// `2d6! u`
pub(crate) fn unique_after_explosion(span: Span) -> Diagnostic {
    let message =
        "dice that explode can become more than there are faces, so they cannot all differ";
    Diagnostic::error("unique-after-explosion", span, message)
        .help("make them differ first, as in `2d6 u !`, or add the extra dice up, as in `2d6!! u`")
}
