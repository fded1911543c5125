//! A chain whose paths return: its nodes are eliminated one after the other.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use astragal_prob::{Meter, Natural, OverBudget, Rational};
use dashu_base::{BitTest, Gcd};
use rustc_hash::FxHashMap;

use super::factors::{Factors, Powers};
use super::{Chain, Counted, Node, Solved, To};

/// Weights over a denominator, by where they lead: nodes first, then ends.
#[derive(Clone, Debug, Default)]
struct Row {
    under: Natural,
    to: BTreeMap<usize, Natural>,
    /// How many rows were substituted since it was last reduced.
    substituted: u32,
}

impl Row {
    /// Puts the row of a node in its place.
    fn substitute(&mut self, node: usize, row: &Row, meter: &Meter) -> Result<(), OverBudget> {
        let Some(weight) = self.to.remove(&node) else { return Ok(()) };
        let limbs = 1 + (self.under.bit_len() + row.under.bit_len()) as u64 / 64;
        let size = (self.to.len() + row.to.len()) as u64;
        meter.charge(size.saturating_mul(limbs))?;
        self.under *= &row.under;
        self.to.values_mut().for_each(|weight| *weight *= &row.under);
        for (to, more) in &row.to {
            *self.to.entry(*to).or_insert(Natural::ZERO) += &weight * more;
        }
        self.substituted += 1;
        if self.substituted > 1 {
            meter.charge(size.saturating_mul(limbs).saturating_mul(limbs))?;
            self.reduce();
        }
        Ok(())
    }

    fn reduce(&mut self) {
        let mut common = self.under.clone();
        for weight in self.to.values() {
            if common.is_one() {
                break;
            }
            if !weight.is_zero() {
                common = common.gcd(weight);
            }
        }
        if !common.is_one() {
            self.under /= &common;
            self.to.values_mut().for_each(|weight| *weight /= &common);
        }
        self.substituted = 0;
    }

    /// Takes away the way back to the node itself: it is as if it were thrown again.
    fn leave(&mut self, node: usize) {
        if let Some(back) = self.to.remove(&node) {
            self.under -= back;
        }
    }
}

/// The rows of a knot that are not eliminated yet.
struct Rows {
    rows: FxHashMap<usize, Row>,
    /// Which rows lead to a node.
    into: FxHashMap<usize, BTreeSet<usize>>,
    /// Nodes by what it costs to eliminate them, as it was when they were put here. Those at which paths
    /// arrive come last: what arrives would be carried on through all that are left.
    waiting: BinaryHeap<Reverse<(bool, usize, usize)>>,
    arrivals: BTreeSet<usize>,
}

impl Rows {
    fn of(rows: impl Iterator<Item = (usize, Row)>, arrivals: BTreeSet<usize>) -> Rows {
        let rows: FxHashMap<usize, Row> = rows.collect();
        let mut into: FxHashMap<usize, BTreeSet<usize>> = FxHashMap::default();
        for (from, row) in &rows {
            for to in row.to.keys().filter(|to| rows.contains_key(*to) && *to != from) {
                into.entry(*to).or_default().insert(*from);
            }
        }
        let mut rows = Rows { rows, into, waiting: BinaryHeap::new(), arrivals };
        let nodes: Vec<usize> = rows.rows.keys().copied().collect();
        nodes.into_iter().for_each(|node| rows.wait(node));
        rows
    }

    fn wait(&mut self, node: usize) {
        let cost = self.cost(node);
        self.waiting.push(Reverse((self.arrivals.contains(&node), cost, node)));
    }

    /// How many weights change if a node is eliminated.
    fn cost(&self, node: usize) -> usize {
        let into = self.into.get(&node).map_or(0, BTreeSet::len);
        into * self.rows.get(&node).map_or(0, |row| row.to.len())
    }

    /// Takes out the node that is cheapest to eliminate, with the nodes that lead to it.
    fn take_cheapest(&mut self) -> Option<(usize, Row, BTreeSet<usize>)> {
        while let Some(Reverse((_, cost, node))) = self.waiting.pop() {
            if !self.rows.contains_key(&node) {
                continue;
            }
            if self.cost(node) > cost {
                self.wait(node);
                continue;
            }
            let mut row = self.rows.remove(&node)?;
            row.leave(node);
            for to in row.to.keys() {
                if let Some(into) = self.into.get_mut(to) {
                    into.remove(&node);
                }
            }
            return Some((node, row, self.into.remove(&node).unwrap_or_default()));
        }
        None
    }

    fn substitute(
        &mut self,
        from: usize,
        node: usize,
        row: &Row,
        meter: &Meter,
    ) -> Result<(), OverBudget> {
        let Some(other) = self.rows.get_mut(&from) else { return Ok(()) };
        other.substitute(node, row, meter)?;
        for to in row.to.keys().filter(|to| **to != from) {
            if self.rows.contains_key(to) {
                self.into.entry(*to).or_default().insert(from);
            }
        }
        self.wait(from);
        Ok(())
    }
}

impl Chain {
    /// Paths return, and nothing is counted: knot by knot, the nodes of a knot one after the other.
    pub(super) fn eliminate(
        &self,
        knots: &[Vec<usize>],
        meter: &Meter,
    ) -> Result<Solved, OverBudget> {
        let size = self.nodes.len();
        let mut arrives: Vec<Rational> = vec![Rational::ZERO; size + self.ends];
        if let Some(first) = arrives.first_mut() {
            *first = Rational::ONE;
        }
        for knot in knots {
            let start = self.start(knot, &mut arrives);
            let Some(mut start) = start else { continue };
            let arrivals = start.to.keys().copied().collect();
            let mut rows = Rows::of(knot.iter().map(|node| (*node, self.row(*node))), arrivals);
            while let Some((node, row, into)) = rows.take_cheapest() {
                for from in into {
                    rows.substitute(from, node, &row, meter)?;
                }
                start.substitute(node, &row, meter)?;
            }
            for (to, weight) in start.to {
                arrives[to] += Rational::from_parts(weight.into(), start.under.clone());
            }
        }
        let ends = &arrives[size..];
        let total = ends.iter().fold(Natural::ONE, |total, chance| {
            let more = chance.denominator();
            let common = (&total).gcd(more);
            total / common * more
        });
        let counted = |chance: &Rational| {
            let weight = Natural::try_from(chance.numerator().clone()).unwrap_or_default();
            Counted { least: 0, weights: vec![weight * (&total / chance.denominator())] }
        };
        let mut factors = Factors::default();
        let mut powers = Powers::new();
        *factors.power(&mut powers, total.clone()) = 1;
        let ends = ends.iter().map(|chance| (counted(chance), powers.clone())).collect();
        Ok(Solved { factors, ends })
    }

    fn row(&self, node: usize) -> Row {
        let Node { total, steps } = &self.nodes[node];
        let mut to: BTreeMap<usize, Natural> = BTreeMap::new();
        for step in steps {
            *to.entry(self.place(step.to)).or_insert(Natural::ZERO) += &step.weight;
        }
        Row { under: total.clone(), to, substituted: 0 }
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
            start.to.insert(node, weight);
        }
        (!start.to.is_empty()).then_some(start)
    }
}
