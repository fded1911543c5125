//! Going through the faces that dice show.
//!
//! The dice stay undecided: only the carried value and how many dice are still to come make a state
//! (see [`astragal_prob::pool::walk`]). Dice that something else still needs, or that lie on the table
//! one by one, are decided first; then the walk sees dice that can show one face only.

mod lifted;
mod step;

use std::collections::BTreeMap;
use std::rc::Rc;

use astragal_prob::common_multiple;
use astragal_prob::pool::{
    Ends, LiftedSteps, Pool, PoolError, Stage, Steps, WalkError, Way, in_parts, walk, walk_lifted,
};
use astragal_prob::{Meter, Natural, OverBudget, Rational, Weighted};
use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;
use astragal_value::Value;
use dashu_base::UnsignedAbs;

use super::call::{part_of, variables};
use super::decide::Turn;
use super::fold::set;
use super::record::pop;
use super::repeat::keep_only;
use super::{Live, Machine, Outcome, forget};
use crate::failure::{Failure, over_budget, pool_fault};
use crate::plan::{NodeId, Walk};
use crate::state::{Aside, Drawn, Shared, State, States, Sym, Table};
use crate::ways::{self, WINDOW};
use lifted::StepsApart;
use step::StepsOfWalk;
pub(super) use step::Translated;

/// What a walk yields from given variables: the law of the carried value where nothing stopped it, the
/// chance of that, and what came of the rest.
#[derive(Debug)]
pub(super) struct Walked {
    end: Option<(Drawn, Rational)>,
    aside: Aside,
}

impl Walked {
    /// The carried values with weights over a total, if that is all that can come of it and there are not
    /// more than `most`.
    pub(super) fn certain(&self, most: usize) -> Option<Weighted<Value>> {
        match &self.end {
            Some((drawn, _)) if self.aside.is_nothing() => drawn.weights(most),
            _ => None,
        }
    }
}

/// The variables that the steps of a walk read, and its first value.
fn start_of(walk: &Walk, state: &State, first: Option<&Sym>) -> State {
    let (locals, laws) = (state.locals.clone(), state.laws.clone());
    let mut start = State { locals, laws, ..State::default() };
    keep_only(&mut start.locals, &walk.body);
    if let Some(first) = first {
        set(&mut start.locals, walk.carry, first.clone());
    }
    // What nobody asks for of a record is none, whoever starts the walk: then it is known, and the same walk has one key.
    for local in start.locals.iter_mut().filter(|local| **local != Sym::Gone) {
        if let Some(value) = local.to_value() {
            *local = Sym::from_value(&value);
        }
    }
    start.tidy();
    start
}

/// What a walk depends on: which it is (by its step), the variables it reads, the dice with the suffixes
/// since they were bound.
pub(super) type Key = (NodeId, State, Vec<Dice>);

type Dice = (Shared<Table>, Vec<Stage>);

impl<'p> Machine<'p> {
    pub(super) fn walk(
        &mut self,
        walk: &'p Walk,
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let around = live.and(&walk.body).without(&walk.bound());
        let states = self.run_all(&walk.pools, states, &around.and(&walk.first))?;
        let states = self.run(&walk.first, states, &around)?;
        let states = self.with_locals_decided(&walk.body, &walk.bound(), states, span)?;
        let states = self.decided(states, 1, span)?;
        let states = self.each(states, span, |machine, state, turn| {
            machine.walk_one(walk, state, turn.weight, span, live, turn.after)
        })?;
        self.meet(states, span)
    }

