//! Features `charts` and `tables`: odds as a picture, as rows, as CSV.

#![allow(clippy::print_stdout, reason = "an example talks")]

use std::error::Error;

use astragal::charts::{Look, Theme, View, svg};
use astragal::tables::{spreadsheet, summary, table};
use astragal::{Budget, Engine};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let text = "show \"plain\" = 3d6; show \"best of four\" = 4d6kh3";
    let odds = Engine::new().compile(text)?.odds(&Budget::default())?;

    // One picture of both, a plain SVG that needs nothing else.
    let look = Look { width: Some(900), theme: Theme::Light, ..Look::default() };
    let picture = svg("Scores", &odds.results, View::Exactly, &look).ok_or("both are numbers")?;
    println!("{} bytes of SVG", picture.len());
    assert!(picture.contains("best of four"));

    // Rows for people: far tails are one row, and the last column adds up.
    let rows = table(&odds.results.iter().collect::<Vec<_>>(), View::Exactly, false, None);
    for row in &rows.rows {
        println!("{}", row.label);
    }
    // Every outcome for a spreadsheet, exact fractions beside decimals.
    let sheet = spreadsheet(&odds.results, View::AtLeast);
    println!("{}", sheet.csv());
    println!("{}", sheet.markdown().join("\n"));
    for line in summary(&odds.results[1]) {
        println!("{line}");
    }
    assert_eq!(sheet.csv().lines().count(), 1 + 16);
    Ok(())
}
