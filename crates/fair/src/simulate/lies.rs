//! What a lying house tries, alone or with the roller, and who notices.
//!
//! Mara is the game master and in league with the house; Ulf and Ida are honest. Each lie is a log as the house gives it out, all links right and the head signed.

mod chosen;
mod puppets;
mod rewritten;
mod silenced;

use crate::alarm::Alarm;
use crate::bytes::Hash;
use crate::check::Checker;
use crate::line::Witness;
use crate::report::Made;
use crate::request::Role;
use crate::watch::Watch;
use crate::wrong::Trouble;

use super::Table;
use super::forge::verdict;

/// A lie.
#[derive(Clone, Debug)]
pub struct Lie {
    /// What is tried.
    pub name: &'static str,
    /// The log.
    pub log: String,
    /// Who notices.
    pub by: Noticed,
}

/// Who notices a lie.
#[derive(Clone, Debug)]
pub enum Noticed {
    /// Everybody: the log is wrong, in this.
    Checker(Trouble),
    /// Whoever remembers this line.
    Remembered(Hash),
    /// The device of this seat, which has answered these lines.
    Device(u64, Vec<u64>, Alarm),
    /// Everybody: so many rolls are said to have witnesses missing, and so many to be witnessed.
    Called {
        /// With witnesses missing.
        missing: u64,
        /// Witnessed.
        witnessed: u64,
    },
    /// Everybody: so many rolls are called so.
    Made(Made, u64),
    /// Everybody: the house refused one roll, and would have had to show this.
    Vetoed(String),
    /// Everybody: it cannot be said that all fits.
    Unsure,
}

impl Lie {
    /// Whether it is noticed as it should be; otherwise what was found.
    pub fn is_noticed(&self) -> Result<(), String> {
        let found = verdict(&self.log);
        let told = format!("{}: {found:?}", self.name);
        let noticed = match (&self.by, found) {
            (Noticed::Checker(trouble), Err(wrong)) => wrong.trouble == *trouble,
            (Noticed::Remembered(line), Ok(_)) => !holds(&self.log, line),
            (Noticed::Device(seat, answered, alarm), Ok(_)) => {
                alarmed(&self.log, *seat, answered).as_ref() == Some(alarm)
            }
            (Noticed::Called { missing, witnessed }, Ok(report)) => {
                report.total(|seat| seat.missing) == *missing
                    && report.total(|seat| seat.witnessed) == *witnessed
            }
            (Noticed::Made(made, count), Ok(report)) => {
                report.total(|seat| seat.made(*made)) == *count
            }
            (Noticed::Vetoed(would), Ok(report)) => {
                report.vetoes.iter().map(|veto| veto.would.as_ref()).eq([Some(would)])
            }
            (Noticed::Unsure, Ok(report)) => !report.is_sure(),
            _ => false,
        };
        if noticed { Ok(()) } else { Err(told) }
    }
}

/// Whether a line stands in a log.
fn holds(log: &str, line: &Hash) -> bool {
    let mut checker = Checker::new();
    log.lines().all(|line| checker.line(line).is_ok());
    checker.find(line).is_some()
}

/// What alarms a device that sees this log line by line.
fn alarmed(log: &str, seat: u64, answered: &[u64]) -> Option<Alarm> {
    let mut watch = Watch::of_seat(seat);
    answered.iter().for_each(|line| watch.was_received(*line));
    log.lines()
        .filter(|line| !line.starts_with("{\"kind\""))
        .find_map(|line| watch.line(line).map_or_else(Some, |seen| seen.alarms.into_iter().next()))
}

/// All lies.
pub fn all() -> Vec<Lie> {
    let mut lies = silenced::all();
    lies.extend(puppets::all());
    lies.extend(chosen::all());
    lies.extend(rewritten::all());
    lies
}

const MARA: u64 = 0;
const ULF: u64 = 1;
const IDA: u64 = 2;

/// Mara, Ulf and Ida at a table where witnesses are always asked, after a few rolls.
fn three(seed: u64) -> Table {
    seated(seed, Witness::Always)
}

fn seated(seed: u64, witness: Witness) -> Table {
    let mut table = Table::new(seed, witness);
    table.sit("Mara", Role::Owner);
    table.sit("Ulf", Role::Player);
    table.sit("Ida", Role::Player);
    table.roll(ULF, "d20");
    table.roll(MARA, "d20");
    table
}
