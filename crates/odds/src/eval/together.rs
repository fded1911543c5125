//! Several numbers read off one pool at once.

use std::sync::Arc;

use astragal_prob::Sums;
use astragal_prob::pool::{Joint, Numbers, PoolError, Term, read, read_together};
use astragal_prob::{Law, Natural, Rational};
use astragal_program::core::LocalId;
use astragal_syntax::span::Span;
use astragal_value::Value;

use super::{Live, Machine, Outcome, forget};
use crate::failure::{Failure, over_budget};
use crate::plain::{Kept, Runner, Store, compile};
use crate::plan::{Node, ReadOff, ReadTerm};
use crate::state::{Form, State, States, Sym, Values};
use crate::ways;

/// Where a pool is bound whose readings are made together: the pool, the readings, and what follows.
#[derive(Clone, Copy)]
pub(super) struct Bound<'p> {
    pub(super) local: LocalId,
    pub(super) list: &'p [ReadOff],
    pub(super) body: &'p Node,
}

impl<'p> Machine<'p> {
    /// Reads a pool in all the ways that will be asked for, where that is known how; elsewhere the pool is left
    /// as it is, and is read when somebody asks. Where what follows needs nothing else that is undecided, it is
    /// done at once: those states come first.
    pub(super) fn together(
        &mut self,
        bound: Bound<'p>,
        span: Span,
        states: States,
        live: &Live,
    ) -> Result<(Vec<(State, Rational)>, States), Failure> {
        let (mut done, mut after) = (Vec::new(), Vec::with_capacity(states.list.len()));
        for (state, weight) in &states.list {
            let meter = self.meter;
            let read = meter.by(ways::JOINT_READINGS, || self.read_off(bound, state, span))?;
            let Some((rest, numbers)) = read else {
                // Either all numbers are known afterwards, or none.
                return Ok((Vec::new(), states));
            };
            match numbers {
                Numbers::One(law) => {
                    after.push((with_numbers(&rest, bound.list, Vec::new(), law), weight.clone()));
                }
                Numbers::Joint(joint) => {
                    match meter.by(ways::ON_JOINT, || self.on_joint(bound, &joint, &rest))? {
                        Some(values) => {
                            let mut state = rest;
                            forget(&mut state, live);
                            let value = state.draw(values.into());
                            state.stack.push(value);
                            done.push((state, weight.clone()));
                        }
                        None => {
                            let parts = joint.parts(self.meter);
                            for part in parts.map_err(|refusal| self.refuse(refusal, span))? {
                                let state = with_numbers(&rest, bound.list, part.others, part.last);
                                after.push((state, weight * part.chance));
                            }
                        }
                    }
                }
            }
        }
        Ok((done, States { list: after, aside: states.aside }))
    }

    /// Counts the dice of a pool first that are counted later; where it is not known how, that is left to later.
    pub(super) fn counted(
        &mut self,
        local: LocalId,
        list: &'p [ReadOff],
        span: Span,
        states: States,
    ) -> Outcome {
        if !self.meter.may(ways::COUNTED) {
            return Ok(states);
        }
        let worth = |face: &Rational| list.iter().map(|read| read.worth(face)).collect();
        self.each(states, |machine, state, weight, after| {
            let pool = match state.locals.get(local.0 as usize) {
                Some(Sym::Pool(pool)) if pool.later.is_empty() && pool.marks.is_empty() => pool.var,
                _ => {
                    after.list.push((state, weight.clone()));
                    return Ok(());
                }
            };
            let cases = state.decide_counts(pool, &worth, machine.meter);
            match cases.map_err(|refusal| machine.refuse(refusal, span))? {
                None => after.list.push((state, weight.clone())),
                Some(cases) => {
                    machine.meter.took(ways::COUNTED);
                    for (mut state, counts, chance) in cases {
                        for (read, count) in list.iter().zip(counts) {
                            let count = Sym::number(Form::constant(Rational::from(count)));
                            if let Some(slot) = state.locals.get_mut(read.local.0 as usize) {
                                *slot = count;
                            }
                        }
                        after.list.push((state, weight * chance));
                    }
                }
            }
            Ok(())
        })
    }

