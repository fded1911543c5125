//! What AnyDice programs are in our language, unchecked: `cargo run -p astragal-anydice --example ours 'output 3d6'`.
#![allow(clippy::print_stdout, reason = "a program that prints")]

use astragal_anydice::{Naming, Recursion, in_astragal, parse, run};
use astragal_prob::Meter;

fn main() {
    for text in std::env::args().skip(1) {
        let said = parse(&text).and_then(|program| {
            let meter = Meter::new(400_000_000);
            let outputs = run(&program, &meter)?;
            let names: Vec<&str> = outputs.list.iter().map(|output| &*output.name).collect();
            in_astragal(&program, &names, Recursion::AsIs, Naming::Long, &meter)
        });
        println!("{}", said.map_or_else(|error| error.message.clone(), |ours| ours.text()));
    }
}
