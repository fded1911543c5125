//! Checks the law on programs given as arguments: `cargo run --example law -- "d6! kh1"`.
#![allow(clippy::print_stdout, reason = "this is a tool for a terminal")]

use astragal::{Budget, Engine};
use astragal_testing::law::{Reach, law};
use astragal_testing::ways::names;

fn main() {
    let engine = Engine::new();
    for text in std::env::args().skip(1) {
        println!("{text}");
        match law(&engine, &text, &Reach::default()) {
            Ok(kept) => println!("  {kept:?}"),
            Err(broken) => println!("  {broken}"),
        }
        let Ok(program) = engine.compile(&text) else { continue };
        match program.odds(&Budget::default()) {
            Ok(odds) => {
                println!("  by {:?}", names(odds.ways));
                for answer in &odds.results {
                    let few = answer.outcomes.iter().take(12);
                    let few: Vec<String> =
                        few.map(|(value, chance)| format!("{value} {chance}")).collect();
                    println!("  {} … rest {} lost {}", few.join(", "), answer.rest, answer.lost);
                }
            }
            Err(errors) => println!("{errors}"),
        }
    }
}
