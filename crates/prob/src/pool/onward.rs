//! Stages that throw after dice were compared: every table goes on alone.
//!
//! `4d6 kh3 !` has 56 tables of three kept dice. Each is a pool of dice in known states, which is
//! read through the remaining stages by whatever algorithm fits it, and the laws are mixed.

use super::bag::kept_tables;
use super::piece::{Group, Setup, head_and_tail};
use super::read::read_setup;
use super::states::{States, order_matters, throws};
use super::still::{is_still, settle};
use super::unique::different_dice;
use super::{Order, PoolError, Reading, Stage};
use crate::law::Law;
use crate::meter::Meter;
use crate::number::{self, Rational};

/// The law of a reading by way of all tables.
pub(crate) fn read_onward(
    setup: &Setup,
    stages: &[Stage],
    reading: &Reading,
    meter: &Meter,
) -> Result<Law, PoolError> {
    let (head, tail) = head_and_tail(stages);
    let alone = |stage: &Stage| {
        matches!(
            stage,
            Stage::Reroll { .. } | Stage::Explode { .. } | Stage::AtLeast(_) | Stage::AtMost(_)
        )
    };
    let block = tail.iter().position(alone).unwrap_or(tail.len());
    let split = head.len() + block;
    // If throw order matters later on, the tables must be carried to the end.
    let whole = order_matters(setup, stages, split, false, meter)?;
    let (first, rest) = stages.split_at(if whole { stages.len() } else { split });
    let tables = tables_after(setup, first, rest.iter().any(throws), meter)?;
    let total = tables.total();
    meter.charge_product(tables.weights.len(), 4, 0)?;
    let mut parts = Vec::with_capacity(tables.weights.len());
    let mut sorted: Vec<_> = tables.weights.iter().collect();
    sorted.sort();
    for (state, weight) in sorted {
        let table = laid_out(setup, state.iter().map(|&number| tables.names.token(number).piece()));
        let law = read_setup(&table, rest, reading, meter)?;
        parts.push((number::ratio(weight.clone(), total.clone()), law));
    }
    Ok(Law::mixture(&parts, meter)?)
}

/// A table as a pool of dice in known states.
fn laid_out(setup: &Setup, pieces: impl Iterator<Item = super::piece::Piece>) -> Setup {
    let mut groups: Vec<Group> = Vec::new();
    for piece in pieces {
        match groups.last_mut() {
            Some(group) if group.pieces[0].0 == piece => group.count += 1,
            _ => groups.push(Group { count: 1, pieces: vec![(piece, Rational::ONE)] }),
        }
    }
    Setup { dice: setup.dice.clone(), groups }
}

/// All tables after the stages.
pub(crate) fn tables_after(
    setup: &Setup,
    stages: &[Stage],
    look_at_thrown: bool,
    meter: &Meter,
) -> Result<States, PoolError> {
    if !order_matters(setup, stages, 1, look_at_thrown, meter)?
        && let Some(states) = different_dice(setup, stages, meter)?
    {
        return carried(states, setup, &stages[1..], meter);
    }
    let (head, tail) = head_and_tail(stages);
    if let [Stage::InAll { act, most, first: Order::Thrown }, later @ ..] = tail
        && is_still(head)
        && !order_matters(setup, stages, head.len() + 1, look_at_thrown, meter)?
    {
        let settled = settle(setup, head, meter)?;
        return carried(States::thrown_within(&settled, act, *most, meter)?, setup, later, meter);
    }
    let ordered = order_matters(setup, stages, 0, look_at_thrown, meter)?;
    if is_still(head) {
        let settled = settle(setup, head, meter)?;
        return carried(States::thrown(&settled, ordered, meter)?, setup, tail, meter);
    }
    let acted_out = States::thrown(setup, ordered, meter)
        .and_then(|states| carried(states, setup, stages, meter));
    match (acted_out, tail) {
        (Err(PoolError::NoClosedForm), [Stage::Keep(end, count), later @ ..]) if !ordered => {
            carried(kept_tables(setup, head, *end, *count, meter)?, setup, later, meter)
        }
        (answer, _) => answer,
    }
}

/// All tables after the stages, of dice that were made to differ then; and the chance that some die cannot, because
/// earlier ones show all its faces.
pub(crate) fn made_to_differ(
    setup: &Setup,
    stages: &[Stage],
    meter: &Meter,
) -> Result<(States, Rational), PoolError> {
    tables_as_thrown(setup, stages, meter)?.made_unique(setup, meter)
}

/// All tables after the stages, each die in its place.
pub(crate) fn tables_as_thrown(
    setup: &Setup,
    stages: &[Stage],
    meter: &Meter,
) -> Result<States, PoolError> {
    let (head, tail) = head_and_tail(stages);
    if !is_still(head) {
        return carried(States::thrown(setup, true, meter)?, setup, stages, meter);
    }
    let settled = settle(setup, head, meter)?;
    carried(States::thrown(&settled, true, meter)?, setup, tail, meter)
}

fn carried(
    mut states: States,
    setup: &Setup,
    stages: &[Stage],
    meter: &Meter,
) -> Result<States, PoolError> {
    for stage in stages {
        states = states.after(setup, stage, meter)?;
    }
    Ok(states)
}
