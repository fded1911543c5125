//! A chain whose paths return and count: how often, is a number without end.
//!
//! ```text
//! repeat with at = 0, spins = 0 … until at == 100        (100 squares, with ladders and snakes)
//! ```
//!
//! How likely each end is with the count k follows from how likely each node is with lesser counts: one pass over
//! the steps for each k, on whole numbers over a power of one total. These chances obey a recurrence no longer than the
//! chain has nodes to return to, so enough of them tell all others, and the law is a quotient of polynomials
//! ([`crate::Terms`]).
//!
//! Several steps may make one count (a round is cut at its throws); then nodes are *at a depth* within the count,
//! and all nodes at one depth are over one total.

use dashu_base::{BitTest, Gcd};
use rustc_hash::FxHashMap;

use super::{Chain, Step, To};
use crate::meter::{Meter, OverBudget};
use crate::number::Natural;
use crate::ways;

/// The chances of ends by their counts: a term `k` is over `base · under^k`.
#[derive(Debug)]
pub struct Paced {
    pub(super) base: Natural,
    pub(super) under: Natural,
    /// For each end its terms.
    pub(super) ends: Vec<Vec<Natural>>,
    /// Rings: what a path around one counts, and with which weight.
    pub(super) stays: Vec<(usize, Natural)>,
}

/// A step with the weight that it has over the totals of all depths.
struct Onward {
    to: To,
    tick: usize,
    weight: Natural,
}

impl Chain {
    /// The first terms of each end, as many as tell the others. None if something is counted down, or nothing all
    /// the way around.
    pub(super) fn count(
        &self,
        knots: &[Vec<usize>],
        meter: &Meter,
    ) -> Result<Option<Paced>, OverBudget> {
        let ticks = self.nodes.iter().flat_map(|node| &node.steps).map(|step| step.tick);
        if ticks.into_iter().any(|tick| !(0..=ways::FARTHEST_COUNT).contains(&tick)) {
            return Ok(None);
        }
        let Some(order) = self.order_within() else { return Ok(None) };
        let depths = self.depths(&order);
        let totals = self.totals(&depths);
        let under = totals.iter().fold(Natural::ONE, |product, total| product * total);
        let ends_at_once = |step: &Step| matches!(step.to, To::End(_)) && step.tick == 0;
        let at_once = self.nodes.iter().flat_map(|node| &node.steps).any(ends_at_once);
        let base = if at_once { under.clone() } else { Natural::ONE };
        let onward = self.onward_steps(&depths, &totals, &under, &base, meter)?;
        let (terms, stays) = self.terms_needed(knots, &onward);
        let steps: usize = onward.iter().map(Vec::len).sum();
        let limbs = 1 + (terms as u64 * under.bit_len() as u64) / 128;
        let price = (steps as u64).saturating_mul(1 + limbs / 8);
        meter.afford((terms as u64).saturating_mul(price))?;
        // Over what every path to its depth is over: the start may be a node to which others lead without counting.
        let start = totals[..depths.first().copied().unwrap_or(0)].iter().product();
        let ends = self.terms(&order, &onward, start, terms, || meter.charge(price))?;
        Ok(Some(Paced { base, under, ends, stays }))
    }

    /// The nodes so that each comes after those that lead to it without counting; none if there is no such order.
    fn order_within(&self) -> Option<Vec<usize>> {
        let mut waits = vec![0; self.nodes.len()];
        let within = |step: &Step| match step.to {
            To::Node(to) if step.tick == 0 => Some(to),
            To::Node(_) | To::End(_) => None,
        };
        let each = |node: usize| self.nodes[node].steps.iter().filter_map(within);
        (0..self.nodes.len()).flat_map(each).for_each(|to| waits[to] += 1);
        let mut order: Vec<usize> = (0..self.nodes.len()).filter(|at| waits[*at] == 0).collect();
        let mut at = 0;
        while let Some(node) = order.get(at).copied() {
            for to in each(node) {
                waits[to] -= 1;
                if waits[to] == 0 {
                    order.push(to);
                }
            }
            at += 1;
        }
        (order.len() == self.nodes.len()).then_some(order)
    }

