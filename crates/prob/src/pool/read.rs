//! Reading one number off a pool: chooses the algorithm.

use super::compound::Repeating;
use super::drawn::Draw;
use super::growth::Growth;
use super::keep::keep;
use super::limited::read_limited;
use super::marks::Worth;
use super::middle::middle;
use super::onward::read_onward;
use super::order::{Ranked, Ranks, at_rank};
use super::piece::{Setup, head_and_tail, telling};
use super::plain::read_plain;
use super::ranks::at_ranks;
use super::still::{is_still, settle, shown_law};
use super::stops::never_stops;
use super::threshold::{Cut, Marked, cut_pool, nth_of_pool};
use super::{Condition, End, Pool, PoolError, Reading, Stage};
use crate::law::Law;
use crate::meter::Meter;
use crate::number::{self, Comparison, Natural, Rational};
use crate::ways;

/// The exact law of one number read off a pool.
pub fn read(pool: &Pool, reading: &Reading, meter: &Meter) -> Result<Law, PoolError> {
    if let Some(draw) = Draw::of(pool)? {
        return draw.read(reading, meter);
    }
    if let Some(why) = never_stops(pool) {
        return Err(PoolError::NeverStops(why));
    }
    if let Some(law) = meter.by(ways::PLAIN_POOLS, || read_plain(pool, reading, meter))? {
        return Ok(law);
    }
    read_setup(&Setup::of(pool, meter)?, &telling(&pool.stages), reading, meter)
}

/// The same for a pool that is laid out.
pub(crate) fn read_setup(
    setup: &Setup,
    stages: &[Stage],
    reading: &Reading,
    meter: &Meter,
) -> Result<Law, PoolError> {
    let (head, tail) = head_and_tail(stages);
    if is_still(head) {
        let settled = settle(setup, head, meter)?;
        let limited = || read_limited(setup, &settled, stages, tail, reading, meter);
        if let Some(law) = meter.by(ways::LIMITED, limited)? {
            return Ok(law);
        }
        return read_still(setup, &settled, stages, tail, reading, meter);
    }
    match read_growing(setup, head, tail, reading, meter) {
        Err(PoolError::NoClosedForm) => read_onward(setup, stages, reading, meter),
        answer => answer,
    }
}

/// The chance that fewer than so many dice lie on the table; 1 where that is not known.
pub fn chance_of_fewer(pool: &Pool, dice: u64, meter: &Meter) -> Rational {
    let any = |op| Condition { op, value: Rational::ZERO };
    let each = vec![(any(Comparison::AtLeast), 1), (any(Comparison::Less), 1)];
    let count = read(pool, &Reading::Marks(each), meter);
    let fewer = count.map(|law| law.compare(Comparison::Less, &Rational::from(dice), meter));
    match fewer {
        Ok(Ok(chance)) => chance,
        _ => Rational::ONE,
    }
}

/// Every die is one die, and the stages that follow look at all of them.
fn read_still(
    setup: &Setup,
    settled: &Setup,
    stages: &[Stage],
    tail: &[Stage],
    reading: &Reading,
    meter: &Meter,
) -> Result<Law, PoolError> {
    if !tail.iter().all(|stage| matches!(stage, Stage::Keep(..) | Stage::Drop(..))) {
        return read_onward(setup, stages, reading, meter);
    }
    let ranks = tail.iter().fold(Ranks::all(settled.count()), |ranks, stage| ranks.after(stage));
    read_ranks(settled, &ranks, reading, meter)
}

/// What is read off the dice at some ranks.
fn read_ranks(
    setup: &Setup,
    ranks: &Ranks,
    reading: &Reading,
    meter: &Meter,
) -> Result<Law, PoolError> {
    let size = ranks.count();
    match reading {
        Reading::Sum | Reading::Marks(_) => sum_of_ranks(setup, ranks, reading, meter),
        Reading::NthHighest(nth) | Reading::NthLowest(nth) if *nth == 0 || *nth > size => {
            Err(PoolError::TooFewDice)
        }
        Reading::NthHighest(nth) => {
            let one = ranks.positions(size - nth, size - nth + 1);
            sum_of_ranks(setup, &one, &Reading::Sum, meter)
        }
        Reading::NthLowest(nth) => {
            sum_of_ranks(setup, &ranks.positions(nth - 1, *nth), &Reading::Sum, meter)
        }
        Reading::Median if size == 0 => Err(PoolError::TooFewDice),
        Reading::Median => {
            let middle = ranks.positions((size - 1) / 2, size / 2 + 1);
            let share = number::ratio(1, Natural::from(middle.count()));
            let sum = sum_of_ranks(setup, &middle, &Reading::Sum, meter)?;
            Ok(sum.affine(&share, &Rational::ZERO, meter)?)
        }
    }
}

