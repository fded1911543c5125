//! Reading a number off the dice on the table.

use astragal_prob::pool::{Condition, Pool, PoolError, Reading, Source, Stage, read, read_fixed};
use astragal_prob::{Comparison, Law, Rational};
use astragal_program::fault::FaultKind;
use astragal_syntax::span::Span;
use astragal_value::Number;

use super::cut::{best_total, cut};
use super::decide::pop_number;
use super::{Live, Machine, Outcome, put_aside};
use crate::failure::{Failure, over_budget, pool_fault};
use crate::plan::{self, Node};
use crate::state::{Form, PoolRef, State, States, Sym, Table};

impl<'p> Machine<'p> {
    pub(super) fn read(
        &mut self,
        pool: &'p Node,
        reading: &'p plan::Reading,
        span: Span,
        states: States,
        live: &Live,
    ) -> Outcome {
        let states = match reading {
            plan::Reading::NthHighest(n) | plan::Reading::NthLowest(n) => {
                let states = self.run(pool, states, &live.and(n))?;
                let states = self.run(n, states, live)?;
                self.decided(states, 1, span)?
            }
            plan::Reading::Total | plan::Reading::Median => self.run(pool, states, live)?,
        };
        // Both meanings report a reading at the same place: the number of the die, or the dice.
        let span = match reading {
            plan::Reading::NthHighest(n) | plan::Reading::NthLowest(n) => n.span,
            plan::Reading::Total | plan::Reading::Median => pool.span,
        };
        self.each(states, |machine, mut state, weight, after| {
            let reading = match reading {
                plan::Reading::Total => Reading::Sum,
                plan::Reading::Median => Reading::Median,
                plan::Reading::NthHighest(_) => {
                    Reading::NthHighest(rank(&mut state, weight, span)?)
                }
                plan::Reading::NthLowest(_) => Reading::NthLowest(rank(&mut state, weight, span)?),
            };
            machine.read_one(&reading, state, weight, span, after)
        })
    }

    pub(super) fn read_one(
        &mut self,
        reading: &Reading,
        mut state: State,
        weight: &Rational,
        span: Span,
        after: &mut States,
    ) -> Result<(), Failure> {
        let Some(Sym::Pool(pool)) = state.stack.pop() else {
            state.stack.push(Sym::Gone);
            after.list.push((state, weight.clone()));
            return Ok(());
        };
        let Some(table) = state.table(pool.var).cloned() else { return Ok(()) };
        if !table.is_fixed() && state.mentions(&[pool.var]) {
            return self.read_split(reading, pool, state, weight, span, after);
        }
        let reading = match reading {
            Reading::Sum if !pool.marks.is_empty() => Reading::Marks(pool.marks.clone()),
            other => other.clone(),
        };
        // With a random number of dice, a reading that is no sum is taken for each number by itself.
        let sums =
            pool.later.iter().chain(&table.stages).all(acts_on_each_die) && is_additive(&reading);
        if table.random.is_some() && !sums {
            return self.read_split(&reading, pool, state, weight, span, after);
        }
        if table.is_fixed()
            && let Some(number) = read_fixed(&table.groups, &pool.later, &reading)
        {
            state.stack.push(Sym::number(Form::constant(number)));
            after.list.push((state, weight.clone()));
            return Ok(());
        }
        let (law, lost) = self.law_of_table(&table, &pool, &reading, weight, span)?;
        let value = state.number(law);
        state.stack.push(value);
        if lost.is_zero() {
            after.list.push((state, weight.clone()));
            return Ok(());
        }
        after.aside.lost += weight * &lost;
        after.list.push((state, weight * (Rational::ONE - lost)));
        Ok(())
    }

    /// Decides the dice, or how many they are, and reads them in each case.
    fn read_split(
        &mut self,
        reading: &Reading,
        pool: PoolRef,
        mut state: State,
        weight: &Rational,
        span: Span,
        after: &mut States,
    ) -> Result<(), Failure> {
        let var = pool.var;
        state.stack.push(Sym::Pool(pool));
        for (state, weight) in self.split(&state, var, weight, span, after)? {
            let result = self.read_one(reading, state, &weight, span, after);
            put_aside(result, after)?;
        }
        Ok(())
    }

    /// The law of a reading, and the chance given up.
    fn law_of_table(
        &mut self,
        table: &Table,
        pool: &PoolRef,
        reading: &Reading,
        weight: &Rational,
        span: Span,
    ) -> Result<(Law, Rational), Failure> {
        let known = table.with(&pool.later);
        let Some((count, source)) = &table.random else {
            return self.law_of_pool(known, reading, weight, span);
        };
        // Every die counts for itself, so a random number of dice is a random sum.
        let refuse = |refusal| Failure::refused(over_budget(refusal), span);
        let one = Pool { groups: vec![(1, source.clone())], stages: known.stages.clone() };
        let (each, _) = self.law_of_pool(one, reading, weight, span)?;
        let random = Law::compose(count, &each, self.meter)
            .map_err(|error| Failure::refused(pool_fault(error.into()), span))?;
        let (rest, _) = self.law_of_pool(known, reading, weight, span)?;
        Ok((rest.sum(&random, self.meter).map_err(refuse)?, Rational::ZERO))
    }

