//! A chain whose paths do not return: its nodes are passed in order.
//!
//! Each node has one denominator, and so have its ends, that of the longest paths to them. Where each round
//! counts one, as in the number of rolls until a total is reached, the count tells how many rounds there
//! were: each weight then stays over the power of the one denominator of all rounds that belongs to its
//! count, and only at the ends they are brought to a common one.

use super::factors::{Factors, Powers, bits, most, times};
use super::row::{Factor, Row};
use super::{Chain, Counted, Finite, To};
use crate::meter::{Meter, OverBudget};
use crate::number::Natural;
use crate::ways;

/// The denominators of a chain, as powers.
struct Under {
    nodes: Vec<Powers>,
    /// The denominator after a round from each node.
    onward: Vec<Powers>,
    ends: Vec<Powers>,
}

impl Chain {
    /// No path returns: each node is passed once, after all that lead to it. None if what is counted lies so
    /// far apart that rows are no good place for it.
    pub(super) fn pass(
        &self,
        knots: &[Vec<usize>],
        meter: &Meter,
    ) -> Result<Option<Finite>, OverBudget> {
        let order: Vec<usize> = knots.iter().flatten().copied().collect();
        let mut factors = Factors::default();
        let pace = self.pace();
        let under = self.denominators(&order, pace.is_some(), &mut factors);
        let lengths = factors.lengths();
        let row = |under: &Powers| Row::of_bits(bits(under, &lengths));
        let mut rows: Vec<Row> = under.nodes.iter().map(row).collect();
        let mut ends: Vec<Row> = under.ends.iter().map(row).collect();
        if let Some(first) = rows.first_mut() {
            first.set(&match pace {
                None => factors.product(&under.nodes[0], &[]),
                Some(_) => Natural::ONE,
            });
        }
        let mut limbs = 0;
        for at in order {
            let row = std::mem::take(&mut rows[at]);
            let node = &self.nodes[at];
            let mut last: Option<(&Powers, Natural)> = None;
            for step in &node.steps {
                let (target, powers) = match step.to {
                    To::Node(to) => (&mut rows[to], &under.nodes[to]),
                    To::End(to) => (&mut ends[to], &under.ends[to]),
                };
                let more = target.size_with(&row, step.tick).saturating_sub(target.size());
                limbs = more.saturating_add(limbs);
                if limbs > ways::MOST_LIMBS {
                    return Ok(None);
                }
                let factor = if pace.is_some() {
                    match node.total == self.nodes[0].total {
                        true => Factor::of(&step.weight),
                        false => Factor::of(&(&step.weight * (&self.nodes[0].total / &node.total))),
                    }
                } else {
                    let common = match &last {
                        Some((known, common)) if *known == powers => common,
                        _ => &last.insert((powers, factors.product(powers, &under.onward[at]))).1,
                    };
                    match common.is_one() {
                        true => Factor::of(&step.weight),
                        false => Factor::of(&(&step.weight * common)),
                    }
                };
                meter.charge((row.size() as u64).saturating_mul(factor.size()) / 4 + 1)?;
                target.add(&row, step.tick, &factor);
            }
        }
        let counted = ends.iter().zip(&under.ends).map(|(end, under)| match pace {
            None => end.counted(),
            Some(pace) => self.brought_together(end.counted(), pace, &factors.product(under, &[])),
        });
        let ends = counted.zip(under.ends.iter().cloned()).collect();
        Ok(Some(Finite { factors, ends }))
    }

    /// The denominators, with the first round's total for all rounds if they keep pace.
    fn denominators(&self, order: &[usize], pace: bool, factors: &mut Factors) -> Under {
        let nodes = vec![Powers::new(); self.nodes.len()];
        let ends = vec![Powers::new(); self.ends];
        let mut under = Under { onward: nodes.clone(), nodes, ends };
        for at in order {
            let node = &self.nodes[*at];
            let total = if pace { &self.nodes[0].total } else { &node.total };
            let onward = times(&under.nodes[*at], &factors.of(total));
            for step in &node.steps {
                match step.to {
                    To::Node(to) => most(&mut under.nodes[to], &onward),
                    To::End(to) => most(&mut under.ends[to], &onward),
                }
            }
            under.onward[*at] = onward;
        }
        under
    }

    /// What each round counts, if that is always the same and the total of the first round is one for all.
    fn pace(&self) -> Option<i64> {
        let total = &self.nodes.first()?.total;
        let mut steps = self.nodes.iter().flat_map(|node| &node.steps);
        let pace = steps.next()?.tick;
        let same = steps.all(|step| step.tick == pace)
            && self
                .nodes
                .iter()
                .all(|node| node.total == *total || (total % &node.total).is_zero());
        (pace != 0 && same).then_some(pace)
    }

    /// Weights of which each is over the power of the total that belongs to its count, over one total.
    fn brought_together(&self, mut counted: Counted, pace: i64, under: &Natural) -> Counted {
        let each = self.nodes.first().map_or(Natural::ONE, |node| node.total.clone());
        let mut rest = under.clone();
        let (least, size) = (counted.least, counted.weights.len());
        let places: Vec<usize> =
            if pace > 0 { (0..size).collect() } else { (0..size).rev().collect() };
        let mut rounds = 0;
        for place in places {
            if counted.weights[place].is_zero() {
                continue;
            }
            let now = (least + place as i64) / pace;
            while rounds < now {
                rest /= &each;
                rounds += 1;
            }
            counted.weights[place] *= &rest;
        }
        counted
    }
}
