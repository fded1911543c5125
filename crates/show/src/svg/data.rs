//! What a chart shows, as floats: this is for the eyes only. Exact numbers go into the tooltips.

use std::ops::Range;

use astragal::{Answer, Rational, Value};

use super::MOST_LINES;
use super::frame::Places;
use super::marks::MOST_BARS;
use crate::View;
use crate::decimal::{exact, fixed, percent, readable_chance, root, short};
use crate::groups::likely;
use crate::rows::{Merged, label, shown};
use crate::weights::Weights;

/// Ends with a smaller chance than one in so many are not drawn.
const UNLIKELY: u32 = 2000;

/// The bars of a chart.
pub(crate) struct Data {
    pub(crate) title: String,
    pub(crate) names: Vec<String>,
    /// Mean and deviation of each series, where it has them.
    pub(crate) moments: Vec<Option<String>>,
    pub(crate) places: Places,
    /// What the places are.
    pub(crate) across: String,
    /// For each series, for each outcome: the chance in percent, and what its tooltip says.
    pub(crate) bars: Vec<Vec<Bar>>,
    pub(crate) view: View,
    /// What is not drawn.
    pub(crate) note: Option<String>,
}

pub(crate) struct Bar {
    pub(crate) percent: f64,
    pub(crate) tooltip: String,
}

impl Data {
    /// What is drawn of answers.
    pub(crate) fn of(title: &str, answers: &[(String, &Answer)], view: View) -> Data {
        let (answers, left_out) = answers.split_at(answers.len().min(MOST_LINES));
        let list: Vec<&Answer> = answers.iter().map(|(_, answer)| *answer).collect();
        let merged = Merged::of(&list);
        let view = if merged.are_numbers() { view } else { View::Exactly };
        let drawn = match merged.are_numbers() {
            true => likely(merged.values.len(), &merged.weights, UNLIKELY),
            false => 0..merged.values.len(),
        };
        let mut bars: Vec<Vec<Bar>> = answers.iter().map(|_| Vec::new()).collect();
        let with_tooltips = drawn.len() * answers.len() <= MOST_BARS;
        for place in drawn.clone() {
            let chances = merged.chances(&(place..place + 1), view);
            for (series, chance) in bars.iter_mut().zip(&chances) {
                let tooltip = with_tooltips.then(|| tooltip(merged.values[place], chance, view));
                let percent = float(&(chance * Rational::from(100u8)));
                series.push(Bar { percent, tooltip: tooltip.unwrap_or_default() });
            }
        }
        Data {
            title: title.to_owned(),
            names: answers.iter().map(|(name, _)| name.clone()).collect(),
            moments: list.iter().map(|answer| moments(answer)).collect(),
            places: places(&merged.values[drawn.clone()]),
            across: across(answers),
            bars,
            view,
            note: note(&merged, &drawn, &list, left_out.len()),
        }
    }
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

/// A number that is not too exact: nine decimals are enough for any paper.
fn float(value: &Rational) -> f64 {
    fixed(value, 9).parse().unwrap_or(0.0)
}

fn moments(answer: &Answer) -> Option<String> {
    let (mean, variance) = (answer.mean()?, answer.variance()?);
    Some(format!("mean {}, deviation {}", short(&mean, 2), short(&root(&variance, 4), 2)))
}

fn places(values: &[&Value]) -> Places {
    let numbers =
        values.iter().map(|value| Some(float(&value.as_number()?.to_rational()))).collect();
    Places::of(numbers, || values.iter().map(|value| shown(value)).collect())
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