fn sum_of_ranks(
    setup: &Setup,
    ranks: &Ranks,
    reading: &Reading,
    meter: &Meter,
) -> Result<Law, PoolError> {
    let total = setup.count();
    if ranks.count() == total {
        return added_up(setup, reading, meter);
    }
    if ranks.count() == 0 {
        return Ok(Law::constant(Rational::ZERO));
    }
    let worth = Worth::of(reading, setup, &[]);
    let ranked = match Ranked::of(setup, &worth, meter) {
        Err(PoolError::NoClosedForm) => return endless_ranks(setup, ranks, reading, meter),
        ranked => ranked?,
    };
    match (ranks.single(), ranks.end(total)) {
        (Some(rank), _) if *reading == Reading::Sum => at_rank(ranked, rank, meter),
        (_, Some(End::Highest)) => keep(&ranked, ranks.count(), meter),
        (_, Some(_)) => keep(&ranked.reversed(), ranks.count(), meter),
        (_, None) => match ranks.range().filter(|_| may_be_middle(&ranked, meter)) {
            Some(range) => middle(&ranked, range, meter),
            None => at_ranks(&ranked, ranks, meter),
        },
    }
}

/// Whether the dice are of one kind, and thresholds from both ends may be tried.
fn may_be_middle(ranked: &Ranked, meter: &Meter) -> bool {
    ranked.groups.len() == 1 && meter.may(ways::MIDDLE)
}

/// Some ranks of dice that show endless numbers.
fn endless_ranks(
    setup: &Setup,
    ranks: &Ranks,
    reading: &Reading,
    meter: &Meter,
) -> Result<Law, PoolError> {
    let total = setup.count();
    if *reading != Reading::Sum {
        return Err(PoolError::NoClosedForm);
    }
    match (ranks.single(), ranks.end(total)) {
        (Some(rank), _) => Repeating::of(setup, meter)?.nth_highest(total - rank),
        (_, Some(End::Highest)) => Repeating::of(setup, meter)?.keep_highest(ranks.count()),
        _ => Err(PoolError::NoClosedForm),
    }
}

/// The sum of what independent dice are worth.
fn added_up(setup: &Setup, reading: &Reading, meter: &Meter) -> Result<Law, PoolError> {
    let worth = Worth::of(reading, setup, &[]);
    let mut sum = Law::constant(Rational::ZERO);
    for group in &setup.groups {
        let each = worth.law(&shown_law(group, meter)?, meter)?;
        sum = sum.sum(&each.times(group.count, meter)?, meter)?;
    }
    Ok(sum)
}

/// Dice add dice.
fn read_growing(
    setup: &Setup,
    head: &[Stage],
    tail: &[Stage],
    reading: &Reading,
    meter: &Meter,
) -> Result<Law, PoolError> {
    match (tail, reading) {
        ([], Reading::Sum | Reading::Marks(_)) => grown_sum(setup, head, reading, meter),
        ([], Reading::NthHighest(nth)) => nth_of_pool(setup, head, End::Highest, *nth, meter),
        ([], Reading::NthLowest(nth)) => nth_of_pool(setup, head, End::Lowest, *nth, meter),
        ([Stage::Keep(end, count)], Reading::Sum | Reading::Marks(_)) if *end != End::Middle => {
            let cut = Cut { keep: true, end: *end, count: *count };
            cut_pool(setup, head, &cut, reading, meter)
        }
        ([Stage::Drop(end, count)], Reading::Sum | Reading::Marks(_)) if *end != End::Middle => {
            let cut = Cut { keep: false, end: *end, count: *count };
            cut_pool(setup, head, &cut, reading, meter)
        }
        _ => Err(PoolError::NoClosedForm),
    }
}

/// The sum of what a growing pool is worth: each die as a law, so that pools may mix directions.
fn grown_sum(
    setup: &Setup,
    head: &[Stage],
    reading: &Reading,
    meter: &Meter,
) -> Result<Law, PoolError> {
    let mut sum = Law::constant(Rational::ZERO);
    for group in &setup.groups {
        let one = |worth: &Worth<'_>| {
            let marked = Marked::plain(worth, meter);
            let element = Growth::new(setup, head, &marked, meter).group(group)?;
            let series = element.into_iter().next().ok_or(PoolError::NoClosedForm)?;
            worth.assemble(series, meter)
        };
        let worth = Worth::of(reading, setup, head);
        let each = match one(&worth) {
            Err(PoolError::NoClosedForm) => one(&worth.mirrored())?,
            answer => answer?,
        };
        sum = sum.sum(&each.times(group.count, meter)?, meter)?;
    }
    Ok(sum)
}
