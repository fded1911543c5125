//! Calls with many runs, by what the body asks of its parameters.
//!
//! `function: f A:s B:s { X: A > 4 Y: B > 4 result: X - Y }` with `8d6` and `7d6` has 1,287 · 792 runs; but all that the body
//! asks of `A` is a number from 0 to 8. So a cast parameter is not decided when the body begins. Where something is asked that
//! reads *one* undecided parameter and no other, it is worked out for every outcome that is still possible, outcomes with
//! equal answers make a group, and the body goes on once for each group. The parameters stay independent on each path, so
//! the path's weight is the product of those of its groups. What reads several of them decides each for itself: in
//! `{A, B}` each outcome is a group of its own, as if the parameter had been decided at the beginning.
//!
//! The paths are gone through by running the body again and again: the choices made so far are a trail, which is followed to
//! its end and lengthened; then the last choice is changed. This needs runs that do not see each other
//! ([`Reads::of`](crate::reads::Reads::of)). Where groups turn out to have one member each, all runs are gone through instead.

use std::rc::Rc;

use astragal_prob::Natural;
use rustc_hash::FxHashMap;

use crate::call::Argument;
use crate::fault::Ran;
use crate::mixture::Mixture;
use crate::quick::{BuiltIn, Done, Quick, Word, built_in};
use crate::reads::{Parameters, Reads, place_of};
use crate::run::{Flow, Machine};
use crate::tree::{Expr, ExprKind, Function, Statement, StatementKind, Variable};
use crate::value::{Die, Value};

/// Parameters with more outcomes are not held all at once.
const MOST_OUTCOMES: usize = 100_000;
/// Answers that are known are forgotten when they take more than that.
const MOST_BYTES: usize = 64 << 20;
const BYTES_OF_A_GROUP: usize = 200;
/// After so many paths it is known whether groups are worth it: by then a path stands for several runs.
const TRIED: u64 = 200;
const WORTH: u64 = 2;

/// A cast call that is being run.
pub(crate) struct Grouping {
    reads: Rc<Reads>,
    built_in: Rc<BuiltIn>,
    parameters: Vec<Parameter>,
    undecided: Parameters,
    trail: Vec<Choice>,
    /// How much of the trail was followed on this path.
    followed: usize,
    known: FxHashMap<Question, Rc<[Group]>>,
    /// About how much memory the answers take that are known.
    bytes: usize,
    /// The number of the next set of outcomes.
    next_set: usize,
}

/// A parameter and the outcomes that it may still have on this path.
struct Parameter {
    variable: Variable,
    outcomes: Rc<[(Value, Natural)]>,
    /// The same outcomes for quick answers.
    words: Rc<[Option<Word>]>,
    all: Rc<Set>,
    left: Rc<Set>,
}

/// Some outcomes of a parameter, by their places.
struct Set {
    number: usize,
    places: Vec<usize>,
    weight: Natural,
}

/// Outcomes with equal answers.
struct Group {
    answer: Answer,
    set: Rc<Set>,
}

/// What a part of a body comes to: its value, or the result of the function; and what it leaves in variables.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Answer {
    value: Option<Value>,
    written: Vec<Option<Value>>,
}

/// Outcomes put together by their answers, in the order in which these came up.
#[derive(Default)]
struct Sorted {
    /// The number of the first set.
    first: usize,
    places: FxHashMap<Answer, usize>,
    sets: Vec<Set>,
}

impl Sorted {
    fn add(&mut self, answer: Answer, outcome: usize, weight: &Natural) {
        let next = self.sets.len();
        let group = *self.places.entry(answer).or_insert(next);
        if group == next {
            let number = self.first + next;
            self.sets.push(Set { number, places: Vec::new(), weight: Natural::ZERO });
        }
        self.sets[group].places.push(outcome);
        self.sets[group].weight += weight;
    }

