//! What to take where: the choices of a game with all their cases.

use std::rc::Rc;
use std::sync::Arc;

use astragal_odds::known::Held;
use astragal_prob::{Meter, Rational};
use astragal_program::core::{Goal, Kind, LocalId, Program, Who};
use astragal_program::points::{GraphId, HeldOf, PlaceOf, Played, Plays, PointId, Step, WaitingOf};
use astragal_syntax::span::Span;
use astragal_value::Value;
use rustc_hash::FxHashMap;

use crate::endless::taken_beyond;
use crate::game::{Game, Solved};
use crate::loss::{ALL_LOSSES, Losses};
use crate::reach::reached;
use crate::scores::{Score, is_score, without};
use crate::tree::{NOBODY, Node, Place, PlaceId, Tree};

/// A policy with more cases is not listed.
const MOST_CASES: usize = 200_000;

/// How one `maximise` is played, given what was known before it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Policy {
    /// Which `maximise` of the program.
    pub best: usize,
    /// Its place.
    pub span: Span,
    /// What is best.
    pub goal: Goal,
    /// The mean of the aim under this play; none if something goes wrong whatever is taken.
    pub value: Option<Rational>,
    /// Whether that is the chance of a yes.
    pub is_chance: bool,
    /// Whether that is exact; else it is a bound.
    pub is_exact: bool,
    /// Between what the aim is in the mean, if the play was too large to be solved but within bounds.
    pub within: Option<(Rational, Rational)>,
    /// Whether there are choices of which not all options were looked at, since what is best there was proven for all of them:
    /// numbers go on beyond them.
    pub(crate) is_cut: bool,
    /// The number along which they go on, by its place among what is needed at the choice.
    pub(crate) along: Option<usize>,
    /// The numbers that only count: cases are without them.
    pub(crate) scores: Vec<Score>,
    /// How often it is played when the program is rolled, in the mean.
    pub chance: Rational,
    /// Its choices, in the order in which they are met.
    pub choices: Vec<Choice>,
    /// So many cases were too many to be listed; 0: all are.
    pub left_out: usize,
    /// What mistakes cost, for each choice as it is written.
    pub losses: Vec<Losses>,
    /// The case of each place, if somebody wants to play: the choice, and the case of it.
    lookup: FxHashMap<PlaceOf, (usize, usize)>,
    /// The same by the numbers of places.
    cases: Vec<(PlaceId, (usize, usize))>,
}

/// A choice as it is written, with everything that may be known there. A function with a choice may be called from several
/// places, in which other things are known: then it is here several times.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Choice {
    /// Its place.
    pub span: Span,
    /// Whose it is.
    pub who: Who,
    /// The names of its arms; empty where an item of a list is picked.
    pub arms: Vec<Arc<str>>,
    /// The points to which the calls around it come back, from the inside out.
    pub(crate) calls: Vec<(GraphId, PointId)>,
    /// What is known there, by name.
    pub names: Vec<Arc<str>>,
    /// Where something without a name was bound.
    bound: Vec<Option<Span>>,
    /// Which of it are dice on the table, whose value is the list of what they show.
    pub dice: Vec<bool>,
    /// What of it is without end above, by its place, and what is taken beyond all that is listed; none if that is not the same.
    pub(crate) beyond: Vec<(usize, Option<Arc<str>>)>,
    /// Each case.
    pub cases: Vec<Case>,
}

/// A choice with all that is known.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Case {
    /// What is known, in the order of [`Choice::names`].
    pub values: Vec<Value>,
    /// What may be taken, and what it is worth; none where it may go wrong.
    pub options: Vec<(Arc<str>, Option<Rational>)>,
    /// What is best, by its place.
    pub taken: usize,
    /// How often this case comes about in a play, in the mean.
    pub chance: Rational,
}

impl Choice {
    /// Whether this is the same choice, come to by the same calls.
    pub fn is_same(&self, other: &Choice) -> bool {
        self.span == other.span && self.calls == other.calls
    }
}

