//! Every outcome of one or several answers as a grid: for a spreadsheet.
//!
//! A spreadsheet wants decimals, a proof wants fractions: each answer has a column of both. A fraction
//! that is too long to be read is left out.

use astragal::{Answer, Rational, Type, Value};

use super::grid::Grid;
use crate::View;
use crate::decimal::{exact, plain};
use crate::rows::{Merged, shown};

/// What a column of chances is called, and the one of their fractions beside it.
fn heads(name: &str, view: View) -> [String; 2] {
    match (name, words(view)) {
        ("", "exactly") => ["chance".into(), "exactly".into()],
        (name, "exactly") => [name.to_owned(), format!("{name} exactly")],
        ("", what) => [what.to_owned(), format!("{what}, as a fraction")],
        (name, what) => [format!("{name}, {what}"), format!("{name}, {what}, as a fraction")],
    }
}

/// All outcomes, listed to the end. A record has a column for each of its fields.
pub fn outcomes(answers: &[(String, &Answer)], view: View) -> Grid {
    let list: Vec<&Answer> = answers.iter().map(|(_, answer)| *answer).collect();
    let merged = Merged::of(&list);
    let view = if merged.are_numbers() { view } else { View::Exactly };
    let mut grid = Grid::default();
    let fields = list.first().map_or_else(Vec::new, |answer| fields(&answer.ty));
    match fields.is_empty() {
        true => grid.texts("outcome"),
        false => fields.iter().for_each(|path| grid.texts(path.join("."))),
    }
    for (name, _) in answers {
        heads(name, view).into_iter().for_each(|head| grid.numbers(head));
    }
    for (place, value) in merged.values.iter().enumerate() {
        let chances = merged.chances(&(place..place + 1), view);
        let named = match fields.is_empty() {
            true => vec![shown(value)],
            false => fields
                .iter()
                .map(|path| part(value, path).map_or_else(String::new, shown))
                .collect(),
        };
        grid.row(named.into_iter().chain(chances.iter().flat_map(pair)).collect());
    }
    if list.iter().any(|answer| !answer.rest.is_zero()) {
        let rests = list.iter().flat_map(|answer| pair(&answer.rest));
        let blanks = fields.iter().skip(1).map(|_| String::new());
        let named = [ELSE.to_owned()].into_iter().chain(blanks);
        grid.row(named.chain(rests).collect());
    }
    grid
}

/// The paths to what a record holds that is no record itself; none of another type.
fn fields(ty: &Type) -> Vec<Vec<&str>> {
    let Type::Record(record) = ty else { return Vec::new() };
    let paths = record.fields.iter().flat_map(|(name, inner)| match fields(inner) {
        none if none.is_empty() => vec![vec![&**name]],
        inner => inner.into_iter().map(|path| [vec![&**name], path].concat()).collect(),
    });
    paths.collect()
}

/// What stands at a path in a record.
fn part<'v>(value: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, name| match value {
        Value::Record(shape, fields) => {
            fields.get(shape.fields.iter().position(|field| **field == **name)?)
        }
        _ => None,
    })
}

/// Answers one below the other, whose outcomes have nothing in common: the fields of a record, or a great many results.
/// Where another view is wanted, each row says whether it has it: what is no number has none above it.
pub fn one_by_one(answers: &[(String, &Answer)], view: View) -> Grid {
    let mut grid = Grid::default();
    let results = answers.iter().all(|(_, answer)| answer.field.is_empty());
    grid.texts(if results { "result" } else { "field" });
    grid.texts("outcome");
    if view != View::Exactly {
        grid.texts("view");
    }
    ["chance", "exactly"].iter().for_each(|head| grid.numbers(*head));
    for (name, answer) in answers {
        let merged = Merged::of(&[*answer]);
        let own = if merged.are_numbers() { view } else { View::Exactly };
        let mut row = |outcome: String, own: View, chance: &Rational| {
            let said = (view != View::Exactly).then(|| words(own).to_owned());
            let cells = said.into_iter().chain(pair(chance));
            grid.row([name.clone(), outcome].into_iter().chain(cells).collect());
        };
        for (place, value) in merged.values.iter().enumerate() {
            for chance in merged.chances(&(place..place + 1), own) {
                row(shown(value), own, &chance);
            }
        }
        if !answer.rest.is_zero() {
            row(ELSE.into(), View::Exactly, &answer.rest);
        }
    }
    grid
}

/// What is not listed.
const ELSE: &str = "everything else";

fn words(view: View) -> &'static str {
    match view {
        View::Exactly => "exactly",
        View::AtLeast => "at least",
        View::AtMost => "at most",
    }
}

/// A number as a decimal and as a fraction.
pub fn pair(value: &Rational) -> [String; 2] {
    [plain(value), exact(value).unwrap_or_default()]
}
