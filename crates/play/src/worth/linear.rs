//! Linear equations, each for one unknown, with few others in it.

use astragal_prob::{Meter, OverBudget, Rational};
use dashu_base::BitTest;
use rustc_hash::FxHashMap;

/// An unknown is so much of the others, and a number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    parts: FxHashMap<usize, Rational>,
    pub(crate) constant: Rational,
}

impl Row {
    /// So much more of another.
    pub(crate) fn add(&mut self, other: usize, share: Rational) {
        *self.parts.entry(other).or_insert(Rational::ZERO) += share;
    }

    /// Puts what an unknown is in its place.
    fn put(&mut self, other: usize, known: &Row) -> usize {
        let Some(share) = self.parts.remove(&other) else { return 0 };
        for (part, own) in &known.parts {
            self.add(*part, &share * own);
        }
        self.constant += share * &known.constant;
        known.parts.len() + 1
    }
}

/// The solution; none if there is no single one.
///
/// Unknowns are put in for one another from the last to the first, so that each is left with earlier ones only, and then
/// from the first to the last.
pub(crate) fn solve(
    mut rows: Vec<Row>,
    meter: &Meter,
) -> Result<Option<Vec<Rational>>, OverBudget> {
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); rows.len()];
    for (at, row) in rows.iter().enumerate() {
        row.parts.keys().for_each(|part| users[*part].push(at));
    }
    for at in (0..rows.len()).rev() {
        let mut row = std::mem::take(&mut rows[at]);
        if let Some(own) = row.parts.remove(&at) {
            let rest = Rational::ONE - own;
            if rest.is_zero() {
                return Ok(None);
            }
            row.parts.values_mut().for_each(|share| *share /= &rest);
            row.constant /= rest;
        }
        let bits = row.constant.denominator().bit_len() as u64 / 64;
        for user in std::mem::take(&mut users[at]) {
            if user >= at {
                continue;
            }
            let put = rows[user].put(at, &row);
            if put > 0 {
                row.parts.keys().for_each(|part| users[*part].push(user));
            }
            meter.charge(put as u64 * (60 + bits * bits))?;
        }
        rows[at] = row;
    }
    let mut solved: Vec<Rational> = Vec::with_capacity(rows.len());
    for row in rows {
        let mut value = row.constant;
        for (part, share) in row.parts {
            let Some(known) = solved.get(part) else { return Ok(None) };
            value += share * known;
        }
        meter.charge(40)?;
        solved.push(value);
    }
    Ok(Some(solved))
}
