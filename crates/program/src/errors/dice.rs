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
    /// They were drawn from a bag.
    Drawn,
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
        Frozen::Drawn => {
            let message = format!("`{words}` throws dice again, but these are drawn from a bag");
            Diagnostic::error("frozen-dice", span, message)
                .help("to draw more from what is left, write `let first = 5d52 drawn`, then `2d52 drawn without first`")
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

/// `4d6kh3 drawn`
pub(crate) fn drawn_late(span: Span) -> Diagnostic {
    let message = "`drawn` says how dice come to the table, so it stands right behind them";
    Diagnostic::error("drawn-late", span, message)
        .help("write it first, as in `5d{1..13: 4} drawn kh3`")
}

/// `let p = 5d10 cs>=8; 2d10 drawn without p`
pub(crate) fn marks_in_bag(span: Span) -> Diagnostic {
    let message = "these dice are counted, so their faces are not out of the bag";
    Diagnostic::error("bad-without", span, message).help("leave out `cs` and `cf`")
}

/// `5d52 drawn without 7`
pub(crate) fn not_in_bags(span: Span, found: &Type) -> Diagnostic {
    let message = format!("what is out of a bag is dice or a list, but this is {}", kind_of(found));
    Diagnostic::error("bad-without", span, message)
        .help("name dice, `without hand`, or list faces, `without [1, 1, 5]`")
}

/// `3d{{red: 1}: 5, {blue: 1}: 7} drawn without hand`
pub(crate) fn sum_of_records(span: Span) -> Diagnostic {
    let message =
        "symbols are added up as they are drawn, so it is not known which are out of the bag";
    Diagnostic::error("bad-without", span, message).help(
        "make the faces numbers or texts, as in `3d{\"red\": 5, \"blue\": 7} drawn without hand`",
    )
}

/// `d{1..n}`
pub(crate) fn range_of_faces(span: Span) -> Diagnostic {
    let message = "faces from one number to another need two plain whole numbers, the lower first";
    Diagnostic::error("range-of-faces", span, message)
        .help("write it like `d{1..13: 4}`, for at most 1000 faces")
}
