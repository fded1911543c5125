//! What is made of copies of itself: dice that add dice.
//!
//! ```text
//! fn boom() = do let die = d6; if die == 6 then 6 + boom() + boom() else die end
//! repeat with dice = 1, total = 0 … next dice = dice - 1 + extra, total = total + die until dice == 0
//! ```
//!
//! Both say the same: a number is something known and so many independent copies of the number itself.
//! That is an equation for its generating function, which [`astragal_prob`] solves.

use astragal_prob::{Growth, Law};
use astragal_program::core::LocalId;
use astragal_program::fault::{FaultKind, NeverStops};
use astragal_syntax::span::Span;

use super::Machine;
use super::fold::set;
use super::repeat::{Ends, take_record, zero};
use crate::failure::{Failure, over_budget};
use crate::plan::Repeat;
use crate::state::{Aside, State, States, Sym, Weight};

impl<'p> Machine<'p> {
    /// The states of a body whose results hold an unknown, once that is known.
    pub(super) fn solved(
        &mut self,
        states: States,
        id: u32,
        span: Span,
    ) -> Result<Option<States>, Failure> {
        // What does not count, or fails, may do so before a copy of itself comes to an end or after.
        if !states.aside.is_nothing() || states.list.iter().any(|(state, _)| state.phantom) {
            return Ok(None);
        }
        let mut parts = Vec::new();
        for (state, weight) in &states.list {
            let Some(form) = state.stack.last().and_then(Sym::as_form) else { return Ok(None) };
            let law = state.law_of(&form, self.meter);
            parts.push((weight.clone(), law.map_err(|refusal| self.refuse(refusal, span))?));
        }
        let growth = Law::mixture(&parts, self.meter).and_then(|law| law.solved(id, self.meter));
        let growth = growth.map_err(|refusal| self.refuse(refusal, span))?;
        let Some((law, chance, aside)) = growth.map(grown) else { return Ok(None) };
        if chance.is_zero() {
            return Ok(None);
        }
        let mut state = State::default();
        let value = state.number(law);
        state.stack.push(value);
        Ok(Some(States { list: vec![(state, chance)], aside }))
    }

    /// The ends of a loop over a count that falls by at most one a round and ends it at 0. Each unit of
    /// the count is used up on its own, and one round of it leaves so many new ones: the loop is a sum of
    /// independent numbers that grow by copies of themselves. None if it is no such loop.
    pub(super) fn used_up(
        &mut self,
        repeat: &'p Repeat,
        counter: Option<usize>,
        start: &State,
        span: Span,
    ) -> Result<Option<(Ends, Aside)>, Failure> {
        let Some((at, units)) = repeat.count.and_then(|at| Some((at, units(repeat, at, start)?)))
        else {
            return Ok(None);
        };
        let mut node = start.clone();
        set(&mut node.locals, repeat.state[at], zero());
        let states = self.round(repeat, States::one(node.clone()))?;
        if !states.aside.is_nothing() {
            return Ok(None);
        }
        let mut parts = Vec::new();
        for (mut state, chance) in states.list {
            let mut fields = take_record(&mut state);
            fields.pop();
            if state.phantom {
                return Ok(None);
            }
            for (fields, laws, chance) in self.next_nodes(fields, counter, state, chance, span)? {
                let Some(mut fields) = fields else { return Ok(None) };
                let change = std::mem::replace(&mut fields[at], zero());
                let change = change.as_form().and_then(|form| i64::try_from(form.constant).ok());
                let copies = change.and_then(|change| u64::try_from(change + 1).ok());
                let (next, tick) = self.node_of(repeat, counter, &node, fields, laws, span)?;
                let Some(copies) = copies.filter(|_| next == node) else { return Ok(None) };
                parts.push((chance, tick, copies));
            }
        }
        let refuse = |refusal| Failure::refused(over_budget(refusal), span);
        let Some(growth) = Law::grown(&parts, self.meter).map_err(refuse)? else { return Ok(None) };
        let growth = growth.times(units, self.meter).map_err(refuse)?;
        let Some((law, chance, aside)) = growth.map(grown) else { return Ok(None) };
        if chance.is_zero() {
            let kind = FaultKind::NeverStops(NeverStops::Repeat);
            return Err(Failure::new(kind, span, Weight::ONE));
        }
        let mut end = State { laws: node.laws.clone(), ..State::default() };
        let value = |local: &LocalId| node.locals.get(local.0 as usize).cloned();
        let mut fields: Vec<Sym> =
            repeat.state.iter().map(|local| value(local).unwrap_or(Sym::Gone)).collect();
        if let Some(counter) = counter {
            fields[counter] = end.number(law);
        }
        Ok(Some((vec![(fields, end.laws, chance)], aside)))
    }
}

/// The law, the chance of an end, and what does not get there.
fn grown(growth: Growth) -> (Law, Weight, Aside) {
    match growth {
        Growth::Exact { ends, law } => {
            let never = Weight::ONE - &ends;
            (law, ends, Aside { never, ..Aside::default() })
        }
        Growth::Within { listed, chance, never } => {
            let lost = Weight::ONE - &chance - &never;
            (listed, chance, Aside { lost, never, ..Aside::default() })
        }
    }
}

/// How many units of a count there are at first: a positive whole number.
fn units(repeat: &Repeat, at: usize, start: &State) -> Option<u64> {
    let count = start.locals.get(repeat.state[at].0 as usize)?.as_form()?;
    let whole = i64::try_from(count.constant).ok().and_then(|n| u64::try_from(n).ok());
    whole.filter(|n| *n > 0 && count.terms.is_empty())
}
