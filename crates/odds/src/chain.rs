//! Solving a loop on whole numbers: how likely each end is, and with what counted on the way.
//!
//! ```text
//! node 0 ──2/5──▶ node 1 ──2/5──▶ end 1        node 0: total 5, weights 2 and 3
//!   └────3/5──▶ end 0 …
//! ```
//!
//! Adding fractions means a greatest common divisor for each sum, and that is nearly all the time that a loop
//! takes. Here there is none. Where no path returns, the nodes are passed in order; each has one
//! denominator, kept as powers of the few numbers that weights are over, so that the denominator of a meeting
//! is found by comparing exponents, and what is counted is a row of whole numbers over it. Where paths
//! return, nodes are eliminated one after the other: a row of weights over its own denominator, substituted
//! into the rows that lead to it, and only a row into which much was substituted is reduced. A band, as of a
//! walk, is eliminated from its ends and never fills up.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use astragal_prob::{Law, Meter, Natural, OverBudget, Rational};
use dashu_base::{BitTest, Gcd};
use rustc_hash::FxHashMap;

use crate::graph::knots;

/// More places than this in all rows are too many.
const MOST_PLACES: usize = 2_000_000;

/// A loop's nodes; the first is the start.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    pub(crate) nodes: Vec<Node>,
    /// How many ends there are.
    pub(crate) ends: usize,
}

/// Where a round leads from one node. The weights add up to the total.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) total: Natural,
    pub(crate) steps: Vec<Step>,
}

#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) to: To,
    /// What is counted.
    pub(crate) tick: i64,
    pub(crate) weight: Natural,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum To {
    Node(usize),
    End(usize),
}

/// For each end the weights of what was counted, from a least count up.
#[derive(Debug)]
pub(crate) struct Solved {
    factors: Factors,
    ends: Vec<(Counted, Powers)>,
}

impl Solved {
    /// Several ends with weights over one total.
    pub(crate) fn together(&self, ends: &[usize]) -> (Vec<Counted>, Natural) {
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

/// Weights of consecutive counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counted {
    pub(crate) least: i64,
    pub(crate) weights: Vec<Natural>,
}

impl Chain {
    /// The ends; none if some path never ends, or returns and counts.
    pub(crate) fn solve(mut self, meter: &Meter) -> Result<Option<Solved>, OverBudget> {
        if !self.all_end() || !self.without_standing_still() {
            return Ok(None);
        }
        let knots = knots(&self.onward());
        let returns = knots.iter().any(|knot| knot.len() > 1);
        let counts = self.nodes.iter().flat_map(|node| &node.steps).any(|step| step.tick != 0);
        match (returns, counts) {
            (false, _) => self.pass(&knots, meter),
            (true, false) => self.eliminate(&knots, meter).map(Some),
            (true, true) => Ok(None),
        }
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
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        let mut waiting = Vec::new();
        let mut ends = vec![false; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            for step in &node.steps {
                match step.to {
                    To::Node(to) => into[to].push(at),
                    To::End(_) if !ends[at] => {
                        ends[at] = true;
                        waiting.push(at);
                    }
                    To::End(_) => {}
                }
            }
        }
        while let Some(node) = waiting.pop() {
            for from in std::mem::take(&mut into[node]) {
                if !ends[from] {
                    ends[from] = true;
                    waiting.push(from);
                }
            }
        }
        ends.iter().all(|ends| *ends)
    }

    /// A round that leads back to its node without counting is as if it were thrown again: its weight is
    /// taken from the total. False if it counts.
    fn without_standing_still(&mut self) -> bool {
        for (at, node) in self.nodes.iter_mut().enumerate() {
            let still = |step: &Step| step.to == To::Node(at);
            if node.steps.iter().any(|step| still(step) && step.tick != 0) {
                return false;
            }
            let stays = node.steps.iter().filter(|step| still(step));
            let stays = stays.fold(Natural::ZERO, |sum, step| sum + &step.weight);
            node.total -= stays;
            node.steps.retain(|step| !still(step));
            node.reduce();
        }
        true
    }
}

impl Node {
    /// A node from which a round leads with these chances; none if they do not add up to 1.
    pub(crate) fn of_chances(chances: &[(To, i64, &Rational)]) -> Option<Node> {
        let total = chances.iter().fold(Natural::ONE, |total, (_, _, chance)| {
            let more = chance.denominator();
            let common = (&total).gcd(more);
            total / common * more
        });
        let mut sum = Natural::ZERO;
        let mut steps = Vec::with_capacity(chances.len());
        for (to, tick, chance) in chances {
            let top = Natural::try_from(chance.numerator().clone()).ok()?;
            let weight = top * (&total / chance.denominator());
            sum += &weight;
            steps.push(Step { to: *to, tick: *tick, weight });
        }
        (sum == total).then_some(Node { total, steps })
    }