    fn law_of_pool(
        &mut self,
        pool: Pool,
        reading: &Reading,
        weight: &Rational,
        span: Span,
    ) -> Result<(Law, Rational), Failure> {
        let key = Box::new((pool, reading.clone()));
        if let Some(known) = self.readings.get(&key) {
            return Ok((**known).clone());
        }
        let law = match read(&key.0, reading, self.meter) {
            Ok(law) => (law, Rational::ZERO),
            Err(PoolError::NoClosedForm) => self.law_of_cut_pool(&key.0, reading, span)?,
            Err(error) => return Err(self.pool_failure(error, &key.0, reading, weight, span)),
        };
        self.readings.insert(key, Box::new(law.clone()));
        Ok(law)
    }

    /// The law of a pool of totals, or of one whose endless dice have to be cut, and the chance given up.
    fn law_of_cut_pool(
        &mut self,
        pool: &Pool,
        reading: &Reading,
        span: Span,
    ) -> Result<(Law, Rational), Failure> {
        let refused = |error| Failure::refused(pool_fault(error), span);
        if let Some(law) = best_total(pool, reading, self.meter) {
            return Ok((law, Rational::ZERO));
        }
        let (pool, lost) = cut(pool, self.meter).ok_or_else(|| refused(PoolError::NoClosedForm))?;
        Ok((read(&pool, reading, self.meter).map_err(refused)?, lost))
    }

    fn pool_failure(
        &self,
        error: PoolError,
        pool: &Pool,
        reading: &Reading,
        weight: &Rational,
        span: Span,
    ) -> Failure {
        match (error, reading) {
            (PoolError::TooFewDice, Reading::NthHighest(n) | Reading::NthLowest(n)) => {
                let rank = Number::from(i64::try_from(*n).unwrap_or(i64::MAX));
                let chance = weight * self.chance_of_fewer(pool, *n);
                Failure::new(bad_rank(rank, dice_in(pool)), span, chance)
            }
            (error @ PoolError::TooFewDice, Reading::Median) => {
                let chance = weight * self.chance_of_fewer(pool, 1);
                Failure::new(pool_fault(error), span, chance)
            }
            (error @ PoolError::OverBudget(_), _) => Failure::refused(pool_fault(error), span),
            (error, _) => Failure::new(pool_fault(error), span, weight.clone()),
        }
    }

    /// The chance that fewer than so many dice lie on the table.
    fn chance_of_fewer(&self, pool: &Pool, dice: u64) -> Rational {
        let any = |op| Condition { op, value: Rational::ZERO };
        let each = vec![(any(Comparison::AtLeast), 1), (any(Comparison::Less), 1)];
        let count = read(pool, &Reading::Marks(each), self.meter);
        let fewer =
            count.map(|law| law.compare(Comparison::Less, &Rational::from(dice), self.meter));
        match fewer {
            Ok(Ok(chance)) => chance,
            _ => Rational::ONE,
        }
    }
}

fn rank(state: &mut State, weight: &Rational, span: Span) -> Result<u64, Failure> {
    let number = pop_number(state);
    let rank = number.to_i64().and_then(|n| u64::try_from(n).ok()).filter(|n| *n > 0);
    rank.ok_or_else(|| {
        let dice = match state.stack.last() {
            Some(Sym::Pool(pool)) => {
                state.table(pool.var).map_or(0, |table| dice_in(&table.with(&pool.later)))
            }
            _ => 0,
        };
        Failure::new(bad_rank(number, dice), span, weight.clone())
    })
}

/// How many dice a pool starts with.
fn dice_in(pool: &Pool) -> u64 {
    let dice = pool.groups.iter().map(|(count, source)| match source {
        Source::Fixed(dice) => dice.len() as u64,
        Source::Die(_) | Source::Total(_) => *count,
    });
    dice.fold(0, u64::saturating_add)
}

fn bad_rank(number: Number, dice: u64) -> FaultKind {
    FaultKind::NoSuchDie(number, usize::try_from(dice).unwrap_or(usize::MAX))
}

/// Whether a suffix looks at one die at a time.
fn acts_on_each_die(stage: &Stage) -> bool {
    match stage {
        Stage::Reroll { .. } | Stage::Explode { .. } | Stage::AtLeast(_) | Stage::AtMost(_) => true,
        Stage::InAll { .. } | Stage::Unique | Stage::Drawn => false,
        Stage::Keep(..) | Stage::Drop(..) => false,
    }
}

/// Whether a reading of several dice is the sum of the readings of each.
fn is_additive(reading: &Reading) -> bool {
    match reading {
        Reading::Sum | Reading::Marks(_) => true,
        Reading::NthHighest(_) | Reading::NthLowest(_) | Reading::Median => false,
    }
}
