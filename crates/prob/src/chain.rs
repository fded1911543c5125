//! Solving a loop on whole numbers: how likely each end is, and with what counted on the way.
//!
//! ```text
//! node 0 ──2/5──▶ node 1 ──2/5──▶ end 1        node 0: total 5, weights 2 and 3
//!   └────3/5──▶ end 0 …
//! ```
//!
//! A coin is thrown until it shows heads. There is one node, from which one side leads back:
//!
//! ```
//! use astragal_prob::chain::{Chain, Node, Step, To};
//! use astragal_prob::{Meter, Natural};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let meter = Meter::new(1_000_000);
//! let side = |to| Step { to, tick: 1, weight: Natural::ONE };
//! let coin = Node { total: Natural::from(2u8), steps: vec![side(To::End(0)), side(To::Node(0))] };
//! let chain = Chain { nodes: vec![coin], ends: 1 };
//! let solved = chain.solve(&meter).ok().flatten().ok_or("a coin is cheap")?;
//! let laws = solved.laws(&[vec![(0, 0)]], &meter).ok().flatten().ok_or("the law is known")?;
//! let [Some((throws, chance))] = laws.as_slice() else { Err("it ends")? };
//! assert_eq!((throws.mean().to_string(), chance.to_string()), ("2".into(), "1".into()));
//! # Ok(())
//! # }
//! ```
//!
//! Adding fractions means a greatest common divisor for each sum, and that is nearly all the time that a loop
//! takes. Here there is none. Where no path returns, the nodes are passed in order; each has one
//! denominator, kept as powers of the few numbers that weights are over, so that the denominator of a meeting
//! is found by comparing exponents, and what is counted is a row of whole numbers over it. Where paths
//! return, nodes are eliminated one after the other: a row of weights over its own denominator, substituted
//! into the rows that lead to it, and only a row into which much was substituted is reduced. A band, as of a
//! walk, is eliminated from its ends and never fills up. Where paths return and count, the first counts tell
//! the others ([`counting`]). What is counted by a law instead of a whole number is left to a [`Graph`].

mod counting;
mod factors;
mod graph;
mod knots;
mod passing;
mod row;
mod scaling;
#[cfg(test)]
mod tests;
mod unwound;

use crate::law::{Law, Shares};
use crate::meter::{Meter, OverBudget};
use crate::number::{Natural, Rational};
use crate::series::Terms;
use crate::ways;
use crate::weighted::{Weighted, common_factor};
pub use counting::Paced;
use dashu_base::BitTest;
use factors::{Factors, Powers, most};
pub use graph::{Edge, Graph, Measure, Unsolved};
pub use scaling::{End as ScaledEnd, Place, Scaling, Turn};

/// A loop's nodes; the first is the start.
#[derive(Debug, Default)]
pub struct Chain {
    /// Some path leads to each but the first.
    pub nodes: Vec<Node>,
    /// How many ends there are.
    pub ends: usize,
}

/// Where a round leads from one node. The weights add up to the total.
#[derive(Debug)]
pub struct Node {
    /// The weight of all rounds.
    pub total: Natural,
    /// Where they lead.
    pub steps: Vec<Step>,
}

/// One of the ways on from a node.
#[derive(Debug)]
pub struct Step {
    /// Where it leads.
    pub to: To,
    /// What is counted.
    pub tick: i64,
    /// How likely it is, over the node's total.
    pub weight: Natural,
}

/// Where a step leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum To {
    /// To a node, by its place.
    Node(usize),
    /// To an end.
    End(usize),
}

/// What is known of the ends of a loop.
#[derive(Debug)]
pub enum Solved {
    /// What is counted has a most.
    Finite(Finite),
    /// What is counted has no end.
    Endless(Paced),
}

/// For each end the weights of what was counted, from a least count up.
#[derive(Debug)]
pub struct Finite {
    factors: Factors,
    ends: Vec<(Counted, Powers)>,
}

/// Ends that are one, each with a number to which what was counted is added.
pub type Group = Vec<(usize, i64)>;

impl Solved {
    /// For each group its law and its chance, none if it has no chance. None if some law is not known.
    pub fn laws(&self, groups: &[Group], meter: &Meter) -> Result<Option<Shares>, OverBudget> {
        match self {
            Solved::Finite(finite) => {
                Ok(Some(groups.iter().map(|group| finite.law(group)).collect()))
            }
            Solved::Endless(paced) => {
                let moved = groups.iter().flatten().any(|(_, number)| *number != 0);
                if moved { Ok(None) } else { paced.laws(groups, meter) }
            }
        }
    }
}

impl Paced {
    fn laws(&self, groups: &[Group], meter: &Meter) -> Result<Option<Shares>, OverBudget> {
        let row = |group: &Group| {
            let mut ends = group.iter().map(|(end, _)| &self.ends[*end]);
            let mut row = ends.next().cloned().unwrap_or_default();
            for end in ends {
                row.iter_mut().zip(end).for_each(|(sum, term)| *sum += term);
            }
            row
        };
        let rows: Vec<Vec<Natural>> = groups.iter().map(row).collect();
        let Paced { base, under, stays, .. } = self;
        Law::counted(&Terms { rows: &rows, base, under, likely: stays }, meter)
    }
}

