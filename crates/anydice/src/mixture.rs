//! One of several results, each with a weight.

use astragal_prob::{Integer, Meter, Natural, OverBudget, Rational, common_multiple};
use dashu_base::BitTest;
use rustc_hash::FxHashMap;

use crate::make::law_of;
use crate::value::{Die, Throw, Total, Value, faces};

/// Results that were seen so far. Those without faces drop out, and the others share their chance; but a die whose mass
/// is lost takes its share with it.
#[derive(Default)]
pub(crate) struct Mixture {
    /// The weights of all that did not drop out.
    filled: Natural,
    /// Weights of numbers, by what they are to be divided by.
    parts: FxHashMap<Natural, FxHashMap<Integer, Natural>>,
    /// Whether anything was added.
    any: bool,
}

impl Mixture {
    pub(crate) fn add(
        &mut self,
        result: &Value,
        weight: Natural,
        meter: &Meter,
    ) -> Result<(), OverBudget> {
        self.any = true;
        if let Value::Number(number) = result {
            meter.charge(4)?;
            *self.numbers(Natural::ONE).entry(number.clone()).or_default() += &weight;
            self.filled += weight;
            return Ok(());
        }
        match result.total(meter)? {
            Total::Number(number) => {
                meter.charge(4)?;
                *self.numbers(Natural::ONE).entry(number).or_default() += &weight;
            }
            Total::Throw(throw) => {
                let Some(law) = &throw.law else {
                    self.filled += if result.is_lost() { weight } else { Natural::ZERO };
                    return Ok(());
                };
                let total = law.as_table().map_or(Natural::ONE, |table| table.total().clone());
                let size = law.support_size().unwrap_or(1) as u64;
                meter.charge(size * (8 + total.bit_len() as u64 / 64))?;
                let share =
                    &weight * Natural::try_from(throw.mass.numerator().clone()).unwrap_or_default();
                let numbers = self.numbers(total * throw.mass.denominator());
                for (face, ways) in faces(law) {
                    *numbers.entry(face).or_default() += ways * &share;
                }
            }
        }
        self.filled += weight;
        Ok(())
    }

    fn numbers(&mut self, divisor: Natural) -> &mut FxHashMap<Integer, Natural> {
        self.parts.entry(divisor).or_default()
    }

    /// The mixture as a die, of what has this chance to come about.
    pub(crate) fn die(self, chance: &Rational, meter: &Meter) -> Result<Die, OverBudget> {
        if !self.any {
            return Ok(Die::lost());
        }
        if self.filled.is_zero() {
            return Ok(Die::empty());
        }
        let common = common_multiple(self.parts.keys());
        let size: usize = self.parts.values().map(FxHashMap::len).sum();
        meter.charge(size as u64 * (10 + common.bit_len() as u64 / 64))?;
        let several = self.parts.len() > 1;
        let mut all: FxHashMap<Integer, Natural> = FxHashMap::default();
        for (divisor, numbers) in self.parts {
            let factor = &common / &divisor;
            if !several && factor.is_one() {
                all = numbers;
                break;
            }
            for (number, weight) in numbers {
                *all.entry(number).or_default() += weight * &factor;
            }
        }
        let mut list: Vec<(Integer, Natural)> = all.into_iter().collect();
        list.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let there = list.iter().fold(Natural::ZERO, |sum, (_, weight)| sum + weight);
        let whole = self.filled * common;
        let mass =
            if there == whole { Rational::ONE } else { Rational::from_parts(there.into(), whole) };
        Ok(Die::one(Throw { law: law_of(list), mass: mass * chance }))
    }
}
