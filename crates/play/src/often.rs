//! How often each `maximise` is played when a program is rolled, in the mean.
//!
//! A play may stand in the midst of another, or after throws on which it depends: then it is played for several values of
//! what is known before it, and some of them are common, others rare.

use astragal_odds::known::Held;
use astragal_prob::Rational;
use astragal_program::points::Step;
use rustc_hash::FxHashMap;

use crate::game::{Game, Instance};
use crate::reach::{reached, rounded_if_long};
use crate::tree::{PlaceId, Tree};

/// In larger programs it is not counted.
const MOST_PLACES: usize = 100_000;

impl Game<'_> {
    /// How often each play is come to; nothing of those that are only measured, or where there is one alone.
    pub(crate) fn how_often(&self) -> FxHashMap<Instance, Rational> {
        let mut often: FxHashMap<Instance, Rational> = FxHashMap::default();
        let Some((around, start)) = &self.around else { return often };
        let places: usize = self.solved.values().map(|solved| solved.tree.nodes.len()).sum();
        if self.solved.len() < 2 || places + around.nodes.len() > MOST_PLACES {
            return often;
        }
        let nobody = vec![0; around.nodes.len()];
        let first = self.played_in(around, *start, &nobody);
        let inside: FxHashMap<&Instance, Vec<(Instance, Rational)>> = self
            .solved
            .iter()
            .map(|(key, solved)| (key, self.played_in(&solved.tree, solved.start, &solved.taken)))
            .collect();
        // Each comes after all that it is played in.
        let mut awaited: FxHashMap<&Instance, usize> = FxHashMap::default();
        for (key, _) in inside.values().flatten() {
            *awaited.entry(key).or_default() += 1;
        }
        for (key, chance) in first {
            *often.entry(key).or_insert(Rational::ZERO) += chance;
        }
        let mut ready: Vec<&Instance> =
            inside.keys().filter(|key| !awaited.contains_key(*key)).copied().collect();
        while let Some(key) = ready.pop() {
            let own = often.get(key).cloned().unwrap_or(Rational::ZERO);
            for (inner, chance) in inside.get(key).into_iter().flatten() {
                let known = often.entry(inner.clone()).or_insert(Rational::ZERO);
                *known = rounded_if_long(std::mem::take(known) + &own * chance);
                if let Some(left) = awaited.get_mut(inner) {
                    *left -= 1;
                    if *left == 0
                        && let Some((inner, _)) = inside.get_key_value(inner)
                    {
                        ready.push(inner);
                    }
                }
            }
        }
        often
    }

    /// What is played in something, and how often.
    fn played_in(&self, tree: &Tree, start: PlaceId, taken: &[u32]) -> Vec<(Instance, Rational)> {
        let is_play = |at: &usize| {
            let place = &tree.places[*at];
            place.graph.0 != u32::MAX
                && matches!(self.point(place.graph, place.point).step, Step::Best { .. })
        };
        let plays: Vec<usize> = (0..tree.places.len()).filter(is_play).collect();
        if plays.is_empty() {
            return Vec::new();
        }
        let reached = reached(tree, start, taken);
        let often = |at: usize| Some((self.instance(tree, at as PlaceId)?, reached[at].clone()));
        plays.into_iter().filter_map(often).collect()
    }

    /// What is played at a place, and what is known before it.
    pub(crate) fn instance(&self, tree: &Tree, at: PlaceId) -> Option<Instance> {
        let place = &tree.places[at as usize];
        let point = self.point(place.graph, place.point);
        let Step::Best { best, .. } = &point.step else { return None };
        let held = |local| {
            let at = point.needed.iter().position(|needed| needed == local)?;
            place.values.get(at).copied()
        };
        let known: Option<Box<[Held]>> = self.plays.bests[*best].known.iter().map(held).collect();
        Some((*best, known?))
    }
}
