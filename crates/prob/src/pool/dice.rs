//! The dice on the table after all stages.

use super::drawn::Draw;
use super::onward::tables_after;
use super::piece::{Setup, telling};
use super::stops::never_stops;
use super::{Pool, PoolError, Stage, TableDie};
use crate::distribution::Distribution;
use crate::meter::Meter;

/// The distribution of the dice on the table, each table in ascending order.
pub fn dice(pool: &Pool, meter: &Meter) -> Result<Distribution<Vec<TableDie>>, PoolError> {
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
    let tables = states.weights.iter().map(|(state, weight)| {
        let mut table: Vec<TableDie> = state
            .iter()
            .map(|&number| {
                let token = states.names.token(number);
                TableDie { shown: token.shown.clone(), thrown: token.thrown.clone() }
            })
            .collect();
        table.sort();
        (table, weight.clone())
    });
    Distribution::from_weights(tables).ok_or(PoolError::TooFewDice)
}
