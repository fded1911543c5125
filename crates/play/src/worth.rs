//! What each place is worth, and what to take at each choice.
//!
//! A place from which play cannot come back to it is worth the mean of its chances, or the best of its options. Places that
//! play can come back to are taken together ([`round`]).

mod linear;
mod round;
mod strong;

use astragal_prob::{Meter, OverBudget, Rational};
use astragal_program::core::{Goal, Who};
use dashu_base::BitTest;

pub(crate) use linear::{Row, solve};
use round::round;
pub(crate) use strong::groups;

use crate::endless::{Lack, View, Weighed};
use crate::game::{is_better, wants_most};
use crate::tree::{ChanceId, Node, PlaceId, Tree};

/// What the places of a game are worth.
#[derive(Debug, Default)]
pub(crate) struct Worth {
    /// What each is worth; none where something goes wrong with some chance, whatever is taken.
    pub(crate) of: Vec<Option<Rational>>,
    /// What is taken at each choice: its place among the options.
    pub(crate) taken: Vec<u32>,
    /// Between what the first is worth, if all of that is only known within bounds.
    pub(crate) within: Option<(Rational, Rational)>,
    /// Whether it depends on something of which nothing is known.
    pub(crate) is_vague: Vec<bool>,
    /// Whether something is only known within bounds.
    pub(crate) is_rough: bool,
}

/// Which bound of what is not known exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Low,
    High,
}

/// Why a game is not solved.
#[derive(Debug)]
pub(crate) enum Unsolved {
    /// It takes too much.
    Over(OverBudget),
    /// It need not come to an end.
    Endless,
}

impl From<OverBudget> for Unsolved {
    fn from(over: OverBudget) -> Unsolved {
        Unsolved::Over(over)
    }
}

/// What all places are worth for a goal, and within which bounds the first is where that is not known exactly. Without a goal nobody
/// chooses, and nothing counts.
pub(crate) fn worths(
    tree: &Tree,
    start: PlaceId,
    goal: Option<Goal>,
    meter: &Meter,
) -> Result<Worth, Unsolved> {
    let mut worth = bound(tree, goal, Side::Low, meter)?;
    if worth.is_rough && !worth.is_vague[start as usize] {
        let mut high = bound(tree, goal, Side::High, meter)?;
        let ends = (worth.of[start as usize].clone(), high.of[start as usize].take());
        worth.within = ends.0.zip(ends.1).filter(|(low, high)| low != high);
    }
    Ok(worth)
}

/// What all places are worth at least, or at most.
fn bound(tree: &Tree, goal: Option<Goal>, side: Side, meter: &Meter) -> Result<Worth, Unsolved> {
    let count = tree.nodes.len();
    let (of, taken, is_vague) = (vec![None; count], vec![0; count], vec![false; count]);
    let mut worth = Worth { of, taken, within: None, is_vague, is_rough: false };
    if goal.is_none() {
        return Ok(worth);
    }
    for group in groups(tree) {
        match group.as_slice() {
            [only] if !tree.next(*only).any(|to| to == *only) => {
                single(tree, *only, (goal, side), &mut worth, meter)?;
            }
            group => round(tree, group, (goal, side), &mut worth, meter)?,
        }
        let vague = |at: &PlaceId| {
            worth.is_vague[*at as usize] || tree.next(*at).any(|to| worth.is_vague[to as usize])
        };
        if group.iter().any(vague) {
            group.iter().for_each(|at| worth.is_vague[*at as usize] = true);
        }
    }
    Ok(worth)
}

/// What lies beyond what is listed of a throw: so much of the places inside, and a number. What is not known is nothing.
fn beyond(
    tree: &Tree,
    at: PlaceId,
    (goal, side): (Option<Goal>, Side),
    worth: &mut Worth,
    is_inside: &dyn Fn(PlaceId) -> bool,
) -> Option<(Rational, Vec<(PlaceId, Rational)>)> {
    let nothing = || (Rational::ZERO, Vec::new());
    let Some(tails) = tree.tails.get(&at) else { return Some(nothing()) };
    let (counts_truths, forced, is_cut) = (!tree.counts_numbers, tree.forced, tree.is_cut);
    let view = View { goal, of: &worth.of, is_inside, counts_truths, forced, is_cut };
    match view.sum(tails) {
        Ok(Weighed { range, inside }) => {
            let bounds = (range.low.as_constant(), range.high.as_constant());
            let (Some(low), Some(high)) = bounds else {
                worth.is_vague[at as usize] = true;
                return Some(nothing());
            };
            worth.is_rough |= low != high;
            let own = if side == Side::Low { low } else { high };
            Some((own.clone(), inside))
        }
        Err(Lack::Fails) => None,
        Err(Lack::Unknown) => {
            worth.is_vague[at as usize] = true;
            Some(nothing())
        }
    }
}

fn single(
    tree: &Tree,
    at: PlaceId,
    (goal, side): (Option<Goal>, Side),
    worth: &mut Worth,
    meter: &Meter,
) -> Result<(), Unsolved> {
    let found = match &tree.nodes[at as usize] {
        Node::End(_, counts) => Some(counts.clone()),
        Node::Rejected(_) => Some(Rational::ZERO),
        Node::Open | Node::Fails(_) => None,
        Node::Chance(next, aside) => {
            let fails = aside.as_ref().is_some_and(|aside| !aside.failed.is_empty());
            let mut mean = mean(tree, next, &worth.of);
            if let (Some(mean), Some(reward)) = (&mut mean, tree.reward(at)) {
                *mean += reward;
            }
            let beyond = beyond(tree, at, (goal, side), worth, &|_| false);
            mean = mean.zip(beyond).map(|(mean, (beyond, _))| mean + beyond);
            let bits = mean.as_ref().map_or(0, |mean| mean.denominator().bit_len());
            pay_for_sum(next.len(), bits, meter)?;
            mean.filter(|_| !fails)
        }
        Node::Choice(who, options) => {
            let most = wants_most(goal, *who == Who::Opponent);
            let mut best = 0;
            for (at, (_, to)) in options.iter().enumerate().skip(1) {
                let known = &worth.of[options[best].1 as usize];
                if is_better(&worth.of[*to as usize], known, most) {
                    best = at;
                }
            }
            pay_for_sum(options.len(), 0, meter)?;
            worth.taken[at as usize] = best as u32;
            worth.of[options[best].1 as usize].clone()
        }
    };
    worth.of[at as usize] = found;
    Ok(())
}

fn pay_for_sum(parts: usize, bits: usize, meter: &Meter) -> Result<(), OverBudget> {
    let limbs = bits as u64 / 64;
    meter.charge(parts as u64 * (20 + limbs * (8 + limbs / 2)))
}

/// The mean of what chances are worth; none if one of them may go wrong.
fn mean(tree: &Tree, next: &[(PlaceId, ChanceId)], of: &[Option<Rational>]) -> Option<Rational> {
    let mut sum = Rational::ZERO;
    for (to, chance) in tree.weighed(next) {
        sum += chance * of[to as usize].as_ref()?;
    }
    Some(sum)
}
