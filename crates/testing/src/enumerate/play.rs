//! The best play, found the plain way: every list of decisions, each followed from the start.
//!
//! A `maximise` is gone through with a script of the faces and choices so far. Where it wants one face more, it is
//! gone through once for each, and is worth the mean; where it wants one choice more, once for each option, and is
//! worth the best of them. At the end the aim counts:
//!
//! ```text
//! maximise do let x = d2; choose "keep" => x; "again" => d2 end end
//!   script 0:   x is 1, and a choice is wanted     script 0 0:   keep, worth 1
//!                                                  script 0 1:   again, worth the mean of 0 1 0 and 0 1 1
//! ```
//!
//! So a choice may know all that was thrown before it, and nothing else. No two scripts are taken for the same state.
//! What may go wrong is worse than anything for whoever chooses; of equal options the first is taken.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use astragal::{Rational, Span, Value};
use astragal_program::core::{Best, ChoiceArm, Expr, Goal, Who};
use astragal_program::fault::FaultKind;

use super::run::{Locals, Run, Stop, Thing, fails};
use super::tape::Tape;
use super::{Plays, place};

/// A list of decisions: faces and options, by their places.
type Decisions = Vec<usize>;

/// How a `maximise` is played.
pub(super) struct Policy {
    /// What is taken after these decisions.
    taken: BTreeMap<Decisions, usize>,
}

/// The policies that were found already.
#[derive(Default)]
pub(super) struct Known {
    /// By the decisions before, and the number of forms that were evaluated before.
    policies: BTreeMap<(Decisions, u32), Rc<Policy>>,
    /// What each `maximise` was found to be worth, also those that only other decisions lead to.
    pub(super) worths: Plays,
    /// There was one with too many decisions: no other is looked for.
    given_up: bool,
}

/// Whoever says which faces come up.
pub(super) enum Source<'a> {
    Tape(&'a mut Tape),
    Script(&'a mut Script),
}

/// The decisions of a run, and what is wanted behind the last.
pub(super) struct Script {
    said: Decisions,
    read: usize,
    wants: Option<Wanted>,
}

enum Wanted {
    /// A face of a die with these weights.
    Face(Vec<u64>),
    /// One of so many options.
    Choice(Who, usize),
}

impl Script {
    fn next(&mut self, wanted: impl FnOnce() -> Wanted) -> Option<usize> {
        let next = self.said.get(self.read).copied();
        self.read += 1;
        if next.is_none() {
            self.wants = Some(wanted());
        }
        next
    }
}

impl Source<'_> {
    fn throw(&mut self, weights: impl FnOnce() -> Vec<u64>) -> Option<usize> {
        match self {
            Source::Tape(tape) => tape.throw(weights),
            Source::Script(script) => script.next(|| Wanted::Face(weights())),
        }
    }

    fn so_far(&self) -> Decisions {
        match self {
            Source::Tape(tape) => tape.faces().collect(),
            Source::Script(script) => script.said[..script.read].to_vec(),
        }
    }
}

/// Who decides in a `maximise` that is gone through.
pub(super) enum Play {
    /// The script: the best play is looked for.
    Open,
    /// The policy, after these decisions.
    Known(Rc<Policy>, Decisions),
}

impl Run<'_> {
    /// One face; the plays around have seen it.
    pub(super) fn face(&mut self, weights: impl FnOnce() -> Vec<u64>) -> Result<usize, Stop> {
        let face = self.source.throw(weights).ok_or(Stop::Cut)?;
        for play in &mut self.plays {
            if let Play::Known(_, decisions) = play {
                decisions.push(face);
            }
        }
        Ok(face)
    }

    /// What is played for, under the best play.
    pub(super) fn best(
        &mut self,
        best: &Best,
        span: Span,
        locals: &mut Locals,
    ) -> Result<Value, Stop> {
        let here = (self.source.so_far(), self.forms);
        let policy = match self.known.policies.get(&here) {
            Some(policy) => Rc::clone(policy),
            None => {
                let found = Rc::new(self.search(best, span, locals)?);
                self.known.policies.insert(here, Rc::clone(&found));
                found
            }
        };
        self.plays.push(Play::Known(policy, Vec::new()));
        let value = self.value(&best.value, locals);
        self.plays.pop();
        value
    }

    fn search(&mut self, best: &Best, span: Span, locals: &Locals) -> Result<Policy, Stop> {
        if self.known.given_up {
            return Err(Stop::Cut);
        }
        let (known, taken) = (Known::default(), BTreeMap::new());
        let mut search = Search { from: self, best, locals, known, taken, runs: 0 };
        let found = search.worth(&Vec::new());
        let (taken, inside) = (search.taken, search.known.worths);
        self.known.given_up = found.is_err();
        let Worth { sum, counts } = found?;
        let worth = sum.filter(|_| !counts.is_zero()).map(|sum| sum / counts);
        let own = (place(&span), BTreeSet::from([worth]));
        for (place, worths) in inside.into_iter().chain([own]) {
            self.known.worths.entry(place).or_default().extend(worths);
        }
        Ok(Policy { taken })
    }

    pub(super) fn choose(
        &mut self,
        who: Who,
        arms: &[ChoiceArm],
        span: Span,
        locals: &mut Locals,
    ) -> Result<Value, Stop> {
        let mut open = Vec::new();
        for arm in arms {
            let is_open = arm.open.as_ref().map(|open| self.truth(open, locals)).transpose()?;
            if is_open != Some(false) {
                open.push(&arm.value);
            }
        }
        let taken: &Expr = open[self.decided(who, open.len(), span)?];
        self.value(taken, locals)
    }

    pub(super) fn pick(&mut self, who: Who, list: Value, span: Span) -> Result<Value, Stop> {
        let Value::List(items) = list else { panic!("no list to pick from") };
        Ok(items[self.decided(who, items.len(), span)?].clone())
    }

    /// Which of so many options is taken.
    fn decided(&mut self, who: Who, options: usize, span: Span) -> Result<usize, Stop> {
        if options == 0 {
            return Err(fails(FaultKind::NothingToChoose, span));
        }
        match (self.plays.last_mut(), &mut self.source) {
            (Some(Play::Known(policy, decisions)), _) => {
                let option = policy.taken[decisions];
                decisions.push(option);
                Ok(option)
            }
            (Some(Play::Open), Source::Script(script)) => {
                script.next(|| Wanted::Choice(who, options)).ok_or(Stop::Cut)
            }
            _ => panic!("a checked program has a choice that is made for nothing"),
        }
    }

    /// The value as a number.
    fn aimed(&mut self, best: &Best, locals: &mut Locals) -> Result<Rational, Stop> {
        let mut value = self.value(&best.value, locals)?;
        if let Some(aim) = &best.aim {
            locals[aim.local.0 as usize] = Some(Thing::Value(value));
            value = self.value(&aim.number, locals)?;
        }
        match value {
            Value::Number(number) => Ok(number.to_rational()),
            Value::Bool(yes) => Ok(Rational::from(u8::from(yes))),
            other => panic!("{other} is no aim"),
        }
    }
}

