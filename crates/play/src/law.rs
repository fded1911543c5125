//! The law of a game in which every choice is made: a chain from its start to its ends.

use astragal_odds::Failure;
use astragal_odds::known::{Aside, Told};
use astragal_prob::chain::{Chain, Node as Link, To};
use astragal_prob::{Meter, OverBudget, Rational};
use rustc_hash::FxHashMap;

use crate::game::weighed;
use crate::tree::{Node, PlaceId, Tree};
use crate::worth::Unsolved;

/// What comes of a game, given which option is taken at each choice.
pub(crate) fn law(
    tree: &Tree,
    start: PlaceId,
    taken: &[u32],
    meter: &Meter,
) -> Result<Told, Unsolved> {
    let follow = |mut at: PlaceId| {
        // Choices are no links of the chain; nobody can choose for ever without a throw in between.
        for _ in 0..=tree.nodes.len() {
            match &tree.nodes[at as usize] {
                Node::Choice(_, options) => at = options[taken[at as usize] as usize].1,
                _ => return Ok(at),
            }
        }
        Err(Unsolved::Endless)
    };
    // Only what can be come to by these choices, numbered as it is met.
    let mut links: FxHashMap<PlaceId, usize> = FxHashMap::default();
    let mut order: Vec<PlaceId> = Vec::new();
    let mut ends: Vec<Ending<'_>> = Vec::new();
    let mut end_numbers: FxHashMap<PlaceId, usize> = FxHashMap::default();
    let mut nodes: Vec<Link> = Vec::new();
    let first = follow(start)?;
    if !matches!(tree.nodes[first as usize], Node::Chance(..)) {
        ends.push(Ending::Place(first));
        return Ok(told(tree, &ends, &[Rational::ONE]));
    }
    links.insert(first, 0);
    order.push(first);
    while nodes.len() < order.len() {
        let at = order[nodes.len()];
        let Node::Chance(next, aside) = &tree.nodes[at as usize] else { break };
        let mut steps: Vec<(To, i64, Rational)> = Vec::with_capacity(next.len());
        for (to, chance) in tree.weighed(next) {
            let to = follow(to)?;
            let to = match &tree.nodes[to as usize] {
                Node::Chance(..) => To::Node(*links.entry(to).or_insert_with(|| {
                    order.push(to);
                    order.len() - 1
                })),
                _ => To::End(*end_numbers.entry(to).or_insert_with(|| {
                    ends.push(Ending::Place(to));
                    ends.len() - 1
                })),
            };
            steps.push((to, 0, chance.clone()));
        }
        if let Some(aside) = aside {
            let through = steps.iter().fold(Rational::ZERO, |sum, (_, _, chance)| sum + chance);
            ends.push(Ending::Aside(aside));
            steps.push((To::End(ends.len() - 1), 0, Rational::ONE - through));
        }
        let steps: Vec<_> = steps.iter().map(|(to, tick, chance)| (*to, *tick, chance)).collect();
        let link = Link::of_chances(&steps);
        nodes.push(link.ok_or(Unsolved::Over(OverBudget::NotKnown))?);
        meter.charge(60 + 10 * next.len() as u64)?;
    }
    let chances = chances(Chain { nodes, ends: ends.len() }, meter)?;
    Ok(told(tree, &ends, &chances))
}

/// The chance of each end of a chain.
fn chances(chain: Chain, meter: &Meter) -> Result<Vec<Rational>, Unsolved> {
    let groups: Vec<Vec<(usize, i64)>> = (0..chain.ends).map(|end| vec![(end, 0)]).collect();
    let solved = chain.solve(meter)?.ok_or(Unsolved::Over(OverBudget::NotKnown))?;
    let laws = solved.laws(&groups, meter)?.ok_or(Unsolved::Over(OverBudget::NotKnown))?;
    Ok(laws.into_iter().map(|law| law.map_or(Rational::ZERO, |(_, chance)| chance)).collect())
}

/// Where a chain ends.
enum Ending<'t> {
    Place(PlaceId),
    Aside(&'t Aside),
}

fn told(tree: &Tree, ends: &[Ending<'_>], chances: &[Rational]) -> Told {
    let mut told = Told::default();
    let mut all = Rational::ZERO;
    for (end, chance) in ends.iter().zip(chances) {
        if chance.is_zero() {
            continue;
        }
        all += chance;
        match end {
            Ending::Aside(aside) => {
                let own = whole(aside);
                told.aside.join(weighed(aside, &(chance / own)));
            }
            Ending::Place(place) => match &tree.nodes[*place as usize] {
                Node::End(held, _) => told.outcomes.push((*held, chance.clone())),
                Node::Fails(failure) => {
                    let mut failure = Failure::clone(failure);
                    failure.chance = chance.clone();
                    told.aside.fail(failure);
                }
                Node::Rejected(failure) => {
                    let mut failure = Failure::clone(failure);
                    failure.chance = chance.clone();
                    told.aside.reject(failure);
                }
                Node::Open | Node::Chance(..) | Node::Choice(..) => {}
            },
        }
    }
    if all < Rational::ONE {
        told.aside.never += Rational::ONE - all;
    }
    told
}

/// All that is put aside.
fn whole(aside: &Aside) -> Rational {
    let failed = aside.failed.iter().map(|failure| &failure.chance);
    let rejected = aside.rejected.iter().map(|failure| &failure.chance);
    let left = failed.chain(rejected).fold(Rational::ZERO, |sum, chance| sum + chance);
    left + &aside.lost + &aside.never
}
