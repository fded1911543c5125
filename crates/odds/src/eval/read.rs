//! Reading a number off the dice on the table.

use astragal_prob::Law;
use astragal_prob::pool::{
    Pool, PoolError, Reading, Stage, best_total, chance_of_fewer, dice_in, read, read_fixed,
};
use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;
use astragal_value::Number;

use super::decide::{Done, Turn, pop_number};
use super::{Live, Machine, Outcome};
use crate::asked::reading_of;
use crate::failure::{Failure, pool_fault, too_much};
use crate::plan::{self, Node};
use crate::state::{Form, PoolRef, State, States, Sym, Table};

impl<'p> Machine<'p> {
    #[inline(never)]
    pub(super) fn read(
        &mut self,
        pool: &'p Node,
        reading: &'p plan::Reading,
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let n = reading.number();
        let states = self.run_all([pool].into_iter().chain(n), states, live)?;
        let states = self.decided(states, n.iter().len(), span)?;
        // Both meanings report a reading at the same place: the number of the die, or the dice.
        let span = n.map_or(pool.span, |n| n.span);
        self.each(states, span, |machine, mut state, turn| {
            let rank = if n.is_some() { rank(&mut state, turn)? } else { 0 };
            machine.read_one(&reading_of(reading, rank), state, turn)
        })
    }

    /// The totals of the dice that states come to.
    pub(crate) fn totals(&mut self, states: States, span: Span) -> Outcome {
        self.each(states, span, |machine, state, turn| machine.read_one(&Reading::Sum, state, turn))
    }

    pub(super) fn read_one(
        &mut self,
        reading: &Reading,
        mut state: State,
        turn: &mut Turn<'_>,
    ) -> Done {
        let Some(Sym::Pool(pool)) = state.stack.pop() else {
            return turn.push(state, Sym::Gone);
        };
        let Some(table) = state.table(pool.var).cloned() else { return Ok(()) };
        if !table.is_fixed() && state.mentions(&[pool.var]) {
            return self.read_split(reading, pool, state, turn);
        }
        let reading = match reading {
            Reading::Sum if !pool.marks.is_empty() => Reading::Marks(pool.marks.clone()),
            other => other.clone(),
        };
        // With a random number of dice, a reading that is no sum is taken for each number by itself.
        let mut stages = pool.later.iter().chain(&table.stages);
        let sums = stages.all(Stage::acts_on_each_die) && reading.is_additive();
        if table.random.is_some() && !sums {
            return self.read_split(&reading, pool, state, turn);
        }
        if table.is_fixed()
            && let Some(number) = read_fixed(&table.groups, &pool.later, &reading)
        {
            return turn.push(state, Sym::number(Form::constant(number)));
        }
        let law = match self.law_of_table(&table, &pool, &reading, turn) {
            Err(failure)
                if failure.fault.kind == FaultKind::NotKnown
                    || !failure.is_final() && failure.chance < *turn.weight =>
            {
                return self.read_those_that_can(&reading, pool, state, failure, turn);
            }
            law => law?,
        };
        turn.push_law(state, law)
    }

    /// Reads dice that may be too few, or of which it is not known how to read them as a whole: they are decided, and
    /// those that are enough are read. Where that is not known how, what becomes of these is given up.
    fn read_those_that_can(
        &mut self,
        reading: &Reading,
        pool: PoolRef,
        mut state: State,
        failure: Failure,
        turn: &mut Turn<'_>,
    ) -> Done {
        let dice = state.acted(Sym::Pool(pool));
        let read = match dice {
            Sym::Pool(pool) => self.read_split(reading, pool, state, turn),
            _ => return Err(failure),
        };
        match read {
            Err(refused) if refused.is_final() => {
                turn.after.aside.lost += turn.weight - &failure.chance;
                Err(failure)
            }
            done => done,
        }
    }

    /// Decides the dice, or how many they are, and reads them in each case.
    fn read_split(
        &mut self,
        reading: &Reading,
        pool: PoolRef,
        mut state: State,
        turn: &mut Turn<'_>,
    ) -> Done {
        let var = pool.var;
        state.stack.push(Sym::Pool(pool));
        self.in_each_case(&state, var, turn, |machine, state, turn| {
            machine.read_one(reading, state, turn)
        })
    }

    /// The law of a reading.
    fn law_of_table(
        &mut self,
        table: &Table,
        pool: &PoolRef,
        reading: &Reading,
        turn: &Turn<'_>,
    ) -> Result<Law, Failure> {
        let known = table.with(&pool.later);
        let Some((count, source)) = &table.random else {
            return self.law_of_pool(known, reading, turn);
        };
        // Every die counts for itself, so a random number of dice is a random sum.
        let one = Pool { groups: vec![(1, source.clone())], stages: known.stages.clone() };
        let each = self.law_of_pool(one, reading, turn)?;
        let random = Law::compose(count, &each, self.meter)
            .map_err(|error| Failure::refused(pool_fault(error.into()), turn.span))?;
        let rest = self.law_of_pool(known, reading, turn)?;
        rest.sum(&random, self.meter).map_err(too_much(turn.span))
    }

    fn law_of_pool(
        &mut self,
        pool: Pool,
        reading: &Reading,
        turn: &Turn<'_>,
    ) -> Result<Law, Failure> {
        let key = Box::new((pool, reading.clone()));
        if let Some(known) = self.readings.get(&key) {
            return Ok((**known).clone());
        }
        let law = match read(&key.0, reading, self.meter) {
            Ok(law) => law,
            Err(error) => match best_total(&key.0, reading, self.meter) {
                Some(law) if error == PoolError::NoClosedForm => law,
                _ => return Err(self.pool_failure(error, &key.0, reading, turn)),
            },
        };
        self.readings.insert(key, Box::new(law.clone()));
        Ok(law)
    }

    fn pool_failure(
        &self,
        error: PoolError,
        pool: &Pool,
        reading: &Reading,
        turn: &Turn<'_>,
    ) -> Failure {
        let (weight, span) = (turn.weight, turn.span);
        match (error, reading) {
            (PoolError::TooFewDice, Reading::NthHighest(n) | Reading::NthLowest(n)) => {
                let rank = Number::from(i64::try_from(*n).unwrap_or(i64::MAX));
                let chance = weight * chance_of_fewer(pool, *n, self.meter);
                Failure::new(bad_rank(rank, dice_in(&pool.groups)), span, chance)
            }
            (error @ PoolError::TooFewDice, Reading::Median) => {
                let chance = weight * chance_of_fewer(pool, 1, self.meter);
                Failure::new(pool_fault(error), span, chance)
            }
            (error @ PoolError::NeverStops(_), _) => {
                Failure::new(pool_fault(error), span, weight.clone())
            }
            (error, _) => Failure::refused(pool_fault(error), span),
        }
    }
}

fn rank(state: &mut State, turn: &Turn<'_>) -> Result<u64, Failure> {
    let number = pop_number(state);
    let rank = number.to_u64().filter(|n| *n > 0);
    rank.ok_or_else(|| {
        let dice = match state.stack.last() {
            Some(Sym::Pool(pool)) => {
                state.table(pool.var).map_or(0, |table| dice_in(&table.groups))
            }
            _ => 0,
        };
        turn.fails(bad_rank(number, dice))
    })
}

fn bad_rank(number: Number, dice: u64) -> FaultKind {
    FaultKind::NoSuchDie(number, usize::try_from(dice).unwrap_or(usize::MAX))
}
