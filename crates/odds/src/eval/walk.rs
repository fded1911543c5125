//! Going through the faces that dice show.
//!
//! The dice stay undecided: only the carried value and how many dice are still to come make a state
//! (see [`astragal_prob::pool::walk`]). Dice that something else still needs, or that lie on the table
//! one by one, are decided first; then the walk sees dice that can show one face only.

mod lifted;
mod several;
mod step;

use std::rc::Rc;

use astragal_prob::pool::{
    Ends, Pool, PoolError, Stage, Steps, WalkError, Way, all_in_parts, walk,
};
use astragal_prob::{Rational, Weighted};
use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;
use astragal_value::Value;

use super::call::{part_of, variables};
use super::decide::{Done, Turn};
use super::fold::set;
use super::record::pop;
use super::repeat::keep_only;
use super::{Live, Machine, Outcome, forget};
use crate::failure::{Failure, pool_fault, too_much};
use crate::plan::{NodeId, Walk};
use crate::state::{Aside, Drawn, Shared, State, States, Sym, Table, Var};
use crate::ways;
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
    #[inline(never)]
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
        let states = self
            .each(states, span, |machine, state, turn| machine.walk_one(walk, state, live, turn))?;
        self.meet(states, span)
    }

    fn walk_one(
        &mut self,
        walk: &'p Walk,
        mut state: State,
        live: &Live,
        turn: &mut Turn<'_>,
    ) -> Done {
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
                let var = pool.var;
                return self.walk_split(walk, var, parts, state, live, turn);
            }
            seen.push(pool.var);
            pools.push((table.clone(), pool.later.clone()));
        }
        let start = start_of(walk, &state, parts.last());
        let walked = match self.walked(walk, start, pools, turn.span) {
            Err(failure) if failure.fault.kind == FaultKind::NotKnown => {
                // Dice that add dice, or must differ: each hand by itself.
                let open = variables(&parts)
                    .into_iter()
                    .find(|var| state.table(*var).is_some_and(|table| !table.is_fixed()));
                let Some(var) = open else { return Err(failure) };
                return self.walk_split(walk, var, parts, state, live, turn);
            }
            walked => walked?,
        };
        turn.after.aside.join(part_of(&walked.aside, turn.weight, None));
        let Some((drawn, chance)) = &walked.end else { return Ok(()) };
        let value = kept.draw(drawn.clone());
        turn.with(&(turn.weight * chance)).push(kept, value)
    }

    /// Decides one pool, or how many dice it has, and walks in each case.
    fn walk_split(
        &mut self,
        walk: &'p Walk,
        var: Var,
        parts: Vec<Sym>,
        mut state: State,
        live: &Live,
        turn: &mut Turn<'_>,
    ) -> Done {
        state.stack.extend(parts);
        self.in_each_case(&state, var, turn, |machine, state, turn| {
            machine.walk_one(walk, state, live, turn)
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
        let several = || self.walk_with_sums(way, start, pools, &manner);
        if let Some(walked) = meter.by(ways::SEVERAL_APART, several)? {
            return Ok(walked);
        }
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
        let (parts, lost) = meter
            .by(ways::EXPLOSIONS, || all_in_parts(pools, &ways::sliver(), meter))
            .map_err(too_much(span))?
            .ok_or_else(|| Failure::refused(FaultKind::NotKnown, span))?;
        let mut cases = Vec::new();
        for (pools, chance) in parts {
            let all: &mut dyn Steps<Error = Failure> = &mut steps;
            let ends = walk(&pools, &manner, all, meter);
            let ends = ends.map_err(|error| walk_failure(error, span))?;
            cases.push((ends, chance));
        }
        Ok(steps.walked(Ends::mixed(cases), lost))
    }

    /// The same with a number of the carried value set apart; none if there is none, or it is no use.
    fn walk_apart(
        &mut self,
        way: &'p Walk,
        start: &State,
        pools: &[Pool],
        manner: &Way,
    ) -> Result<Option<Walked>, Failure> {
        let Some(steps) = StepsApart::of(self, way, start) else { return Ok(None) };
        Ok(steps.ends(pools, manner)?.and_then(|(steps, ends)| steps.walked(ends)))
    }
}

fn walk_failure(error: WalkError<Failure>, span: Span) -> Failure {
    match error {
        WalkError::Pool(error) => Failure::refused(pool_fault(error), span),
        WalkError::Step(failure) => failure,
    }
}
