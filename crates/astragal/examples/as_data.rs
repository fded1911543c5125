//! Feature `serde`: values, odds, rolls and errors as data, in whatever format one likes.

#![allow(clippy::print_stdout, reason = "an example talks")]

use std::error::Error;

use astragal::faces::Scripted;
use astragal::{Budget, Engine};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let engine = Engine::new();
    let program = engine.compile("4d6kh3")?;

    let odds = serde_json::to_value(program.odds(&Budget::default())?)?;
    let mean = &odds["results"][0]["mean"];
    println!("mean {mean}, of {}", odds["results"][0]["outcomes"][0]);
    assert_eq!(mean, "15869/1296");

    let roll = serde_json::to_value(program.roll(&mut Scripted::whole(&[3, 6, 2, 5]))?)?;
    println!("{roll}");
    assert_eq!(roll["value"], 14);
    assert_eq!(roll["dice"][2]["fate"][0], "dropped");

    let Err(wrong) = engine.compile("4d6r1") else {
        return Err("two tools read it otherwise".into());
    };
    let wrong = serde_json::to_value(wrong)?;
    assert_eq!(wrong["diagnostics"][0]["code"], "ambiguous-reroll");
    Ok(())
}
