//! Runs AnyDice programs from the arguments: `cargo run -p astragal-anydice --example anydice 'output 3d6'`.
#![allow(clippy::print_stdout, reason = "a program that prints")]

use astragal_prob::Meter;

fn main() {
    for text in std::env::args().skip(1) {
        let meter = Meter::new(400_000_000).with_memory(500 << 20);
        let done = astragal_anydice::parse(&text).and_then(|p| astragal_anydice::run(&p, &meter));
        match done {
            Err(error) => println!("error {}: {} {:?}", error.code, error.message, error.help),
            Ok(outputs) => {
                for output in outputs.list {
                    println!("{} (lost {})", output.name, output.lost);
                    let table = output.law.as_ref().and_then(|law| law.as_table());
                    for (value, chance) in table.into_iter().flat_map(|table| table.chances()) {
                        println!("  {value} {chance}");
                    }
                }
                outputs.notices.iter().for_each(|notice| println!("notice: {}", notice.message));
            }
        }
    }
}
