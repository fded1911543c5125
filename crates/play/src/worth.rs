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

use round::round;
pub(crate) use strong::groups;

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

/// What all places are worth for a goal. Without one nobody chooses, and nothing counts.
pub(crate) fn worths(tree: &Tree, goal: Option<Goal>, meter: &Meter) -> Result<Worth, Unsolved> {
    let count = tree.nodes.len();
    let mut worth = Worth { of: vec![None; count], taken: vec![0; count], within: None };
    if goal.is_none() {
        return Ok(worth);
    }
    for group in groups(tree) {
        match group.as_slice() {
            [only] if !tree.next(*only).any(|to| to == *only) => {
                single(tree, *only, goal, &mut worth, meter)?;
            }
            group => round(tree, group, goal, &mut worth, meter)?,
        }
    }
    Ok(worth)
}

fn single(
    tree: &Tree,
    at: PlaceId,
    goal: Option<Goal>,
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
