//! `Program`: rolled with an explanation, known exactly, with inputs that are set by name.

#![allow(clippy::print_stdout, reason = "an example talks")]

use std::error::Error;

use astragal::faces::{Scripted, Seeded};
use astragal::{Budget, Engine, Value, float};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let text = "param bonus = 5; param armour = 15; d20 + bonus >= armour";
    let mut program = Engine::new().compile(text)?;
    for input in program.inputs() {
        println!("{} is a {}", input.name, input.ty);
    }
    program.set("armour", "17")?;

    // Know it: exact fractions, and doubles for who wants them.
    let odds = program.odds(&Budget::default())?;
    let hit = odds.only().chance(&Value::Bool(true));
    println!("a hit: {hit} or {:.0}%", 100.0 * float(&hit));
    assert_eq!(hit.to_string(), "9/20");

    // Roll it: from a seed, which can be replayed, or from faces that somebody threw.
    let roll = program.roll(&mut Seeded::new(7, 0))?;
    println!("{}", program.explain(&roll));
    assert_eq!(program.roll(&mut Seeded::new(7, 0))?.value, roll.value);
    let roll = program.roll(&mut Scripted::whole(&[12]))?;
    assert_eq!(roll.value, Value::Bool(true));

    // Numbers have a mean, percentiles and the chance of as much.
    let scores = Engine::new().compile("4d6kh3")?.odds(&Budget::default())?;
    let answer = scores.only();
    println!("mean {:?}, deviation {:?}", scores.mean_f64(), scores.deviation_f64());
    println!("15 or more: {:?}", answer.at_least(15).map(|chance| chance.to_string()));
    let median = answer.percentile(50).ok_or("a number has a median")?;
    assert_eq!(median.to_string(), "12");
    Ok(())
}
