//! How often each place is come to under a policy.
//!
//! This says which cases are met, which are common, and how often a rule applies. Where play comes back to a place, or the game is
//! large, the numbers are rounded to parts of 2⁶⁰; what can be come to at all has at least one part.

use std::rc::Rc;

use astragal_prob::{Integer, Natural, Rational};
use dashu_base::BitTest;

use crate::tree::{Node, PlaceId, Tree};
use crate::worth::groups;

/// All of it.
const ALL: u64 = 1 << 60;
/// In larger games numbers are rounded.
const MOST_EXACT: usize = 50_000;
/// Longer chances are rounded, too.
const LONGEST: usize = 512;
/// So often play is followed through places that it comes back to.
const MOST_ROUNDS: usize = 60;

/// How often each place is come to in a play, in the mean.
pub(crate) fn reached(tree: &Tree, start: PlaceId, taken: &[u32]) -> Vec<Rational> {
    let chain = followed(tree, start, &|at| taken[at as usize]);
    let mut groups = groups(&chain);
    // The first comes first.
    groups.reverse();
    let comes_back = groups.iter().any(|group| !is_single(&chain, group));
    if comes_back || tree.nodes.len() > MOST_EXACT || tree.chances.iter().any(is_long) {
        return rounded(&chain, start, &groups);
    }
    let mut chances = vec![Rational::ZERO; chain.nodes.len()];
    chances[start as usize] = Rational::ONE;
    for at in groups.into_iter().flatten() {
        let chance = chances[at as usize].clone();
        match &chain.nodes[at as usize] {
            Node::Chance(next, _) => {
                let next = chain.weighed(next);
                next.for_each(|(to, share)| chances[to as usize] += &chance * share);
            }
            Node::Choice(_, options) => {
                options.iter().for_each(|(_, to)| chances[*to as usize] += &chance);
            }
            Node::Open | Node::End(..) | Node::Fails(_) | Node::Rejected(_) => {}
        }
    }
    chances
}

fn is_long(chance: &Rational) -> bool {
    chance.denominator().bit_len() > LONGEST
}

/// A chance of no more digits than matter: nobody reads how often a rare case comes about.
pub(crate) fn rounded_if_long(chance: Rational) -> Rational {
    if !is_long(&chance) {
        return chance;
    }
    let parts = (chance * Rational::from(ALL)).floor().max(Integer::ONE);
    Rational::from_parts(parts, Natural::from(ALL))
}

fn is_single(chain: &Tree, group: &[PlaceId]) -> bool {
    matches!(group, [only] if !chain.next(*only).any(|to| to == *only))
}

/// The same with whole numbers.
fn rounded(chain: &Tree, start: PlaceId, groups: &[Vec<PlaceId>]) -> Vec<Rational> {
    let mut coming = vec![0u64; chain.nodes.len()];
    let mut often = coming.clone();
    coming[start as usize] = ALL;
    for group in groups {
        let rounds = if is_single(chain, group) { 1 } else { MOST_ROUNDS };
        for _ in 0..rounds {
            let mut moved = 0u64;
            for at in group {
                let share = std::mem::take(&mut coming[*at as usize]);
                if share > 0 {
                    moved = moved.saturating_add(share);
                    often[*at as usize] = often[*at as usize].saturating_add(share);
                    hand_on(chain, *at, share, &mut coming);
                }
            }
            if moved == 0 {
                break;
            }
        }
        // What is left on its way stays here.
        if rounds > 1 {
            group.iter().for_each(|at| coming[*at as usize] = 0);
        }
    }
    let fraction = |parts: u64| match parts {
        0 => Rational::ZERO,
        parts => Rational::from_parts(Integer::from(parts), Natural::from(ALL)),
    };
    often.into_iter().map(fraction).collect()
}

fn hand_on(chain: &Tree, at: PlaceId, share: u64, coming: &mut [u64]) {
    let mut add = |to: PlaceId, part: u64| {
        let known = &mut coming[to as usize];
        *known = known.saturating_add(part.max(1));
    };
    match &chain.nodes[at as usize] {
        Node::Chance(next, _) => {
            for (to, chance) in chain.weighed(next) {
                let part = chance * Rational::from(share);
                add(to, u64::try_from(part.floor()).unwrap_or(0));
            }
        }
        Node::Choice(_, options) => options.iter().for_each(|(_, to)| add(*to, share)),
        Node::Open | Node::End(..) | Node::Fails(_) | Node::Rejected(_) => {}
    }
}

/// The part of a game that can be come to if every choice is made.
pub(crate) fn followed(tree: &Tree, start: PlaceId, option: &dyn Fn(PlaceId) -> u32) -> Tree {
    let mut chain = Tree::default();
    chain.nodes = vec![Node::Open; tree.nodes.len()];
    chain.chances = Rc::clone(&tree.chances);
    chain.moves = Rc::clone(&tree.moves);
    chain.tails = Rc::clone(&tree.tails);
    chain.counts_numbers = tree.counts_numbers;
    chain.is_cut = tree.is_cut;
    let mut waiting = vec![start];
    while let Some(at) = waiting.pop() {
        if !matches!(chain.nodes[at as usize], Node::Open) {
            continue;
        }
        let node = match &tree.nodes[at as usize] {
            Node::Choice(who, options) => Node::Choice(*who, vec![options[option(at) as usize]]),
            node => node.clone(),
        };
        chain.nodes[at as usize] = node;
        waiting.extend(chain.next(at));
    }
    chain
}
