//! Numbers that only count: they are added to and in the end part of what it all comes to, and decide nothing.
//!
//! ```text
//! a d20, thrown again for a point as often as you like:   face, paid    →   face
//! turns of Pig until there are 100 points:                score, turns  →   score
//! ```
//!
//! With 3 points paid the game is the same as with none, but for the 3 points. So places are told apart without such a number: it
//! is 0 in each of them, and what was taken off it is a step of its own, which is worth as much as the number is to the aim. A game
//! of which every turn costs something has no end of places; without what was paid it has few.
//!
//! That a number only counts is read off the graph ([`flow`]): nothing may be done with it but to add to it, to hand it on and
//! to come to it. The law under the best play has it again ([`spelled`]).

mod flow;
mod share;
mod spelled;

use astragal_odds::known::Held;
use astragal_prob::Rational;
use astragal_program::core::{FunctionId, LocalId};
use astragal_program::points::{GraphId, HeldOf, PlaceOf, Plays, PointId};
use astragal_value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

use crate::explore::Aim;
use crate::game::Game;
use crate::tree::{NOBODY, Node, Place, Tree, Waiting};
pub(crate) use share::Share;
pub(crate) use spelled::WithScores;

/// The most numbers that are asked for.
const MOST_ASKED: usize = 32;
/// The most numbers that are left out.
const MOST: usize = 8;

/// A variable, by the function that it belongs to; none: the program itself.
pub(crate) type Variable = (Option<FunctionId>, LocalId);

/// A number that only counts.
#[derive(Clone, Debug)]
pub(crate) struct Score {
    /// How much of it is in each variable that has any.
    shares: FxHashMap<Variable, Share>,
    /// How much of it is in what the play comes to.
    result: Share,
    /// What one of it is worth to the aim.
    pub(crate) slope: Rational,
}

/// By how much a place was moved to be without scores: one number a score.
pub(crate) type Moved = Rc<[Rational]>;

impl Score {
    fn of(&self, variable: Variable) -> Option<&Share> {
        self.shares.get(&variable)
    }

    /// How much of it there is, by the value of a variable that has some.
    pub(crate) fn found_at(&self, variable: Variable, value: &Value) -> Option<Rational> {
        self.of(variable)?.found_in(value)
    }
}

/// Whether a variable holds nothing but what only counts.
pub(crate) fn is_score(scores: &[Score], variable: Variable) -> bool {
    scores.iter().any(|score| matches!(score.of(variable), Some(Share::Part(_))))
}

/// What the scores of a move are worth.
pub(crate) fn worth(scores: &[Score], moved: &[Rational]) -> Rational {
    let parts = scores.iter().zip(moved).map(|(score, by)| &score.slope * by);
    parts.fold(Rational::ZERO, |sum, part| sum + part)
}

/// What a play comes to, given without its scores.
pub(crate) fn with_scores(scores: &[Score], moved: &[Rational], value: Value) -> Value {
    let by = scores.iter().zip(moved).filter(|(_, by)| !by.is_zero());
    by.fold(value, |value, (score, by)| score.result.plus(&value, by))
}

/// A place of a roll without its scores, and what they are worth.
pub(crate) fn without(
    scores: &[Score],
    plays: &Plays,
    place: &PlaceOf,
) -> Option<(PlaceOf, Rational)> {
    let mut place = place.clone();
    let mut all = Rational::ZERO;
    for score in scores {
        let mut by: Option<Rational> = None;
        let mut take_off = |graph: GraphId, local: LocalId, held: &mut HeldOf| {
            let function = plays.graphs.get(graph.0 as usize)?.function;
            let HeldOf::Value(value) = held else { return Some(()) };
            let Some(share) = score.of((function, local)) else { return Some(()) };
            if by.is_none() {
                by = Some(share.found_in(value)?);
            }
            *value = share.plus(value, &-by.clone()?);
            Some(())
        };
        let needed = |graph: GraphId, point: PointId| {
            plays.graphs.get(graph.0 as usize).map(|graph| graph.point(point).needed.clone())
        };
        let (graph, point) = (place.graph, place.point);
        for (local, held) in needed(graph, point)?.into_iter().zip(&mut place.values) {
            take_off(graph, local, held)?;
        }
        for call in place.waiting.iter_mut().rev() {
            let needed = needed(call.graph, call.point)?;
            let others = needed.into_iter().filter(|local| *local != call.local);
            for (local, held) in others.zip(&mut call.values) {
                take_off(call.graph, local, held)?;
            }
        }
        all += by.unwrap_or(Rational::ZERO) * &score.slope;
    }
    Some((place, all))
}

