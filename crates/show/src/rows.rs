//! The rows of a table of odds: one for each outcome, or for a range of outcomes where there are many.
//!
//! One table can hold several answers, one column of chances each: the results of a program, or the
//! programs of a comparison. Outcomes that are no numbers have no neighbours: where there are too many,
//! the likeliest are shown, and how many are left out.

use std::ops::Range;

use astragal::{Answer, Rational, Value};

use crate::View;
use crate::decimal::{one_in_of, percent_of};
use crate::groups::{MOST_ROWS, groups};
use crate::weights::Weights;

/// What is shown of one or several answers.
#[derive(Debug, Default)]
pub struct Table {
    /// From the first outcome to the last.
    pub rows: Vec<Row>,
    /// What the chances are chances of.
    pub view: View,
    /// What the extra column says; empty if there is none.
    pub aside: &'static str,
    /// Whether the labels are numbers.
    pub numbers: bool,
    /// How many outcomes have no row.
    pub left_out: usize,
    /// The chances are lower bounds: their fractions would say too much.
    pub bounds: bool,
}

/// One line of it.
#[derive(Clone, Debug)]
pub struct Row {
    /// The outcome, or the range of outcomes.
    pub label: String,
    /// One chance for each answer.
    pub chances: Vec<Rational>,
    /// What stands beside.
    pub aside: String,
    /// The roll beside the odds is in this row.
    pub rolled: bool,
}

/// Several answers over the same outcomes.
pub struct Merged<'a> {
    /// All outcomes, in order.
    pub values: Vec<&'a Value>,
    /// The weights of each answer at these outcomes.
    pub weights: Vec<Weights>,
}

impl<'a> Merged<'a> {
    /// Answers over all outcomes of any of them.
    pub fn of(answers: &[&'a Answer]) -> Merged<'a> {
        let mut values: Vec<&Value> =
            answers.iter().flat_map(|answer| answer.outcomes.values()).collect();
        values.sort_unstable();
        values.dedup();
        let weights = answers.iter().map(|answer| Weights::of(answer, &values)).collect();
        Merged { values, weights }
    }

    /// Whether each outcome is a number.
    pub fn are_numbers(&self) -> bool {
        self.values.iter().all(|value| value.as_number().is_some())
    }

    fn are_truths(&self) -> bool {
        self.values.iter().all(|value| value.as_bool().is_some())
    }

    /// The chances of a range of places as this view sees them, one for each answer. Where the ends of
    /// an answer are not known, the chance of the range alone.
    pub fn chances(&self, places: &Range<usize>, view: View) -> Vec<Rational> {
        let chance = |weights: &Weights| {
            let seen = match view {
                View::Exactly => None,
                View::AtLeast => weights.at_least(places.start),
                View::AtMost => weights.at_most(places.end),
            };
            seen.unwrap_or_else(|| weights.between(places.start, places.end))
        };
        self.weights.iter().map(chance).collect()
    }
}

/// The rows of answers; `rolled` is the value to be marked.
pub fn table(answers: &[&Answer], view: View, full: bool, rolled: Option<&Value>) -> Table {
    let merged = Merged::of(answers);
    let endless = answers.iter().any(|answer| !answer.rest.is_zero());
    let table = if merged.are_numbers() {
        let many = merged.values.len() > MOST_ROWS || endless;
        numbers(&merged, view, many && !full, rolled)
    } else if merged.are_truths() {
        truths(&merged, rolled)
    } else {
        others(&merged, full, rolled)
    };
    Table { bounds: answers.iter().any(|answer| !answer.lost.is_zero()), ..table }
}

fn numbers(merged: &Merged<'_>, view: View, few: bool, rolled: Option<&Value>) -> Table {
    let places = if few { groups(&merged.values, &merged.weights) } else { singly(merged) };
    let mut rows: Vec<Row> =
        places.iter().map(|places| row(merged, places, view, rolled)).collect();
    let Some(weights) = merged.weights.first().filter(|w| w.at_least(0).is_some()) else {
        let view = View::Exactly;
        return Table { rows, view, numbers: true, ..Table::default() };
    };
    for (row, places) in rows.iter_mut().zip(&places) {
        row.aside = match view {
            View::Exactly => weights.percent_from(places.start).unwrap_or_default(),
            View::AtLeast | View::AtMost => {
                percent_of(&weights.weight(places.start, places.end), weights.total())
            }
        };
    }
    let aside = if view == View::Exactly { "or more" } else { "exactly" };
    Table { rows, view, aside, numbers: true, ..Table::default() }
}

fn singly(merged: &Merged<'_>) -> Vec<Range<usize>> {
    (0..merged.values.len()).map(|place| place..place + 1).collect()
}

fn row(merged: &Merged<'_>, places: &Range<usize>, view: View, rolled: Option<&Value>) -> Row {
    let values = &merged.values[places.clone()];
    Row {
        label: label(values),
        chances: merged.chances(places, view),
        aside: String::new(),
        rolled: rolled.is_some_and(|rolled| values.contains(&rolled)),
    }
}

/// `7`, or `25..70` for a range.
pub fn label(values: &[&Value]) -> String {
    match values {
        [] => String::new(),
        [only] => shown(only),
        [first, .., last] => format!("{}..{}", shown(first), shown(last)),
    }
}

/// A value on one line.
pub fn shown(value: &Value) -> String {
    value.to_string().chars().filter(|c| !c.is_control()).collect()
}

fn truths(merged: &Merged<'_>, rolled: Option<&Value>) -> Table {
    let places = singly(merged);
    let mut rows: Vec<Row> =
        places.iter().rev().map(|places| row(merged, places, View::Exactly, rolled)).collect();
    for row in &mut rows {
        row.aside = row.chances.first().map_or_else(String::new, one_in);
    }
    Table { rows, aside: "1 in", ..Table::default() }
}

/// `1 in 3.27`, without the `1 in`.
pub fn one_in(chance: &Rational) -> String {
    let (_, weight) = chance.numerator().clone().into_parts();
    one_in_of(&weight, chance.denominator())
}

fn others(merged: &Merged<'_>, full: bool, rolled: Option<&Value>) -> Table {
    let places = singly(merged);
    let mut rows: Vec<Row> =
        places.iter().map(|places| row(merged, places, View::Exactly, rolled)).collect();
    let left_out = if full { 0 } else { rows.len().saturating_sub(MOST_ROWS) };
    if left_out > 0 {
        rows.sort_by(|a, b| b.chances.iter().max().cmp(&a.chances.iter().max()));
        rows.truncate(MOST_ROWS);
    }
    Table { rows, left_out, ..Table::default() }
}
