//! Questions that were slow or refused although little is asked: loops that count, rounds with several throws.

use astragal::{Budget, Engine};

use crate::solve::answer;
use crate::systems::{WITHIN, check};
use crate::table::{Table, time};
use crate::{measure, place};

/// The corners, by name.
pub fn programs() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(place::bench("corners.dice")).unwrap_or_default();
    let sections = text.split("\n## ").skip(1).filter_map(|section| section.split_once('\n'));
    sections.map(|(heading, program)| (heading.to_owned(), program.to_owned())).collect()
}

/// The table of the corners, each answer asserted.
pub fn table() -> String {
    let engine = Engine::new();
    let mut table = Table::new(["", "time"]);
    for (heading, program) in programs() {
        let (name, chance) = heading.rsplit_once(": ").unwrap_or((&heading, ""));
        check(&engine, &program, chance);
        let (taken, _) = measure::best(WITHIN, || answer(&engine, &program, &Budget::default()));
        table.row([name.to_owned(), time(taken)]);
    }
    table.to_string()
}