    fn groups(self) -> Vec<Group> {
        let mut answers: Vec<(Answer, usize)> = self.places.into_iter().collect();
        answers.sort_unstable_by_key(|(_, group)| *group);
        let answers = answers.into_iter().map(|(answer, _)| answer);
        answers.zip(self.sets).map(|(answer, set)| Group { answer, set: Rc::new(set) }).collect()
    }
}

struct Choice {
    groups: Rc<[Group]>,
    at: usize,
}

/// All runs of a call, one by one.
struct Every<'a, 'm> {
    function: &'a Function,
    parameters: &'a [Parameter],
    quick: Option<Quick<'m>>,
    /// The outcomes of the first parameters, by their places.
    chosen: Vec<usize>,
    mixture: Mixture,
}

/// What is asked.
#[derive(Clone, Copy)]
enum Part<'t> {
    Expr(&'t Expr),
    Statement(&'t Statement),
    /// Which outcome it is.
    Itself,
}

/// A question that was answered: of which part, of which outcomes, with which other variables.
#[derive(PartialEq, Eq, Hash)]
struct Question {
    part: (u8, usize),
    parameter: usize,
    set: usize,
    around: Vec<Option<Value>>,
}

impl Machine<'_> {
    /// The results of a call whose runs may be gone through in any order; none if there are few, or if they see each other.
    pub(crate) fn grouped_runs(
        &mut self,
        function: &Function,
        ready: &[Argument],
    ) -> Ran<Option<Mixture>> {
        let runs = ready.iter().fold(1_u64, |runs, one| runs.saturating_mul(one.outcomes()));
        let few = ready.iter().all(|one| one.outcomes() <= MOST_OUTCOMES as u64);
        if runs < self.settings.group_from.max(2) || !few {
            return Ok(None);
        }
        let Some(reads) = self.reads(function) else { return Ok(None) };
        let grouping = self.grouping(function, ready, reads)?;
        self.grouping = Some(Box::new(grouping));
        let mixture = self.all_paths(function)?;
        let grouping = self.grouping.take();
        match (mixture, grouping) {
            (None, Some(grouping)) => self.every_run(function, &grouping).map(Some),
            (mixture, _) => Ok(mixture),
        }
    }

    /// The results of all runs one by one, on words as long as that goes.
    fn every_run(&mut self, function: &Function, grouping: &Grouping) -> Ran<Mixture> {
        let read: Vec<Variable> = (0..self.program.variables.len()).collect();
        let mut every = Every {
            function,
            parameters: &grouping.parameters,
            quick: Some(Quick::new(self, &grouping.built_in, &read)),
            chosen: Vec::with_capacity(grouping.parameters.len()),
            mixture: Mixture::default(),
        };
        self.runs_from(&mut every, &Natural::ONE)?;
        Ok(every.mixture)
    }

    /// The runs with the outcomes that are chosen for the first parameters.
    fn runs_from(&mut self, every: &mut Every<'_, '_>, weight: &Natural) -> Ran<()> {
        let Some(parameter) = every.parameters.get(every.chosen.len()) else {
            let value = self.one_run(every)?;
            return Ok(every.mixture.add(&value, weight.clone(), self.meter)?);
        };
        for (place, (_, ways)) in parameter.outcomes.iter().enumerate() {
            if let Some(quick) = &mut every.quick {
                quick.set(parameter.variable, parameter.words[place].clone());
            }
            every.chosen.push(place);
            self.runs_from(every, &(weight * ways))?;
            every.chosen.pop();
        }
        Ok(())
    }

    fn one_run(&mut self, every: &mut Every<'_, '_>) -> Ran<Value> {
        let body = &every.function.body;
        match every.quick.as_mut().and_then(|quick| quick.block(body)) {
            Some(Done::Result(word)) => return Ok(word.value()),
            Some(Done::On) => return Ok(Value::Die(Die::empty())),
            None => every.quick = None,
        }
        for (parameter, place) in every.parameters.iter().zip(&every.chosen) {
            self.scopes.bind(parameter.variable, parameter.outcomes[*place].0.clone());
        }
        self.run_body(every.function)
    }

    /// Binds what is decided already; the other parameters wait.
    fn grouping(
        &mut self,
        function: &Function,
        ready: &[Argument],
        reads: Rc<Reads>,
    ) -> Ran<Grouping> {
        let mut parameters = Vec::with_capacity(ready.len());
        for ((variable, _), argument) in function.parameters.iter().zip(ready) {
            let outcomes = argument.listed(self.meter)?;
            let weight = outcomes.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight);
            let places = (0..outcomes.len()).collect();
            let all = Rc::new(Set { number: parameters.len(), places, weight });
            let left = Rc::clone(&all);
            let words = outcomes.iter().map(|(value, _)| Word::of(value)).collect();
            parameters.push(Parameter { variable: *variable, outcomes, words, all, left });
        }
        Ok(Grouping {
            reads,
            built_in: Rc::new(built_in(self)),
            next_set: parameters.len(),
            parameters,
            undecided: 0,
            trail: Vec::new(),
            followed: 0,
            known: FxHashMap::default(),
            bytes: 0,
        })
    }

    fn all_paths(&mut self, function: &Function) -> Ran<Option<Mixture>> {
        let mut mixture = Mixture::default();
        let (mut paths, mut runs) = (0, 0_u64);
        loop {
            for (variable, value) in self.started() {
                self.scopes.bind(variable, value);
            }
            let value = self.run_body(function)?;
            let Some(grouping) = &mut self.grouping else { return Ok(None) };
            mixture.add(&value, grouping.weight(), self.meter)?;
            paths += 1;
            runs = runs.saturating_add(grouping.size());
            if paths == TRIED && runs < WORTH * paths && self.settings.group_from > 0 {
                return Ok(None);
            }
            if !grouping.turn() {
                return Ok(Some(mixture));
            }
        }
    }

    /// Begins a path: the parameters that have one outcome are decided.
    fn started(&mut self) -> Vec<(Variable, Value)> {
        let Some(grouping) = &mut self.grouping else { return Vec::new() };
        (grouping.followed, grouping.undecided) = (0, 0);
        let mut decided = Vec::new();
        for (place, parameter) in grouping.parameters.iter_mut().enumerate() {
            parameter.left = Rc::clone(&parameter.all);
            match &*parameter.outcomes {
                [(only, _)] => decided.push((parameter.variable, only.clone())),
                _ => grouping.undecided |= 1 << place,
            }
        }
        decided
    }

    /// The value of an expression that reads an undecided parameter; none if its parts are to be looked at.
    pub(crate) fn grouped_value(&mut self, expr: &Expr) -> Ran<Option<Value>> {
        let Some(grouping) = &self.grouping else { return Ok(None) };
        let Some(seen) = grouping.reads.expr(expr) else { return Ok(None) };
        let asked = seen.parameters & grouping.undecided;
        if asked == 0 {
            return Ok(None);
        }
        if asked.count_ones() == 1 {
            let part = match expr.kind {
                ExprKind::Variable(_) => Part::Itself,
                _ => Part::Expr(expr),
            };
            return Ok(self.chosen(part, asked.trailing_zeros() as usize)?.value);
        }
        let mut behind = seen.behind & grouping.undecided;
        while behind != 0 {
            self.chosen(Part::Itself, behind.trailing_zeros() as usize)?;
            behind &= behind - 1;
        }
        Ok(None)
    }

    /// A statement that reads one undecided parameter, as a whole; none if its parts are to be looked at.
    pub(crate) fn grouped_statement(&mut self, statement: &Statement) -> Ran<Option<Flow>> {
        let Some(grouping) = &self.grouping else { return Ok(None) };
        // Of a condition it is better to ask which branch is taken.
        if !matches!(statement.kind, StatementKind::Loop { .. }) {
            return Ok(None);
        }
        let Some(seen) = grouping.reads.statement(statement) else { return Ok(None) };
        let asked = seen.parameters & grouping.undecided;
        if asked.count_ones() != 1 {
            return Ok(None);
        }
        let written: Vec<Variable> = seen.written[..seen.lasting].to_vec();
        let answer = self.chosen(Part::Statement(statement), asked.trailing_zeros() as usize)?;
        for (variable, value) in written.iter().zip(answer.written) {
            if let Some(value) = value {
                self.scopes.write(*variable, value);
            }
        }
        Ok(Some(answer.value.map_or(Flow::On, Flow::Result)))
    }

    /// Goes on with one of the groups that the answers to a question make.
    fn chosen(&mut self, part: Part<'_>, place: usize) -> Ran<Answer> {
        let Some(mut grouping) = self.grouping.take() else { return Ok(Answer::default()) };
        if grouping.followed == grouping.trail.len() {
            let groups = self.groups(&mut grouping, part, place)?;
            grouping.trail.push(Choice { groups, at: 0 });
        }
        let choice = &grouping.trail[grouping.followed];
        let group = &choice.groups[choice.at];
        let answer = group.answer.clone();
        let parameter = &mut grouping.parameters[place];
        parameter.left = Rc::clone(&group.set);
        grouping.followed += 1;
        if let [only] = parameter.left.places.as_slice() {
            self.scopes.bind(parameter.variable, parameter.outcomes[*only].0.clone());
            grouping.undecided &= !(1 << place);
        }
        self.grouping = Some(grouping);
        Ok(answer)
    }

    /// The groups that the answers to a question make; one that was asked before has the same.
    #[allow(clippy::mutable_key_type, reason = "what changes inside a die is only remembered")]
    fn groups(
        &mut self,
        grouping: &mut Grouping,
        part: Part<'_>,
        place: usize,
    ) -> Ran<Rc<[Group]>> {
        let question = self.question(grouping, part, place);
        if let Some(known) = grouping.known.get(&question) {
            return Ok(Rc::clone(known));
        }
        let groups: Rc<[Group]> = self.asked(grouping, part, place)?.into();
        let outcomes = grouping.parameters[place].left.places.len();
        grouping.next_set += groups.len();
        grouping.bytes += outcomes * 8 + groups.len() * BYTES_OF_A_GROUP;
        if grouping.bytes > MOST_BYTES {
            grouping.known.clear();
            grouping.bytes = 0;
        }
        self.meter.room(grouping.bytes as u64)?;
        grouping.known.insert(question, Rc::clone(&groups));
        Ok(groups)
    }

    /// Works a part out for each outcome that is left, on words as long as that goes.
    fn asked(&mut self, grouping: &Grouping, part: Part<'_>, place: usize) -> Ran<Vec<Group>> {
        let parameter = &grouping.parameters[place];
        let (written, lasting) = written(grouping, part);
        let before = self.values_of(&written);
        let mut quick = self.quick(grouping, part, &written);
        let mut sorted = Sorted { first: grouping.next_set, ..Sorted::default() };
        for at in &parameter.left.places {
            self.meter.charge(6)?;
            let (outcome, weight) = &parameter.outcomes[*at];
            let word = parameter.words[*at].as_ref();
            let quickly = quick.as_mut().zip(word).and_then(|(quick, word)| {
                quick.set(parameter.variable, Some(word.clone()));
                quickly(quick, part, &written[..lasting])
            });
            let answer = match quickly {
                Some(answer) => answer,
                None => {
                    // What is no matter of words for one is none for the others.
                    quick = None;
                    self.scopes.bind(parameter.variable, outcome.clone());
                    let answer = self.answer(part, outcome, &written[..lasting])?;
                    self.put_back(&written, &before);
                    answer
                }
            };
            if let Some(quick) = &mut quick {
                for (variable, value) in written.iter().zip(&before) {
                    quick.set(*variable, value.as_ref().and_then(Word::of));
                }
            }
            sorted.add(answer, *at, weight);
        }
        Ok(sorted.groups())
    }

    /// The variables around a part, if it may be a matter of words.
    fn quick(
        &self,
        grouping: &Grouping,
        part: Part<'_>,
        written: &[Variable],
    ) -> Option<Quick<'_>> {
        let seen = match part {
            Part::Itself => return None,
            Part::Expr(expr) => grouping.reads.expr(expr)?,
            Part::Statement(statement) => grouping.reads.statement(statement)?,
        };
        let read: Vec<Variable> = seen.read.iter().chain(written).copied().collect();
        Some(Quick::new(self, &grouping.built_in, &read))
    }

    fn answer(&mut self, part: Part<'_>, outcome: &Value, written: &[Variable]) -> Ran<Answer> {
        Ok(match part {
            Part::Itself => Answer { value: Some(outcome.clone()), written: Vec::new() },
            Part::Expr(expr) => Answer { value: Some(self.value(expr)?), written: Vec::new() },
            Part::Statement(statement) => match self.statement(statement)? {
                Flow::Result(value) => Answer { value: Some(value), written: Vec::new() },
                Flow::On => Answer { value: None, written: self.values_of(written) },
            },
        })
    }

    fn question(&self, grouping: &Grouping, part: Part<'_>, place: usize) -> Question {
        let (part, seen) = match part {
            Part::Expr(expr) => ((0, place_of(expr)), grouping.reads.expr(expr)),
            Part::Statement(one) => ((1, place_of(one)), grouping.reads.statement(one)),
            Part::Itself => ((2, 0), None),
        };
        let parameter = &grouping.parameters[place];
        let others = seen.into_iter().flat_map(|seen| seen.read.iter());
        let others = others.filter(|variable| **variable != parameter.variable);
        let around =
            others.map(|variable| self.scopes.read(*variable).map(|(value, _)| value.clone()));
        Question { part, parameter: place, set: parameter.left.number, around: around.collect() }
    }

    fn values_of(&self, variables: &[Variable]) -> Vec<Option<Value>> {
        let value =
            |variable: &Variable| self.scopes.read(*variable).map(|(value, _)| value.clone());
        variables.iter().map(value).collect()
    }

    /// What one outcome wrote must not be seen by the next.
    fn put_back(&mut self, variables: &[Variable], values: &[Option<Value>]) {
        for (variable, value) in variables.iter().zip(values) {
            if let Some(value) = value {
                self.scopes.write(*variable, value.clone());
            }
        }
    }
}

