//! Deciding a variable: one state for each value it may have.

use astragal_prob::pool::{
    Die, Hands, Pool, PoolError, Source, TableDie, dice, dice_as_thrown, in_parts,
};
use astragal_prob::{Listing, Meter, OverBudget, Rational};

use super::{Form, Shared, State, Sym, Table, Values, Var, VarLaw, Weight};
use crate::ways;

impl Sym {
    /// Pays for a copy of a list or a record.
    pub(crate) fn pay_for_copy(&self, meter: &Meter) -> Result<(), OverBudget> {
        let (Sym::List(items) | Sym::Record(_, items)) = self else { return Ok(()) };
        let (breadth, items) = (self.breadth() as u64, items.len() as u64);
        // What its items hold lies elsewhere, each by itself.
        meter.charge(items / 2 + 4 * breadth.saturating_sub(items))?;
        meter.room(breadth.saturating_mul(8 * size_of::<Sym>() as u64))
    }
}

impl State {
    /// What it costs to make a state like this one.
    fn price_of_copy(&self) -> u64 {
        const STATE: u64 = 80;
        STATE + 4 * self.parts()
    }

    /// Pays for a state like this one, before it is there.
    pub(crate) fn pay_for_one(&self, meter: &Meter) -> Result<(), OverBudget> {
        meter.charge(self.price_of_copy())?;
        meter.room(self.bytes())
    }

    /// So many states like this one with so many bytes beside, each paid for before it is made.
    fn cases(
        &self,
        (count, beside): (usize, usize),
        mut states: impl Iterator<Item = (State, Weight)>,
        meter: &Meter,
    ) -> Result<Vec<(State, Weight)>, OverBudget> {
        let (cases, each) = (count as u64, self.price_of_copy());
        meter.afford(cases.saturating_mul(each))?;
        meter.room(cases.saturating_mul(self.bytes() + beside as u64))?;
        let mut made = Vec::with_capacity(count);
        for _ in 0..count {
            meter.charge(each)?;
            made.extend(states.next());
        }
        Ok(made)
    }

    /// Decides a number: a state for each value that is listed, with its chance.
    pub(crate) fn decide(
        &self,
        var: Var,
        listing: &Listing,
        meter: &Meter,
    ) -> Result<Vec<(State, Weight)>, OverBudget> {
        let states = listing.outcomes.iter().map(|(value, chance)| {
            let mut state = self.clone();
            state.substitute(var, &Form::constant(value.clone()));
            (state, chance.clone())
        });
        self.cases((listing.outcomes.len(), 0), states, meter)
    }

    /// Decides a value: a state for each that it may be, with its chance.
    pub(crate) fn decide_value(
        &self,
        var: Var,
        values: &Values,
        meter: &Meter,
    ) -> Result<Vec<(State, Weight)>, OverBudget> {
        let total = Rational::from(values.total().clone());
        let states = values
            .outcomes()
            .map(|(value, weight)| (self.with_value(var, &value), Rational::from(weight) / &total));
        self.cases((values.count(), 0), states, meter)
    }

    /// Decides dice: one state for each set of faces on the table. Where they can go on for ever, only how often they
    /// explode is decided, and the chance that they do so more often is told. Their order is kept where it is asked for.
    pub(crate) fn decide_dice(
        &self,
        var: Var,
        as_thrown: bool,
        meter: &Meter,
    ) -> Result<(Vec<(State, Weight)>, Weight), PoolError> {
        let Some(table) = self.table(var).cloned() else { return Ok((vec![], Weight::ZERO)) };
        let pool = table.with(&[]);
        let hands = if as_thrown { dice_as_thrown(&pool, meter) } else { dice(&pool, meter) };
        let hands = match hands {
            Err(PoolError::NoClosedForm) => return self.decide_parts(var, &pool, meter),
            hands => hands?,
        };
        let dice = hands.outcomes().iter().map(|(hand, _)| hand.len()).max().unwrap_or(0);
        let size = (hands.outcomes().len(), dice * size_of::<TableDie>());
        Ok((self.cases(size, self.with_hands(var, hands), meter)?, Weight::ZERO))
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
        let count = pools.len();
        let states = pools.into_iter().map(|(Pool { groups, stages }, chance)| {
            let groups = groups.into_iter().map(|(n, source)| (n, source.frozen())).collect();
            let table = Table { groups, random: None, stages };
            (self.with_law(var, VarLaw::Dice(Shared::new(table))), chance)
        });
        Ok((self.cases((count, 0), states, meter)?, rest))
    }

    /// A state for each set of dice that a variable may be, with its chance.
    pub(crate) fn with_hands(
        &self,
        var: Var,
        hands: Hands,
    ) -> impl Iterator<Item = (State, Weight)> {
        let total = Rational::from(hands.total().clone());
        hands.into_outcomes().into_iter().map(move |(hand, weight)| {
            let state = self.with_table(var, vec![(1, Source::Fixed(hand, None))]);
            (state, Rational::from(weight) / &total)
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
        let count = listing.outcomes.len();
        let states = listing.outcomes.into_iter().map(|(dice, chance)| {
            let mut table = Table { random: None, ..Table::clone(&table) };
            table.groups.push((u64::try_from(dice).unwrap_or(0), source.clone()));
            (self.with_law(var, VarLaw::Dice(Shared::new(table))), chance)
        });
        Ok((self.cases((count, 0), states, meter)?, listing.rest))
    }

    /// Dice that were decided can be thrown again with this die.
    pub(crate) fn throw_again_with(&mut self, var: Var, die: Option<&Die>) {
        let (Some(die), Some(table)) = (die, self.table(var)) else { return };
        if !table.is_fixed() {
            return;
        }
        let mut table = Table::clone(table);
        for (_, source) in &mut table.groups {
            if let Source::Fixed(_, again) = source {
                *again = Some(die.clone());
            }
        }
        self.set_law(var, VarLaw::Dice(Shared::new(table)));
    }

    /// The same state with these dice on the table.
    fn with_table(&self, var: Var, groups: Vec<(u64, Source)>) -> State {
        let table = Table { groups, random: None, stages: Vec::new() };
        self.with_law(var, VarLaw::Dice(Shared::new(table)))
    }
}