    fn reduce(&mut self) {
        let mut common = self.total.clone();
        for step in &self.steps {
            if common.is_one() {
                return;
            }
            common = common.gcd(&step.weight);
        }
        self.total /= &common;
        self.steps.iter_mut().for_each(|step| step.weight /= &common);
    }
}

/// A denominator: powers of known numbers.
type Powers = Vec<u32>;

/// The numbers that denominators are made of.
#[derive(Debug, Default)]
struct Factors {
    known: Vec<Natural>,
    totals: BTreeMap<Natural, Powers>,
}

impl Factors {
    /// A number as powers of factors. What small primes leave of it is taken for a factor as it is.
    fn of(&mut self, total: &Natural) -> Powers {
        if let Some(powers) = self.totals.get(total) {
            return powers.clone();
        }
        const PRIMES: [u8; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
        let mut powers = Powers::new();
        let mut rest = total.clone();
        for prime in PRIMES {
            let prime = Natural::from(prime);
            let mut times = 0;
            while (&rest % &prime).is_zero() {
                rest /= &prime;
                times += 1;
            }
            if times > 0 {
                *self.power(&mut powers, prime) = times;
            }
        }
        if !rest.is_one() {
            *self.power(&mut powers, rest) = 1;
        }
        self.totals.insert(total.clone(), powers.clone());
        powers
    }

    fn power<'a>(&mut self, powers: &'a mut Powers, factor: Natural) -> &'a mut u32 {
        let at = self.known.iter().position(|known| *known == factor).unwrap_or_else(|| {
            self.known.push(factor);
            self.known.len() - 1
        });
        if powers.len() <= at {
            powers.resize(at + 1, 0);
        }
        &mut powers[at]
    }

    /// The number with these powers, less these.
    fn product(&self, powers: &[u32], less: &[u32]) -> Natural {
        let mut product = Natural::ONE;
        for (at, factor) in self.known.iter().enumerate() {
            let power = |powers: &[u32]| powers.get(at).copied().unwrap_or(0);
            let times = power(powers).saturating_sub(power(less));
            if times > 0 {
                product *= factor.pow(times as usize);
            }
        }
        product
    }
}

fn most(mine: &mut Powers, theirs: &[u32]) {
    if mine.len() < theirs.len() {
        mine.resize(theirs.len(), 0);
    }
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        *mine = (*mine).max(*theirs);
    }
}

fn times(mine: &[u32], theirs: &[u32]) -> Powers {
    let size = mine.len().max(theirs.len());
    let at = |powers: &[u32], at: usize| powers.get(at).copied().unwrap_or(0);
    (0..size).map(|i| at(mine, i) + at(theirs, i)).collect()
}

impl Chain {
    /// No path returns: each node is passed once, after all that lead to it. None if what is counted lies so
    /// far apart that rows are no good place for it.
    fn pass(&self, knots: &[Vec<usize>], meter: &Meter) -> Result<Option<Solved>, OverBudget> {
        let order: Vec<usize> = knots.iter().flatten().copied().collect();
        let mut factors = Factors::default();
        let mut under: Vec<Powers> = vec![Powers::new(); self.nodes.len()];
        let mut under_ends: Vec<Powers> = vec![Powers::new(); self.ends];
        for at in &order {
            let node = &self.nodes[*at];
            let onward = times(&under[*at], &factors.of(&node.total));
            for step in &node.steps {
                match step.to {
                    To::Node(to) => most(&mut under[to], &onward),
                    To::End(to) => most(&mut under_ends[to], &onward),
                }
            }
        }
        let mut rows: Vec<Counted> = vec![Counted::default(); self.nodes.len()];
        let mut ends: Vec<Counted> = vec![Counted::default(); self.ends];
        if let Some(first) = rows.first_mut() {
            first.weights.push(factors.product(&under[0], &[]));
        }
        let mut places = 0;
        for at in order {
            let node = &self.nodes[at];
            let row = std::mem::take(&mut rows[at]);
            let onward = times(&under[at], &factors.of(&node.total));
            let limbs =
                row.weights.iter().map(|weight| 1 + weight.bit_len() as u64 / 64).sum::<u64>();
            meter.charge(limbs.saturating_mul(node.steps.len() as u64))?;
            let mut last: Option<(Powers, Natural)> = None;
            for step in &node.steps {
                let (target, powers) = match step.to {
                    To::Node(to) => (&mut rows[to], &under[to]),
                    To::End(to) => (&mut ends[to], &under_ends[to]),
                };
                let factor = match &last {
                    Some((known, factor)) if known == powers => factor,
                    _ => &last.insert((powers.clone(), factors.product(powers, &onward))).1,
                };
                let before = target.weights.len();
                if factor.is_one() {
                    target.add(&row, step.tick, &step.weight);
                } else {
                    target.add(&row, step.tick, &(&step.weight * factor));
                }
                places += target.weights.len() - before;
                if places > MOST_PLACES {
                    return Ok(None);
                }
            }
        }
        Ok(Some(Solved { factors, ends: ends.into_iter().zip(under_ends).collect() }))
    }
}

