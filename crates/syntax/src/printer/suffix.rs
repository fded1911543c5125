//! Suffixes in short and in words.

use super::print_expr;
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

/// `keep highest 3`
pub(super) fn words(kind: &SuffixKind) -> String {
    match kind {
        SuffixKind::Keep(end, count) => ["keep ", end_word(*end), &optional(" ", count)].concat(),
        SuffixKind::Drop(end, count) => ["drop ", end_word(*end), &optional(" ", count)].concat(),
        SuffixKind::Explode { style, trigger, limit } => explode_words(*style, trigger, limit),
        SuffixKind::Reroll { once: false, condition } => {
            ["reroll ", &condition_words(condition)].concat()
        }
        SuffixKind::Reroll { once: true, condition } => {
            ["reroll once ", &condition_words(condition)].concat()
        }
        SuffixKind::InAll { act, most, first } => words(act) + &in_all(most, *first),
        SuffixKind::AtLeast(value) => ["at least ", &print_expr(value)].concat(),
        SuffixKind::AtMost(value) => ["at most ", &print_expr(value)].concat(),
        SuffixKind::CountFor(condition) => ["count ", &condition_words(condition)].concat(),
        SuffixKind::CountAgainst(condition) => {
            ["count against ", &condition_words(condition)].concat()
        }
        SuffixKind::Unique => "unique".to_owned(),
        SuffixKind::Drawn(without) => drawn(without),
        SuffixKind::Ascending => "ascending".to_owned(),
        SuffixKind::Descending => "descending".to_owned(),
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

fn end_word(end: End) -> &'static str {
    match end {
        End::Highest => "highest",
        End::Lowest => "lowest",
        End::Middle => "middle",
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

fn explode_words(style: ExplodeStyle, trigger: &Option<Condition>, limit: &ExplodeLimit) -> String {
    let mut words = match style {
        ExplodeStyle::Separate => "explode",
        ExplodeStyle::Compound => "compound",
        ExplodeStyle::Penetrate => "penetrate",
    }
    .to_owned();
    if matches!(limit, ExplodeLimit::Once) {
        words.push_str(" once");
    }
    match trigger {
        Some(condition) if is_bare(condition) => {
            words.push_str(" on ");
            words.push_str(&print_expr(&condition.value));
        }
        Some(condition) => {
            words.push_str(" on ");
            words.push_str(&condition_words(condition));
        }
        None => {}
    }
    if let ExplodeLimit::UpTo(most) = limit {
        words.push_str(&format!(" up to {} times", print_expr(most)));
    }
    words
}

/// A trigger that needs no comparison: `!5`.
fn is_bare(condition: &Condition) -> bool {
    condition.comparison == Comparison::Equal
        && matches!(condition.value.kind, ExprKind::Number(_) | ExprKind::Paren(_))
}

fn short_condition(condition: &Condition) -> String {
    format!("{}{}", comparison(condition.comparison), print_expr(&condition.value))
}

fn condition_words(condition: &Condition) -> String {
    [comparison(condition.comparison), " ", &print_expr(&condition.value)].concat()
}

/// As suffixes write it; between expressions, equality is `==`.
pub(super) fn comparison(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "=",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
        Comparison::Greater => ">",
        Comparison::AtLeast => ">=",
    }
}
