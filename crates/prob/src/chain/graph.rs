//! Solving a loop: how often, and with what added up, each node is visited.
//!
//! Every edge carries a [`Measure`]: a chance and the law of what is added along it. Measures can be
//! chained (chances multiply, laws add), joined (a mixture), and repeated any number of times: a path
//! that returns with chance w before it leaves is taken k times with chance (1 − w)·wᵏ, so its
//! repetition is the geometric number of copies of its law, with total mass 1/(1 − w). With these three
//! operations the visits V = start + V·edges are solved by eliminating one node after the other, exactly.
//! Nodes are handled knot by knot (strongly connected components), so a loop that never returns to a
//! node costs one pass.

use crate::law::{Law, LawError};
use crate::meter::{Meter, OverBudget};
use crate::number::Rational;
use dashu_base::BitTest;

/// A chance and the law of what is added.
#[derive(Clone, Debug)]
pub struct Measure {
    /// The chance.
    pub mass: Rational,
    /// What is added, if it happens.
    pub law: Law,
}

/// From one node to another.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The node that it leaves.
    pub from: usize,
    /// The node that it leads to.
    pub to: usize,
    /// How likely it is, and what is added.
    pub measure: Measure,
}

/// A loop's nodes; the first is the start. What edges leave out leads to an end, and from every node
/// that an edge leads to some path does.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// How many nodes there are.
    pub nodes: usize,
    /// The ways from node to node.
    pub edges: Vec<Edge>,
}

/// Why a loop has no solution.
#[derive(Debug)]
pub enum Unsolved {
    /// It takes too long.
    OverBudget(OverBudget),
    /// What is added has no closed form.
    NotKnown,
}

impl From<LawError> for Unsolved {
    fn from(error: LawError) -> Self {
        match error {
            LawError::OverBudget(refusal) => Unsolved::OverBudget(refusal),
            LawError::NoClosedForm | LawError::NotACount(_) => Unsolved::NotKnown,
        }
    }
}

impl From<OverBudget> for Unsolved {
    fn from(refusal: OverBudget) -> Self {
        Unsolved::OverBudget(refusal)
    }
}

impl Measure {
    fn bits(&self) -> usize {
        self.mass.denominator().bit_len()
    }

    fn then(&self, next: &Measure, meter: &Meter) -> Result<Measure, Unsolved> {
        meter.charge_fractions(1, self.bits() + next.bits())?;
        Ok(Measure { mass: &self.mass * &next.mass, law: self.law.sum(&next.law, meter)? })
    }

    fn or(self, other: Measure, meter: &Meter) -> Result<Measure, Unsolved> {
        meter.charge_fractions(3, self.bits() + other.bits())?;
        let mass = &self.mass + &other.mass;
        let parts = [(self.mass / &mass, self.law), (other.mass / &mass, other.law)];
        Ok(Measure { law: Law::mixture(&parts, meter)?, mass })
    }

    /// Any number of times, none included.
    fn repeated(&self, meter: &Meter) -> Result<Measure, Unsolved> {
        let leave = Rational::ONE - &self.mass;
        if leave.is_zero() {
            return Err(Unsolved::NotKnown);
        }
        let law = Law::compose(&Law::geometric(&self.mass, meter)?, &self.law, meter)?;
        Ok(Measure { mass: Rational::ONE / leave, law })
    }
}

/// Joins a measure to one that may not be there yet.
fn join(slot: &mut Option<Measure>, more: Measure, meter: &Meter) -> Result<(), Unsolved> {
    *slot = Some(match slot.take() {
        Some(measure) => measure.or(more, meter)?,
        None => more,
    });
    Ok(())
}

/// For each node whether it is one of these, or some path leads from it to one of them.
pub(super) fn leading_to(mut leads: Vec<bool>, onward: &[Vec<usize>]) -> Vec<bool> {
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); leads.len()];
    for (from, onward) in onward.iter().enumerate() {
        onward.iter().for_each(|to| into[*to].push(from));
    }
    let mut waiting: Vec<usize> = (0..leads.len()).filter(|node| leads[*node]).collect();
    while let Some(node) = waiting.pop() {
        for from in std::mem::take(&mut into[node]) {
            if !leads[from] {
                leads[from] = true;
                waiting.push(from);
            }
        }
    }
    leads
}

impl Graph {
    /// Takes away the edges to and from nodes from which no path leads to one of these, and yields them.
    pub fn without_traps(&mut self, ends: impl Iterator<Item = usize>) -> Vec<Edge> {
        let mut leads = vec![false; self.nodes];
        ends.for_each(|node| leads[node] = true);
        let mut onward = vec![Vec::new(); self.nodes];
        self.edges.iter().for_each(|edge| onward[edge.from].push(edge.to));
        let leads = leading_to(leads, &onward);
        let edges = std::mem::take(&mut self.edges);
        let (kept, traps) = edges.into_iter().partition(|edge| leads[edge.to] && leads[edge.from]);
        self.edges = kept;
        traps
    }

