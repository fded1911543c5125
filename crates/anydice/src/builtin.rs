//! The functions that AnyDice brings along. None of them goes through hands.

use std::rc::Rc;

use astragal_prob::pool::End;
use astragal_prob::{Comparison, Integer, Law, Natural, Rational};
use dashu_base::UnsignedAbs;

use crate::fault::Ran;
use crate::hands::Hands;
use crate::mixture::Mixture;
use crate::ranks;
use crate::run::Machine;
use crate::value::{Die, Throw, Total, Value, faces, sum};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builtin {
    Absolute,
    Contains,
    Count,
    Explode,
    Keep(End),
    Middle,
    Extreme(End),
    Maximum,
    Reverse,
    Sort,
}

/// As they are called.
pub(crate) const NAMES: [(&str, Builtin); 16] = [
    ("absolute _", Builtin::Absolute),
    ("_ contains _", Builtin::Contains),
    ("count _ in _", Builtin::Count),
    ("explode _", Builtin::Explode),
    ("highest _ of _", Builtin::Keep(End::Highest)),
    ("lowest _ of _", Builtin::Keep(End::Lowest)),
    ("highest _ of _ and _", Builtin::Keep(End::Highest)),
    ("lowest _ of _ and _", Builtin::Keep(End::Lowest)),
    ("highest _ of _ and _ and _", Builtin::Keep(End::Highest)),
    ("lowest _ of _ and _ and _", Builtin::Keep(End::Lowest)),
    ("middle _ of _", Builtin::Middle),
    ("highest of _ and _", Builtin::Extreme(End::Highest)),
    ("lowest of _ and _", Builtin::Extreme(End::Lowest)),
    ("maximum of _", Builtin::Maximum),
    ("reverse _", Builtin::Reverse),
    ("sort _", Builtin::Sort),
];

pub(crate) fn named(name: &str) -> Option<Builtin> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, builtin)| *builtin)
}

pub(crate) fn call(known: Builtin, arguments: &[Value], machine: &mut Machine<'_>) -> Ran<Value> {
    match (known, arguments) {
        (Builtin::Absolute, [value]) => {
            let absolute = |number: &Integer| Integer::from(number.unsigned_abs());
            machine.each_number(value, &mut |_, number| Ok(Value::Number(absolute(number))))
        }
        (Builtin::Contains, [items, number]) => {
            machine.each_number(number, &mut |machine, number| machine.contains(items, number))
        }
        (Builtin::Count, [values, items]) => machine.count(values, items),
        (Builtin::Explode, [die]) => machine.explode(die),
        (Builtin::Keep(end), [number, dice @ ..]) => {
            let dice: Vec<Die> = dice.iter().map(|die| machine.as_die(die.clone())).collect();
            machine.each_number(number, &mut |machine, number| machine.keep(number, &dice, end))
        }
        (Builtin::Middle, [number, die]) => {
            let die = machine.as_die(die.clone());
            machine.each_number(number, &mut |machine, number| machine.middle(number, &die))
        }
        (Builtin::Extreme(end), [left, right]) => machine.extreme(left, right, end),
        (Builtin::Maximum, [die]) => {
            let die = machine.as_die(die.clone());
            let highest = die.total(machine.meter)?.law.as_ref().and_then(Law::highest);
            Ok(Value::Number(highest.map_or(Integer::ZERO, |face| face.numerator().clone())))
        }
        (Builtin::Reverse, [value]) => machine.ordered(value, |items| items.reverse()),
        (Builtin::Sort, [value]) => {
            let lowest_first = machine.settings.lowest_first;
            machine.ordered(value, |items| {
                items.sort_unstable();
                if !lowest_first {
                    items.reverse();
                }
            })
        }
        // A signature has as many holes as there are arguments.
        _ => Ok(Value::Die(Die::empty())),
    }
}

