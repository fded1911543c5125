//! What is said beside the outcomes: how likely the evidence is, and that there may be no outcome.

use astragal::{Answer, Rational};

use crate::decimal::{exact, fixed, scientific, short};
use crate::said::said;

/// The chance that there is no outcome at all: `never ends: 1/2`.
pub fn never(answer: &Answer) -> Option<String> {
    let chance = &answer.never;
    if chance.is_zero() {
        return None;
    }
    if answer.lost.is_zero() {
        return Some(format!("never ends: {}", said(chance)));
    }
    // What was given up may or may not end: rounded outwards, the interval stays true.
    let scale = Rational::from(1_000_000_000u64);
    let (low, high) = ((chance * &scale).floor(), ((chance + &answer.lost) * &scale).ceil());
    let shown = |end| fixed(&(Rational::from(end) / &scale), 9);
    Some(format!("never ends with a chance between {} and {}", shown(low), shown(high)))
}

/// What is more than any number: `the mean is infinite`.
pub fn infinite(answer: &Answer) -> Option<String> {
    match answer.infinite() {
        (true, _) => Some("the mean is infinite".into()),
        (false, true) => Some("the variance is infinite".into()),
        (false, false) => None,
    }
}

/// How likely it is that what is given holds: `evidence: 55% = 11/20`.
pub fn evidence(answer: &Answer) -> Option<String> {
    let known = answer.evidence.as_ref()?;
    let at_least = if answer.lost.is_zero() { "" } else { "at least " };
    let hundredfold = short(&(known * Rational::from(100u8)), 2);
    let percent = if hundredfold == "0" { scientific(known) } else { format!("{hundredfold}%") };
    let fraction = exact(known).map_or_else(String::new, |fraction| format!(" = {fraction}"));
    Some(format!("evidence: {at_least}{percent}{fraction}"))
}
