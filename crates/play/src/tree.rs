//! Places of a game, each once.

use astragal_odds::Failure;
use astragal_odds::known::{Aside, Held};
use astragal_prob::Rational;
use astragal_program::core::{LocalId, Who};
use astragal_program::points::{GraphId, PointId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

use crate::endless::{Forced, Tails};
use crate::far::Horizon;
use crate::scores::{Moved, Score};

/// A place by its number.
pub(crate) type PlaceId = u32;

/// A chance by its number: a large game has few different ones.
pub(crate) type ChanceId = u32;

/// So many calls that wait for each other may have no end.
const MANY_CALLS: usize = 30;

/// No call is waiting.
pub(crate) const NOBODY: u32 = u32::MAX;

/// A point, what is needed from there on, and the call that waits for what it comes to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) graph: GraphId,
    pub(crate) point: PointId,
    pub(crate) values: Rc<[Held]>,
    pub(crate) waiting: u32,
}

/// A call that waits: where it goes on, with what, and which variable it waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Waiting {
    pub(crate) graph: GraphId,
    pub(crate) point: PointId,
    pub(crate) local: LocalId,
    /// The variables that are needed there, but for that one.
    pub(crate) values: Box<[(LocalId, Held)]>,
    pub(crate) waiting: u32,
}

/// What happens at a place.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// Not looked at yet.
    Open,
    /// One of these, with their chances, which add up to 1 with what is put aside.
    Chance(Box<[(PlaceId, ChanceId)]>, Option<Box<Aside>>),
    /// A player takes one of these: the number of each arm or item, and where it leads.
    Choice(Who, Vec<(u32, PlaceId)>),
    /// The end, and what it counts.
    End(Held, Rational),
    /// Something goes wrong here.
    Fails(Box<Failure>),
    /// This attempt does not count.
    Rejected(Box<Failure>),
}

/// What counts of an end.
pub(crate) enum Counts {
    Number(Rational),
    /// A yes counts 1.
    Truth(bool),
}

/// All places that were found.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) places: Vec<Place>,
    pub(crate) nodes: Vec<Node>,
    numbers: FxHashMap<Place, PlaceId>,
    pub(crate) waiting: Vec<Waiting>,
    waiting_numbers: FxHashMap<Waiting, u32>,
    ends: FxHashMap<Held, PlaceId>,
    pub(crate) chances: Rc<Vec<Rational>>,
    chance_numbers: FxHashMap<Rational, ChanceId>,
    /// Whether anything counts but a yes or no.
    pub(crate) counts_numbers: bool,
    /// Whether there are choices of which not all options were looked at.
    pub(crate) is_cut: bool,
    /// Along which number there are, by its place among what is needed there.
    pub(crate) along: Option<usize>,
    /// The numbers that only count: places are without them.
    pub(crate) scores: Rc<Vec<Score>>,
    /// The places at which scores are taken off: what that is worth, and how much of each.
    pub(crate) moves: Rc<FxHashMap<PlaceId, (Rational, Moved)>>,
    move_numbers: FxHashMap<(PlaceId, Moved), PlaceId>,
    /// What lies beyond what is listed of a throw, where not all of it is.
    pub(crate) tails: Rc<Tails>,
    /// So many points may still be passed to find that out.
    pub(crate) points_left: usize,
    /// Beyond it, it is known what is best.
    pub(crate) horizon: Option<Rc<Horizon>>,
    /// What is taken always at a choice, also beyond what is listed.
    pub(crate) forced: Option<Forced>,
    /// Which scores are known at each place, as bits, if there are any.
    pub(crate) counted: FxHashMap<PlaceId, u32>,
}

/// So many points are passed beyond what is listed of all throws together.
const MOST_POINTS: usize = 100_000;

impl Default for Tree {
    fn default() -> Tree {
        Tree {
            places: Vec::new(),
            nodes: Vec::new(),
            numbers: FxHashMap::default(),
            waiting: Vec::new(),
            waiting_numbers: FxHashMap::default(),
            ends: FxHashMap::default(),
            chances: Rc::default(),
            chance_numbers: FxHashMap::default(),
            counts_numbers: false,
            is_cut: false,
            along: None,
            scores: Rc::default(),
            moves: Rc::default(),
            move_numbers: FxHashMap::default(),
            tails: Rc::default(),
            points_left: MOST_POINTS,
            horizon: None,
            forced: None,
            counted: FxHashMap::default(),
        }
    }
}

impl Tree {
    /// No places yet; they will be without these numbers.
    pub(crate) fn without(scores: Rc<Vec<Score>>) -> Tree {
        Tree { scores, ..Tree::default() }
    }

