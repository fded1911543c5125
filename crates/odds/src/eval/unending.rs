//! Dice that go on for ever, but not on every path.
//!
//! `(d3 - 1)d2 rr<=2` throws each die again and again, but there may be no dice. `d2!!<=2 up to 1 rr<=2` goes on
//! for ever only if the die still shows 2 after it has exploded once. Where a die goes on for ever, the program
//! fails; what is left are dice to which the suffix does nothing.

use astragal_prob::pool::{
    Condition, Endlessness, Pool, Reading, Source, Stage, Trigger, never_stops, read,
};
use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;

use super::Machine;
use super::decide::{Done, Turn};
use crate::failure::{Failure, never_stops as reason};
use crate::state::{Shared, State, Sym, Table, Var, VarLaw, Weight};

impl Machine<'_> {
    /// Fails where the dice on top of the stack go on for ever because of their last suffix.
    pub(super) fn unending(&mut self, mut state: State, turn: &mut Turn<'_>) -> Done {
        let Some((var, why)) = goes_on(&state) else {
            return turn.go_on(state);
        };
        let (weight, span) = (turn.weight, turn.span);
        let fails = |chance| Failure::new(FaultKind::NeverStops(reason(why)), span, chance);
        let Some((condition, spared)) = self.spared(&state) else {
            let none = self.none_at_all(&mut state, var, span)?;
            let failure = fails(weight * (Weight::ONE - &none));
            if !none.is_zero() {
                turn.with(&(weight * none)).go_on(state)?;
            }
            return Err(failure);
        };
        if state.table(var).is_some_and(|table| table.random.is_some()) {
            return self.in_each_case(&state, var, turn, Self::unending);
        }
        let Some(var) = taken_back(&mut state) else { return Err(fails(weight.clone())) };
        let hands = self.split(&state, var, turn)?;
        let lies = |table: &Shared<Table>| table.is_fixed();
        if !hands.iter().all(|(state, _)| state.table(var).is_some_and(lies)) {
            return Err(Failure::refused(FaultKind::NotKnown, span));
        }
        let fires = |table: &Table| {
            let dice = table.groups.iter().filter_map(|(_, source)| match source {
                Source::Fixed(dice, _) => Some(dice),
                Source::Die(_) | Source::Total(_) => None,
            });
            dice.flatten().any(|die| condition.holds(&die.shown))
        };
        let stays = |state: &State| !state.table(var).is_some_and(|table| fires(table));
        turn.after.list.extend(hands.into_iter().filter(|(state, _)| stays(state)));
        Err(fails(weight * (Weight::ONE - spared)))
    }

    /// What makes a die go on for ever, and the chance that none of the dice does so. None if one always does,
    /// or where dice differ. Of a random number of dice a single one is looked at.
    fn spared(&self, state: &State) -> Option<(Condition, Weight)> {
        let Some(Sym::Pool(pool)) = state.stack.last() else { return None };
        let (last, before) = pool.later.split_last()?;
        let condition = match last {
            Stage::Reroll { when, .. } | Stage::Explode { trigger: Trigger::When(when), .. } => {
                when
            }
            _ => return None,
        };
        let dice = with_one(state.table(pool.var)?, before);
        if dice.groups.len() != 1 {
            return None;
        }
        let fired = read(&dice, &Reading::Marks(vec![(condition.clone(), 1)]), self.meter).ok()?;
        let spared = fired.chance(&Weight::ZERO, self.meter).ok()?;
        (!spared.is_zero()).then(|| (condition.clone(), spared))
    }

    /// Leaves out a random number of dice: the chance that there are none.
    fn none_at_all(&self, state: &mut State, var: Var, span: Span) -> Result<Weight, Failure> {
        let Some(table) = state.table(var) else { return Ok(Weight::ZERO) };
        let Some((count, _)) = &table.random else { return Ok(Weight::ZERO) };
        let none = count.chance(&Weight::ZERO, self.meter);
        let none = none.map_err(|refusal| self.refuse(refusal, span))?;
        let others = Table { random: None, ..Table::clone(table) };
        state.set_law(var, VarLaw::Dice(Shared::new(others)));
        // Dice that lie beside them may go on for ever as well.
        Ok(if goes_on(state).is_none() { none } else { Weight::ZERO })
    }
}

/// How the dice on top of the stack go on for ever, if there are any and they may.
pub(super) fn goes_on(state: &State) -> Option<(Var, Endlessness)> {
    let Some(Sym::Pool(pool)) = state.stack.last() else { return None };
    let dice = with_one(state.table(pool.var)?, &pool.later);
    let throws =
        dice.groups.iter().any(|(count, source)| *count > 0 && matches!(source, Source::Die(_)));
    if throws { never_stops(&dice).map(|why| (pool.var, why)) } else { None }
}

/// Dice after some stages, with a single one in place of a random number.
fn with_one(table: &Table, later: &[Stage]) -> Pool {
    let mut dice = table.with(later);
    if let Some((_, source)) = &table.random {
        dice.groups.push((1, source.clone()));
    }
    dice
}

/// Takes back the last suffix of the dice on top of the stack; the others act.
fn taken_back(state: &mut State) -> Option<Var> {
    let Some(Sym::Pool(mut pool)) = state.stack.pop() else { return None };
    pool.later.pop();
    let acted = state.acted(Sym::Pool(pool));
    let Sym::Pool(pool) = &acted else { return None };
    let var = pool.var;
    state.stack.push(acted);
    Some(var)
}
