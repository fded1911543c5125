//! The law on many random programs: `cargo xtask law --seed 7 --programs 20000`; `--plays`: only on those with choices.
#![allow(clippy::print_stdout, reason = "this is a tool for a terminal")]

use std::process::ExitCode;

use astragal::Engine;
use astragal_testing::law::Reach;
use astragal_testing::trial::{Series, Trial, kept_folder, smallest};

const REACH: Reach = Reach { runs: 4_000, steps: 10_000_000, steps_otherwise: 2_000_000 };

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let setting = |name: &str, default: u64| {
        let place = words.iter().position(|word| word == name);
        place.and_then(|place| words.get(place + 1)?.parse().ok()).unwrap_or(default)
    };
    let is_set = |name: &str| words.iter().any(|word| word == name);
    let (seed, programs) = (setting("--seed", 1), setting("--programs", 20_000));
    let (first, most) = (setting("--first", 0), setting("--broken", 20));
    let engine = Engine::new();
    let mut trial = Trial::default();
    for number in first..first + programs {
        // Of six programs, one has choices in it.
        let series: &[Series] = match number % 5 {
            _ if is_set("--plays") => &[Series::Plays],
            0 => &[Series::Programs, Series::Plays],
            _ => &[Series::Programs],
        };
        for series in series {
            let before = trial.broken.len();
            trial.take(&engine, *series, seed, number, &REACH);
            if trial.broken.len() > before {
                println!("{series:?} {number}: {}", trial.broken[before].1);
                let text = smallest(&engine, *series, seed, number, &REACH);
                println!("{text}");
                let path = kept_folder().join(format!("seed-{seed}-{series:?}-{number}.dice"));
                if is_set("--keep")
                    && let Err(error) = std::fs::write(&path, &text)
                {
                    println!("cannot write {}: {error}", path.display());
                }
            }
        }
        if trial.broken.len() as u64 >= most {
            break;
        }
        if (number + 1) % 1_000 == 0 {
            println!("{}: {trial}", number + 1);
        }
    }
    println!("{}\n{trial}", trial.reached);
    if trial.broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
