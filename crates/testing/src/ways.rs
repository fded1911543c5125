//! The same answer by every way.
//!
//! Each shortcut of the odds can be closed ([`astragal_odds::ways`]). With any of them closed, and with all of them,
//! a program has the same odds, the same failure, or none because that would take too long.

use std::collections::BTreeSet;

use astragal::{Answer, Budget, Odds, Policy, Program, Rational, Type, Value, Way, Ways};
use astragal_odds::{Failure, ways};

/// What a program has with some of its ways closed.
#[derive(Clone, Copy, Debug)]
pub struct Agreed {
    /// The ways that were taken, with all of them open or with some closed.
    pub taken: Ways,
    /// How often the answer was compared with one that was found with ways closed.
    pub compared: u64,
    /// How often there was none, because it would have taken too long.
    pub too_long: u64,
}

impl Agreed {
    fn with(mut self, one: &Asked, other: &Asked) -> Result<Agreed, String> {
        let known = |asked: &Asked| !matches!(asked, Err(failure) if is_unknown(failure));
        match known(one) && known(other) {
            true => self.compared += 1,
            false => self.too_long += 1,
        }
        alike(one, other).map(|()| self)
    }
}

type Asked = Result<Odds, Failure>;

/// Asks a program with all ways open, then with each of those closed that were taken; then with all of those closed,
/// and all that were taken instead, until none is left. So many steps are for each. The error says what differs.
pub fn agree(program: &Program, steps: u64) -> Result<Agreed, String> {
    let ask = |ways| program.try_odds(&Budget::default().with_steps(steps).with_ways(ways));
    let taken = |asked: &Asked| asked.as_ref().map_or(Ways::NONE, |odds| odds.ways);
    let open = ask(Ways::ALL);
    let mut agreed = Agreed { taken: taken(&open), compared: 0, too_long: 0 };
    for way in ways::every().filter(|way| taken(&open).has(*way)) {
        let without = ask(Ways::ALL.without(way));
        agreed = agreed
            .with(&open, &without)
            .map_err(|broken| format!("without the way `{}`: {broken}", way.name))?;
    }
    let (mut last, mut left) = (taken(&open), Ways::ALL);
    while !last.is_empty() {
        left = ways::every().filter(|way| last.has(*way)).fold(left, Ways::without);
        let instead = ask(left);
        agreed = agreed
            .with(&open, &instead)
            .map_err(|broken| format!("with only the ways {:?}: {broken}", names(left)))?;
        last = taken(&instead);
        agreed.taken = agreed.taken.and(last);
    }
    agreed = agreed
        .with(&open, &ask(Ways::NONE))
        .map_err(|broken| format!("with all ways closed: {broken}"))?;
    fields_agree(program, steps, agreed)
}

/// The fields of a result, asked for together: with all ways open, and with all closed.
fn fields_agree(program: &Program, steps: u64, mut agreed: Agreed) -> Result<Agreed, String> {
    let ask = |ways| program.odds_apart(&Budget::default().with_steps(steps).with_ways(ways), None);
    if program.results().all(|(_, ty)| !matches!(ty, Type::Record(_))) {
        return Ok(agreed);
    }
    let (Ok(open), Ok(closed)) = (ask(Ways::ALL), ask(Ways::NONE)) else {
        agreed.too_long += 1;
        return Ok(agreed);
    };
    for (one, other) in open.results.iter().zip(&closed.results) {
        same(one, other).map_err(|broken| format!("the field {:?}: {broken}", one.field))?;
    }
    agreed.compared += 1;
    agreed.taken = agreed.taken.and(open.ways);
    Ok(agreed)
}

/// The names of some ways.
pub fn names(taken: Ways) -> Vec<&'static str> {
    ways::every().filter(|way: &Way| taken.has(*way)).map(|way| way.name).collect()
}

