//! What a mistake costs: the same play, but for one choice at which the same is taken always.
//!
//! All other choices are made as before, so that the game is a chain, and what it is worth is found as ever. Where an arm is closed,
//! the best is taken. Of a list, only what can be taken whenever one comes to the choice is tried. What is taken always may be worth
//! less than any number, or never come to an end: that is told.

mod always;

use std::sync::Arc;

use astragal_odds::known::Held;
use astragal_prob::{Meter, Rational};
use astragal_program::core::{Goal, Who};
use astragal_program::points::{GraphId, PointId, Step};
use astragal_syntax::span::Span;
use astragal_value::Word;
use rustc_hash::FxHashMap;

use crate::endless::Forced;
use crate::game::{Game, Solved, wants_most};
use crate::policy::Policy;
use crate::reach::followed;
use crate::tree::{Node, Place, PlaceId, Tree};
use crate::worth::{Unsolved, groups, worths};

/// The steps that all mistakes of a program may take.
pub(crate) const ALL_LOSSES: u64 = 5_000_000;
/// What it takes to go through a place.
const PLACE: u64 = 20;
/// Of longer lists nothing is tried.
const LONGEST_LIST: usize = 20;

/// What is lost in the mean by who always takes the same at a choice.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Losses {
    /// The place of the choice.
    pub span: Span,
    /// What is lost by each of them.
    pub of: Vec<(Arc<str>, Loss)>,
}

/// What is lost by who always takes the same.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Loss {
    /// So much in the mean.
    Exactly(Rational),
    /// More than any number.
    Infinite,
    /// Such a play never comes to an end, and is worth nothing that can be told.
    Endless,
    /// It is not known.
    Unknown,
}

impl Loss {
    /// The same with so much of another.
    pub(crate) fn plus(self, (other, share): (Loss, Rational)) -> Loss {
        match (self, other) {
            (Loss::Exactly(a), Loss::Exactly(b)) => Loss::Exactly(a + b * share),
            (Loss::Unknown, _) | (_, Loss::Unknown) => Loss::Unknown,
            (Loss::Infinite, _) | (_, Loss::Infinite) => Loss::Infinite,
            (Loss::Endless, _) | (_, Loss::Endless) => Loss::Endless,
        }
    }

    /// What is lost in the mean, if that is a number.
    pub fn exactly(&self) -> Option<&Rational> {
        match self {
            Loss::Exactly(lost) => Some(lost),
            Loss::Infinite | Loss::Endless | Loss::Unknown => None,
        }
    }
}

/// The places of a choice as it is written.
struct Written {
    span: Span,
    who: Who,
    is_list: bool,
    places: Vec<PlaceId>,
}

