//! House rules: files of one's own, read through a trait, so that they may lie on a disk, in a database or in memory.

#![allow(clippy::print_stdout, reason = "an example talks")]

use std::collections::HashMap;
use std::error::Error;

use astragal::{Budget, Engine, Files, float};

/// Files in memory.
struct Shelf(HashMap<&'static str, &'static str>);

impl Files for Shelf {
    fn read(&self, path: &str) -> Result<String, String> {
        let found = self.0.get(path).map(|text| (*text).to_owned());
        found.ok_or_else(|| format!("there is no `{path}` on the shelf"))
    }
}

const PARTY: &str = "\
## The fighter.
let anna = {bonus: 7, damage: 6}

## Does an attack hit?
fn attack(who, ac) = d20 + who.bonus >= ac

## What an attack does.
fn harm(who, ac) = if attack(who, ac) then 1d8 + who.damage else 0
";

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let shelf = Shelf(HashMap::from([("party.dice", PARTY)]));
    let engine = Engine::new().with_files(shelf).with_house("party.dice");

    // Its names are known with and without its own: as if every program used it.
    let odds = engine.compile("harm(anna, 15)")?.odds(&Budget::default())?;
    let mean = odds.only().mean().ok_or("harm is a number")?;
    println!("harm: {mean} or {:.2}", float(&mean));
    assert_eq!(mean.to_string(), "273/40");
    assert!(engine.compile("party.attack(party.anna, 15)").is_ok());

    // A program can use a file by itself, and the file documents itself.
    assert!(engine.compile("use \"party.dice\"; party.harm(party.anna, 12)").is_ok());
    let offered = engine.documentation_of_file("party.dice")?;
    for function in &offered.functions {
        println!("{}: {}", function.name, function.doc.as_deref().unwrap_or("nothing is said"));
    }
    assert_eq!(offered.functions.len(), 2);

    // What is not there is an error with a place, not a panic.
    assert!(engine.compile("use \"other.dice\"; other.luck()").is_err());
    Ok(())
}
