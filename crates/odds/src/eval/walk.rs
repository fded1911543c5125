//! Going through the faces that dice show.
//!
//! The dice stay undecided: only the carried value and how many dice are still to come make a state
//! (see [`astragal_prob::pool::walk`]). Dice that something else still needs, or that lie on the table
//! one by one, are decided first; then the walk sees dice that can show one face only.

use std::rc::Rc;

use astragal_prob::pool::{Pool, PoolError, WalkError, Way, by_explosions, walk};
use astragal_prob::{Meter, OverBudget, Rational};
use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;
use astragal_value::Value;
use rustc_hash::FxHashMap;

use super::call::{part_of, variables};
use super::cut::cut;
use super::fold::set;
use super::record::pop;
use super::repeat::keep_only;
use super::{Live, Machine, Outcome, forget, put_aside};
use crate::failure::{Failure, over_budget, pool_fault};
use crate::plan::Walk;
use crate::state::{Aside, Form, State, States, Sym, WINDOW};

/// What a walk yields from given variables: carried values with their chances, and what came of the rest.
#[derive(Debug)]
pub(super) struct Walked {
    ends: Vec<(Sym, Rational)>,
    aside: Aside,
}

impl Walked {
    /// The carried values, if that is all that can come of it.
    pub(super) fn certain(&self) -> Option<Vec<(Value, Rational)>> {
        if !self.aside.is_nothing() {
            return None;
        }
        self.ends.iter().map(|(value, chance)| Some((value.to_value()?, chance.clone()))).collect()
    }
}

/// What a walk depends on: which it is (by its address), the variables it reads, the dice.
pub(super) type Key = (usize, State, Vec<Pool>);

/// A state of a walk: a carried value, or what stopped it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Carried {
    Value(Sym),
    /// A failure, or evidence that does not hold.
    Stopped(usize),
}

/// What a step comes to.
enum Stepped {
    Value(Sym),
    Stopped(Stop),
}

/// Why a walk does not go on.
#[derive(Clone)]
enum Stop {
    Failed(Failure),
    Rejected(Failure),
}

