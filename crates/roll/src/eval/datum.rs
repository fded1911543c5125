//! What the interpreter computes with: values, numbers that remember their labels, pools of dice.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use astragal_value::{Number, OpError, RecordShape, Value};

use super::Interpreter;
use super::label::Shares;
use super::word::Found;
use crate::dice::Dice;
use crate::faces::DieFaces;
use crate::lying::Lying;
use crate::recorder::{Behind, StepId};

/// The most values inside each other that an explanation shows.
const LONGEST_SHOWN: usize = 200;

/// A value on its way.
#[derive(Clone, Debug)]
pub(super) enum Datum {
    /// A finished value without labels.
    Value(Value),
    /// A number and what each label contributes to it.
    Labelled(Number, Shares),
    /// A list with labelled numbers in it.
    List(Rc<[Datum]>),
    /// A record with labelled numbers in it.
    Record(Arc<RecordShape>, Rc<[Datum]>),
    /// Dice on the table.
    Pool(Rc<Pool>),
}

/// Dice on the table.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    /// The dice that count, in throw order.
    pub(super) dice: PoolDice,
    /// `cs` or `cf` marked it: it is worth its marks.
    pub(super) marked: bool,
    /// The labels of its totals, also of those that no longer count.
    pub(super) labels: Vec<Arc<str>>,
    /// The step that shows it.
    pub(super) step: StepId,
    /// It has a name or was handed on: the next suffix begins a new step.
    pub(super) fixed: Option<Fixed>,
    /// It is a later use of dice that lie on the table, and holds them.
    pub(super) held: bool,
}

/// A pool that lies on the table.
#[derive(Clone, Debug)]
pub(super) struct Fixed {
    /// Its name.
    pub(super) name: Option<Arc<str>>,
}

/// The dice of a pool. Most pools are only summed: their dice are listed when something is done to them.
#[derive(Clone, Debug)]
pub(super) enum PoolDice {
    /// Equal dice whose faces are consecutive whole numbers, thrown and perhaps dropped or marked.
    Thrown(Thrown),
    /// These.
    Each(Vec<PoolDie>),
}

/// Dice that were thrown one after the other, and are in no other pool: what was dropped and marked
/// stands with the dice on the table.
#[derive(Clone, Debug)]
pub(super) struct Thrown {
    pub(super) kind: DieFaces,
    pub(super) lying: Lying,
}

/// One die of a pool.
#[derive(Clone, Debug)]
pub(super) struct PoolDie {
    /// What it shows.
    pub(super) shows: Number,
    /// Which die it is; none if it shows a total.
    pub(super) kind: Option<DieFaces>,
    /// Marks for minus marks against.
    pub(super) marks: i64,
    /// What labels contribute inside a total.
    pub(super) shares: Option<Shares>,
    /// Its place in the step that shows the pool.
    pub(super) place: u32,
    /// The dice behind it in the explanation.
    pub(super) behind: Behind,
}

impl PoolDice {
    pub(super) fn len(&self) -> usize {
        match self {
            PoolDice::Thrown(thrown) => thrown.lying.left as usize,
            PoolDice::Each(dice) => dice.len(),
        }
    }

    /// The sum of what they show.
    pub(super) fn sum(&self) -> Result<Number, OpError> {
        match self {
            PoolDice::Thrown(thrown) => Ok(thrown.lying.sum.into()),
            PoolDice::Each(dice) => sum(dice),
        }
    }

    /// The dice one by one.
    pub(super) fn list(&self, table: &Dice) -> Cow<'_, [PoolDie]> {
        match self {
            PoolDice::Thrown(thrown) => Cow::Owned(thrown.list(table)),
            PoolDice::Each(dice) => Cow::Borrowed(dice),
        }
    }

    /// The dice one by one, from now on.
    pub(super) fn each(&mut self, table: &Dice) -> &mut Vec<PoolDie> {
        if let PoolDice::Thrown(thrown) = self {
            *self = PoolDice::Each(thrown.list(table));
        }
        match self {
            PoolDice::Each(dice) => dice,
            PoolDice::Thrown(_) => unreachable!("made a list above"),
        }
    }
}

/// The sum of what dice show: in a word as far as it fits.
fn sum(dice: &[PoolDie]) -> Result<Number, OpError> {
    let mut sum = 0i64;
    for (place, die) in dice.iter().enumerate() {
        match die.shows.to_i64().and_then(|shows| sum.checked_add(shows)) {
            Some(more) => sum = more,
            None => {
                let rest = dice[place..].iter();
                return rest
                    .map(|die| &die.shows)
                    .try_fold(sum.into(), |sum: Number, n| sum.add(n));
            }
        }
    }
    Ok(sum.into())
}

impl Thrown {
    fn list(&self, table: &Dice) -> Vec<PoolDie> {
        let Lying { first, count, left, lowest, .. } = self.lying;
        let faces = table.faces(first, count as usize);
        let mut dice = Vec::with_capacity(left as usize);
        for (place, face) in (0..).zip(faces) {
            let id = first + place;
            let fates = table.own_fates(id);
            if fates.dropped {
                continue;
            }
            dice.push(PoolDie {
                shows: Number::from(lowest + *face as i64),
                kind: Some(self.kind.clone()),
                marks: i64::from(fates.counted_for) - i64::from(fates.counted_against),
                shares: None,
                place,
                behind: Behind::Die(id),
            });
        }
        dice
    }

