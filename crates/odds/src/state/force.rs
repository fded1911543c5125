//! Deciding a variable: one state for each value it may have.

use astragal_prob::pool::{Hands, Pool, PoolError, Source, dice, in_parts};
use astragal_prob::{Listing, Meter, OverBudget, Rational};

use super::{Form, Shared, State, Sym, Table, Values, Var, VarLaw, Weight};
use crate::ways;

impl Sym {
    /// Pays for a copy of a list or a record.
    pub(crate) fn pay_for_copy(&self, meter: &Meter) -> Result<(), OverBudget> {
        let breadth = self.breadth() as u64;
        meter.charge(breadth)?;
        meter.room(breadth.saturating_mul(4 * size_of::<Sym>() as u64))
    }
}

impl State {
    /// Pays for so many states like this one, before they are there.
    pub(crate) fn pay_for(&self, states: usize, meter: &Meter) -> Result<(), OverBudget> {
        const STATE: u64 = 80;
        let (states, each) = (states as u64, STATE + 4 * self.parts());
        meter.charge(states.saturating_mul(each))?;
        meter.room(states.saturating_mul(self.bytes()))
    }

    /// Decides a number: a state for each value that is listed, with its chance.
    pub(crate) fn decide(&self, var: Var, listing: &Listing) -> Vec<(State, Weight)> {
        let states = listing.outcomes.iter().map(|(value, chance)| {
            let mut state = self.clone();
            state.substitute(var, &Form::constant(value.clone()));
            (state, chance.clone())
        });
        states.collect()
    }

    /// Decides a value: a state for each that it may be, with its chance.
    pub(crate) fn decide_value(
        &self,
        var: Var,
        values: &Values,
        meter: &Meter,
    ) -> Result<Vec<(State, Weight)>, OverBudget> {
        self.pay_for(values.count(), meter)?;
        let total = Rational::from(values.total().clone());
        let states = values
            .outcomes()
            .map(|(value, weight)| (self.with_value(var, &value), Rational::from(weight) / &total));
        Ok(states.collect())
    }

    /// Decides dice: one state for each set of faces on the table. Where they can go on for ever, only how often they
    /// explode is decided, and the chance that they do so more often is told.
    pub(crate) fn decide_dice(
        &self,
        var: Var,
        meter: &Meter,
    ) -> Result<(Vec<(State, Weight)>, Weight), PoolError> {
        let Some(table) = self.table(var).cloned() else { return Ok((vec![], Weight::ZERO)) };
        let pool = table.with(&[]);
        let hands = match dice(&pool, meter) {
            Err(PoolError::NoClosedForm) => return self.decide_parts(var, &pool, meter),
            hands => hands?,
        };
        self.pay_for(hands.outcomes().len(), meter)?;
        Ok((self.with_hands(var, &hands).collect(), Weight::ZERO))
    }

    /// Decides how often dice explode, or cuts them. They are not thrown again: a die is a number from then on.
    fn decide_parts(
        &self,
        var: Var,
        pool: &Pool,
        meter: &Meter,
    ) -> Result<(Vec<(State, Weight)>, Weight), PoolError> {
        let parts = in_parts(pool, &ways::sliver(), meter)?;
        let (pools, rest) = parts.ok_or(PoolError::NoClosedForm)?;
        self.pay_for(pools.len(), meter)?;
        let states = pools.into_iter().map(|(Pool { groups, stages }, chance)| {
            let groups = groups.into_iter().map(|(n, source)| (n, source.frozen())).collect();
            let table = Table { groups, random: None, stages };
            (self.with_law(var, VarLaw::Dice(Shared::new(table))), chance)
        });
        Ok((states.collect(), rest))
    }

    /// A state for each set of dice that a variable may be, with its chance.
    pub(crate) fn with_hands(
        &self,
        var: Var,
        hands: &Hands,
    ) -> impl Iterator<Item = (State, Weight)> {
        let total = Rational::from(hands.total().clone());
        hands.outcomes().iter().map(move |(hand, weight)| {
            let state = self.with_table(var, vec![(1, Source::Fixed(hand.clone()))]);
            (state, Rational::from(weight.clone()) / &total)
        })
    }

    /// Decides how many dice a random group has, not yet what they show.
    pub(crate) fn decide_count(
        &self,
        var: Var,
        meter: &Meter,
    ) -> Result<(Vec<(State, Weight)>, Weight), OverBudget> {
        let Some(table) = self.table(var).cloned() else { return Ok((vec![], Weight::ZERO)) };
        let Some((count, source)) = &table.random else { return Ok((vec![], Weight::ZERO)) };
        let listing = count.listing(&ways::sliver(), None, meter)?;
        self.pay_for(listing.outcomes.len(), meter)?;
        let states = listing.outcomes.into_iter().map(|(dice, chance)| {
            let mut table = Table { random: None, ..Table::clone(&table) };
            table.groups.push((u64::try_from(dice).unwrap_or(0), source.clone()));
            (self.with_law(var, VarLaw::Dice(Shared::new(table))), chance)
        });
        Ok((states.collect(), listing.rest))
    }

    /// The same state with these dice on the table.
    fn with_table(&self, var: Var, groups: Vec<(u64, Source)>) -> State {
        let table = Table { groups, random: None, stages: Vec::new() };
        self.with_law(var, VarLaw::Dice(Shared::new(table)))
    }
}
