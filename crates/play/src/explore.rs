//! Finding the places of a game, from its start.
//!
//! From a place on, everything that is without chance and without choice is done at once: what comes of it is the next place.
//! So a hand is sorted before it is looked up, and hands that are the same when sorted are one place.

use std::ops::Range;
use std::rc::Rc;

use astragal_odds::Failure;
use astragal_odds::known::Held;
use astragal_odds::ways::SCORES;
use astragal_prob::Rational;
use astragal_program::core::{Kind, Measure, Who};
use astragal_program::fault::FaultKind;
use astragal_program::points::{Arm, GraphId, PointId, Step};
use astragal_syntax::span::Span;
use astragal_value::{Number, Value, Word};
use rustc_hash::FxHashMap;

use crate::endless::Thrown;
use crate::far::SUSPICIOUS;
use crate::game::{Game, Variables, slot};
use crate::scores::{Score, worth};
use crate::tree::{Counts, NOBODY, Node, Place, PlaceId, Tree, Waiting};

/// What it costs to come to a place and to look it up, in steps of the budget.
const PLACE: u64 = 40;

/// Where a game stands.
#[derive(Clone, Copy)]
struct At {
    graph: GraphId,
    point: PointId,
    waiting: u32,
}

/// For what is played: which `maximise`, and what is known before.
pub(crate) type Aim<'k> = Option<(usize, &'k [Held])>;

