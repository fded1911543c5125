//! Many outcomes as few rows.
//!
//! A table of 40 rows can be read; 100d6 has 501 outcomes, and `d6!` has no end of them. So the unlikely
//! ends become one row each, and if that is not enough, neighbours are taken together in round numbers:
//! `340..344`. Where several answers share a table, a row is unlikely only if it is so for all of them.

use std::ops::Range;

use astragal::Value;

use crate::weights::Weights;

/// The most rows that are shown unless everything is asked for.
pub(crate) const MOST_ROWS: usize = 40;

/// The chance of an end that becomes one row: less than one in so many.
const UNLIKELY: u32 = 1000;

/// Neighbouring numbers in groups, as ranges of places.
pub(crate) fn groups(values: &[&Value], weights: &[Weights]) -> Vec<Range<usize>> {
    let middle = likely(values.len(), weights, UNLIKELY);
    let mut groups: Vec<Range<usize>> = Vec::new();
    groups.push(0..middle.start);
    if middle.len() <= MOST_ROWS {
        groups.extend(middle.clone().map(|place| place..place + 1));
    } else {
        groups.extend(bins(values, middle.clone()));
    }
    groups.push(middle.end..values.len());
    groups.retain(|group| !group.is_empty());
    groups
}

/// The places between the ends that have together a chance below one in so many; an end of one place
/// is none.
pub(crate) fn likely(count: usize, weights: &[Weights], one_in: u32) -> Range<usize> {
    let rare = |start, end| weights.iter().all(|w| w.is_below_one_in(one_in, start, end));
    let low = (0..count).take_while(|&place| rare(0, place + 1)).count();
    let high = (low..count).rev().take_while(|&place| rare(place, count)).count();
    let start = if low > 1 { low } else { 0 };
    start..if high > 1 { count - high } else { count }
}

/// Groups of the smallest round width that gives few enough.
fn bins(values: &[&Value], places: Range<usize>) -> Vec<Range<usize>> {
    let whole = |place: usize| values[place].as_number().and_then(astragal::Number::to_i64);
    if places.clone().all(|place| whole(place).is_some()) {
        let widths = (0..18).flat_map(|zeros| [1, 2, 5].map(|digit| digit * 10i64.pow(zeros)));
        for width in widths {
            let bin = |place: usize| whole(place).map(|value| value.div_euclid(width));
            let bins = runs(places.clone(), |a, b| bin(a) == bin(b));
            if bins.len() <= MOST_ROWS {
                return bins;
            }
        }
    }
    let most = places.len().div_ceil(MOST_ROWS);
    let starts = places.clone().step_by(most);
    starts.map(|start| start..(start + most).min(places.end)).collect()
}

/// Runs of places that belong together.
fn runs(places: Range<usize>, same: impl Fn(usize, usize) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for place in places {
        match runs.last_mut() {
            Some(run) if same(run.start, place) => run.end = place + 1,
            _ => runs.push(place..place + 1),
        }
    }
    runs
}
