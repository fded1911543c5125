//! Large games that come back to where they were: bounds instead of fractions.
//!
//! A game of Pig to 100 has a million places, and the fraction for its first one would have millions of digits. So each place
//! gets two whole numbers over 2⁶⁰ between which its worth lies, of what the aim can be at least and at most. Everything is
//! rounded outwards, from bounds that hold to begin with; each round makes them narrower or leaves them, so that they
//! hold at any time, and nothing has to be known about how fast they close.
//!
//! What is taken is what is best by the lower bounds. The law under that policy is followed in the same way: what is still on its
//! way when next to nothing is left is given up, and said.

use astragal_odds::known::{Aside, Held, Told};
use astragal_prob::{Integer, Meter, Natural, OverBudget, Rational};
use astragal_program::core::{Goal, Who};

use rustc_hash::FxHashMap;

use crate::game::wants_most;
use crate::tree::{Node, PlaceId, Tree};
use crate::worth::{Worth, groups};

/// All of it.
const ALL: u64 = 1 << 60;
/// Bounds that are so near to each other are near enough.
const NEAR: u64 = 1 << 20;
/// So often a group is gone through at most.
const MOST_ROUNDS: usize = 100_000;
/// No more than one part in so many may be given up.
const MOST_GIVEN_UP: u32 = 1_000_000;
/// So little that is still on its way is given up.
const SLIVER: u64 = 1 << 16;

/// What the places are worth, within bounds, and the law under the policy. None if something may go wrong on the way.
pub(crate) fn played(
    tree: &Tree,
    start: PlaceId,
    goal: Option<Goal>,
    meter: &Meter,
) -> Result<Option<(Worth, Told)>, OverBudget> {
    let plain = |node: &Node| match node {
        Node::Chance(_, aside) => aside.is_none(),
        Node::Choice(..) | Node::End(..) => true,
        Node::Open | Node::Fails(_) | Node::Rejected(_) => false,
    };
    if !tree.nodes.iter().all(plain) || !tree.scores.is_empty() {
        return Ok(None);
    }
    let Some((least, most)) = ends(tree) else { return Ok(None) };
    meter.charge(30 * tree.chances.len() as u64 + 10 * tree.nodes.len() as u64)?;
    let groups = groups(tree);
    let mut game = Bounds {
        tree,
        goal,
        chances: tree.chances.iter().map(|chance| around(chance).0).collect(),
        low: vec![0; tree.nodes.len()],
        high: vec![ALL; tree.nodes.len()],
        taken: vec![0; tree.nodes.len()],
    };
    let span = &most - &least;
    for (at, node) in tree.nodes.iter().enumerate() {
        if let Node::End(_, worth) = node {
            let share = if span.is_zero() { Rational::ZERO } else { (worth - &least) / &span };
            (game.low[at], game.high[at]) = around(&share);
        }
    }
    for group in &groups {
        game.close(group, meter)?;
    }
    let told = game.law(start, &groups, meter)?;
    let share = |worth: &Rational| (worth - &least) / &span;
    let told = match told {
        Some(told) if !span.is_zero() => game.certified(start, told, share),
        told => told,
    };
    let worth_of = |low: &u64| &least + &span * fraction(*low);
    let of = game.low.iter().map(|low| Some(worth_of(low))).collect();
    let ends = [&game.low, &game.high].map(|of| worth_of(&of[start as usize]));
    let within = goal.is_some().then(|| ends.into());
    let worth = Worth { of, taken: game.taken, within, ..Worth::default() };
    Ok(told.map(|told| (worth, told)))
}

/// The least and the most that the aim can be.
fn ends(tree: &Tree) -> Option<(Rational, Rational)> {
    let mut worths = tree.nodes.iter().filter_map(|node| match node {
        Node::End(_, worth) => Some(worth),
        _ => None,
    });
    let first = worths.next()?;
    let (mut least, mut most) = (first, first);
    for worth in worths {
        least = least.min(worth);
        most = most.max(worth);
    }
    Some((least.clone(), most.clone()))
}

