//! Calls: a function of given arguments is explored once.
//!
//! As long as the arguments share no variable with what the caller still remembers, the result of a
//! call depends on the arguments alone, and its exploration is kept as a [`Summary`]. Otherwise the
//! function runs with the caller's variables set aside in the state, so that both stay tied together.

use std::rc::Rc;
use std::sync::Arc;

use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;

use super::record::pop;
use super::{Live, Machine, Outcome, forget};
use crate::failure::Failure;
use crate::plan::Node;
use crate::state::{Aside, State, States, Sym, Var, VarLaw, WINDOW, Weight};

/// How deep calls may nest.
const DEEPEST: usize = 300;

/// What a summary is of: a function of the plan, or a part of one (by its address).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Body {
    Function(usize),
    Part(usize),
}

/// A value that a body yields, the laws of its variables, its chance, and whether it is only possible.
#[derive(Debug)]
pub(super) struct Yield {
    pub(super) value: Sym,
    pub(super) laws: Vec<VarLaw>,
    pub(super) chance: Weight,
    pub(super) phantom: bool,
}

/// What a body yields for given variables.
#[derive(Debug)]
pub(super) struct Summary {
    pub(super) results: Vec<Yield>,
    pub(super) aside: Aside,
    notices: Vec<Arc<str>>,
}

impl<'p> Machine<'p> {
    pub(super) fn call(
        &mut self,
        function: usize,
        arguments: &'p [Node],
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let states = self.run_all(arguments, states, live)?;
        let plan = self.plan;
        let Some(callee) = plan.functions.get(function) else { return Ok(states) };
        if self.depth >= DEEPEST {
            return Err(Failure::refused(FaultKind::TooDeep(Arc::clone(&callee.name)), span));
        }
        let alone = states.list.len() == 1 && states.is_certain();
        let mut tied = States::default();
        let mut after = self.each(states, |machine, mut state, weight, after| {
            let mut locals = pop(&mut state, arguments.len());
            forget(&mut state, live);
            locals.resize(callee.locals, Sym::Gone);
            let under_way = machine.is_under_way(Body::Function(function), &locals, &state.laws);
            if under_way || state.mentions(&variables(&locals)) {
                let caller = std::mem::replace(&mut state.locals, locals);
                state.frames.push(caller);
                tied.list.push((state, weight.clone()));
                return Ok(());
            }
            let key = Body::Function(function);
            let summary = machine.summary(key, &callee.body, locals, &state.laws);
            let summary = summary.map_err(|failure| weigh(failure, weight, Some(span)))?;
            if alone {
                summary.notices.iter().for_each(|notice| {
                    if !machine.notices.contains(notice) {
                        machine.notices.push(Arc::clone(notice));
                    }
                });
            }
            attach(&summary, &state, weight, Some(span), after);
            Ok(())
        })?;
        let tied = self.run_tied(&callee.body, tied, span)?;
        after.list.extend(tied.list);
        after.aside.join(tied.aside);
        self.meet(after, span)
    }

    pub(super) fn enter(
        &mut self,
        body: &'p Node,
        span: Span,
        mut states: States,
        live: &Live,
    ) -> Outcome {
        let before = std::mem::take(&mut states.aside);
        let result = self.run(body, states, live);
        let mut states = result.map_err(|failure| weigh(failure, &Weight::ONE, Some(span)))?;
        states.aside = part_of(&states.aside, &Weight::ONE, Some(span));
        states.aside.join(before);
        Ok(states)
    }

    /// Whether this very call is being explored: the function calls itself.
    fn is_under_way(&self, key: Body, locals: &[Sym], laws: &[VarLaw]) -> bool {
        if self.under_way.is_empty() {
            return false;
        }
        let mut start = State { locals: locals.to_vec(), laws: laws.to_vec(), ..State::default() };
        start.tidy();
        self.under_way.contains(&(key, start))
    }