    fn walk_one(
        &mut self,
        walk: &'p Walk,
        mut state: State,
        weight: &Rational,
        span: Span,
        live: &Live,
        after: &mut States,
    ) -> Result<(), Failure> {
        let parts = pop(&mut state, walk.pools.len() + 1);
        let parts: Vec<Sym> = parts.into_iter().map(|part| state.sealed(part)).collect();
        let mut kept = state.clone();
        forget(&mut kept, live);
        let mut pools = Vec::with_capacity(walk.pools.len());
        let mut seen = Vec::new();
        for part in &parts[..walk.pools.len()] {
            let Sym::Pool(pool) = part else { continue };
            let Some(table) = state.table(pool.var) else { continue };
            let open = !table.is_fixed();
            let tied = seen.contains(&pool.var) || kept.mentions(&[pool.var]);
            if open && (tied || table.random.is_some()) {
                return self.walk_split(
                    walk,
                    pool.var,
                    parts.clone(),
                    state,
                    (weight, span),
                    live,
                    after,
                );
            }
            seen.push(pool.var);
            pools.push((table.clone(), pool.later.clone()));
        }
        let walked = match self.walked(walk, start_of(walk, &state, parts.last()), pools, span) {
            Err(failure) if failure.fault.kind == FaultKind::NotKnown => {
                // Dice that add dice, or must differ: each hand by itself.
                let open = variables(&parts)
                    .into_iter()
                    .find(|var| state.table(*var).is_some_and(|table| !table.is_fixed()));
                let Some(var) = open else { return Err(failure) };
                return self.walk_split(walk, var, parts, state, (weight, span), live, after);
            }
            walked => walked?,
        };
        after.aside.join(part_of(&walked.aside, weight, None));
        if let Some((drawn, chance)) = &walked.end {
            let value = kept.draw(drawn.clone());
            kept.stack.push(value);
            after.list.push((kept, weight * chance));
        }
        Ok(())
    }

    /// Decides one pool, or how many dice it has, and walks in each case.
    #[expect(clippy::too_many_arguments, reason = "a walk under way")]
    fn walk_split(
        &mut self,
        walk: &'p Walk,
        var: crate::state::Var,
        parts: Vec<Sym>,
        mut state: State,
        (weight, span): (&Rational, Span),
        live: &Live,
        after: &mut States,
    ) -> Result<(), Failure> {
        state.stack.extend(parts);
        self.in_each_case(&state, var, &mut Turn { weight, span, after }, |machine, state, turn| {
            machine.walk_one(walk, state, turn.weight, span, live, turn.after)
        })
    }

    /// The ends of a walk from given variables over given dice.
    pub(super) fn walked(
        &mut self,
        walk: &'p Walk,
        start: State,
        pools: Vec<Dice>,
        span: Span,
    ) -> Result<Rc<Walked>, Failure> {
        let key = (walk.body.id, start, pools);
        if let Some(known) = self.walks.get(&key) {
            return Ok(Rc::clone(known));
        }
        let pools: Vec<Pool> = key.2.iter().map(|(table, later)| table.with(later)).collect();
        let walked = Rc::new(self.walk_over(walk, &key.1, &pools, span)?);
        self.walks.insert(key, Rc::clone(&walked));
        Ok(walked)
    }

    fn walk_over(
        &mut self,
        way: &'p Walk,
        start: &State,
        pools: &[Pool],
        span: Span,
    ) -> Result<Walked, Failure> {
        let meter = self.meter;
        let counts = way.counts.iter().map(|count| way.body.free.contains(*count)).collect();
        let manner = Way { down: way.down, counts };
        let apart = || self.walk_apart(way, start, pools, &manner);
        if let Some(walked) = meter.by(ways::APART, apart)? {
            return Ok(walked);
        }
        let mut steps = StepsOfWalk::new(self, way, start);
        // One walk for all kinds of steps: it is large, and a step costs more than finding it.
        let all: &mut dyn Steps<Error = Failure> = &mut steps;
        match walk(pools, &manner, all, meter) {
            Err(WalkError::Pool(PoolError::NoClosedForm)) => {}
            ends => {
                let ends = ends.map_err(|error| walk_failure(error, span))?;
                return Ok(steps.walked(ends, Rational::ZERO));
            }
        }
        let refused = |refusal| Failure::refused(over_budget(refusal), span);
        let (parts, lost) = meter
            .by(ways::EXPLOSIONS, || plain_parts(pools, meter))
            .map_err(refused)?
            .ok_or_else(|| Failure::refused(FaultKind::NotKnown, span))?;
        let mut cases = Vec::new();
        for (pools, chance) in parts {
            let all: &mut dyn Steps<Error = Failure> = &mut steps;
            let ends = walk(&pools, &manner, all, meter);
            let ends = ends.map_err(|error| walk_failure(error, span))?;
            cases.push((ends, chance));
        }
        Ok(steps.walked(mixed(cases), lost))
    }

