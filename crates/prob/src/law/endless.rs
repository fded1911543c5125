//! Endless laws: a lattice and a generating function that may run both ways.
//!
//! The value is `offset + step·k`, and the chance of `k` is its coefficient in
//! `up(x) + down(1/x)`. `d6!` runs up, its negative runs down, the difference of two of them runs
//! both ways. In order: `0 ≤ offset < step`; if only one direction is endless, the other part is
//! zero (the finite values below 0 belong to `up` too, as negative powers); if both are, `up` has
//! the powers `k ≥ 0` and `down` those with `k ≤ −1`.

use super::{Law, Table};
use crate::meter::{Meter, OverBudget};
use crate::number::{self, Integer, Rational};
use crate::series::{Series, join, turned};
use std::sync::Arc;

/// The law of a number with infinitely many values; see the module's header.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Endless(Arc<Body>);

/// Shared, because laws are cloned much more often than they are made.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Body {
    offset: Rational,
    step: Rational,
    up: Series,
    down: Series,
}

/// The farthest place from zero at which an endless law may begin.
const FARTHEST: u64 = 1 << 60;

/// Offset, step, and the series in `x` and in `1/x`.
pub(crate) type Parts = (Rational, Rational, Series, Series);

impl Endless {
    /// The law of these parts, which have mass 1 together: a table if it is finite after all.
    pub(crate) fn assemble(parts: Parts, meter: &Meter) -> Result<Law, OverBudget> {
        let (offset, step, mut up, mut down) = parts;
        if up.is_polynomial() && down.is_polynomial() {
            let whole = up.plus(&turned(&down), meter)?;
            return Ok(table(&offset, step, &whole));
        }
        let places = number::quotient(&offset, &step).floor();
        let offset = offset - &step * Rational::from(places.clone());
        let places = i64::try_from(&places).map_err(|_| OverBudget::Steps)?;
        up = up.shifted(places);
        down = down.shifted(places.checked_neg().ok_or(OverBudget::Steps)?);
        if down.is_polynomial() {
            up = up.plus(&turned(&down), meter)?;
            down = Series::zero();
        } else if up.is_polynomial() {
            down = down.plus(&turned(&up), meter)?;
            up = Series::zero();
        } else {
            (up, down) = join(up, down, meter)?;
        }
        // Far beyond any table, and far from where sums of places could overflow.
        if up.lowest().unsigned_abs() > FARTHEST || down.lowest().unsigned_abs() > FARTHEST {
            return Err(OverBudget::Steps);
        }
        Ok(Law::Endless(Endless(Arc::new(Body { offset, step, up, down }))))
    }

    pub(crate) fn offset(&self) -> &Rational {
        &self.0.offset
    }

    pub(crate) fn step(&self) -> &Rational {
        &self.0.step
    }

    /// The part that runs up, as powers of `x`.
    pub(crate) fn up(&self) -> &Series {
        &self.0.up
    }

    /// The part that runs down, as powers of `1/x`.
    pub(crate) fn down(&self) -> &Series {
        &self.0.down
    }

    pub(crate) fn parts(&self) -> Parts {
        (self.0.offset.clone(), self.0.step.clone(), self.0.up.clone(), self.0.down.clone())
    }

    /// The value at place `k` of the lattice.
    pub(crate) fn value(&self, k: i64) -> Rational {
        &self.0.offset + &self.0.step * number::whole(k)
    }

    pub(crate) fn lowest(&self) -> Option<Rational> {
        self.0.down.is_zero().then(|| self.value(self.0.up.lowest()))
    }

    pub(crate) fn highest(&self) -> Option<Rational> {
        self.0.up.is_zero().then(|| self.value(-self.0.down.lowest()))
    }

    pub(crate) fn mean_and_variance(&self) -> (Rational, Rational) {
        let (up, down) = (self.0.up.moments(), self.0.down.moments());
        let mean = up.first - down.first;
        let variance = up.second + down.second - &mean * &mean;
        (&self.0.offset + &self.0.step * mean, &self.0.step * &self.0.step * variance)
    }

    pub(crate) fn size(&self) -> usize {
        self.0.up.size() + self.0.down.size()
    }
}

/// The table of a polynomial on a lattice.
fn table(offset: &Rational, step: Rational, series: &Series) -> Law {
    let (shift, poly, _) = series.as_polynomial();
    let offset = offset + &step * number::whole(shift);
    let table = Table::from_poly(offset.clone(), step, poly.clone());
    Law::Finite(table.unwrap_or_else(|| Table::constant(offset)))
}

impl Law {
    /// Offset, step and series of any law; the step of a constant is 0.
    pub(crate) fn parts(&self, meter: &Meter) -> Result<Parts, OverBudget> {
        match self {
            Law::Grown(_) => Err(OverBudget::NotKnown),
            Law::Endless(endless) => Ok(endless.parts()),
            Law::Finite(table) => {
                let (offset, step, up) = table.series(meter)?;
                Ok((offset, step, up, Series::zero()))
            }
        }
    }
}

/// How a lattice lies in a finer one: every step is `by` steps there.
pub(crate) fn refine(step: &Rational, finer: &Rational) -> Result<i64, OverBudget> {
    if step.is_zero() {
        return Ok(1);
    }
    number::steps_in(step, finer).ok_or(OverBudget::Steps)
}

/// The place of the least lattice value that is at least `value`.
pub(crate) fn place_at_least(value: &Rational, endless: &Endless) -> Result<i64, OverBudget> {
    let place: Integer = number::quotient(&(value - &endless.0.offset), &endless.0.step).ceil();
    i64::try_from(&place).map_err(|_| OverBudget::Steps)
}