    /// How many steps without counting lead to each node at most.
    fn depths(&self, order: &[usize]) -> Vec<usize> {
        let mut depths = vec![0; self.nodes.len()];
        for node in order {
            for step in &self.nodes[*node].steps {
                if let (To::Node(to), 0) = (step.to, step.tick) {
                    depths[to] = depths[to].max(depths[*node] + 1);
                }
            }
        }
        depths
    }

    /// For each depth one total for all its nodes.
    fn totals(&self, depths: &[usize]) -> Vec<Natural> {
        let mut totals = vec![Natural::ONE; 1 + depths.iter().max().unwrap_or(&0)];
        for (node, depth) in self.nodes.iter().zip(depths) {
            let total = &mut totals[*depth];
            if !(&*total % &node.total).is_zero() {
                let common = (&*total).gcd(&node.total);
                *total *= &node.total / common;
            }
        }
        totals
    }

    /// The steps with their weights: a node at depth d is over `under^k` and the totals of the depths before d, an end
    /// over `base · under^k`.
    fn onward_steps(
        &self,
        depths: &[usize],
        totals: &[Natural],
        under: &Natural,
        base: &Natural,
        meter: &Meter,
    ) -> Result<Vec<Vec<Onward>>, OverBudget> {
        let limbs = 1 + under.bit_len() / 64;
        let product = |from: usize, to: usize| {
            totals[from..to].iter().fold(Natural::ONE, |product, total| product * total)
        };
        let steps = self.nodes.iter().zip(depths).map(|(node, depth)| {
            meter.charge((node.steps.len() * (2 + limbs / 4)) as u64)?;
            let own = &totals[*depth] / &node.total;
            let step = |step: &Step| {
                let tick = step.tick as usize;
                let more = match (step.to, tick) {
                    (To::Node(to), 0) => product(depth + 1, depths[to]),
                    (To::Node(to), _) => {
                        product(depth + 1, totals.len())
                            * under.pow(tick - 1)
                            * product(0, depths[to])
                    }
                    (To::End(_), 0) => product(depth + 1, totals.len()),
                    (To::End(_), _) => {
                        product(depth + 1, totals.len()) * under.pow(tick - 1) * base
                    }
                };
                Onward { to: step.to, tick, weight: &step.weight * &own * more }
            };
            Ok(node.steps.iter().map(step).collect())
        });
        steps.collect()
    }

    /// How many terms tell all others, and the weights with which paths lead around a ring.
    ///
    /// The chances are entries of `(1 − M)⁻¹`, where M holds the steps. With one denominator for all, the determinant, no
    /// degree is above what each node counts at most, added up. But along a path it is a product over its knots: a
    /// ring has the factor `1 − w·x^t`, the same for all rings that are alike, and is passed only so often; what is
    /// counted between the knots is in the numerator, and so is each factor that this path lacks.
    fn terms_needed(
        &self,
        knots: &[Vec<usize>],
        onward: &[Vec<Onward>],
    ) -> (usize, Vec<(usize, Natural)>) {
        let farthest = |node: usize| onward[node].iter().map(|step| step.tick).max().unwrap_or(0);
        let last = onward.iter().flatten().filter(|step| matches!(step.to, To::End(_)));
        let last = last.map(|step| step.tick).max().unwrap_or(0);
        let all = (0..onward.len()).map(farthest).sum::<usize>() + last + 1;
        let knot_of = self.knot_of(knots);
        let mut rings = Rings::default();
        let mut knotted = 0;
        let mut passed = vec![Passed::default(); onward.len()];
        if let Some(first) = passed.first_mut() {
            first.more = Some(0);
        }
        let mut ends = Passed::default();
        for knot in knots {
            let returns = onward[knot[0]].iter().any(|step| step.to == To::Node(knot[0]));
            if knot.len() > 1 || returns {
                match self.ring(knot, &knot_of) {
                    Some(ring) => rings.pass(&ring, onward, &mut passed),
                    None => {
                        knotted += knot.iter().map(|node| farthest(*node)).sum::<usize>();
                        let mut most = Passed::default();
                        knot.iter().for_each(|node| most.join(&passed[*node], 0));
                        knot.iter().for_each(|node| passed[*node].clone_from(&most));
                    }
                }
            }
            for node in knot {
                let here = std::mem::take(&mut passed[*node]);
                for step in &onward[*node] {
                    match step.to {
                        To::Node(to) if knot_of[to] == knot_of[*node] => {}
                        To::Node(to) => passed[to].join(&here, step.tick as i64),
                        To::End(_) => ends.join(&here, step.tick as i64),
                    }
                }
            }
        }
        let stays = rings.kinds();
        let own: usize = stays.iter().zip(&ends.rings).map(|((tick, _), count)| tick * count).sum();
        let denominator = knotted + own;
        let numerator = denominator.saturating_add_signed(ends.more.unwrap_or(0) as isize);
        let by_paths = denominator.max(numerator + 1);
        (2 * all.min(by_paths), stays)
    }

