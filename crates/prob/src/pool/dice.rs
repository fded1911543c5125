//! The dice on the table after all stages.

use super::{Pool, PoolError, TableDie};
use crate::distribution::Distribution;
use crate::meter::Meter;

/// The distribution of the dice on the table, in ascending order.
pub fn dice(_pool: &Pool, _meter: &Meter) -> Result<Distribution<Vec<TableDie>>, PoolError> {
    Err(PoolError::NoClosedForm)
}
