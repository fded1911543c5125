//! Mean and variance of what a loop ends with, where rounds multiply what is carried.
//!
//! A stress die doubles on a 1 and is thrown again: `x` is carried to `2x` with chance 1/10, and to an end otherwise. All
//! that a round does to the numbers x₁ … xₙ it does by multiplying and adding, and where it leads does not depend on them.
//! So with x₀ = 1, each [`Turn`] is a matrix A, with noise that is independent of all before. Let m be the sum, over all
//! times, of the means of x while the loop is at a node, and S the same of the products of each two:
//!
//! ```text
//! m(node) = start + Σ chance · A · m(from)         S(node) = start + Σ chance · (A · S(from) · Aᵀ + mass(from) · N)
//! ```
//!
//! where N is the covariance of the noise. Both are systems of linear equations, the first a part of the second.
//!
//! *Where nothing is negative* the moments are the least solutions, and these are found knot by knot: what arrives at a knot
//! goes around in it. If the equations of the knot have a solution that is not negative, then it is the least one, since
//! no sum over finitely many rounds exceeds it; if they have none, the sums grow beyond all bounds, and so do those of
//! everything that the knot leads to. *Where something is negative*, the sums of what is below and above zero must not both be
//! infinite. So the system is solved with all signs taken away first: where that is finite, the sums converge absolutely and
//! solve the equations as they are; elsewhere nothing is told.

mod linear;
mod multiples;
mod shared;

use crate::form::Form;
use crate::law::{Law, Moment};
use crate::meter::{Meter, OverBudget};
use crate::number::Rational;
use linear::Linear;
use multiples::Multiples;
use shared::in_common;

/// A loop that carries numbers; the first node is the start.
#[derive(Debug, Default)]
pub struct Scaling {
    /// What is carried at first.
    pub first: Vec<Rational>,
    /// How many nodes there are,
    pub nodes: usize,
    /// and how many ends.
    pub ends: usize,
    /// Where rounds lead.
    pub turns: Vec<Turn>,
}

/// One of the ways on from a node.
#[derive(Debug)]
pub struct Turn {
    /// The node.
    pub from: usize,
    /// The place that it leads to: a node, or an end, which comes after all nodes.
    pub to: Place,
    /// How likely it is.
    pub chance: Rational,
    /// The numbers after it,
    pub numbers: Vec<Form>,
    /// and the laws of their variables: [`Law::carried`], or noise.
    pub laws: Vec<Law>,
}

/// Where a turn leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// To a node.
    Node(usize),
    /// To an end.
    End(usize),
}

/// An end: its chance, and its numbers as sums of others of which the moments are known.
pub type End = (Rational, Vec<Form>, Vec<Law>);

/// A turn as a matrix: what each number is made of, the first part being a constant, and how the noise in them moves together.
struct Matrix {
    from: usize,
    to: usize,
    chance: Rational,
    rows: Vec<Vec<Rational>>,
    noise: Vec<Vec<Rational>>,
}

impl Scaling {
    /// The ends, in order; those of no chance are none. None if nothing is known of them.
    pub fn ends(&self, meter: &Meter) -> Result<Option<Vec<Option<End>>>, OverBudget> {
        let Some(turns) = self.matrices(true) else { return Ok(None) };
        let bounds = self.moments(&turns, None, meter)?;
        let plain = self.matrices(false).unwrap_or_default();
        let signed = plain.iter().zip(&turns).any(|(one, other)| one.rows != other.rows)
            || self.first.iter().any(|x| *x < Rational::ZERO);
        let found = match signed {
            true => self.moments(&plain, Some(&bounds), meter)?,
            false => bounds,
        };
        let multiples = Multiples::of(self, meter)?;
        let mut sum = Rational::ZERO;
        let mut ends = Vec::with_capacity(self.ends);
        for end in 0..self.ends {
            let place = self.nodes + end;
            let Some(chance) = found.mean(place, 0) else { return Ok(None) };
            sum += chance;
            if chance.is_zero() {
                ends.push(None);
                continue;
            }
            let size = turns.iter().find(|turn| turn.to == place).map_or(1, |turn| turn.rows.len());
            let Some(moments) = found.given(place, size, chance, signed) else {
                return Ok(None);
            };
            let covariance = |a, b| found.covariance(place, chance, a, b);
            let (forms, laws) = in_common(&moments, &multiples.at_end(end, size - 1), covariance);
            ends.push(Some((chance.clone(), forms, laws)));
        }
        // What may never end has no mean.
        Ok(sum.is_one().then_some(ends))
    }

