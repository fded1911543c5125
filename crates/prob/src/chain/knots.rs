//! A chain whose paths return: its nodes are eliminated one after the other.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use dashu_base::{BitTest, Gcd};

use super::factors::{Factors, Powers};
use super::{Chain, Counted, Finite, Node, To};
use crate::meter::{Meter, OverBudget};
use crate::number::{Natural, Rational};
use crate::weighted::common_multiple;

/// Weights over a denominator, by where they lead: nodes first, then ends.
#[derive(Clone, Debug, Default)]
struct Row {
    under: Natural,
    /// In order of where they lead.
    to: Vec<(usize, Natural)>,
    /// How many rows were substituted since it was last reduced.
    substituted: u32,
}

impl Row {
    fn find(&self, to: usize) -> Result<usize, usize> {
        self.to.binary_search_by_key(&to, |(to, _)| *to)
    }

    fn add(&mut self, to: usize, weight: Natural) {
        match self.find(to) {
            Ok(at) => self.to[at].1 += weight,
            Err(at) => self.to.insert(at, (to, weight)),
        }
    }

    fn remove(&mut self, to: usize) -> Option<Natural> {
        self.find(to).ok().map(|at| self.to.remove(at).1)
    }

    /// Puts the row of a node in its place.
    fn substitute(&mut self, node: usize, row: &Row, meter: &Meter) -> Result<(), OverBudget> {
        let Some(weight) = self.remove(node) else { return Ok(()) };
        let limbs = 1 + (self.under.bit_len() + row.under.bit_len()) as u64 / 64;
        let size = (self.to.len() + row.to.len()) as u64;
        meter.charge(size.saturating_mul(2 + limbs / 4))?;
        self.under *= &row.under;
        self.to.iter_mut().for_each(|(_, weight)| *weight *= &row.under);
        for (to, more) in &row.to {
            self.add(*to, &weight * more);
        }
        self.substituted += 1;
        if self.substituted > 1 {
            // A common divisor takes the square of their length, of which a step is worth much.
            meter.charge(size.saturating_mul(limbs).saturating_mul(3 + limbs / 2) / 4)?;
            self.reduce();
        }
        Ok(())
    }

    fn reduce(&mut self) {
        let mut common = self.under.clone();
        for (_, weight) in &self.to {
            if common.is_one() {
                break;
            }
            if !weight.is_zero() {
                common = common.gcd(weight);
            }
        }
        if !common.is_one() {
            self.under /= &common;
            self.to.iter_mut().for_each(|(_, weight)| *weight /= &common);
        }
        self.substituted = 0;
    }

    /// Takes away the way back to the node itself: it is as if it were thrown again.
    fn leave(&mut self, node: usize) {
        if let Some(back) = self.remove(node) {
            self.under -= back;
        }
    }
}

/// The rows of a knot that are not eliminated yet.
struct Rows {
    rows: Vec<Option<Row>>,
    /// Which rows lead to a node, in order.
    into: Vec<Vec<usize>>,
    /// Nodes by what it costs to eliminate them, as it was when they were put here. Those at which paths
    /// arrive come last: what arrives would be carried on through all that are left.
    waiting: BinaryHeap<Reverse<(bool, usize, usize)>>,
}

impl Rows {
    /// Room for the rows of so many nodes.
    fn with_room(nodes: usize) -> Rows {
        let rows = vec![const { None }; nodes];
        Rows { rows, into: vec![Vec::new(); nodes], waiting: BinaryHeap::new() }
    }

    /// Takes up the rows of a knot at which the start arrives.
    fn take_up(&mut self, rows: impl Iterator<Item = (usize, Row)>, start: &Row) {
        let mut nodes = Vec::new();
        for (node, row) in rows {
            nodes.push(node);
            self.rows[node] = Some(row);
        }
        nodes.sort_unstable();
        for from in &nodes {
            let Some(row) = &self.rows[*from] else { continue };
            for (to, _) in row.to.iter().filter(|(to, _)| to != from) {
                if self.rows.get(*to).is_some_and(Option::is_some) {
                    self.into[*to].push(*from);
                }
            }
        }
        nodes.into_iter().for_each(|node| self.wait(node, start));
    }

    fn wait(&mut self, node: usize, start: &Row) {
        let cost = self.cost(node);
        self.waiting.push(Reverse((start.find(node).is_ok(), cost, node)));
    }

    /// How many weights change if a node is eliminated.
    fn cost(&self, node: usize) -> usize {
        self.into[node].len() * self.rows[node].as_ref().map_or(0, |row| row.to.len())
    }

