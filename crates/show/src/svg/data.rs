//! What a chart shows, as floats: this is for the eyes only. Exact numbers go into the tooltips.

use std::ops::Range;

use astragal::{Answer, Rational, Value};
use astragal_chart::Places;
use astragal_chart::odds::{Bar, Odds, Told, likely};

use super::MOST_LINES;
use crate::View;
use crate::decimal::{exact, float, float_of, percent, readable_chance, root, short};
use crate::rows::{Merged, label, shown};
use crate::weights::Weights;

/// Of more bars together none has words.
const MOST_WORDS: usize = 2000;

/// What is drawn of answers.
pub(crate) fn of(title: &str, answers: &[(String, &Answer)], view: View) -> (Odds, Told) {
    let (answers, left_out) = answers.split_at(answers.len().min(MOST_LINES));
    let list: Vec<&Answer> = answers.iter().map(|(_, answer)| *answer).collect();
    let merged = Merged::of(&list);
    let numbers = merged.are_numbers();
    let view = if numbers { view } else { View::Exactly };
    let drawn = if numbers { likely(&shares(&merged)) } else { 0..merged.values.len() };
    let with_words = drawn.len() * answers.len() <= MOST_WORDS;
    let mut series: Vec<Vec<Bar>> = answers.iter().map(|_| Vec::new()).collect();
    for place in drawn.clone() {
        let chances = merged.chances(&(place..place + 1), view);
        for (series, chance) in series.iter_mut().zip(&chances) {
            series.push(bar(merged.values[place], chance, view, with_words));
        }
    }
    let odds = Odds {
        names: answers.iter().map(|(name, _)| name.clone()).collect(),
        places: places(&merged.values[drawn.clone()]),
        inside: 0..drawn.len(),
        series,
        view,
        first: 0,
        least: 0.0,
        mean: None,
    };
    let told = Told {
        title: title.to_owned(),
        moments: list.iter().map(|answer| moments(answer)).collect(),
        across: across(answers),
        note: note(&merged, &drawn, &list, left_out.len()),
    };
    (odds, told)
}

/// For each outcome the chances of all answers.
fn shares(merged: &Merged<'_>) -> Vec<Vec<f64>> {
    let chance =
        |weights: &Weights, place| float_of(&weights.weight(place, place + 1), weights.total());
    let chances = |place| merged.weights.iter().map(|weights| chance(weights, place)).collect();
    (0..merged.values.len()).map(chances).collect()
}

fn bar(value: &Value, chance: &Rational, view: View, with_words: bool) -> Bar {
    let percent = 100.0 * float(chance);
    if !with_words {
        return Bar { percent, ..Bar::default() };
    }
    let written = match crate::decimal::percent(chance) {
        text if text.starts_with('<') => Vec::new(),
        text => vec![text, format!("{}%", short(&(chance * Rational::from(100u8)), 1))],
    };
    Bar { percent, written, tooltip: tooltip(value, chance, view) }
}

fn tooltip(value: &Value, chance: &Rational, view: View) -> String {
    let what = match view {
        View::Exactly => shown(value),
        View::AtLeast => format!("{} or more", shown(value)),
        View::AtMost => format!("{} or less", shown(value)),
    };
    let fraction = exact(chance).map_or_else(String::new, |text| format!(" = {text}"));
    format!("{what}: {}{fraction}", percent(chance))
}

fn moments(answer: &Answer) -> Option<String> {
    let (mean, variance) = (answer.mean()?, answer.variance()?);
    Some(format!("mean {}, deviation {}", short(&mean, 2), short(&root(&variance, 4), 2)))
}

fn places(values: &[&Value]) -> Places {
    let numbers =
        values.iter().map(|value| Some(float(&value.as_number()?.to_rational()))).collect();
    Places::of(values.iter().map(|value| shown(value)).collect(), numbers)
}

/// The field or the result, if there is one name for all.
fn across(answers: &[(String, &Answer)]) -> String {
    match answers {
        [(name, _)] if !name.is_empty() => name.clone(),
        _ => "outcome".into(),
    }
}

/// What is not drawn: results beyond the first, and outcomes beyond the ends.
fn note(
    merged: &Merged<'_>,
    drawn: &Range<usize>,
    answers: &[&Answer],
    left_out: usize,
) -> Option<String> {
    let results = match left_out {
        0 => None,
        1 => Some("1 more result".to_owned()),
        more => Some(format!("{more} more results")),
    };
    let rest = answers.iter().any(|answer| !answer.rest.is_zero());
    let whole = drawn.len() == merged.values.len() && !rest;
    let ends = (!whole).then(|| ends(merged, drawn, answers));
    let parts: Vec<String> = results.into_iter().chain(ends).collect();
    (!parts.is_empty()).then(|| format!("not drawn: {}", parts.join("; ")))
}

/// What lies beyond the drawn ends, and how likely it is.
fn ends(merged: &Merged<'_>, drawn: &Range<usize>, answers: &[&Answer]) -> String {
    let below = label(&merged.values[..drawn.start]);
    let above = label(&merged.values[drawn.end..]);
    let mut ends: Vec<String> = [below, above].into_iter().filter(|end| !end.is_empty()).collect();
    if answers.iter().any(|answer| !answer.rest.is_zero()) {
        ends.push("everything beyond".into());
    }
    let beyond = |weights: &Weights| Rational::ONE - weights.between(drawn.start, drawn.end);
    let most = merged.weights.iter().map(beyond).max().unwrap_or_default();
    let how = if answers.len() == 1 { "together" } else { "together at most" };
    let chance = match percent(&most).as_str() {
        text if text.starts_with('<') => readable_chance(&most),
        text => text.to_owned(),
    };
    format!("{} ({how} {chance})", ends.join(" and "))
}