    /// The terms of the ends: for each count in turn, and for each node after those that lead to it.
    fn terms(
        &self,
        order: &[usize],
        onward: &[Vec<Onward>],
        start: Natural,
        terms: usize,
        pay: impl Fn() -> Result<(), OverBudget>,
    ) -> Result<Vec<Vec<Natural>>, OverBudget> {
        let rows = ways::FARTHEST_COUNT as usize + 1;
        let mut nodes = vec![vec![Natural::ZERO; self.nodes.len()]; rows.min(terms)];
        let rows = nodes.len();
        let mut ends = vec![vec![Natural::ZERO; terms]; self.ends];
        if let Some(first) = nodes.first_mut().and_then(|row| row.first_mut()) {
            *first = start;
        }
        for count in 0..terms {
            pay()?;
            for node in order {
                let arrived = std::mem::take(&mut nodes[count % rows][*node]);
                if arrived.is_zero() {
                    continue;
                }
                for step in &onward[*node] {
                    let then = count + step.tick;
                    match step.to {
                        _ if then >= terms => {}
                        To::Node(to) => nodes[then % rows][to] += &arrived * &step.weight,
                        To::End(to) => ends[to][then] += &arrived * &step.weight,
                    }
                }
            }
        }
        Ok(ends)
    }
}

/// What is known of the paths to a node.
#[derive(Clone, Default)]
struct Passed {
    /// What was counted between knots, less what the rings on the way count; the most of it. None if there is no path.
    more: Option<i64>,
    /// How many rings of each kind were passed at most.
    rings: Vec<usize>,
}

impl Passed {
    /// Takes up paths that have come from another node and counted so much on the way.
    fn join(&mut self, other: &Passed, tick: i64) {
        let Some(more) = other.more else { return };
        self.more = self.more.max(Some(more + tick));
        self.rings.resize(self.rings.len().max(other.rings.len()), 0);
        for (mine, theirs) in self.rings.iter_mut().zip(&other.rings) {
            *mine = (*mine).max(*theirs);
        }
    }
}

/// The kinds of rings: what they count, and with which weight.
#[derive(Default)]
struct Rings(FxHashMap<(usize, Natural), usize>);

impl Rings {
    /// Passes a ring, which paths enter and leave anywhere.
    fn pass(&mut self, ring: &[usize], onward: &[Vec<Onward>], passed: &mut [Passed]) {
        let next = |place: usize| ring[(place + 1) % ring.len()];
        let on =
            |place: usize| onward[ring[place]].iter().find(|step| step.to == To::Node(next(place)));
        let steps: Vec<&Onward> = (0..ring.len()).filter_map(on).collect();
        let tick = steps.iter().map(|step| step.tick).sum();
        let weight = steps.iter().fold(Natural::ONE, |product, step| product * &step.weight);
        let count = self.0.len();
        let kind = *self.0.entry((tick, weight)).or_insert(count);
        let mut after = vec![Passed::default(); ring.len()];
        for from in 0..ring.len() {
            let mut counted = -(tick as i64);
            for far in 0..ring.len() {
                after[(from + far) % ring.len()].join(&passed[ring[from]], counted);
                counted += steps.get((from + far) % ring.len()).map_or(0, |step| step.tick as i64);
            }
        }
        for (node, mut after) in ring.iter().zip(after) {
            after.rings.resize(after.rings.len().max(kind + 1), 0);
            after.rings[kind] += 1;
            passed[*node] = after;
        }
    }

    fn kinds(self) -> Vec<(usize, Natural)> {
        let mut kinds: Vec<((usize, Natural), usize)> = self.0.into_iter().collect();
        kinds.sort_unstable_by_key(|(_, kind)| *kind);
        kinds.into_iter().map(|(ring, _)| ring).collect()
    }
}