    /// The same with a number of the carried value set apart; none if there is none, or it is no use.
    fn walk_apart(
        &mut self,
        way: &'p Walk,
        start: &State,
        pools: &[Pool],
        manner: &Way,
    ) -> Result<Option<Walked>, Failure> {
        let meter = self.meter;
        let Some(mut steps) = StepsApart::of(self, meter, way, start) else { return Ok(None) };
        let lift = steps.lift();
        let all: &mut dyn LiftedSteps<Error = Failure> = &mut steps;
        match walk_lifted(pools, manner, lift, all, meter) {
            Ok(ends) => Ok(ends.and_then(|ends| steps.walked(ends))),
            Err(WalkError::Step(failure)) => Err(failure),
            // Whatever it is, the walk without a number set apart says it.
            Err(WalkError::Pool(_)) => Ok(None),
        }
    }
}

/// Ends that each happen with a chance, as those of one walk.
fn mixed(cases: Vec<(Ends, Rational)>) -> Ends {
    let scaled: Vec<(Ends, Rational)> = cases
        .into_iter()
        .map(|(ends, chance)| {
            let scale = chance / Rational::from(ends.total.clone());
            (ends, scale)
        })
        .collect();
    let common = common_multiple(scaled.iter().map(|(_, scale)| scale.denominator()));
    let mut weights: BTreeMap<usize, Natural> = BTreeMap::new();
    for (ends, scale) in scaled {
        let factor = (scale * Rational::from(common.clone())).numerator().unsigned_abs();
        for (state, weight) in ends.weights {
            *weights.entry(state).or_insert(Natural::ZERO) += weight * &factor;
        }
    }
    let total = weights.values().fold(Natural::ZERO, |sum, weight| sum + weight);
    Ends { weights: weights.into_iter().collect(), total }
}

fn walk_failure(error: WalkError<Failure>, span: Span) -> Failure {
    match error {
        WalkError::Pool(error) => Failure::refused(pool_fault(error), span),
        WalkError::Step(failure) => failure,
    }
}

/// Pools with dice that explode told apart and endless ones cut, each case with its chance, and the chance given
/// up. None if there are no such dice.
#[expect(clippy::type_complexity, reason = "cases with their chances")]
fn plain_parts(
    pools: &[Pool],
    meter: &Meter,
) -> Result<Option<(Vec<(Vec<Pool>, Rational)>, Rational)>, OverBudget> {
    let sliver = Rational::ONE / Rational::from(WINDOW);
    let mut parts = vec![(Vec::new(), Rational::ONE)];
    let (mut stays, mut told) = (Rational::ONE, false);
    for pool in pools {
        let cases = in_parts(pool, &sliver, meter)?;
        told |= cases.is_some();
        let (cases, lost) =
            cases.unwrap_or_else(|| (vec![(pool.clone(), Rational::ONE)], Rational::ZERO));
        stays *= Rational::ONE - lost;
        meter.charge((parts.len() * cases.len()) as u64)?;
        let more = parts.iter().flat_map(|(pools, chance)| {
            cases.iter().map(move |(pool, part)| {
                ([pools.as_slice(), std::slice::from_ref(pool)].concat(), chance * part)
            })
        });
        parts = more.collect();
    }
    Ok(told.then(|| (parts, Rational::ONE - stays)))
}
