//! What a chart shows, as floats: this is for the eyes only. Exact numbers go into the tooltips.

use astragal::{Answer, Rational, Value};

use super::frame::Places;
use crate::View;
use crate::decimal::{exact, fixed, percent, readable_chance, root, short};
use crate::groups::likely;
use crate::rows::{Merged, label, shown};

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
    pub(crate) fn of(title: &str, answers: &[(String, &Answer)], view: View) -> Data {
        let list: Vec<&Answer> = answers.iter().map(|(_, answer)| *answer).collect();
        let merged = Merged::of(&list);
        let view = if merged.are_numbers() { view } else { View::Exactly };
        let drawn = match merged.are_numbers() {
            true => likely(merged.values.len(), &merged.weights, UNLIKELY),
            false => 0..merged.values.len(),
        };
        let mut bars: Vec<Vec<Bar>> = answers.iter().map(|_| Vec::new()).collect();
        for place in drawn.clone() {
            let chances = merged.chances(&(place..place + 1), view);
            for (series, chance) in bars.iter_mut().zip(&chances) {
                series.push(bar(merged.values[place], chance, view));
            }
        }
        let rest = list.iter().any(|answer| !answer.rest.is_zero());
        let whole = drawn.len() == merged.values.len() && !rest;
        Data {
            title: title.to_owned(),
            names: answers.iter().map(|(name, _)| name.clone()).collect(),
            moments: list.iter().map(|answer| moments(answer)).collect(),
            places: places(&merged.values[drawn.clone()]),
            across: across(answers),
            bars,
            view,
            note: (!whole).then(|| note(&merged, &drawn, &list)),
        }
    }
}

fn bar(value: &Value, chance: &Rational, view: View) -> Bar {
    let what = match view {
        View::Exactly => shown(value),
        View::AtLeast => format!("{} or more", shown(value)),
        View::AtMost => format!("{} or less", shown(value)),
    };
    let fraction = exact(chance).map_or_else(String::new, |text| format!(" = {text}"));
    let hundredfold = chance * Rational::from(100u8);
    Bar { percent: float(&hundredfold), tooltip: format!("{what}: {}{fraction}", percent(chance)) }
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

/// What lies beyond the drawn ends, and how likely it is.
fn note(merged: &Merged<'_>, drawn: &std::ops::Range<usize>, answers: &[&Answer]) -> String {
    let below = label(&merged.values[..drawn.start]);
    let above = label(&merged.values[drawn.end..]);
    let mut ends: Vec<String> = [below, above].into_iter().filter(|end| !end.is_empty()).collect();
    if answers.iter().any(|answer| !answer.rest.is_zero()) {
        ends.push("everything beyond".into());
    }
    let chance = answers.iter().zip(&merged.weights).map(|(answer, weights)| {
        let shown = weights.between(drawn.start, drawn.end);
        (Rational::ONE - shown, answer)
    });
    let most = chance.map(|(chance, _)| chance).max().unwrap_or_default();
    let how = if answers.len() == 1 { "together" } else { "together at most" };
    let chance = match percent(&most).as_str() {
        text if text.starts_with('<') => readable_chance(&most),
        text => text.to_owned(),
    };
    format!("not drawn: {} ({how} {chance})", ends.join(" and "))
}
