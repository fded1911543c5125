//! Reading one number off a pool: chooses the algorithm.

use super::growth::Growth;
use super::marks::Worth;
use super::piece::{Setup, head_and_tail};
use super::still::{is_still, settle, shown_law};
use super::stops::never_stops;
use super::threshold::{Cut, Marked, cut_pool, nth_of_pool};
use super::{End, Pool, PoolError, Reading, Stage};
use crate::law::Law;
use crate::meter::Meter;
use crate::number::Rational;

/// The exact law of one number read off a pool.
pub fn read(pool: &Pool, reading: &Reading, meter: &Meter) -> Result<Law, PoolError> {
    if let Some(why) = never_stops(pool) {
        return Err(PoolError::NeverStops(why));
    }
    read_setup(&Setup::of(pool, meter)?, &pool.stages, reading, meter)
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
        return read_still(&settled, tail, reading, meter);
    }
    read_growing(setup, head, tail, reading, meter)
}

/// Every die is one die, and the stages that follow look at all of them.
fn read_still(
    setup: &Setup,
    tail: &[Stage],
    reading: &Reading,
    meter: &Meter,
) -> Result<Law, PoolError> {
    match (tail, reading) {
        ([], Reading::Sum | Reading::Marks(_)) => added_up(setup, reading, meter),
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