impl Machine<'_> {
    /// What comes of each number that an argument with `:n` may be.
    fn each_number(
        &mut self,
        value: &Value,
        run: &mut dyn FnMut(&mut Self, &Integer) -> Ran<Value>,
    ) -> Ran<Value> {
        let mut mixture = Mixture::default();
        let mass = match value {
            Value::Number(number) => return run(self, number),
            Value::Sequence(items) => {
                let value = run(self, &sum(items))?;
                mixture.add(&value, Natural::ONE, self.meter)?;
                Rational::ONE
            }
            Value::Die(die) => {
                let total = die.total(self.meter)?;
                for (number, weight) in total.law.iter().flat_map(faces) {
                    let value = run(self, &number)?;
                    mixture.add(&value, weight.clone(), self.meter)?;
                }
                total.mass.clone()
            }
        };
        Ok(Value::Die(mixture.die(&mass, self.meter)?))
    }

    /// Whether any item is the number.
    fn contains(&mut self, items: &Value, number: &Integer) -> Ran<Value> {
        Ok(match items {
            Value::Number(item) => Value::of_truth(item == number),
            Value::Sequence(items) => Value::of_truth(items.contains(number)),
            Value::Die(die) => {
                let found = self.matches(die, &|face| face == number, &Integer::ONE)?;
                let none = Throw::constant(Integer::ZERO);
                let any = crate::operate::compared(Comparison::Greater, &found, &none, self.meter)?;
                if any.law.is_none() { Value::Die(Die::lost()) } else { Value::one_die(any) }
            }
        })
    }

    /// Of so many dice, how many show one of some faces, each counted so often.
    fn matches(&self, die: &Die, counts: &dyn Fn(&Integer) -> bool, worth: &Integer) -> Ran<Throw> {
        let worth = Rational::from(worth.clone());
        let is =
            |face: &Rational| if counts(face.numerator()) { worth.clone() } else { Rational::ZERO };
        self.of_each(die, &is)
    }

    /// The sum of what each die is worth.
    fn of_each(&self, die: &Die, worth: &dyn Fn(&Rational) -> Rational) -> Ran<Throw> {
        let Some(law) = &die.each().law else { return Ok(Throw::nothing()) };
        let each = Throw { law: Some(law.map(worth, self.meter)?), mass: die.each().mass.clone() };
        Ok(each.times(die.count(), self.meter)?)
    }

    /// For each item how often it is in the values, summed.
    fn count(&mut self, values: &Value, items: &Value) -> Ran<Value> {
        match values {
            Value::Number(number) => self.count_of(std::slice::from_ref(number), items),
            Value::Sequence(values) => self.count_of(values, items),
            Value::Die(die) => {
                let mut mixture = Mixture::default();
                let Some(law) = &die.each().law else { return Ok(Value::Die(Die::lost())) };
                let faces = faces(law).map(|(face, weight)| (face, weight.clone())).collect();
                let hands = Hands::new(faces, die.count(), false, self.meter)?;
                hands.each(&mut |hand, weight| {
                    let value = self.count_of(hand, items)?;
                    Ok(mixture.add(&value, weight, self.meter)?)
                })?;
                let mass = die.total(self.meter)?.mass.clone();
                Ok(Value::Die(mixture.die(&mass, self.meter)?))
            }
        }
    }

    fn count_of(&mut self, values: &[Integer], items: &Value) -> Ran<Value> {
        let often = |item: &Integer| values.iter().filter(|value| *value == item).count();
        self.meter.charge(values.len() as u64)?;
        Ok(match items {
            Value::Number(item) => Value::Number(often(item).into()),
            Value::Sequence(items) => {
                self.meter.charge((values.len() * items.len()) as u64)?;
                Value::Number(items.iter().map(often).sum::<usize>().into())
            }
            Value::Die(die) if die.is_empty() => Value::Die(Die::lost()),
            Value::Die(die) => {
                let worth = |face: &Rational| Rational::from(often(face.numerator()));
                Value::one_die(self.of_each(die, &worth)?)
            }
        })
    }

    /// Where the total shows its highest face it is thrown again and added.
    fn explode(&mut self, value: &Value) -> Ran<Value> {
        let die = self.as_die(value.clone());
        let total = die.total(self.meter)?.clone();
        let Some(law) = &total.law else { return Ok(Value::Die(die)) };
        let highest = law.highest().unwrap_or_default();
        let again = law.chance(&highest, self.meter)?;
        let mut exploded = law.clone();
        if again.is_one() {
            // A die with one face always shows it.
            let times = Rational::from(Integer::from(self.settings.explode_depth) + Integer::ONE);
            let law = Law::constant(highest * times);
            return Ok(Value::one_die(Throw { law: Some(law), mass: total.mass }));
        }
        let below: Vec<(Rational, Natural)> = law
            .as_table()
            .into_iter()
            .flat_map(|table| table.outcomes())
            .filter(|(face, _)| *face != highest)
            .map(|(face, weight)| (face, weight.clone()))
            .collect();
        let Some(below) = Law::from_weights(below) else { return Ok(Value::Die(die)) };
        for _ in 0..self.settings.explode_depth {
            self.meter.charge(100)?;
            let more = exploded.affine(&Rational::ONE, &highest, self.meter)?;
            let parts = [(Rational::ONE - &again, below.clone()), (again.clone(), more)];
            exploded = Law::mixture(&parts, self.meter)?;
        }
        Ok(Value::one_die(Throw { law: Some(exploded), mass: total.mass }))
    }

    /// The sum of the highest or lowest dice.
    fn keep(&mut self, number: &Integer, dice: &[Die], end: End) -> Ran<Value> {
        let there: Vec<&Die> = dice.iter().filter(|die| !die.is_empty()).collect();
        if there.is_empty() {
            let is_lost = dice.iter().any(|die| die.count() > 0);
            return Ok(Value::Die(if is_lost { Die::lost() } else { Die::empty() }));
        }
        if *number <= Integer::ZERO {
            return Ok(Value::one_die(Throw::constant(Integer::ZERO)));
        }
        let all = there.iter().fold(0_u64, |all, die| all.saturating_add(die.count()));
        let count = u64::try_from(number).unwrap_or(u64::MAX).min(all);
        if let ([die], true) = (there.as_slice(), count == all) {
            return Ok(Value::one_die(die.total(self.meter)?.clone()));
        }
        Ok(Value::one_die(ranks::keep(&there, count, end, self.meter)?))
    }

    fn middle(&mut self, number: &Integer, die: &Die) -> Ran<Value> {
        if die.is_empty() {
            return Ok(Value::Die(die.clone()));
        }
        let count = die.count();
        let taken =
            if *number > Integer::ZERO { u64::try_from(number).unwrap_or(count) } else { 0 };
        if taken >= count {
            return Ok(Value::one_die(die.total(self.meter)?.clone()));
        }
        self.meter.charge(count)?;
        self.meter.room(count.saturating_mul(16))?;
        let first = (count - taken) / 2;
        let times: Vec<u64> =
            (0..count).map(|at| u64::from(at >= first && at < first + taken)).collect();
        Ok(Value::one_die(ranks::picked(die, &times, self.meter)?))
    }

    /// Of two numbers, thrown apart.
    fn extreme(&mut self, left: &Value, right: &Value, end: End) -> Ran<Value> {
        if left.is_empty_die() || right.is_empty_die() {
            return Ok(Value::Die(Die::lost()));
        }
        let plain = matches!((left, right), (Value::Number(_), Value::Number(_)));
        let (left, right) = match (left.total(self.meter)?, right.total(self.meter)?) {
            (Total::Number(left), Total::Number(right)) if plain => {
                let higher = (left > right) == (end == End::Highest);
                return Ok(Value::Number(if higher { left } else { right }));
            }
            (left, right) => (left.throw(), right.throw()),
        };
        let (Some(one), Some(other)) = (&left.law, &right.law) else {
            return Ok(Value::Die(Die::lost()));
        };
        let law = match end {
            End::Highest => one.max(other, self.meter)?,
            _ => one.min(other, self.meter)?,
        };
        Ok(Value::one_die(Throw { law: Some(law), mass: &left.mass * &right.mass }))
    }

    /// Items in another order; dice come back as their total.
    fn ordered(&mut self, value: &Value, order: impl FnOnce(&mut Vec<Integer>)) -> Ran<Value> {
        Ok(match value {
            Value::Number(number) => Value::Sequence(Rc::from([number.clone()])),
            Value::Sequence(items) => {
                self.meter.charge(4 * items.len() as u64)?;
                let mut items = items.to_vec();
                order(&mut items);
                Value::Sequence(items.into())
            }
            Value::Die(die) if die.is_empty() => Value::Die(Die::lost()),
            Value::Die(die) => Value::one_die(die.total(self.meter)?.clone()),
        })
    }
}