impl Game<'_> {
    /// All places that can be come to, and the first.
    pub(crate) fn explore(
        &mut self,
        graph: GraphId,
        variables: Variables,
        aim: Aim<'_>,
    ) -> Result<(Tree, PlaceId), Failure> {
        let start = At { graph, point: self.graph(graph).start, waiting: NOBODY };
        if let Some(scores) = self.decided_with(aim) {
            return self.explore_without(scores, start, variables, aim);
        }
        let mut tree = Tree::default();
        let first = self.go_on(&mut tree, start, variables.clone(), aim)?;
        let known = self.find(&mut tree, 0..SUSPICIOUS, aim)?;
        if known == tree.nodes.len() {
            return Ok((tree, first));
        }
        // So many that there may be no end.
        let mut scores = match self.meter.may(SCORES) {
            true => self.scores_of(&tree, aim),
            false => Vec::new(),
        };
        while !scores.is_empty() {
            let without = Rc::new(scores.clone());
            match self.explore_without(without, start, variables.clone(), aim) {
                Err(_) if self.forgotten != 0 => {
                    let kept = scores.into_iter().zip(0..).filter(|(_, at)| {
                        let at: u32 = *at;
                        self.forgotten & (1 << at) == 0
                    });
                    scores = kept.map(|(score, _)| score).collect();
                    self.is_too_large = false;
                }
                found => {
                    self.meter.took(SCORES);
                    return found;
                }
            }
        }
        self.explore_on(tree, first, known, (start, variables), aim)
    }

    /// The same with every number told apart.
    pub(crate) fn explore_as_it_is(
        &mut self,
        graph: GraphId,
        variables: Variables,
        aim: Aim<'_>,
    ) -> Result<(Tree, PlaceId), Failure> {
        let start = At { graph, point: self.graph(graph).start, waiting: NOBODY };
        let mut tree = Tree::default();
        let first = self.go_on(&mut tree, start, variables.clone(), aim)?;
        let known = self.find(&mut tree, 0..SUSPICIOUS, aim)?;
        self.explore_on(tree, first, known, (start, variables), aim)
    }

    /// The same without numbers that only count.
    fn explore_without(
        &mut self,
        scores: Rc<Vec<Score>>,
        start: At,
        variables: Variables,
        aim: Aim<'_>,
    ) -> Result<(Tree, PlaceId), Failure> {
        (self.forgotten, self.counted) = (0, 0);
        let mut tree = Tree::without(scores);
        let first = self.go_on(&mut tree, start, variables.clone(), aim)?;
        let known = self.find(&mut tree, 0..SUSPICIOUS, aim)?;
        self.explore_on(tree, first, known, (start, variables), aim)
    }

    /// Goes on from so many places that there may be no end.
    fn explore_on(
        &mut self,
        mut tree: Tree,
        mut first: PlaceId,
        known: usize,
        (start, variables): (At, Variables),
        aim: Aim<'_>,
    ) -> Result<(Tree, PlaceId), Failure> {
        if known == tree.nodes.len() {
            return Ok((tree, first));
        }
        match self.horizon(&tree, aim)? {
            None => self.find(&mut tree, known..usize::MAX, aim)?,
            Some(horizon) => {
                tree = Tree::without(Rc::clone(&tree.scores));
                tree.horizon = Some(Rc::new(horizon));
                self.counted = 0;
                first = self.go_on(&mut tree, start, variables, aim)?;
                self.find(&mut tree, 0..usize::MAX, aim)?
            }
        };
        Ok((tree, first))
    }

    /// Looks at these places, and those that they lead to, up to the horizon. Says how many were looked at.
    pub(crate) fn find(
        &mut self,
        tree: &mut Tree,
        places: Range<usize>,
        aim: Aim<'_>,
    ) -> Result<usize, Failure> {
        let found = self.find_within(tree, places, aim);
        // Of plays inside each other, the innermost was too large.
        let is_first = found.is_err() && !std::mem::replace(&mut self.is_too_large, true);
        found.map_err(|failure| match is_first {
            true => failure.among_places(tree.nodes.len(), tree.deepest_calls()),
            false => failure,
        })
    }

    fn find_within(
        &mut self,
        tree: &mut Tree,
        places: Range<usize>,
        aim: Aim<'_>,
    ) -> Result<usize, Failure> {
        let mut next = places.start;
        while next < tree.nodes.len().min(places.end) {
            if matches!(tree.nodes[next], Node::Open) {
                let horizon = tree.horizon.as_deref();
                let beyond = horizon.and_then(|horizon| horizon.taken(&tree.places[next]));
                tree.along = horizon.map(|horizon| horizon.number);
                tree.is_cut |= beyond.is_some();
                let only = beyond.or(self.decided_at(tree, next as PlaceId, aim)?);
                let node = self.look(tree, next as PlaceId, only, aim)?;
                tree.nodes[next] = node;
            }
            if next.is_multiple_of(1000) {
                let room = self.meter.room(tree.bytes());
                room.map_err(|over| self.refused_as(astragal_odds::over_budget(over)))?;
            }
            next += 1;
        }
        Ok(next)
    }

    /// What happens at a place; beyond the horizon, or where all is decided, only one option is looked at.
    fn look(
        &mut self,
        tree: &mut Tree,
        number: PlaceId,
        only: Option<u32>,
        aim: Aim<'_>,
    ) -> Result<Node, Failure> {
        let Place { graph, point, values, waiting } = tree.places[number as usize].clone();
        self.counted = tree.counted.get(&number).copied().unwrap_or(0);
        let here = self.point(graph, point);
        let mut variables = self.nothing();
        for (local, held) in here.needed.iter().zip(values.iter()) {
            variables[slot(*local)] = *held;
        }
        let at = At { graph, point, waiting };
        match &here.step {
            Step::Choose { who, arms } => {
                self.arms(tree, at, (*who, arms.as_slice()), &variables, only, aim)
            }
            Step::Pick { .. } => self.picks(tree, at, variables, only, aim),
            Step::Let { .. }
            | Step::Branch { .. }
            | Step::Call { .. }
            | Step::Best { .. }
            | Step::Measure { .. }
            | Step::Require { .. }
            | Step::Given { .. }
            | Step::Note { .. }
            | Step::Return(_) => self.chance(tree, (number, at), &variables, aim),
        }
    }

    /// One of the arms that are open is taken.
    fn arms(
        &mut self,
        tree: &mut Tree,
        at: At,
        (who, arms): (Who, &[Arm]),
        variables: &Variables,
        only: Option<u32>,
        aim: Aim<'_>,
    ) -> Result<Node, Failure> {
        let mut options = Vec::with_capacity(arms.len());
        let mut part = self.part(at.graph, at.point, 0);
        for (arm, number) in arms.iter().zip(0..) {
            if arm.open.is_some() {
                let told = self.tell(part, variables)?;
                part += 1;
                if let Some(failed) = told.aside.failed.first() {
                    return Ok(Node::Fails(Box::new(failed.clone())));
                }
                let yes = Held::Value(Word::bool(true));
                if !matches!(told.outcomes.as_slice(), [(held, _)] if *held == yes) {
                    continue;
                }
            }
            if only.is_some_and(|only| only != number) {
                continue;
            }
            let next = At { point: arm.next, ..at };
            options.push((number, self.go_on(tree, next, variables.clone(), aim)?));
        }
        Ok(choice(who, options, self.point(at.graph, at.point).span))
    }

    /// One item of a list is taken.
    fn picks(
        &mut self,
        tree: &mut Tree,
        at: At,
        mut variables: Variables,
        only: Option<u32>,
        aim: Aim<'_>,
    ) -> Result<Node, Failure> {
        let here = self.point(at.graph, at.point);
        let not_known = || Failure::refused(FaultKind::NotKnown, here.span);
        let Step::Pick { who, local, next, .. } = &here.step else { return Err(not_known()) };
        let told = self.tell(self.part(at.graph, at.point, 0), &variables)?;
        if let Some(failed) = told.aside.failed.first() {
            return Ok(Node::Fails(Box::new(failed.clone())));
        }
        let mut items = Vec::new();
        match told.outcomes.as_slice() {
            [(Held::Value(word), _)] if let Some(list) = word.as_list() => {
                self.asker.store.items(list, &mut items);
            }
            _ => return Err(not_known()),
        }
        let mut options = Vec::with_capacity(items.len());
        for (item, number) in items.into_iter().zip(0..) {
            if only.is_some_and(|only| only != number) {
                continue;
            }
            variables[slot(*local)] = Held::Value(item);
            let next = At { point: *next, ..at };
            options.push((number, self.go_on(tree, next, variables.clone(), aim)?));
        }
        Ok(choice(*who, options, here.span))
    }

    /// The value of an expression that cannot be left to chance.
    fn certain(&mut self, part: usize, known: &Variables, span: Span) -> Result<Value, Failure> {
        let told = self.tell(part, known)?;
        match (told.aside.failed.first(), told.outcomes.as_slice()) {
            (Some(failed), _) => Err(failed.clone()),
            (None, [(held, _)]) => Ok(self.value(*held)),
            (None, _) => Err(Failure::refused(FaultKind::NotKnown, span)),
        }
    }

    /// Something is thrown.
    fn chance(
        &mut self,
        tree: &mut Tree,
        (number, at): (PlaceId, At),
        variables: &Variables,
        aim: Aim<'_>,
    ) -> Result<Node, Failure> {
        let here = self.point(at.graph, at.point);
        let thrown = match &here.step {
            Step::Best { best, .. } => {
                let locals = &self.plays.bests[*best].known;
                let known: Vec<Held> = locals.iter().map(|local| variables[slot(*local)]).collect();
                let solved = self.best(*best, &known)?;
                Thrown::of(Rc::new(solved.law.clone()))
            }
            _ => self.thrown_at(tree, number, variables, aim)?,
        };
        let told = Rc::clone(&thrown.told);
        let mut next: Vec<(PlaceId, Rational)> = Vec::with_capacity(told.outcomes.len());
        let mut places: FxHashMap<PlaceId, usize> = FxHashMap::default();
        for (held, chance) in &told.outcomes {
            let to = self.with(tree, at, variables.clone(), *held, aim)?;
            let place = *places.entry(to).or_insert(next.len());
            match next.get_mut(place) {
                Some((_, known)) => *known += chance,
                None => next.push((to, chance.clone())),
            }
        }
        let next = next.into_iter().map(|(to, chance)| (to, tree.chance(chance))).collect();
        self.beyond(tree, number, thrown, aim)?;
        let aside = (!told.aside.is_nothing()).then(|| Box::new(told.aside.clone()));
        Ok(Node::Chance(next, aside))
    }

    /// Goes on where what was thrown is known.
    fn with(
        &mut self,
        tree: &mut Tree,
        at: At,
        mut variables: Variables,
        held: Held,
        aim: Aim<'_>,
    ) -> Result<PlaceId, Failure> {
        let here = self.point(at.graph, at.point);
        let truth = matches!(held, Held::Value(word) if word.as_bool() == Some(true));
        let next = match &here.step {
            Step::Let { local, next, .. } | Step::Best { local, next, .. } => {
                variables[slot(*local)] = held;
                *next
            }
            Step::Branch { then, otherwise, .. } => {
                if truth {
                    *then
                } else {
                    *otherwise
                }
            }
            Step::Require { next, .. } if truth => *next,
            Step::Require { .. } => return self.refused(tree, at, &variables),
            Step::Given { next, .. } if truth => *next,
            Step::Given { condition, .. } => {
                let failure = Failure::refused(FaultKind::ImpossibleEvidence, condition.span);
                return Ok(tree.last(Node::Rejected(Box::new(failure))));
            }
            Step::Return(_) => return self.come_back(tree, at, held, aim),
            Step::Choose { .. } | Step::Pick { .. } | Step::Call { .. } | Step::Measure { .. } => {
                at.point
            }
            Step::Note { next, .. } => *next,
        };
        self.go_on(tree, At { point: next, ..at }, variables, aim)
    }

    /// `require` says no.
    fn refused(
        &mut self,
        tree: &mut Tree,
        at: At,
        variables: &Variables,
    ) -> Result<PlaceId, Failure> {
        let told = self.tell(self.part(at.graph, at.point, 1), variables)?;
        let words = told.outcomes.first().map(|(held, _)| self.value(*held));
        let words = match words {
            Some(Value::Text(words)) => words,
            _ => "this is refused".into(),
        };
        let span = self.point(at.graph, at.point).span;
        let failure = Failure::refused(FaultKind::Refused(words), span);
        Ok(tree.last(Node::Fails(Box::new(failure))))
    }

    /// What a function, or the play as a whole, comes to.
    fn come_back(
        &mut self,
        tree: &mut Tree,
        at: At,
        held: Held,
        aim: Aim<'_>,
    ) -> Result<PlaceId, Failure> {
        if at.waiting == NOBODY {
            return tree.end(held, || match aim {
                Some(aim) => self.aim(aim, held),
                None => Ok(Counts::Number(Rational::ZERO)),
            });
        }
        let Waiting { graph, point, local, values, waiting } =
            tree.waiting[at.waiting as usize].clone();
        let mut variables = self.nothing();
        values.iter().for_each(|(local, held)| variables[slot(*local)] = *held);
        variables[slot(local)] = held;
        self.go_on(tree, At { graph, point, waiting }, variables, aim)
    }

    /// The place that is come to from a point.
    pub(crate) fn place_at(
        &mut self,
        tree: &mut Tree,
        (graph, point, waiting): (GraphId, PointId, u32),
        variables: Variables,
        aim: Aim<'_>,
    ) -> Result<PlaceId, Failure> {
        self.go_on(tree, At { graph, point, waiting }, variables, aim)
    }

    /// Does what is without chance, up to the next place.
    fn go_on(
        &mut self,
        tree: &mut Tree,
        mut at: At,
        mut variables: Variables,
        aim: Aim<'_>,
    ) -> Result<PlaceId, Failure> {
        loop {
            let here = self.point(at.graph, at.point);
            self.pay(PLACE, here.span)?;
            match &here.step {
                Step::Note { next, .. } => {
                    // Its words change nothing, unless something goes wrong in them.
                    let part = self.part(at.graph, at.point, 0);
                    if !self.says(at.graph, at.point) && self.at_once(part, &variables)?.is_none() {
                        break;
                    }
                    at.point = *next;
                }
                Step::Call { function, arguments, local, next } => {
                    let Some(graph) = self.plays.functions[function.0 as usize] else {
                        return Err(Failure::refused(FaultKind::NotKnown, here.span));
                    };
                    let held = arguments.iter().map(|given| self.argument(&given.kind, &variables));
                    let held: Vec<Held> = held.collect();
                    at = self.enter(tree, at, graph, (*local, *next), &variables);
                    variables[..held.len()].copy_from_slice(&held);
                }
                Step::Measure { local, next, .. } => {
                    variables[slot(*local)] = self.measured(at.graph, at.point, &variables)?;
                    at.point = *next;
                }
                Step::Choose { .. } | Step::Pick { .. } | Step::Best { .. } => break,
                Step::Return(_) => {
                    let part = self.part(at.graph, at.point, 0);
                    let Some(held) = self.held(part, &variables)? else { break };
                    return self.come_back(tree, at, held, aim);
                }
                Step::Let { local, next, .. } => {
                    let part = self.part(at.graph, at.point, 0);
                    let Some(held) = self.held(part, &variables)? else { break };
                    variables[slot(*local)] = held;
                    at.point = *next;
                }
                Step::Branch { .. } | Step::Require { .. } | Step::Given { .. } => {
                    let part = self.part(at.graph, at.point, 0);
                    let Some(held) = self.at_once(part, &variables)? else { break };
                    let Some(next) = led_on(&here.step, held) else { break };
                    at.point = next;
                }
            }
        }
        let needed = &self.point(at.graph, at.point).needed;
        let values = needed.iter().map(|local| variables[slot(*local)]).collect();
        let At { graph, point, waiting } = at;
        self.placed(tree, Place { graph, point, values, waiting })
    }

    /// The number of a place, which is without what only counts.
    fn placed(&mut self, tree: &mut Tree, place: Place) -> Result<PlaceId, Failure> {
        if tree.scores.is_empty() {
            return Ok(tree.place(place));
        }
        let scores = Rc::clone(&tree.scores);
        let span = self.point(place.graph, place.point).span;
        let Some((place, moved, known)) = self.without_scores(tree, place, &scores) else {
            self.forgotten = u32::MAX;
            return Err(Failure::refused(FaultKind::NotKnown, span));
        };
        self.forgotten = self.counted & !known;
        if self.forgotten != 0 {
            return Err(Failure::refused(FaultKind::NotKnown, span));
        }
        self.pay(PLACE, span)?;
        let to = tree.place(place);
        tree.counted.insert(to, known);
        Ok(tree.moved(to, worth(&scores, &moved), moved.into()))
    }

    /// What an expression comes to without chance; a variable may hold dice.
    fn held(&mut self, part: usize, variables: &Variables) -> Result<Option<Held>, Failure> {
        match self.asker.only_reads(part) {
            Some(local) => Ok(Some(variables[slot(local)])),
            None => self.at_once(part, variables),
        }
    }

    fn argument(&mut self, argument: &Kind, variables: &Variables) -> Held {
        match argument {
            Kind::Local(local) => variables[slot(*local)],
            Kind::Constant(value) => Held::Value(self.asker.store.word(value)),
            _ => Held::Value(Word::NONE),
        }
    }

    /// Enters a function. Nobody waits for what is only handed on.
    fn enter(
        &mut self,
        tree: &mut Tree,
        at: At,
        graph: GraphId,
        (local, next): (astragal_program::core::LocalId, PointId),
        variables: &Variables,
    ) -> At {
        let after = self.point(at.graph, next);
        let handed_on = self.graph(at.graph).hands_on(next, local);
        let waiting = if handed_on {
            at.waiting
        } else {
            let needed = after.needed.iter().filter(|needed| **needed != local);
            let values = needed.map(|needed| (*needed, variables[slot(*needed)])).collect();
            let (graph, point, waiting) = (at.graph, next, at.waiting);
            tree.wait(Waiting { graph, point, local, values, waiting })
        };
        At { graph, point: self.graph(graph).start, waiting }
    }

    /// What is known of something before it is played.
    fn measured(
        &mut self,
        graph: GraphId,
        point: PointId,
        variables: &Variables,
    ) -> Result<Held, Failure> {
        let here = self.point(graph, point);
        let Step::Measure { measure, percent, of, .. } = &here.step else {
            return Ok(Held::Value(Word::NONE));
        };
        let percent = match percent {
            Some(percent) => {
                Some(self.certain(self.part(graph, point, 0), variables, percent.span)?)
            }
            None => None,
        };
        let (tree, start) = self.explore(*of, variables.clone(), None)?;
        let (_, told) = self.solved(&tree, start, None)?;
        if let Some(failed) = told.aside.failed.first() {
            return Err(failed.clone());
        }
        if !told.aside.is_nothing() {
            return Err(Failure::refused(FaultKind::NotKnown, here.span));
        }
        let number = |held: &Held| match self.value(*held) {
            Value::Number(number) => number.to_rational(),
            Value::Bool(truth) => Rational::from(u8::from(truth)),
            _ => Rational::ZERO,
        };
        let law: Vec<(Rational, Rational)> =
            told.outcomes.iter().map(|(held, chance)| (number(held), chance.clone())).collect();
        let number = told_of(law, *measure, percent)
            .ok_or_else(|| Failure::refused(FaultKind::NotKnown, here.span))?;
        Ok(Held::Value(self.asker.store.word(&Value::Number(number))))
    }
}

