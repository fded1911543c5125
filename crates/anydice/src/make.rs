//! Making values: sequences and dice.

use std::rc::Rc;

use astragal_prob::{Integer, Law, Meter, Natural, OverBudget, Rational};
use astragal_syntax::span::Span;
use dashu_base::{Signed, UnsignedAbs};

use crate::fault::{Ran, wrong};
use crate::value::{Die, Throw, Total, Value, faces, sum};

/// A sequence has no more items than that.
const MOST_ITEMS: usize = 5_000_000;

/// The items of a sequence that is being written down.
#[derive(Default)]
pub(crate) struct Items(Vec<Integer>);

impl Items {
    /// What a value adds: itself, its items, or each face of its total once.
    pub(crate) fn add(&mut self, value: &Value, meter: &Meter) -> Ran<()> {
        match value {
            Value::Number(number) => self.0.push(number.clone()),
            Value::Sequence(items) => {
                self.room(items.len(), meter)?;
                self.0.extend_from_slice(items);
            }
            Value::Die(die) => {
                let total = die.total(meter)?;
                if let Some(law) = &total.law {
                    self.room(law.support_size().unwrap_or(0), meter)?;
                    self.0.extend(faces(law).map(|(face, _)| face));
                }
            }
        }
        Ok(())
    }

    /// `first..last`.
    pub(crate) fn range(&mut self, first: &Integer, last: &Integer, meter: &Meter) -> Ran<()> {
        if last < first {
            return Ok(());
        }
        let count = usize::try_from(last - first).unwrap_or(usize::MAX).saturating_add(1);
        self.room(count, meter)?;
        self.0.extend((0..count).map(|step| first + Integer::from(step)));
        Ok(())
    }

    /// These items again and again, as a block.
    pub(crate) fn repeat(&mut self, block: &Items, times: &Integer, meter: &Meter) -> Ran<()> {
        if *times <= Integer::ZERO || block.0.is_empty() {
            return Ok(());
        }
        let times = usize::try_from(times).unwrap_or(usize::MAX);
        self.room(block.0.len().saturating_mul(times), meter)?;
        for _ in 0..times {
            self.0.extend_from_slice(&block.0);
        }
        Ok(())
    }

    /// Pays for so many more.
    fn room(&self, more: usize, meter: &Meter) -> Result<(), OverBudget> {
        let all = self.0.len().saturating_add(more);
        if all > MOST_ITEMS {
            return Err(OverBudget::Memory);
        }
        meter.room((all * size_of::<Integer>()) as u64)?;
        meter.charge(more as u64)
    }

    pub(crate) fn value(self) -> Value {
        Value::Sequence(self.0.into())
    }
}

/// The end of a range, or a number of times.
pub(crate) fn whole(value: &Value, what: &str, span: Span) -> Ran<Integer> {
    match value {
        Value::Number(number) => Ok(number.clone()),
        Value::Sequence(items) => Ok(sum(items)),
        Value::Die(_) => {
            let error = wrong("random-sequence", span, format!("{what} cannot be a die"));
            let help = "hand the die to a parameter with `:n` and build the sequence there";
            Err(error.label("this is a die").help(help).into())
        }
    }
}

/// Unary `d`.
pub(crate) fn die(value: &Value, meter: &Meter) -> Ran<Die> {
    Ok(match value {
        Value::Die(die) => die.clone(),
        Value::Number(sides) => Die::one(sided(sides, meter)?),
        Value::Sequence(items) => match of_items(items, meter)? {
            None => Die::empty(),
            Some(law) => Die::one(Throw::of(law)),
        },
    })
}

/// `d6`; `d0` shows 0; `d-3` shows -3 to -1.
fn sided(sides: &Integer, meter: &Meter) -> Ran<Throw> {
    if sides.is_zero() {
        return Ok(Throw::constant(Integer::ZERO));
    }
    let count = u64::try_from(&sides.unsigned_abs()).map_err(|_| OverBudget::Memory)?;
    let law = Law::uniform(count, meter)?;
    Ok(Throw::of(if sides.is_negative() { law.negate(meter)? } else { law }))
}

fn of_items(items: &Rc<[Integer]>, meter: &Meter) -> Ran<Option<Law>> {
    meter.charge(4 * items.len() as u64)?;
    let mut sorted: Vec<&Integer> = items.iter().collect();
    sorted.sort_unstable();
    let chunks = sorted.chunk_by(|a, b| a == b);
    let weights = chunks.map(|same| (same[0].clone(), Natural::from(same.len())));
    Ok(law_of(weights.collect()))
}

/// The law of these numbers and weights, which are in ascending order.
pub(crate) fn law_of(weights: Vec<(Integer, Natural)>) -> Option<Law> {
    let small = |(value, _): &(Integer, Natural)| i32::try_from(value).is_ok();
    if weights.iter().all(small) {
        let whole = |(value, weight)| Some((i64::try_from(&value).ok()?, weight));
        return Law::of_whole(weights.into_iter().filter_map(whole).collect());
    }
    Law::from_weights(weights.into_iter().map(|(value, weight)| (Rational::from(value), weight)))
}

/// `a d x`.
pub(crate) fn dice(count: &Value, sides: &Value, meter: &Meter) -> Ran<Value> {
    let die = die(sides, meter)?;
    match count.total(meter)? {
        Total::Number(count) => Ok(Value::Die(counted(&count, die, meter)?)),
        Total::Throw(count) => {
            let Some(counts) = &count.law else { return Ok(Value::Die(Die::lost())) };
            if die.is_empty() {
                return Ok(Value::Die(Die::lost()));
            }
            let each = die.total(meter)?;
            let throw = mixed(counts, each, meter)?;
            Ok(Value::one_die(Throw { mass: throw.mass * &count.mass, ..throw }))
        }
    }
}

/// A known number of dice.
fn counted(count: &Integer, die: Die, meter: &Meter) -> Ran<Die> {
    if die.is_empty() || (*count == Integer::ONE) {
        return Ok(die);
    }
    if count.is_zero() {
        return Ok(Die::one(Throw::constant(Integer::ZERO)));
    }
    let each = die.total(meter)?;
    let each = if count.is_negative() { each.negate(meter)? } else { each.clone() };
    let count = u64::try_from(&count.unsigned_abs()).map_err(|_| OverBudget::Steps)?;
    Ok(Die::new(count, each))
}

/// A random number of dice: negative ones have their faces negated.
fn mixed(counts: &Law, each: &Throw, meter: &Meter) -> Ran<Throw> {
    let Some(law) = &each.law else { return Ok(Throw::nothing()) };
    if each.mass.is_one() {
        let least = counts.lowest().unwrap_or_default();
        if !least.is_negative() {
            return Ok(Throw::of(Law::compose(counts, law, meter)?));
        }
    }
    let mut parts = Vec::new();
    let mut mass = Rational::ZERO;
    let Some(table) = counts.as_table() else { return Ok(Throw::nothing()) };
    for (count, chance) in table.chances() {
        let times = u64::try_from(&count.numerator().unsigned_abs());
        let one = each.times(times.map_err(|_| OverBudget::Steps)?, meter)?;
        let one = if count.is_negative() { one.negate(meter)? } else { one };
        let chance = chance * one.mass;
        mass += &chance;
        parts.extend(one.law.map(|law| (chance, law)));
    }
    if mass.is_zero() {
        return Ok(Throw::nothing());
    }
    parts.iter_mut().for_each(|(chance, _)| *chance /= &mass);
    Ok(Throw { law: Some(Law::mixture(&parts, meter)?), mass })
}
