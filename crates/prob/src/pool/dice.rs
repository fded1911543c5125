//! The dice on the table after all stages.

use super::drawn::Draw;
use super::onward::{made_to_differ, tables_after, tables_as_thrown};
use super::piece::{Setup, telling};
use super::states::States;
use super::stops::never_stops;
use super::{Pool, PoolError, Stage, TableDie};
use crate::distribution::Distribution;
use crate::meter::{Meter, OverBudget};
use crate::number::{Natural, Rational};

/// The dice on the table once they are made to differ, as `u` wants; none if they cannot. And the chance that they
/// cannot, because others show all faces of one of them.
pub fn differing(pool: &Pool, meter: &Meter) -> Result<(Option<Hands>, Rational), PoolError> {
    let setup = Setup::of(pool, meter)?;
    let (states, stuck) = made_to_differ(&setup, &telling(&pool.stages), meter)?;
    Ok((hands(&states, false, meter)?, stuck))
}

/// Sets of dice, each in ascending order, unless their order was asked for.
pub type Hands = Distribution<Vec<TableDie>>;

/// The distribution of the dice on the table, each table in ascending order.
pub fn dice(pool: &Pool, meter: &Meter) -> Result<Hands, PoolError> {
    // Dice that differ are thrown all the same, and remember with which face.
    if pool.stages.contains(&Stage::Drawn)
        && let Some(draw) = Draw::of(pool)?
    {
        return draw.tables(meter);
    }
    if let Some(why) = never_stops(pool) {
        return Err(PoolError::NeverStops(why));
    }
    let setup = Setup::of(pool, meter)?;
    let states = tables_after(&setup, &telling(&pool.stages), true, meter)?;
    hands(&states, false, meter)?.ok_or(PoolError::TooFewDice)
}

/// The same, each table in throw order: for dice that go on together with others, where who comes first decides something.
pub fn dice_as_thrown(pool: &Pool, meter: &Meter) -> Result<Hands, PoolError> {
    // What was drawn is not thrown again.
    if pool.stages.contains(&Stage::Drawn) || never_stops(pool).is_some() {
        return dice(pool, meter);
    }
    let setup = Setup::of(pool, meter)?;
    let states = tables_as_thrown(&setup, &telling(&pool.stages), meter)?;
    hands(&states, true, meter)?.ok_or(PoolError::TooFewDice)
}

/// What it costs to bring a table to its place among others.
const PLACE: u64 = 20;

fn hands(states: &States, as_thrown: bool, meter: &Meter) -> Result<Option<Hands>, OverBudget> {
    let mut tables = Vec::with_capacity(states.weights.len());
    let mut rent = meter.rent();
    for (number, (state, weight)) in states.weights.iter().enumerate() {
        meter.charge_product(1, 24 + 4 * state.len(), 0)?;
        rent.grow((number as u64 + 1) * bytes_of_table(state.len()), meter)?;
        let tokens = state.iter().map(|&number| states.names.token(number));
        let dice = tokens
            .map(|token| TableDie { shown: token.shown.clone(), thrown: token.thrown.clone() });
        let mut table: Vec<TableDie> = dice.collect();
        if !as_thrown {
            table.sort();
        }
        tables.push((table, weight.clone()));
    }
    Distribution::from_many(tables, PLACE, meter)
}

/// What a table of so many dice takes, in bytes, with a weight.
pub(super) fn bytes_of_table(dice: usize) -> u64 {
    (size_of::<(Vec<TableDie>, Natural)>() + 16 + dice * size_of::<TableDie>()) as u64
}