impl Counted {
    /// The law of what was counted.
    pub(crate) fn law(self) -> Option<Law> {
        let weights = self.weights.into_iter().enumerate();
        let least = self.least;
        let weights = weights.map(|(more, weight)| (Rational::from(least + more as i64), weight));
        Law::from_weights(weights.collect::<Vec<_>>())
    }

    /// Adds weights, counted on by `tick`.
    fn add(&mut self, row: &Counted, tick: i64, factor: &Natural) {
        if row.weights.is_empty() {
            return;
        }
        let least = row.least.saturating_add(tick);
        if self.weights.is_empty() {
            self.least = least;
        }
        if least < self.least {
            let more = usize::try_from(self.least - least).unwrap_or(0);
            self.weights.splice(0..0, std::iter::repeat_n(Natural::ZERO, more));
            self.least = least;
        }
        let from = usize::try_from(least - self.least).unwrap_or(0);
        if self.weights.len() < from + row.weights.len() {
            self.weights.resize(from + row.weights.len(), Natural::ZERO);
        }
        for (mine, theirs) in self.weights[from..].iter_mut().zip(&row.weights) {
            if !theirs.is_zero() {
                *mine += theirs * factor;
            }
        }
    }
}

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
    /// Nodes by what it costs to eliminate them, as it was when they were put here.
    waiting: BinaryHeap<Reverse<(usize, usize)>>,
}

impl Rows {
    fn of(rows: impl Iterator<Item = (usize, Row)>) -> Rows {
        let rows: FxHashMap<usize, Row> = rows.collect();
        let mut into: FxHashMap<usize, BTreeSet<usize>> = FxHashMap::default();
        for (from, row) in &rows {
            for to in row.to.keys().filter(|to| rows.contains_key(*to) && *to != from) {
                into.entry(*to).or_default().insert(*from);
            }
        }
        let mut rows = Rows { rows, into, waiting: BinaryHeap::new() };
        let nodes: Vec<usize> = rows.rows.keys().copied().collect();
        nodes.into_iter().for_each(|node| rows.wait(node));
        rows
    }

    fn wait(&mut self, node: usize) {
        let cost = self.cost(node);
        self.waiting.push(Reverse((cost, node)));
    }

    /// How many weights change if a node is eliminated.
    fn cost(&self, node: usize) -> usize {
        let into = self.into.get(&node).map_or(0, BTreeSet::len);
        into * self.rows.get(&node).map_or(0, |row| row.to.len())
    }

