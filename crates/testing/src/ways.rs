//! The same answer by every way.
//!
//! Each shortcut of the odds can be closed ([`astragal_odds::ways`]). With any of them closed, and with all of them,
//! a program has the same odds, the same failure, or none because that would take too long.

use astragal::{Answer, Budget, Odds, Program, Rational, Value, Way, Ways};
use astragal_odds::{Failure, ways};

/// Asks a program with all ways open, then with each of those closed that were taken, then with all closed, with so
/// many steps for each. Which ways were taken at first; the error says what differs.
pub fn agree(program: &Program, steps: u64) -> Result<Ways, String> {
    let ask = |ways| program.try_odds(&Budget::default().with_steps(steps).with_ways(ways));
    let open = ask(Ways::ALL);
    let Ok(Odds { ways: taken, .. }) = open else {
        return alike(&open, &ask(Ways::NONE))
            .map(|()| Ways::NONE)
            .map_err(|broken| format!("with all ways closed: {broken}"));
    };
    for way in ways::every().filter(|way| taken.has(*way)) {
        alike(&open, &ask(Ways::ALL.without(way)))
            .map_err(|broken| format!("without the way `{}`: {broken}", way.name))?;
    }
    alike(&open, &ask(Ways::NONE)).map_err(|broken| format!("with all ways closed: {broken}"))?;
    Ok(taken)
}

/// The names of some ways.
pub fn names(taken: Ways) -> Vec<&'static str> {
    ways::every().filter(|way: &Way| taken.has(*way)).map(|way| way.name).collect()
}

/// Whether two answers to one question do not contradict each other.
pub fn alike(one: &Result<Odds, Failure>, other: &Result<Odds, Failure>) -> Result<(), String> {
    match (one, other) {
        (Ok(one), Ok(other)) => {
            if one.results.len() != other.results.len() {
                return Err("the numbers of results differ".into());
            }
            one.results.iter().zip(&other.results).try_for_each(|(one, other)| same(one, other))
        }
        (Err(failure), _) | (_, Err(failure)) if is_unknown(failure) => Ok(()),
        (Err(one), Err(other)) => match one.chance == other.chance && falls_alike(one, other) {
            true => Ok(()),
            false => Err(format!("one fails with {one:?}, the other with {other:?}")),
        },
        (Ok(_), Err(failure)) | (Err(failure), Ok(_)) => {
            Err(format!("one has odds, the other fails with {failure:?}"))
        }
    }
}

fn is_unknown(failure: &Failure) -> bool {
    failure.fault.kind.is_over_budget() || failure.fault.kind.code() == "not-known"
}

fn falls_alike(one: &Failure, other: &Failure) -> bool {
    one.fault.span == other.fault.span && one.fault.kind.code() == other.fault.kind.code()
}

/// Two answers are the same as far as both are known.
fn same(one: &Answer, other: &Answer) -> Result<(), String> {
    let (whole, exact) = (is_whole(one) && is_whole(other), is_exact(one) && is_exact(other));
    for (value, chance) in one.outcomes.iter().chain(&other.outcomes) {
        let (a, b) = (bounds(one, value), bounds(other, value));
        if a.0 > b.1 || b.0 > a.1 {
            return Err(format!("{value}: {} to {}, and {} to {} ({chance})", a.0, a.1, b.0, b.1));
        }
    }
    if whole && one.outcomes.len() != other.outcomes.len() {
        return Err(format!("{} outcomes and {}", one.outcomes.len(), other.outcomes.len()));
    }
    if exact && (one.mean() != other.mean() || one.variance() != other.variance()) {
        return Err(format!("the means are {:?} and {:?}", one.mean(), other.mean()));
    }
    if exact && (one.never != other.never || one.evidence != other.evidence) {
        return Err("the chances of evidence, or of no end, differ".into());
    }
    Ok(())
}

/// Whether every outcome is listed.
fn is_whole(answer: &Answer) -> bool {
    answer.rest.is_zero()
}

/// Whether nothing was given up.
fn is_exact(answer: &Answer) -> bool {
    answer.lost.is_zero()
}

/// The chance of a value, as the ends of an interval.
fn bounds(answer: &Answer, value: &Value) -> (Rational, Rational) {
    match answer.outcomes.binary_search_by(|(known, _)| known.cmp(value)) {
        Ok(at) => {
            let chance = answer.outcomes[at].1.clone();
            let most = &chance + &answer.lost;
            (chance, most)
        }
        Err(_) => (Rational::ZERO, answer.rest.clone()),
    }
}
