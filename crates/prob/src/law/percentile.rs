//! Percentiles: the least value that is not exceeded with a given chance.

use super::Law;
use crate::meter::{Meter, OverBudget};
use crate::number::{Comparison, Rational};

impl Law {
    /// The least value that a number does not exceed with at least this chance; the lowest of all for 0. None if there
    /// is no such value: for a chance beyond 1, and at an end that there is not.
    pub fn percentile(
        &self,
        chance: &Rational,
        meter: &Meter,
    ) -> Result<Option<Rational>, OverBudget> {
        let beyond = Rational::ONE - chance;
        if *chance < Rational::ZERO || beyond < Rational::ZERO {
            return Ok(None);
        }
        if chance.is_zero() {
            return Ok(self.lowest());
        }
        if beyond.is_zero() {
            return Ok(self.highest());
        }
        let least = if *chance < beyond { chance } else { &beyond };
        let listing = self.listing(&(least / Rational::from(2u8)), None, meter)?;
        let Some((first, _)) = listing.outcomes.first() else { return Ok(None) };
        let mut so_far = self.compare(Comparison::Less, first, meter)?;
        for (value, own) in &listing.outcomes {
            meter.charge(20)?;
            so_far += own;
            if so_far >= *chance {
                return Ok(Some(value.clone()));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_the_least_value_that_reaches_it() {
        let meter = Meter::new(1_000_000);
        let die = Law::uniform(4, &meter).unwrap();
        let at = |percent: i32| {
            let chance = Rational::from_parts(percent.into(), 100u8.into());
            let value = die.percentile(&chance, &meter).unwrap();
            value.map(|value| value.to_string())
        };
        let told = [0, 1, 25, 26, 50, 99, 100].map(|percent| at(percent).unwrap_or_default());
        assert_eq!(told, ["1", "1", "1", "2", "2", "4", "4"]);
        assert_eq!((at(-1), at(101)), (None, None));
        let endless = Law::geometric(&Rational::from_parts(1.into(), 2u8.into()), &meter).unwrap();
        assert_eq!(endless.percentile(&Rational::ONE, &meter), Ok(None));
    }
}