/// All lists of decisions from one place on.
struct Search<'a, 'r> {
    from: &'a Run<'r>,
    best: &'a Best,
    locals: &'a Locals,
    /// What was found inside.
    known: Known,
    taken: BTreeMap<Decisions, usize>,
    runs: usize,
}

/// What a list of decisions is worth.
struct Worth {
    /// The aim, each time with its chance, where the evidence holds; none if something may go wrong.
    sum: Option<Rational>,
    /// The chance that the evidence holds.
    counts: Rational,
}

impl Search<'_, '_> {
    fn worth(&mut self, said: &Decisions) -> Result<Worth, Stop> {
        self.runs += 1;
        if self.runs > self.from.bounds.runs || said.len() > self.from.bounds.throws {
            return Err(Stop::Cut);
        }
        let mut script = Script { said: said.clone(), read: 0, wants: None };
        let (notes, plays) = (BTreeSet::new(), vec![Play::Open]);
        let Run { program, inputs, bounds, calls, .. } = *self.from;
        let (source, known) = (Source::Script(&mut script), &mut self.known);
        let mut run = Run { program, inputs, bounds, source, known, plays, notes, forms: 0, calls };
        let ending = run.aimed(self.best, &mut self.locals.clone());
        match (script.wants, ending) {
            (Some(Wanted::Face(weights)), _) => self.mean(said, &weights),
            (Some(Wanted::Choice(who, options)), _) => self.best_of(said, who, options),
            (None, Ok(aim)) => Ok(Worth { sum: Some(aim), counts: Rational::ONE }),
            (None, Err(Stop::Fault(_))) => Ok(Worth { sum: None, counts: Rational::ONE }),
            (None, Err(Stop::Rejected)) => {
                Ok(Worth { sum: Some(Rational::ZERO), counts: Rational::ZERO })
            }
            (None, Err(Stop::Cut)) => Err(Stop::Cut),
        }
    }

    fn mean(&mut self, said: &Decisions, weights: &[u64]) -> Result<Worth, Stop> {
        let total: u64 = weights.iter().sum();
        let mut mean = Worth { sum: Some(Rational::ZERO), counts: Rational::ZERO };
        for (face, weight) in weights.iter().enumerate() {
            let worth = self.worth(&with(said, face))?;
            let chance = Rational::from_parts((*weight).into(), total.into());
            mean.sum = mean.sum.zip(worth.sum).map(|(sum, part)| sum + part * &chance);
            mean.counts += worth.counts * chance;
        }
        Ok(mean)
    }

    fn best_of(&mut self, said: &Decisions, who: Who, options: usize) -> Result<Worth, Stop> {
        let most = (self.best.goal == Goal::Most) == (who == Who::Player);
        let mut best: Option<(usize, Worth)> = None;
        for option in 0..options {
            let worth = self.worth(&with(said, option))?;
            assert!(worth.counts == Rational::ONE, "a checked program has evidence after a choice");
            let is_better = match (&worth.sum, best.as_ref().map(|(_, best)| &best.sum)) {
                (_, None) => true,
                (None, Some(_)) => false,
                (Some(_), Some(None)) => true,
                (Some(sum), Some(Some(best))) => {
                    if most {
                        sum > best
                    } else {
                        sum < best
                    }
                }
            };
            if is_better {
                best = Some((option, worth));
            }
        }
        let (option, worth) = best.expect("there is something to choose from");
        self.taken.insert(said.clone(), option);
        Ok(worth)
    }
}

fn with(said: &Decisions, next: usize) -> Decisions {
    said.iter().copied().chain([next]).collect()
}
