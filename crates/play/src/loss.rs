//! What a mistake costs: the same play, but for one choice at which the same is taken always.
//!
//! All other choices are made as before, so that the game is a chain, and what it is worth is found as ever. Where an arm is closed,
//! the best is taken. Of a list, only what can be taken whenever one comes to the choice is tried.

use std::sync::Arc;

use astragal_prob::{Meter, Rational};
use astragal_program::core::Who;
use astragal_program::points::{GraphId, PointId, Step};
use astragal_syntax::span::Span;
use rustc_hash::FxHashMap;

use crate::game::{Game, Solved, wants_most};
use crate::policy::Policy;
use crate::reach::followed;
use crate::tree::{Node, PlaceId, Tree};
use crate::worth::worths;

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
    /// What is lost by each of them; none where that is not known.
    pub of: Vec<(Arc<str>, Option<Rational>)>,
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
    pub(crate) fn losses(&self, policy: &Policy, solved: &Solved, meter: &Meter) -> Vec<Losses> {
        let Some(value) = policy.value.as_ref().filter(|_| policy.is_exact) else {
            return Vec::new();
        };
        let met = followed(&solved.tree, solved.start, &|at| solved.taken[at as usize]);
        let mut all = Vec::new();
        for written in self.written(solved) {
            let most = wants_most(Some(policy.goal), written.who == Who::Opponent);
            let labels = self.always_open(solved, &written, &met);
            let lost = |label: &Arc<str>| {
                let worth = self.worth_of_always(policy, solved, &written, label, meter)?;
                Some(if most { value - worth } else { worth - value })
            };
            let of = labels.iter().map(|label| (label.clone(), lost(label))).collect();
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

    /// What the game is worth if the same is always taken.
    fn worth_of_always(
        &self,
        policy: &Policy,
        solved: &Solved,
        written: &Written,
        label: &str,
        meter: &Meter,
    ) -> Option<Rational> {
        meter.charge(PLACE * solved.tree.nodes.len() as u64).ok()?;
        let mut always: FxHashMap<PlaceId, u32> = FxHashMap::default();
        for at in &written.places {
            match self.labels(solved, *at).iter().position(|known| **known == *label) {
                Some(option) => drop(always.insert(*at, option as u32)),
                // Whether it is closed or was not looked at is not known.
                None if solved.tree.is_cut => return None,
                None => {}
            }
        }
        let option = |at| always.get(&at).copied().unwrap_or(solved.taken[at as usize]);
        let chain = followed(&solved.tree, solved.start, &option);
        let worth = worths(&chain, Some(policy.goal), meter).ok()?;
        worth.of[solved.start as usize].clone()
    }
}
