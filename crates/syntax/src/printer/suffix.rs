//! Suffixes in short and in words.

use super::print_expr;
use crate::Words;
use crate::tree::{
    Comparison, Condition, End, ExplodeLimit, ExplodeStyle, Expr, ExprKind, Order, SuffixKind,
};

/// `kh3`
pub(super) fn short(kind: &SuffixKind) -> String {
    match kind {
        SuffixKind::Keep(End::Highest, count) => format!("kh{}", optional("", count)),
        SuffixKind::Keep(End::Lowest, count) => format!("kl{}", optional("", count)),
        SuffixKind::Keep(End::Middle, count) => format!("km{}", optional("", count)),
        SuffixKind::Drop(End::Highest, count) => format!("dh{}", optional("", count)),
        SuffixKind::Drop(End::Lowest | End::Middle, count) => format!("dl{}", optional("", count)),
        SuffixKind::Explode { style, trigger, limit } => short_explode(*style, trigger, limit),
        SuffixKind::Reroll { once: false, condition } => {
            format!("rr{}", short_condition(condition))
        }
        SuffixKind::Reroll { once: true, condition } => format!("ro{}", short_condition(condition)),
        SuffixKind::InAll { act, most, first } => short(act) + &in_all(most, *first),
        SuffixKind::AtLeast(value) => format!("min{}", print_expr(value)),
        SuffixKind::AtMost(value) => format!("max{}", print_expr(value)),
        SuffixKind::CountFor(condition) => format!("cs{}", short_condition(condition)),
        SuffixKind::CountAgainst(condition) => format!("cf{}", short_condition(condition)),
        SuffixKind::Unique => "u".to_owned(),
        SuffixKind::Drawn(without) => drawn(without),
        SuffixKind::Ascending => "sa".to_owned(),
        SuffixKind::Descending => "sd".to_owned(),
    }
}

/// Whether the short form would be refused: `!>4` is read differently elsewhere.
pub(super) fn needs_words(kind: &SuffixKind) -> bool {
    match kind {
        SuffixKind::Explode { trigger: Some(condition), .. } => {
            matches!(condition.comparison, Comparison::Less | Comparison::Greater)
        }
        SuffixKind::InAll { act, .. } => needs_words(act),
        _ => false,
    }
}

/// `keep highest 3`
pub(super) fn words(kind: &SuffixKind) -> Words {
    let mut words = Words::new();
    say(&mut words, kind);
    words
}

fn say(words: &mut Words, kind: &SuffixKind) {
    match kind {
        SuffixKind::Keep(end, count) => say_end(words, keep(*end), count),
        SuffixKind::Drop(end, count) => say_end(words, drop(*end), count),
        SuffixKind::Explode { style, trigger, limit } => {
            say_explode(words, *style, trigger, limit);
        }
        SuffixKind::Reroll { once: false, condition } => say_if(words, "reroll ", condition),
        SuffixKind::Reroll { once: true, condition } => say_if(words, "reroll once ", condition),
        SuffixKind::InAll { act, most, first } => {
            say(words, act);
            words.push(&in_all(most, *first));
        }
        SuffixKind::AtLeast(value) => say_expr(words, "at least ", value),
        SuffixKind::AtMost(value) => say_expr(words, "at most ", value),
        SuffixKind::CountFor(condition) => say_if(words, "count ", condition),
        SuffixKind::CountAgainst(condition) => say_if(words, "count against ", condition),
        SuffixKind::Unique => words.push("unique"),
        SuffixKind::Drawn(without) => words.push(&drawn(without)),
        SuffixKind::Ascending => words.push("ascending"),
        SuffixKind::Descending => words.push("descending"),
    }
}

fn say_end(words: &mut Words, what: &str, count: &Option<Box<Expr>>) {
    words.push(what);
    if let Some(count) = count {
        say_expr(words, " ", count);
    }
}

fn say_if(words: &mut Words, what: &str, condition: &Condition) {
    words.push(what);
    words.push(condition.comparison.sign());
    say_expr(words, " ", &condition.value);
}

fn say_expr(words: &mut Words, before: &str, expr: &Expr) {
    words.push(before);
    match &expr.kind {
        ExprKind::Number(digits) => words.push(digits),
        _ => words.push(&print_expr(expr)),
    }
}

fn drawn(without: &[Expr]) -> String {
    let gone = without.iter().map(|gone| [" without ", &print_expr(gone)].concat());
    ["drawn".to_owned()].into_iter().chain(gone).collect()
}

fn in_all(most: &Expr, first: Order) -> String {
    let first = match first {
        Order::Thrown => "",
        Order::Lowest => " lowest first",
        Order::Highest => " highest first",
    };
    format!(" up to {} in all{first}", print_expr(most))
}

fn keep(end: End) -> &'static str {
    match end {
        End::Highest => "keep highest",
        End::Lowest => "keep lowest",
        End::Middle => "keep middle",
    }
}

fn drop(end: End) -> &'static str {
    match end {
        End::Highest => "drop highest",
        End::Lowest => "drop lowest",
        End::Middle => "drop middle",
    }
}

fn optional(before: &str, count: &Option<Box<Expr>>) -> String {
    count.as_ref().map_or(String::new(), |count| [before, &print_expr(count)].concat())
}

fn short_explode(style: ExplodeStyle, trigger: &Option<Condition>, limit: &ExplodeLimit) -> String {
    let mut short = match style {
        ExplodeStyle::Separate => "!",
        ExplodeStyle::Compound => "!!",
        ExplodeStyle::Penetrate => "!p",
    }
    .to_owned();
    if matches!(limit, ExplodeLimit::Once) {
        short.push('o');
    }
    match trigger {
        Some(condition) if is_bare(condition) => short.push_str(&print_expr(&condition.value)),
        Some(condition) => short.push_str(&short_condition(condition)),
        None => {}
    }
    if let ExplodeLimit::UpTo(most) = limit {
        short.push_str(&format!(" up to {}", print_expr(most)));
    }
    short
}

fn say_explode(
    words: &mut Words,
    style: ExplodeStyle,
    trigger: &Option<Condition>,
    limit: &ExplodeLimit,
) {
    words.push(match style {
        ExplodeStyle::Separate => "explode",
        ExplodeStyle::Compound => "compound",
        ExplodeStyle::Penetrate => "penetrate",
    });
    if matches!(limit, ExplodeLimit::Once) {
        words.push(" once");
    }
    match trigger {
        Some(condition) if is_bare(condition) => say_expr(words, " on ", &condition.value),
        Some(condition) => say_if(words, " on ", condition),
        None => {}
    }
    if let ExplodeLimit::UpTo(most) = limit {
        say_expr(words, " up to ", most);
        words.push(" times");
    }
}

/// A trigger that needs no comparison: `!5`.
fn is_bare(condition: &Condition) -> bool {
    condition.comparison == Comparison::Equal
        && matches!(condition.value.kind, ExprKind::Number(_) | ExprKind::Paren(_))
}

fn short_condition(condition: &Condition) -> String {
    format!("{}{}", condition.comparison.sign(), print_expr(&condition.value))
}