    /// Takes out the node that is cheapest to eliminate, with the nodes that lead to it.
    fn take_cheapest(&mut self, start: &Row) -> Option<(usize, Row, Vec<usize>)> {
        while let Some(Reverse((_, cost, node))) = self.waiting.pop() {
            if self.rows[node].is_none() {
                continue;
            }
            if self.cost(node) > cost {
                self.wait(node, start);
                continue;
            }
            let mut row = self.rows[node].take()?;
            row.leave(node);
            for (to, _) in &row.to {
                if let Some(into) = self.into.get_mut(*to)
                    && let Ok(at) = into.binary_search(&node)
                {
                    into.remove(at);
                }
            }
            return Some((node, row, std::mem::take(&mut self.into[node])));
        }
        None
    }

    fn substitute(
        &mut self,
        from: usize,
        (node, row): (usize, &Row),
        start: &Row,
        meter: &Meter,
    ) -> Result<(), OverBudget> {
        let Some(other) = &mut self.rows[from] else { return Ok(()) };
        other.substitute(node, row, meter)?;
        for (to, _) in row.to.iter().filter(|(to, _)| *to != from) {
            if self.rows.get(*to).is_some_and(Option::is_some)
                && let Err(at) = self.into[*to].binary_search(&from)
            {
                self.into[*to].insert(at, from);
            }
        }
        self.wait(from, start);
        Ok(())
    }
}

impl Chain {
    /// Paths return, and nothing is counted: knot by knot, the nodes of a knot one after the other.
    pub(super) fn eliminate(
        &self,
        knots: &[Vec<usize>],
        meter: &Meter,
    ) -> Result<Finite, OverBudget> {
        let size = self.nodes.len();
        let mut arrives: Vec<Rational> = vec![Rational::ZERO; size + self.ends];
        if let Some(first) = arrives.first_mut() {
            *first = Rational::ONE;
        }
        let mut rows = Rows::with_room(size);
        for knot in knots {
            let start = self.start(knot, &mut arrives);
            let Some(mut start) = start else { continue };
            rows.take_up(knot.iter().map(|node| (*node, self.row(*node))), &start);
            while let Some((node, row, into)) = rows.take_cheapest(&start) {
                for from in into {
                    rows.substitute(from, (node, &row), &start, meter)?;
                }
                start.substitute(node, &row, meter)?;
            }
            for (to, weight) in start.to {
                arrives[to] += Rational::from_parts(weight.into(), start.under.clone());
            }
        }
        let ends = &arrives[size..];
        let total = common_multiple(ends.iter().map(Rational::denominator));
        let counted = |chance: &Rational| {
            let weight = Natural::try_from(chance.numerator().clone()).unwrap_or_default();
            Counted { least: 0, weights: vec![weight * (&total / chance.denominator())] }
        };
        let mut factors = Factors::default();
        let mut powers = Powers::new();
        *factors.power(&mut powers, total.clone()) = 1;
        let ends = ends.iter().map(|chance| (counted(chance), powers.clone())).collect();
        Ok(Finite { factors, ends })
    }

    fn row(&self, node: usize) -> Row {
        let Node { total, steps } = &self.nodes[node];
        let to = Vec::with_capacity(steps.len());
        let mut row = Row { under: total.clone(), to, substituted: 0 };
        for step in steps {
            row.add(self.place(step.to), step.weight.clone());
        }
        row
    }

    fn place(&self, to: To) -> usize {
        match to {
            To::Node(node) => node,
            To::End(end) => self.nodes.len() + end,
        }
    }

    /// What arrives at a knot, as a row of its own; none if nothing does.
    fn start(&self, knot: &[usize], arrives: &mut [Rational]) -> Option<Row> {
        let mut start = Row { under: Natural::ONE, ..Row::default() };
        let chances: Vec<(usize, Rational)> =
            knot.iter().map(|node| (*node, std::mem::take(&mut arrives[*node]))).collect();
        for (_, chance) in &chances {
            let common = (&start.under).gcd(chance.denominator());
            start.under = &start.under / common * chance.denominator();
        }
        for (node, chance) in chances.into_iter().filter(|(_, chance)| !chance.is_zero()) {
            let (top, bottom) = chance.into_parts();
            let weight = Natural::try_from(top).ok()? * (&start.under / bottom);
            start.add(node, weight);
        }
        (!start.to.is_empty()).then_some(start)
    }
}
