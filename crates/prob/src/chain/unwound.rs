//! Ways around and back, unwound.
//!
//! ```text
//! both miss:   node ──1/2──▶ after the first throw ──2/3──▶ node        as:   node ──1/3──▶ node
//! ```
//!
//! Where nodes lead to each other in a single ring, a path that is at one of them, the *head*, may go on around the
//! ring and leave it anywhere. So the head leads at once where the others lead, and back to itself, which is as
//! if nothing had happened; and from the others paths go on as before, to the head, but none leads back to them. What is left
//! returns nowhere.

use rustc_hash::FxHashMap;

use super::{Chain, Node, Step, To};
use crate::number::Natural;

impl Chain {
    /// Unwinds the knots that are single rings. Whether there were any.
    pub(super) fn unwind(&mut self, knots: &[Vec<usize>]) -> bool {
        let knot_of = self.knot_of(knots);
        let mut unwound = false;
        for knot in knots.iter().filter(|knot| knot.len() > 1) {
            if let Some(ring) = self.ring(knot, &knot_of) {
                self.nodes[ring[0]] = self.around(&ring);
                unwound = true;
            }
        }
        unwound
    }

    /// For each node the place of its knot.
    pub(super) fn knot_of(&self, knots: &[Vec<usize>]) -> Vec<usize> {
        let mut knot_of = vec![0; self.nodes.len()];
        for (place, knot) in knots.iter().enumerate() {
            knot.iter().for_each(|node| knot_of[*node] = place);
        }
        knot_of
    }

    /// The nodes of a knot in the order in which one leads to the next, if that is its only step within the knot.
    pub(super) fn ring(&self, knot: &[usize], knot_of: &[usize]) -> Option<Vec<usize>> {
        let mut ring = vec![*knot.iter().min()?];
        while let Some(at) = ring.last() {
            let within =
                |step: &&Step| matches!(step.to, To::Node(to) if knot_of[to] == knot_of[*at]);
            let mut inner = self.nodes[*at].steps.iter().filter(within);
            let (Some(Step { to: To::Node(next), .. }), None) = (inner.next(), inner.next()) else {
                return None;
            };
            if *next == ring[0] {
                break;
            }
            ring.push(*next);
        }
        Some(ring)
    }

    /// Where the head of a ring leads, all the way around.
    fn around(&self, ring: &[usize]) -> Node {
        let mut steps: FxHashMap<(To, i64), Natural> = FxHashMap::default();
        let (mut total, mut weight, mut tick) = (Natural::ONE, Natural::ONE, 0);
        for (place, at) in ring.iter().enumerate() {
            let node = &self.nodes[*at];
            steps.values_mut().for_each(|sum| *sum *= &node.total);
            total *= &node.total;
            let next = To::Node(ring[(place + 1) % ring.len()]);
            let last = place + 1 == ring.len();
            for step in node.steps.iter().filter(|step| step.to != next || last) {
                *steps.entry((step.to, tick + step.tick)).or_default() += &weight * &step.weight;
            }
            if let Some(on) = node.steps.iter().find(|step| step.to == next) {
                weight *= &on.weight;
                tick += on.tick;
            }
        }
        let mut steps: Vec<Step> =
            steps.into_iter().map(|((to, tick), weight)| Step { to, tick, weight }).collect();
        steps.sort_unstable_by_key(|step| (step.to, step.tick));
        Node { total, steps }
    }
}
