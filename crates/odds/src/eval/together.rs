//! Several numbers read off one pool at once.
//!
//! Where nothing but these numbers, and no dice, is looked at afterwards, what follows is run as code for each of
//! their joint values, and there are no states for them at all.

use std::sync::Arc;

use astragal_prob::pool::{Jointly, Pool, PoolError, read_jointly, read_together};
use astragal_prob::{Natural, Rational};
use astragal_program::core::LocalId;
use astragal_syntax::span::Span;
use astragal_value::{Number, Value};

use super::{Live, Machine, forget};
use crate::failure::{Failure, over_budget};
use crate::plain::{Around, Kept, Program, Runner, Store, Sums, Word, compile_around};
use crate::plan::{Node, ReadOff, Together, parts};
use crate::state::{Form, State, States, Sym, Values};

/// A binding of a pool that is read in several ways.
#[derive(Clone, Copy)]
pub(super) struct Bound<'p> {
    pub(super) local: LocalId,
    pub(super) list: &'p [ReadOff],
    pub(super) body: &'p Node,
    pub(super) span: Span,
}

/// What follows a pool that is read in several ways, as code with holes for the readings.
struct Rest {
    program: Program,
    store: Store,
    runner: Runner,
    /// For each hole its slot, and which of the readings it is.
    holes: Vec<(usize, usize)>,
}

impl<'p> Machine<'p> {
    /// The states for which the readings of a pool and all that follows were done at once, and those for which they
    /// were not.
    pub(super) fn together_and_rest(
        &mut self,
        bound: Bound<'p>,
        states: States,
        live: &Live,
    ) -> Result<(States, States), Failure> {
        let mut done = States::default();
        let mut rest = States { list: Vec::new(), aside: states.aside };
        for (mut state, weight) in states.list {
            match self.jointly(bound, &state)? {
                Some(values) => {
                    forget(&mut state, live);
                    let value = state.draw(values.into());
                    state.stack.push(value);
                    done.list.push((state, weight));
                }
                None => rest.list.push((state, weight)),
            }
        }
        Ok((done, rest))
    }

    /// The law of what follows a pool that is read in several ways.
    fn jointly(&self, bound: Bound<'p>, state: &State) -> Result<Option<Values>, Failure> {
        let Some((_, pool)) = loose(bound.local, state) else { return Ok(None) };
        let Some(mut rest) = self.rest_as_code(bound, state) else { return Ok(None) };
        let readings: Vec<_> =
            bound.list.iter().map(|read| (read.stages.as_slice(), &read.reading)).collect();
        let jointly = match read_jointly(&pool, &readings, self.meter) {
            Ok(Some(jointly)) => jointly,
            Err(PoolError::OverBudget(refusal)) => {
                return Err(Failure::refused(over_budget(refusal), bound.span));
            }
            Ok(None) | Err(_) => return Ok(None),
        };
        let cost = (4 + rest.program.code.size()).saturating_mul(jointly.values.len() as u64);
        self.pay(cost, bound.span)?;
        let values = rest.run(jointly);
        self.pay(std::mem::take(&mut rest.runner.folded), bound.span)?;
        Ok(values)
    }

    fn rest_as_code(&self, bound: Bound<'p>, state: &State) -> Option<Rest> {
        let Bound { local, list, body, .. } = bound;
        let mut found = Vec::new();
        holes(body, list, &mut found);
        let addresses: Vec<usize> = found.iter().map(|(address, _)| *address).collect();
        let own = |other: &LocalId| *other == local || list.iter().any(|read| read.local == *other);
        let locals: Vec<LocalId> = body.free.iter().filter(|local| !own(local)).collect();
        let variables: Vec<_> = locals.iter().map(|local| (*local, Kept::No)).collect();
        let mut store = Store::new();
        let around = Around { holes: &addresses, bindings: &[] };
        let program = compile_around(body, &variables, around, self.plan, &mut store)?;
        let mut runner = Runner::new(program.slots);
        for (slot, local) in locals.iter().enumerate() {
            let value = state.locals.get(local.0 as usize)?.to_value()?;
            runner.set(slot, store.word(&value));
        }
        let first = locals.len();
        let holes = found.iter().enumerate().map(|(at, (_, read))| (first + at, *read));
        Some(Rest { program, store, runner, holes: holes.collect() })
    }

