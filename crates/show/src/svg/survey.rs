//! What a sweep shows: lines over one input, a map over two.

use astragal_chart::lines::{Line, Lines};
use astragal_chart::map::{Cell, Map, Measure as MapMeasure, Side};
use astragal_chart::{Look, Places};

use super::MOST_LINES;
use crate::decimal::exact;
use crate::heat::share;
use crate::sweep::{Input, Measure, WAYS};

/// A line for each number, over the values of an input.
pub fn lines(title: &str, input: &Input, measures: &[Measure], look: &Look) -> String {
    let (shown, left_out) = measures.split_at(measures.len().min(MOST_LINES));
    let numbers = input.values.iter().map(|value| value.parse::<f64>().ok()).collect();
    let line = |measure: &Measure| Line {
        title: measure.title.clone(),
        chance: measure.chance,
        values: (0..input.values.len()).map(|at| measure.float(at)).collect(),
        tooltips: (0..input.values.len())
            .map(|at| said(measure, at, &format!("{} = {}", input.name, input.values[at])))
            .collect(),
    };
    let lines = Lines {
        across: input.name.clone(),
        places: Places::of(input.values.clone(), numbers),
        lines: shown.iter().map(line).collect(),
    };
    lines.file(title, left_out.len(), look)
}

/// A number for each pair of values of two inputs.
pub fn map(
    title: &str,
    rows: &Input,
    columns: &Input,
    measures: &[Measure],
    look: &Look,
) -> String {
    let side = |input: &Input| Side { name: input.name.clone(), values: input.values.clone() };
    let measures = measures.iter().map(|measure| of_map(measure, rows, columns)).collect();
    Map { rows: side(rows), columns: side(columns), measures }.file(title, look)
}

fn of_map(measure: &Measure, rows: &Input, columns: &Input) -> MapMeasure {
    let across = columns.values.len();
    let (low, high) = measure.range().unwrap_or_default();
    let cell = |at: usize| {
        let (row, column) = (&rows.values[at / across], &columns.values[at % across]);
        let inputs = format!("{} = {row}, {} = {column}", rows.name, columns.name);
        Cell {
            share: measure.float(at).map(|value| share(value, low, high)),
            written: (0..WAYS).map(|way| measure.text(at, way)).collect(),
            tooltip: said(measure, at, &inputs),
        }
    };
    MapMeasure {
        title: measure.title.clone(),
        cells: (0..rows.values.len() * across).map(cell).collect(),
        ends: (low < high).then(|| ends(measure)),
    }
}

/// The highest and the lowest number in words.
fn ends(measure: &Measure) -> (String, String) {
    let known = (0..measure.values.len()).filter(|at| measure.values[*at].is_some());
    let most = known.clone().max_by_key(|at| &measure.values[*at]);
    let least = known.min_by_key(|at| &measure.values[*at]);
    let text = |at: Option<usize>| at.map_or_else(String::new, |at| measure.text(at, 1));
    (text(most), text(least))
}

/// `dc = 10: chance 65.00% = 13/20`
fn said(measure: &Measure, at: usize, inputs: &str) -> String {
    let fraction = measure.values.get(at).and_then(Option::as_ref).and_then(exact);
    let fraction = fraction.filter(|text| text.contains('/'));
    let fraction = fraction.map_or_else(String::new, |text| format!(" = {text}"));
    format!("{inputs}: {} {}{fraction}", measure.title, measure.text(at, 0))
}
