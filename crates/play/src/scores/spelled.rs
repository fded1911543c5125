//! The game as it is played, with its scores: each place with each score that it is come to with.
//!
//! There may be no end of them. What is hardly ever come to is not followed: its chance is given up, and said.

use std::collections::VecDeque;
use std::rc::Rc;

use astragal_odds::known::{Aside, Held, Told};
use astragal_prob::{Integer, Meter, Natural, OverBudget, Rational};
use rustc_hash::FxHashMap;

use super::{Moved, Score, with_scores};
use crate::game::Game;
use crate::tree::{Node, PlaceId, Tree};

/// All of it.
const ALL: u64 = 1 << 60;
/// So little is not followed any more.
const SLIVER: u64 = 1 << 14;
/// What it takes to follow a place.
const PLACE: u64 = 60;

/// A place, and the scores that it is come to with.
type At = (PlaceId, Moved);

/// A game with its scores, every choice being made. It begins at its first place.
pub(crate) struct WithScores {
    pub(crate) tree: Tree,
    /// Whether there are places that were not followed.
    pub(crate) is_cut: bool,
    /// The ends with their chances, rounded down; none if something may go wrong or does not count.
    pub(crate) roughly: Option<Told>,
}

/// A game under way.
struct Spelled<'t> {
    tree: &'t Tree,
    taken: &'t [u32],
    made: Tree,
    numbers: FxHashMap<At, PlaceId>,
    places: Vec<At>,
    /// The parts of [`ALL`] that are on their way to each place.
    coming: Vec<u64>,
    waiting: VecDeque<PlaceId>,
    /// What came to each end.
    ended: FxHashMap<Held, u64>,
}

impl Game<'_> {
    /// The same game with its scores.
    pub(crate) fn spelled_out(
        &mut self,
        tree: &Tree,
        start: PlaceId,
        taken: &[u32],
        meter: &Meter,
    ) -> Result<WithScores, OverBudget> {
        let scores = Rc::clone(&tree.scores);
        let mut made = Tree::default();
        made.chances = Rc::clone(&tree.chances);
        let (numbers, places) = (FxHashMap::default(), Vec::new());
        let (coming, waiting) = (Vec::new(), VecDeque::new());
        let ended = FxHashMap::default();
        let mut spelled = Spelled { tree, taken, made, numbers, places, coming, waiting, ended };
        let none: Moved = vec![Rational::ZERO; scores.len()].into();
        let first = spelled.come_to((start, none), ALL);
        debug_assert_eq!(first, 0);
        while let Some(at) = spelled.waiting.pop_front() {
            meter.charge(PLACE)?;
            let share = std::mem::take(&mut spelled.coming[at as usize]);
            if matches!(spelled.made.nodes[at as usize], Node::Open) {
                let node = spelled.node(at, &scores, self);
                spelled.made.nodes[at as usize] = node;
            }
            spelled.hand_on(at, share);
            if at % 1000 == 0 {
                meter.room(spelled.made.bytes())?;
            }
        }
        let roughly = spelled.roughly();
        let given_up = Aside { lost: Rational::ONE, ..Aside::default() };
        let mut is_cut = false;
        for node in &mut spelled.made.nodes {
            if matches!(node, Node::Open) {
                *node = Node::Chance([].into(), Some(Box::new(given_up.clone())));
                is_cut = true;
            }
        }
        Ok(WithScores { tree: spelled.made, is_cut, roughly })
    }
}

impl Spelled<'_> {
    /// So much comes to a place.
    fn come_to(&mut self, at: At, share: u64) -> PlaceId {
        let number = match self.numbers.get(&at) {
            Some(known) => *known,
            None => {
                let number = self.made.last(Node::Open);
                self.numbers.insert(at.clone(), number);
                self.places.push(at);
                self.coming.push(0);
                number
            }
        };
        self.add(number, share);
        number
    }

    fn add(&mut self, number: PlaceId, share: u64) {
        let before = self.coming[number as usize];
        self.coming[number as usize] = before.saturating_add(share);
        if before < SLIVER && self.coming[number as usize] >= SLIVER {
            self.waiting.push_back(number);
        }
    }

    /// What happens at a place.
    fn node(&mut self, number: PlaceId, scores: &[Score], game: &mut Game<'_>) -> Node {
        let (at, moved) = self.places[number as usize].clone();
        match &self.tree.nodes[at as usize] {
            Node::Chance(next, aside) => {
                let moved = match self.tree.moves.get(&at) {
                    Some((_, by)) => moved.iter().zip(by.iter()).map(|(a, b)| a + b).collect(),
                    None => moved,
                };
                let next = next
                    .iter()
                    .map(|(to, chance)| (self.come_to((*to, Rc::clone(&moved)), 0), *chance));
                Node::Chance(next.collect(), aside.clone())
            }
            Node::Choice(who, options) => {
                let (option, to) = options[self.taken[at as usize] as usize];
                Node::Choice(*who, vec![(option, self.come_to((to, moved), 0))])
            }
            Node::End(held, worth) => {
                let value = with_scores(scores, &moved, game.value(*held));
                let worth = worth + super::worth(scores, &moved);
                Node::End(Held::Value(game.asker.store.word(&value)), worth)
            }
            node => node.clone(),
        }
    }

    /// What came to its ends; the rest is given up.
    fn roughly(&self) -> Option<Told> {
        let is_plain = |node: &Node| match node {
            Node::Chance(_, aside) => aside.is_none(),
            Node::Open | Node::Choice(..) | Node::End(..) => true,
            Node::Fails(_) | Node::Rejected(_) => false,
        };
        if !self.made.nodes.iter().all(is_plain) {
            return None;
        }
        let chance = |parts: u64| Rational::from_parts(Integer::from(parts), Natural::from(ALL));
        let mut outcomes: Vec<(Held, u64)> =
            self.ended.iter().map(|(h, parts)| (*h, *parts)).collect();
        outcomes.sort_by_key(|&(_, parts)| std::cmp::Reverse(parts));
        let listed = outcomes.iter().map(|(_, parts)| parts).sum::<u64>().min(ALL);
        let aside = Aside { lost: chance(ALL - listed), ..Aside::default() };
        let outcomes = outcomes.into_iter().map(|(held, parts)| (held, chance(parts))).collect();
        Some(Told { outcomes, aside, ..Told::default() })
    }

    fn hand_on(&mut self, at: PlaceId, share: u64) {
        if let Node::End(held, _) = &self.made.nodes[at as usize] {
            *self.ended.entry(*held).or_default() += share;
        }
        let next: Vec<(PlaceId, u64)> = match &self.made.nodes[at as usize] {
            Node::Chance(next, _) => {
                let part = |chance: &Rational| {
                    let part = (chance * Rational::from(share)).floor();
                    u64::try_from(part).unwrap_or(0)
                };
                self.made.weighed(next).map(|(to, chance)| (to, part(chance))).collect()
            }
            Node::Choice(_, options) => options.iter().map(|(_, to)| (*to, share)).collect(),
            Node::Open | Node::End(..) | Node::Fails(_) | Node::Rejected(_) => Vec::new(),
        };
        next.into_iter().for_each(|(to, part)| self.add(to, part));
    }
}
