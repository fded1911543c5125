//! Who decides in a roll, if nobody else does: the best play, worked out once for each program.

use std::fmt;
use std::sync::{Arc, Mutex};

use astragal_odds::{Budget, Failure};
use astragal_play::{Case, Policy, case_at, policy};
use astragal_prob::Rational;
use astragal_program::core::LocalId;
use astragal_program::fault::{Fault, FaultKind};
use astragal_program::points::{GraphId, HeldOf, PlaceOf};
use astragal_roll::{Chosen, Offer, Player};
use astragal_value::{Number, Value};

use crate::stack::for_odds;

/// So many steps of the odds count as one of a roll: the best play may take what odds may usually take.
const STEPS_A_STEP: u64 = 80;

/// Plays as is best, and knows what each option is worth.
#[derive(Default)]
pub struct BestPlay {
    /// By the `maximise`, and what was known before it. A policy depends on the inputs too.
    known: Mutex<Vec<(Key, Arc<Policy>)>>,
    /// What is not known, and how many steps did not suffice: it is not tried again with about as many, which differ
    /// from roll to roll.
    refused: Mutex<Vec<(Key, u64, Failure)>>,
}

type Key = (usize, Vec<HeldOf>, Vec<Option<Value>>);

impl fmt::Debug for BestPlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BestPlay")
    }
}

impl BestPlay {
    /// Nothing is worked out yet.
    pub fn new() -> BestPlay {
        BestPlay::default()
    }

    /// The policy, and the steps that it took to find it.
    fn policy(&self, offer: &Offer<'_>) -> Result<(Arc<Policy>, u64), Failure> {
        let key = (offer.best, offer.known.to_vec(), offer.inputs.to_vec());
        if let Ok(known) = self.known.lock()
            && let Some((_, policy)) = known.iter().find(|(own, _)| *own == key)
        {
            return Ok((Arc::clone(policy), 0));
        }
        if let Ok(refused) = self.refused.lock()
            && let Some((.., failure)) =
                refused.iter().find(|(own, steps, _)| *own == key && offer.steps / 2 <= *steps)
        {
            return Err(failure.clone());
        }
        let budget = budget_of(offer);
        let (program, best) = (offer.program, offer.best);
        let found =
            for_odds(program.depth, || policy(program, offer.inputs, best, offer.known, &budget));
        let (policy, steps) = match found {
            Ok(found) => found,
            Err(failure) => {
                let is_lasting = !matches!(failure.fault.kind, FaultKind::Cancelled);
                if let (true, Ok(mut refused)) = (is_lasting, self.refused.lock()) {
                    refused.push((key, offer.steps, failure.clone()));
                }
                return Err(failure);
            }
        };
        let policy = Arc::new(policy);
        if let Ok(mut known) = self.known.lock() {
            known.push((key, Arc::clone(&policy)));
        }
        Ok((policy, steps / STEPS_A_STEP))
    }
}

/// What the best play may take.
fn budget_of(offer: &Offer<'_>) -> Budget {
    let mut budget = Budget::default().with_steps(offer.steps.saturating_mul(STEPS_A_STEP));
    budget.cancel.clone_from(&offer.cancel);
    budget
}

impl BestPlay {
    /// What is best at a place beyond all that is listed of what was thrown, and the steps that it took to find it.
    fn case_there(&self, offer: &Offer<'_>) -> Result<(Case, u64), Fault> {
        let (program, budget) = (offer.program, budget_of(offer));
        let found = for_odds(program.depth, || {
            case_at(program, offer.inputs, (offer.best, offer.known), &offer.place, &budget)
        });
        let (case, steps) = found.map_err(|failure| failure.fault)?;
        Ok((case, steps / STEPS_A_STEP))
    }
}

impl Player for BestPlay {
    fn choose(&self, offer: &Offer<'_>) -> Result<Chosen, Fault> {
        let (policy, steps) = self.policy(offer).map_err(|failure| failure.fault)?;
        let at = |taken: &Arc<str>| offer.options.iter().position(|label| label == taken);
        let not_known = || FaultKind::NotKnown.at(offer.span);
        let plays = offer.program.plays.as_deref().ok_or_else(not_known)?;
        let beyond =
            |best| Chosen { option: best, worth: None, is_chance: false, best: Some(best), steps };
        let found;
        let (case, besides, steps) = match policy.case(plays, &offer.place) {
            Some((case, besides)) => (case, besides, steps),
            None => match policy.beyond(plays, &offer.place).and_then(at) {
                Some(best) => return Ok(beyond(best)),
                None => {
                    found = self.case_there(offer)?;
                    (&found.0, Rational::ZERO, steps + found.1)
                }
            },
        };
        // Where it was proven what is best, other options were not looked at: they are open, but nobody knows what they are worth.
        let worth = offer.options.iter().map(|label| {
            let known = case.options.iter().find(|(known, _)| known == label);
            known.and_then(|(_, worth)| worth.clone()).map(|worth| Number::from(worth + &besides))
        });
        let worth = worth.collect::<Option<Vec<Number>>>();
        let best = at(&case.options[case.taken].0).ok_or_else(not_known)?;
        let is_chance = policy.is_chance;
        Ok(Chosen { option: best, worth, is_chance, best: Some(best), steps })
    }
}

