//! A chain whose paths do not return: its nodes are passed in order.

use astragal_prob::{Meter, Natural, OverBudget};
use dashu_base::BitTest;

use super::factors::{Factors, Powers, most, times};
use super::{Chain, Counted, Solved, To};

/// More places than this in all rows are too many.
const MOST_PLACES: usize = 2_000_000;

impl Chain {
    /// No path returns: each node is passed once, after all that lead to it. None if what is counted lies so
    /// far apart that rows are no good place for it.
    pub(super) fn pass(
        &self,
        knots: &[Vec<usize>],
        meter: &Meter,
    ) -> Result<Option<Solved>, OverBudget> {
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