/// The answer for one outcome, if it is a matter of words.
fn quickly(quick: &mut Quick<'_>, part: Part<'_>, written: &[Variable]) -> Option<Answer> {
    let value = match part {
        Part::Itself => return None,
        Part::Expr(expr) => Some(quick.value(expr)?),
        Part::Statement(statement) => match quick.statement(statement)? {
            Done::On => None,
            Done::Result(word) => Some(word),
        },
    };
    let lasting = if value.is_some() { &[] } else { written };
    let written = lasting.iter().map(|variable| quick.get(*variable).map(Word::value)).collect();
    Some(Answer { value: value.as_ref().map(Word::value), written })
}

/// What a part may write, and how much of that is read elsewhere.
fn written(grouping: &Grouping, part: Part<'_>) -> (Vec<Variable>, usize) {
    let seen = match part {
        Part::Statement(statement) => grouping.reads.statement(statement),
        Part::Expr(_) | Part::Itself => None,
    };
    seen.map(|seen| (seen.written.to_vec(), seen.lasting)).unwrap_or_default()
}

impl Grouping {
    /// The weight of the path that was just gone.
    fn weight(&self) -> Natural {
        self.parameters.iter().fold(Natural::ONE, |all, one| all * &one.left.weight)
    }

    /// For how many runs it stands.
    fn size(&self) -> u64 {
        let sizes = self.parameters.iter().map(|one| one.left.places.len() as u64);
        sizes.fold(1, u64::saturating_mul)
    }

    /// Changes the last choice that can be changed; no if there is none.
    fn turn(&mut self) -> bool {
        while let Some(last) = self.trail.last_mut() {
            last.at += 1;
            if last.at < last.groups.len() {
                return true;
            }
            self.trail.pop();
        }
        false
    }
}
