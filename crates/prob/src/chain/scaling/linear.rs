//! Systems `x = b + T·x`, solved knot by knot for the least solution, which may be infinite.

use crate::chain::graph::knots;
use crate::meter::{Meter, OverBudget};
use crate::number::Rational;
use dashu_base::BitTest;
use std::collections::BTreeMap;

/// The system: what arrives from outside at each number (none: infinitely much), and what each leads to.
pub(super) struct Linear {
    brought: Vec<Option<Rational>>,
    leads: Vec<BTreeMap<usize, Rational>>,
}

impl Linear {
    /// Nothing arrives anywhere.
    pub(super) fn of(size: usize) -> Linear {
        Linear { brought: vec![Some(Rational::ZERO); size], leads: vec![BTreeMap::new(); size] }
    }

    /// So much arrives from outside.
    pub(super) fn bring(&mut self, to: usize, more: Rational) {
        if let Some(sum) = &mut self.brought[to] {
            *sum += more;
        }
    }

    /// So much times something that may be infinite.
    pub(super) fn bring_some(&mut self, to: usize, factor: Rational, times: Option<&Rational>) {
        match times {
            _ if factor.is_zero() => {}
            Some(times) => self.bring(to, factor * times),
            None => self.brought[to] = None,
        }
    }

    /// A number is part of another.
    pub(super) fn lead(&mut self, from: usize, to: usize, factor: Rational) {
        if !factor.is_zero() {
            *self.leads[from].entry(to).or_insert(Rational::ZERO) += factor;
        }
    }

    /// The solution; none for what is infinite. With bounds: of what has some, where signs may differ.
    pub(super) fn solved(
        self,
        bounds: Option<&[Option<Rational>]>,
        meter: &Meter,
    ) -> Result<Vec<Option<Rational>>, OverBudget> {
        let Linear { mut brought, leads } = self;
        let onward: Vec<Vec<usize>> = leads.iter().map(|to| to.keys().copied().collect()).collect();
        meter.charge(4 * onward.iter().map(|to| 1 + to.len() as u64).sum::<u64>())?;
        for knot in knots(&onward) {
            let known = |at: &usize| bounds.is_none_or(|bounds| bounds[*at].is_some());
            let arriving: Option<Vec<Rational>> =
                knot.iter().map(|at| brought[*at].clone().filter(|_| known(at))).collect();
            let found = match arriving {
                Some(arriving) => around(&knot, arriving, &leads, bounds.is_some(), meter)?,
                None => None,
            };
            for (place, at) in knot.iter().enumerate() {
                brought[*at] = found.as_ref().map(|found| found[place].clone());
            }
            for at in &knot {
                for (to, factor) in leads[*at].iter().filter(|(to, _)| !knot.contains(to)) {
                    match (brought[*at].clone(), &mut brought[*to]) {
                        (Some(value), Some(sum)) => *sum += value * factor,
                        (_, sum) => *sum = None,
                    }
                }
            }
        }
        Ok(brought)
    }
}

/// What there is in a knot, given what arrives at it; none if that is infinite.
fn around(
    knot: &[usize],
    mut arriving: Vec<Rational>,
    leads: &[BTreeMap<usize, Rational>],
    signed: bool,
    meter: &Meter,
) -> Result<Option<Vec<Rational>>, OverBudget> {
    if arriving.iter().all(Rational::is_zero) {
        return Ok(Some(arriving));
    }
    let size = knot.len();
    meter.charge((size * size) as u64)?;
    meter.room((size * size) as u64 * 100)?;
    // x − T·x, a row for each number.
    let mut rows = vec![vec![Rational::ZERO; size]; size];
    for (column, from) in knot.iter().enumerate() {
        rows[column][column] += Rational::ONE;
        for (row, to) in knot.iter().enumerate() {
            if let Some(factor) = leads[*from].get(to) {
                rows[row][column] -= factor;
            }
        }
    }
    for at in 0..size {
        let Some(pivot) = (at..size).find(|row| !rows[*row][at].is_zero()) else { return Ok(None) };
        rows.swap(at, pivot);
        arriving.swap(at, pivot);
        let (own, value) = (rows[at].clone(), arriving[at].clone());
        for row in (0..size).filter(|row| *row != at) {
            if rows[row][at].is_zero() {
                continue;
            }
            let factor = &rows[row][at] / &own[at];
            let bits = own.iter().map(|entry| entry.denominator().bit_len()).max().unwrap_or(0);
            meter.charge_fractions(2 * (size - at), 2 * bits)?;
            for column in at..size {
                let more = &factor * &own[column];
                rows[row][column] -= more;
            }
            arriving[row] -= factor * &value;
        }
    }
    let found: Vec<Rational> =
        arriving.into_iter().enumerate().map(|(at, value)| value / &rows[at][at]).collect();
    let least = signed || found.iter().all(|value| *value >= Rational::ZERO);
    Ok(least.then_some(found))
}
