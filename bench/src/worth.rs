//! What each way is worth: how much longer every problem takes where a way that it took is closed.
//!
//! A way that is worth nothing here, and serves no exactness, only gives wrong answers a place to hide.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use astragal::{Budget, Engine, Ways};
use astragal_odds::ways;

use crate::solve::answer;
use crate::table::Table;
use crate::{Options, measure, problems, systems};

/// So many times slower, or faster, is worth telling.
const TELLING: f64 = 1.5;
/// Runs are repeated for so long.
const WITHIN: Duration = Duration::from_millis(30);
/// Without a way, a problem is stopped after so long.
const PATIENCE: Duration = Duration::from_secs(10);

/// The table: ways by name, with the problems that they make faster or slower.
pub fn table(options: &Options) -> String {
    let engine = Engine::new();
    let mut worth: BTreeMap<&'static str, Worth> = BTreeMap::new();
    let listed = problems::names().map(|name| (name.to_owned(), problems::program(name)));
    let listed = listed.filter_map(|(name, program)| Some((name, program?.to_owned())));
    for (name, program) in listed.chain(systems::programs()).chain(crate::corners::programs()) {
        if !options.wants(&name) {
            continue;
        }
        let (seconds, open) =
            measure::best(WITHIN, || answer(&engine, &program, &Budget::default()));
        let Ok(open) = open else { continue };
        for way in ways::every().filter(|way| open.ways.has(*way)) {
            let worth = worth.entry(way.name).or_default();
            worth.taken += 1;
            let budget = patient().with_ways(Ways::ALL.without(way));
            let (without, closed) = measure::best(WITHIN, || answer(&engine, &program, &budget));
            let times = if closed.is_ok() { without / seconds } else { f64::INFINITY };
            if !(1.0 / TELLING..=TELLING).contains(&times) {
                worth.felt.push((times, name.clone(), seconds));
            }
        }
    }
    let mut table = Table::new(["way", "taken", "felt", "times as long without it"]);
    for (way, mut worth) in worth {
        worth.felt.sort_by(|one, other| other.0.total_cmp(&one.0));
        let told = |(times, name, seconds): &(f64, String, f64)| {
            format!("{name} ×{times:.1} of {:.1} ms", seconds * 1e3)
        };
        let felt: Vec<String> = worth.felt.iter().map(told).collect();
        table.row([way.into(), worth.taken.to_string(), felt.len().to_string(), felt.join(", ")]);
    }
    table.to_string()
}

#[derive(Default)]
struct Worth {
    taken: usize,
    felt: Vec<(f64, String, f64)>,
}

fn patient() -> Budget {
    let cancel = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancel);
    std::thread::spawn(move || {
        std::thread::sleep(PATIENCE);
        flag.store(true, Ordering::Relaxed);
    });
    Budget::of_steps(20 * Budget::default().steps).with_cancel(cancel)
}