    /// The turns as matrices, perhaps with all signs taken away; none if some number is not made so.
    fn matrices(&self, unsigned: bool) -> Option<Vec<Matrix>> {
        let matrix = |turn: &Turn| {
            let mut columns: Vec<Option<usize>> = Vec::with_capacity(turn.laws.len());
            for law in &turn.laws {
                let place = law.carried_place();
                // A number that is not carried is noise, and known; none is carried twice.
                if place.is_none() && law.has_unknown()
                    || place.is_some() && columns.contains(&place)
                {
                    return None;
                }
                columns.push(place);
            }
            let size = self.first.len() + 1;
            let own = |number: &Form| row(number, turn, &columns, size, unsigned);
            let rows = turn.numbers.iter().map(own).collect::<Option<Vec<_>>>()?;
            let one = (0..size).map(|at| if at == 0 { Rational::ONE } else { Rational::ZERO });
            let rows = [one.collect()].into_iter().chain(rows).collect();
            let noise = noise(turn, &columns, unsigned)?;
            let to = match turn.to {
                Place::Node(node) => node,
                Place::End(end) => self.nodes + end,
            };
            Some(Matrix { from: turn.from, to, chance: turn.chance.clone(), rows, noise })
        };
        self.turns.iter().map(matrix).collect()
    }

    /// Both systems, solved. Only what has bounds is asked for, if there are any.
    fn moments(
        &self,
        turns: &[Matrix],
        bounds: Option<&Sums>,
        meter: &Meter,
    ) -> Result<Sums, OverBudget> {
        let (places, size) = (self.nodes + self.ends, self.first.len() + 1);
        let width = turns.iter().map(|turn| turn.rows.len()).max().unwrap_or(0).max(size);
        let mut sums = Sums { width, first: Vec::new(), second: Vec::new() };
        let unsigned = |value: &Rational| match bounds {
            None if *value < Rational::ZERO => -value,
            _ => value.clone(),
        };
        let start: Vec<Rational> =
            [Rational::ONE].into_iter().chain(self.first.iter().map(unsigned)).collect();
        let mut first = Linear::of(places * width);
        for (at, value) in start.iter().enumerate() {
            first.bring(at, value.clone());
        }
        for turn in turns {
            for (at, row) in turn.rows.iter().enumerate() {
                meter.charge(row.len() as u64)?;
                for (column, factor) in row.iter().enumerate() {
                    first.lead(
                        turn.from * width + column,
                        turn.to * width + at,
                        &turn.chance * factor,
                    );
                }
            }
        }
        sums.first = first.solved(bounds.map(|bounds| bounds.first.as_slice()), meter)?;
        let mut second = Linear::of(places * width * width);
        for (at, x) in start.iter().enumerate().skip(1) {
            for (other, y) in start.iter().enumerate().skip(1) {
                second.bring(at * width + other, x * y);
            }
        }
        for turn in turns {
            self.lead_products(turn, &sums, &mut second, meter)?;
        }
        sums.second = second.solved(bounds.map(|bounds| bounds.second.as_slice()), meter)?;
        Ok(sums)
    }

    /// What a turn does to the products of each two numbers.
    fn lead_products(
        &self,
        turn: &Matrix,
        sums: &Sums,
        second: &mut Linear,
        meter: &Meter,
    ) -> Result<(), OverBudget> {
        let (width, size) = (sums.width, turn.rows.len());
        let from = |a: usize, b: usize| (turn.from * width + a) * width + b;
        for r in 1..size {
            for s in 1..size {
                let to = (turn.to * width + r) * width + s;
                let (one, other) = (&turn.rows[r], &turn.rows[s]);
                meter.charge((one.len() * other.len()) as u64)?;
                for (a, x) in one.iter().enumerate().filter(|(_, x)| !x.is_zero()) {
                    for (b, y) in other.iter().enumerate().filter(|(_, y)| !y.is_zero()) {
                        let factor = &turn.chance * x * y;
                        match (a, b) {
                            (0, b) => second.bring_some(to, factor, sums.mean(turn.from, b)),
                            (a, 0) => second.bring_some(to, factor, sums.mean(turn.from, a)),
                            (a, b) => second.lead(from(a, b), to, factor),
                        }
                    }
                }
                let noise = &turn.chance * &turn.noise[r - 1][s - 1];
                second.bring_some(to, noise, sums.mean(turn.from, 0));
            }
        }
        Ok(())
    }
}

