//! In how many ways dice of a group show a face.

use super::super::order::binomials as choices;
use super::path::{Group, Manner};
use super::weight::Weight;
use crate::number::Natural;
use crate::words::binomials;

/// For each use of a group before the face, the ways in which 0, 1, 2… dice show it. If these are the same for
/// every use, they are listed once.
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
        match group.manner {
            Manner::Any => {}
            Manner::Drawn => return Ways { rows: vec![drawn(group.copies(place), most)] },
            Manner::Cover => return Ways { rows: vec![Row::Words(vec![1, 1])] },
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
        self.rows.get(used).unwrap_or(&self.rows[0])
    }
}

/// `C(copies, c)` for each `c` up to `most`.
fn drawn<W: Weight>(copies: usize, most: usize) -> Row<W> {
    let size = copies.min(most) + 1;
    let words = binomials(copies as u64, size)
        .and_then(|ways| ways.into_iter().map(|ways| u64::try_from(ways).ok()).collect());
    match words {
        Some(row) => Row::Words(row),
        None => Row::Wide(choices(copies as u64, size).map(|ways| W::of(&ways)).collect()),
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
