//! An answer in one line: `mean 15.5, from 6 to 25`, `yes 58.33%`, `failure 12.50%, success 87.50%`.

use astragal::{Answer, Number, Rational};

use crate::decimal::{percent, short};

/// The most outcomes that are named in a line.
const MOST: usize = 6;

/// What matters most of an answer.
pub fn line(answer: &Answer) -> String {
    let outcomes = &answer.outcomes;
    if outcomes.len() > 1 && outcomes.values().iter().all(|value| value.as_number().is_some()) {
        return numbers(answer);
    }
    let yes = outcomes.iter().find(|(value, _)| value.as_bool() == Some(true));
    match outcomes.as_slice() {
        [(only, chance)] if *chance == Rational::ONE => {
            let decimals = only.as_number().and_then(Number::roughly);
            let decimals = decimals.map(|decimals| format!(" ≈ {decimals}"));
            format!("always {only}{}", decimals.unwrap_or_default())
        }
        list if list.iter().all(|(value, _)| value.as_bool().is_some()) => {
            let chance = yes.map_or(Rational::ZERO, |(_, chance)| chance.clone());
            format!("yes {}", percent(&chance).trim())
        }
        list if list.iter().all(|(value, _)| value.as_number().is_some()) => numbers(answer),
        list => {
            let named = list.iter().take(MOST);
            let named = named.map(|(value, chance)| format!("{value} {}", percent(chance).trim()));
            let more = if list.len() > MOST { ", …" } else { "" };
            format!("{}{more}", named.collect::<Vec<_>>().join(", "))
        }
    }
}

fn numbers(answer: &Answer) -> String {
    let range = range(answer);
    match answer.mean() {
        Some(mean) => format!("mean {}, {range}", short(&mean, 2)),
        None if answer.infinite().0 => format!("mean infinite, {range}"),
        None if !answer.lost.is_zero() => format!("{range} (known only within bounds)"),
        None => range,
    }
}

/// From where to where; an endless answer lists only its likely part.
pub fn range(answer: &Answer) -> String {
    let values = answer.outcomes.values();
    let Some((low, high)) = values.first().zip(values.last()) else {
        return "no outcome".into();
    };
    let ends = answer.law.as_ref().map(|law| (law.lowest().is_some(), law.highest().is_some()));
    match ends {
        _ if answer.rest.is_zero() => format!("from {low} to {high}"),
        Some((true, false)) => format!("from {low} without end"),
        Some((false, true)) => format!("up to {high} without end below"),
        _ => format!("nearly always from {low} to {high}"),
    }
}