/// Takes what is said, choice by choice; then whatever somebody else takes.
#[derive(Debug)]
pub struct Script {
    left: Mutex<Vec<Arc<str>>>,
    then: Arc<dyn Player>,
}

impl Script {
    /// How many of them were not asked for.
    pub fn left(&self) -> usize {
        self.left.lock().map_or(0, |left| left.len())
    }

    /// These, in order.
    pub fn new(choices: impl IntoIterator<Item = Arc<str>>, then: Arc<dyn Player>) -> Script {
        let mut left: Vec<Arc<str>> = choices.into_iter().collect();
        left.reverse();
        Script { left: Mutex::new(left), then }
    }
}

impl Player for Script {
    fn choose(&self, offer: &Offer<'_>) -> Result<Chosen, Fault> {
        let next = self.left.lock().ok().and_then(|mut left| left.pop());
        let chosen = self.then.choose(offer);
        let Some(wanted) = next else { return chosen };
        let found = offer.options.iter().position(|label| same(label, &wanted));
        let Some(option) = found else {
            let there = offer.options.clone();
            return Err(FaultKind::NoSuchArm(wanted, there).at(offer.span));
        };
        match chosen {
            Ok(chosen) => Ok(Chosen { option, ..chosen }),
            // What it is worth is not known; it may be taken all the same.
            Err(_) => Ok(Chosen { option, worth: None, is_chance: false, best: None, steps: 0 }),
        }
    }
}

/// Case and blanks around do not matter.
fn same(label: &str, wanted: &str) -> bool {
    label.trim().to_lowercase() == wanted.trim().to_lowercase()
}

/// Nobody decides: a roll stops where somebody should, and what there is to take is kept.
#[derive(Debug, Default)]
pub struct Stop {
    met: Mutex<Option<Met>>,
    /// Who knows what options are worth.
    adviser: Option<Arc<dyn Player>>,
}

/// A choice that nobody made.
#[derive(Clone, Debug)]
pub struct Met {
    /// What may be taken.
    pub options: Vec<Arc<str>>,
    /// Whether it is the opponent's.
    pub opponent: bool,
    /// Where it is written.
    pub span: astragal_syntax::span::Span,
    /// What is known there and has a name.
    pub known: Vec<(Arc<str>, Value)>,
    /// What each option is worth, if somebody knows.
    pub worth: Option<Vec<Number>>,
    /// Whether that is the chance of a yes.
    pub is_chance: bool,
    /// Which option is best, if somebody knows.
    pub best: Option<usize>,
}

impl Stop {
    /// Nothing was met yet.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// The same; what options are worth is asked of somebody.
    pub fn advised_by(adviser: Arc<dyn Player>) -> Stop {
        Stop { adviser: Some(adviser), ..Stop::default() }
    }

    /// The choice at which the roll stopped.
    pub fn met(&self) -> Option<Met> {
        self.met.lock().ok()?.clone()
    }
}

impl Player for Stop {
    fn choose(&self, offer: &Offer<'_>) -> Result<Chosen, Fault> {
        let opponent = offer.who == astragal_program::core::Who::Opponent;
        let advice = self.adviser.as_ref().and_then(|adviser| adviser.choose(offer).ok());
        let is_chance = advice.as_ref().is_some_and(|advice| advice.is_chance);
        let (worth, best) = advice.map_or((None, None), |advice| (advice.worth, advice.best));
        let (options, span, known) = (offer.options.clone(), offer.span, known(offer));
        let met = Met { options, opponent, span, known, worth, is_chance, best };
        if let Ok(mut place) = self.met.lock() {
            *place = Some(met);
        }
        Err(FaultKind::NobodyChooses.at(offer.span))
    }
}

/// What is known at a choice and has a name: first what is needed where it stands, then what was known before.
fn known(offer: &Offer<'_>) -> Vec<(Arc<str>, Value)> {
    let Some(plays) = &offer.program.plays else { return Vec::new() };
    let mut known: Vec<(Arc<str>, Value)> = Vec::new();
    let mut tell = |graph: GraphId, local: LocalId, held: &HeldOf| {
        let function = plays.graphs.get(graph.0 as usize).and_then(|graph| graph.function);
        let name = offer.program.local(function, local).and_then(|local| local.name.clone());
        if let Some(name) = name
            && known.iter().all(|(known, _)| *known != name)
        {
            known.push((name, held.shown()));
        }
    };
    let PlaceOf { graph, point, values, .. } = &offer.place;
    let needed = plays.graphs.get(graph.0 as usize).map(|graph| &graph.point(*point).needed);
    for (local, held) in needed.into_iter().flatten().zip(values) {
        tell(*graph, *local, held);
    }
    if let Some(played) = plays.bests.get(offer.best) {
        for (local, held) in played.known.iter().zip(offer.known) {
            tell(played.graph, *local, held);
        }
    }
    known
}
