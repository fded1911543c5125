//! What a refused request was allowed, what it would have taken, and what to write instead, in words.

use astragal_odds::{Bill, Failure};
use astragal_program::core::{Expr, Kind, Program, Reading, SuffixKind};
use astragal_program::fault::{Costly, FaultKind};
use astragal_syntax::span::Span;

use crate::guard::time_of;

/// What to write instead of the part that was refused. None if nothing better is known than what is said of all.
pub(crate) fn instead(program: &Program, failure: &Failure) -> Option<&'static str> {
    let FaultKind::OverBudget(part) = &failure.fault.kind else { return None };
    if !matches!(part, Costly::Work | Costly::Time | Costly::Memory | Costly::States) {
        return None;
    }
    // What is used up bit by bit inside a loop is used up by the loop.
    let bit_by_bit = failure.bill.as_ref().is_none_or(|bill| bill.needed.is_none());
    let found = forms_at(program, failure.fault.span).into_iter();
    let costly = found.map(|(form, around)| around.filter(|_| bit_by_bit).unwrap_or(form));
    costly.rev().find_map(of_form)
}

/// The forms that stand at a place, from the outside in, each with the innermost loop around it.
fn forms_at(program: &Program, span: Span) -> Vec<(&Expr, Option<&Expr>)> {
    let bodies = program.functions.iter().chain([&program.main]).map(|function| &function.body);
    let mut waiting: Vec<(&Expr, Option<&Expr>)> = bodies.map(|body| (body, None)).collect();
    let mut found = Vec::new();
    while let Some((form, around)) = waiting.pop() {
        if form.span == span {
            found.push((form, around));
        }
        let is_loop = matches!(form.kind, Kind::Repeat { .. });
        let around = if is_loop { Some(form) } else { around };
        waiting.extend(form.children().into_iter().map(|child| (child, around)));
    }
    found
}

/// What helps where one form is too costly.
fn of_form(form: &Expr) -> Option<&'static str> {
    let dice = "throw fewer dice, or dice with fewer sides: every sum is worked out exactly";
    let rank = "keep fewer dice, or throw fewer: each way to keep them is worked out exactly";
    let list = "a list tells each item from the others: ask for its sum, its length or a few of its \
                items, or bring it in order with `sort`";
    let round = "carry less from round to round: each value that is carried is told from the others; \
                 bound what grows, as in `min(100, …)`, or end sooner";
    Some(match &form.kind {
        Kind::Dice { .. } | Kind::Merge(_) => dice,
        Kind::Read { reading: Reading::Total, .. } => dice,
        Kind::Read { .. } | Kind::Gather(_) | Kind::Times { .. } => rank,
        Kind::Suffixed { suffix, .. } => match suffix.kind {
            SuffixKind::Keep(..) | SuffixKind::Drop(..) | SuffixKind::Unique => rank,
            SuffixKind::InAll { .. } => {
                "throw fewer dice, or give each die a limit of its own: `up to 2` without `in all`"
            }
            SuffixKind::Explode { .. } => "throw fewer dice, or set a lower limit: `! up to 3`",
            _ => dice,
        },
        Kind::Drawn { .. } => "draw fewer, or ask one hand at a time",
        Kind::Tally { .. } => "ask for one field, as in `(…).hits`, or throw fewer dice",
        Kind::Symbols { .. } => {
            "throw fewer dice, or count one face with a die of numbers: `d{0, 1: 2}`"
        }
        Kind::Walk { .. } => {
            "carry less over the faces: a number instead of a list, one field of a record; or walk \
             over fewer dice or faces"
        }
        Kind::Repeat { .. } => round,
        Kind::Fold { .. } | Kind::List(_) => list,
        Kind::Call { .. } | Kind::Enter { .. } => {
            "ask the function for fewer different arguments: it is worked out once for each"
        }
        Kind::Operation { .. } => {
            "this has very many different values: round or bound its operands first, or compare them \
             instead"
        }
        _ => return None,
    })
}

/// What was too large in a play, and what helps.
pub(crate) fn of_play(places: u64, waiting: Option<u64>) -> String {
    if let Some(calls) = waiting {
        return format!(
            "a function that chooses calls itself, and something is left to do after the call: at least {} calls wait for \
             each other here, and best play is not known where chance alone ends that; hand on what is left to do as an \
             argument, so that the call comes last, or count the calls and end after some",
            number(calls)
        );
    }
    format!(
        "the play has at least {} places, each a point of it with all that is known there: carry less, bound what \
         grows, as in `min(100, …)`, sort the dice of a hand, or choose among fewer",
        number(places)
    )
}

/// `400 million steps are allowed; this needs at least 3.2 billion`. None if the request was not too costly.
pub(crate) fn in_words(failure: &Failure) -> Option<String> {
    let (FaultKind::OverBudget(part), Some(bill)) = (&failure.fault.kind, failure.bill.as_deref())
    else {
        return None;
    };
    let unit = match part {
        Costly::Work => "steps of work",
        Costly::Time => return Some(of_time(*bill)),
        Costly::Memory => return Some(of_memory(*bill)),
        Costly::States => "states at a time",
        Costly::Outcomes => "outcomes",
        _ => return None,
    };
    let allowed = format!("{} {unit} are allowed", number(bill.allowed));
    Some(match bill.needed {
        Some(needed) => format!("{allowed}; this needs at least {}", number(needed)),
        None => format!("{allowed}; they were used up here"),
    })
}

fn of_time(bill: Bill) -> String {
    let seconds = time_of(bill.allowed).as_secs_f64().ceil();
    format!("{seconds} seconds of work are allowed; they were used up here")
}

fn of_memory(bill: Bill) -> String {
    let allowed = format!("{} of memory are allowed", bytes(bill.allowed));
    match bill.needed {
        Some(needed) => format!("{allowed}; this needs at least {}", bytes(needed)),
        None => format!("{allowed}; they were used up here"),
    }
}

/// A large number, rounded to two digits.
fn number(n: u64) -> String {
    const NAMES: [(u64, &str); 4] = [
        (1_000_000_000_000, "trillion"),
        (1_000_000_000, "billion"),
        (1_000_000, "million"),
        (1_000, "thousand"),
    ];
    match NAMES.iter().find(|(size, _)| n >= *size) {
        Some((size, _)) if *size == 1_000_000_000_000 && n / size >= 1000 => {
            "more than a thousand trillion".into()
        }
        Some((size, name)) => format!("{} {name}", tenths(n, *size)),
        None => n.to_string(),
    }
}

fn bytes(n: u64) -> String {
    match n >> 30 {
        0 => format!("{} MiB", n.div_ceil(1 << 20)),
        _ => format!("{} GiB", tenths(n, 1 << 30)),
    }
}

/// A number in units of a size: whole from ten up, with one decimal below.
fn tenths(n: u64, size: u64) -> String {
    let tenths = n / (size / 10);
    match tenths % 10 {
        0 => format!("{}", tenths / 10),
        _ if tenths >= 100 => format!("{}", tenths / 10),
        rest => format!("{}.{rest}", tenths / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_in_words() {
        assert_eq!(number(200), "200");
        assert_eq!(number(200_000), "200 thousand");
        assert_eq!(number(1_250_000), "1.2 million");
        assert_eq!(number(400_000_000), "400 million");
        assert_eq!(number(31_499_000_000), "31 billion");
        assert_eq!(number(u64::MAX), "more than a thousand trillion");
        assert_eq!(bytes(500 << 20), "500 MiB");
        assert_eq!(bytes(11 << 30), "11 GiB");
    }
}