/// What is known and has no name.
pub(crate) const NAMELESS: &str = "what is known";
/// A longer text is no name.
const LONGEST_NAME: usize = 30;

impl Policy {
    /// What to do at a place of the game, and what its options are worth besides what the case says; none if it cannot be
    /// come to.
    pub fn case(&self, plays: &Plays, place: &PlaceOf) -> Option<(&Case, Rational)> {
        let (place, worth) = without(&self.scores, plays, place)?;
        let (choice, case) = self.lookup.get(&place)?;
        Some((self.choices.get(*choice)?.cases.get(*case)?, worth))
    }

    /// The places of all cases.
    pub(crate) fn listed(&self) -> impl Iterator<Item = (&PlaceOf, &Case)> {
        let places = self.lookup.iter();
        places.map(|(place, (choice, case))| (place, &self.choices[*choice].cases[*case]))
    }

    /// Whether it stands for all that is beyond it, too.
    pub(crate) fn is_end(&self, case: &Case) -> bool {
        self.is_cut && case.options.len() == 1
    }

    /// What has no name is called by the text that it was made from, if that is short.
    pub fn name_by(&mut self, text: impl Fn(Span) -> String) {
        for choice in &mut self.choices {
            for (name, bound) in choice.names.iter_mut().zip(&choice.bound) {
                let text = bound.map(&text).unwrap_or_default();
                let text = text.trim();
                let fits = !text.is_empty() && text.chars().count() <= LONGEST_NAME;
                if fits && !text.contains('\n') {
                    *name = text.into();
                }
            }
        }
    }
}

/// A choice by its point, and the points to which the calls around it come back.
type Written = (GraphId, PointId, Vec<(GraphId, PointId)>);