impl Game<'_> {
    /// The numbers that only count, of those that are known at the choices of a game.
    pub(crate) fn scores_of(&self, tree: &Tree, aim: Aim<'_>) -> Vec<Score> {
        let Some((best, _)) = aim else { return Vec::new() };
        let mut found: Vec<Score> = Vec::new();
        for (graph, local) in self.candidates(tree) {
            let variable = (self.graph(graph).function, local);
            let is_known = found.iter().any(|score| score.of(variable).is_some());
            if !is_known && found.len() < MOST {
                found.extend(flow::score(self.plays, best, variable));
            }
        }
        found
    }

    /// Numbers that are known at choices, those with the most values first.
    fn candidates(&self, tree: &Tree) -> Vec<(GraphId, LocalId)> {
        let mut values: FxHashMap<(GraphId, LocalId), FxHashSet<Held>> = FxHashMap::default();
        for (place, node) in tree.places.iter().zip(&tree.nodes) {
            if !matches!(node, Node::Choice(..)) {
                continue;
            }
            let needed = &self.point(place.graph, place.point).needed;
            let own = needed.iter().zip(place.values.iter()).map(|(l, h)| (place.graph, *l, *h));
            let waits = (place.waiting != NOBODY).then(|| &tree.waiting[place.waiting as usize]);
            let waits = waits.into_iter().flat_map(|call| {
                call.values.iter().map(|(local, held)| (call.graph, *local, *held))
            });
            for (graph, local, held) in own.chain(waits) {
                if matches!(held, Held::Value(word) if word.as_number().is_some()) {
                    values.entry((graph, local)).or_default().insert(held);
                }
            }
        }
        let mut found: Vec<(usize, u32, u32)> = values
            .into_iter()
            .map(|((graph, local), values)| (values.len(), graph.0, local.0))
            .collect();
        found.sort_by(|a, b| b.cmp(a));
        let found = found.into_iter().take(MOST_ASKED);
        found.map(|(_, graph, local)| (GraphId(graph), LocalId(local))).collect()
    }

    /// A place without its scores, what was taken off each, and which of them are known there, as bits.
    pub(crate) fn without_scores(
        &mut self,
        tree: &mut Tree,
        mut place: Place,
        scores: &[Score],
    ) -> Option<(Place, Vec<Rational>, u32)> {
        let (mut moved, mut known) = (Vec::with_capacity(scores.len()), 0);
        for (number, score) in scores.iter().enumerate() {
            let by = self.score_at(tree, &place, score)?;
            known |= u32::from(by.is_some()) << number;
            let by = by.unwrap_or(Rational::ZERO);
            if !by.is_zero() {
                place = self.less(tree, place, score, &by);
            }
            moved.push(by);
        }
        Some((place, moved, known))
    }

    /// How much of a score there is at a place; none inside if it is not known there.
    fn score_at(&self, tree: &Tree, place: &Place, score: &Score) -> Option<Option<Rational>> {
        let function = self.graph(place.graph).function;
        let needed = &self.point(place.graph, place.point).needed;
        for (local, held) in needed.iter().zip(place.values.iter()) {
            if let Some(share) = score.of((function, *local)) {
                return Some(Some(share.found_in(&self.value(*held))?));
            }
        }
        let mut waiting = place.waiting;
        while waiting != NOBODY {
            let call = &tree.waiting[waiting as usize];
            let function = self.graph(call.graph).function;
            for (local, held) in call.values.iter() {
                if let Some(share) = score.of((function, *local)) {
                    return Some(Some(share.found_in(&self.value(*held))?));
                }
            }
            waiting = call.waiting;
        }
        Some(None)
    }

    /// A place with less of a score.
    fn less(&mut self, tree: &mut Tree, place: Place, score: &Score, by: &Rational) -> Place {
        let function = self.graph(place.graph).function;
        let needed = &self.point(place.graph, place.point).needed;
        let values = needed.iter().zip(place.values.iter());
        let values =
            values.map(|(local, held)| self.held_less(score, (function, *local), *held, by));
        let values = values.collect();
        let waiting = self.waiting_less(tree, place.waiting, score, by);
        Place { values, waiting, ..place }
    }

    fn waiting_less(&mut self, tree: &mut Tree, waiting: u32, score: &Score, by: &Rational) -> u32 {
        // From the outside in.
        let mut calls = Vec::new();
        let mut at = waiting;
        while at != NOBODY {
            calls.push(tree.waiting[at as usize].clone());
            at = calls.last().map_or(NOBODY, |call| call.waiting);
        }
        let mut outer = NOBODY;
        for call in calls.into_iter().rev() {
            let function = self.graph(call.graph).function;
            let values = call.values.iter().map(|(local, held)| {
                (*local, self.held_less(score, (function, *local), *held, by))
            });
            let values = values.collect();
            outer = tree.wait(Waiting { values, waiting: outer, ..call });
        }
        outer
    }

    pub(crate) fn held_less(
        &mut self,
        score: &Score,
        of: Variable,
        held: Held,
        by: &Rational,
    ) -> Held {
        let Some(share) = score.of(of) else { return held };
        let less = share.plus(&self.value(held), &-by);
        Held::Value(self.asker.store.word(&less))
    }
}