    /// Whether none was dropped.
    pub(super) fn are_all_left(&self) -> bool {
        self.lying.left == self.lying.count
    }
}

impl Pool {
    pub(super) fn new(step: StepId) -> Pool {
        Pool::of(PoolDice::Each(Vec::new()), step)
    }

    pub(super) fn of(dice: PoolDice, step: StepId) -> Pool {
        Pool { dice, marked: false, labels: Vec::new(), step, fixed: None, held: false }
    }

    /// The sum; of a marked pool its marks.
    pub(super) fn total(&self) -> Result<Number, OpError> {
        match &self.dice {
            PoolDice::Each(dice) if self.marked => {
                Ok(dice.iter().map(|die| die.marks).sum::<i64>().into())
            }
            PoolDice::Thrown(thrown) if self.marked => Ok(thrown.lying.marks.into()),
            dice => dice.sum(),
        }
    }

    /// The total, on the short way where it has no labels.
    pub(super) fn found(&self) -> Result<Found, OpError> {
        if self.labels.is_empty() {
            return self.total().map(Found::from);
        }
        self.settle().map(Found::from)
    }

    /// The total as a number that remembers its labels.
    pub(super) fn settle(&self) -> Result<Datum, OpError> {
        let dice = match &self.dice {
            PoolDice::Thrown(_) => &[],
            PoolDice::Each(dice) => dice.as_slice(),
        };
        self.with_shares(self.total()?, dice.iter())
    }

    /// A number to which these dice contribute what they are worth.
    pub(super) fn with_shares<'d>(
        &self,
        number: Number,
        dice: impl Iterator<Item = &'d PoolDie>,
    ) -> Result<Datum, OpError> {
        if self.labels.is_empty() {
            return Ok(Datum::Value(Value::Number(number)));
        }
        let mut shares = Shares::zero(&self.labels);
        for die in dice {
            if let Some(inner) = &die.shares
                && !self.marked
            {
                shares = shares.plus(inner)?;
            }
        }
        Ok(Datum::Labelled(number, shares))
    }
}

impl Datum {
    pub(super) fn pool(pool: Pool) -> Datum {
        Datum::Pool(Rc::new(pool))
    }

    /// A pool as its total, anything else as it is.
    pub(super) fn settle(self) -> Result<Datum, OpError> {
        match self {
            Datum::Pool(pool) => pool.settle(),
            other => Ok(other),
        }
    }

    /// The value for the explanation: what is too long to read is left out.
    pub(super) fn shown(&self) -> Value {
        match self.to_value() {
            Ok(value) if fits(&value, LONGEST_SHOWN) => value,
            Ok(_) | Err(_) => Value::text("…"),
        }
    }

    /// The plain value, without regard to labels.
    pub(super) fn to_value(&self) -> Result<Value, OpError> {
        Ok(match self {
            Datum::Value(value) => value.clone(),
            Datum::Labelled(number, _) => Value::Number(number.clone()),
            Datum::List(items) => Value::List(all(items)?),
            Datum::Record(shape, fields) => Value::Record(shape.clone(), all(fields)?),
            Datum::Pool(pool) => Value::Number(pool.total()?),
        })
    }
}

/// Whether a value, written out, holds at most so many values.
pub(super) fn fits(value: &Value, most: usize) -> bool {
    size(value, most) <= most
}

/// How many items a value has, with those of the lists and records in it; more than `most` if there are more.
pub(super) fn size(value: &Value, most: usize) -> usize {
    if !matches!(value, Value::List(_) | Value::Record(..)) {
        return 0;
    }
    let mut size = 0usize;
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        if let Value::List(items) | Value::Record(_, items) = value {
            size = size.saturating_add(items.len());
            if size > most {
                break;
            }
            waiting.extend(items.iter());
        }
    }
    size
}

fn all(data: &[Datum]) -> Result<Arc<[Value]>, OpError> {
    data.iter().map(Datum::to_value).collect()
}

impl Interpreter<'_> {
    /// The plain value; what labels contribute to it is remembered as their last known contribution.
    pub(super) fn plain(&mut self, datum: Datum) -> Result<Value, OpError> {
        match datum {
            Datum::Value(value) => Ok(value),
            Datum::Labelled(number, shares) => {
                self.recorder.aside().know(&shares);
                Ok(Value::Number(number))
            }
            Datum::List(items) => {
                let items = items.iter().map(|item| self.plain(item.clone()));
                Ok(Value::List(items.collect::<Result<_, _>>()?))
            }
            Datum::Record(shape, fields) => {
                let fields = fields.iter().map(|field| self.plain(field.clone()));
                Ok(Value::Record(shape, fields.collect::<Result<_, _>>()?))
            }
            Datum::Pool(pool) => {
                let number = pool.settle()?;
                self.plain(number)
            }
        }
    }
}