impl Stop {
    fn is_same(&self, other: &Stop) -> bool {
        match (self, other) {
            (Stop::Failed(a), Stop::Failed(b)) => a.is_same(b),
            (Stop::Rejected(_), Stop::Rejected(_)) => true,
            _ => false,
        }
    }
}

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
        let states = self.each(states, |machine, state, weight, after| {
            machine.walk_one(walk, state, weight, span, live, after)
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
            pools.push(table.with(&pool.later));
        }
        let mut start =
            State { locals: state.locals.clone(), laws: state.laws.clone(), ..State::default() };
        keep_only(&mut start.locals, &walk.body);
        if let Some(first) = parts.last() {
            set(&mut start.locals, walk.carry, first.clone());
        }
        start.tidy();
        let walked = match self.walked(walk, start, pools, span) {
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
        for (value, chance) in &walked.ends {
            let mut state = kept.clone();
            state.stack.push(value.clone());
            after.list.push((state, weight * chance));
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
        for (state, weight) in self.split(&state, var, weight, span, after)? {
            let result = self.walk_one(walk, state, &weight, span, live, after);
            put_aside(result, after)?;
        }
        Ok(())
    }

    /// The ends of a walk from given variables over given dice.
    pub(super) fn walked(
        &mut self,
        walk: &'p Walk,
        start: State,
        pools: Vec<Pool>,
        span: Span,
    ) -> Result<Rc<Walked>, Failure> {
        let key = (std::ptr::from_ref(walk) as usize, start, pools);
        if let Some(known) = self.walks.get(&key) {
            return Ok(Rc::clone(known));
        }
        let notices = std::mem::take(&mut self.notices);
        let walked = self.walk_over(walk, &key.1, &key.2, span);
        self.notices = notices;
        let walked = Rc::new(walked?);
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
        let first = start.locals.get(way.carry.0 as usize).cloned().unwrap_or(Sym::Gone);
        let mut carried = vec![Carried::Value(first)];
        let mut known: FxHashMap<Carried, usize> =
            carried.iter().cloned().enumerate().map(|(at, carried)| (carried, at)).collect();
        let mut stops: Vec<Stop> = Vec::new();
        let meter = self.meter;
        let mut step = |from: usize, face: &Rational, counts: &[u64]| {
            let next = match carried[from].clone() {
                stopped @ Carried::Stopped(_) => stopped,
                Carried::Value(value) => {
                    match self.step_of_walk(way, start, value, face, counts)? {
                        Stepped::Value(value) => Carried::Value(value),
                        Stepped::Stopped(stop) => {
                            let same = stops.iter().position(|known| known.is_same(&stop));
                            Carried::Stopped(same.unwrap_or_else(|| {
                                stops.push(stop);
                                stops.len() - 1
                            }))
                        }
                    }
                }
            };
            Ok(*known.entry(next).or_insert_with_key(|next| {
                carried.push(next.clone());
                carried.len() - 1
            }))
        };
        let counts = way.counts.iter().map(|count| way.body.free.contains(*count)).collect();
        let manner = Way { down: way.down, counts };
        let mut lost = Rational::ZERO;
        let ends = match walk(pools, &manner, &mut step, meter) {
            Err(WalkError::Pool(PoolError::NoClosedForm)) => {
                let refused = |refusal| Failure::refused(over_budget(refusal), span);
                let (parts, given_up) = plain_parts(pools, meter)
                    .map_err(refused)?
                    .ok_or_else(|| Failure::refused(FaultKind::NotKnown, span))?;
                lost = given_up;
                let mut ends = Vec::new();
                for (pools, chance) in parts {
                    let walked = walk(&pools, &manner, &mut step, meter);
                    let walked = walked.map_err(|error| walk_failure(error, span))?;
                    ends.extend(walked.into_iter().map(|(state, part)| (state, part * &chance)));
                }
                ends
            }
            ends => ends.map_err(|error| walk_failure(error, span))?,
        };
        let mut walked = Walked { ends: Vec::new(), aside: Aside { lost, ..Aside::default() } };
        for (state, chance) in ends {
            match &carried[state] {
                Carried::Value(value) => walked.ends.push((value.clone(), chance)),
                Carried::Stopped(at) => match &stops[*at] {
                    Stop::Failed(failure) => {
                        walked.aside.fail(Failure { chance, ..failure.clone() });
                    }
                    Stop::Rejected(rejected) => {
                        walked.aside.reject(Failure { chance, ..rejected.clone() });
                    }
                },
            }
        }
        Ok(walked)
    }

    /// The carried value after one face, or the failure there.
    fn step_of_walk(
        &mut self,
        way: &'p Walk,
        start: &State,
        carried: Sym,
        face: &Rational,
        counts: &[u64],
    ) -> Result<Stepped, Failure> {
        let number = |value: Rational| Sym::number(Form::constant(value));
        let mut state = start.clone();
        set(&mut state.locals, way.carry, carried);
        set(&mut state.locals, way.face, number(face.clone()));
        for (local, count) in way.counts.iter().zip(counts) {
            set(&mut state.locals, *local, number(Rational::from(*count)));
        }
        if let Some(value) = self.plainly(&way.body, &state.locals) {
            return Ok(Stepped::Value(Sym::from_value(&value)));
        }
        let mut states = self.run(&way.body, States::one(state), &Live::default())?;
        if let Some(failure) = states.aside.failed.pop() {
            return Ok(Stepped::Stopped(Stop::Failed(failure)));
        }
        if let Some(rejected) = states.aside.rejected.filter(|_| states.list.is_empty()) {
            return Ok(Stepped::Stopped(Stop::Rejected(rejected)));
        }
        // The checker saw to it that a step throws nothing; what it could not see is not known.
        match (states.list.pop(), states.list.is_empty()) {
            (Some((mut state, _)), true) => match state.stack.pop() {
                Some(value) if variables(std::slice::from_ref(&value)).is_empty() => {
                    Ok(Stepped::Value(value))
                }
                _ => Err(Failure::refused(FaultKind::NotKnown, way.body.span)),
            },
            _ => Err(Failure::refused(FaultKind::NotKnown, way.body.span)),
        }
    }
}

fn walk_failure(error: WalkError<Failure>, span: Span) -> Failure {
    match error {
        WalkError::Pool(error) => Failure::refused(pool_fault(error), span),
        WalkError::Step(failure) => failure,
    }
}

/// Pools with their endless dice told apart or cut, each case with its chance, and the chance given up.
/// None if no dice are endless.
#[expect(clippy::type_complexity, reason = "cases with their chances")]
fn plain_parts(
    pools: &[Pool],
    meter: &Meter,
) -> Result<Option<(Vec<(Vec<Pool>, Rational)>, Rational)>, OverBudget> {
    let sliver = Rational::ONE / Rational::from(WINDOW);
    let mut parts = vec![(Vec::new(), Rational::ONE)];
    let mut stays = Rational::ONE;
    for pool in pools {
        let (cases, lost) = match by_explosions(pool, &sliver, meter)? {
            Some(cases) => cases,
            None => match cut(pool, meter) {
                Some((pool, lost)) => (vec![(pool, Rational::ONE - &lost)], lost),
                None => (vec![(pool.clone(), Rational::ONE)], Rational::ZERO),
            },
        };
        stays *= Rational::ONE - lost;
        meter.charge((parts.len() * cases.len()) as u64)?;
        let more = parts.iter().flat_map(|(pools, chance)| {
            cases.iter().map(move |(pool, part)| {
                ([pools.as_slice(), std::slice::from_ref(pool)].concat(), chance * part)
            })
        });
        parts = more.collect();
    }
    Ok((stays < Rational::ONE).then(|| (parts, Rational::ONE - stays)))
}
