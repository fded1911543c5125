//! How the fields of a record move together: exact covariances, and correlations as decimals.

use astragal::{Answer, Moments, json};
use astragal_show::correlation::correlation;
use astragal_show::decimal::short;
use astragal_show::export::grid::Grid;

use crate::report::heading;
use crate::stop::Stop;
use crate::terminal::Terminal;

/// Both tables of an answer, as lines.
pub(crate) fn lines(answer: &Answer, terminal: &Terminal) -> Result<String, Stop> {
    let moments = moments(answer)?;
    let covariance = |a: usize, b: usize| moments.covariances[a][b].to_string();
    let correlation = |a, b| short(&correlation(moments, a, b), 4);
    let mut lines = vec![heading("covariances", terminal)];
    lines.extend(square(moments, covariance, terminal));
    lines.push(String::new());
    lines.push(heading("correlations", terminal));
    lines.extend(square(moments, correlation, terminal));
    Ok(lines.join("\n"))
}

/// The covariances as data.
pub(crate) fn data(answer: &Answer) -> Result<serde_json::Value, Stop> {
    moments(answer).map(json::covariances)
}

fn moments(answer: &Answer) -> Result<&Moments, Stop> {
    let wrong = "`--correlations` needs a record with two numbers, as in `{a: d6, b: d6}`";
    answer.moments.as_ref().ok_or_else(|| Stop::Usage(wrong.into()))
}

fn square(
    moments: &Moments,
    cell: impl Fn(usize, usize) -> String,
    terminal: &Terminal,
) -> Vec<String> {
    let names: Vec<String> = moments.fields.iter().map(|path| path.join(".")).collect();
    let mut grid = Grid::default();
    grid.texts("");
    names.iter().for_each(|name| grid.numbers(name));
    for (a, name) in names.iter().enumerate() {
        let cells = (0..names.len()).map(|b| cell(a, b));
        grid.row([name.clone()].into_iter().chain(cells).collect());
    }
    terminal.table(&grid)
}