    /// Reads a pool in all the ways that will be asked for, where that is known how; elsewhere the pool is left
    /// as it is, and is read when somebody asks.
    pub(super) fn together(
        &mut self,
        local: LocalId,
        list: &[ReadOff],
        span: Span,
        states: States,
    ) -> Result<States, Failure> {
        let mut after = Vec::with_capacity(states.list.len());
        for (state, weight) in &states.list {
            match self.read_off(local, list, state, weight, span)? {
                Some(parts) => after.extend(parts),
                // Either all numbers are known afterwards, or none.
                None => return Ok(states),
            }
        }
        Ok(States { list: after, aside: states.aside })
    }

    fn read_off(
        &mut self,
        local: LocalId,
        list: &[ReadOff],
        state: &State,
        weight: &Rational,
        span: Span,
    ) -> Result<Option<Vec<(State, Rational)>>, Failure> {
        let Some((rest, pool)) = loose(local, state) else { return Ok(None) };
        let readings: Vec<_> =
            list.iter().map(|read| (read.stages.as_slice(), &read.reading)).collect();
        let parts = match read_together(&pool, &readings, self.meter) {
            Ok(Some(parts)) => parts,
            Err(PoolError::OverBudget(refusal)) => {
                return Err(Failure::refused(over_budget(refusal), span));
            }
            Ok(None) | Err(_) => return Ok(None),
        };
        let states = parts.into_iter().map(|part| {
            let mut state = rest.clone();
            let last = state.number(part.last);
            let numbers = part.others.into_iter().map(|n| Sym::number(Form::constant(n)));
            for (read, number) in list.iter().zip(numbers.chain([last])) {
                if let Some(slot) = state.locals.get_mut(read.local.0 as usize) {
                    *slot = number;
                }
            }
            (state, weight * part.chance)
        });
        Ok(Some(states.collect()))
    }
}

impl Rest {
    /// What comes of all joint values; none if it is not plain for one of them.
    fn run(&mut self, jointly: Jointly) -> Option<Values> {
        let Jointly { values, shares } = jointly;
        let mut sums = Sums::default();
        let (mut total, mut folded) = (Natural::ZERO, 0);
        for (numbers, weight) in values {
            for (slot, read) in &self.holes {
                let number = numbers[*read];
                let word = match (&shares[*read], Word::number(number)) {
                    (None, Some(word)) => word,
                    (share, _) => {
                        let number = Rational::from(number);
                        let number = share.as_ref().map_or(number.clone(), |share| number * share);
                        self.store.word(&Value::Number(Number::from(number)))
                    }
                };
                self.runner.set(*slot, word);
            }
            self.runner.begin();
            let value = self.runner.run(&self.program.code, &mut self.store)?;
            folded += self.runner.folded;
            total += &weight;
            sums.add(value, weight);
        }
        self.runner.folded = folded;
        let store = std::mem::replace(&mut self.store, Store::new());
        Some(Values::new(Arc::new(store), sums.list, total))
    }
}

/// The state without a pool that nothing else mentions, and the pool; none if it is not so.
fn loose(local: LocalId, state: &State) -> Option<(State, Pool)> {
    let mut rest = state.clone();
    let slot = rest.locals.get_mut(local.0 as usize)?;
    let Sym::Pool(pool) = std::mem::replace(slot, Sym::Gone) else { return None };
    let table = rest.table(pool.var)?;
    let simple = pool.marks.is_empty() && table.random.is_none() && !table.is_fixed();
    let pool_alone = simple.then(|| table.with(&pool.later))?;
    (!rest.mentions(&[pool.var])).then_some((rest, pool_alone))
}

/// The readings of the list in an expression: their addresses, and which they are.
fn holes(node: &Node, list: &[ReadOff], found: &mut Vec<(usize, usize)>) {
    if let Some(Together::Known(local)) = node.together.as_deref()
        && let Some(read) = list.iter().position(|read| read.local == *local)
    {
        found.push((std::ptr::from_ref(node) as usize, read));
        return;
    }
    parts(&node.kind).into_iter().for_each(|part| holes(part, list, found));
}
