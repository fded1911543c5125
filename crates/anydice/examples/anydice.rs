//! Runs AnyDice programs from the arguments: `cargo run -p astragal-anydice --example anydice 'output 3d6'`. Behind
//! `--grouped-from=0` all calls are run by groups.
#![allow(clippy::print_stdout, reason = "a program that prints")]

use astragal_prob::Meter;

fn main() {
    let mut grouped_from = None;
    for text in std::env::args().skip(1) {
        if let Some(from) = text.strip_prefix("--grouped-from=") {
            grouped_from = from.parse().ok();
            continue;
        }
        let meter = Meter::new(400_000_000).with_memory(500 << 20);
        let done = astragal_anydice::parse(&text).and_then(|p| match grouped_from {
            None => astragal_anydice::run(&p, &meter),
            Some(from) => astragal_anydice::run_grouped(&p, &meter, from),
        });
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
