//! Deciding variables where a step needs finished values.

use std::rc::Rc;

use astragal_prob::{Growing, Law, Listing, OverBudget, Rational};
use astragal_program::fault::{Costly, FaultKind};
use astragal_syntax::span::Span;
use astragal_value::Value;

use super::call::variables;
use super::{FEW_CASES, Machine, Outcome, put_aside};
use crate::failure::{Failure, pool_fault, too_much};
use crate::state::{State, States, Sym, Var};
use crate::ways;

/// The turn of a state to go through a form: how likely the state is, where that is, and what comes of all of them.
pub(super) struct Turn<'a> {
    pub(super) weight: &'a Rational,
    pub(super) span: Span,
    pub(super) after: &'a mut States,
}

/// What it costs to go on with one of several cases.
const CASE: u64 = 20;

/// Whether a turn was taken, or fails.
pub(super) type Done = Result<(), Failure>;

impl Turn<'_> {
    /// The turn of a state that is less likely.
    pub(super) fn with<'b>(&'b mut self, weight: &'b Rational) -> Turn<'b> {
        Turn { weight, span: self.span, after: self.after }
    }

    /// The state goes on.
    pub(super) fn go_on(&mut self, state: State) -> Done {
        self.after.list.push((state, self.weight.clone()));
        Ok(())
    }

    /// The state goes on with this value on its stack.
    pub(super) fn push(&mut self, mut state: State, value: Sym) -> Done {
        state.stack.push(value);
        self.go_on(state)
    }

    /// The state goes on with a number that has this law.
    pub(super) fn push_law(&mut self, mut state: State, law: Law) -> Done {
        let value = state.number(law);
        self.push(state, value)
    }

    /// The state goes on with one of the answers, each with its chance.
    pub(super) fn answer(&mut self, state: &State, yes: Rational, no: Rational) -> Done {
        for (truth, chance) in [(true, yes), (false, no)] {
            if !chance.is_zero() {
                self.with(&(self.weight * chance)).push(state.clone(), Sym::truth(truth))?;
            }
        }
        Ok(())
    }

    /// The state fails.
    pub(super) fn fails(&self, kind: FaultKind) -> Failure {
        Failure::new(kind, self.span, self.weight.clone())
    }
}

impl Machine<'_> {
    /// Decides every variable in the topmost `count` values of each stack.
    pub(crate) fn decided(&mut self, states: States, count: usize, span: Span) -> Outcome {
        let top = |state: &State| state.stack.len().saturating_sub(count);
        let mut tops = states.list.iter().flat_map(|(state, _)| &state.stack[top(state)..]);
        if tops.all(Sym::is_decided) {
            return Ok(states);
        }
        self.each(states, span, |machine, state, turn| machine.decide_top(state, count, turn))
    }

    fn decide_top(&mut self, state: State, count: usize, turn: &mut Turn<'_>) -> Done {
        let start = state.stack.len().saturating_sub(count);
        let lies = |var: &Var| state.table(*var).is_some_and(|table| table.is_fixed());
        match variables(&state.stack[start..]).into_iter().find(|var| !lies(var)) {
            None => turn.go_on(state),
            Some(var) => self.in_each_case(&state, var, turn, |machine, state, turn| {
                machine.decide_top(state, count, turn)
            }),
        }
    }

    /// Decides a variable, and does something in each case. Cases that fail are put aside.
    pub(super) fn in_each_case(
        &mut self,
        state: &State,
        var: Var,
        turn: &mut Turn<'_>,
        each: impl FnMut(&mut Self, State, &mut Turn<'_>) -> Done,
    ) -> Done {
        let cases = self.split(state, var, turn)?;
        self.in_cases(cases, turn, each)
    }

    /// The same for dice that lie in throw order, where that is needed.
    pub(super) fn in_each_case_as_thrown(
        &mut self,
        state: &State,
        var: Var,
        turn: &mut Turn<'_>,
        each: impl FnMut(&mut Self, State, &mut Turn<'_>) -> Done,
    ) -> Done {
        let cases = self.split_dice(state, (var, self.plan.as_thrown), turn)?;
        self.in_cases(cases, turn, each)
    }

    fn in_cases(
        &mut self,
        cases: Vec<(State, Rational)>,
        turn: &mut Turn<'_>,
        mut each: impl FnMut(&mut Self, State, &mut Turn<'_>) -> Done,
    ) -> Done {
        for (state, weight) in cases {
            self.pay_for_case(turn)?;
            let result = each(self, state, &mut turn.with(&weight));
            put_aside(result, turn.after)?;
        }
        Ok(())
    }

    /// Pays for one of several cases, beside what is done then, and makes room for what comes of it.
    pub(super) fn pay_for_case(&self, turn: &mut Turn<'_>) -> Done {
        self.pay(CASE, turn.span)?;
        turn.after.list.make_room(FEW_CASES, self.meter).map_err(too_much(turn.span))
    }

    /// The values of a variable with their chances, and the chance given up (an endless number is cut where
    /// less than one in [`ways::WINDOW`] remains).
    pub(super) fn listing(&mut self, state: &State, var: Var) -> Result<Rc<Listing>, OverBudget> {
        let nothing = || Listing { outcomes: Vec::new(), rest: Rational::ZERO };
        let Some(law) = state.law(var) else { return Ok(Rc::new(nothing())) };
        if let Some(known) = self.listings.get(law) {
            self.meter.charge(known.outcomes.len() as u64)?;
            return Ok(Rc::clone(known));
        }
        let listing = Rc::new(law.listing(&ways::sliver(), None, self.meter)?);
        self.meter.charge(listing.outcomes.len() as u64)?;
        let values = listing.outcomes.len() as u64 * size_of::<(Rational, Rational)>() as u64;
        if self.keeps(2 * law.bytes() + values) {
            self.listings.insert(law.clone(), Rc::clone(&listing));
        }
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
        turn: &mut Turn<'_>,
    ) -> Result<Vec<(State, Rational)>, Failure> {
        self.split_dice(state, (var, false), turn)
    }

    fn split_dice(
        &mut self,
        state: &State,
        (var, as_thrown): (Var, bool),
        turn: &mut Turn<'_>,
    ) -> Result<Vec<(State, Rational)>, Failure> {
        let refuse = too_much(turn.span);
        self.worth_deciding(state, var, turn.span)?;
        // One state may become many in its turn, variable by variable.
        let mut rent = self.meter.rent();
        rent.grow(turn.after.bytes(), self.meter).map_err(refuse)?;
        let random = state.table(var).is_some_and(|table| table.random.is_some());
        let (parts, rest) = match state.table(var) {
            Some(_) if random => state.decide_count(var, self.meter).map_err(refuse)?,
            Some(_) => {
                let parts = state.decide_dice(var, as_thrown, self.meter);
                parts.map_err(|error| Failure::refused(pool_fault(error), turn.span))?
            }
            None if let Some(values) = state.values(var) => {
                let parts = state.decide_value(var, values, self.meter).map_err(refuse)?;
                (parts, Rational::ZERO)
            }
            None => {
                let listing = self.listing(state, var).map_err(refuse)?;
                let parts = state.decide(var, &listing, self.meter).map_err(refuse)?;
                (parts, listing.rest.clone())
            }
        };
        turn.after.list.make_room(parts.len(), self.meter).map_err(refuse)?;
        turn.after.aside.lost += turn.weight * rest;
        Ok(parts.into_iter().map(|(state, chance)| (state, turn.weight * chance)).collect())
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
