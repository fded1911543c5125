//! The rows of a table of odds: one for each outcome, or for a range of outcomes where there are many.
//!
//! A table of 40 rows can be read; 100d6 has 501 outcomes, and `d6!` has no end of them. So the unlikely
//! ends become one row each, and if that is not enough, neighbours are taken together in round numbers: `340..344`. Outcomes
//! that are no numbers have no neighbours: the likeliest are shown, and how many are left out.

use astragal::{Answer, Rational, Value};

use crate::decimal::{percent, short};

/// The most rows that are shown unless everything is asked for.
const MOST_ROWS: usize = 40;

/// What is shown of an answer.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Row>,
    /// What the extra column says; empty if there is none.
    pub(crate) aside: &'static str,
    /// Whether the labels are numbers.
    pub(crate) numbers: bool,
    /// How many outcomes have no row.
    pub(crate) left_out: usize,
    /// The chances are lower bounds: their fractions would say too much.
    pub(crate) bounds: bool,
}

/// One line of it.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) label: String,
    pub(crate) chance: Rational,
    pub(crate) aside: String,
    /// The roll beside the odds is in this row.
    pub(crate) rolled: bool,
}

/// Neighbouring outcomes.
type Group<'a> = &'a [(Value, Rational)];

/// The rows of an answer; `rolled` is the value to be marked.
pub(crate) fn table(answer: &Answer, full: bool, rolled: Option<&Value>) -> Table {
    let outcomes = answer.outcomes.as_slice();
    let table = if outcomes.iter().all(|(value, _)| value.as_number().is_some()) {
        let many = outcomes.len() > MOST_ROWS || !answer.rest.is_zero();
        let groups = if many && !full { grouped(outcomes) } else { outcomes.chunks(1).collect() };
        numbers(answer, &groups, rolled)
    } else if outcomes.iter().all(|(value, _)| value.as_bool().is_some()) {
        truths(outcomes, rolled)
    } else {
        others(outcomes, full, rolled)
    };
    Table { bounds: !answer.lost.is_zero(), ..table }
}

fn numbers(answer: &Answer, groups: &[Group<'_>], rolled: Option<&Value>) -> Table {
    let mut rows: Vec<Row> = groups.iter().map(|group| row(group, rolled)).collect();
    let Some(above) = chance_above(answer) else {
        return Table { rows, numbers: true, ..Table::default() };
    };
    let mut or_more = above;
    for row in rows.iter_mut().rev() {
        or_more += &row.chance;
        row.aside = percent(&or_more);
    }
    Table { rows, aside: "or more", numbers: true, ..Table::default() }
}

/// The chance of everything above the last outcome, if it is known.
fn chance_above(answer: &Answer) -> Option<Rational> {
    let law = answer.exact_law()?;
    match (law.lowest(), law.highest()) {
        (_, Some(_)) => Some(Rational::ZERO),
        (Some(_), None) => Some(answer.rest.clone()),
        (None, None) => None,
    }
}

fn row(group: Group<'_>, rolled: Option<&Value>) -> Row {
    let chance = group.iter().fold(Rational::ZERO, |sum, (_, chance)| sum + chance);
    let rolled = rolled.is_some_and(|rolled| group.iter().any(|(value, _)| value == rolled));
    Row { label: label(group), chance, aside: String::new(), rolled }
}

fn label(group: Group<'_>) -> String {
    let shown = |value: &Value| value.to_string().chars().filter(|c| !c.is_control()).collect();
    match group {
        [] => String::new(),
        [(only, _)] => shown(only),
        [(first, _), .., (last, _)] => {
            let (first, last): (String, String) = (shown(first), shown(last));
            format!("{first}..{last}")
        }
    }
}

fn truths(outcomes: Group<'_>, rolled: Option<&Value>) -> Table {
    let mut rows: Vec<Row> = outcomes.chunks(1).map(|group| row(group, rolled)).collect();
    rows.reverse();
    for row in &mut rows {
        row.aside = one_in(&row.chance);
    }
    Table { rows, aside: "1 in", ..Table::default() }
}

/// `1 in 3.27`, without the `1 in`.
fn one_in(chance: &Rational) -> String {
    if chance.is_zero() { "never".into() } else { short(&(Rational::ONE / chance), 2) }
}

fn others(outcomes: Group<'_>, full: bool, rolled: Option<&Value>) -> Table {
    let mut rows: Vec<Row> = outcomes.chunks(1).map(|group| row(group, rolled)).collect();
    let left_out = if full { 0 } else { rows.len().saturating_sub(MOST_ROWS) };
    if left_out > 0 {
        rows.sort_by(|a, b| b.chance.cmp(&a.chance));
        rows.truncate(MOST_ROWS);
    }
    Table { rows, left_out, ..Table::default() }
}

/// Many numbers in groups of neighbours.
fn grouped(outcomes: Group<'_>) -> Vec<Group<'_>> {
    let low = unlikely(outcomes.iter());
    let high = outcomes.len() - unlikely(outcomes[low..].iter().rev());
    let middle = &outcomes[low..high];
    let ends = [&outcomes[..low], &outcomes[high..]];
    let mut groups =
        if middle.len() <= MOST_ROWS { middle.chunks(1).collect() } else { bins(middle) };
    groups.insert(0, ends[0]);
    groups.push(ends[1]);
    groups.retain(|group| !group.is_empty());
    groups
}

/// How many outcomes at one end have together a chance below a thousandth; one alone is none.
fn unlikely<'a>(outcomes: impl Iterator<Item = &'a (Value, Rational)>) -> usize {
    let limit = Rational::ONE / Rational::from(1000u16);
    let mut sum = Rational::ZERO;
    let count = outcomes
        .take_while(|(_, chance)| {
            sum += chance;
            sum < limit
        })
        .count();
    if count > 1 { count } else { 0 }
}

/// Groups of the smallest round width that gives few enough.
fn bins(outcomes: Group<'_>) -> Vec<Group<'_>> {
    let whole = outcomes.iter().all(|(v, _)| v.as_number().is_some_and(|n| n.to_i64().is_some()));
    if whole {
        for width in (0..18).flat_map(|zeros| [1, 2, 5].map(|digit| digit * 10i64.pow(zeros))) {
            let bins: Vec<Group<'_>> =
                outcomes.chunk_by(|(a, _), (b, _)| bin(a, width) == bin(b, width)).collect();
            if bins.len() <= MOST_ROWS {
                return bins;
            }
        }
    }
    outcomes.chunks(outcomes.len().div_ceil(MOST_ROWS)).collect()
}

fn bin(value: &Value, width: i64) -> Option<i64> {
    Some(value.as_number()?.to_i64()?.div_euclid(width))
}
