//! The law of notices: the odds carry exactly the texts that every roll says that counts.

use std::collections::BTreeSet;

use astragal::faces::Odometer;
use astragal::{Odds, Program, RollLimits};

use crate::law::Reach;

/// What rolls say.
struct Said {
    /// The texts that all of them say; none if no roll counts.
    always: Option<BTreeSet<String>>,
    /// Whether these were all the rolls there are.
    is_all: bool,
}

/// Checks the notices of the odds against those of every roll.
pub fn notices(program: &Program, odds: &Odds, reach: &Reach) -> Result<(), String> {
    let said = reach.depths.iter().find_map(|depth| said(program, *depth, reach.runs));
    let Some(Said { always: Some(always), is_all }) = said else { return Ok(()) };
    for answer in &odds.results {
        let carried: BTreeSet<String> = answer.notices.iter().map(ToString::to_string).collect();
        let fits = if is_all { carried == always } else { carried.is_subset(&always) };
        if !fits || carried.len() < answer.notices.len() {
            return Err(format!("the odds carry the notices {carried:?}, rolls say {always:?}"));
        }
    }
    Ok(())
}

/// What rolls of at most so many faces say, as far as they have anything in common; none if that takes too many.
fn said(program: &Program, depth: usize, runs: usize) -> Option<Said> {
    let mut limits = RollLimits::USUAL;
    limits.attempts = 1;
    let mut odometer = Odometer::new(depth);
    let mut said = Said { always: None, is_all: true };
    for _ in 0..runs {
        let rolled = program.roll_within(&mut odometer, &limits);
        said.is_all &= !odometer.was_cut();
        if let Some(roll) = rolled.ok().filter(|_| !odometer.was_cut()) {
            let texts: BTreeSet<String> = roll.notices().iter().cloned().collect();
            let always = match said.always.take() {
                Some(before) => &before & &texts,
                None => texts,
            };
            // Nothing that the rolls to come say can change that.
            if always.is_empty() {
                return Some(Said { always: Some(always), is_all: true });
            }
            said.always = Some(always);
        }
        if !odometer.advance() {
            return Some(said);
        }
    }
    None
}
