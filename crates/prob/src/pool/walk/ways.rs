//! In how many ways dice of a group show a face.

use super::path::{Group, Manner};
use super::weight::Weight;
use crate::number::Natural;

/// For each use of a group before the face, the ways in which 0, 1, 2… dice show it.
pub(super) struct Ways<W> {
    rows: Vec<Row<W>>,
}

/// Factors; nearly always they are words.
pub(super) enum Row<W> {
    Words(Vec<u64>),
    Wide(Vec<W>),
}

impl<W: Weight> Ways<W> {
    pub(super) fn of(group: &Group, place: usize) -> Ways<W> {
        let most = group.most();
        if group.manner != Manner::Any {
            return Ways { rows: (0..=most).map(|_| Row::Words(vec![1, 1])).collect() };
        }
        let weight = &group.weights[place];
        let rows = (0..=most).map(|used| {
            let count = if weight.is_zero() { 1 } else { most - used + 1 };
            match words(used as u64, count as u64, weight) {
                Some(row) => Row::Words(row),
                None => Row::Wide(wide(used, count, weight)),
            }
        });
        Ways { rows: rows.collect() }
    }

    #[inline]
    pub(super) fn after(&self, used: usize) -> &Row<W> {
        &self.rows[used]
    }
}

/// `C(used + c, c)·wᶜ` for `c` below `count`, if all are words.
fn words(used: u64, count: u64, weight: &Natural) -> Option<Vec<u64>> {
    let weight = u64::try_from(weight).ok()?;
    let mut row = Vec::with_capacity(count as usize);
    let (mut choose, mut power) = (1u64, 1u64);
    for c in 0..count {
        row.push(choose.checked_mul(power)?);
        if c + 1 < count {
            let next = u128::from(choose) * u128::from(used + c + 1) / u128::from(c + 1);
            choose = u64::try_from(next).ok()?;
            power = power.checked_mul(weight)?;
        }
    }
    Some(row)
}

fn wide<W: Weight>(used: usize, count: usize, weight: &Natural) -> Vec<W> {
    let (mut choose, mut power) = (Natural::ONE, Natural::ONE);
    let ways = (0..count).map(|c| {
        let ways = W::of(&(&choose * &power));
        choose = &choose * (used + c + 1) / (c + 1);
        power *= weight;
        ways
    });
    ways.collect()
}