    /// The number of a place.
    pub(crate) fn place(&mut self, place: Place) -> PlaceId {
        if let Some(known) = self.numbers.get(&place) {
            return *known;
        }
        let number = self.nodes.len() as PlaceId;
        self.numbers.insert(place.clone(), number);
        self.places.push(place);
        self.nodes.push(Node::Open);
        number
    }

    /// The number of a chance.
    pub(crate) fn chance(&mut self, chance: Rational) -> ChanceId {
        if let Some(known) = self.chance_numbers.get(&chance) {
            return *known;
        }
        let all = Rc::make_mut(&mut self.chances);
        all.push(chance.clone());
        let number = all.len() as ChanceId - 1;
        self.chance_numbers.insert(chance, number);
        number
    }

    /// Where a throw leads, with chances.
    pub(crate) fn weighed<'t>(
        &'t self,
        next: &'t [(PlaceId, ChanceId)],
    ) -> impl Iterator<Item = (PlaceId, &'t Rational)> {
        next.iter().map(|(to, chance)| (*to, &self.chances[*chance as usize]))
    }

    /// The number of a call that waits.
    pub(crate) fn wait(&mut self, waiting: Waiting) -> u32 {
        let next = self.waiting.len() as u32;
        let number = *self.waiting_numbers.entry(waiting.clone()).or_insert(next);
        if number == next {
            self.waiting.push(waiting);
        }
        number
    }

    /// The end with a value; its worth is told if it is new.
    pub(crate) fn end<E>(
        &mut self,
        value: Held,
        worth: impl FnOnce() -> Result<Counts, E>,
    ) -> Result<PlaceId, E> {
        if let Some(known) = self.ends.get(&value) {
            return Ok(*known);
        }
        let worth = match worth()? {
            Counts::Truth(truth) => Rational::from(u8::from(truth)),
            Counts::Number(number) => {
                self.counts_numbers = true;
                number
            }
        };
        let number = self.last(Node::End(value, worth));
        self.ends.insert(value, number);
        Ok(number)
    }

    /// A place from which nothing leads on.
    pub(crate) fn last(&mut self, node: Node) -> PlaceId {
        let (graph, point) = (GraphId(u32::MAX), PointId(u32::MAX));
        self.places.push(Place { graph, point, values: Rc::new([]), waiting: NOBODY });
        self.nodes.push(node);
        self.nodes.len() as PlaceId - 1
    }

    /// A place that is come to with scores, which are taken off on the way.
    pub(crate) fn moved(&mut self, to: PlaceId, worth: Rational, by: Moved) -> PlaceId {
        if by.iter().all(Rational::is_zero) {
            return to;
        }
        let key = (to, by);
        if let Some(known) = self.move_numbers.get(&key) {
            return *known;
        }
        let certain = self.chance(Rational::ONE);
        let number = self.last(Node::Chance([(to, certain)].into(), None));
        Rc::make_mut(&mut self.moves).insert(number, (worth, Rc::clone(&key.1)));
        self.move_numbers.insert(key, number);
        number
    }

    /// What it is worth to be at a place, besides what comes after it.
    pub(crate) fn reward(&self, at: PlaceId) -> Option<&Rational> {
        self.moves.get(&at).map(|(worth, _)| worth)
    }

    /// Whether anything was taken off somewhere.
    pub(crate) fn has_scores(&self) -> bool {
        !self.moves.is_empty()
    }

    /// Where a node leads.
    pub(crate) fn next(&self, at: PlaceId) -> impl Iterator<Item = PlaceId> {
        let (chances, options) = match &self.nodes[at as usize] {
            Node::Chance(next, _) => (&**next, [].as_slice()),
            Node::Choice(_, options) => ([].as_slice(), options.as_slice()),
            Node::Open | Node::End(..) | Node::Fails(_) | Node::Rejected(_) => {
                ([].as_slice(), [].as_slice())
            }
        };
        let mut beyond = Vec::new();
        if let Some(tails) = self.tails.get(&at) {
            tails.iter().for_each(|(ahead, _)| ahead.places(&mut beyond));
        }
        let next = chances.iter().map(|(to, _)| *to).chain(options.iter().map(|(_, to)| *to));
        next.chain(beyond)
    }

    /// How many calls wait for each other, if these are so many that there may be no end of them.
    pub(crate) fn deepest_calls(&self) -> Option<usize> {
        let mut depths: Vec<usize> = Vec::with_capacity(self.waiting.len());
        for call in &self.waiting {
            // Whoever waits for it was there before.
            let around = depths.get(call.waiting as usize).copied().unwrap_or(0);
            depths.push(around + 1);
        }
        depths.into_iter().max().filter(|deepest| *deepest >= MANY_CALLS)
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let values: usize = self.places.last().map_or(0, |place| place.values.len());
        (self.nodes.len() * (values * size_of::<Held>() + 300)) as u64
    }
}