    /// For each node the measure of all visits to it, summed over all times.
    pub fn visits(&self, meter: &Meter) -> Result<Vec<Option<Measure>>, Unsolved> {
        let mut out: Vec<Vec<(usize, &Measure)>> = vec![Vec::new(); self.nodes];
        for edge in &self.edges {
            out[edge.from].push((edge.to, &edge.measure));
        }
        let mut arriving: Vec<Option<Measure>> = vec![None; self.nodes];
        if let Some(first) = arriving.first_mut() {
            *first = Some(Measure { mass: Rational::ONE, law: Law::constant(Rational::ZERO) });
        }
        let mut visits: Vec<Option<Measure>> = vec![None; self.nodes];
        let onward: Vec<Vec<usize>> =
            out.iter().map(|edges| edges.iter().map(|(to, _)| *to).collect()).collect();
        for knot in knots(&onward) {
            solve_knot(&knot, &out, &mut arriving, meter)?;
            for node in &knot {
                visits[*node].clone_from(&arriving[*node]);
                let Some(visit) = &visits[*node] else { continue };
                for (to, measure) in &out[*node] {
                    if !knot.contains(to) {
                        let more = visit.then(measure, meter)?;
                        join(&mut arriving[*to], more, meter)?;
                    }
                }
            }
        }
        Ok(visits)
    }
}

/// Turns what arrives at the nodes of a knot from outside into all visits to them.
fn solve_knot(
    knot: &[usize],
    out: &[Vec<(usize, &Measure)>],
    arriving: &mut [Option<Measure>],
    meter: &Meter,
) -> Result<(), Unsolved> {
    let size = knot.len();
    let pairs = (size as u64).saturating_mul(size as u64);
    meter.room(pairs.saturating_mul(size_of::<Option<Measure>>() as u64))?;
    meter.charge(pairs)?;
    let place = |node: usize| knot.iter().position(|known| *known == node);
    let mut inner: Vec<Vec<Option<Measure>>> = vec![vec![None; size]; size];
    for (i, node) in knot.iter().enumerate() {
        for (to, measure) in &out[*node] {
            if let Some(j) = place(*to) {
                join(&mut inner[i][j], (*measure).clone(), meter)?;
            }
        }
    }
    let mut start: Vec<Option<Measure>> = knot.iter().map(|node| arriving[*node].clone()).collect();
    let mut repeats: Vec<Option<Measure>> = Vec::with_capacity(size);
    for k in 0..size {
        let repeat = inner[k][k].as_ref().map(|own| own.repeated(meter)).transpose()?;
        let after = |measure: &Measure| match &repeat {
            Some(repeat) => measure.then(repeat, meter),
            None => Ok(measure.clone()),
        };
        for j in k + 1..size {
            let Some(onward) = inner[k][j].clone() else { continue };
            if let Some(begin) = &start[k] {
                let more = after(begin)?.then(&onward, meter)?;
                join(&mut start[j], more, meter)?;
            }
            for row in inner.iter_mut().skip(k + 1) {
                if let Some(inward) = row[k].clone() {
                    let more = after(&inward)?.then(&onward, meter)?;
                    join(&mut row[j], more, meter)?;
                }
            }
        }
        repeats.push(repeat);
    }
    for k in (0..size).rev() {
        let mut visit = start[k].clone();
        for i in k + 1..size {
            if let (Some(from), Some(edge)) = (&arriving[knot[i]], &inner[i][k]) {
                join(&mut visit, from.then(edge, meter)?, meter)?;
            }
        }
        arriving[knot[k]] = match (visit, &repeats[k]) {
            (Some(visit), Some(repeat)) => Some(visit.then(repeat, meter)?),
            (visit, _) => visit,
        };
    }
    Ok(())
}

/// The strongly connected components, each before those it leads to.
pub(super) fn knots(out: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut search = Search {
        out,
        clock: 0,
        seen: vec![0; out.len()],
        low: vec![0; out.len()],
        open: Vec::new(),
        is_open: vec![false; out.len()],
        knots: Vec::new(),
    };
    for node in 0..out.len() {
        if search.seen[node] == 0 {
            search.from(node);
        }
    }
    search.knots.reverse();
    search.knots
}

/// Tarjan's search, without recursion.
struct Search<'a> {
    out: &'a [Vec<usize>],
    clock: usize,
    seen: Vec<usize>,
    low: Vec<usize>,
    open: Vec<usize>,
    is_open: Vec<bool>,
    knots: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn from(&mut self, start: usize) {
        let mut path = vec![(start, 0)];
        self.enter(start);
        while let Some((node, next)) = path.pop() {
            match self.out[node].get(next) {
                Some(to) => {
                    path.push((node, next + 1));
                    if self.seen[*to] == 0 {
                        self.enter(*to);
                        path.push((*to, 0));
                    } else if self.is_open[*to] {
                        self.low[node] = self.low[node].min(self.seen[*to]);
                    }
                }
                None => {
                    self.leave(node);
                    if let Some((above, _)) = path.last() {
                        self.low[*above] = self.low[*above].min(self.low[node]);
                    }
                }
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.clock += 1;
        self.seen[node] = self.clock;
        self.low[node] = self.clock;
        self.open.push(node);
        self.is_open[node] = true;
    }

    fn leave(&mut self, node: usize) {
        if self.low[node] != self.seen[node] {
            return;
        }
        let start = self.open.iter().rposition(|open| *open == node).unwrap_or(0);
        let knot = self.open.split_off(start);
        knot.iter().for_each(|member| self.is_open[*member] = false);
        self.knots.push(knot);
    }
}