    /// Runs a body on states whose callers' variables are set aside. What has become too unlikely is
    /// given up, so that a function that calls itself with a chance comes to an end.
    fn run_tied(&mut self, body: &'p Node, mut tied: States, span: Span) -> Outcome {
        let sliver = Weight::ONE / Weight::from(WINDOW);
        let (kept, unlikely) = tied.list.into_iter().partition(|(_, weight)| *weight >= sliver);
        tied.list = unlikely;
        let lost = tied.mass();
        tied.list = kept;
        tied.aside.lost += lost;
        self.depth += 1;
        let result = self.run(body, tied, &Live::default());
        self.depth -= 1;
        let mut states = result.map_err(|failure| weigh(failure, &Weight::ONE, Some(span)))?;
        states.aside = part_of(&states.aside, &Weight::ONE, Some(span));
        for (state, _) in &mut states.list {
            state.locals = state.frames.pop().unwrap_or_default();
        }
        Ok(states)
    }

    /// What a body yields for these variables.
    pub(super) fn summary(
        &mut self,
        key: Body,
        body: &'p Node,
        locals: Vec<Sym>,
        laws: &[VarLaw],
    ) -> Result<Rc<Summary>, Failure> {
        let mut start = State { locals, laws: laws.to_vec(), ..State::default() };
        start.tidy();
        if let Some(known) = self.summaries.get(&(key, start.clone())) {
            return Ok(Rc::clone(known));
        }
        let outer = std::mem::take(&mut self.notices);
        self.under_way.insert((key, start.clone()));
        self.depth += 1;
        let result = self.run(body, States::one(start.clone()), &Live::default());
        self.depth -= 1;
        self.under_way.remove(&(key, start.clone()));
        let notices = std::mem::replace(&mut self.notices, outer);
        let states = self.meet(strip(result?), body.span)?;
        let aside = states.aside.clone();
        let results = states.list.into_iter().map(|(mut state, chance)| {
            let value = state.stack.pop().unwrap_or(Sym::Gone);
            Yield { value, laws: state.laws, chance, phantom: state.phantom }
        });
        let summary = Rc::new(Summary { results: results.collect(), aside, notices });
        self.summaries.insert((key, start), Rc::clone(&summary));
        Ok(summary)
    }
}

/// Only the result counts.
fn strip(mut states: States) -> States {
    states.list.iter_mut().for_each(|(state, _)| state.locals.clear());
    states
}

pub(super) fn variables(syms: &[Sym]) -> Vec<Var> {
    let mut vars = Vec::new();
    syms.iter().for_each(|sym| sym.visit(&mut |var| vars.push(var)));
    vars
}

/// Continues a state with each result of a summary.
pub(super) fn attach(
    summary: &Summary,
    state: &State,
    weight: &Weight,
    call: Option<Span>,
    after: &mut States,
) {
    for result in &summary.results {
        let mut state = state.clone();
        let offset = state.laws.len() as u32;
        let mut value = result.value.clone();
        value.rename(&|var: Var| Var(var.0 + offset));
        state.laws.extend(result.laws.iter().cloned());
        state.stack.push(value);
        state.phantom |= result.phantom;
        after.list.push((state, weight * &result.chance));
    }
    after.aside.join(part_of(&summary.aside, weight, call));
}

/// What did not get through something that happens with this chance.
pub(super) fn part_of(aside: &Aside, weight: &Weight, call: Option<Span>) -> Aside {
    let failed = aside.failed.iter().map(|failure| weigh(failure.clone(), weight, call));
    let rejected = aside.rejected.as_ref().map(|rejected| weigh(rejected.clone(), weight, call));
    Aside { lost: weight * &aside.lost, rejected, failed: failed.collect() }
}

/// A failure inside something that happens with this chance, called from this place.
pub(super) fn weigh(mut failure: Failure, weight: &Weight, call: Option<Span>) -> Failure {
    if !failure.is_final() {
        failure.chance *= weight;
    }
    if let Some(span) = call {
        failure.fault = failure.fault.called_from(span);
    }
    failure
}