    /// The numbers, and the state without the pool; none if it is not known how to read them together.
    fn read_off(
        &mut self,
        Bound { local, list, .. }: Bound<'p>,
        state: &State,
        span: Span,
    ) -> Result<Option<(State, Numbers)>, Failure> {
        let mut rest = state.clone();
        let Some(slot) = rest.locals.get_mut(local.0 as usize) else { return Ok(None) };
        let Sym::Pool(pool) = std::mem::replace(slot, Sym::Gone) else { return Ok(None) };
        let Some(table) = rest.table(pool.var).cloned() else { return Ok(None) };
        let simple = pool.marks.is_empty() && table.random.is_none() && !table.is_fixed();
        if !simple || rest.mentions(&[pool.var]) {
            return Ok(None);
        }
        if let [ReadOff { terms, .. }] = list
            && let [ReadTerm { factor: 1, stages, reading }] = terms.as_slice()
        {
            let dice = table.with(&[pool.later.as_slice(), stages].concat());
            return match read(&dice, reading, self.meter) {
                Ok(law) => Ok(Some((rest, Numbers::One(law)))),
                Err(PoolError::OverBudget(refusal)) => {
                    Err(Failure::refused(over_budget(refusal), span))
                }
                Err(_) => Ok(None),
            };
        }
        let term = |term: &'p ReadTerm| Term {
            factor: term.factor,
            stages: &term.stages,
            reading: &term.reading,
        };
        let readings: Vec<Vec<Term<'_>>> =
            list.iter().map(|read| read.terms.iter().map(term).collect()).collect();
        match read_together(&table.with(&pool.later), &readings, self.meter) {
            Ok(Some(numbers)) => Ok(Some((rest, numbers))),
            Err(PoolError::OverBudget(refusal)) => {
                Err(Failure::refused(over_budget(refusal), span))
            }
            Ok(None) | Err(_) => Ok(None),
        }
    }

    /// The law of what follows, worked out for all joint values without any states; none if it needs more.
    fn on_joint(
        &self,
        Bound { local, list, body }: Bound<'p>,
        joint: &Joint,
        state: &State,
    ) -> Result<Option<Values>, Failure> {
        let Some(values) = joint.whole() else { return Ok(None) };
        let mut store = Store::new();
        let read = |local: LocalId| list.iter().position(|read| read.local == local);
        let locals: Vec<LocalId> = body.free.iter().filter(|free| *free != local).collect();
        let variables: Vec<_> = locals.iter().map(|local| (*local, Kept::No)).collect();
        let Some(program) = compile(body, &variables, self.plan, &mut store) else {
            return Ok(None);
        };
        let mut runner = Runner::new(program.slots);
        let mut places = Vec::with_capacity(list.len());
        for (slot, local) in locals.iter().enumerate() {
            let value = state.locals.get(local.0 as usize).and_then(Sym::to_value);
            match (read(*local), value) {
                (Some(place), _) => places.push((slot, place)),
                (None, Some(value)) => runner.set(slot, store.word(&value)),
                (None, None) => return Ok(None),
            }
        }
        self.pay(program.code.size().saturating_mul(values.len() as u64), body.span)?;
        let (mut sums, mut total, mut folded) = (Sums::default(), Natural::ZERO, 0);
        for (numbers, weight) in values {
            for (slot, place) in &places {
                runner.set(*slot, store.word(&Value::whole(numbers[*place])));
            }
            runner.begin();
            let Some(word) = runner.run(&program.code, &mut store) else { return Ok(None) };
            folded += runner.folded;
            total += weight;
            sums.add(word, weight.clone());
        }
        self.pay(folded, body.span)?;
        Ok(Some(Values::new(Arc::new(store), sums.list, total)))
    }
}

/// The state with its numbers, the last of them undecided.
fn with_numbers(rest: &State, list: &[ReadOff], others: Vec<Rational>, last: Law) -> State {
    let mut state = rest.clone();
    let last = state.number(last);
    let numbers = others.into_iter().map(|number| Sym::number(Form::constant(number)));
    for (read, number) in list.iter().zip(numbers.chain([last])) {
        if let Some(slot) = state.locals.get_mut(read.local.0 as usize) {
            *slot = number;
        }
    }
    state
}