impl Game<'_> {
    /// What is lost at each choice of a policy by who always takes the same.
    pub(crate) fn losses(
        &mut self,
        policy: &Policy,
        known: &[Held],
        solved: &Solved,
        meter: &Meter,
    ) -> Vec<Losses> {
        let Some(value) = policy.value.as_ref().filter(|_| policy.is_exact) else {
            return Vec::new();
        };
        let met = followed(&solved.tree, solved.start, &|at| solved.taken[at as usize]);
        let mut all = Vec::new();
        for written in self.written(solved) {
            let most = wants_most(Some(policy.goal), written.who == Who::Opponent);
            let labels = self.always_open(solved, &written, &met);
            let mut of = Vec::with_capacity(labels.len());
            for label in labels {
                let worth = self.worth_of_always((policy, known), solved, &written, &label, meter);
                let lost = match worth {
                    Ok(worth) => Loss::Exactly(if most { value - worth } else { worth - value }),
                    Err(lost) => lost,
                };
                of.push((label, lost));
            }
            all.push(Losses { span: written.span, of });
        }
        all
    }

    fn written(&self, solved: &Solved) -> Vec<Written> {
        let mut all: Vec<Written> = Vec::new();
        let mut numbers: FxHashMap<(GraphId, PointId), usize> = FxHashMap::default();
        for (number, node) in (0..).zip(&solved.tree.nodes) {
            let Node::Choice(who, _) = node else { continue };
            let place = &solved.tree.places[number as usize];
            let at = *numbers.entry((place.graph, place.point)).or_insert_with(|| {
                let point = self.point(place.graph, place.point);
                let is_list = matches!(point.step, Step::Pick { .. });
                all.push(Written { span: point.span, who: *who, is_list, places: Vec::new() });
                all.len() - 1
            });
            all[at].places.push(number);
        }
        all
    }

    /// What may be taken at a place.
    fn labels(&self, solved: &Solved, at: PlaceId) -> Vec<Arc<str>> {
        let Node::Choice(_, options) = &solved.tree.nodes[at as usize] else { return Vec::new() };
        options.iter().map(|(option, _)| self.label(at, *option, solved)).collect()
    }

    /// What can be taken always: each arm that is ever open; of a list, what is there whenever one comes to it.
    fn always_open(&self, solved: &Solved, written: &Written, met: &Tree) -> Vec<Arc<str>> {
        let mut found: Option<Vec<Arc<str>>> = None;
        for at in &written.places {
            let is_met = !matches!(met.nodes[*at as usize], Node::Open);
            if written.is_list && !is_met {
                continue;
            }
            let here = self.labels(solved, *at);
            match &mut found {
                None => found = Some(here),
                Some(known) if written.is_list => known.retain(|label| here.contains(label)),
                Some(known) => {
                    let more: Vec<_> = here.into_iter().filter(|l| !known.contains(l)).collect();
                    known.extend(more);
                }
            }
        }
        let found = found.unwrap_or_default();
        if written.is_list && found.len() > LONGEST_LIST { Vec::new() } else { found }
    }

    /// The same beyond what is listed of throws.
    fn forced(&self, solved: &Solved, written: &Written, label: &str) -> Option<Forced> {
        let place = &solved.tree.places[*written.places.first()? as usize];
        let at = (place.graph, place.point);
        let Step::Choose { arms, .. } = &self.point(at.0, at.1).step else { return None };
        let arm = arms.iter().position(|arm| *arm.label == *label)?;
        Some((at, arm as u32))
    }

    /// What the game is worth if the same is always taken.
    fn worth_of_always(
        &mut self,
        (policy, known): (&Policy, &[Held]),
        solved: &Solved,
        written: &Written,
        label: &str,
        meter: &Meter,
    ) -> Result<Rational, Loss> {
        if written.is_list && !solved.tree.tails.is_empty() {
            return Err(Loss::Unknown);
        }
        let price = PLACE * solved.tree.nodes.len() as u64;
        meter.charge(price).map_err(|_| Loss::Unknown)?;
        let mut always: FxHashMap<PlaceId, u32> = FxHashMap::default();
        let mut beyond: Vec<PlaceId> = Vec::new();
        for at in &written.places {
            match self.labels(solved, *at).iter().position(|known| **known == *label) {
                Some(option) => drop(always.insert(*at, option as u32)),
                // It is closed, or was not looked at.
                None if solved.tree.is_cut => beyond.push(*at),
                None => {}
            }
        }
        let option = |at| always.get(&at).copied().unwrap_or(solved.taken[at as usize]);
        let mut chain = followed(&solved.tree, solved.start, &option);
        chain.forced = self.forced(solved, written, label);
        beyond.retain(|at| !matches!(chain.nodes[*at as usize], Node::Open));
        if !beyond.is_empty() {
            self.end_beyond((policy, known), &mut chain, solved, &beyond, meter)?;
        }
        let start = solved.start;
        match worths(&chain, start, Some(policy.goal), meter) {
            Ok(worth) => {
                let is_exact = worth.within.is_none() && !worth.is_vague[start as usize];
                worth.of[start as usize].clone().filter(|_| is_exact).ok_or(Loss::Unknown)
            }
            Err(Unsolved::Endless) => Err(without_end(&chain, policy.goal, written.who)),
            Err(Unsolved::Over(_)) => Err(Loss::Unknown),
        }
    }

    /// Ends a play beyond the horizon with what it is worth to take the same always from there on.
    fn end_beyond(
        &mut self,
        (policy, known): (&Policy, &[Held]),
        chain: &mut Tree,
        solved: &Solved,
        beyond: &[PlaceId],
        meter: &Meter,
    ) -> Result<(), Loss> {
        let (Some(horizon), Some((at, arm))) = (&solved.tree.horizon, chain.forced) else {
            return Err(Loss::Unknown);
        };
        let Step::Choose { arms, .. } = &self.point(at.0, at.1).step else {
            return Err(Loss::Unknown);
        };
        let arm = &arms[arm as usize];
        if at != (horizon.graph, horizon.point) || arm.open.is_some() || chain.has_scores() {
            return Err(Loss::Unknown);
        }
        let places: Vec<Place> =
            beyond.iter().map(|at| solved.tree.places[*at as usize].clone()).collect();
        let aim = (policy.best, known);
        let always = self.always(aim, horizon, arm.next, &places, policy.goal, meter);
        let always = always.map_err(|_| Loss::Unknown)??;
        for (at, place) in beyond.iter().zip(&places) {
            let worth = always.worth(self, place).ok_or(Loss::Unknown)?;
            chain.nodes[*at as usize] = Node::End(Held::Value(Word::NONE), worth);
        }
        Ok(())
    }
}

/// What is lost in a play that never comes to an end: more than any number, if every round costs something.
fn without_end(chain: &Tree, goal: Goal, who: Who) -> Loss {
    let most = wants_most(Some(goal), who == Who::Opponent);
    let is_met = |at: &PlaceId| !matches!(chain.nodes[*at as usize], Node::Open);
    for group in groups(chain) {
        let leaves = |at: &PlaceId| {
            chain.next(*at).next().is_none() || chain.next(*at).any(|to| !group.contains(&to))
        };
        if !group.iter().all(is_met) || group.iter().any(leaves) {
            continue;
        }
        let costs: Vec<&Rational> = group.iter().filter_map(|at| chain.reward(*at)).collect();
        let is_cost =
            |of: &&Rational| if most { **of < Rational::ZERO } else { **of > Rational::ZERO };
        if costs.is_empty() || !costs.iter().all(is_cost) {
            return Loss::Endless;
        }
    }
    Loss::Infinite
}
