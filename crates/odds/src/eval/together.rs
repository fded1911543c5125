//! Several numbers read off one pool at once.

use astragal_prob::Rational;
use astragal_prob::pool::{PoolError, read_together};
use astragal_program::core::LocalId;
use astragal_syntax::span::Span;

use super::Machine;
use crate::failure::{Failure, over_budget};
use crate::plan::ReadOff;
use crate::state::{Form, State, States, Sym};

impl Machine<'_> {
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
        let mut rest = state.clone();
        let Some(slot) = rest.locals.get_mut(local.0 as usize) else { return Ok(None) };
        let Sym::Pool(pool) = std::mem::replace(slot, Sym::Gone) else { return Ok(None) };
        let Some(table) = rest.table(pool.var).cloned() else { return Ok(None) };
        let simple = pool.marks.is_empty() && table.random.is_none() && !table.is_fixed();
        if !simple || rest.mentions(&[pool.var]) {
            return Ok(None);
        }
        let readings: Vec<_> =
            list.iter().map(|read| (read.stages.as_slice(), &read.reading)).collect();
        let parts = match read_together(&table.with(&pool.later), &readings, self.meter) {
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
