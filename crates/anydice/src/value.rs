//! What a program computes with: numbers, sequences and dice.
//!
//! A die is a law, not a throw. Several equal dice stay several until something takes their total.

use std::cell::OnceCell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use astragal_prob::{Integer, Law, Meter, OverBudget, Rational};
use rustc_hash::FxHasher;

/// A number, a sequence or dice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Number(Integer),
    Sequence(Rc<[Integer]>),
    Die(Die),
}

/// The law of one number. Some of its mass may be lost; all of it is if there is no law.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Throw {
    pub(crate) law: Option<Law>,
    /// The chance that it shows anything.
    pub(crate) mass: Rational,
}

impl Throw {
    pub(crate) fn of(law: Law) -> Throw {
        Throw { law: Some(law), mass: Rational::ONE }
    }

    pub(crate) fn constant(number: Integer) -> Throw {
        Throw::of(Law::constant(Rational::from(number)))
    }

    /// One that shows nothing.
    pub(crate) fn nothing() -> Throw {
        Throw { law: None, mass: Rational::ZERO }
    }

    /// So many times this, added up.
    pub(crate) fn times(&self, count: u64, meter: &Meter) -> Result<Throw, OverBudget> {
        let law = self.law.as_ref().map(|law| law.times(count, meter)).transpose()?;
        Ok(Throw { law, mass: power(&self.mass, count, meter)? })
    }

    pub(crate) fn negate(&self, meter: &Meter) -> Result<Throw, OverBudget> {
        let law = self.law.as_ref().map(|law| law.negate(meter)).transpose()?;
        Ok(Throw { law, mass: self.mass.clone() })
    }
}

/// A chance to the power of a number of dice.
pub(crate) fn power(chance: &Rational, count: u64, meter: &Meter) -> Result<Rational, OverBudget> {
    if chance.is_one() || count == 1 {
        return Ok(chance.clone());
    }
    meter.charge(count)?;
    let exponent = isize::try_from(count).map_err(|_| OverBudget::Steps)?;
    Ok(chance.pow(exponent))
}

/// Equal dice.
#[derive(Clone, Debug)]
pub(crate) struct Die(Rc<Dice>);

#[derive(Debug)]
struct Dice {
    count: u64,
    each: Throw,
    total: OnceCell<Throw>,
    hash: OnceCell<u64>,
}

impl Die {
    /// So many dice (none: the empty die).
    pub(crate) fn new(count: u64, each: Throw) -> Die {
        let (total, hash) = (OnceCell::new(), OnceCell::new());
        Die(Rc::new(Dice { count, each, total, hash }))
    }

    pub(crate) fn one(each: Throw) -> Die {
        Die::new(1, each)
    }

    /// `d{}`: it drops out where results are mixed.
    pub(crate) fn empty() -> Die {
        Die::new(0, Throw::nothing())
    }

    /// A die without faces, whose mass is lost where results are mixed.
    pub(crate) fn lost() -> Die {
        Die::new(1, Throw::nothing())
    }

    pub(crate) fn count(&self) -> u64 {
        self.0.count
    }

    pub(crate) fn each(&self) -> &Throw {
        &self.0.each
    }

    /// Whether it has no faces.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.each.law.is_none()
    }

    /// The sum of all dice.
    pub(crate) fn total(&self, meter: &Meter) -> Result<&Throw, OverBudget> {
        if self.0.count <= 1 {
            return Ok(&self.0.each);
        }
        if let Some(total) = self.0.total.get() {
            return Ok(total);
        }
        let total = self.0.each.times(self.0.count, meter)?;
        Ok(self.0.total.get_or_init(|| total))
    }

    pub(crate) fn negate(&self, meter: &Meter) -> Result<Die, OverBudget> {
        Ok(Die::new(self.0.count, self.0.each.negate(meter)?))
    }

    fn own_hash(&self) -> u64 {
        *self.0.hash.get_or_init(|| {
            let mut hasher = FxHasher::default();
            (self.0.count, &self.0.each).hash(&mut hasher);
            hasher.finish()
        })
    }
}

impl PartialEq for Die {
    fn eq(&self, other: &Die) -> bool {
        let same = Rc::ptr_eq(&self.0, &other.0);
        let alike = || (self.0.count, &self.0.each) == (other.0.count, &other.0.each);
        same || (self.own_hash() == other.own_hash() && alike())
    }
}

impl Eq for Die {}

impl Hash for Die {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.own_hash().hash(state);
    }
}

/// What a value comes to where it is totalled.
pub(crate) enum Total {
    Number(Integer),
    Throw(Throw),
}

impl Total {
    pub(crate) fn throw(self) -> Throw {
        match self {
            Total::Number(number) => Throw::constant(number),
            Total::Throw(throw) => throw,
        }
    }
}

impl Value {
    pub(crate) fn of_truth(truth: bool) -> Value {
        Value::Number(Integer::from(u8::from(truth)))
    }

    pub(crate) fn one_die(throw: Throw) -> Value {
        Value::Die(Die::one(throw))
    }

    pub(crate) fn is_empty_die(&self) -> bool {
        matches!(self, Value::Die(die) if die.is_empty())
    }

    /// Whether it is a die without faces whose mass is lost.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(self, Value::Die(die) if die.is_empty() && die.count() > 0)
    }

    pub(crate) fn total(&self, meter: &Meter) -> Result<Total, OverBudget> {
        Ok(match self {
            Value::Number(number) => Total::Number(number.clone()),
            Value::Sequence(items) => Total::Number(sum(items)),
            Value::Die(die) => Total::Throw(die.total(meter)?.clone()),
        })
    }
}

pub(crate) fn sum(items: &[Integer]) -> Integer {
    items.iter().fold(Integer::ZERO, |sum, item| sum + item)
}

/// The faces of a law in ascending order, with their weights.
pub(crate) fn faces(law: &Law) -> impl Iterator<Item = (Integer, &astragal_prob::Natural)> {
    let table = law.as_table().map(|table| table.outcomes());
    table.into_iter().flatten().map(|(value, weight)| (value.numerator().clone(), weight))
}