impl Game<'_> {
    /// How everything is played, with what mistakes cost.
    pub(crate) fn policies(&mut self, program: &Program) -> Vec<Policy> {
        let often = self.how_often();
        let meter = Meter::new(ALL_LOSSES);
        let all: Vec<(usize, Box<[Held]>, Rc<Solved>)> = self
            .all()
            .into_iter()
            .map(|(best, known, solved)| (best, known.into(), Rc::clone(solved)))
            .collect();
        let told = all.into_iter().map(|(best, known, solved)| {
            let mut policy = self.policy(program, best, &known, &solved);
            if !often.is_empty() {
                let chance = often.get(&(best, known.clone()));
                policy.chance = chance.cloned().unwrap_or(Rational::ZERO);
            }
            policy.losses = self.losses(&policy, &known, &solved, &meter);
            policy
        });
        told.collect()
    }

    /// How something is played, given what was known before.
    pub(crate) fn policy(
        &self,
        program: &Program,
        best: usize,
        known: &[Held],
        solved: &Solved,
    ) -> Policy {
        let played = &self.plays.bests[best];
        let mut made = Policy {
            best,
            span: played.span,
            goal: played.goal,
            value: solved.value(),
            is_chance: !solved.law.outcomes.is_empty() && !solved.tree.counts_numbers,
            is_exact: solved.is_exact(),
            within: solved.within.clone(),
            is_cut: solved.tree.is_cut,
            along: solved.tree.along,
            scores: solved.tree.scores.to_vec(),
            chance: Rational::ONE,
            choices: Vec::new(),
            left_out: 0,
            losses: Vec::new(),
            lookup: FxHashMap::default(),
            cases: Vec::new(),
        };
        let cases =
            solved.tree.nodes.iter().filter(|node| matches!(node, Node::Choice(..))).count();
        if cases > MOST_CASES {
            made.left_out = cases;
            return made;
        }
        let reached = reached(&solved.tree, solved.start, &solved.taken);
        let naming = Naming { game: self, program, played, known };
        let mut numbers: FxHashMap<Written, usize> = FxHashMap::default();
        for (number, node) in solved.tree.nodes.iter().enumerate() {
            let Node::Choice(who, options) = node else { continue };
            let place = &solved.tree.places[number];
            let calls = calls(solved, place);
            let at = *numbers.entry((place.graph, place.point, calls)).or_insert_with(|| {
                made.choices.push(naming.choice(solved, place, *who));
                made.choices.len() - 1
            });
            let options = options.iter().map(|(option, to)| {
                let worth = solved.worth[*to as usize].clone();
                (self.label(number as PlaceId, *option, solved), worth)
            });
            let case = Case {
                values: naming.values(solved, place),
                options: options.collect(),
                taken: solved.taken[number] as usize,
                chance: reached[number].clone(),
            };
            let choice = &mut made.choices[at];
            choice.cases.push(case);
            let found = (at, choice.cases.len() - 1);
            made.cases.push((number as PlaceId, found));
        }
        for (at, growing, arm) in taken_beyond(&solved.tree, &solved.worth, played.goal) {
            let Step::Choose { arms, .. } = &self.point(at.0, at.1).step else { continue };
            let span = self.point(at.0, at.1).span;
            let label = arm.and_then(|arm| arms.get(arm as usize)).map(|arm| arm.label.clone());
            for choice in made.choices.iter_mut().filter(|choice| choice.span == span) {
                match choice.beyond.iter_mut().find(|(known, _)| *known == growing) {
                    Some((_, known)) if *known != label => *known = None,
                    Some(_) => {}
                    None => choice.beyond.push((growing, label.clone())),
                }
            }
        }
        made
    }

    /// The same for somebody who plays by it, and looks places up.
    pub(crate) fn policy_to_play(
        &self,
        program: &Program,
        best: usize,
        known: &[Held],
        solved: &Solved,
    ) -> Policy {
        let mut policy = self.policy(program, best, known, solved);
        for (number, case) in &policy.cases {
            let place = self.place_of(&solved.tree, *number);
            policy.lookup.insert(place, *case);
        }
        policy
    }

    /// What an option is called.
    pub(crate) fn label(&self, at: PlaceId, option: u32, solved: &Solved) -> Arc<str> {
        let place = &solved.tree.places[at as usize];
        match &self.point(place.graph, place.point).step {
            Step::Choose { arms, .. } => arms[option as usize].label.clone(),
            _ => {
                let items = solved.items.get(&at);
                items.and_then(|items| items.get(option as usize)).cloned().unwrap_or_default()
            }
        }
    }

    /// A place as a roll names it.
    pub(crate) fn place_of(&self, tree: &Tree, number: PlaceId) -> PlaceOf {
        let place = &tree.places[number as usize];
        let mut calls = Vec::new();
        let mut waiting = place.waiting;
        while waiting != NOBODY {
            let call = &tree.waiting[waiting as usize];
            let values = call.values.iter().map(|(_, held)| self.held_of(*held)).collect();
            let (graph, point, local) = (call.graph, call.point, call.local);
            calls.push(WaitingOf { graph, point, local, values });
            waiting = call.waiting;
        }
        calls.reverse();
        let values = place.values.iter().map(|held| self.held_of(*held)).collect();
        PlaceOf { graph: place.graph, point: place.point, values, waiting: calls }
    }

    /// A value; dice are a list of what they show.
    pub(crate) fn shown(&self, held: Held) -> Value {
        self.held_of(held).shown()
    }

    /// The same as a roll names it.
    pub(crate) fn held_of(&self, held: Held) -> HeldOf {
        match held {
            Held::Value(word) => HeldOf::Value(self.asker.store.value(word)),
            Held::Dice(number) => HeldOf::Dice(self.asker.lying(number).clone()),
        }
    }
}

