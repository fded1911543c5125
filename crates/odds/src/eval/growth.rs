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
use super::call::part_of;
use super::fold::set;
use super::repeat::{Ends, take_record, zero};
use crate::failure::{Failure, too_much};
use crate::plan::Repeat;
use crate::state::{Aside, State, States, Sym, Weight};

impl<'p> Machine<'p> {
    /// The states of a body whose results hold an unknown, once that is known. Whatever fails or does not count must
    /// do so before the unknown is met (`early`): then each round of calls has the same chance of that.
    pub(super) fn solved(
        &mut self,
        states: States,
        early: bool,
        id: u32,
        span: Span,
    ) -> Result<Option<States>, Failure> {
        let aside = &states.aside;
        let whole = aside.failed.is_empty() && aside.rejected.is_none();
        let exact = aside.lost.is_zero() && aside.never.is_zero();
        if !exact || !(whole || early) || states.list.iter().any(|(state, _)| state.phantom) {
            return Ok(None);
        }
        let refuse = too_much(span);
        let ways = aside.failed.iter().chain(&aside.rejected);
        let ways = ways.fold(Weight::ZERO, |sum, way| sum + &way.chance);
        if !whole && states.list.iter().all(|(state, _)| state.owed > 0) {
            let share = Weight::ONE / ways;
            return Ok(Some(States { list: Vec::new(), aside: part_of(aside, &share, None) }));
        }
        let mut parts = Vec::new();
        for (state, weight) in &states.list {
            let Some(form) = state.stack.last().and_then(Sym::as_form) else { return Ok(None) };
            let law = state.law_of(&form, self.meter).map_err(refuse)?;
            // An unknown that the result forgot must end nevertheless.
            if law.copies(id, self.meter).map_err(refuse)? != Some(u64::from(state.owed)) {
                return Ok(None);
            }
            parts.push((weight.clone(), law));
        }
        let mass = states.mass();
        parts.iter_mut().for_each(|(weight, _)| *weight = &*weight / &mass);
        let growth = Law::mixture(&parts, self.meter);
        let growth = growth.and_then(|law| law.solved(id, &mass, self.meter)).map_err(refuse)?;
        let Some((law, chance, mut gone)) = growth.map(grown) else { return Ok(None) };
        if !whole {
            let share = std::mem::take(&mut gone.never) / ways;
            gone.join(part_of(aside, &share, None));
        } else if chance.is_zero() {
            return Ok(None);
        }
        let mut state = State::default();
        let value = state.number(law);
        state.stack.push(value);
        let list = vec![(state, chance)].into_iter().filter(|(_, chance)| !chance.is_zero());
        Ok(Some(States { list: list.collect(), aside: gone }))
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
            let next = self.next_nodes(fields, counter.as_slice(), state, chance, span)?;
            let Some(next) = next else { return Ok(None) };
            for (mut next, chance) in next {
                let change = std::mem::replace(&mut next.stack[at], zero());
                let change = change.as_form().and_then(|form| i64::try_from(form.constant).ok());
                let copies = change.and_then(|change| u64::try_from(change + 1).ok());
                let (next, tick) = self.node_of(repeat, counter, &node, next, span)?;
                let Some(copies) = copies.filter(|_| next == node) else { return Ok(None) };
                parts.push((chance, tick, copies));
            }
        }
        let refuse = too_much(span);
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