impl Finite {
    fn law(&self, group: &Group) -> Option<(Law, Rational)> {
        let ends: Vec<usize> = group.iter().map(|(end, _)| *end).collect();
        let (counted, total) = self.together(&ends);
        let chance = Rational::from_parts(mass(&counted).into(), total);
        let weights = group.iter().zip(counted).flat_map(|((_, number), counted)| {
            let from = number + counted.least;
            let weights = counted.weights.into_iter().enumerate();
            weights.map(move |(more, weight)| (from + more as i64, weight))
        });
        Some((Law::of_whole(weights.collect())?, chance))
    }

    /// Several ends with weights over one total.
    pub fn together(&self, ends: &[usize]) -> (Vec<Counted>, Natural) {
        let mut under = Powers::new();
        ends.iter().for_each(|end| most(&mut under, &self.ends[*end].1));
        let scaled = |end: &usize| {
            let (counted, powers) = &self.ends[*end];
            let factor = self.factors.product(&under, powers);
            let mut counted = counted.clone();
            if !factor.is_one() {
                counted.weights.iter_mut().for_each(|weight| *weight *= &factor);
            }
            counted
        };
        (ends.iter().map(scaled).collect(), self.factors.product(&under, &[]))
    }
}

/// The weight of all counts.
pub fn mass(counted: &[Counted]) -> Natural {
    counted.iter().flat_map(|counted| &counted.weights).fold(Natural::ZERO, |sum, w| sum + w)
}

/// Weights of consecutive counts.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// The first count.
    pub least: i64,
    /// The weight of each.
    pub weights: Vec<Natural>,
}

impl Chain {
    /// The ends; none if some path never ends, or counts in a way that is not known.
    pub fn solve(mut self, meter: &Meter) -> Result<Option<Solved>, OverBudget> {
        let mut knots = graph::knots(&self.onward());
        // Where nothing is come by again, all paths come to an end.
        if self.returns(&knots) && !self.all_end() {
            return Ok(None);
        }
        self.without_standing_still();
        let counts = self.nodes.iter().flat_map(|node| &node.steps).any(|step| step.tick != 0);
        if !counts && self.unwind(&knots) {
            self.without_standing_still();
            knots = graph::knots(&self.onward());
        }
        let returns = self.returns(&knots);
        match (returns, counts) {
            (false, _) => Ok(self.pass(&knots, meter)?.map(Solved::Finite)),
            (true, false) => Ok(Some(Solved::Finite(self.eliminate(&knots, meter)?))),
            (true, true) => {
                let endless = || self.count(&knots, meter);
                Ok(meter.by(ways::RECURRENCES, endless)?.map(Solved::Endless))
            }
        }
    }

    /// Whether a node can be come by again.
    fn returns(&self, knots: &[Vec<usize>]) -> bool {
        let stands = |(at, node): (usize, &Node)| node.steps.iter().any(|s| s.to == To::Node(at));
        knots.iter().any(|knot| knot.len() > 1) || self.nodes.iter().enumerate().any(stands)
    }

    fn onward(&self) -> Vec<Vec<usize>> {
        let node = |step: &Step| match step.to {
            To::Node(to) => Some(to),
            To::End(_) => None,
        };
        self.nodes.iter().map(|from| from.steps.iter().filter_map(node).collect()).collect()
    }

    /// Whether some path leads from each node to an end.
    fn all_end(&self) -> bool {
        let ends = |node: &Node| node.steps.iter().any(|step| matches!(step.to, To::End(_)));
        let ends = self.nodes.iter().map(ends).collect();
        graph::leading_to(ends, &self.onward()).into_iter().all(|leads| leads)
    }

    /// A round that leads back to its node without counting is as if it were thrown again: its weight is
    /// taken from the total.
    fn without_standing_still(&mut self) {
        for (at, node) in self.nodes.iter_mut().enumerate() {
            let still = |step: &Step| step.to == To::Node(at) && step.tick == 0;
            let stays = node.steps.iter().filter(|step| still(step));
            let stays = stays.fold(Natural::ZERO, |sum, step| sum + &step.weight);
            let is_short = node.total.bit_len() <= 128;
            if !stays.is_zero() {
                node.total -= &stays;
                node.steps.retain(|step| !still(step));
            }
            // Of long weights that come from one throw, a common factor is rare and dear to find.
            if is_short || !stays.is_zero() {
                node.reduce();
            }
        }
    }
}

impl Node {
    /// A node from which a round leads with these chances; none if they do not add up to 1.
    pub fn of_chances(chances: &[(To, i64, &Rational)]) -> Option<Node> {
        let steps = chances.iter().map(|(to, tick, chance)| ((*to, *tick), (*chance).clone()));
        let all = Weighted::of_chances(steps.collect()).filter(Weighted::is_all)?;
        let step = |((to, tick), weight)| Step { to, tick, weight };
        Some(Node { total: all.total, steps: all.outcomes.into_iter().map(step).collect() })
    }

    fn reduce(&mut self) {
        let common = common_factor(&self.total, self.steps.iter().map(|step| &step.weight));
        if common.is_one() {
            return;
        }
        self.total /= &common;
        self.steps.iter_mut().for_each(|step| step.weight /= &common);
    }
}
