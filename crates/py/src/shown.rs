//! How answers look: rows of a table, charts, files.

use astragal::Answer;
use astragal_show::decimal::{exact, percent};
use astragal_show::svg::{Look, Theme};
use astragal_show::{View, export, rows as shown, svg};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::answer::PyAnswer;

/// A fraction that is longer is no fraction to be read.
const LONGEST_FRACTION: usize = 24;

/// Named answers.
type Named = Vec<(String, Py<PyAnswer>)>;

/// A row: its label, the chance of each answer in percent, as a float and as a fraction, and what stands beside.
type Row = (String, Vec<(String, f64, String)>, String);

/// The rows, what the chances are of, what the extra column says, whether labels are numbers, how many outcomes have no row.
type Rows = (Vec<Row>, &'static str, &'static str, bool, usize);

/// The rows of a table of answers.
#[pyfunction]
pub(crate) fn rows(answers: Named, view: &str, full: bool) -> PyResult<Rows> {
    let known: Vec<&Answer> = answers.iter().map(|(_, answer)| answer.get().answer()).collect();
    let table = shown::table(&known, viewed(view)?, full, None);
    let cells = |row: &shown::Row| {
        let cell = |chance| {
            let fraction =
                exact(chance).filter(|text| !table.bounds && text.len() <= LONGEST_FRACTION);
            let float = astragal_show::decimal::float(chance);
            (percent(chance), float, fraction.unwrap_or_default())
        };
        (row.label.clone(), row.chances.iter().map(cell).collect(), row.aside.clone())
    };
    let rows = table.rows.iter().map(cells).collect();
    let of = match table.view {
        View::Exactly => "chance",
        View::AtLeast => "at least",
        View::AtMost => "at most",
    };
    Ok((rows, of, table.aside, table.numbers, table.left_out))
}

/// A chart of answers of the same type; none if they are of different ones.
#[pyfunction]
pub(crate) fn drawing(
    title: &str,
    answers: Named,
    view: &str,
    width: Option<u32>,
    height: Option<u32>,
    theme: &str,
) -> PyResult<Option<String>> {
    let known: Vec<(String, &Answer)> =
        answers.iter().map(|(name, answer)| (name.clone(), answer.get().answer())).collect();
    Ok(svg::drawing(title, &known, viewed(view)?, &look(width, height, theme)?))
}

/// Every outcome, for a spreadsheet.
#[pyfunction]
pub(crate) fn csv(answers: Named, view: &str) -> PyResult<String> {
    let known: Vec<(String, &Answer)> =
        answers.iter().map(|(name, answer)| (name.clone(), answer.get().answer())).collect();
    Ok(export::outcomes::outcomes(&known, viewed(view)?).csv())
}

fn viewed(view: &str) -> PyResult<View> {
    match view {
        "exactly" => Ok(View::Exactly),
        "at least" => Ok(View::AtLeast),
        "at most" => Ok(View::AtMost),
        other => Err(PyValueError::new_err(format!(
            "`{other}` is no view: there are `exactly`, `at least` and `at most`"
        ))),
    }
}

pub(crate) fn look(width: Option<u32>, height: Option<u32>, theme: &str) -> PyResult<Look> {
    let theme = match theme {
        "viewer" => Theme::Viewer,
        "light" => Theme::Light,
        "dark" => Theme::Dark,
        other => {
            let wrong = format!("`{other}` is no theme: there are `viewer`, `light` and `dark`");
            return Err(PyValueError::new_err(wrong));
        }
    };
    Ok(Look { width, height, theme })
}
