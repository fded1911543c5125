//! Every outcome of one or several answers as a grid: for a spreadsheet.
//!
//! A spreadsheet wants decimals, a proof wants fractions: each answer has a column of both. A fraction
//! that is too long to be read is left out.

use astragal::{Answer, Rational};

use super::grid::Grid;
use crate::View;
use crate::decimal::{exact, short};
use crate::rows::{Merged, shown};

/// Decimal places of a chance in a spreadsheet.
pub const PLACES: usize = 15;

/// All outcomes, listed to the end.
pub fn outcomes(answers: &[(String, &Answer)], view: View) -> Grid {
    let list: Vec<&Answer> = answers.iter().map(|(_, answer)| *answer).collect();
    let merged = Merged::of(&list);
    let mut grid = Grid::default();
    grid.texts("outcome");
    for (name, _) in answers {
        grid.numbers(if name.is_empty() { "chance" } else { name });
        grid.numbers(if name.is_empty() { "exactly".into() } else { format!("{name} exactly") });
    }
    let view = if merged.are_numbers() { view } else { View::Exactly };
    for (place, value) in merged.values.iter().enumerate() {
        let chances = merged.chances(&(place..place + 1), view);
        let cells = chances.iter().flat_map(pair);
        grid.row([shown(value)].into_iter().chain(cells).collect());
    }
    if list.iter().any(|answer| !answer.rest.is_zero()) {
        let rests = list.iter().flat_map(|answer| pair(&answer.rest));
        grid.row(["everything else".to_owned()].into_iter().chain(rests).collect());
    }
    grid
}

/// The fields of a record one below the other: their outcomes have nothing in common.
pub fn by_field(answers: &[(String, &Answer)], view: View) -> Grid {
    let mut grid = Grid::default();
    ["field", "outcome"].iter().for_each(|head| grid.texts(*head));
    ["chance", "exactly"].iter().for_each(|head| grid.numbers(*head));
    for (name, answer) in answers {
        let merged = Merged::of(&[*answer]);
        let view = if merged.are_numbers() { view } else { View::Exactly };
        for (place, value) in merged.values.iter().enumerate() {
            let chances = merged.chances(&(place..place + 1), view);
            let cells = chances.iter().flat_map(pair);
            grid.row([name.clone(), shown(value)].into_iter().chain(cells).collect());
        }
    }
    grid
}

/// A number as a decimal and as a fraction.
pub fn pair(value: &Rational) -> [String; 2] {
    [short(value, PLACES), exact(value).unwrap_or_default()]
}
