//! Errors: every one is a `Diagnostics`, which is data, knows its place in the text, and says what to do.

#![allow(clippy::print_stdout, reason = "an example talks")]

use std::error::Error;

use astragal::{Budget, Engine, Look, edited};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let engine = Engine::new();

    // In words, as a compiler says it.
    let text = "let strength = 3; d20 + strenght";
    let Err(wrong) = engine.compile(text) else { return Err("a misspelt name is an error".into()) };
    println!("{wrong}\n");
    println!("{}\n", wrong.render(Look { ascii: true, width: 60, ..Look::default() }));

    // As data: a stable code, places, and edits that mend it.
    let first = &wrong.list()[0];
    assert_eq!(first.code, "unknown-name");
    let place = first.labels[0].span;
    assert_eq!(wrong.sources().slice(place), "strenght");
    let edits: Vec<_> = first.edits.iter().collect();
    let (mended, _) = edited(text, &edits).ok_or("the edits lie in this text")?;
    assert!(engine.compile(&mended).is_ok(), "{mended}");

    // Some only show when dice are thrown; the odds know how likely they are.
    let risky = engine.compile("10 / (d6 - 1)")?;
    let Err(failure) = risky.odds(&Budget::default()) else { return Err("1 divides by 0".into()) };
    println!("{failure}");
    assert!(failure.to_string().contains("chance 1/6"));

    // Hints do not stop a program.
    let hints = engine.compile("d20 + 5 >= 15")?.hints().list().len();
    println!("{hints} hints");
    Ok(())
}