/// Whether two answers to one question do not contradict each other.
pub fn alike(one: &Asked, other: &Asked) -> Result<(), String> {
    match (one, other) {
        (Ok(one), Ok(other)) => {
            if one.results.len() != other.results.len() {
                return Err("the numbers of results differ".into());
            }
            worth_the_same(one, other)?;
            // Where it is not known what something is worth, it is not certain either what is best.
            if !are_settled(one) || !are_settled(other) {
                return Ok(());
            }
            let mut results = one.results.iter().zip(&other.results);
            results.try_for_each(|(one, other)| same(one, other))
        }
        (Err(failure), _) | (_, Err(failure)) if is_unknown(failure) => Ok(()),
        (Err(one), Err(other)) => match falls_alike(one, other) {
            true => Ok(()),
            false => Err(format!("one fails with {one:?}, the other with {other:?}")),
        },
        (Ok(_), Err(failure)) | (Err(failure), Ok(_)) => {
            Err(format!("one has odds, the other fails with {failure:?}"))
        }
    }
}

/// What is played is worth the same, or between the same two numbers, where both know as much. A `maximise` that is played in
/// several cases has a policy for each, in the order in which the cases were found, which is not that of the other way: then the worths
/// of all cases are held against each other, if both know all of them.
fn worth_the_same(one: &Odds, other: &Odds) -> Result<(), String> {
    let of = |odds: &Odds, best| -> Vec<Option<(Rational, Rational)>> {
        odds.plays.iter().filter(|play| play.best == best).map(worth_between).collect()
    };
    let bests: BTreeSet<usize> = one.plays.iter().map(|play| play.best).collect();
    for best in bests {
        let (mut all, mut others) = (of(one, best), of(other, best));
        let single = all.len() == 1 && others.len() == 1;
        let comparable = single || (all_is_known(one) && all_is_known(other));
        if !comparable {
            continue;
        }
        if all.len() != others.len() {
            return Err(format!("{} cases of a play and {}", all.len(), others.len()));
        }
        all.sort();
        others.sort();
        for (one, other) in all.into_iter().zip(others) {
            if let (Some(a), Some(b)) = (one, other)
                && (a.0 > b.1 || b.0 > a.1)
            {
                return Err(format!("a play is worth {a:?} and {b:?}"));
            }
        }
    }
    Ok(())
}

/// Between what a play is worth, if that is known.
fn worth_between(play: &Policy) -> Option<(Rational, Rational)> {
    let exact = play.value.clone().filter(|_| play.is_exact);
    play.within.clone().or_else(|| exact.map(|value| (value.clone(), value)))
}

/// Whether everything that can happen is known, and what is best in each case.
fn all_is_known(odds: &Odds) -> bool {
    are_settled(odds) && odds.results.iter().all(|answer| is_whole(answer) && is_exact(answer))
}

/// Whether it is known exactly what is played.
fn are_settled(odds: &Odds) -> bool {
    odds.plays.iter().all(|play| play.is_exact && play.within.is_none())
}

fn is_unknown(failure: &Failure) -> bool {
    failure.fault.kind.is_over_budget() || failure.fault.kind.code() == "not-known"
}

/// The same failure at the same place, with chances that do not contradict each other.
fn falls_alike(one: &Failure, other: &Failure) -> bool {
    let most = |failure: &Failure| &failure.chance + &failure.lost;
    one.fault.span == other.fault.span
        && one.fault.kind.code() == other.fault.kind.code()
        && one.chance <= most(other)
        && other.chance <= most(one)
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
    // Of some endless numbers nothing but one way knows the moments.
    let lacks = |answer: &Answer| answer.exact_law().is_none() && answer.mean().is_none();
    let moments = exact && !lacks(one) && !lacks(other);
    if moments && (one.mean() != other.mean() || one.variance() != other.variance()) {
        return Err(format!("the means are {:?} and {:?}", one.mean(), other.mean()));
    }
    // To find out which are certain may take more than its share of the steps; then some are left out.
    let has =
        |all: &Answer, part: &Answer| part.notices.iter().all(|one| all.notices.contains(one));
    if !has(one, other) && !has(other, one) {
        return Err(format!("the notices are {:?} and {:?}", one.notices, other.notices));
    }
    if exact && one.moments != other.moments {
        return Err("the means and covariances of the fields differ".into());
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