/// What is told of a law.
fn told_of(
    mut law: Vec<(Rational, Rational)>,
    measure: Measure,
    percent: Option<Value>,
) -> Option<Number> {
    let mean = law.iter().fold(Rational::ZERO, |sum, (value, chance)| sum + value * chance);
    let variance = || {
        law.iter().fold(Rational::ZERO, |sum, (value, chance)| {
            let distance = value - &mean;
            sum + &distance * &distance * chance
        })
    };
    Some(match measure {
        Measure::Mean => Number::bounded(mean).ok()?,
        Measure::Variance => Number::bounded(variance()).ok()?,
        Measure::Deviation => Number::bounded(variance()).ok()?.root(),
        Measure::Percentile => {
            let Some(Value::Number(percent)) = percent else { return None };
            let wanted = percent.to_rational() / Rational::from(100u8);
            if wanted < Rational::ZERO || wanted > Rational::ONE {
                return None;
            }
            law.sort();
            let mut sum = Rational::ZERO;
            let found = law.into_iter().find(|(_, chance)| {
                sum += chance;
                sum >= wanted
            });
            Number::bounded(found?.0).ok()?
        }
    })
}

/// Where something leads that is known to hold or not to; none if it stops there.
fn led_on(step: &Step, held: Held) -> Option<PointId> {
    let truth = matches!(held, Held::Value(word) if word.as_bool() == Some(true));
    match step {
        Step::Branch { then, otherwise, .. } => Some(if truth { *then } else { *otherwise }),
        Step::Require { next, .. } | Step::Given { next, .. } => truth.then_some(*next),
        Step::Let { .. }
        | Step::Choose { .. }
        | Step::Pick { .. }
        | Step::Call { .. }
        | Step::Best { .. }
        | Step::Measure { .. }
        | Step::Note { .. }
        | Step::Return(_) => None,
    }
}

fn choice(who: Who, options: Vec<(u32, PlaceId)>, span: Span) -> Node {
    if options.is_empty() {
        let failure = Failure::refused(FaultKind::NothingToChoose, span);
        return Node::Fails(Box::new(failure));
    }
    Node::Choice(who, options)
}