    /// Takes out the node that is cheapest to eliminate, with the nodes that lead to it.
    fn take_cheapest(&mut self) -> Option<(usize, Row, BTreeSet<usize>)> {
        while let Some(Reverse((cost, node))) = self.waiting.pop() {
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
    fn eliminate(&self, knots: &[Vec<usize>], meter: &Meter) -> Result<Solved, OverBudget> {
        let size = self.nodes.len();
        let mut arrives: Vec<Rational> = vec![Rational::ZERO; size + self.ends];
        if let Some(first) = arrives.first_mut() {
            *first = Rational::ONE;
        }
        for knot in knots {
            let start = self.start(knot, &mut arrives);
            let Some(mut start) = start else { continue };
            let mut rows = Rows::of(knot.iter().map(|node| (*node, self.row(*node))));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Edge, Graph, Measure};

    /// Numbers that look thrown, the same each time.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, most: u64) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % most
        }
    }

    /// A loop with so many nodes and two ends, in which a path goes on at most so many nodes further, or also
    /// returns.
    fn some_chain(numbers: &mut Numbers, size: usize, returns: bool, counts: bool) -> Chain {
        let node = |at: usize, numbers: &mut Numbers| {
            let mut steps = Vec::new();
            for end in 0..2 {
                steps.push(Step { to: To::End(end), tick: 0, weight: numbers.below(3).into() });
            }
            for _ in 0..3 {
                let to = if returns {
                    numbers.below(size as u64) as usize
                } else {
                    at + 1 + numbers.below(3) as usize
                };
                let to = if to < size { To::Node(to) } else { To::End(0) };
                let tick = if counts { numbers.below(4) as i64 - 1 } else { 0 };
                steps.push(Step { to, tick, weight: (1 + numbers.below(5)).into() });
            }
            steps.push(Step { to: To::End(1), tick: 0, weight: Natural::ONE });
            let total = steps.iter().fold(Natural::ZERO, |sum, step| sum + &step.weight);
            Node { total, steps }
        };
        Chain { nodes: (0..size).map(|at| node(at, numbers)).collect(), ends: 2 }
    }

    /// The law of what is counted at each end, and its chance, by the general solution.
    fn slowly(chain: &Chain) -> Vec<Vec<(Rational, Law)>> {
        let meter = Meter::unlimited();
        let mut graph = Graph { nodes: chain.nodes.len(), edges: Vec::new() };
        let chance = |node: &Node, step: &Step| {
            Rational::from_parts(step.weight.clone().into(), node.total.clone())
        };
        for (from, node) in chain.nodes.iter().enumerate() {
            for step in node.steps.iter().filter(|step| !step.weight.is_zero()) {
                if let To::Node(to) = step.to {
                    let law = Law::constant(Rational::from(step.tick));
                    graph.edges.push(Edge {
                        from,
                        to,
                        measure: Measure { mass: chance(node, step), law },
                    });
                }
            }
        }
        let Ok(visits) = graph.visits(&meter) else { panic!("every loop here has a solution") };
        let mut ends: Vec<Vec<(Rational, Law)>> = vec![Vec::new(); chain.ends];
        for (node, visit) in chain.nodes.iter().zip(visits) {
            let Some(visit) = visit else { continue };
            for step in node.steps.iter().filter(|step| !step.weight.is_zero()) {
                if let To::End(end) = step.to {
                    let tick = Law::constant(Rational::from(step.tick));
                    let law = visit.law.sum(&tick, &meter).unwrap();
                    ends[end].push((&visit.mass * chance(node, step), law));
                }
            }
        }
        ends
    }

    fn compare(chain: Chain) {
        let meter = Meter::unlimited();
        let slow = slowly(&chain);
        let solved = chain.solve(&meter).unwrap().unwrap();
        for (end, parts) in slow.into_iter().enumerate() {
            let (mut counted, total) = solved.together(&[end]);
            let counted = counted.pop().unwrap();
            let mass = counted.weights.iter().fold(Natural::ZERO, |sum, weight| sum + weight);
            let chance = parts.iter().fold(Rational::ZERO, |sum, (chance, _)| sum + chance);
            assert_eq!(Rational::from_parts(mass.into(), total), chance);
            if chance.is_zero() {
                continue;
            }
            let parts: Vec<_> =
                parts.into_iter().map(|(part, law)| (part / &chance, law)).collect();
            assert_eq!(counted.law().unwrap(), Law::mixture(&parts, &meter).unwrap());
        }
    }

    #[test]
    fn chains_are_solved_as_graphs_are() {
        let mut numbers = Numbers(7);
        for size in 1..9 {
            for _ in 0..20 {
                compare(some_chain(&mut numbers, size, false, false));
                compare(some_chain(&mut numbers, size, false, true));
                compare(some_chain(&mut numbers, size, true, false));
            }
        }
    }

    #[test]
    fn a_trap_and_a_counted_return_are_left_to_others() {
        let meter = Meter::unlimited();
        let step = |to, tick| Step { to, tick, weight: Natural::ONE };
        let node = |steps: Vec<Step>| Node { total: Natural::from(steps.len()), steps };
        let trap = Chain {
            nodes: vec![
                node(vec![step(To::End(0), 0), step(To::Node(1), 0)]),
                node(vec![step(To::Node(1), 0)]),
            ],
            ends: 1,
        };
        assert!(trap.solve(&meter).unwrap().is_none());
        let counted =
            Chain { nodes: vec![node(vec![step(To::End(0), 0), step(To::Node(0), 1)])], ends: 1 };
        assert!(counted.solve(&meter).unwrap().is_none());
    }
}