/// The points to which the calls around a place come back, from the inside out.
fn calls(solved: &Solved, place: &Place) -> Vec<(GraphId, PointId)> {
    let mut calls = Vec::new();
    let mut waiting = place.waiting;
    while waiting != NOBODY {
        let call = &solved.tree.waiting[waiting as usize];
        calls.push((call.graph, call.point));
        waiting = call.waiting;
    }
    calls
}

/// What is known at the choices of a play: first what is needed where it stands, then what was known before all of it, then
/// what the calls around it still need. Each variable is told once.
struct Naming<'g, 'p> {
    game: &'g Game<'p>,
    program: &'p Program,
    played: &'p Played,
    /// What was known before.
    known: &'g [Held],
}

impl Naming<'_, '_> {
    /// A choice without its cases.
    fn choice(&self, solved: &Solved, place: &Place, who: Who) -> Choice {
        let point = self.game.point(place.graph, place.point);
        let arms = match &point.step {
            Step::Choose { arms, .. } => arms.iter().map(|arm| arm.label.clone()).collect(),
            _ => Vec::new(),
        };
        let (span, cases) = (point.span, Vec::new());
        let (mut names, mut bound, mut dice) = (Vec::new(), Vec::new(), Vec::new());
        self.each(solved, place, &mut |graph, local, held| {
            let name = self.name(graph, local);
            bound.push(if name.is_none() { self.bound(graph, local) } else { None });
            names.push(name.unwrap_or_else(|| NAMELESS.into()));
            dice.push(matches!(held, Some(Held::Dice(_))));
        });
        let calls = calls(solved, place);
        let beyond = Vec::new();
        Choice { span, who, arms, calls, names, bound, dice, beyond, cases }
    }

    /// The values of what is known in a case.
    fn values(&self, solved: &Solved, place: &Place) -> Vec<Value> {
        let mut values = Vec::new();
        self.each(solved, place, &mut |_, _, held| {
            values.push(held.map_or(Value::None, |held| self.game.shown(held)));
        });
        values
    }

    fn each(
        &self,
        solved: &Solved,
        place: &Place,
        tell: &mut dyn FnMut(GraphId, LocalId, Option<Held>),
    ) {
        // What only counts does not matter.
        let tell = &mut |graph: GraphId, local: LocalId, held: Option<Held>| {
            let variable = (self.game.graph(graph).function, local);
            if !is_score(&solved.tree.scores, variable) {
                tell(graph, local, held);
            }
        };
        let own = &self.game.point(place.graph, place.point).needed;
        for (local, held) in own.iter().zip(place.values.iter()) {
            tell(place.graph, *local, Some(*held));
        }
        let is_own = |local: &LocalId| place.graph == self.played.graph && own.contains(local);
        for (at, local) in self.played.known.iter().enumerate() {
            if !is_own(local) {
                tell(self.played.graph, *local, self.known.get(at).copied());
            }
        }
        let mut waiting = place.waiting;
        while waiting != NOBODY {
            let call = &solved.tree.waiting[waiting as usize];
            let is_known = |local: &LocalId| {
                call.graph == self.played.graph && self.played.known.contains(local)
            };
            for (local, held) in call.values.iter().filter(|(local, _)| !is_known(local)) {
                tell(call.graph, *local, Some(*held));
            }
            waiting = call.waiting;
        }
    }

    fn name(&self, graph: GraphId, local: LocalId) -> Option<Arc<str>> {
        let function = self.game.graph(graph).function;
        self.program.local(function, local).and_then(|local| local.name.clone())
    }

    /// Where a variable is bound to what somebody wrote.
    fn bound(&self, graph: GraphId, local: LocalId) -> Option<Span> {
        let points = &self.game.graph(graph).points;
        let binds = points.iter().find(|point| point.step.binds() == Some(local))?;
        match &binds.step {
            Step::Let { value, .. } if matches!(value.kind, Kind::Constant(_)) => None,
            Step::Let { value, .. } => Some(value.span),
            _ => Some(binds.span),
        }
    }
}