/// What a number is made of: a constant, and multiples of what was carried. Unsigned, the constant is not zero where
/// something is added that may be negative.
fn row(
    number: &Form,
    turn: &Turn,
    columns: &[Option<usize>],
    size: usize,
    unsigned: bool,
) -> Option<Vec<Rational>> {
    let positive =
        |value: Rational| if unsigned && value < Rational::ZERO { -value } else { value };
    let mut row = vec![Rational::ZERO; size];
    row[0] = positive(number.constant.clone());
    for (var, factor) in &number.terms {
        let at = var.0 as usize;
        match columns.get(at)? {
            Some(place) => *row.get_mut(place + 1)? = positive(factor.clone()),
            None => {
                let law = turn.laws.get(at)?;
                let (mean, negative) =
                    (law.mean(), law.lowest().is_none_or(|low| low < Rational::ZERO));
                row[0] += match unsigned && (negative || *factor < Rational::ZERO) {
                    true => positive(factor * &mean) + positive(factor.clone()),
                    false => factor * mean,
                };
            }
        }
    }
    Some(row)
}

/// How what is added to each two numbers moves together.
fn noise(turn: &Turn, columns: &[Option<usize>], unsigned: bool) -> Option<Vec<Vec<Rational>>> {
    let zero = || vec![vec![Rational::ZERO; turn.numbers.len()]; turn.numbers.len()];
    let mut noise = zero();
    for (r, one) in turn.numbers.iter().enumerate() {
        for (var, x) in &one.terms {
            let at = var.0 as usize;
            if columns.get(at)?.is_some() {
                continue;
            }
            let variance = turn.laws.get(at)?.variance();
            for (s, other) in turn.numbers.iter().enumerate() {
                let Some(y) = other.coefficient(*var) else { continue };
                let both = x * y * &variance;
                noise[r][s] += if unsigned && both < Rational::ZERO { -both } else { both };
            }
        }
    }
    Some(noise)
}

/// The sums over all times, by place and number; none where they are infinite.
struct Sums {
    width: usize,
    first: Vec<Option<Rational>>,
    second: Vec<Option<Rational>>,
}

impl Sums {
    fn mean(&self, place: usize, number: usize) -> Option<&Rational> {
        self.first.get(place * self.width + number)?.as_ref()
    }

    fn product(&self, place: usize, a: usize, b: usize) -> Option<&Rational> {
        self.second.get((place * self.width + a) * self.width + b)?.as_ref()
    }

    /// The moments of the numbers at a place, given that it is reached. None if too little is known: an infinite moment is no moment
    /// where signs differ, and two of them may cancel each other.
    fn given(
        &self,
        place: usize,
        size: usize,
        chance: &Rational,
        signed: bool,
    ) -> Option<Vec<(Moment, Moment)>> {
        let mean = |at: usize| self.mean(place, at).map(|sum| sum / chance);
        let moments: Vec<(Moment, Moment)> = (1..size)
            .map(|at| {
                let Some(mean) = mean(at) else { return (Moment::Infinite, Moment::Infinite) };
                let second = self.product(place, at, at);
                let variance = second.map(|sum| sum / chance - &mean * &mean);
                (Moment::Exactly(mean), variance.map_or(Moment::Infinite, Moment::Exactly))
            })
            .collect();
        let infinite = moments.iter().filter(|(_, variance)| *variance == Moment::Infinite).count();
        if infinite > usize::from(!signed) {
            return None;
        }
        Some(moments)
    }

    /// How two numbers at a place move together.
    fn covariance(&self, place: usize, chance: &Rational, a: usize, b: usize) -> Option<Rational> {
        let product = self.product(place, a + 1, b + 1)? / chance;
        let means = self.mean(place, a + 1)? * self.mean(place, b + 1)?;
        Some(product - means / (chance * chance))
    }
}

#[cfg(test)]
mod tests;