fn fraction(share: u64) -> Rational {
    Rational::from_parts(Integer::from(share), Natural::from(ALL))
}

/// The whole numbers over [`ALL`] around a share from 0 to 1.
fn around(share: &Rational) -> (u64, u64) {
    let scaled = share * Rational::from(ALL);
    let low = u64::try_from(scaled.floor()).unwrap_or(0);
    let high = u64::try_from(scaled.ceil()).unwrap_or(ALL).min(ALL);
    (low, high)
}

struct Bounds<'t> {
    tree: &'t Tree,
    goal: Option<Goal>,
    /// The chances as whole numbers over [`ALL`], rounded down.
    chances: Vec<u64>,
    low: Vec<u64>,
    high: Vec<u64>,
    taken: Vec<u32>,
}

impl Bounds<'_> {
    /// What it takes to go through a group once.
    fn steps(&self, group: &[PlaceId]) -> u64 {
        let steps = |place: &PlaceId| match &self.tree.nodes[*place as usize] {
            Node::Chance(next, _) => next.len() as u64 + 4,
            _ => 4,
        };
        group.iter().map(steps).sum()
    }

    /// Goes through a group until its bounds are near, or come no nearer.
    fn close(&mut self, group: &[PlaceId], meter: &Meter) -> Result<(), OverBudget> {
        let steps = self.steps(group);
        for _ in 0..MOST_ROUNDS {
            meter.charge(2 * steps)?;
            let (mut widest, mut moved) = (0, false);
            // The places that others lead to stand after them.
            for place in group.iter().rev() {
                let at = *place as usize;
                let (low, high) = self.look(*place);
                moved |= low > self.low[at] || high < self.high[at];
                self.low[at] = self.low[at].max(low);
                self.high[at] = self.high[at].min(high);
                widest = widest.max(self.high[at] - self.low[at].min(self.high[at]));
            }
            if widest <= NEAR || !moved {
                break;
            }
        }
        Ok(())
    }

    /// The bounds of a place from those of what it leads to; and what is best.
    fn look(&mut self, place: PlaceId) -> (u64, u64) {
        let at = place as usize;
        match &self.tree.nodes[at] {
            Node::Chance(next, _) => {
                let (mut low, mut high, mut left) = (0u128, 0u128, ALL);
                for (to, chance) in next {
                    let chance = &self.chances[*chance as usize];
                    low += u128::from(*chance) * u128::from(self.low[*to as usize]);
                    high += u128::from(*chance) * u128::from(self.high[*to as usize]);
                    left -= chance;
                }
                // What was rounded off may be worth anything.
                high += u128::from(left) * u128::from(ALL);
                let all = u128::from(ALL);
                ((low / all) as u64, high.div_ceil(all).min(all) as u64)
            }
            Node::Choice(who, options) => {
                let most = wants_most(self.goal, *who == Who::Opponent);
                let bounds =
                    |(_, to): &(u32, PlaceId)| (self.low[*to as usize], self.high[*to as usize]);
                let (mut best, mut found) = (0, bounds(&options[0]));
                for (number, option) in options.iter().enumerate().skip(1) {
                    let (low, high) = bounds(option);
                    let better = if most {
                        low > self.low_of(options, best)
                    } else {
                        high < self.high_of(options, best)
                    };
                    if better {
                        best = number;
                    }
                    found = if most {
                        (found.0.max(low), found.1.max(high))
                    } else {
                        (found.0.min(low), found.1.min(high))
                    };
                }
                self.taken[at] = best as u32;
                found
            }
            _ => (self.low[at], self.high[at]),
        }
    }

    fn low_of(&self, options: &[(u32, PlaceId)], at: usize) -> u64 {
        self.low[options[at].1 as usize]
    }

    fn high_of(&self, options: &[(u32, PlaceId)], at: usize) -> u64 {
        self.high[options[at].1 as usize]
    }

    /// The law, in which so much is given up that what the best play is worth lies within what it tells: the policy was found
    /// by bounds, and is only as good as they are.
    fn certified(
        &self,
        start: PlaceId,
        mut told: Told,
        share: impl Fn(&Rational) -> Rational,
    ) -> Option<Told> {
        let worths: FxHashMap<Held, Rational> = self
            .tree
            .nodes
            .iter()
            .filter_map(|node| match node {
                Node::End(held, worth) => Some((*held, share(worth))),
                _ => None,
            })
            .collect();
        let sum = |of: &dyn Fn(Held) -> Rational| {
            told.outcomes
                .iter()
                .fold(Rational::ZERO, |sum, (held, chance)| sum + of(*held) * chance)
        };
        let worth_of = |held: Held| worths.get(&held).cloned().unwrap_or(Rational::ZERO);
        let (worth, listed) = (sum(&worth_of), sum(&|_| Rational::ONE));
        let (low, high) = (fraction(self.low[start as usize]), fraction(self.high[start as usize]));
        // If all chances are lowered by this part of them, the least is low enough, and the most high enough.
        let too_high = if worth > low { (&worth - low) / &worth } else { Rational::ZERO };
        let missing = high - &worth - &told.aside.lost;
        let rest = &listed - &worth;
        let too_low = match (missing > Rational::ZERO, rest.is_zero()) {
            (false, _) => Rational::ZERO,
            (true, true) => return None,
            (true, false) => missing / rest,
        };
        let part = too_high.max(too_low);
        if part > Rational::from_parts(Integer::ONE, Natural::from(MOST_GIVEN_UP)) {
            return None;
        }
        if !part.is_zero() {
            // Rounded down, so that chances stay short.
            let kept = Rational::ONE - &part;
            told.outcomes.iter_mut().for_each(|(_, of)| *of = fraction(around(&(&*of * &kept)).0));
            let listed = told.outcomes.iter().fold(Rational::ZERO, |sum, (_, of)| sum + of);
            told.aside.lost = Rational::ONE - listed;
        }
        Some(told)
    }

    /// Chances of the ends, from below; none if too much never comes to an end.
    fn law(
        &self,
        start: PlaceId,
        groups: &[Vec<PlaceId>],
        meter: &Meter,
    ) -> Result<Option<Told>, OverBudget> {
        let mut mass = vec![0u64; self.tree.nodes.len()];
        let mut told = Told::default();
        let mut listed = Rational::ZERO;
        mass[start as usize] = ALL;
        // Each group comes after all that it leads to.
        for group in groups.iter().rev() {
            let steps = self.steps(group);
            for _ in 0..MOST_ROUNDS {
                meter.charge(steps)?;
                let mut moved = 0u64;
                for place in group {
                    let at = *place as usize;
                    let here = mass[at];
                    match &self.tree.nodes[at] {
                        Node::Chance(next, _) if here > 0 => {
                            mass[at] = 0;
                            moved = moved.saturating_add(here);
                            for (to, chance) in next {
                                let chance = self.chances[*chance as usize];
                                let share = u128::from(here) * u128::from(chance) / u128::from(ALL);
                                mass[*to as usize] += share as u64;
                            }
                        }
                        Node::Choice(_, options) if here > 0 => {
                            mass[at] = 0;
                            moved = moved.saturating_add(here);
                            mass[options[self.taken[at] as usize].1 as usize] += here;
                        }
                        _ => {}
                    }
                }
                if moved <= SLIVER {
                    break;
                }
            }
        }
        for (at, node) in self.tree.nodes.iter().enumerate() {
            if let Node::End(held, _) = node
                && mass[at] > 0
            {
                let chance = fraction(mass[at]);
                listed += &chance;
                told.outcomes.push((*held, chance));
            }
        }
        let lost = Rational::ONE - listed;
        if lost > Rational::from_parts(Integer::ONE, Natural::from(MOST_GIVEN_UP)) {
            return Ok(None);
        }
        told.aside = Aside { lost, ..Aside::default() };
        Ok(Some(told))
    }
}
