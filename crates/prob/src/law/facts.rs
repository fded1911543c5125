//! Small facts about a law, and two laws that loops need.

use super::{Endless, Law};
use crate::meter::{Meter, OverBudget};
use crate::number::{Integer, Natural, Rational};
use crate::series::{Series, Terms};
use dashu_base::Gcd;

/// Parts of a law, each alone with its chance; none where that is zero.
pub type Shares = Vec<Option<(Law, Rational)>>;

impl Law {
    /// Whether every value is a whole number.
    pub fn is_whole(&self) -> bool {
        match self {
            Law::Finite(table) => table.outcomes().all(|(value, _)| value.denominator().is_one()),
            Law::Endless(endless) => {
                endless.offset().denominator().is_one() && endless.step().denominator().is_one()
            }
            Law::Grown(grown) => grown.is_whole(),
        }
    }

    /// How many values are possible; `None` if infinitely many.
    pub fn support_size(&self) -> Option<usize> {
        self.as_table().map(super::Table::count)
    }

    /// The law with these chances, which sum to 1; `None` if there are none.
    pub fn from_chances(chances: Vec<(Rational, Rational)>) -> Option<Law> {
        let total = chances.iter().fold(Natural::ONE, |total, (_, chance)| {
            let denominator = chance.denominator();
            let common = (&total).gcd(denominator);
            total * denominator / common
        });
        let scale = Rational::from(total);
        let weights = chances.into_iter().filter_map(|(value, chance)| {
            let weight = Natural::try_from((chance * &scale).numerator().clone()).ok()?;
            Some((value, weight))
        });
        Law::from_weights(weights.collect::<Vec<_>>())
    }

    /// How often something happens in a row that happens each time with the chance `again` below 1.
    pub fn geometric(again: &Rational, meter: &Meter) -> Result<Law, OverBudget> {
        if again.is_zero() {
            return Ok(Law::constant(Rational::ZERO));
        }
        let runs = Series::monomial(again, 1).geometric(meter)?.ok_or(OverBudget::Steps)?;
        let runs = runs.scaled(&(Rational::ONE - again));
        let one = Rational::from(Integer::ONE);
        Endless::assemble((Rational::ZERO, one, runs, Series::zero()), meter)
    }

    /// A whole number that may be anything.
    pub fn anything(meter: &Meter) -> Result<Law, OverBudget> {
        let half = Rational::ONE / Rational::from(2u8);
        let up = Law::geometric(&half, meter)?;
        up.sum(&up.negate(meter)?, meter)
    }

    /// For each row of terms its law and its chance, or none if it has no chance at all. None if they are not
    /// known by their first terms.
    pub fn counted(terms: &Terms<'_>, meter: &Meter) -> Result<Option<Shares>, OverBudget> {
        let Some(rows) = terms.series(meter)? else { return Ok(None) };
        let law = |series: Series| {
            let mass = series.mass();
            if series.is_zero() {
                return Ok(None);
            }
            let alone = series.scaled(&(Rational::ONE / &mass));
            let law =
                Endless::assemble((Rational::ZERO, Rational::ONE, alone, Series::zero()), meter)?;
            Ok(Some((law, mass)))
        };
        rows.into_iter().map(law).collect::<Result<_, _>>().map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_sixes_have_the_mean_one_fifth() {
        let sixth = Rational::ONE / Rational::from(6u8);
        let runs = Law::geometric(&sixth, &Meter::unlimited()).unwrap();
        assert_eq!(runs.mean(), Rational::ONE / Rational::from(5u8));
        assert!(runs.is_whole());
        assert_eq!(runs.support_size(), None);
    }

    #[test]
    fn chances_become_weights() {
        let third = Rational::ONE / Rational::from(3u8);
        let law = Law::from_chances(vec![
            (Rational::ONE, third.clone()),
            (Rational::from(4u8), Rational::ONE - third),
        ]);
        assert_eq!(law.unwrap().mean(), Rational::from(3u8));
    }
}
