//! Numbers read off a pool.

use astragal_program::core::{Expr, Reading};
use astragal_program::fault::FaultKind;
use astragal_value::{Number, OpError};

use super::datum::{Datum, Pool, PoolDie};
use super::{At, Eval, Interpreter};
use crate::dice::Dice;

impl<'a> Interpreter<'a> {
    pub(super) fn read(&mut self, expr: &'a Expr, reading: &'a Reading) -> Eval {
        let pool = match self.eval(expr)? {
            Datum::Pool(pool) => pool,
            // A number that the checker took for a pool of one total reads as itself.
            other => return Ok(other),
        };
        match reading {
            Reading::Total => pool.settle().at(expr.span),
            Reading::NthHighest(n) => self.nth(&pool, n, |n, count| count - n),
            Reading::NthLowest(n) => self.nth(&pool, n, |n, _| n - 1),
            Reading::Median => median(&pool, self.recorder.dice()).at(expr.span),
        }
    }

    fn nth(&mut self, pool: &Pool, n: &'a Expr, place: fn(usize, usize) -> usize) -> Eval {
        let number = self.number(n)?;
        let count = pool.dice.len();
        let wanted = number.to_i64().and_then(|n| usize::try_from(n).ok());
        match wanted.filter(|n| (1..=count).contains(n)) {
            Some(wanted) => {
                let dice = pool.dice.list(self.recorder.dice());
                let die = ranked(&dice)[place(wanted, count)];
                pool.with_shares(die.shows.clone(), [die].into_iter()).at(n.span)
            }
            None => Err(FaultKind::NoSuchDie(number, count)).at(n.span),
        }
    }
}

/// The dice from the lowest to the highest, equal ones in throw order.
fn ranked(dice: &[PoolDie]) -> Vec<&PoolDie> {
    let mut dice: Vec<&PoolDie> = dice.iter().collect();
    dice.sort_by(|a, b| a.shows.cmp(&b.shows));
    dice
}

fn median(pool: &Pool, table: &Dice) -> Result<Datum, FaultKind> {
    let dice = pool.dice.list(table);
    let dice = ranked(&dice);
    let middle = dice.len() / 2;
    match dice.len() {
        0 => Err(FaultKind::NoDice),
        odd if odd % 2 == 1 => {
            Ok(pool.with_shares(dice[middle].shows.clone(), [dice[middle]].into_iter())?)
        }
        _ => Ok(mean(pool, dice[middle - 1], dice[middle])?),
    }
}

fn mean(pool: &Pool, a: &PoolDie, b: &PoolDie) -> Result<Datum, OpError> {
    let two = Number::from(2);
    let sum = a.shows.add(&b.shows)?;
    Ok(match pool.with_shares(sum.clone(), [a, b].into_iter())? {
        Datum::Labelled(_, shares) => {
            Datum::Labelled(sum.divide(&two)?, shares.times(&Number::ONE.divide(&two)?)?)
        }
        _ => Datum::Value(astragal_value::Value::Number(sum.divide(&two)?)),
    })
}
