//! Deciding variables where a step needs finished values.

use std::rc::Rc;

use astragal_prob::{Listing, OverBudget, Rational};
use astragal_program::fault::{Costly, FaultKind};
use astragal_syntax::span::Span;
use astragal_value::Value;

use super::call::variables;
use super::{Machine, Outcome};
use crate::failure::{Failure, over_budget, pool_fault};
use crate::state::{State, States, Sym, Var};
use crate::ways::{self, WINDOW};

impl Machine<'_> {
    /// Decides every variable in the topmost `count` values of each stack.
    pub(super) fn decided(&mut self, states: States, count: usize, span: Span) -> Outcome {
        let top = |state: &State| state.stack.len().saturating_sub(count);
        let mut tops = states.list.iter().flat_map(|(state, _)| &state.stack[top(state)..]);
        if tops.all(Sym::is_decided) {
            return Ok(states);
        }
        self.each(states, |machine, state, weight, after| {
            machine.decide_top(state, weight, count, span, after)
        })
    }

    fn decide_top(
        &mut self,
        state: State,
        weight: &Rational,
        count: usize,
        span: Span,
        after: &mut States,
    ) -> Result<(), Failure> {
        let start = state.stack.len().saturating_sub(count);
        let lies = |var: &Var| state.table(*var).is_some_and(|table| table.is_fixed());
        match variables(&state.stack[start..]).into_iter().find(|var| !lies(var)) {
            None => after.list.push((state, weight.clone())),
            Some(var) => {
                for (state, weight) in self.split(&state, var, weight, span, after)? {
                    self.decide_top(state, &weight, count, span, after)?;
                }
            }
        }
        Ok(())
    }

    /// The values of a variable with their chances, and the chance given up (an endless number is cut where
    /// less than one in [`WINDOW`] remains).
    pub(super) fn listing(&mut self, state: &State, var: Var) -> Result<Rc<Listing>, OverBudget> {
        let nothing = || Listing { outcomes: Vec::new(), rest: Rational::ZERO };
        let Some(law) = state.law(var) else { return Ok(Rc::new(nothing())) };
        if let Some(known) = self.listings.get(law) {
            self.meter.charge(known.outcomes.len() as u64)?;
            return Ok(Rc::clone(known));
        }
        let sliver = Rational::ONE / Rational::from(WINDOW);
        let listing = Rc::new(law.listing(&sliver, None, self.meter)?);
        self.meter.charge(listing.outcomes.len() as u64)?;
        self.listings.insert(law.clone(), Rc::clone(&listing));
        Ok(listing)
    }

    /// An attempt ends where a variable with many values would have to be decided.
    pub(super) fn worth_deciding(
        &self,
        state: &State,
        var: Var,
        span: Span,
    ) -> Result<(), Failure> {
        let few = |count: usize| count <= ways::FEW_VALUES;
        let worth = match (state.law(var), state.values(var), state.table(var)) {
            (Some(law), ..) => law.as_table().is_some_and(|table| few(table.count())),
            (_, Some(values), _) => few(values.count()),
            (.., Some(table)) => table.random.is_some() || few(table.most_hands()),
            (None, None, None) => true,
        };
        if self.attempt && !worth {
            return Err(Failure::refused(FaultKind::OverBudget(Costly::States), span));
        }
        Ok(())
    }

    /// One state for each value of a variable, with their chances.
    pub(super) fn split(
        &mut self,
        state: &State,
        var: Var,
        weight: &Rational,
        span: Span,
        after: &mut States,
    ) -> Result<Vec<(State, Rational)>, Failure> {
        let refuse = |refusal| Failure::refused(over_budget(refusal), span);
        self.worth_deciding(state, var, span)?;
        let random = state.table(var).is_some_and(|table| table.random.is_some());
        let (parts, rest) = match state.table(var) {
            Some(_) if random => state.decide_count(var, self.meter).map_err(refuse)?,
            Some(_) => {
                let parts = state.decide_dice(var, self.meter);
                let parts = parts.map_err(|error| Failure::refused(pool_fault(error), span))?;
                (parts, Rational::ZERO)
            }
            None if let Some(values) = state.values(var) => {
                let parts = state.decide_value(var, values, self.meter).map_err(refuse)?;
                (parts, Rational::ZERO)
            }
            None => {
                let listing = self.listing(state, var).map_err(refuse)?;
                state.pay_for(listing.outcomes.len(), self.meter).map_err(refuse)?;
                (state.decide(var, &listing), listing.rest.clone())
            }
        };
        after.aside.lost += weight * rest;
        Ok(parts.into_iter().map(|(state, chance)| (state, weight * chance)).collect())
    }
}

/// The finished value on top of the stack.
pub(super) fn pop_value(state: &mut State) -> Value {
    state.stack.pop().and_then(|sym| sym.to_value()).unwrap_or(Value::None)
}

/// The finished number on top of the stack.
pub(super) fn pop_number(state: &mut State) -> astragal_value::Number {
    match state.stack.pop() {
        Some(Sym::Value(Value::Number(n))) => n,
        _ => astragal_value::Number::ZERO,
    }
}
